"""Who is part of a campaign, what they may do, and the end of it; annotators excluded from the results or forgotten."""

from typing import Any

from rest_framework import serializers, status
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
from campaigns.models import Membership, Role, Withdrawal
from frontend.access import (
    READS_RESULTS,
    RUNS_IT,
    get_account_in,
    get_annotator_of,
    get_annotator_to_forget,
    get_campaign_for,
    get_member_called,
    get_researcher_called,
)
from frontend.api.requests import idempotent, read
from frontend.api.runs import RunSerializer, queued_once
from frontend.api.views import ListView, ResourceView, listed, nothing_left, operation
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


@listed("members", "Who is part of a campaign", Membership, MemberSerializer)
class MembersView(ListView):
    filterset_class = MemberFilter

    def rows(self, **place: Any) -> Any:
        return get_campaign_for(self.account, place["slug"], *RUNS_IT).memberships.select_related(
            "account", "consented_by"
        )


class AdjudicatorView(ResourceView):
    @operation(
        "allow_to_adjudicate", "Allow a researcher to adjudicate", nothing_left("They may, as organisers always may.")
    )
    def put(self, _request: Request, slug: str, username: str) -> Response:
        return self._let(slug, username, may=True)

    @operation(
        "forbid_to_adjudicate", "No longer allow a researcher to adjudicate", nothing_left("What they decided stands.")
    )
    def delete(self, _request: Request, slug: str, username: str) -> Response:
        return self._let(slug, username, may=False)

    def _let(self, slug: str, username: str, *, may: bool) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        allow_to_adjudicate(membership=get_researcher_called(campaign, username), may=may, by=self.account)
        return Response(status=status.HTTP_204_NO_CONTENT)


class EndedSerializer(serializers.Serializer[Any]):
    """How many were ended."""

    sessions = serializers.IntegerField()
    tokens = serializers.IntegerField()


class MemberView(ResourceView):
    @operation(
        "remove_member",
        "Remove somebody from a role in the campaign, with the links into it and all that came of them",
        nothing_left("What was judged stays, and so does the record of consent."),
        parameters=[OpenApiParameter("role", OpenApiTypes.STR, OpenApiParameter.PATH, enum=Role.values)],
    )
    def delete(self, _request: Request, slug: str, username: str, role: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        remove_from_campaign(membership=get_member_called(campaign, username, role), by=self.account)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SignOutView(ResourceView):
    @operation(
        "sign_out_everywhere",
        "End every session and every token of an account whose campaigns are all yours",
        EndedSerializer,
    )
    @idempotent
    def post(self, _request: Request, slug: str, username: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        ended = sign_out_everywhere(account=get_account_in(campaign, username), by=self.account, campaign=campaign)
        return Response(EndedSerializer(ended).data)


class CloseAccountView(ResourceView):
    @operation(
        "close_account",
        "Close an account whose campaigns are all yours; what was judged stays",
        nothing_left("Nothing opens it any more."),
    )
    @idempotent
    def post(self, _request: Request, slug: str, username: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        retire_account(account=get_account_in(campaign, username), by=self.account, campaign=campaign)
        return Response(status=status.HTTP_204_NO_CONTENT)


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
class ExclusionsView(ListView):
    def rows(self, **place: Any) -> Any:
        campaign = get_campaign_for(self.account, place["slug"], *READS_RESULTS)
        return campaign.exclusions.select_related("annotator", "decided_by")


class ExclusionView(ResourceView):
    @operation(
        "exclude",
        "Exclude an annotator from later results",
        ExclusionSerializer,
        request=ReasonSerializer,
        examples={"A reason": {"reason": "Fails control items (p = 0.41)."}},
    )
    def put(self, request: Request, slug: str, username: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        annotator = get_annotator_of(campaign, username)
        reason = read(request, ReasonSerializer)["reason"]
        standing = exclusion_of(campaign, annotator)
        if standing is None or standing.reason != reason:
            standing = exclude_annotator(campaign=campaign, annotator=annotator, reason=reason, by=self.account)
        return Response(ExclusionSerializer(standing).data)

    @operation("readmit", "Include an annotator again", nothing_left("From the next results on."))
    def delete(self, _request: Request, slug: str, username: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        readmit_annotator(campaign=campaign, annotator=get_annotator_of(campaign, username), by=self.account)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ExclusionTrialView(ResourceView):
    @operation(
        "try_exclusion",
        "Compute what excluding an annotator would change, or including one again",
        {202: RunSerializer, 200: RunSerializer},
        request=TrialSerializer,
        description="Nothing is decided by it. Once the run is done, its table `exclusion` has each system before and "
        "after, and its finding says in sentences what changes.",
        examples={"As the protocol is analysed": {}},
    )
    @idempotent
    def post(self, request: Request, slug: str, username: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
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
    numbers = serializers.SerializerMethodField(help_text="Accounts under which answers are kept.")
    has_no_account = serializers.BooleanField(
        help_text="It was made for a campaign of mine, was part of no other, and is gone, too."
    )

    def get_campaigns(self, forgotten: Any) -> list[str]:
        return [campaign.slug for campaign in forgotten.campaigns]

    def get_numbers(self, forgotten: Any) -> list[str]:
        return [number.username for number in forgotten.numbers]


class ForgettingView(ResourceView):
    @operation(
        "forget_person",
        "Forget an annotator: erase the answers, or keep them under a number",
        ForgottenSerializer,
        request=ForgettingSerializer,
        examples={"Somebody asked to be erased": {"how": "erased", "everywhere": True}},
    )
    @idempotent
    def post(self, request: Request, slug: str, username: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        annotator = get_annotator_to_forget(campaign, username)
        body = read(request, ForgettingSerializer)
        campaigns = None if body["everywhere"] else [campaign]
        done = forget_person(account=annotator, how=body["how"], by=self.account, campaigns=campaigns)
        return Response(ForgottenSerializer(done).data)
