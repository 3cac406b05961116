"""A campaign's members: their roles, and how access ends; annotators excluded from the results or forgotten."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from annotation.actions.decisions import LONGEST_REASON, exclude_annotator, readmit_annotator
from annotation.actions.returning import remove_from_campaign, retire_account
from annotation.models import Exclusion
from annotation.queries.annotator_work import exclusion_of
from campaigns.actions.endings import sign_out_everywhere
from campaigns.actions.memberships import allow_to_adjudicate
from campaigns.models import Campaign, Membership, Role, Withdrawal
from frontend.access import (
    get_account_in,
    get_annotator_of,
    get_member_called,
    get_researcher_called,
)
from frontend.api.requests import read
from frontend.api.runs import RunSerializer, queued_once
from frontend.api.views import ListView, OrganiserView, ReaderView, listed, nothing_left, operation
from frontend.filters import MemberFilter
from metrics.actions.forgetting import forget_person
from metrics.analysis_runs import USUAL, trial_arguments
from metrics.recipes import recipe_for

TAG = "People"


class MemberSerializer(serializers.Serializer[Any]):
    username = serializers.CharField(source="account.username")
    name = serializers.CharField(source="account.name", allow_blank=True)
    email = serializers.CharField(source="account.email", allow_blank=True)
    languages = serializers.ListField(child=serializers.CharField(), source="account.languages")
    role = serializers.ChoiceField(choices=Role.values)
    consented_at = serializers.DateTimeField(allow_null=True)
    may_adjudicate = serializers.BooleanField(help_text="Of a researcher; organisers always may.")
    qualified_at = serializers.DateTimeField(allow_null=True, help_text="When practice was passed.")
    is_program = serializers.BooleanField(help_text="An organiser handed out its token, and consented in its place.")
    consented_by = serializers.CharField(
        source="consented_by.username", allow_null=True, default=None, help_text="Of a program: that organiser."
    )


@listed("members", "Who is part of a campaign", Membership, MemberSerializer, MemberFilter)
class MembersView(OrganiserView, ListView):
    def rows(self, campaign: Campaign) -> Any:
        return campaign.memberships.select_related("account", "consented_by")


class AdjudicatorView(OrganiserView):
    @operation("allow_to_adjudicate", nothing_left("They may, as organisers always may."))
    def put(self, _request: Request, campaign: Campaign, username: str) -> None:
        """Allow a researcher to adjudicate."""
        allow_to_adjudicate(membership=get_researcher_called(campaign, username), may=True, by=self.account)

    @operation("forbid_to_adjudicate", nothing_left("Their decisions still count."))
    def delete(self, _request: Request, campaign: Campaign, username: str) -> None:
        """No longer allow a researcher to adjudicate."""
        allow_to_adjudicate(membership=get_researcher_called(campaign, username), may=False, by=self.account)


class EndedSerializer(serializers.Serializer[Any]):
    """How many were ended."""

    sessions = serializers.IntegerField()
    tokens = serializers.IntegerField()


class MemberView(OrganiserView):
    @operation(
        "remove_member",
        nothing_left("What was judged stays, and so does the record of consent."),
        parameters=[OpenApiParameter("role", OpenApiTypes.STR, OpenApiParameter.PATH, enum=Role.values)],
    )
    def delete(self, _request: Request, campaign: Campaign, username: str, role: str) -> None:
        """Remove somebody from a role in the campaign, with their links into it and everything made with these."""
        remove_from_campaign(membership=get_member_called(campaign, username, role), by=self.account)


class SignOutView(OrganiserView):
    @operation("sign_out_everywhere", EndedSerializer)
    def post(self, _request: Request, campaign: Campaign, username: str) -> Any:
        """End every session and every token of an account whose campaigns are all yours."""
        return sign_out_everywhere(account=get_account_in(campaign, username), by=self.account, campaign=campaign)


class CloseAccountView(OrganiserView):
    @operation("close_account", nothing_left("Nothing opens it any more."))
    def post(self, _request: Request, campaign: Campaign, username: str) -> None:
        """Close an account whose campaigns are all yours; judgments stay."""
        retire_account(account=get_account_in(campaign, username), by=self.account, campaign=campaign)


class ReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=LONGEST_REASON)


class ExclusionSerializer(serializers.Serializer[Any]):
    annotator = serializers.CharField(source="annotator.username")
    reason = serializers.CharField()
    decided_by = serializers.CharField(source="decided_by.username", allow_null=True, default=None)
    decided_at = serializers.DateTimeField()
    lifted_at = serializers.DateTimeField(allow_null=True)


class TrialSerializer(serializers.Serializer[Any]):
    recipe = serializers.CharField(allow_null=True, default=None, max_length=40)
    options = serializers.DictField(default=dict)


@listed("exclusions", "Annotators excluded from the results, now or before", Exclusion, ExclusionSerializer)
class ExclusionsView(ReaderView, ListView):
    def rows(self, campaign: Campaign) -> Any:
        return campaign.exclusions.select_related("annotator", "decided_by")


class ExclusionView(OrganiserView):
    @operation("exclude", ExclusionSerializer, request=ReasonSerializer)
    def put(self, request: Request, campaign: Campaign, username: str) -> Any:
        """Exclude an annotator from later results."""
        annotator = get_annotator_of(campaign, username)
        reason = read(request, ReasonSerializer)["reason"]
        exclusion = exclusion_of(campaign, annotator)
        if exclusion is None or exclusion.reason != reason:
            exclusion = exclude_annotator(campaign=campaign, annotator=annotator, reason=reason, by=self.account)
        return exclusion

    @operation("readmit", nothing_left("From the next results on."))
    def delete(self, _request: Request, campaign: Campaign, username: str) -> None:
        """Include an annotator again."""
        readmit_annotator(campaign=campaign, annotator=get_annotator_of(campaign, username), by=self.account)


class ExclusionTrialView(OrganiserView):
    @operation("try_exclusion", {202: RunSerializer, 200: RunSerializer}, request=TrialSerializer)
    def post(self, request: Request, campaign: Campaign, username: str) -> Response:
        """Compute what excluding an annotator would change, or including one again.

        Nothing is decided by it. Once the run is done, its table `exclusion` has each system before and after, and
        its finding says in sentences what changes.
        """
        annotator = get_annotator_of(campaign, username)
        body = read(request, TrialSerializer)
        recipe_for(campaign.protocol, body["recipe"], body["options"])
        arguments = trial_arguments(campaign, annotator, {**USUAL, **body})
        return queued_once(request, kind="analysis", campaign=campaign, arguments=arguments, by=self.account)


class ForgettingSerializer(serializers.Serializer[Any]):
    how = serializers.ChoiceField(choices=Withdrawal.values)
    everywhere = serializers.BooleanField(
        default=False, help_text="In all campaigns I organise; else in the one of the address."
    )


class ForgottenSerializer(serializers.Serializer[Any]):
    campaigns = serializers.SerializerMethodField()
    numbers = serializers.SerializerMethodField(help_text="Account numbers under which answers are stored.")
    has_no_account = serializers.BooleanField(
        help_text="It was made for my campaign and in no other, and is deleted as well."
    )

    def get_campaigns(self, forgotten: Any) -> list[str]:
        return [campaign.slug for campaign in forgotten.campaigns]

    def get_numbers(self, forgotten: Any) -> list[str]:
        return [number.username for number in forgotten.numbers]


class ForgettingView(OrganiserView):
    @operation("forget_person", ForgottenSerializer, request=ForgettingSerializer)
    def post(self, request: Request, campaign: Campaign, username: str) -> Any:
        """Forget an annotator: erase the answers, or keep them under a number."""
        annotator = get_annotator_of(campaign, username, to_forget=True)
        body = read(request, ForgettingSerializer)
        campaigns = None if body["everywhere"] else [campaign]
        return forget_person(account=annotator, how=body["how"], by=self.account, campaigns=campaigns)
