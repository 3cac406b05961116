"""What long lists can be narrowed to, on pages and in the API."""

from django.db.models import Exists, OuterRef, Q, QuerySet

import django_filters

from annotation.models import (
    PROBLEM_REASONS,
    Assignment,
    AssignmentStatus,
    Credit,
    ItemKind,
    Judgment,
    ProblemReport,
    Slot,
)
from campaigns.models import Campaign, CampaignStatus, Membership, Role, Segment, TestSet
from jobs.models import Run, RunStatus
from metrics.models import SegmentScore


class CampaignFilter(django_filters.FilterSet):
    """Find by name or language; narrow to a state."""

    find = django_filters.CharFilter(method="by_words")
    status = django_filters.ChoiceFilter(choices=CampaignStatus.choices)

    class Meta:
        model = Campaign
        fields = ["find", "status"]

    def by_words(self, campaigns: QuerySet[Campaign], name: str, value: str) -> QuerySet[Campaign]:  # noqa: ARG002
        for word in value.split():
            campaigns = (
                campaigns.filter(name__icontains=word)
                | campaigns.filter(test_set__source_language__icontains=word)
                | campaigns.filter(test_set__target_language__icontains=word)
            )
        return campaigns


class HeldFilter(django_filters.FilterSet):
    annotator = django_filters.CharFilter(field_name="annotator__username")
    status = django_filters.ChoiceFilter(choices=AssignmentStatus.choices)

    class Meta:
        model = Assignment
        fields = ["annotator", "status"]


class JudgmentFilter(django_filters.FilterSet):
    annotator = django_filters.CharFilter(field_name="annotator__username")
    document = django_filters.CharFilter(field_name="item__document__name")
    segment = django_filters.CharFilter(field_name="item__segment__name")
    system = django_filters.CharFilter(method="of_system")
    kind = django_filters.ChoiceFilter(field_name="item__kind", choices=ItemKind.choices)
    current = django_filters.BooleanFilter(field_name="is_current")
    since = django_filters.IsoDateTimeFilter(field_name="submitted_at", lookup_expr="gte")
    until = django_filters.IsoDateTimeFilter(field_name="submitted_at", lookup_expr="lt")

    class Meta:
        model = Judgment
        fields = ["annotator", "document", "segment", "system", "kind", "current", "since", "until"]

    def of_system(self, judgments: QuerySet[Judgment], name: str, value: str) -> QuerySet[Judgment]:  # noqa: ARG002
        """Its own output, or one it shares."""
        credited = Credit.objects.filter(slot=OuterRef("pk"), system__name=value)
        slots = Slot.objects.filter(Q(system__name=value) | Exists(credited), item=OuterRef("item"))
        return judgments.filter(Exists(slots))


class MemberFilter(django_filters.FilterSet):
    role = django_filters.ChoiceFilter(choices=Role.choices)

    class Meta:
        model = Membership
        fields = ["role"]


class ReportedFilter(django_filters.FilterSet):
    reason = django_filters.ChoiceFilter(choices=list(PROBLEM_REASONS.items()))

    class Meta:
        model = ProblemReport
        fields = ["reason"]


class RunFilter(django_filters.FilterSet):
    status = django_filters.ChoiceFilter(choices=RunStatus.choices)

    class Meta:
        model = Run
        fields = ["kind", "status"]


class SegmentFilter(django_filters.FilterSet):
    document = django_filters.CharFilter(field_name="document__name")

    class Meta:
        model = Segment
        fields = ["document"]


class SegmentScoreFilter(django_filters.FilterSet):
    metric = django_filters.CharFilter(field_name="scores__metric")
    system = django_filters.CharFilter(field_name="translation__system__name")
    document = django_filters.CharFilter(field_name="translation__segment__document__name")

    class Meta:
        model = SegmentScore
        fields = ["metric", "system", "document"]


class TestSetFilter(django_filters.FilterSet):
    __test__ = False

    source_language = django_filters.CharFilter()
    target_language = django_filters.CharFilter()
    find = django_filters.CharFilter(field_name="name", lookup_expr="icontains")

    class Meta:
        model = TestSet
        fields = ["source_language", "target_language", "find"]
