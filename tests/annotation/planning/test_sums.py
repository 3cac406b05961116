"""What a plan adds up to, guessed and counted."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.planning.documents import PlanDocument
from annotation.planning.options import PlanningError, PlanningOptions
from annotation.planning.planner import plan
from annotation.planning.sums import PlanCounts, sums
from tests.annotation.plans import (
    any_documents,
    complete,
    counts_of,
    document,
    often,
    planning_options,
    seeds,
    sums_of_plan,
)


def test_the_sums_of_the_usual_campaign() -> None:
    options = PlanningOptions(redundancy=2, systems_per_segment=4, repeats_share=0.1, degraded_share=0.1)
    guess = sums(PlanCounts(documents=120, segments=1200, systems=8), options)
    assert (guess.outputs, guess.judgments, guess.repeats, guess.degraded) == (4800, 9600, 960, 960)
    assert (guess.total, guess.assignments, guess.is_exact) == (11520, 96, False)


@often
@given(
    st.lists(st.integers(2, 9), min_size=1, max_size=12),
    st.integers(1, 5),
    planning_options(document_scores=True),
    seeds,
)
def test_of_complete_any_documents_without_identical_outputs_all_that_counts_is_exact(
    lengths: list[int], systems: int, options: PlanningOptions, rng: Random
) -> None:
    documents = complete(lengths, systems=systems)
    guess = sums(PlanCounts(len(lengths), sum(lengths), systems, lengths=tuple(lengths)), options)
    counted = sums_of_plan(plan(documents, options, rng))
    for name in ("outputs", "judgments", "document_scores"):
        assert getattr(guess, name) == getattr(counted, name)
    assert guess.assignments / 3 <= counted.assignments <= guess.assignments * 1.5 + 3


@often
@given(any_documents(), planning_options(), seeds)
def test_with_the_documents_known_the_judgments_are_exact(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    guess, counted = sums(counts_of(documents), options), sums_of_plan(plan(documents, options, rng))
    assert (guess.outputs, guess.judgments) == (counted.outputs, counted.judgments)


def test_identical_outputs_are_counted_once() -> None:
    counts = counts_of([document({1: "a", 2: "a", 3: "b"}, {1: "c"})])
    assert counts == PlanCounts(documents=1, segments=2, systems=3, outputs=3, lengths=(2,))


def test_a_plan_knows_its_sums() -> None:
    options = PlanningOptions(redundancy=2, repeats_share=0.1, degraded_share=0.05, document_scores=True)
    counted = sums_of_plan(plan(complete([10] * 8, systems=5), options, Random(1)))
    assert (counted.outputs, counted.judgments, counted.repeats, counted.degraded) == (400, 800, 88, 44)
    assert (counted.document_scores, counted.total, counted.assignments) == (80, 1012, 10)
    assert counted.is_exact


def test_control_items_are_guessed_well_where_blocks_are_of_any_length() -> None:
    rng = Random(5)
    lengths = [rng.randrange(2, 30) for _ in range(200)]
    options = PlanningOptions(redundancy=2, repeats_share=0.1, degraded_share=0.05)
    guess = sums(PlanCounts(len(lengths), sum(lengths), 4, lengths=tuple(lengths)), options)
    counted = sums_of_plan(plan(complete(lengths, systems=4), options, rng))
    for name in ("repeats", "degraded", "total", "assignments"):
        assert getattr(guess, name) == pytest.approx(getattr(counted, name), rel=0.1)


def test_the_number_of_assignments_is_near_the_truth_for_documents_of_all_lengths() -> None:
    rng = Random(5)
    documents = complete([rng.randrange(1, 30) for _ in range(200)], systems=6)
    options = PlanningOptions(redundancy=2)
    guess, counted = sums(counts_of(documents), options), sums_of_plan(plan(documents, options, rng))
    assert guess.assignments == pytest.approx(counted.assignments, rel=0.03)


def test_documents_without_segments_need_no_assignment() -> None:
    counts = PlanCounts(documents=3, segments=4, systems=1, lengths=(0, 4, 0))
    assert sums(counts, PlanningOptions(items_per_assignment=2)).assignments == 1


def test_side_by_side_comparisons_are_counted() -> None:
    options = PlanningOptions(slots_per_item=2)
    documents = complete([5] * 4, systems=5)
    guess, counted = sums(counts_of(documents), options), sums_of_plan(plan(documents, options, Random(1)))
    assert guess.outputs == counted.outputs == 60
    assert guess.assignments == counted.assignments


@pytest.mark.parametrize("counts", [PlanCounts(0, 0, 0), PlanCounts(3, 0, 2), PlanCounts(1, 2, 0), PlanCounts(2, 2, 1)])
def test_an_empty_test_set_adds_up_to_nothing_and_documents_without_segments_do_not_matter(counts: PlanCounts) -> None:
    guess = sums(counts, PlanningOptions())
    assert guess.total == counts.segments * counts.systems
    assert guess.assignments == (1 if guess.total else 0)


def test_sums_refuse_what_a_plan_would_refuse() -> None:
    with pytest.raises(PlanningError, match="only 8 systems"):
        sums(PlanCounts(120, 1200, 8), PlanningOptions(systems_per_segment=9))
