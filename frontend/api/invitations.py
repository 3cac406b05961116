"""Links and passwords for people: made, shown once, replaced, revoked."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.actions.enrolment import Access, PeopleError, admit_waiting, invite_people, nameless, replace_password
from campaigns.actions.links import renew_invitation, revoke_invitation
from campaigns.models import Campaign, Invitation, Role
from campaigns.new_people import EMAIL_LIMIT, MOST_LANGUAGES, MOST_PEOPLE, NAME_LIMIT, Person
from frontend.access import get_annotator_of, get_invitation_in
from frontend.api.errors import InvalidPayload
from frontend.api.requests import read
from frontend.api.views import ListView, OrganiserView, listed, nothing_left, operation

TAG = "People"


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
    token = serializers.CharField(allow_null=True, help_text="If requested; shown once like the link.")


class SecretField(serializers.CharField):
    def to_representation(self, value: str) -> Any:
        return value or None


class AdmittedSerializer(serializers.Serializer[Any]):
    """An account with what lets its holder in, shown now and never again; null in a repeated answer."""

    username = serializers.CharField(source="account.username")
    name = serializers.CharField(source="account.name", allow_blank=True)
    id = serializers.IntegerField(
        source="issued.invitation.pk", allow_null=True, help_text="Of the invitation, if there is one."
    )
    expires_at = serializers.DateTimeField(source="issued.invitation.expires_at", allow_null=True)
    link = SecretField(allow_null=True)
    password = SecretField(allow_null=True, help_text="If one was made; not one that you chose.")
    token = SecretField(allow_null=True, help_text="If requested.")


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
        help_text="By default made from the campaign's name.",
    )
    password = serializers.CharField(
        default="", allow_blank=True, max_length=200, trim_whitespace=False, help_text="One of your own."
    )


class AccessSerializer(serializers.Serializer[Any]):
    access = serializers.ChoiceField(choices=[each.value for each in Access], default=Access.LINK.value)


class InvitationRequestSerializer(AccessSerializer):
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
class InvitationsView(OrganiserView, ListView):
    def rows(self, campaign: Campaign) -> Any:
        return campaign.invitations.select_related("account")

    @operation("invite", {201: AdmittedListSerializer}, request=InvitationRequestSerializer)
    def post(self, request: Request, campaign: Campaign) -> Any:
        """Create accounts with their links."""
        body = read(request, InvitationRequestSerializer)
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
        return {"results": admitted}


def _by_place(error: PeopleError) -> dict[str, list[str]]:
    messages: dict[str, list[str]] = {}
    for problem in error.problems:
        place = "people" if problem.line is None else f"people.{problem.line - 1}.{problem.column}".rstrip(".")
        messages.setdefault(place, []).append(problem.message)
    return messages


class AccessView(OrganiserView):
    @operation("admit", {201: AdmittedListSerializer}, request=AccessSerializer)
    def post(self, request: Request, campaign: Campaign) -> Any:
        """Create links or passwords for annotators of a new campaign who have neither yet."""
        access = Access(read(request, AccessSerializer)["access"])
        return {"results": admit_waiting(campaign=campaign, access=access, by=self.account)}


class PasswordView(OrganiserView):
    @operation("replace_password", {201: AdmittedSerializer})
    def post(self, _request: Request, campaign: Campaign, username: str) -> Any:
        """A new password in place of a lost one, for an account that was made for this campaign alone."""
        account = get_annotator_of(campaign, username)
        return replace_password(campaign=campaign, account=account, by=self.account)


class RenewInvitationView(OrganiserView):
    @operation("renew_invitation", {201: IssuedSerializer})
    def post(self, _request: Request, campaign: Campaign, pk: int) -> Response:
        """Replace a link that was lost: the old one ends, the account and its work stay."""
        issued = renew_invitation(invitation=get_invitation_in(campaign, pk), by=self.account)
        shown = {**InvitationSerializer(issued.invitation).data, "link": issued.link, "token": None}
        return Response(shown, status=status.HTTP_201_CREATED)


class InvitationView(OrganiserView):
    @operation("revoke_invitation", nothing_left("It is revoked."))
    def delete(self, _request: Request, campaign: Campaign, pk: int) -> None:
        """Revoke a link; judgments stay."""
        revoke_invitation(invitation=get_invitation_in(campaign, pk), by=self.account)
