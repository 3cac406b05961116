"""Passes: a document, or an excerpt of one, shown with the translations of one system: the unit that is never split.

Identical outputs of a segment are judged once and credited to every system the document is judged with. In the pass of
the other systems the segment stays visible as context, so that the document remains whole; a pass without any item
to judge is dropped. Systems that the document was not sampled for get no credit: they would be judged only where
they agree with others, that is, where translating is easy. A segment which the system did not translate is left out.

Where control items are planned, a very long document is judged in excerpts, the same of every system, each with the
segments before it as context, and what is long is shown in several blocks (see blocks.py).
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from annotation.planning.documents import PlanDocument, PlanSegment, in_runs, side_by_side
from annotation.planning.meetings import Meetings
from annotation.planning.options import PlanningOptions
from annotation.planning.planned import Level, PlannedItem, PlannedSlot, label_of

READ_BEFORE = 2  # segments shown before an excerpt


@dataclass(frozen=True)
class Pass:
    """`text` names what should not be met twice in one assignment: a document, or an excerpt by its first segment.

    `lines` are the places of the judged segments among the items; `before` is how many items are there because they
    stand before an excerpt. `cuts` are the places where a new block begins. What `is_screen` is never cut.
    """

    text: tuple[int, int | None]
    system: int
    items: tuple[PlannedItem, ...]
    lines: tuple[int, ...]
    before: int = 0
    cuts: tuple[int, ...] = ()
    is_screen: bool = False

    @property
    def size(self) -> int:
        """The number of judged segments, which fill an assignment."""
        return len(self.lines)

    @property
    def has_document_score(self) -> bool:
        return self.items[-1].level == "document"

    @property
    def stays_whole(self) -> bool:
        """It is met again as a whole, or not at all."""
        return self.is_screen or self.has_document_score

    @cached_property
    def rows(self) -> range:
        """The places of its own segments, judged or only read, among the items."""
        return range(self.before, len(self.items) - self.has_document_score)

    @cached_property
    def mask(self) -> int:
        """Which of its rows are judged, a bit each; the first row is the lowest."""
        return sum(1 << (line - self.before) for line in self.lines)

    @property
    def questions(self) -> int:
        """All judgments: the segments and perhaps the document."""
        return self.size + self.has_document_score


def passes_of(
    document: PlanDocument,
    systems: Sequence[int],
    options: PlanningOptions,
    rng: random.Random,
    meetings: Meetings | None = None,
) -> list[Pass]:
    """All passes of a document in one round. On screens that are whole documents systems share them by `meetings`."""
    if options.slots_per_item > 1 or options.whole_documents:
        is_balanced = meetings is not None and options.whole_documents and options.slots_per_item > 1
        if meetings is not None and is_balanced and len(systems) > 1 and not document.partners:
            groups = meetings.divide(systems)
        else:
            groups = _groups(document, systems, options, rng)
        passes = [_compared(document, group, options) for group in groups]
    else:
        passes = _one_by_one(document, rng.sample(list(systems), len(systems)), options)
    parts = in_runs(len(document.segments), options.longest_pass)
    if len(parts) > 1:
        passes = [_excerpt(document, whole, part) for whole in passes for part in parts]
    return [one for one in passes if one.items and one.questions]


def reading_of(document: PlanDocument, system: int) -> list[PlannedItem]:
    """A document as one system has it, to be read from beginning to end and asked about as a whole."""
    slot = PlannedSlot("A", system, (system,))
    segments = [_segment_item(document, segment, (slot,), needs_judgment=False) for segment in document.segments]
    return [*segments, _document_item(document, (slot,))]


def _one_by_one(document: PlanDocument, order: Sequence[int], options: PlanningOptions) -> list[Pass]:
    """A pass for each system; the first in the (random) order is judged for those with the same output."""
    sharing = [_sharing(segment, order) for segment in document.segments]
    twins = _twins(document, order) if options.document_scores else {}
    passes = []
    for system in order:
        items = [
            _one_output(document, segment, system, shared[system])
            for segment, shared in zip(document.segments, sharing, strict=True)
            if system in shared
        ]
        if system in twins:
            items.append(_document_item(document, (_slot(0, twins[system]),)))
        passes.append(_pass(document, system, items))
    return passes


def _one_output(document: PlanDocument, segment: PlanSegment, system: int, same: tuple[int, ...]) -> PlannedItem:
    if same[0] == system:
        return _segment_item(document, segment, (_slot(0, same),), needs_judgment=True)
    return _segment_item(document, segment, (PlannedSlot("A", system, (system,)),), needs_judgment=False)


def _groups(
    document: PlanDocument, systems: Sequence[int], options: PlanningOptions, rng: random.Random
) -> list[tuple[int, ...]]:
    """A screen that is a whole document may have one system alone."""
    is_alone = options.slots_per_item == 1 or len(systems) + len(document.partners) == 1
    if options.whole_documents and is_alone:
        return [(system,) for system in rng.sample(list(systems), len(systems))]
    return side_by_side(systems, options.slots_per_item, rng, document.partners)


def _compared(document: PlanDocument, group: Sequence[int], options: PlanningOptions) -> Pass:
    """Several systems side by side, in the same columns throughout.

    Where they are only compared, equal outputs need no judgment.
    """
    items = []
    places = {system: column for column, system in enumerate(group, start=1)}
    for segment in document.segments:
        distinct = dict.fromkeys(_sharing(segment, group).values())
        slots = tuple(_slot_beside(place, same, places, options) for place, same in enumerate(distinct))
        if slots:
            is_judged = len(slots) > 1 or options.whole_documents
            items.append(_segment_item(document, segment, slots, needs_judgment=is_judged))
    if options.document_scores:
        twins = _twins(document, group).values()
        if len(twins) > 1:
            items.append(_document_item(document, tuple(_slot(column, same) for column, same in enumerate(twins))))
    return replace(_pass(document, group[0], items), is_screen=options.whole_documents)


def _slot_beside(place: int, same: tuple[int, ...], places: Mapping[int, int], options: PlanningOptions) -> PlannedSlot:
    """On a screen that is a whole document, a label is that of the first column, in every row."""
    slot = replace(_slot(place, same), columns=tuple(places[system] for system in same))
    return replace(slot, label=label_of(slot.columns[0])) if options.whole_documents else slot


def _sharing(segment: PlanSegment, order: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """For each system with an output, all that have the identical one, in this order."""
    by_key: dict[object, list[int]] = {}
    present = [system for system in order if system in segment.outputs]
    for system in present:
        by_key.setdefault(segment.outputs[system], []).append(system)
    same = {key: tuple(systems) for key, systems in by_key.items()}
    return {system: same[segment.outputs[system]] for system in present}


def _twins(document: PlanDocument, order: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """For each distinct translation of the whole document its first system, with all whose translation it is."""
    missing = object()
    by_text: dict[object, list[int]] = {}
    for system in order:
        whole = tuple(segment.outputs.get(system, missing) for segment in document.segments)
        by_text.setdefault(whole, []).append(system)
    return {same[0]: tuple(same) for same in by_text.values()}


def _slot(column: int, same: tuple[int, ...]) -> PlannedSlot:
    return PlannedSlot(chr(ord("A") + column), same[0], tuple(sorted(same)))


def _segment_item(
    document: PlanDocument, segment: PlanSegment, slots: tuple[PlannedSlot, ...], *, needs_judgment: bool
) -> PlannedItem:
    level: Level = "segment" if needs_judgment else "context"
    return PlannedItem(document.id, segment.id, level, "regular", slots)


def _document_item(document: PlanDocument, slots: tuple[PlannedSlot, ...]) -> PlannedItem:
    return PlannedItem(document.id, None, "document", "regular", slots)


def _pass(document: PlanDocument, system: int, items: Sequence[PlannedItem]) -> Pass:
    lines = tuple(line for line, item in enumerate(items) if item.level == "segment")
    return Pass((document.id, None), system, tuple(items), lines)


def _excerpt(document: PlanDocument, whole: Pass, part: range) -> Pass:
    """The part of a pass in a run of segments, with those before it as context."""
    place = {segment.id: place for place, segment in enumerate(document.segments)}
    before, own = (
        [item for item in whole.items if item.segment is not None and place[item.segment] in near]
        for near in (range(part.start - READ_BEFORE, part.start), part)
    )
    items = (*(replace(item, level="context") for item in before), *own)
    lines = tuple(line for line, item in enumerate(items) if item.level == "segment")
    return Pass((document.id, document.segments[part.start].id), whole.system, items, lines, len(before))
