import math
from typing import Any

from django.db import connection

import numpy as np
import pytest

from annotation.actions.decisions import exclude_annotator
from campaigns.models import Campaign, TestSet, Translation
from jobs.models import Run
from metrics.models import Disagreement, ImportedScores, SegmentScore
from metrics.segments.disagreement import metric_gap, orders
from metrics.segments.judged import preference_spreads
from tests.cast import Cast
from tests.metrics.marked_errors import GRAVE, SMALL, make_mqm, mark
from tests.metrics.segments.differing import find_disagreement, make_differing
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.sample_questions import RIGHT_CHOICE, WRONG_CHOICE, answers, ask_questions
from tests.sample_test_set import HUMAN, WOMBAT


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_differing(test_set, cast, {("harbour:3", WOMBAT): (20, 67), ("orchard:1", HUMAN): (90, 60)})


def rows_of(run: Run, **which: Any) -> list[tuple[str, str | None, float | None]]:
    rows = Disagreement.objects.filter(run=run, **which).order_by("by_spread").select_related("system")
    return [
        (f"{row.segment.document.name}:{row.segment.name}", row.system.name if row.system else None, row.spread)
        for row in rows
    ]


def test_a_segments_spread_is_that_of_the_output_judged_most_differently(campaign: Campaign) -> None:
    run = find_disagreement(campaign)
    assert rows_of(run, system=None)[:3] == [("harbour:3", None, 47), ("orchard:1", None, 30), ("harbour:1", None, 0)]
    outputs = rows_of(run, system__isnull=False)
    assert outputs[:2] == [("harbour:3", WOMBAT, 47), ("orchard:1", HUMAN, 30)]
    assert len(outputs) == 18
    assert run.result is not None
    assert (run.result["measure"], run.result["segments"], run.result["outputs"]) == ("score", 6, 18)


def test_an_output_shared_by_systems_is_judged_for_each(campaign: Campaign) -> None:
    shared = Disagreement.objects.filter(run=find_disagreement(campaign), segment__name="2", system__isnull=False)
    assert {row.judgments for row in shared} == {2}


def test_who_is_left_out_differs_from_nobody(campaign: Campaign, cast: Cast) -> None:
    exclude_annotator(campaign=campaign, annotator=cast.annotator, reason="Never read.", by=cast.organiser)
    run = find_disagreement(campaign)
    assert {spread for _segment, _system, spread in rows_of(run)} == {None}
    assert "|excluded:1|" in run.signature


def test_of_marked_errors_it_is_the_penalty_that_differs(test_set: TestSet, cast: Cast) -> None:
    campaign = make_mqm(test_set, cast, redundancy=2)
    for annotator, errors in zip(cast.annotators, ((GRAVE,), (SMALL,)), strict=True):
        for item in items_to_judge(take(campaign, annotator)):
            mark(item, *errors)
    run = find_disagreement(campaign)
    assert {spread for _segment, _system, spread in rows_of(run)} == {4}  # 5 points against 1
    assert run.result is not None
    assert run.result["measure"] == "penalty"


def test_rows_of_the_run_before_stay_until_the_next_is_done(campaign: Campaign) -> None:
    first, second, third = (find_disagreement(campaign) for _time in range(3))
    counts = [Disagreement.objects.filter(run=run).count() for run in (first, second, third)]
    assert counts == [0, 24, 24]


def test_the_database_knows_how_many_rows_there_are(campaign: Campaign) -> None:
    """SQLite chose an index through all outputs for a search in few of them."""
    find_disagreement(campaign)
    known = {
        "sqlite": "SELECT 1 FROM sqlite_stat1 WHERE idx = 'outputs_by_spread' AND stat > ''",
        "postgresql": "SELECT 1 FROM pg_class WHERE relname = 'outputs_by_spread' AND reltuples > 0",
    }
    with connection.cursor() as cursor:
        cursor.execute(known[connection.vendor])
        assert cursor.fetchone()


def test_metrics_are_as_far_from_people_as_their_places_are() -> None:
    """Three outputs: people order them 1, 2, 3, the metric 3, 2, 1; a fourth has no score."""
    gap = metric_gap(np.array([10.0, 20.0, 30.0, 40.0]), [np.array([0.9, 0.5, 0.1, math.nan])])
    assert gap[:3].tolist() == [1.0, 0.0, -1.0]
    assert math.isnan(gap[3])


def test_a_metric_does_not_judge_its_own_reference(campaign: Campaign) -> None:
    scores = ImportedScores.objects.create(
        test_set=campaign.test_set, metric="judge", level="segment", references=["A"], file_name="x", is_whole=True
    )
    for place, translation in enumerate(Translation.objects.order_by("pk")):
        SegmentScore.objects.create(scores=scores, translation=translation, value=place)
    outputs = Disagreement.objects.filter(run=find_disagreement(campaign), system__isnull=False)
    assert {row.metrics.get("judge") is None for row in outputs.filter(system__name=HUMAN)} == {True}
    assert {row.metric_gap is None for row in outputs.filter(system__name=WOMBAT)} == {False}


def test_several_metrics_are_taken_together_where_they_have_scores() -> None:
    people = np.array([10.0, 20.0, 30.0])
    gap = metric_gap(people, [people, -people])
    assert gap.tolist() == [0.5, 0.0, -0.5]
    assert np.isnan(metric_gap(people, [])).all()


def test_places_are_numbered_in_three_orders_with_what_is_unknown_last() -> None:
    spread, gap = np.array([math.nan, 3.0, 9.0, 3.0]), np.array([0.1, 0.2, math.nan, -0.7])
    places = {name: place.tolist() for name, place in orders(spread, gap).items()}
    assert places == {"by_spread": [4, 3, 1, 2], "by_gap": [3, 2, 4, 1], "by_text": [1, 2, 3, 4]}


def test_preferences_differ_by_places_whatever_else_was_on_the_screen() -> None:
    """Two order three outputs the other way round; two by two, only who is put differently beside the same differs."""
    screens, outputs, values = (
        np.array([1, 1, 1, 2, 2, 2]),
        np.array([0, 1, 2, 0, 1, 2]),
        np.array([3.0, 2, 1, 1, 2, 3]),
    )
    in_order = preference_spreads(screens, np.arange(6), outputs, values, n_outputs=4)
    assert in_order[:3].tolist() == [2, 2, 2]
    assert math.isnan(in_order[3])
    one_text = preference_spreads(screens, np.array([1, 2, 2, 3, 4, 4]), outputs, values, n_outputs=3)
    assert one_text.tolist() == [2, 1, 1]  # the last two wrote the same, and nobody compared them
    by_two = preference_spreads(
        np.array([1, 1, 2, 2, 3, 3, 4, 4]),
        np.arange(8),
        np.array([0, 1, 1, 0, 0, 2, 0, 2]),
        np.array([2.0, 1, 2, 1, 1, 1, 2, 1]),
        n_outputs=3,
    )
    assert by_two.tolist() == [1.5, 1.0, 0.5]  # the first against the second turned round, against the third once equal


def test_of_whole_documents_the_first_segment_shows_how_far_they_lie_apart(test_set: TestSet, cast: Cast) -> None:
    ask_questions(test_set)
    campaign = make_planned_campaign(test_set, cast, protocol="gisting", redundancy=2, systems=[WOMBAT])
    for annotator, choice in zip(cast.annotators, (RIGHT_CHOICE, WRONG_CHOICE), strict=True):
        for item in items_to_judge(take(campaign, annotator)):
            judge(item, payload=answers(why=choice))
    run = find_disagreement(campaign)
    assert rows_of(run, system=None)[:3] == [("harbour:1", None, 1), ("orchard:1", None, 1), ("harbour:2", None, None)]
    assert run.result is not None
    assert run.result["measure"] == "correct"
