"""Repeats and degraded items: how many, of what, where, and that nothing about them but their text is special."""

from collections import Counter, defaultdict
from itertools import pairwise
from random import Random
from statistics import fmean
from typing import Any

from hypothesis import given

from annotation.planning.documents import PlanDocument, PlanSegment, systems_in
from annotation.planning.options import PlanningOptions
from annotation.planning.planned import PlannedAssignment, PlannedItem
from annotation.planning.planner import plan
from tests.annotation.plans import (
    any_documents,
    blocks,
    complete,
    controls,
    items_between,
    often,
    passes,
    planned,
    planning_options,
    seeds,
)

Shape = list[tuple[int, int | None, str, tuple[int, ...]]]


def shape_of(block: list[PlannedItem]) -> Shape:
    """What a block shows and asks, whatever its kind."""
    return [(item.document, item.segment, item.level, tuple(slot.system for slot in item.slots)) for item in block]


def control_blocks(assignment: PlannedAssignment) -> list[list[PlannedItem]]:
    return [block for block in blocks(assignment) if any(item.kind != "regular" for item in block)]


def kind_of(block: list[PlannedItem]) -> str:
    kinds = {item.kind for item in block if item.needs_judgment}
    return "degraded" if "degraded" in kinds else kinds.pop()


@often
@given(any_documents(), planning_options(), seeds)
def test_a_control_item_repeats_a_regular_item_of_its_assignment(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    for assignment in plan(documents, options, rng):
        for item in controls(assignment):
            assert item.original is not None
            original = assignment.items[item.original]
            assert (original.kind, original.original) == ("regular", None)
            assert shape_of([original]) == shape_of([item])


@often
@given(any_documents(), planning_options(), seeds)
def test_a_control_block_is_a_run_of_a_pass_and_contains_no_regular_item(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    place: dict[int | None, int] = {
        segment.id: place for document in documents for place, segment in enumerate(document.segments)
    }
    translated = {
        (document.id, system): [place for place, segment in enumerate(document.segments) if system in segment.outputs]
        for document in documents
        for system in systems_in(document)
    }
    for assignment in plan(documents, options, rng):
        once: dict[tuple[int, int], set[int]] = defaultdict(set)
        for item in (item for block in passes(assignment) for item in block if item.segment):
            for slot in item.slots:
                once[item.document, slot.system].add(place[item.segment])
        for block in control_blocks(assignment):
            shown = [place[item.segment] for item in block if item.segment]
            asked = {place[item.segment] for item in block if item.segment and item.needs_judgment}
            ways = {(block[0].document, slot.system) for item in block for slot in item.slots}
            # Rows of a pass of which none is judged are in none of its blocks, but may be read in a control block.
            wholes = [translated[way] for way in ways if asked <= once[way]]
            assert any(shown == own[start : start + len(shown)] for own in wholes for start in range(len(own)))
            assert all(item.kind != "regular" for item in block if item.needs_judgment)


@often
@given(any_documents(), planning_options(), seeds)
def test_no_block_has_two_control_blocks_of_one_kind(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    for assignment in plan(documents, options, rng):
        met = Counter((kind_of(block), item.original) for block in control_blocks(assignment) for item in block)
        assert max((count for (_, original), count in met.items() if original is not None), default=1) == 1


@often
@given(any_documents(), planning_options(), seeds)
def test_control_blocks_do_not_exceed_their_share(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    assignments = plan(documents, options, rng)
    shown = sum(len(passes(assignment)) for assignment in assignments) // options.redundancy
    met: Counter[str] = Counter(kind_of(block) for assignment in assignments for block in control_blocks(assignment))
    assert met["repeat"] <= int(shown * options.repeats_share + 0.5) * options.redundancy
    assert met["degraded"] <= int(shown * options.degraded_share + 0.5) * options.redundancy
    lone = [assignment for assignment in assignments if sum(item.needs_judgment for item in assignment.items) == 1]
    assert not any(controls(assignment) for assignment in lone)


def test_control_blocks_fill_their_share() -> None:
    assignments = planned(complete([6, 8] * 50, systems=4), repeats_share=0.1, degraded_share=0.05, redundancy=2)
    met = Counter(kind_of(block) for assignment in assignments for block in control_blocks(assignment))
    assert met == {"repeat": 80, "degraded": 40}


def test_over_a_campaign_control_segments_fill_their_share() -> None:
    assignments = planned(complete([8, 12, 5, 10, 15, 10] * 20, systems=5), repeats_share=0.1, degraded_share=0.05)
    met = Counter(item.kind for assignment in assignments for item in assignment.items)
    assert abs(met["repeat"] / met["regular"] - 0.1) < 0.01
    assert abs(met["degraded"] / met["regular"] - 0.05) < 0.01


def test_control_blocks_are_dealt_evenly() -> None:
    for seed in range(5):
        assignments = planned(complete([5] * 80, systems=4), items_per_assignment=50, repeats_share=0.1, seed=seed)
        counts = [len(control_blocks(assignment)) for assignment in assignments]
        assert set(counts) <= {0, 1, 2}
        assert counts.count(1) >= 0.8 * len(counts)


def test_the_length_of_an_assignment_does_not_reveal_its_number_of_control_items() -> None:
    lengths = {True: list[int](), False: list[int]()}
    for seed in range(20):
        for assignment in planned(
            complete([2, 5, 8] * 20, systems=2), items_per_assignment=40, repeats_share=0.06, seed=seed
        ):
            lengths[bool(controls(assignment))].append(sum(item.needs_judgment for item in assignment.items))
    assert len(lengths[True]) > 50 < len(lengths[False])
    assert abs(fmean(lengths[True]) - fmean(lengths[False])) < 1.5


def test_every_place_of_an_assignment_is_equally_likely_to_be_repeated() -> None:
    places: Counter[int] = Counter()
    for seed in range(300):
        [assignment] = planned(complete([5] * 10, systems=1), repeats_share=0.2, seed=seed)
        places.update(number for number, block in enumerate(blocks(assignment)) if kind_of(block) == "repeat")
    assert len(places) == 12
    assert max(abs(count - 50) for count in places.values()) < 25  # 600 over 12 places: 3.7 standard deviations


def test_a_control_item_comes_before_as_often_as_after_its_original() -> None:
    variants: list[dict[str, Any]] = [{"repeats_share": 0.1}, {"degraded_share": 0.1}]
    for options in variants:
        assignments = planned(complete([10] * 200, systems=4), **options)
        first = [
            item.original is not None and index < item.original
            for assignment in assignments
            for index, item in enumerate(assignment.items)
            if item.kind != "regular"
        ]
        assert 0.35 < fmean(first) < 0.65


def looks_of(block: list[PlannedItem]) -> str:
    return "".join("s" if item.needs_judgment else "-" for item in block)


def test_control_blocks_have_every_look_of_regular_ones_as_often_in_proportion() -> None:
    shown: Counter[str] = Counter()
    again: Counter[str] = Counter()
    for assignment in planned(
        complete([2, 4, 6, 8, 15, 15, 15] * 100, systems=4), repeats_share=0.1, degraded_share=0.1
    ):
        shown.update(map(looks_of, passes(assignment)))
        again.update(map(looks_of, control_blocks(assignment)))
    frequent = [look for look, count in shown.items() if count >= 100]
    assert {"s" * 2, "s" * 8, "--" + "s" * 6} <= set(frequent)
    assert all(abs(again[look] / shown[look] - 0.2) < 0.07 for look in frequent)
    assert set(again) <= set(shown)


def test_the_longest_blocks_of_an_assignment_are_repeated_as_often() -> None:
    longest: Counter[bool] = Counter()
    for seed in range(30):
        for assignment in planned(complete([2, 4, 6, 8, 11, 14] * 10, systems=4), repeats_share=0.2, seed=seed):
            length = max(len(looks_of(block)) for block in blocks(assignment))
            longest.update(
                kind_of(block) != "regular" for block in blocks(assignment) if len(looks_of(block)) == length
            )
    assert 0.12 < longest[True] / longest.total() < 0.21  # one of six blocks is asked again


def test_in_assignments_of_usual_size_control_items_are_far_from_their_originals() -> None:
    assignments = planned(
        complete([8, 12, 5, 10, 15, 10] * 10, systems=5), redundancy=2, repeats_share=0.1, degraded_share=0.1
    )
    planted = [
        (assignment, index, item.original)
        for assignment in assignments
        for index, item in enumerate(assignment.items)
        if item.original is not None
    ]
    assert len(planted) > 1000
    assert min(items_between(*where) for where in planted) >= 10


def test_copies_of_a_block_do_not_stand_beside_it_while_there_are_others() -> None:
    for assignment in planned(complete([10] * 50, systems=4), repeats_share=0.1, degraded_share=0.1):
        documents = [block[0].document for block in blocks(assignment)]
        assert all(one != other for one, other in pairwise(documents))


def test_repeats_and_degraded_items_share_no_original_while_there_are_enough() -> None:
    for assignment in planned(complete([10] * 20, systems=2), repeats_share=0.3, degraded_share=0.3):
        originals = [item.original for item in controls(assignment)]
        assert len(set(originals)) == len(originals)


def test_a_text_that_cannot_be_degraded_is_repeated_and_never_alone() -> None:
    documents = [
        PlanDocument(
            number, [PlanSegment(number * 10 + line, {1: line}, {1} if line or number > 5 else ()) for line in range(4)]
        )
        for number in range(1, 11)
    ]
    [assignment] = planned(documents, degraded_share=0.5)
    damaged = control_blocks(assignment)
    assert sorted(block[0].document for block in damaged) == [1, 2, 3, 4, 5]
    assert all([item.kind for item in block] == ["degraded", "repeat", "repeat", "repeat"] for block in damaged)


def test_the_score_of_a_document_is_repeated_with_its_segments() -> None:
    assignments = planned(complete([4] * 20, systems=2), document_scores=True, repeats_share=0.2, degraded_share=0.2)
    for assignment in assignments:
        for block in control_blocks(assignment):
            assert [item.level for item in block] == ["segment"] * 4 + ["document"]
            assert {item.kind for item in block} in ({"repeat"}, {"degraded"})


def test_with_control_items_a_long_document_is_judged_in_blocks_with_context() -> None:
    assignments = planned(complete([30, 4, 4], systems=1), items_per_assignment=100, repeats_share=0.2)
    looks = sorted(
        ([item.segment or 0 for item in block], looks_of(block))
        for assignment in assignments
        for block in passes(assignment)
        if block[0].document == 1
    )
    segments = [
        segment for segments, look in looks for segment, mark in zip(segments, look, strict=True) if mark == "s"
    ]
    assert segments == list(range(1001, 1031))
    assert "-" not in looks[0][1]
    assert all(look.startswith("--s") and "-" not in look[2:] for _, look in looks[1:])
    assert max(look.count("s") for _, look in looks) <= 12


def test_blocks_are_a_quarter_of_a_small_assignment_at_most() -> None:
    assignments = planned(complete([12, 3] * 8, systems=1), items_per_assignment=12, repeats_share=0.2)
    lengths = {len([item for item in block if item.needs_judgment]) for one in assignments for block in blocks(one)}
    assert lengths <= {1, 2, 3}
    assert max(sum(item.needs_judgment for item in one.items) for one in assignments) <= 14


def test_without_control_items_and_where_documents_are_scored_documents_stay_whole() -> None:
    variants: list[dict[str, Any]] = [{}, {"repeats_share": 0.5, "document_scores": True}]
    for options in variants:
        for assignment in planned(complete([40, 20], systems=1), **options):
            assert all(
                len({item.segment for item in block if item.segment}) in {20, 40} for block in passes(assignment)
            )
