"""Filters of long lists, on pages and in the API."""

from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef, Q, QuerySet

import django_filters
from django_filters.fields import IsoDateTimeField

from annotation.models import PROBLEM_REASONS, AssignmentStatus, Credit, ItemKind, Judgment, Slot
from campaigns.models import Campaign, CampaignStatus, Role
from jobs.models import RunStatus


class CampaignFilter(django_filters.FilterSet):
    """Find by name or language; narrow to a state or a project."""

    find = django_filters.CharFilter(method="by_words")
    status = django_filters.ChoiceFilter(choices=CampaignStatus.choices)
    project = django_filters.CharFilter()

    def by_words(self, campaigns: QuerySet[Campaign], name: str, value: str) -> QuerySet[Campaign]:  # noqa: ARG002
        for word in value.split():
            in_source, in_target = (
                Q(**{f"test_set__{side}_language__icontains": word}) for side in ("source", "target")
            )
            campaigns = campaigns.filter(Q(name__icontains=word) | in_source | in_target)
        return campaigns


class AssignmentFilter(django_filters.FilterSet):
    annotator = django_filters.CharFilter(field_name="annotator__username")
    status = django_filters.ChoiceFilter(choices=AssignmentStatus.choices)


class UtcField(IsoDateTimeField):
    """PostgreSQL refuses offsets of sixteen hours and more."""

    def to_python(self, value: Any) -> datetime | None:
        try:
            moment: datetime | None = super().to_python(value)
            return moment and moment.astimezone(UTC)
        except OverflowError as error:  # in the first or last hours of all years
            raise ValidationError(self.error_messages["invalid"], code="invalid") from error


class UtcFilter(django_filters.IsoDateTimeFilter):
    field_class = UtcField


class JudgmentFilter(django_filters.FilterSet):
    annotator = django_filters.CharFilter(field_name="annotator__username")
    document = django_filters.CharFilter(field_name="item__document__name")
    segment = django_filters.CharFilter(field_name="item__segment__name")
    system = django_filters.CharFilter(method="of_system")
    kind = django_filters.ChoiceFilter(method="of_kind", choices=ItemKind.choices)
    current = django_filters.BooleanFilter(field_name="is_current")
    since = UtcFilter(field_name="submitted_at", lookup_expr="gte")
    until = UtcFilter(field_name="submitted_at", lookup_expr="lt")

    def of_system(self, judgments: QuerySet[Judgment], name: str, value: str) -> QuerySet[Judgment]:  # noqa: ARG002
        """Its own output, or one it shares."""
        credited = Credit.objects.filter(slot=OuterRef("pk"), system__name=value)
        slots = Slot.objects.filter(Q(system__name=value) | Exists(credited), item=OuterRef("item"))
        return judgments.filter(Exists(slots))

    def of_kind(self, judgments: QuerySet[Judgment], name: str, value: str) -> QuerySet[Judgment]:  # noqa: ARG002
        """Rare kinds have an index; SQLite uses it only if its condition is said."""
        is_rare = value != ItemKind.REGULAR
        said = judgments.filter(~Q(item__kind=ItemKind.REGULAR)) if is_rare else judgments
        return said.filter(item__kind=value)


class MemberFilter(django_filters.FilterSet):
    role = django_filters.ChoiceFilter(choices=Role.choices)


class ReportedFilter(django_filters.FilterSet):
    reason = django_filters.ChoiceFilter(choices=list(PROBLEM_REASONS.items()))


class RunFilter(django_filters.FilterSet):
    kind = django_filters.CharFilter()
    status = django_filters.ChoiceFilter(choices=RunStatus.choices)


class SegmentFilter(django_filters.FilterSet):
    document = django_filters.CharFilter(field_name="document__name")


class GuidanceFilter(django_filters.FilterSet):
    document = django_filters.CharFilter(field_name="document__name")
    domain = django_filters.CharFilter()


class SegmentScoreFilter(django_filters.FilterSet):
    metric = django_filters.CharFilter(field_name="scores__metric")
    system = django_filters.CharFilter(field_name="translation__system__name")
    document = django_filters.CharFilter(field_name="translation__segment__document__name")


class TestSetFilter(django_filters.FilterSet):
    __test__ = False

    source_language = django_filters.CharFilter()
    target_language = django_filters.CharFilter()
    find = django_filters.CharFilter(field_name="name", lookup_expr="icontains")
