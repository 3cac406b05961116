"""What every plan must hold, whatever the test set and the wishes."""

import subprocess
import sys
from collections import Counter
from random import Random

from hypothesis import given

from annotation.planning.documents import PlanDocument, PlanSegment
from annotation.planning.options import PlanningOptions
from annotation.planning.planner import plan
from tests.annotation.plans import (
    any_documents,
    blocks,
    complete,
    often,
    passes,
    planned,
    planning_options,
    regular,
    regular_outputs,
    seeds,
)


def distinct_outputs(documents: list[PlanDocument]) -> Counter[tuple[int | None, tuple[int, ...]]]:
    """Each distinct output once, as its segment with all the systems that wrote it."""
    counts: Counter[tuple[int | None, tuple[int, ...]]] = Counter()
    for document in documents:
        for segment in document.segments:
            for key in set(segment.outputs.values()):
                same = sorted(system for system, other in segment.outputs.items() if other == key)
                counts[(segment.id, tuple(same))] += 1
    return counts


@often
@given(any_documents(), planning_options(), seeds)
def test_each_round_asks_each_distinct_output_once_and_credits_all_who_wrote_it(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    plan_made = plan(documents, options, rng)
    for number in range(options.redundancy):
        shown: Counter[tuple[int | None, tuple[int, ...]]] = Counter()
        for assignment in plan_made:
            if assignment.round == number:
                shown += regular_outputs(assignment)
        assert shown == distinct_outputs(documents)


@often
@given(any_documents(), planning_options(), seeds)
def test_what_is_shown_is_one_of_the_systems_credited(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    for assignment in plan(documents, options, rng):
        for item in assignment.items:
            assert [slot.label for slot in item.slots] == ["A"]
            assert item.slots[0].system in item.slots[0].credited


@often
@given(any_documents(), planning_options(document_scores=True), seeds)
def test_a_document_stays_whole_and_in_order_and_with_one_system(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    by_id = {document.id: document for document in documents}
    for assignment in plan(documents, options, rng):
        for block in passes(assignment):
            systems = {item.slots[0].system for item in block}
            assert len(systems) == 1
            expected = [
                segment.id for segment in by_id[block[0].document].segments if systems <= segment.outputs.keys()
            ]
            assert [item.segment for item in block if item.segment is not None] == expected


@often
@given(any_documents(), planning_options(), seeds)
def test_no_pass_has_nothing_to_ask(documents: list[PlanDocument], options: PlanningOptions, rng: Random) -> None:
    for assignment in plan(documents, options, rng):
        assert all(any(item.needs_judgment for item in block) for block in blocks(assignment))


@often
@given(any_documents(), planning_options(), seeds)
def test_no_assignment_exceeds_the_limit_unless_one_document_does(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    shares = options.repeats_share + options.degraded_share
    for assignment in plan(documents, options, rng):
        size = len(regular(assignment))
        asking = [block for block in passes(assignment) if any(item.level == "segment" for item in block)]
        assert size <= int(options.items_per_assignment * (1 + shares) + 0.5) or len(asking) == 1


@often
@given(any_documents(), planning_options(), seeds)
def test_blocks_are_numbered_from_one_without_gap_and_hold_one_document(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    for assignment in plan(documents, options, rng):
        numbers = [block[0].block for block in blocks(assignment)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert all(len({item.document for item in block}) == 1 for block in blocks(assignment))


@often
@given(any_documents(), planning_options(), seeds)
def test_assignments_of_one_content_ask_the_same_and_of_different_contents_nothing_in_common(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    by_content: dict[int, list[Counter[tuple[int | None, tuple[int, ...]]]]] = {}
    for assignment in plan(documents, options, rng):
        by_content.setdefault(assignment.content, []).append(regular_outputs(assignment))
    assert all(same == [same[0]] * options.redundancy for same in by_content.values())
    assert max(sum((same[0] for same in by_content.values()), Counter()).values(), default=1) == 1


@often
@given(any_documents(), planning_options(), seeds)
def test_a_round_contains_every_content_once_and_rounds_follow_each_other(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    plan_made = plan(documents, options, rng)
    rounds = [assignment.round for assignment in plan_made]
    assert rounds == sorted(rounds)
    for number in range(options.redundancy):
        contents = sorted(assignment.content for assignment in plan_made if assignment.round == number)
        assert contents == list(range(len(plan_made) // options.redundancy))


@often
@given(any_documents(), planning_options())
def test_the_same_seed_gives_the_same_plan(documents: list[PlanDocument], options: PlanningOptions) -> None:
    assert plan(documents, options, Random(7)) == plan(documents, options, Random(7))


@often
@given(any_documents(), planning_options())
def test_the_order_of_the_systems_changes_nothing(documents: list[PlanDocument], options: PlanningOptions) -> None:
    turned = [
        PlanDocument(
            document.id, [PlanSegment(one.id, dict(reversed(list(one.outputs.items())))) for one in document.segments]
        )
        for document in documents
    ]
    assert plan(turned, options, Random(7)) == plan(documents, options, Random(7))


def test_another_seed_gives_another_plan() -> None:
    documents = complete([5] * 6, systems=3)
    assert planned(documents, seed=1) != planned(documents, seed=2)


def test_rounds_differ_in_the_order_of_documents() -> None:
    first, second = planned(complete([3] * 12, systems=1), redundancy=2)
    assert [item.segment for item in first.items] != [item.segment for item in second.items]


def test_rounds_hand_out_the_contents_in_different_orders() -> None:
    contents = [one.content for one in planned(complete([3] * 12, systems=1), redundancy=2, items_per_assignment=3)]
    assert contents[:12] != contents[12:]


def test_planning_and_damage_need_no_django() -> None:
    modules = "annotation.planning.planner, annotation.planning.sums, annotation.planning.degraded_text"
    code = f"import sys, {modules}; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
