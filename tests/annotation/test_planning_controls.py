"""Repeats and degraded items: how many, of what, where, and that nothing about them but their text is special."""

from collections import Counter
from itertools import pairwise
from random import Random
from statistics import fmean

from hypothesis import given

from annotation.planning import PlanDocument, PlannedAssignment, PlannedItem, PlanningOptions, PlanSegment, plan
from annotation.planning.controls import spread_evenly
from tests.annotation.plans import (
    any_documents,
    asked_between,
    blocks,
    complete,
    controls,
    often,
    passes,
    planned,
    regular,
    seeds,
    wishes,
)

Shape = list[tuple[int, int | None, str, tuple[int, ...]]]


def shape_of(block: list[PlannedItem]) -> Shape:
    """What a block shows and asks, whatever its kind."""
    return [(item.document, item.segment, item.level, tuple(slot.system for slot in item.slots)) for item in block]


def asked_again(assignment: PlannedAssignment) -> list[list[PlannedItem]]:
    return [block for block in blocks(assignment) if any(item.kind != "regular" for item in block)]


def kind_of(block: list[PlannedItem]) -> str:
    kinds = {item.kind for item in block if item.is_asked}
    return "degraded" if "degraded" in kinds else kinds.pop()


@often
@given(any_documents(), wishes(), seeds)
def test_a_control_item_stands_for_a_regular_item_of_its_assignment(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    for assignment in plan(documents, options, rng):
        for item in controls(assignment):
            assert item.original is not None
            original = assignment.items[item.original]
            assert (original.kind, original.original) == ("regular", None)
            assert shape_of([original]) == shape_of([item])


@often
@given(any_documents(), wishes(), seeds)
def test_what_is_asked_again_is_a_whole_block_and_no_block_twice_in_one_way(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    for assignment in plan(documents, options, rng):
        once = [shape_of(block) for block in passes(assignment)]
        again = [(kind_of(block), shape_of(block)) for block in asked_again(assignment)]
        assert all(shape in once for _, shape in again)
        assert all(again.count(each) == 1 for each in again)
        assert all(item.kind != "regular" for block in asked_again(assignment) for item in block if item.is_asked)


@often
@given(any_documents(), wishes(), seeds)
def test_shares_of_the_blocks_hold_over_the_campaign(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    assignments = plan(documents, options, rng)
    shown = sum(len(passes(assignment)) for assignment in assignments) // options.redundancy
    met: Counter[str] = Counter(kind_of(block) for assignment in assignments for block in asked_again(assignment))
    lone = [assignment for assignment in assignments if sum(item.is_asked for item in assignment.items) == 1]
    for kind, share in (("repeat", options.repeats_share), ("degraded", options.degraded_share)):
        wanted = int(shown * share + 0.5) * options.redundancy
        assert met[kind] <= wanted + options.redundancy
        if not lone and not (kind == "degraded" and options.document_scores):  # a score alone cannot be damaged
            assert met[kind] >= wanted
    assert not any(controls(assignment) for assignment in lone)


def test_over_a_campaign_segments_are_asked_again_in_the_share_asked_for() -> None:
    assignments = planned(complete([8, 12, 5, 10, 15, 10] * 20, systems=5), repeats_share=0.1, degraded_share=0.05)
    met = Counter(item.kind for assignment in assignments for item in assignment.items)
    assert abs(met["repeat"] / met["regular"] - 0.1) < 0.01
    assert abs(met["degraded"] / met["regular"] - 0.05) < 0.01


def test_assignments_differ_by_one_control_block_at_most() -> None:
    for assignments in (
        planned(
            complete([5] * 40, systems=2), items_per_assignment=20, repeats_share=0.1, degraded_share=0.1, seed=seed
        )
        for seed in range(5)
    ):
        counts = [Counter(kind_of(block) for block in asked_again(assignment)) for assignment in assignments]
        for kind in ("repeat", "degraded"):
            assert {count[kind] for count in counts} == {0, 1}


def test_the_length_of_an_assignment_does_not_tell_how_many_control_items_it_holds() -> None:
    lengths = {True: list[int](), False: list[int]()}
    for seed in range(20):
        for assignment in planned(
            complete([5] * 40, systems=2), items_per_assignment=40, repeats_share=0.06, seed=seed
        ):
            lengths[bool(controls(assignment))].append(sum(item.is_asked for item in assignment.items))
    assert len(lengths[True]) > 50 < len(lengths[False])
    assert abs(fmean(lengths[True]) - fmean(lengths[False])) < 1


def test_every_place_of_an_assignment_is_as_likely_to_be_asked_again() -> None:
    places: Counter[int] = Counter()
    for seed in range(300):
        [assignment] = planned(complete([5] * 10, systems=1), repeats_share=0.2, seed=seed)
        places.update(number for number, block in enumerate(blocks(assignment)) if kind_of(block) == "repeat")
    assert len(places) == 12
    assert max(abs(count - 50) for count in places.values()) < 25  # 600 over 12 places: 3.7 standard deviations


def test_a_control_item_comes_before_as_often_as_after_its_original() -> None:
    for kind in ("repeats_share", "degraded_share"):
        assignments = planned(complete([10] * 200, systems=4), **{kind: 0.1})
        first = [
            item.original is not None and index < item.original
            for assignment in assignments
            for index, item in enumerate(assignment.items)
            if item.kind != "regular"
        ]
        assert 0.35 < fmean(first) < 0.65


def test_long_blocks_are_asked_again_as_often_as_short_ones() -> None:
    shown: Counter[int] = Counter()
    again: Counter[int] = Counter()
    for assignment in planned(complete([3, 9] * 300, systems=4), repeats_share=0.1, degraded_share=0.1):
        shown.update(map(len, passes(assignment)))
        again.update(map(len, asked_again(assignment)))
    assert set(again) == {3, 9}
    assert abs(again[3] / shown[3] - again[9] / shown[9]) < 0.05


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
    assert min(asked_between(*where) for where in planted) >= 10


def test_copies_of_a_block_do_not_stand_beside_it_while_there_are_others() -> None:
    for assignment in planned(complete([10] * 50, systems=4), repeats_share=0.1, degraded_share=0.1):
        documents = [block[0].document for block in blocks(assignment)]
        assert all(one != other for one, other in pairwise(documents))


def test_repeats_and_degraded_items_share_no_original_while_there_are_enough() -> None:
    for assignment in planned(complete([10] * 20, systems=2), repeats_share=0.3, degraded_share=0.3):
        originals = [item.original for item in controls(assignment)]
        assert len(set(originals)) == len(originals)


def test_what_cannot_be_degraded_is_asked_again_as_it_is_and_never_alone() -> None:
    documents = [
        PlanDocument(
            number, [PlanSegment(number * 10 + line, {1: line}, {1} if line or number > 5 else ()) for line in range(4)]
        )
        for number in range(1, 11)
    ]
    [assignment] = planned(documents, degraded_share=0.5)
    damaged = asked_again(assignment)
    assert sorted(block[0].document for block in damaged) == [1, 2, 3, 4, 5]
    assert all([item.kind for item in block] == ["degraded", "repeat", "repeat", "repeat"] for block in damaged)


def test_the_score_of_a_document_is_asked_again_with_its_segments() -> None:
    assignments = planned(complete([4] * 20, systems=2), document_scores=True, repeats_share=0.2, degraded_share=0.2)
    for assignment in assignments:
        for block in asked_again(assignment):
            assert [item.level for item in block] == ["segment"] * 4 + ["document"]
            assert {item.kind for item in block} in ({"repeat"}, {"degraded"})


def test_a_long_document_is_judged_in_excerpts_with_their_neighbours_where_control_items_are_planned() -> None:
    assignments = planned(complete([30, 4, 4], systems=1), items_per_assignment=100, repeats_share=0.2)
    found = sorted(
        ([item.level for item in block], [item.segment for item in block])
        for assignment in assignments
        for block in passes(assignment)
        if block[0].document == 1
    )
    asked = [
        segment
        for levels, segments in found
        for level, segment in zip(levels, segments, strict=True)
        if level == "segment"
    ]
    assert sorted(asked) == list(range(1001, 1031))
    assert sorted([levels.count("segment"), levels.count("context")] for levels, _ in found) == [
        [10, 2],
        [10, 2],
        [10, 4],
    ]
    assert all(segments == sorted(segments) for _, segments in found)


def test_an_excerpt_is_a_quarter_of_a_small_assignment_at_most() -> None:
    assignments = planned(complete([12] * 4, systems=1), items_per_assignment=12, repeats_share=0.2)
    assert {len([item for item in block if item.is_asked]) for one in assignments for block in blocks(one)} == {3}
    assert {len(regular(one)) for one in assignments} <= {9, 12}


def test_without_control_items_and_where_documents_are_scored_documents_stay_whole() -> None:
    for options in ({}, {"repeats_share": 0.5, "document_scores": True}):
        for assignment in planned(complete([40, 20], systems=1), **options):
            assert all(
                len({item.segment for item in block if item.segment}) in {20, 40} for block in passes(assignment)
            )


def test_spreading_is_even_and_keeps_within_what_each_can_take() -> None:
    assert sorted(spread_evenly(7, [9, 9, 9], Random(1))) == [2, 2, 3]
    assert spread_evenly(7, [1, 0, 9], Random(1)) == [1, 0, 6]
    assert spread_evenly(7, [1, 2], Random(1)) == [1, 2]
    assert spread_evenly(0, [], Random(1)) == []
