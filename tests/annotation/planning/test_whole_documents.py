"""Screens that are whole documents: every row judged, one order of columns a screen, met again as a whole."""

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from annotation.planning.documents import PlanDocument, systems_in
from annotation.planning.options import PlanningOptions
from annotation.planning.planner import plan
from annotation.planning.sums import PlanCounts, sums
from tests.annotation.plans import any_documents, blocks, complete, document, often, planned, planning_options, seeds


def test_equal_outputs_are_one_slot_in_the_columns_of_their_systems() -> None:
    texts = document({1: "a", 2: "b", 3: "b"}, {1: "c", 2: "c", 3: "c"}, {1: "d", 2: "e", 3: "f"})
    for seed in range(10):
        [assignment] = planned([texts], slots_per_item=3, whole_documents=True, seed=seed)
        first, second, third = assignment.items
        place = {slot.system: slot.columns[0] for slot in third.slots}
        assert sorted(place.values()) == [1, 2, 3]
        assert {slot.credited: slot.columns for slot in first.slots} == {
            (1,): (place[1],),
            (2, 3): tuple(sorted((place[2], place[3]))),
        }
        [alone] = second.slots
        assert (alone.credited, alone.columns, alone.label) == ((1, 2, 3), (1, 2, 3), "A")


def test_every_row_is_judged_also_where_nothing_is_to_compare() -> None:
    texts = document({1: "c", 2: "c"}, {1: "d"}, {})
    [assignment] = planned([texts], slots_per_item=2, whole_documents=True)
    assert [item.level for item in assignment.items] == ["segment", "segment"]


def test_a_label_is_that_of_the_first_column_in_every_row() -> None:
    texts = document({1: "a", 2: "b", 3: "b"}, {1: "d", 2: "e", 3: "f"})
    for seed in range(10):
        [assignment] = planned([texts], slots_per_item=3, whole_documents=True, seed=seed)
        for item in assignment.items:
            assert [slot.label for slot in item.slots] == ["ABC"[slot.columns[0] - 1] for slot in item.slots]
            assert [slot.label for slot in item.slots] == sorted(slot.label for slot in item.slots)


def test_the_order_of_columns_is_drawn_for_each_screen_of_each_round() -> None:
    assignments = planned(complete([2] * 20, systems=3), slots_per_item=3, whole_documents=True, redundancy=2)
    orders = [tuple(slot.system for slot in block[0].slots) for one in assignments for block in blocks(one)]
    assert len(orders) == 40
    assert len(set(orders)) == 6


def test_one_by_one_each_system_has_its_screens() -> None:
    assignments = planned(complete([2], systems=2), slots_per_item=1, whole_documents=True)
    assert sorted([slot.system for slot in item.slots] for one in assignments for item in one.items) == [
        [1],
        [1],
        [2],
        [2],
    ]


def test_where_one_system_alone_has_a_document_it_stands_alone() -> None:
    texts = [document({1: "a", 2: "b"}, number=1), document({1: "c"}, number=2)]
    [assignment] = planned(texts, slots_per_item=2, whole_documents=True)
    assert sorted(len(item.slots) for item in assignment.items) == [1, 2]


def test_equal_outputs_on_two_screens_are_judged_on_both() -> None:
    assignments = planned([document({1: "a", 2: "a"})], slots_per_item=1, whole_documents=True)
    assert sorted(slot.credited for one in assignments for item in one.items for slot in item.slots) == [(1,), (2,)]


def test_long_documents_are_not_cut_and_control_items_are_whole_ones() -> None:
    lengths = [30, 2, 17, 5, 9, 24]
    assignments = planned(
        complete(lengths, systems=3),
        slots_per_item=3,
        whole_documents=True,
        items_per_assignment=100,
        repeats_share=0.3,
        degraded_share=0.3,
    )
    kinds = {item.kind for one in assignments for item in one.items}
    assert kinds == {"regular", "repeat", "degraded"}
    for assignment in assignments:
        for block in blocks(assignment):
            assert len(block) == lengths[block[0].document - 1]
            assert {item.level for item in block} == {"segment"}
            assert len({item.kind for item in block}) == 1


@often
@given(
    documents=any_documents(),
    options=planning_options(document_scores=False, slots_per_item=1, whole_documents=True),
    rng=seeds,
    slots=st.integers(1, 5),
)
def test_a_column_of_a_screen_is_one_system(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random, slots: int
) -> None:
    """Also where outputs are missing or alike: each system can be given a column that fits all rows."""
    systems = {system for one in documents for system in systems_in(one)}
    for assignment in plan(documents, replace(options, slots_per_item=min(slots, len(systems))), rng):
        for block in blocks(assignment):
            places: dict[int, set[int]] = {}
            for slot in (slot for item in block for slot in item.slots):
                assert len(slot.columns) == len(slot.credited)
                for system in slot.credited:
                    places[system] = places.get(system, set(slot.columns)) & set(slot.columns)
            assert all(places.values())
            assert {column for known in places.values() for column in known} == set(range(1, len(places) + 1))


def test_the_sums_are_those_of_the_plan() -> None:
    lengths, options = [3, 4, 5], PlanningOptions(slots_per_item=2, whole_documents=True, redundancy=2)
    documents = complete(lengths, systems=4)
    made = plan(documents, options, Random(1))
    counts = PlanCounts(documents=3, segments=12, systems=4, lengths=tuple(lengths))
    assert sums(counts, options).judgments == sum(one.total for one in made) == 12 * 2 * 2
