"""The sums of a plan, before it is made and after."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.planning.controls import rounded_share
from annotation.planning.documents import PlanDocument, in_runs, systems_in
from annotation.planning.options import PlanningOptions, check_options
from annotation.planning.packing import assignments_needed
from annotation.planning.planned import PlannedAssignment


@dataclass(frozen=True)
class PlanCounts:
    """A test set in numbers. `outputs`: distinct ones, None when not counted; `lengths`: segments of each document."""

    documents: int
    segments: int
    systems: int
    outputs: int | None = None
    lengths: tuple[int, ...] = ()


@dataclass(frozen=True)
class PlanSums:
    """`outputs` are judged (side by side: comparisons), each `redundancy` times: `judgments`, the regular ones.

    `total` is all judgments: regular ones, repeats, degraded items and document scores, which is what readings
    of whole documents are, too. `fewest_annotators` are needed for all of it, since nobody judges the same twice.
    """

    outputs: int
    judgments: int
    repeats: int
    degraded: int
    document_scores: int
    total: int
    assignments: int
    is_exact: bool
    fewest_annotators: int = 1


def sums(of: PlanCounts | Sequence[PlanDocument], options: PlanningOptions) -> PlanSums:
    """The sums of a plan that is not made, at the cost of a few divisions (and of one walk over `lengths`).

    Exact where every system translated every segment and no outputs are identical, or documents are known and all
    systems are judged: outputs, judgments. Otherwise approximate. Repeats and degraded items are approximate always,
    for whole blocks, drawn whatever their length, are asked again; so is the number of assignments: it assumes
    documents of equal length when `lengths` are not given, and that whole documents fill assignments as well as best
    fit allows. So are document scores when whole documents are identical, and the number of comparisons side by side.
    Raises `PlanningError` as `plan` would.
    """
    counts = of if isinstance(of, PlanCounts) else counts_of(of)
    check_options(options, counts.systems)
    shown_systems = options.systems_of(counts.systems)
    if options.reads_once:
        return _sums_of_readings(counts.documents, shown_systems, options)
    outputs = _outputs(counts, options)
    passes = _passes(shown_systems, options)
    return _summed(
        outputs=outputs,
        document_scores=counts.documents * passes if options.document_scores else 0,
        assignments=_assignments(counts, options, passes, outputs),
        options=options,
    )


def _sums_of_readings(documents: int, texts: int, options: PlanningOptions) -> PlanSums:
    """Exact where every document has every text."""
    readings = documents * texts * options.redundancy
    return PlanSums(
        outputs=0,
        judgments=0,
        repeats=0,
        degraded=0,
        document_scores=readings,
        total=readings,
        assignments=-(-documents // options.items_per_assignment) * texts * options.redundancy,
        is_exact=False,
        fewest_annotators=texts * options.redundancy,
    )


def _summed(*, outputs: int, document_scores: int, assignments: int, options: PlanningOptions) -> PlanSums:
    judgments = outputs * options.redundancy
    regular = judgments + document_scores * options.redundancy
    repeats = rounded_share(regular, options.repeats_share)
    degraded = rounded_share(regular, options.degraded_share)
    return PlanSums(
        outputs=outputs,
        judgments=judgments,
        repeats=repeats,
        degraded=degraded,
        document_scores=document_scores * options.redundancy,
        total=regular + repeats + degraded,
        assignments=assignments * options.redundancy,
        is_exact=False,
        fewest_annotators=options.redundancy,
    )


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


def _passes(systems: int, options: PlanningOptions) -> int:
    """Passes of a document."""
    return -(-systems // options.slots_per_item)


def _outputs(counts: PlanCounts, options: PlanningOptions) -> int:
    systems = options.systems_of(counts.systems)
    if options.slots_per_item > 1:
        return counts.segments * _passes(systems, options)
    distinct = counts.segments * counts.systems if counts.outputs is None else counts.outputs
    return round(distinct * systems / counts.systems) if counts.systems else 0


def _assignments(counts: PlanCounts, options: PlanningOptions, passes: int, outputs: int) -> int:
    if not outputs:
        return 0
    capacity = options.items_per_assignment
    if not options.keep_documents:
        return -(-outputs // capacity)
    lengths = [
        len(part)
        for length in counts.lengths or _equal_lengths(counts)
        for part in in_runs(length, options.longest_pass)
        if part
    ]
    share = outputs / (sum(lengths) * passes)
    sizes = sorted((max(1, round(length * share)) for length in lengths), reverse=True)
    alone = sum(size >= capacity for size in sizes) * passes
    together = [size for size in sizes if size < capacity for _ in range(passes)]
    return alone + (assignments_needed(together, passes, capacity) if together else 0)


def _equal_lengths(counts: PlanCounts) -> tuple[int, ...]:
    shorter, longer = divmod(counts.segments, counts.documents)
    return (shorter + 1,) * longer + (shorter,) * (counts.documents - longer)
