"""Documents that are read once: every text of every document, by people of its own, in balance."""

from collections import Counter, defaultdict
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.planning.documents import PlanDocument
from annotation.planning.options import PlanningError, PlanningOptions
from annotation.planning.planned import PlannedAssignment
from annotation.planning.planner import plan
from annotation.planning.sums import sums
from tests.annotation.plans import (
    any_documents,
    blocks,
    complete,
    counts_of,
    document,
    often,
    planned,
    seeds,
    sums_of_plan,
)

shapes = st.lists(st.integers(1, 4), min_size=1, max_size=13)
sizes = st.integers(1, 5)


def readings(assignment: PlannedAssignment) -> dict[int, int]:
    """Each document with the system it is read in."""
    return {item.document: item.slots[0].system for item in assignment.items if item.level == "document"}


def within_one(counted: Counter[int], of: int) -> bool:
    counts = [counted[each] for each in range(1, of + 1)]
    return max(counts) - min(counts) <= 1


@often
@given(shapes, st.integers(1, 5), sizes, st.integers(1, 3), seeds)
def test_every_text_is_read_as_often_as_planned_and_contents_share_no_document(
    shape: list[int], systems: int, size: int, redundancy: int, rng: Random
) -> None:
    documents = complete(shape, systems=systems)
    options = PlanningOptions(redundancy=redundancy, items_per_assignment=size, reads_once=True)
    made = plan(documents, options, rng)
    read = Counter(pair for assignment in made for pair in readings(assignment).items())
    assert read == {(each.id, system): redundancy for each in documents for system in range(1, systems + 1)}
    homes = {(each, assignment.content) for assignment in made for each in readings(assignment)}
    assert len(homes) == len(documents)
    assert {assignment.round for assignment in made} == set(range(systems * redundancy))


@often
@given(shapes, st.integers(1, 5), sizes, seeds)
def test_texts_are_in_balance_in_each_assignment_and_in_each_round(
    shape: list[int], systems: int, size: int, rng: Random
) -> None:
    documents = complete(shape, systems=systems)
    made = plan(documents, PlanningOptions(items_per_assignment=size, reads_once=True), rng)
    by_round: dict[int, Counter[int]] = defaultdict(Counter)
    for assignment in made:
        counted = Counter(readings(assignment).values())
        assert within_one(counted, systems)
        assert sum(counted.values()) <= size
        by_round[assignment.round] += counted
    assert all(within_one(counted, systems) for counted in by_round.values())


@often
@given(shapes, st.integers(1, 5), sizes, st.integers(1, 3), seeds)
def test_who_takes_one_assignment_of_each_content_meets_every_document_once(
    shape: list[int], systems: int, size: int, redundancy: int, rng: Random
) -> None:
    """That is the rule of the hand-out; an annotator may come at any time."""
    documents = complete(shape, systems=systems)
    made = plan(documents, PlanningOptions(redundancy=redundancy, items_per_assignment=size, reads_once=True), rng)
    by_content: dict[int, list[PlannedAssignment]] = defaultdict(list)
    for assignment in made:
        by_content[assignment.content].append(assignment)
    mine = [rng.choice(assignments) for assignments in by_content.values()]
    met = Counter(each for assignment in mine for each in readings(assignment))
    assert met == {each.id: 1 for each in documents}


@often
@given(shapes, st.integers(2, 5), sizes, seeds, st.data())
def test_fewer_systems_a_document_are_drawn_evenly(
    shape: list[int], systems: int, size: int, rng: Random, data: st.DataObject
) -> None:
    wanted = data.draw(st.integers(1, systems))
    options = PlanningOptions(items_per_assignment=size, systems_per_segment=wanted, reads_once=True)
    made = plan(complete(shape, systems=systems), options, rng)
    read = [pair for assignment in made for pair in readings(assignment).items()]
    assert len(read) == len(set(read)) == len(shape) * wanted
    assert within_one(Counter(system for _, system in read), systems)


@often
@given(any_documents(), sizes, seeds)
def test_only_whole_texts_are_read(documents: list[PlanDocument], size: int, rng: Random) -> None:
    whole = {
        (each.id, system)
        for each in documents
        for system in range(1, 6)
        if all(system in segment.outputs for segment in each.segments)
    }
    options = PlanningOptions(items_per_assignment=size, reads_once=True)
    if not whole:
        with pytest.raises(PlanningError, match="from beginning to end"):
            plan(documents, options, rng)
        return
    made = plan(documents, options, rng)
    assert Counter(pair for assignment in made for pair in readings(assignment).items()) == dict.fromkeys(whole, 1)


def test_a_whole_document_is_shown_above_its_questions() -> None:
    (made,) = planned(complete([3, 2], systems=1), reads_once=True)
    for block in blocks(made):
        assert [item.level for item in block] == ["context"] * (len(block) - 1) + ["document"]
    assert sorted(len(block) for block in blocks(made)) == [3, 4]
    assert made.total == 2


def test_identical_translations_are_read_by_people_of_their_own() -> None:
    twins = [document({1: "x", 2: "x"}, number=1), document({1: "x", 2: "x"}, number=2)]
    made = planned(twins, reads_once=True)
    assert [
        slot.credited for each in made for item in each.items for slot in item.slots if len(slot.credited) > 1
    ] == []
    assert Counter(pair for each in made for pair in readings(each).items()) == dict.fromkeys(
        [(1, 1), (1, 2), (2, 1), (2, 2)], 1
    )


def test_the_seed_decides_and_nothing_else() -> None:
    documents = complete([2, 3, 1, 2], systems=3)
    assert planned(documents, reads_once=True) == planned(documents, reads_once=True)
    assert planned(documents, reads_once=True) != planned(documents, reads_once=True, seed=2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"repeats_share": 0.1}, "read once"),
        ({"degraded_share": 0.1}, "read once"),
        ({"slots_per_item": 2}, "one by one"),
        ({"systems_per_segment": 4}, "only 3 systems"),
    ],
)
def test_options_that_contradict_reading_once_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PlanningError, match=message):
        planned(complete([2, 2], systems=3), reads_once=True, **options)


@often
@given(shapes, st.integers(1, 4), sizes, st.integers(1, 3), seeds)
def test_the_sums_before_are_those_of_the_plan(
    shape: list[int], systems: int, size: int, redundancy: int, rng: Random
) -> None:
    documents = complete(shape, systems=systems)
    options = PlanningOptions(redundancy=redundancy, items_per_assignment=size, reads_once=True)
    before, after = sums(counts_of(documents), options), sums_of_plan(plan(documents, options, rng))
    assert (before.total, before.document_scores, before.assignments, before.fewest_annotators) == (
        after.total,
        after.document_scores,
        after.assignments,
        after.fewest_annotators,
    )


def test_a_document_without_segments_is_not_read() -> None:
    (made,) = planned([*complete([2], systems=1), PlanDocument(9, [])], reads_once=True)
    assert list(readings(made)) == [1]
