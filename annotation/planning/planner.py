"""From documents and options to assignments: the plan, its items in order, and rotations of documents read once."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, groupby

from annotation.planning.blocks import Block, blocks_of, cut
from annotation.planning.controls import Content, Undegradable, degradable_lines, draw_controls, in_order
from annotation.planning.documents import PlanDocument, choose_systems, in_runs, systems_in
from annotation.planning.meetings import Meetings
from annotation.planning.options import PlanningError, PlanningOptions, check_options
from annotation.planning.packing import pack
from annotation.planning.passes import Pass, passes_of, reading_of
from annotation.planning.planned import Kind, PlannedAssignment, PlannedItem, label_of
from annotation.planning.waves import contents_of_waves


def plan(documents: Sequence[PlanDocument], options: PlanningOptions, rng: random.Random) -> list[PlannedAssignment]:
    """The assignments of a campaign, round after round, in the order in which they should be handed out.

    What is judged together is decided once and serves all rounds (see `PlannedAssignment.content`): an annotator can
    then take part in every round without meeting an output twice, and those who judge the same outputs share a whole
    assignment's worth of them, as agreement wants. So is the number of control blocks; which ones,
    and the order, are drawn anew each time. Only the arguments decide: the same documents, options and seed give the
    same plan.
    """
    systems = {system for document in documents for system in (*systems_in(document), *document.partners)}
    if not systems:
        raise PlanningError("There is nothing to judge: choose systems that translated at least one segment.")
    check_options(options, len(systems))
    if options.reads_once:
        return list(rotations(documents, options, rng))
    undegradable = {
        (segment.id, system)
        for document in documents
        for segment in document.segments
        for system in segment.undegradable
    }
    passes = cut(_all_passes(documents, options, rng), options, rng)
    blocks = [block for one in passes for block in blocks_of(one)]
    again = draw_controls(blocks, options, undegradable, rng)
    if options.allocation != "none":
        return list(_in_waves(contents_of_waves(passes, again, options, rng), options, undegradable, rng))
    contents = pack(passes, again, options, rng)
    return list(_assignments(contents, options, undegradable, rng))


def _in_waves(
    waves: Iterator[list[Content]], options: PlanningOptions, undegradable: Undegradable, rng: random.Random
) -> Iterator[PlannedAssignment]:
    """All rounds of a wave before the next wave: assignments of one round still share no output."""
    rounds = contents = 0
    for wave in waves:
        for one in _assignments(wave, options, undegradable, rng):
            yield replace(one, round=rounds + one.round, content=contents + one.content)
        rounds, contents = rounds + options.redundancy, contents + len(wave)


def _all_passes(documents: Sequence[PlanDocument], options: PlanningOptions, rng: random.Random) -> list[Pass]:
    chosen = choose_systems(documents, options, rng)
    meetings = Meetings(options.slots_per_item, rng)
    passes = [
        one
        for document, systems in zip(documents, chosen, strict=True)
        for one in passes_of(document, systems, options, rng, meetings)
    ]
    if not passes:
        raise PlanningError("No segment has two different translations to compare: show them one by one.")
    return passes


def _assignments(
    contents: Sequence[Content], options: PlanningOptions, undegradable: Undegradable, rng: random.Random
) -> Iterator[PlannedAssignment]:
    for round_number in range(options.redundancy):
        for content in rng.sample(range(len(contents)), len(contents)):
            items = lay_out(in_order(contents[content], undegradable, rng), undegradable)
            if options.shuffle_slots:
                items = in_new_columns(items, rng)
            elif options.whole_documents:
                items = in_new_orders(items, rng)
            yield PlannedAssignment(items, round_number, content)


def in_new_columns(items: Sequence[PlannedItem], rng: random.Random) -> tuple[PlannedItem, ...]:
    """The same items with their translations in random columns, drawn for each item anew, repeats too."""
    return tuple(
        replace(
            item,
            slots=tuple(
                replace(slot, label=place.label, columns=())
                for place, slot in zip(item.slots, rng.sample(item.slots, len(item.slots)), strict=True)
            ),
        )
        for item in items
    )


def in_new_orders(items: Sequence[PlannedItem], rng: random.Random) -> tuple[PlannedItem, ...]:
    """The same screens, each with its columns in an order of its own, drawn anew; repeats too."""
    return tuple(
        item for _, screen in groupby(items, key=lambda item: item.block) for item in _in_new_order(list(screen), rng)
    )


def _in_new_order(screen: Sequence[PlannedItem], rng: random.Random) -> Iterator[PlannedItem]:
    known = sorted({column for item in screen for slot in item.slots for column in slot.columns})
    places = dict(zip(known, rng.sample(range(1, len(known) + 1), len(known)), strict=True))
    for item in screen:
        moved = [(tuple(sorted(places[column] for column in slot.columns)), slot) for slot in item.slots]
        slots = [replace(slot, label=label_of(columns[0]), columns=columns) for columns, slot in moved]
        yield replace(item, slots=tuple(sorted(slots, key=lambda slot: slot.columns)))


def lay_out(blocks: Sequence[Block], undegradable: Undegradable) -> tuple[PlannedItem, ...]:
    """Block after block; a control item names its original by its place."""
    starts = accumulate((len(_lines(block)) for block in blocks), initial=0)
    home = {
        (id(block.shown), line): start + place
        for start, block in zip(starts, blocks, strict=False)
        if block.kind == "regular"
        for place, line in enumerate(_lines(block))
        if line not in range(block.rows.start - block.before, block.rows.start)
    }
    return tuple(
        item for number, block in enumerate(blocks, start=1) for item in _items(block, number, home, undegradable)
    )


def _lines(block: Block) -> list[int]:
    """With the items that are read before, and the question about the document."""
    run = range(block.rows.start - block.before, block.rows.stop)
    return [*run, *([len(block.shown.items) - 1] if block.shown.has_document_score else [])]


def _items(
    block: Block, number: int, home: Mapping[tuple[int, int], int], undegradable: Undegradable
) -> list[PlannedItem]:
    damaged = degradable_lines(block.shown, undegradable) if block.kind == "degraded" else ()
    return [
        _item(block, line, home.get((id(block.shown), line)), is_damaged=line in damaged, number=number)
        for line in _lines(block)
    ]


def _item(block: Block, line: int, home: int | None, *, is_damaged: bool, number: int) -> PlannedItem:
    """A segment that cannot be damaged is repeated unchanged, among damaged ones."""
    item = block.shown.items[line]
    if line not in block.lines and item.level != "document":
        return PlannedItem(item.document, item.segment, "context", "regular", item.slots, None, number)
    if block.kind == "regular":
        return replace(item, block=number)
    kind: Kind = block.kind if is_damaged or item.level == "document" else "repeat"
    return replace(item, kind=kind, original=home, block=number)


Readings = Sequence[tuple[PlanDocument, Sequence[int]]]


def rotations(
    documents: Sequence[PlanDocument], options: PlanningOptions, rng: random.Random
) -> Iterator[PlannedAssignment]:
    """Of documents that are read once: nobody meets one twice, in whatever text, and everybody reads all systems alike.

    A content is a set of documents. Its assignments are the rotations of a Latin square: in rotation r the document at
    place d is read in the text at place (d + r) of all that are to be read. So each document is read in each text by
    somebody, no two assignments of one content may go to one annotator (which is what the hand-out sees to), and
    within an assignment, and within a round, two texts are read equally often, or differ by one. Where a document has
    not all texts, a text without its document, or a document without its text, leaves a gap in some rotation.

    Round after round, each with every content once; redundancy K repeats all rotations K times.
    """
    readings = _readings(documents, options, rng)
    contents = in_runs(len(readings), options.items_per_assignment)
    count = max(len(texts) for _, texts in readings)
    for repetition in range(options.redundancy):
        for turn, rotation in enumerate(rng.sample(range(count), count)):
            for content in rng.sample(range(len(contents)), len(contents)):
                items = _reading_items(readings, contents[content], rotation, count, rng)
                if items:
                    yield PlannedAssignment(items, repetition * count + turn, content)


def _readings(documents: Sequence[PlanDocument], options: PlanningOptions, rng: random.Random) -> Readings:
    """The documents in random order, each with its texts in one random order of all."""
    whole = [each for document in documents if systems_in(each := _whole_alone(document))]
    if not whole:
        raise PlanningError("There is nothing to read: no system translated a document from beginning to end.")
    order = sorted({system for document in whole for system in systems_in(document)})
    rng.shuffle(order)
    mixed = rng.sample(whole, len(whole))
    chosen = choose_systems(mixed, options, rng)
    return [
        (document, [system for system in order if system in systems])
        for document, systems in zip(mixed, chosen, strict=True)
    ]


def _whole_alone(document: PlanDocument) -> PlanDocument:
    """With the outputs of those who translated all of it: a text with gaps could not answer for its system."""
    whole = set(systems_in(document)).intersection(*(segment.outputs for segment in document.segments))
    return replace(
        document,
        segments=[
            replace(segment, outputs={system: key for system, key in segment.outputs.items() if system in whole})
            for segment in document.segments
        ],
    )


def _reading_items(
    readings: Readings, content: Sequence[int], rotation: int, count: int, rng: random.Random
) -> tuple[PlannedItem, ...]:
    items: list[PlannedItem] = []
    block = 0
    for place in rng.sample(content, len(content)):
        document, texts = readings[place]
        turn = (place + rotation) % count
        if turn < len(texts):
            block += 1
            items += [replace(item, block=block) for item in reading_of(document, texts[turn])]
    return tuple(items)
