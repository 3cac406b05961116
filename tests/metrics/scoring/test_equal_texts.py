"""Texts that a model has scored are not scored again, whichever test set they are in."""

import json
from collections.abc import Callable
from pathlib import Path

from django.db import connection
from django.test.utils import CaptureQueriesContext

import pytest
from pytest_django import Settings

from campaigns.models import Reference, Segment, TestSet, Translation
from metrics.models import SegmentStatistic
from metrics.scoring import counters, score_test_set
from tests.metrics.neural.light_model_files import models_folder
from tests.metrics.scoring.neural_site import COMET, NeuralSite, add_segments, neural_site, site

__all__ = ["neural_site", "site"]

MARKING = "comet:marks"


@pytest.fixture
def twin(test_set: TestSet, make_test_set: Callable[..., TestSet]) -> TestSet:
    """Another test set of the same texts."""
    return make_test_set("The same again", slug="again")


def stored_of(test_set: TestSet, *metrics: str) -> list[tuple[object, ...]]:
    rows = SegmentStatistic.objects.filter(translation__system__test_set=test_set, metric__in=metrics)
    order = ("metric", "translation__system__name", "translation__segment__document", "translation__segment__position")
    return list(rows.order_by(*order).values_list("metric", "signature", "texts", "values", "marks"))


def test_another_test_set_gets_known_scores_and_marks_of_equal_texts(
    site: NeuralSite, test_set: TestSet, twin: TestSet
) -> None:
    site.has_model("marks", marks_spans=True)
    first = score_test_set(test_set, metrics=[COMET, MARKING], resamples=100)
    before = len(site.diary)
    again = score_test_set(twin, metrics=[COMET, MARKING], resamples=100)
    assert len(site.diary) == before
    assert (again.scores, again.comparisons) == (first.scores, first.comparisons)
    assert stored_of(twin, COMET, MARKING) == stored_of(test_set, COMET, MARKING)
    assert all(marks for *_others, marks in stored_of(twin, MARKING))


def test_what_differs_is_scored(site: NeuralSite, test_set: TestSet, twin: TestSet) -> None:
    score_test_set(test_set, metrics=[COMET], resamples=10)
    first, second, third = Segment.objects.filter(document__test_set=twin, document__name="orchard")
    Segment.objects.filter(pk=first.pk).update(source="Another source.")
    Reference.objects.filter(segment=second).update(text="Eine andere Referenz.")
    translation = third.translations.earliest("pk")
    Translation.objects.filter(pk=translation.pk).update(text="Eine andere Übersetzung.")
    before = len(site.scored)
    score_test_set(twin, metrics=[COMET], resamples=10)
    of_others = Translation.objects.filter(segment__in=[first, second]).values_list("text", flat=True)
    assert sorted(site.scored[before:]) == sorted([*map(str, of_others), "Eine andere Übersetzung."])


def test_finding_them_takes_as_many_statements_for_many_as_for_few(
    site: NeuralSite, test_set: TestSet, twin: TestSet
) -> None:
    statements = []
    for added in (0, 300):
        for each in (test_set, twin):
            add_segments(each, added)
        score_test_set(test_set, metrics=[COMET], resamples=10)
        SegmentStatistic.objects.filter(translation__system__test_set=twin).delete()
        before = len(site.scored)
        with CaptureQueriesContext(
            connection,
        ) as captured:
            score_test_set(twin, metrics=[COMET], resamples=10)
        assert len(site.scored) == before
        statements.append(len([each for each in captured if "segmentstatistic" in each["sql"]]))
    # what is known of it, what is known of equal texts, free keys, and storing that, which Django sees on SQLite alone
    of_each_system = 4 if connection.vendor == "sqlite" else 3
    assert statements == [3 * of_each_system] * 2


def test_they_are_found_by_an_index(site: NeuralSite, test_set: TestSet) -> None:
    rows = SegmentStatistic.objects.filter(texts__in=["a", "b"], metric=COMET)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET enable_seqscan = off")  # of a handful of rows all are read
    assert "statistic_of_texts" in rows.explain()


def test_the_light_model_does_not_score_them_again_either(
    test_set: TestSet, twin: TestSet, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MODELS_DIR = Path(models_folder())
    metrics = ["bertscore", "yisi_1"]  # the second learns from all references, which are the same
    first = score_test_set(test_set, metrics=metrics, resamples=10)
    monkeypatch.setattr(counters, "_start", lambda _threads: pytest.fail("a process was started"))
    assert score_test_set(twin, metrics=metrics, resamples=10).scores == first.scores
    assert stored_of(twin, *metrics) == stored_of(test_set, *metrics)


def test_counts_that_came_with_an_archive_are_believed_in_their_own_test_set_alone(
    site: NeuralSite, test_set: TestSet, twin: TestSet
) -> None:
    score_test_set(test_set, metrics=[COMET], resamples=10)
    rows = SegmentStatistic.objects.all()
    rows.update(counted_here=False, values=json.loads("[0, 99, 1]"))
    shown = score_test_set(test_set, metrics=[COMET], resamples=10)
    assert {one.score for one in shown.scores} == {99}
    before = len(site.scored)
    scored = score_test_set(twin, metrics=[COMET], resamples=10)
    assert len(site.scored) == before + 17
    assert all(isinstance(one.score, float) and one.score <= 1 for one in scored.scores)
