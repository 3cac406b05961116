"""Test sets for planning, and ways to read a plan that do not rely on how it was made."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import count, groupby
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from annotation.planning.documents import PlanDocument, PlanSegment, systems_in
from annotation.planning.options import PlanningOptions
from annotation.planning.planned import PlannedAssignment, PlannedItem
from annotation.planning.planner import plan
from annotation.planning.sums import PlanCounts, PlanSums


def complete(lengths: Iterable[int], *, systems: int) -> list[PlanDocument]:
    """Documents of these lengths; every system translated every segment in its own way."""
    ids = count(1001)
    own = {system: system for system in range(1, systems + 1)}
    return [
        PlanDocument(
            number,
            [PlanSegment(next(ids), own) for _ in range(length)],
        )
        for number, length in enumerate(lengths, start=1)
    ]


def document(*outputs: dict[int, str], number: int = 1) -> PlanDocument:
    return PlanDocument(number, [PlanSegment(number * 100 + line, keys) for line, keys in enumerate(outputs)])


def planned(documents: Sequence[PlanDocument], *, seed: int = 1, **options: Any) -> list[PlannedAssignment]:
    return plan(documents, PlanningOptions(**options), Random(seed))


@st.composite
def any_documents(draw: st.DrawFn) -> list[PlanDocument]:
    """Few texts, so that identical outputs abound; some are missing; at least one is there."""
    systems = list(range(1, draw(st.integers(1, 5)) + 1))
    outputs = st.dictionaries(st.sampled_from(systems), st.sampled_from("xyz"))
    shapes = draw(st.lists(st.lists(outputs, min_size=1, max_size=5), min_size=1, max_size=6))
    shapes[0][0] = {systems[0]: "x", **shapes[0][0]}
    return [document(*shape, number=number) for number, shape in enumerate(shapes, start=1)]


def planning_options(**fixed: Any) -> st.SearchStrategy[PlanningOptions]:
    free: dict[str, st.SearchStrategy[Any]] = {
        "redundancy": st.integers(1, 3),
        "items_per_assignment": st.integers(2, 20),
        "repeats_share": st.sampled_from([0, 0.1, 0.5, 1]),
        "degraded_share": st.sampled_from([0, 0.1, 0.5, 1]),
        "document_scores": st.booleans(),
    }
    chosen = {name: values for name, values in free.items() if name not in fixed}
    return st.builds(PlanningOptions, **chosen, **{name: st.just(value) for name, value in fixed.items()})


often = settings(max_examples=12, deadline=None)  # a busy machine is no failure
seeds = st.integers(0, 1000).map(Random)


def regular(assignment: PlannedAssignment) -> list[PlannedItem]:
    """The regular segments asked."""
    return [item for item in assignment.items if item.kind == "regular" and item.level == "segment"]


def controls(assignment: PlannedAssignment) -> list[PlannedItem]:
    return [item for item in assignment.items if item.kind != "regular"]


def blocks(assignment: PlannedAssignment) -> list[list[PlannedItem]]:
    return [list(items) for _, items in groupby(assignment.items, lambda item: item.block)]


def passes(assignment: PlannedAssignment) -> list[list[PlannedItem]]:
    """The blocks that are documents, not control items."""
    return [block for block in blocks(assignment) if all(item.kind == "regular" for item in block)]


def regular_outputs(assignment: PlannedAssignment) -> Counter[tuple[int | None, tuple[int, ...]]]:
    return Counter((item.segment, slot.credited) for item in regular(assignment) for slot in item.slots)


def items_between(assignment: PlannedAssignment, one: int, other: int) -> int:
    low, high = sorted((one, other))
    return sum(item.needs_judgment for item in assignment.items[low + 1 : high])


def counts_of(documents: Sequence[PlanDocument]) -> PlanCounts:
    """A test set in numbers, identical outputs counted once."""
    return PlanCounts(
        documents=len(documents),
        segments=sum(len(document.segments) for document in documents),
        systems=len({system for document in documents for system in systems_in(document)}),
        outputs=sum(len(set(segment.outputs.values())) for document in documents for segment in document.segments),
        lengths=tuple(len(document.segments) for document in documents),
    )


def sums_of_plan(assignments: Sequence[PlannedAssignment]) -> PlanSums:
    """The sums of a finished plan; all are exact."""
    first_round = [item for assignment in assignments if assignment.round == 0 for item in assignment.items]
    items = [item for assignment in assignments for item in assignment.items if item.needs_judgment]
    regular = [item for item in items if item.kind == "regular"]
    return PlanSums(
        outputs=sum(item.level == "segment" and item.kind == "regular" for item in first_round),
        judgments=sum(item.level == "segment" for item in regular),
        repeats=sum(item.kind == "repeat" for item in items),
        degraded=sum(item.kind == "degraded" for item in items),
        document_scores=sum(item.level == "document" for item in regular),
        total=len(items),
        assignments=len(assignments),
        is_exact=True,
        fewest_annotators=max(Counter(assignment.content for assignment in assignments).values(), default=1),
    )
