"""The items of one assignment, in the order in which they are met."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from annotation.planning.blocks import Block
from annotation.planning.controls import Undegradable, degradable_lines
from annotation.planning.planned import Kind, PlannedItem


def in_new_columns(items: Sequence[PlannedItem], rng: random.Random) -> tuple[PlannedItem, ...]:
    """The same items with their translations in random columns, drawn for each item anew, repeats too."""
    return tuple(
        replace(
            item,
            slots=tuple(
                replace(slot, label=place.label)
                for place, slot in zip(item.slots, rng.sample(item.slots, len(item.slots)), strict=True)
            ),
        )
        for item in items
    )


def lay_out(blocks: Sequence[Block], undegradable: Undegradable) -> tuple[PlannedItem, ...]:
    """Block after block; what is asked again names its original by its place."""
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
    """A segment that cannot be damaged is asked again as it is, among those that are."""
    item = block.shown.items[line]
    if line not in block.lines and item.level != "document":
        return PlannedItem(item.document, item.segment, "context", "regular", item.slots, None, number)
    if block.kind == "regular":
        return replace(item, block=number)
    kind: Kind = block.kind if is_damaged or item.level == "document" else "repeat"
    return replace(item, kind=kind, original=home, block=number)
