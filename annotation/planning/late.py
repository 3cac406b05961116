"""Work that is added to a plan: by whom documents that others judged before are judged with further systems."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from annotation.planning.documents import PlanDocument, systems_in
from annotation.planning.planned import PlannedAssignment

Judged = Mapping[int, Collection[int]]  # by document the annotators who judge it, or did


@dataclass(frozen=True)
class Panel:
    """Documents, and annotators who all know each of them: at most as many as judge an output."""

    documents: tuple[int, ...]
    annotators: tuple[int, ...]


@dataclass(frozen=True)
class LateTask:
    """A planned assignment, and whose it is to be; None: it waits for the next annotator."""

    planned: PlannedAssignment
    annotator: int | None = None


def panels(sizes: Mapping[int, int], judged: Judged, redundancy: int, capacity: int) -> list[Panel]:
    """Every document once, with those who know it.

    `sizes` are the outputs to judge of each document, `capacity` those of an assignment. Annotators are chosen one
    after the other: who knows most of the documents that are left, up to one assignment, and has the least to do so
    far. A panel takes the documents that all of its annotators know, as many as fill an assignment. Where fewer
    annotators than `redundancy` know a document, the panel is smaller; documents that nobody knows come last.
    """
    left = {document: set(judged.get(document, ())) for document in sizes}
    load: Counter[int] = Counter()
    made: list[Panel] = []
    while known := [document for document, people in left.items() if people]:
        chosen: list[int] = []
        while len(chosen) < redundancy:
            cover: Counter[int] = Counter()
            for document in known:
                cover.update(dict.fromkeys(left[document].difference(chosen), sizes[document]))
            if not cover:
                break
            chosen.append(min(cover, key=lambda each: (load[each] - min(cover[each], capacity), each)))
            known = [document for document in known if chosen[-1] in left[document]]
        taken = _first_of(known, sizes, capacity)
        load.update(dict.fromkeys(chosen, sum(sizes[document] for document in taken)))
        made.append(Panel(taken, tuple(chosen)))
        left = {document: people for document, people in left.items() if document not in taken}
    return [*made, Panel(tuple(left), ())] if left else made


def _first_of(documents: Sequence[int], sizes: Mapping[int, int], capacity: int) -> tuple[int, ...]:
    taken, size = [documents[0]], sizes[documents[0]]
    for document in documents[1:]:
        if size + sizes[document] <= capacity:
            taken.append(document)
            size += sizes[document]
    return tuple(taken)


def given_to_panel(planned: Sequence[PlannedAssignment], panel: Panel) -> list[LateTask]:
    """Each round of a content to another member of the panel; the rounds that are left wait."""
    members = dict(enumerate(panel.annotators))
    return [LateTask(each, members.get(each.round)) for each in planned]


def given_to_least_busy(
    planned: Sequence[PlannedAssignment], annotators: Collection[int], load: Mapping[int, int]
) -> list[LateTask]:
    """Each to an annotator without another of its content, who has the least to do; the rest wait."""
    busy = Counter({annotator: load.get(annotator, 0) for annotator in annotators})
    had: set[tuple[int, int]] = set()
    tasks = []
    for each in planned:
        free = [annotator for annotator in annotators if (annotator, each.content) not in had]
        chosen = min(free, key=lambda annotator: (busy[annotator], annotator), default=None)
        if chosen is not None:
            had.add((chosen, each.content))
            busy[chosen] += each.total
        tasks.append(LateTask(each, chosen))
    return tasks


def load_of(tasks: Sequence[LateTask]) -> dict[int, int]:
    """The judgments that each annotator gets."""
    load: Counter[int] = Counter()
    for task in tasks:
        if task.annotator is not None:
            load[task.annotator] += task.planned.total
    return dict(load)


def with_content(tasks: Sequence[LateTask], content: int) -> list[LateTask]:
    """The tasks with contents that begin with this number."""
    return [replace(task, planned=replace(task.planned, content=content + task.planned.content)) for task in tasks]


def outputs_to_judge(document: PlanDocument) -> int:
    own = set(systems_in(document))
    return sum(len(own.intersection(segment.outputs)) for segment in document.segments)


def of_systems(document: PlanDocument, systems: Collection[int], partners: Collection[int] = ()) -> PlanDocument:
    """The document with the outputs of these systems alone, and with those of the partners, if there are any."""
    shown = {*systems, *partners}
    segments = [
        replace(each, outputs={system: key for system, key in each.outputs.items() if system in shown})
        for each in document.segments
    ]
    present = {system for each in segments for system in each.outputs}
    return replace(document, segments=segments, partners=tuple(sorted(present.intersection(partners))))
