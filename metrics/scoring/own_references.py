"""Which systems are what a metric compares with, by name or word for word; and whether there are scores at all."""

from collections.abc import Collection

from django.db.models import Count, F, Q

from campaigns.models import Reference, TestSet, Translation
from campaigns.queries import systems_of
from metrics.models import ImportedScores, SegmentStatistic
from metrics.scoring.texts import is_itself


def has_scores(test_set: TestSet) -> bool:
    """Whether any metric has scored the test set, here or elsewhere."""
    return (
        ImportedScores.objects.filter(test_set=test_set, is_whole=True).exists()
        or SegmentStatistic.objects.filter(translation__system__test_set=test_set).exists()
    )


def systems_that_are_references(test_set: TestSet, names: Collection[str]) -> frozenset[str]:
    """Systems that stand among these references: under the same name, or with the same text in every segment."""
    systems = systems_of(test_set).values_list("name", flat=True)
    by_name = {system for system in systems if any(is_itself(system, name) for name in names)}
    referenced = Reference.objects.filter(segment__document__test_set=test_set, name__in=names)
    beside = Translation.objects.filter(system__test_set=test_set, segment__references__in=referenced)
    same = Count("segment", filter=Q(text=F("segment__references__text")), distinct=True)
    counts = beside.values("system__name").annotate(all=Count("segment", distinct=True), same=same)
    return frozenset(by_name | {row["system__name"] for row in counts if row["same"] == row["all"]})
