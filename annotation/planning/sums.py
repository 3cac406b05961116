"""The sums of a plan before it is made."""

from dataclasses import dataclass

from annotation.planning.controls import rounded_share
from annotation.planning.documents import in_runs
from annotation.planning.meetings import balance
from annotation.planning.options import PlanningOptions, check_options
from annotation.planning.packing import assignments_needed

MOST_TRIED, MOST_SYSTEMS = 100, 16  # a trial takes less than half a second


@dataclass(frozen=True)
class PlanCounts:
    """A test set in numbers. `outputs`: distinct ones, None when not counted; `lengths`: segments of each document."""

    documents: int
    segments: int
    systems: int
    outputs: int | None = None
    lengths: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PlanSums:
    """`outputs` are judged (side by side: comparisons), each `redundancy` times: `judgments`, the regular ones.

    `total` is all judgments: regular ones, repeats, degraded items and document scores, which is what readings
    of whole documents are, too. `fewest_annotators` are needed for all of it, since nobody judges the same twice.
    Before the plan is made none `is_exact`. `pairs`, of screens with several systems: on how many screens the two
    systems stand together that do so least often, and those that do so most often; None for very many documents.
    """

    outputs: int = 0
    judgments: int = 0
    repeats: int = 0
    degraded: int = 0
    document_scores: int
    total: int
    assignments: int
    is_exact: bool = False
    fewest_annotators: int
    pairs: tuple[int, int] | None = None


def sums(counts: PlanCounts, options: PlanningOptions) -> PlanSums:
    """The sums of a plan that is not made, at the cost of a few divisions (and of one walk over `lengths`).

    Exact where every system translated every segment and no outputs are identical, or distinct outputs are counted and
    all systems are judged: outputs, judgments. Otherwise approximate. Repeats and degraded items are approximate
    always, for whole blocks, drawn whatever their length, are asked again; so is the number of assignments: it assumes
    documents of equal length when `lengths` are not given, and that whole documents fill assignments as well as best
    fit allows. So are document scores when whole documents are identical, and the number of comparisons side by side.
    Raises `PlanningError` as `plan` would.
    """
    check_options(options, counts.systems)
    systems, rounds = options.systems_of(counts.systems), options.redundancy
    if options.reads_once:
        return _sums_of_readings(counts.documents, systems, options)
    passes = -(-systems // options.slots_per_item)  # of each document
    outputs = _outputs(counts, options, systems, passes)
    document_scores = counts.documents * passes * rounds if options.document_scores else 0
    regular = outputs * rounds + document_scores
    repeats = rounded_share(regular, options.repeats_share)
    degraded = rounded_share(regular, options.degraded_share)
    return PlanSums(
        outputs=outputs,
        judgments=outputs * rounds,
        repeats=repeats,
        degraded=degraded,
        document_scores=document_scores,
        total=regular + repeats + degraded,
        assignments=_assignments(counts, options, passes, outputs) * rounds,
        fewest_annotators=rounds,
        pairs=_pairs(counts.documents, systems, options),
    )


def _pairs(documents: int, systems: int, options: PlanningOptions) -> tuple[int, int] | None:
    """A trial of the same method: which two it is depends on the seed, hardly how often."""
    is_beside = options.whole_documents and options.slots_per_item > 1 and options.systems_per_segment is None
    if not is_beside or documents > MOST_TRIED or systems > MOST_SYSTEMS:
        return None
    return balance(documents, systems, options.slots_per_item, times=options.redundancy)


def _sums_of_readings(documents: int, texts: int, options: PlanningOptions) -> PlanSums:
    """Exact where every document has every text."""
    readings = documents * texts * options.redundancy
    return PlanSums(
        document_scores=readings,
        total=readings,
        assignments=-(-documents // options.items_per_assignment) * texts * options.redundancy,
        fewest_annotators=texts * options.redundancy,
    )


def _outputs(counts: PlanCounts, options: PlanningOptions, systems: int, passes: int) -> int:
    if options.slots_per_item > 1 or options.whole_documents:
        return counts.segments * passes
    distinct = counts.segments * counts.systems if counts.outputs is None else counts.outputs
    return round(distinct * systems / counts.systems) if counts.systems else 0


def _assignments(counts: PlanCounts, options: PlanningOptions, passes: int, outputs: int) -> int:
    if not outputs:
        return 0
    capacity = options.items_per_assignment
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
