"""Scores of a metric that nobody counted, stored as an import stores them."""

from collections.abc import Mapping, Sequence

from campaigns.models import TestSet, Translation
from metrics.models import ImportedScores, ScoreLevel, SegmentScore


def store_metric(test_set: TestSet, scores: Mapping[str, Sequence[float | None]], name: str = "Sage") -> None:
    """For each system a score of each segment, in the order of the test set; None where it has none."""
    rows = Translation.objects.filter(system__test_set=test_set)
    rows = rows.order_by("segment__document__position", "segment__position")
    imported = ImportedScores.objects.create(
        test_set=test_set, metric=name, level=ScoreLevel.SEGMENT, higher_is_better=True, is_whole=True
    )
    for system, values in scores.items():
        own = rows.filter(system__name=system)
        SegmentScore.objects.bulk_create(
            SegmentScore(scores=imported, translation=translation, value=value)
            for translation, value in zip(own, values, strict=True)
            if value is not None
        )
