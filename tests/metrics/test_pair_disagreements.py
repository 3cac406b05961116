"""What two annotators both judged, the widest apart first."""

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

import pytest

from annotation.models import Judgment
from campaigns.models import Campaign, TestSet
from metrics.actions.deriving import derive_scores
from metrics.pair_disagreements import PairDisagreements, pair_disagreements
from tests.cast import Cast
from tests.planned_campaign import fetched, items_to_judge, judge, make_planned_campaign, take


def differences_of(campaign: Campaign, cast: Cast, measure: str, *, most: int = 50) -> PairDisagreements:
    one, other = cast.annotators
    result = pair_disagreements(campaign, (one, other), measure, most=most)
    assert result is not None
    return result


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast, redundancy=2)


def test_only_what_both_judged_and_what_counts(campaign: Campaign, cast: Cast) -> None:
    mine, theirs = (items_to_judge(take(campaign, annotator)) for annotator in cast.annotators)
    for item in mine[:3]:
        judge(item, 50)
    for number, item in enumerate(theirs):
        judge(item, 50 + 2 * number)
    result = differences_of(campaign, cast, "score")
    both = {(item.segment_id, item.slots.get().system_id) for item in mine[:3]}
    apart = sorted(
        2 * number for number, item in enumerate(theirs) if (item.segment_id, item.slots.get().system_id) in both
    )
    assert result.shared == 3
    assert sorted(each.apart for each in result.differences) == [one for one in apart if one]
    assert result.differences[0].apart == max(apart)
    Judgment.objects.filter(item=mine[0]).update(surplus=True)
    assert differences_of(campaign, cast, "score").shared == 2


def test_an_output_of_two_systems_is_one(campaign: Campaign, cast: Cast) -> None:
    for annotator, value in zip(cast.annotators, (20, 90), strict=True):
        for item in items_to_judge(take(campaign, annotator)):
            judge(item, value)
    result = differences_of(campaign, cast, "score")
    assert result.shared == len(result.differences) == 17
    shared = [output for each in result.differences for output in each.outputs if len(output.systems) == 2]
    assert [output.text for output in shared] == ["Niemand am Kai wusste, warum."]
    assert len(differences_of(campaign, cast, "score", most=4).differences) == 4


def test_comments_stand_beside_the_numbers_and_reading_costs_the_same(campaign: Campaign, cast: Cast) -> None:
    items = [items_to_judge(take(campaign, annotator)) for annotator in cast.annotators]
    judge(items[0][0], 10, payload={"slots": {"A": {"score": 10}}, "comment": "No verb.", "cannot_judge": None})
    same = next(
        item
        for item in items[1]
        if (item.segment_id, item.slots.get().system_id) == (items[0][0].segment_id, items[0][0].slots.get().system_id)
    )
    judge(same, 80)
    with CaptureQueriesContext(connection) as few:
        result = differences_of(campaign, cast, "score")
    assert result.differences[0].outputs[0].answers[0].comment == "No verb."
    for part in items:
        for item in part:
            if not item.judgments.exists():
                judge(item, 40)
    with CaptureQueriesContext(connection) as many:
        differences_of(campaign, cast, "score")
    assert len(few) == len(many) <= 15
    planned = [each["sql"] for each in many.captured_queries if each["sql"].startswith("SET LOCAL")]
    assert len(planned) == (connection.vendor == "postgresql")


def test_marked_words_are_quoted(test_set: TestSet, cast: Cast, make_test_set: Callable[..., TestSet]) -> None:
    campaign = make_planned_campaign(test_set, cast, protocol="mqm", redundancy=2)
    for annotator, marks in zip(cast.annotators, (1, 0), strict=True):
        for item in items_to_judge(take(campaign, annotator)):
            (slot,) = fetched(item).shown.slots
            span: dict[str, Any] = {"side": "target", "start": 0, "end": 3, "severity": "major", "note": ""}
            span["category"] = "accuracy/mistranslation"
            answer = {"slots": {slot.label: {"spans": [span] * marks}}, "comment": "", "cannot_judge": None}
            judge(item, payload=answer)
    derive_scores(campaign)
    result = differences_of(campaign, cast, "penalty")
    assert {each.apart for each in result.differences} == {5}
    output = result.differences[0].outputs[0]
    marked, unmarked = output.answers
    assert marked.marks[0].words == output.text[:3]
    assert (marked.marks[0].severity, list(unmarked.marks)) == ("major", [])


def test_of_rankings_outcomes_are_compared(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, protocol="ranking", redundancy=2, options={"systems_per_item": 3})
    for annotator, turned in zip(cast.annotators, (False, True), strict=True):
        for item in items_to_judge(take(campaign, annotator)):
            slots = sorted(item.slots.all(), key=lambda slot: slot.system.name, reverse=turned)
            ranks = {slot.label: {"rank": place + 1} for place, slot in enumerate(slots)}
            judge(item, payload={"slots": ranks, "comment": "", "cannot_judge": None})
    result = differences_of(campaign, cast, "rank")
    assert result.alike == 0
    assert result.shared > 0
    assert result.differences[0].apart == 2 * 3
    assert {answer.value for answer in result.differences[0].outputs[0].answers} == {1, 3}


def test_of_systems_compared_two_by_two_every_comparison_counts(test_set: TestSet, cast: Cast) -> None:
    """A system is on several screens of a segment, each of which is a comparison of its own."""
    campaign = make_planned_campaign(test_set, cast, protocol="ranking", redundancy=2, options={"systems_per_item": 2})
    screens = 0
    for annotator, turned in zip(cast.annotators, (False, True), strict=True):
        for item in items_to_judge(take(campaign, annotator)):
            slots = sorted(item.slots.all(), key=lambda slot: slot.system.name, reverse=turned)
            ranks = {slot.label: {"rank": place + 1} for place, slot in enumerate(slots)}
            judge(item, payload={"slots": ranks, "comment": "", "cannot_judge": None})
            screens += 1
    result = differences_of(campaign, cast, "rank")
    assert (result.shared, result.alike) == (screens // 2, 0)
    assert {(each.apart, len(each.outputs)) for each in result.differences} == {(2, 2)}
