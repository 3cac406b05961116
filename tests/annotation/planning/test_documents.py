"""Documents as annotators meet them: passes, identical outputs, document scores, side by side."""

from random import Random

from hypothesis import given

from annotation.planning.documents import PlanDocument
from annotation.planning.options import PlanningOptions
from annotation.planning.planned import PlannedAssignment, PlannedSlot
from annotation.planning.planner import plan
from tests.annotation.plans import (
    any_documents,
    blocks,
    complete,
    document,
    often,
    passes,
    planned,
    planning_options,
    regular,
    seeds,
)


def shown(assignments: list[PlannedAssignment]) -> set[tuple[tuple[int | None, str, int], ...]]:
    """Each pass as its segments, levels and systems."""
    return {
        tuple((item.segment, item.level, item.slots[0].system) for item in block)
        for assignment in assignments
        for block in passes(assignment)
    }


def test_a_segment_judged_elsewhere_is_context_in_the_second_pass() -> None:
    assignments = planned([document({1: "same", 2: "same"}, {1: "one", 2: "two"})], items_per_assignment=2)
    first, second = (1, 2) if ((100, "segment", 1), (101, "segment", 1)) in shown(assignments) else (2, 1)
    assert shown(assignments) == {
        ((100, "segment", first), (101, "segment", first)),
        ((100, "context", second), (101, "segment", second)),
    }


def test_an_identical_output_is_credited_to_both_systems() -> None:
    assignments = planned([document({1: "same", 2: "same"}, {1: "one", 2: "two"})])
    slots = {item.segment: item.slots[0] for assignment in assignments for item in regular(assignment)}
    assert slots[100] == PlannedSlot("A", slots[100].system, (1, 2))
    assert len(slots[101].credited) == 1


def test_a_pass_without_anything_new_is_dropped() -> None:
    [assignment] = planned([document({1: "a", 2: "a"}, {1: "b", 2: "b"})])
    assert len(passes(assignment)) == 1
    assert all(item.slots[0].credited == (1, 2) for item in assignment.items)


def test_which_of_two_equal_systems_is_shown_is_left_to_chance() -> None:
    twins = [document({1: "a", 2: "a"}, number=number) for number in range(1, 101)]
    [assignment] = planned(twins)
    assert 30 < sum(item.slots[0].system == 1 for item in assignment.items) < 70


def test_a_segment_that_a_system_left_out_is_not_shown_in_its_pass() -> None:
    [assignment] = planned([document({1: "a"}, {2: "b"}, {1: "c"})], items_per_assignment=3)
    assert shown([assignment]) == {((100, "segment", 1), (102, "segment", 1)), ((101, "segment", 2),)}


def test_systems_not_sampled_for_a_document_get_no_credit() -> None:
    assignments = planned([document({1: "a", 2: "a", 3: "a"})], systems_per_segment=2)
    assert [len(item.slots[0].credited) for assignment in assignments for item in assignment.items] == [2]


def test_a_document_score_follows_each_pass() -> None:
    [assignment] = planned(complete([2, 3], systems=1), document_scores=True)
    for block in blocks(assignment):
        assert [item.level for item in block] == ["segment"] * (len(block) - 1) + ["document"]
        assert block[-1].segment is None
        assert block[-1].slots == (PlannedSlot("A", 1, (1,)),)


def test_two_systems_share_a_document_score_only_when_every_segment_is_the_same() -> None:
    half = document({1: "a", 2: "a"}, {1: "b", 2: "c"}, number=1)
    whole = document({1: "a", 2: "a"}, {1: "b", 2: "b"}, number=2)
    scores = [
        (item.document, item.slots[0].credited)
        for assignment in planned([half, whole], document_scores=True)
        for item in assignment.items
        if item.level == "document"
    ]
    assert sorted(scores) == [(1, (1,)), (1, (2,)), (2, (1, 2))]


def test_a_document_patched_from_others_is_scored_though_no_segment_is_judged() -> None:
    patched = document({1: "a", 2: "x", 3: "a"}, {1: "b", 2: "y", 3: "y"})
    for seed in range(30):
        assignments = planned([patched], document_scores=True, seed=seed)
        levels = [item.level for assignment in assignments for item in assignment.items]
        assert levels.count("document") == 3
        assert levels.count("segment") == 4


@often
@given(any_documents(), planning_options(document_scores=True), seeds)
def test_each_distinct_translation_of_a_document_is_scored_once_a_round(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    scored: dict[tuple[int, int], int] = {}
    for assignment in plan(documents, options, rng):
        for item in assignment.items:
            for slot in item.slots if item.level == "document" and item.kind == "regular" else ():
                for system in slot.credited:
                    scored[item.document, system] = scored.get((item.document, system), 0) + 1
    present = {(document.id, system) for document in documents for one in document.segments for system in one.outputs}
    assert scored == dict.fromkeys(present, options.redundancy)


def test_side_by_side_shows_several_systems_of_a_segment_in_the_same_columns() -> None:
    assignments = planned(complete([3] * 4, systems=4), slots_per_item=2)
    for assignment in assignments:
        for block in blocks(assignment):
            assert len({item.slots for item in block}) == 1
            assert [slot.label for slot in block[0].slots] == ["A", "B"]
    assert sum(len(regular(assignment)) for assignment in assignments) == 3 * 4 * 2


def test_shuffled_columns_are_drawn_for_each_item_of_each_round() -> None:
    assignments = planned(complete([50], systems=3), slots_per_item=3, shuffle_slots=True, redundancy=2)
    orders = [[tuple(slot.system for slot in item.slots) for item in assignment.items] for assignment in assignments]
    assert all(slot.label == "ABC"[place] for one in assignments[0].items for place, slot in enumerate(one.slots))
    assert all(len(set(order)) == 6 for order in orders)
    assert orders[0] != orders[1]


def test_shuffled_identical_outputs_stay_one_slot_credited_to_all() -> None:
    texts = document({1: "a", 2: "b", 3: "b"}, {1: "c", 2: "c", 3: "c"}, {1: "d", 2: "e", 3: "f"})
    [assignment] = planned([texts], slots_per_item=3, shuffle_slots=True)
    assert [sorted(slot.credited for slot in item.slots) for item in assignment.items] == [
        [(1,), (2, 3)],
        [(1, 2, 3)],
        [(1,), (2,), (3,)],
    ]
    assert [item.level for item in assignment.items] == ["segment", "context", "segment"]
    assert all(slot.system in slot.credited for item in assignment.items for slot in item.slots)


def test_a_repeat_of_shuffled_columns_asks_the_same_translations() -> None:
    assignments = planned(complete([6] * 5, systems=3), slots_per_item=3, shuffle_slots=True, repeats_share=0.2)
    repeats = [(one.items, item) for one in assignments for item in one.items if item.kind == "repeat"]
    assert repeats
    for items, repeat in repeats:
        original = items[repeat.original or 0]
        assert original.segment == repeat.segment
        assert {slot.system for slot in original.slots} == {slot.system for slot in repeat.slots}


def test_side_by_side_identical_outputs_are_one_slot_and_alone_nothing_to_ask() -> None:
    texts = document({1: "a", 2: "b", 3: "b"}, {1: "c", 2: "c", 3: "c"}, {1: "d", 2: "e", 3: "f"})
    [assignment] = planned([texts], slots_per_item=3)
    credited = [sorted(slot.credited for slot in item.slots) for item in assignment.items]
    assert credited == [[(1,), (2, 3)], [(1, 2, 3)], [(1,), (2,), (3,)]]
    assert [item.level for item in assignment.items] == ["segment", "context", "segment"]


def test_side_by_side_an_odd_system_borrows_a_partner() -> None:
    assignments = planned(complete([2], systems=3), slots_per_item=2)
    pairs = {tuple(sorted(slot.system for slot in item.slots)) for one in assignments for item in one.items}
    assert len(pairs) == 2
    assert {system for pair in pairs for system in pair} == {1, 2, 3}
