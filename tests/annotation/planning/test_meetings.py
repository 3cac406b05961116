"""Systems on screens: every system once a document, and every two of them together about equally often."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.planning.meetings import Meetings, balance, design, has_design
from annotation.planning.options import PlanningOptions
from annotation.planning.sums import PlanCounts, sums
from tests.annotation.plans import blocks, complete, planned


@pytest.mark.parametrize(("systems", "slots"), [(2, 2), (4, 2), (10, 2), (9, 3), (25, 5), (49, 7)])
def test_a_design_has_every_pair_once_and_every_system_once_a_class(systems: int, slots: int) -> None:
    classes = design(systems, slots)
    assert len(classes) == (systems - 1) // (slots - 1)
    for one in classes:
        assert sorted(place for group in one for place in group) == list(range(systems))
    met = Counter(tuple(sorted(pair)) for one in classes for group in one for pair in combinations(group, 2))
    assert set(met.values()) == {1}
    assert len(met) == systems * (systems - 1) // 2


@given(systems=st.integers(2, 12), slots=st.integers(2, 5), documents=st.integers(1, 12), seed=st.integers(0, 2**32))
def test_every_system_is_on_a_screen_of_every_document_and_none_is_alone(
    systems: int, slots: int, documents: int, seed: int
) -> None:
    meetings = Meetings(slots, Random(seed))
    for _ in range(documents):
        groups = meetings.divide(range(systems))
        shown = Counter(system for group in groups for system in group)
        assert set(shown) == set(range(systems))
        assert sum(shown.values()) <= systems + 1
        assert all(1 < len(set(group)) == len(group) <= slots for group in groups)


@given(systems=st.sampled_from([(4, 2), (6, 2), (9, 3)]), rounds=st.integers(1, 3), seed=st.integers(0, 2**32))
def test_where_a_design_exists_all_pairs_meet_equally_often(systems: tuple[int, int], rounds: int, seed: int) -> None:
    count, slots = systems
    assert has_design(count, slots)
    documents = rounds * (count - 1) // (slots - 1)
    assert balance(documents, count, slots, seed=seed) == (rounds, rounds)


@given(systems=st.integers(4, 11), slots=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_elsewhere_they_meet_about_equally_often(systems: int, slots: int, seed: int) -> None:
    """Drawn at random, ten systems on screens of three meet from 1 to 16 times in 30 documents."""
    fewest, most = balance(30, systems, slots, seed=seed)
    assert most - fewest <= 4


@pytest.mark.parametrize("redundancy", [1, 2])
def test_a_plan_is_as_balanced_as_its_sums_say(redundancy: int) -> None:
    assignments = planned(
        complete([2] * 8, systems=9), slots_per_item=3, whole_documents=True, redundancy=redundancy, seed=5
    )
    met: Counter[tuple[int, int]] = Counter()
    for assignment in assignments:
        for screen in blocks(assignment):
            met.update(combinations(sorted({slot.system for item in screen for slot in item.slots}), 2))
    assert set(met.values()) == {2 * redundancy}
    options = PlanningOptions(slots_per_item=3, whole_documents=True, redundancy=redundancy)
    assert sums(PlanCounts(8, 16, 9), options).pairs == (2 * redundancy, 2 * redundancy)


def test_one_system_at_a_time_has_no_pairs() -> None:
    assert sums(PlanCounts(8, 16, 9), PlanningOptions(whole_documents=True)).pairs is None
