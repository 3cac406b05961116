"""The items of one assignment, in the order in which they are met."""

import random
from collections.abc import Collection, Sequence
from dataclasses import replace

from annotation.planning.controls import Block, degradable_lines
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


def lay_out(blocks: Sequence[Block], undegradable: Collection[tuple[int | None, int]]) -> tuple[PlannedItem, ...]:
    """Block after block; what is asked again names its original by its place."""
    starts, count = [], 0
    for block in blocks:
        starts.append(count)
        count += len(block.shown.items)
    home = {id(block.shown): start for start, block in zip(starts, blocks, strict=True) if block.kind == "regular"}
    return tuple(
        item
        for number, block in enumerate(blocks, start=1)
        for item in _items(block, number, home[id(block.shown)], undegradable)
    )


def _items(block: Block, number: int, home: int, undegradable: Collection[tuple[int | None, int]]) -> list[PlannedItem]:
    if block.kind == "regular":
        return [replace(item, block=number) for item in block.shown.items]
    damaged = degradable_lines(block.shown, undegradable) if block.kind == "degraded" else ()
    return [
        replace(item, kind=_kind(item, block.kind, line in damaged), original=home + line, block=number)
        if item.is_asked
        else replace(item, block=number)
        for line, item in enumerate(block.shown.items)
    ]


def _kind(item: PlannedItem, kind: Kind, is_damaged: bool) -> Kind:
    """A segment that cannot be damaged is asked again as it is, among those that are."""
    return kind if is_damaged or item.level == "document" else "repeat"
