"""Repeats and degraded items: how many, of what, and how far from their originals."""

from collections import Counter
from itertools import pairwise
from random import Random

from hypothesis import given

from annotation.planning import PlanDocument, PlanningOptions, PlanSegment, plan
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


@often
@given(any_documents(), wishes(), seeds)
def test_a_control_item_stands_for_a_regular_segment_of_its_assignment(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    for assignment in plan(documents, options, rng):
        for item in controls(assignment):
            assert item.original is not None
            original = assignment.items[item.original]
            assert (original.kind, original.level, original.original) == ("regular", "segment", None)
            assert (original.document, original.segment, original.slots) == (item.document, item.segment, item.slots)


@often
@given(any_documents(), wishes(), seeds)
def test_no_segment_is_repeated_or_degraded_twice_in_an_assignment(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    for assignment in plan(documents, options, rng):
        assert max(Counter((item.kind, item.original) for item in controls(assignment)).values(), default=1) == 1


@often
@given(any_documents(), wishes(), seeds)
def test_a_repeat_follows_its_original(documents: list[PlanDocument], options: PlanningOptions, rng: Random) -> None:
    for assignment in plan(documents, options, rng):
        for index, item in enumerate(assignment.items):
            assert item.kind != "repeat" or (item.original is not None and item.original < index)


@often
@given(any_documents(), wishes(), seeds)
def test_a_control_item_is_shown_between_its_neighbours_as_context(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    for assignment in plan(documents, options, rng):
        whole = {(block[0].document, block[0].slots[0].system): block for block in passes(assignment)}
        for block in blocks(assignment):
            [*planted] = [item for item in block if item.kind != "regular"]
            if planted:
                [control] = planted
                segments = [item for item in whole[control.document, control.slots[0].system] if item.segment]
                line = [item.segment for item in segments].index(control.segment)
                around = segments[max(0, line - 1) : line + 2]
                assert [item.segment for item in block] == [item.segment for item in around]
                assert all(item.level == "context" for item in block if item is not control)


@often
@given(any_documents(), wishes(), seeds)
def test_shares_hold_over_the_campaign_but_for_lone_segments(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    assignments = plan(documents, options, rng)
    asked = sum(len(regular(assignment)) for assignment in assignments)
    met: Counter[str] = Counter(item.kind for assignment in assignments for item in controls(assignment))
    for kind, share in (("repeat", options.repeats_share), ("degraded", options.degraded_share)):
        wanted = int(asked * share + 0.5)
        assert met[kind] <= wanted
        if all(len(regular(assignment)) > 1 for assignment in assignments):
            assert met[kind] == wanted
    assert all(not controls(assignment) for assignment in assignments if len(regular(assignment)) == 1)


def test_remainders_are_carried_from_assignment_to_assignment() -> None:
    assignments = planned(complete([5] * 8, systems=1), items_per_assignment=5, repeats_share=0.1)
    assert sorted(len(controls(assignment)) for assignment in assignments) == [0] * 4 + [1] * 4


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
    assert len(planted) == 2 * 600
    assert min(asked_between(*where) for where in planted) >= 10


def test_in_small_assignments_control_items_are_as_far_away_as_they_can_be() -> None:
    [assignment] = planned(complete([3, 3], systems=1), repeats_share=0.17)
    [repeat] = controls(assignment)
    assert repeat.original == 0
    assert repeat is next(item for item in assignment.items[6:] if item.is_asked)


def test_degraded_items_come_before_as_well_as_after_their_originals() -> None:
    assignments = planned(complete([10] * 50, systems=4), degraded_share=0.1)
    ahead = [
        item.original is not None and index < item.original
        for assignment in assignments
        for index, item in enumerate(assignment.items)
        if item.kind == "degraded"
    ]
    assert 0.2 < sum(ahead) / len(ahead) < 0.8


def test_control_items_do_not_stand_beside_the_document_they_come_from() -> None:
    for assignment in planned(complete([10] * 50, systems=4), repeats_share=0.1, degraded_share=0.1):
        documents = [block[0].document for block in blocks(assignment)]
        assert all(one != other for one, other in pairwise(documents))


def test_a_document_is_not_followed_by_its_own_segments_again_while_others_have_enough() -> None:
    [assignment] = planned(complete([30, 30], systems=1), repeats_share=0.1)
    first = passes(assignment)[0]
    assert {item.document for item in controls(assignment)} == {first[0].document}
    assert {block[0].document for block in blocks(assignment)[2:]} == {first[0].document}


def test_any_segment_of_a_document_may_be_an_original() -> None:
    lines = Counter(
        item.segment % 10
        for assignment in planned(complete([10] * 100, systems=4), repeats_share=0.1, degraded_share=0.1)
        for item in controls(assignment)
        if item.segment is not None
    )
    assert len(lines) == 10
    assert min(lines.values()) > 40


def test_control_items_are_spread_over_systems_and_documents() -> None:
    assignments = planned(complete([10] * 50, systems=5), degraded_share=0.1)
    for assignment in assignments:
        documents = Counter(item.document for item in controls(assignment))
        assert max(documents.values()) == 1
        assert Counter(item.slots[0].system for item in controls(assignment)) == dict.fromkeys(range(1, 6), 2)


def test_repeats_and_degraded_items_share_no_original_while_there_are_enough() -> None:
    for assignment in planned(complete([10] * 20, systems=2), repeats_share=0.3, degraded_share=0.3):
        originals = [item.original for item in controls(assignment)]
        assert len(set(originals)) == len(originals)


def test_what_cannot_be_degraded_is_no_original_of_a_degraded_item() -> None:
    documents = [
        PlanDocument(number, [PlanSegment(number * 10 + line, {1: line}, {1} if line else ()) for line in range(4)])
        for number in range(1, 11)
    ]
    [assignment] = planned(documents, degraded_share=0.25, repeats_share=0.5)
    degraded = [item for item in controls(assignment) if item.kind == "degraded"]
    assert len(degraded) == 10
    assert all(item.segment is not None and item.segment % 10 == 0 for item in degraded)


def test_an_assignment_of_one_long_document_gets_its_control_items_at_its_end() -> None:
    [assignment] = planned(complete([60], systems=1), items_per_assignment=10, repeats_share=0.1, degraded_share=0.1)
    assert len(controls(assignment)) == 12
    for index, item in enumerate(assignment.items):
        assert item.original is None or asked_between(assignment, index, item.original) >= 10
