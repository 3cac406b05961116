"""Relative ranking: which of two is better, or the order of several."""

from collections.abc import Mapping
from typing import Any

import pytest

from annotation.models import ItemLevel, Score, Slot
from annotation.protocols import protocol_for
from annotation.protocols.base import ShownItem, ShownSlot
from campaigns.invalid_input import InvalidInput
from campaigns.models import System, TestSet
from tests.annotation.protocols.battery import ProtocolAtWork, ProtocolContract
from tests.cast import Cast
from tests.frontend.api.api_annotator import by_session
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take


def ranks(*places: int) -> dict[str, Any]:
    slots = {label: {"rank": rank} for label, rank in zip("ABCDE", places, strict=False)}
    return {"slots": slots, "comment": "", "cannot_judge": None}


def shown(count: int) -> ShownItem:
    return ShownItem("segment", "A source.", None, tuple(ShownSlot(label, "Text.") for label in "ABCDEFG"[:count]))


class TestRanking(ProtocolContract):
    name = "ranking"


class TestRankingAtWork(ProtocolAtWork):
    name = "ranking"

    def good_for(self, item: Mapping[str, Any], *, variant: int = 0) -> dict[str, Any]:
        places = range(1, len(item["slots"]) + 1)
        return ranks(*(reversed(places) if variant else places))

    def noticing(self, item: Mapping[str, Any], bad: str | None) -> dict[str, Any]:
        return ranks(*(2 if slot["slot"] == bad else 1 for slot in item["slots"]))


@pytest.mark.parametrize(
    ("places", "preferences"),
    [
        ((1, 2), [("A", "B", 1)]),
        ((2, 1), [("A", "B", -1)]),
        ((1, 1), [("A", "B", 0)]),
        ((1, 3, 2), [("A", "B", 1), ("A", "C", 1), ("B", "C", -1)]),
        ((2, 1, 1), [("A", "B", -1), ("A", "C", -1), ("B", "C", 0)]),
    ],
)
def test_every_pair_on_the_screen_gives_a_preference(
    places: tuple[int, ...], preferences: list[tuple[str, str, int]]
) -> None:
    protocol, item = protocol_for("ranking", {}), shown(len(places))
    observed = protocol.observe(protocol.parse_answer(ranks(*places), item), item)
    assert [(one.first, one.second, one.outcome) for one in observed.preferences] == preferences


@pytest.mark.parametrize(
    ("entered", "stored"), [((2, 1, 2, 4), [2, 1, 2, 3]), ((3, 3, 3), [1, 1, 1]), ((1, 1, 4, 4, 5), [1, 1, 2, 2, 3])]
)
def test_gaps_between_ranks_are_closed(entered: tuple[int, ...], stored: list[int]) -> None:
    answer = protocol_for("ranking", {}).parse_answer(ranks(*entered), shown(len(entered)))
    assert [values["rank"] for _, values in sorted(answer.slots.items())] == stored


@pytest.mark.parametrize(
    ("judge_against", "shows_source", "shows_reference"),
    [("source", True, False), ("reference", False, True), ("both", True, True)],
)
def test_what_is_judged_against_is_what_is_shown(judge_against: str, shows_source: bool, shows_reference: bool) -> None:
    protocol = protocol_for("ranking", {"judge_against": judge_against})
    assert (protocol.shows_source, protocol.shows_reference) == (shows_source, shows_reference)


def test_a_rank_is_lower_the_better_and_means_something_on_its_screen_alone() -> None:
    [measure] = protocol_for("ranking", {}).measures
    assert (measure.name, measure.higher_is_better, measure.is_relative) == ("rank", False, True)


@pytest.mark.parametrize(("systems", "slots"), [(1, 2), (2, 2), (4, 4), (9, 5)])
def test_no_more_stand_side_by_side_than_there_are(systems: int, slots: int) -> None:
    assert protocol_for("ranking", {}).slots_among(systems) == slots


@pytest.mark.django_db
def test_the_order_of_slots_is_new_in_each_item_and_recorded(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, protocol="ranking", redundancy=4)
    orders = {
        tuple(Slot.objects.filter(item=item).order_by("label").values_list("system__name", flat=True))
        for assignment in campaign.assignments.all()
        for item in assignment.items.all()
        if item.slots.count() == 3
    }
    assert len(orders) > 3


@pytest.mark.django_db
def test_identical_outputs_are_one_slot_whose_rank_is_credited_to_both(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, protocol="ranking")
    assignment = take(campaign, cast.annotator)
    [shared] = [item for item in items_to_judge(assignment) if item.slots.count() == 2]
    both = shared.slots.get(credits__isnull=False)
    judge(shared, payload=ranks(1, 2) if both.label == "A" else ranks(2, 1))
    stored = Score.objects.order_by("value", "translation__system__name")
    assert [(score.translation and score.translation.system.name, score.value) for score in stored] == [
        ("sentinel-quokka", 1.0),
        ("sentinel-wombat", 1.0),
        ("sentinel-human", 2.0),
    ]


@pytest.mark.django_db
def test_where_all_wrote_the_same_nothing_is_ranked(test_set: TestSet, cast: Cast) -> None:
    pair = System.objects.filter(test_set=test_set).exclude(name="sentinel-human")
    campaign = make_planned_campaign(
        test_set, cast, protocol="ranking", options={"systems_per_item": 2}, systems=[system.name for system in pair]
    )
    assignment = take(campaign, cast.annotator)
    assert assignment.total == 5
    [context] = assignment.items.filter(level=ItemLevel.CONTEXT)
    page = by_session(cast.annotator).items(assignment.pk)
    assert context.segment is not None
    assert [one["source"] for one in page["context"]] == [context.segment.source]


@pytest.mark.django_db
def test_one_system_has_nothing_to_be_compared_with(test_set: TestSet, cast: Cast) -> None:
    alone = System.objects.filter(test_set=test_set)[0].name
    with pytest.raises(InvalidInput, match="side by side"):
        make_planned_campaign(test_set, cast, protocol="ranking", systems=[alone])
