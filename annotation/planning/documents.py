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


def excerpts(length: int, longest_whole: int | None) -> list[range]:
    """A document of so many segments in runs whose sizes differ by one at most: one run, or as few as are short enough.

    Excerpts are two thirds as long as whole documents may be: with the segments beside them they are as long.
    """
    is_whole = longest_whole is None or length <= longest_whole
    count = 1 if is_whole else -(-length // max(1, 2 * (longest_whole or 1) // 3))
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
