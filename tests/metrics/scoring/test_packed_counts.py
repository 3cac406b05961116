"""Counts of a system in one row: what is read is what was counted, of the texts that are there now."""

import numpy as np
import pytest

from campaigns.models import Segment, TestSet, Translation
from metrics.automatic import METRICS
from metrics.automatic.base import FloatArray
from metrics.models import SegmentStatistic, SystemCounts
from metrics.scoring import score_test_set
from metrics.scoring.counting import known_counts
from metrics.scoring.packed_counts import packed_array, unpacked_array
from metrics.scoring.texts import TextsOfMetrics
from tests.metrics.scoring.stored_counts import how_many_counted

RNG = np.random.default_rng(5)


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        (np.empty((0, 3)), "<u1"),
        (np.array([[0.0, 255.0, 1.0]]), "<u1"),
        (np.array([[0.0, 256.0, 1.0], [2.0, 65535.0, 3.0]]), "<u2"),
        (np.array([[65536.0, 2.0**32 - 1, 1.0]]), "<u4"),
        (np.array([[2.0**32, 1.0, 2.0**60]]), "<f8"),
        (np.array([[-1.0, 2.0, 3.0]]), "<f8"),
        (np.array([[-0.0, 2.0, 3.0]]), "<f8"),
        (np.array([[np.inf, 0.1, np.nan]]), "<f8"),
        (RNG.random((40, 3)), "<f8"),
        (RNG.integers(0, 90, (40, 3)).astype(np.float64), "<u1"),
    ],
)
def test_numbers_are_packed_without_a_loss(rows: FloatArray, kind: str) -> None:
    packed = packed_array(rows)
    assert packed.partition(":")[0] == kind
    assert unpacked_array(packed, 3).tobytes() == rows.tobytes()


def known(test_set: TestSet, name: str) -> list[FloatArray]:
    metric = METRICS[name].for_language(test_set.target_language)
    return known_counts(metric, TextsOfMetrics(test_set, ["A"]).of(metric))


def rows_of_older_versions(test_set: TestSet, name: str) -> None:
    """As versions before the packed rows stored them: one a translation."""
    metric = METRICS[name].for_language(test_set.target_language)
    for system in TextsOfMetrics(test_set, ["A"]).of(metric):
        for at, translation in enumerate(system.translations):
            counts = metric.segment_statistics(system.hypotheses[at], system.references[at])
            SegmentStatistic.objects.create(
                translation_id=translation,
                metric=name,
                signature=metric.signature(1),
                texts=system.hashes_for(metric)[at],
                values=list(counts),
                counted_here=True,
            )


@pytest.mark.django_db
class TestStored:
    def test_a_metric_has_a_row_a_system(self, test_set: TestSet) -> None:
        score_test_set(test_set, metrics=["bleu", "yisi_0"], resamples=10)
        assert SystemCounts.objects.count() == 6
        assert how_many_counted() == 36
        assert not SegmentStatistic.objects.exists()

    @pytest.mark.parametrize(
        "damage",
        [
            {"counts": "<u1:not base 64"},
            {"counts": "<u1:AAAA"},
            {"counts": "<O8:AAAA"},
            {"counts": ""},
            {"counts": packed_array(np.ones((6, 3)))},
            {"counts": packed_array(np.ones((5, 10))), "whole": ""},
            {"texts": "", "whole": ""},
            {"texts": "ä", "whole": ""},
        ],
    )
    def test_what_cannot_be_read_is_counted_again(self, test_set: TestSet, damage: dict[str, str]) -> None:
        before = score_test_set(test_set, metrics=["bleu"], resamples=10)
        SystemCounts.objects.update(**damage)
        assert all(np.isnan(rows).all() for rows in known(test_set, "bleu"))
        assert score_test_set(test_set, metrics=["bleu"], resamples=10) == before
        assert not any(np.isnan(rows).any() for rows in known(test_set, "bleu"))

    def test_texts_in_another_order_have_their_own_counts(self, test_set: TestSet) -> None:
        score_test_set(test_set, metrics=["chrf"], resamples=10)
        before = known(test_set, "chrf")
        for segment in Segment.objects.filter(document__test_set=test_set):
            Segment.objects.filter(pk=segment.pk).update(position=100 - segment.position)
        for rows, reversed_rows in zip(before, known(test_set, "chrf"), strict=True):
            assert reversed_rows.tolist() == [*rows[:3][::-1].tolist(), *rows[3:][::-1].tolist()]

    def test_a_changed_text_is_not_known_and_the_others_are(self, test_set: TestSet) -> None:
        score_test_set(test_set, metrics=["ter", "yisi_0"], resamples=10)
        changed = Translation.objects.filter(system__test_set=test_set).order_by("pk")[0]
        Translation.objects.filter(pk=changed.pk).update(text="Neu.")
        for name in ("ter", "yisi_0"):  # what the second learns from is the same
            assert sum(int(np.isnan(rows[:, 0]).sum()) for rows in known(test_set, name)) == 1

    def test_rows_of_older_versions_are_read_and_packed_by_the_next_run(
        self, test_set: TestSet, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        expected = score_test_set(test_set, metrics=["wer"], resamples=10)
        counts = known(test_set, "wer")
        SystemCounts.objects.all().delete()
        rows_of_older_versions(test_set, "wer")
        assert [rows.tolist() for rows in known(test_set, "wer")] == [rows.tolist() for rows in counts]
        assert not SystemCounts.objects.exists(), "a page only reads"
        monkeypatch.setattr(METRICS["wer"], "segment_statistics", None)
        assert score_test_set(test_set, metrics=["wer"], resamples=10) == expected
        assert how_many_counted() == 18
        assert not SegmentStatistic.objects.exists()
