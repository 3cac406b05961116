"""Which errors each system made, and rankings by what they weigh."""

from typing import Any

import pytest

from annotation.models import Assignment, Judgment
from campaigns.models import Campaign, TestSet
from metrics.actions.deriving import derive_scores
from metrics.models import DerivedScore
from tests.cast import Cast
from tests.metrics.analyses.as_json import analyse
from tests.metrics.marked_errors import CLEAN, COMMA, GRAVE, SMALL, make_mqm, mark_by_system
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

MADE = {WOMBAT: (GRAVE,), QUOKKA: (SMALL, SMALL, COMMA), HUMAN: CLEAN}


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_mqm(test_set, cast)


@pytest.fixture
def assignment(campaign: Campaign, cast: Cast) -> Assignment:
    return take(campaign, cast.annotator)


def errors_of(campaign: Campaign, **options: Any) -> dict[str, Any]:
    return dict(analyse(campaign, options=options)["analyses"]["errors"])


def order(campaign: Campaign, **options: Any) -> list[tuple[Any, ...]]:
    ranked = analyse(campaign, options=options)["analyses"]["ranking"]["systems"]
    return [(system["system"], system["measure"], system["mean"]) for system in ranked]


def test_systems_are_ranked_by_penalty_the_least_first(campaign: Campaign, assignment: Assignment) -> None:
    mark_by_system(assignment, MADE)
    # one output of the two is the same and judged once, as the quokka's: (5 × 5 + 2.1) / 6
    assert order(campaign) == [
        (HUMAN, "penalty", 0.0),
        (QUOKKA, "penalty", pytest.approx(2.1)),
        (WOMBAT, "penalty", pytest.approx(27.1 / 6)),
    ]


def test_other_weights_rank_anew_without_touching_a_judgment(campaign: Campaign, assignment: Assignment) -> None:
    mark_by_system(assignment, {WOMBAT: (GRAVE,), QUOKKA: (COMMA,) * 5, HUMAN: (SMALL,)})
    before = list(Judgment.objects.order_by("pk").values_list("pk", "answer", "revision"))
    assert [system for system, *_rest in order(campaign)][:2] != [HUMAN, QUOKKA]
    first = analyse(campaign)
    assert [system for system, *_rest in order(campaign, weights="mqm-core")] == [HUMAN, QUOKKA, WOMBAT]
    assert "|penalty:mqm-core" in analyse(campaign, options={"weights": "mqm-core"})["signature"]
    assert "|penalty:wmt2021,critical-as-major" in first["signature"]
    assert list(Judgment.objects.order_by("pk").values_list("pk", "answer", "revision")) == before
    assert analyse(campaign) == first
    assert derive_scores(campaign, weights="mqm-core") == 0, "numbers of another profile stay beside these"


def test_what_the_errors_were_and_what_they_add_up_to(campaign: Campaign, assignment: Assignment) -> None:
    mark_by_system(assignment, MADE)
    result = errors_of(campaign)
    assert result["weights"] == "wmt2021"
    human, quokka, wombat = result["systems"]
    assert (human["system"], human["penalty"], human["errors"], human["clean"]) == (HUMAN, 0.0, 0, 1.0)
    assert (quokka["points"], quokka["errors"], quokka["judgments"]) == (pytest.approx(12.6), 18, 6)
    assert wombat["per_word"] == pytest.approx(27.1 / wombat["words"])
    assert wombat["quality_score"] == pytest.approx(100 * (1 - 27.1 / wombat["words"]))
    of_wombat = [entry for entry in result["categories"] if entry["system"] == WOMBAT]
    assert [(entry["category"], entry["severity"], entry["count"], entry["points"]) for entry in of_wombat] == [
        ("accuracy/mistranslation", "major", 5, 25.0),
        ("style/awkward", "minor", 2, 2.0),
        ("fluency/punctuation", "minor", 1, 0.1),
    ]


def test_penalties_of_segments_are_named(campaign: Campaign, assignment: Assignment) -> None:
    mark_by_system(assignment, MADE)
    segments = errors_of(campaign)["segments"]
    assert len(segments) == 18
    assert {"system": WOMBAT, "document": "harbour", "segment": "2", "penalty": 2.1} in segments
    assert sum(entry["penalty"] for entry in segments if entry["system"] == WOMBAT) == pytest.approx(27.1)


def test_what_could_not_be_judged_has_no_penalty(campaign: Campaign, assignment: Assignment) -> None:
    item = items_to_judge(assignment)[0]
    judge(item, payload={"slots": {}, "comment": "", "cannot_judge": "broken_text"})
    assert derive_scores(campaign) == 0
    assert not DerivedScore.objects.exists()
    assert errors_of(campaign)["systems"] == []


def test_a_revision_counts_in_place_of_what_it_replaces(campaign: Campaign, assignment: Assignment) -> None:
    mark_by_system(assignment, MADE)
    mark_by_system(assignment, {WOMBAT: (SMALL,)}, base_revision=1)
    assert [entry["errors"] for entry in errors_of(campaign)["systems"]] == [0, 0, 5]


def test_two_annotators_make_a_mean(test_set: TestSet, cast: Cast) -> None:
    campaign = make_mqm(test_set, cast, redundancy=2)
    for annotator, errors in zip(cast.annotators, ((GRAVE,), (SMALL,)), strict=True):
        mark_by_system(take(campaign, annotator), dict.fromkeys((WOMBAT, QUOKKA, HUMAN), errors))
    assert {mean for _system, _measure, mean in order(campaign)} == {3.0}
    assert {entry["penalty"] for entry in errors_of(campaign)["segments"]} == {3.0}
    assert {entry["judgments"] for entry in errors_of(campaign)["systems"]} == {12}


def test_scores_of_esa_come_first_and_its_spans_have_a_penalty_too(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, protocol="esa")
    mark_by_system(take(campaign, cast.annotator), {WOMBAT: ({"severity": "major"},)}, score=70)
    ranked = order(campaign)
    assert [measure for _system, measure, _mean in ranked] == ["score"] * 3 + ["penalty"] * 3
    assert ranked[-1:] == [(WOMBAT, "penalty", pytest.approx(25 / 6))]
    whole = {"system": WOMBAT, "category": "", "severity": "major", "count": 5, "points": 25.0}
    assert errors_of(campaign)["categories"] == [whole]


def test_a_penalty_that_came_without_its_errors_counts(campaign: Campaign, assignment: Assignment) -> None:
    mark_by_system(assignment, MADE)
    judgment = Judgment.objects.order_by("pk").first()
    assert judgment is not None
    judgment.answer = {"slots": {"A": {"penalty": 3}}, "comment": "", "cannot_judge": None}
    judgment.save(update_fields=["answer"])
    assert derive_scores(campaign) == Judgment.objects.count()
    assert not DerivedScore.objects.filter(judgment=judgment).exists()
