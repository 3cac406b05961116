"""A campaign's progress, its annotators' assignments, and the problems they reported."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from annotation.actions.returning import reassign_assignment, reset_assignment, return_assignment
from annotation.models import Assignment, AssignmentStatus, ProblemReport
from annotation.queries.task_list import takers_of
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign
from frontend.access import get_assignment_in
from frontend.api.requests import read
from frontend.api.segments import SegmentReportSerializer
from frontend.api.views import ListView, OrganiserView, listed, operation
from frontend.filters import AssignmentFilter, ReportedFilter
from metrics.progress.expectation import Outlook
from metrics.progress.overview import Concern, overview_of

TAG = "Work"


class LineSerializer(serializers.Serializer[Any]):
    username = serializers.CharField(source="person.username")
    name = serializers.CharField(source="person.name", allow_blank=True)
    is_excluded = serializers.BooleanField(source="person.is_excluded")
    assignments = serializers.IntegerField(source="share.assignments")
    done = serializers.IntegerField(source="share.done")
    total = serializers.IntegerField(source="share.total")
    judgments = serializers.IntegerField(source="judged")
    left = serializers.IntegerField(source="share.left", help_text="Items in hand.")
    late = serializers.IntegerField(source="share.late", help_text="Of reservations past their time.")
    seconds_median = serializers.FloatField(allow_null=True)
    last_judgment = serializers.DateTimeField(allow_null=True)
    days_left = serializers.FloatField(
        allow_null=True, help_text="Until the items in hand are judged, at their own pace of the last seven days."
    )
    is_behind = serializers.BooleanField(help_text="That is after the last day of the campaign.")
    concerns = serializers.ListField(child=serializers.ChoiceField(choices=list(Concern)))


class DaySerializer(serializers.Serializer[Any]):
    day = serializers.DateField()
    judgments = serializers.IntegerField(source="judged")
    sum = serializers.IntegerField(help_text="Since the first day.")


class EndSerializer(serializers.Serializer[Any]):
    """The end: dates if the outlook is `expected`, `on` if it is over."""

    outlook = serializers.ChoiceField(choices=list(Outlook))
    early = serializers.DateField(allow_null=True)
    middle = serializers.DateField(allow_null=True)
    late = serializers.DateField(allow_null=True)
    on = serializers.DateField(allow_null=True)


class ProgressSerializer(serializers.Serializer[Any]):
    done = serializers.IntegerField(source="state.done")
    total = serializers.IntegerField(source="state.total")
    assignments_done = serializers.IntegerField(source="state.assignments_done")
    assignments_planned = serializers.IntegerField(source="state.assignments_planned")
    problem_reports = serializers.IntegerField(source="state.problem_reports")
    seconds_median = serializers.FloatField(allow_null=True)
    per_day_pace = serializers.FloatField(allow_null=True)
    active_today = serializers.IntegerField()
    expectation = EndSerializer()
    days = DaySerializer(many=True, help_text="From the first judgment's on.")
    hours = serializers.ListField(
        child=serializers.IntegerField(), help_text="Judgments in each hour of the day, of the last seven days."
    )
    annotators = LineSerializer(source="lines", many=True)


class HeldSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    position = serializers.IntegerField()
    annotator = serializers.CharField(source="annotator.username", allow_null=True, default=None)
    status = serializers.ChoiceField(choices=AssignmentStatus.values)
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    claimed_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)
    returned_at = serializers.DateTimeField(allow_null=True)


class TakerSerializer(serializers.Serializer[Any]):
    to = serializers.CharField(
        allow_null=True, default=None, max_length=150, help_text="A username; null: whoever asks next."
    )


class ReportedSerializer(SegmentReportSerializer):
    document = serializers.CharField(source="item.document.name")
    segment = serializers.CharField(source="item.segment.name", allow_null=True, default=None)


class ProgressView(OrganiserView):
    @operation("progress", ProgressSerializer)
    def get(self, _request: Request, campaign: Campaign) -> Any:
        """Progress of a campaign and of each annotator, the most serious concerns first."""
        return overview_of(campaign)


@listed(
    "campaign_assignments",
    "All assignments of a campaign, with their annotators",
    Assignment,
    HeldSerializer,
    AssignmentFilter,
)
class HeldView(OrganiserView, ListView):
    def rows(self, campaign: Campaign) -> Any:
        return campaign.assignments.select_related("annotator")


class ReturnView(OrganiserView):
    @operation("return_assignment", {201: HeldSerializer}, request=TakerSerializer)
    def post(self, request: Request, campaign: Campaign, pk: int) -> Any:
        """Give the items not yet judged to somebody else; the answer is their assignment."""
        assignment = get_assignment_in(campaign, pk)
        to = read(request, TakerSerializer)["to"]
        if to is None:
            rest = return_assignment(assignment=assignment, by=self.account)
        else:
            rest = reassign_assignment(assignment=assignment, to=_taker(assignment, to), by=self.account)
        return rest


def _taker(assignment: Assignment, username: str) -> Account:
    taker = takers_of(assignment).filter(username=username).first() if "\x00" not in username else None
    if taker is None:
        message = _("Choose an annotator of this campaign who was not asked about the same items.")
        raise InvalidInput({"to": [message]})
    return taker


class ResetView(OrganiserView):
    @operation("reset_assignment", {201: HeldSerializer})
    def post(self, _request: Request, campaign: Campaign, pk: int) -> Any:
        """Have an assignment done again; its judgments stay as surplus."""
        assignment = get_assignment_in(campaign, pk)
        return reset_assignment(assignment=assignment, by=self.account)


@listed(
    "problem_reports",
    "Problems that annotators reported",
    ProblemReport,
    ReportedSerializer,
    ReportedFilter,
    is_newest_first=True,
)
class ReportedView(OrganiserView, ListView):
    def rows(self, campaign: Campaign) -> Any:
        own = ProblemReport.objects.filter(item__assignment__campaign=campaign)
        return own.select_related("annotator", "item__document", "item__segment")
