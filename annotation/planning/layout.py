"""The items of one assignment, in the order in which they are met."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from annotation.planning.controls import Control, Planting
from annotation.planning.passes import Pass
from annotation.planning.planned import Kind, PlannedItem

ORDERS_TRIED = 8


def in_random_order(passes: Sequence[Pass], rng: random.Random) -> list[Pass]:
    """A random order; where a text has several passes, of a few random orders the one that least puts them together."""
    orders = [rng.sample(list(passes), len(passes))]
    if len({one.text for one in passes}) < len(passes):
        orders += [rng.sample(list(passes), len(passes)) for _ in range(ORDERS_TRIED - 1)]
    return min(orders, key=lambda order: sum(one.text == following.text for one, following in pairwise(order)))


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


def lay_out(planting: Planting) -> tuple[PlannedItem, ...]:
    """Each pass as a block, followed by a block for every control item planted behind it."""
    places = _places_of_passes(planting)
    items: list[PlannedItem] = []
    block = 0
    for one, controls in zip(planting.passes, planting.planted, strict=True):
        block += 1
        items += [_shown(item, block=block) for item in one.items]
        for control in controls:
            block += 1
            items += _control_block(planting, control, places, block)
    return tuple(items)


def _places_of_passes(planting: Planting) -> list[int]:
    """The index of each pass's first item among all items."""
    places, index = [], 0
    for one, controls in zip(planting.passes, planting.planted, strict=True):
        places.append(index)
        index += len(one.items) + sum(len(_neighbourhood(planting, control)) for control in controls)
    return places


def _neighbourhood(planting: Planting, control: Control) -> range:
    """The lines of the original and of the segments beside it; a document's own question is no segment."""
    one, line = planting.passes[control.original.block], control.original.line
    segments = len(one.items) - one.has_document_score
    return range(max(0, line - 1), min(segments, line + 2))


def _control_block(planting: Planting, control: Control, places: Sequence[int], block: int) -> list[PlannedItem]:
    original = control.original
    items = planting.passes[original.block].items
    return [
        _shown(items[line], block=block, kind=control.kind, original=places[original.block] + line)
        if line == original.line
        else _as_context(items[line], block)
        for line in _neighbourhood(planting, control)
    ]


def _shown(item: PlannedItem, *, block: int, kind: Kind = "regular", original: int | None = None) -> PlannedItem:
    return PlannedItem(item.document, item.segment, item.level, kind, item.slots, original, block)


def _as_context(item: PlannedItem, block: int) -> PlannedItem:
    return PlannedItem(item.document, item.segment, "context", "regular", item.slots, None, block)
