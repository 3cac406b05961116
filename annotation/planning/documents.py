"""What planning must know of a test set: ids, and which outputs are identical."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation.planning.options import PlanningError


@dataclass(frozen=True)
class PlanSegment:
    """`outputs` maps a system to a key of its text: equal keys are identical outputs; a system may be missing.

    `undegradable` names systems whose text here cannot be damaged (an empty one), so that no control item is wasted.
    """

    id: int
    outputs: Mapping[int, Hashable]
    undegradable: Collection[int] = ()


@dataclass(frozen=True)
class PlanDocument:
    id: int
    segments: Sequence[PlanSegment]


def systems_in(document: PlanDocument) -> list[int]:
    """The systems with at least one output in the document, by id, so that the order of input changes nothing."""
    return sorted({system for segment in document.segments for system in segment.outputs})


def in_runs(length: int, longest: int | None) -> list[range]:
    """So many segments in runs of at most so many: as few as can be, whose sizes differ by one at most."""
    count = 1 if longest is None else max(1, -(-length // longest))
    return [range(part * length // count, (part + 1) * length // count) for part in range(count)]


def check_documents(documents: Sequence[PlanDocument]) -> None:
    _refuse_twice("document", (document.id for document in documents))
    _refuse_twice("segment", (segment.id for document in documents for segment in document.segments))
    if not any(segment.outputs for document in documents for segment in document.segments):
        raise PlanningError("There is nothing to judge: choose systems that translated at least one segment.")


def _refuse_twice(what: str, ids: Iterable[int]) -> None:
    seen: set[int] = set()
    for known in ids:
        if known in seen:
            raise PlanningError(f"The {what} {known} is given twice: give each {what} once.")
        seen.add(known)
