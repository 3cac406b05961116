"""Links and passwords that let people in: made, shown once, replaced, revoked."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.actions.enrolment import (
    Access,
    Admission,
    PeopleError,
    admit_waiting,
    invite_people,
    nameless,
    replace_password,
)
from campaigns.actions.links import renew_invitation, revoke_invitation
from campaigns.models import Invitation, Role
from campaigns.new_people import EMAIL_LIMIT, MOST_LANGUAGES, MOST_PEOPLE, NAME_LIMIT, Person
from frontend.access import RUNS_IT, get_annotator_of, get_campaign_for, get_invitation_in
from frontend.api.errors import InvalidPayload
from frontend.api.requests import idempotent, read
from frontend.api.views import ListView, ResourceView, listed, nothing_left, operation

TAG = "People"

LISTED = {"name": "Ana Duarte", "email": "ana@example.org", "languages": ["pt", "en"], "username": "ana"}


class InvitationSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    username = serializers.CharField(source="account.username")
    role = serializers.ChoiceField(choices=Role.values)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    accepted_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)


class IssuedSerializer(InvitationSerializer):
    link = serializers.CharField(allow_null=True, help_text="Shown now and never again; null in a repeated answer.")
    token = serializers.CharField(allow_null=True, help_text="Where one was asked for; shown once like the link.")


class AdmittedSerializer(serializers.Serializer[Any]):
    """An account with what lets its holder in, shown now and never again; null in a repeated answer."""

    username = serializers.CharField()
    name = serializers.CharField(allow_blank=True)
    id = serializers.IntegerField(allow_null=True, help_text="Of the invitation, where there is one.")
    expires_at = serializers.DateTimeField(allow_null=True)
    link = serializers.CharField(allow_null=True)
    password = serializers.CharField(allow_null=True, help_text="Where one was made; none that was given.")
    token = serializers.CharField(allow_null=True, help_text="Where one was asked for.")


class AdmittedListSerializer(serializers.Serializer[Any]):
    results = AdmittedSerializer(many=True)


class PersonSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(default="", allow_blank=True, max_length=NAME_LIMIT)
    email = serializers.CharField(default="", allow_blank=True, max_length=EMAIL_LIMIT)
    languages = serializers.ListField(
        child=serializers.CharField(max_length=35), default=list, max_length=MOST_LANGUAGES, help_text="BCP 47."
    )
    username = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=NAME_LIMIT,
        help_text="Made of the campaign's name where empty.",
    )
    password = serializers.CharField(
        default="", allow_blank=True, max_length=200, trim_whitespace=False, help_text="One of your own."
    )


class AccessSerializer(serializers.Serializer[Any]):
    access = serializers.ChoiceField(choices=[each.value for each in Access], default=Access.LINK.value)


class InvitationWishSerializer(AccessSerializer):
    """Either `count` people without names, or `people`."""

    count = serializers.IntegerField(min_value=1, max_value=MOST_PEOPLE, allow_null=True, default=None)
    people = serializers.ListField(child=PersonSerializer(), max_length=MOST_PEOPLE, default=list)
    role = serializers.ChoiceField(choices=Role.values, default=Role.ANNOTATOR)
    api_tokens = serializers.BooleanField(
        default=False, help_text="A token that judges for each annotator, a program for which you consent."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["api_tokens"] and attrs["role"] != Role.ANNOTATOR:
            raise serializers.ValidationError({"api_tokens": _("Tokens that judge are for annotators.")})
        if bool(attrs["people"]) == (attrs["count"] is not None):
            raise serializers.ValidationError({"count": _("Enter a number, or list the people.")})
        return attrs


@listed("invitations", "Invitations", Invitation, InvitationSerializer)
class InvitationsView(ListView):
    def rows(self, **place: Any) -> Any:
        return get_campaign_for(self.account, place["slug"], *RUNS_IT).invitations.select_related("account")

    @operation(
        "invite",
        "Create accounts with their links",
        {201: AdmittedListSerializer},
        request=InvitationWishSerializer,
        examples={
            "Three programs": {"count": 3, "api_tokens": True},
            "People by name": {"people": [LISTED], "access": "both"},
        },
    )
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        body = read(request, InvitationWishSerializer)
        role, access = Role(body["role"]), Access(body["access"])
        people = [Person(**person, line=line) for line, person in enumerate(body["people"], start=1)]
        try:
            admitted = invite_people(
                campaign=campaign,
                people=people or nameless(body["count"]),
                role=role,
                access=access,
                are_programs=body["api_tokens"],
                by=self.account,
            )
        except PeopleError as error:
            raise InvalidPayload(_by_place(error)) from error
        return Response({"results": [_shown(each) for each in admitted]}, status=status.HTTP_201_CREATED)


def _by_place(error: PeopleError) -> dict[str, list[str]]:
    messages: dict[str, list[str]] = {}
    for problem in error.problems:
        place = "people" if problem.line is None else f"people.{problem.line - 1}.{problem.column}".rstrip(".")
        messages.setdefault(place, []).append(problem.message)
    return messages


def _shown(admitted: Admission) -> dict[str, Any]:
    account = admitted.account
    invitation = admitted.issued.invitation if admitted.issued else None
    return {
        "username": account.username,
        "name": account.name,
        "id": invitation.pk if invitation else None,
        "expires_at": invitation.expires_at if invitation else None,
        "link": admitted.link or None,
        "password": admitted.password or None,
        "token": admitted.token or None,
    }


class AccessView(ResourceView):
    @operation(
        "admit",
        "Create links or passwords for annotators of a new campaign who have neither yet",
        {201: AdmittedListSerializer},
        request=AccessSerializer,
    )
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        access = Access(read(request, AccessSerializer)["access"])
        admitted = admit_waiting(campaign=campaign, access=access, by=self.account)
        return Response({"results": [_shown(each) for each in admitted]}, status=status.HTTP_201_CREATED)


class PasswordView(ResourceView):
    @operation(
        "replace_password",
        "A new password in place of a lost one, for an account that was made for this campaign alone",
        {201: AdmittedSerializer},
    )
    @idempotent
    def post(self, _request: Request, slug: str, username: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        account = get_annotator_of(campaign, username)
        made = replace_password(campaign=campaign, account=account, by=self.account)
        return Response(_shown(made), status=status.HTTP_201_CREATED)


class RenewInvitationView(ResourceView):
    @operation(
        "renew_invitation",
        "Replace a link that was lost: the old one ends, the account and its work stay",
        {201: IssuedSerializer},
    )
    @idempotent
    def post(self, _request: Request, slug: str, pk: int) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        issued = renew_invitation(invitation=get_invitation_in(campaign, pk), by=self.account)
        shown = {**InvitationSerializer(issued.invitation).data, "link": issued.link, "token": None}
        return Response(shown, status=status.HTTP_201_CREATED)


class InvitationView(ResourceView):
    @operation("revoke_invitation", "Revoke a link; what was judged stays", nothing_left("It is revoked."))
    def delete(self, _request: Request, slug: str, pk: int) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        revoke_invitation(invitation=get_invitation_in(campaign, pk), by=self.account)
        return Response(status=status.HTTP_204_NO_CONTENT)
