"""Systems over assignments and over documents, and the sizes of assignments."""

from collections import Counter
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from annotation.planning.options import PlanningOptions
from annotation.planning.planned import PlannedAssignment
from annotation.planning.planner import plan
from tests.annotation.plans import complete, often, passes, planned, regular, seeds


def passes_of_systems(assignment: PlannedAssignment, systems: int) -> list[int]:
    met = Counter(block[0].slots[0].system for block in passes(assignment))
    return [met[system] for system in range(1, systems + 1)]


def segments_of_systems(assignment: PlannedAssignment, systems: int) -> list[int]:
    met = Counter(item.slots[0].system for item in regular(assignment))
    return [met[system] for system in range(1, systems + 1)]


def spread(counts: list[int]) -> int:
    return max(counts) - min(counts)


@often
@given(st.integers(1, 12), st.integers(1, 6), st.integers(1, 6), st.integers(1, 40), seeds)
def test_with_equal_documents_systems_differ_by_one_pass_at_most_and_a_text_comes_once_if_it_can(
    documents: int, systems: int, length: int, size: int, rng: Random
) -> None:
    assignments = plan(complete([length] * documents, systems=systems), PlanningOptions(items_per_assignment=size), rng)
    for assignment in assignments:
        assert spread(passes_of_systems(assignment, systems)) <= 1
        texts = Counter(block[0].document for block in passes(assignment))
        assert max(texts.values()) <= -(-systems // len(assignments))
    assert spread([len(passes(assignment)) for assignment in assignments]) <= 1


@often
@given(st.lists(st.integers(1, 12), min_size=1, max_size=25), st.integers(1, 6), st.integers(13, 60), seeds)
def test_with_any_documents_no_text_comes_twice_while_there_are_enough_assignments(
    lengths: list[int], systems: int, size: int, rng: Random
) -> None:
    assignments = plan(complete(lengths, systems=systems), PlanningOptions(items_per_assignment=size), rng)
    if len(assignments) >= systems:
        for assignment in assignments:
            assert len({block[0].document for block in passes(assignment)}) == len(passes(assignment))


def test_with_unequal_documents_systems_stay_even_in_segments() -> None:
    rng = Random(3)
    lengths = [rng.randrange(3, 20) for _ in range(150)]
    for assignment in planned(complete(lengths, systems=4), items_per_assignment=400):
        assert spread(segments_of_systems(assignment, 4)) <= max(lengths)
        assert spread(passes_of_systems(assignment, 4)) <= 1


def test_assignments_are_nearly_full() -> None:
    rng = Random(3)
    lengths = [rng.randrange(3, 20) for _ in range(150)]
    sizes = [len(regular(one)) for one in planned(complete(lengths, systems=8), items_per_assignment=100)]
    assert max(sizes) <= 100
    assert sum(sizes) / len(sizes) >= 95


def test_a_few_long_documents_among_many_short_ones_leave_no_room_unused() -> None:
    lengths = [90] * 4 + [1] * 120
    assignments = planned(complete(lengths, systems=5), items_per_assignment=100)
    assert len(assignments) <= 26
    assert max(len(regular(assignment)) for assignment in assignments) <= 100
    for assignment in assignments:
        assert len({block[0].document for block in passes(assignment)}) == len(passes(assignment))


def test_what_fills_two_assignments_and_a_bit_is_divided_by_three() -> None:
    sizes = [len(regular(one)) for one in planned(complete([7] * 30, systems=1), items_per_assignment=100)]
    assert sorted(sizes) == [70, 70, 70]


def test_a_document_longer_than_the_limit_makes_one_assignment_larger() -> None:
    assignments = planned(complete([40, 5, 5], systems=1), items_per_assignment=10)
    assert sorted(len(regular(assignment)) for assignment in assignments) == [10, 40]


def test_a_few_more_assignments_spare_a_second_translation_of_the_same_text() -> None:
    assignments = planned(complete([10] * 10, systems=5), items_per_assignment=130)
    assert [len(regular(assignment)) for assignment in assignments] == [100] * 5
    for assignment in assignments:
        assert len({item.document for item in assignment.items}) == 10


def test_a_text_that_must_come_twice_does_not_follow_itself() -> None:
    for seed in range(10):
        [assignment] = planned(complete([2] * 10, systems=2), items_per_assignment=100, seed=seed)
        texts = [block[0].document for block in passes(assignment)]
        assert sum(one == other for one, other in pairwise(texts)) <= 1


@often
@given(st.integers(1, 30), st.integers(1, 7), st.data())
def test_sampled_systems_are_used_equally_often(documents: int, systems: int, data: st.DataObject) -> None:
    wanted = data.draw(st.integers(1, systems))
    assignments = planned(complete([2] * documents, systems=systems), systems_per_segment=wanted)
    used: Counter[int] = Counter()
    by_document: dict[int, set[int]] = {}
    for assignment in assignments:
        for block in passes(assignment):
            used[block[0].slots[0].system] += 1
            by_document.setdefault(block[0].document, set()).add(block[0].slots[0].system)
    assert all(len(chosen) == wanted for chosen in by_document.values())
    assert spread([used[system] for system in range(1, systems + 1)]) <= 1


def test_every_pair_of_systems_meets_on_some_document_when_two_are_sampled() -> None:
    met: Counter[tuple[int, ...]] = Counter()
    by_document: dict[int, set[int]] = {}
    for assignment in planned(complete([1] * 200, systems=4), systems_per_segment=2):
        for item in assignment.items:
            by_document.setdefault(item.document, set()).add(item.slots[0].system)
    met.update(tuple(sorted(pair)) for pair in by_document.values())
    assert len(met) == 6
    assert min(met.values()) > 15
