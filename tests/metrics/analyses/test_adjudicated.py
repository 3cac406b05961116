"""Adjudicated values in analyses: in what is said of systems, never in what is said of annotators."""

import csv
import io
from typing import Any

import pytest

from annotation.actions.decisions import adjudicate, undo_adjudication
from annotation.models import Judgment
from annotation.queries.adjudications import entered_for
from campaigns.models import Campaign, TestSet
from exchange.exports import export_rows
from jobs.actions import perform_now
from metrics.queries import has_newer_evidence
from tests.cast import Cast
from tests.metrics.analyses.as_json import analyse
from tests.metrics.marked_errors import GRAVE, SMALL, make_mqm, mark
from tests.metrics.segments.differing import make_differing, output_of
from tests.planned_campaign import items_to_judge, take
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

QUICK = {"resamples": 50, "interval_resamples": 50}


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_differing(test_set, cast, {("harbour:3", WOMBAT): (20, 60)})


def analysed(campaign: Campaign, *names: str, adjudicated: str = "yes") -> dict[str, Any]:
    return analyse(campaign, analyses=names, options={**QUICK, "adjudicated": adjudicated})


def mean_of(result: dict[str, Any], system: str) -> float:
    [entry] = [row for row in result["analyses"]["ranking"]["systems"] if row["system"] == system]
    mean = entry["mean"]
    assert isinstance(mean, float)
    return mean


def decide(campaign: Campaign, score: int = 10) -> Any:
    worst = output_of(campaign, "harbour:3", WOMBAT)
    return adjudicate(campaign=campaign, translation=worst, answered={"score": score}, reason="No bread.", by=None)


def test_a_decision_replaces_the_answers_on_request(campaign: Campaign) -> None:
    """Six segments of 70, but for one of 20 and 60: (5 · 70 + 40) / 6, and with the decision (5 · 70 + 10) / 6."""
    decide(campaign)
    assert mean_of(analysed(campaign, "ranking", adjudicated="no"), WOMBAT) == pytest.approx(65)
    assert mean_of(analysed(campaign, "ranking"), WOMBAT) == pytest.approx(60)
    assert mean_of(analysed(campaign, "ranking"), HUMAN) == pytest.approx(70)


def test_numbers_of_annotators_are_about_their_own_answers(campaign: Campaign) -> None:
    decide(campaign)
    both = [analysed(campaign, "agreement", "annotators", adjudicated=way)["analyses"] for way in ("no", "yes")]
    assert both[0] == both[1]


def test_it_is_part_of_the_signature_and_makes_older_runs_stale(campaign: Campaign) -> None:
    made = decide(campaign)
    signature = analysed(campaign, "ranking")["signature"]
    assert "|adjudicated:yes|" in signature
    assert "|adjudications:1" in signature
    assert "adjudic" not in analysed(campaign, "ranking", adjudicated="no")["signature"]
    runs = [
        perform_now(
            kind="analysis",
            campaign=campaign,
            arguments={"analyses": ["annotators"], "options": {**QUICK, "adjudicated": way}},
        )
        for way in ("no", "yes")
    ]
    undo_adjudication(adjudication=made, by=None)
    assert [has_newer_evidence(run) for run in runs] == [False, True]


def test_it_counts_for_all_systems_with_the_same_output(campaign: Campaign) -> None:
    shared = output_of(campaign, "harbour:2", QUOKKA)
    adjudicate(campaign=campaign, translation=shared, answered={"score": 10}, reason="Both.", by=None)
    result = analysed(campaign, "ranking")
    assert mean_of(result, QUOKKA) == pytest.approx(60)
    assert mean_of(result, WOMBAT) == pytest.approx(55)


def test_decided_errors_replace_all_marked_errors(test_set: TestSet, cast: Cast) -> None:
    campaign = make_mqm(test_set, cast, redundancy=2)
    for annotator, errors in zip(cast.annotators, ((GRAVE, GRAVE), (SMALL,)), strict=True):
        for item in items_to_judge(take(campaign, annotator)):
            mark(item, *errors)
    small = Judgment.objects.filter(annotator=cast.second_annotator, item__segment__name="1").order_by("pk")[0]
    slot = small.item.slots.select_related("translation", "system").get()
    assert slot.translation is not None
    answered = entered_for(small, slot.translation)
    adjudicate(campaign=campaign, translation=slot.translation, answered=answered, reason="One is enough.", by=None)
    before = analysed(campaign, "errors", adjudicated="no")["analyses"]["errors"]["systems"]
    after = analysed(campaign, "errors")["analyses"]["errors"]["systems"]
    own = [next(row for row in rows if row["system"] == slot.system.name) for rows in (before, after)]
    assert [row["errors"] for row in own] == [18, 17]  # two and one of each segment; now one and one of this
    assert own[0]["points"] - own[1]["points"] == pytest.approx(9)  # 5 + 5 became 1


def test_decisions_are_exported_with_what_they_count_for_and_those_undone_too(campaign: Campaign, cast: Cast) -> None:
    undo_adjudication(adjudication=decide(campaign, 30), by=cast.organiser)
    decide(campaign, 10)
    shared = output_of(campaign, "harbour:2", QUOKKA)
    adjudicate(campaign=campaign, translation=shared, answered={"score": 5}, reason="=both", by=cast.organiser)
    file = b"".join(export_rows(campaign, "adjudications-csv")).decode()
    rows = list(csv.DictReader(io.StringIO(file)))
    assert [(row["segment"], row["system"], row["measure"], row["value"], row["undone"] != "") for row in rows] == [
        ("3", WOMBAT, "score", "30", True),
        ("3", WOMBAT, "score", "10", False),
        ("2", QUOKKA, "score", "5", False),
        ("2", WOMBAT, "score", "5", False),
    ]
    assert {row["kind"] for row in rows} == {"adjudicated"}
    assert (rows[0]["undone_by"], rows[2]["reason"], rows[2]["decided_by"]) == ("olive", "'=both", "olive")
