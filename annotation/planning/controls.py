"""Control items: which blocks are asked again, and where.

A control item must not be told from a regular one by anything but reading. So what is asked again is a whole block (a
pass: a document or an excerpt of one), in the translation of the same system, in the same assignment: as it was
(`repeat`), or with every segment damaged (`degraded`). And whatever could give it away is drawn without looking at it:

- Every block of an assignment is as likely to be asked again as every other, however long it is.
- The places of control blocks are drawn first, each place being as likely as every other; regular blocks are put around
  them so that a block and its copy are `APART`. So a repeat may come before the item it is compared with: which of the
  two counts is decided by lot.
- Assignments that get a control block more get a regular block less (see packing.py): length tells nothing either.

How well that hides them is measured by `benchmarks/blindness.py`; decision 0017 says what it costs.
"""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import floor

from annotation.planning.passes import Pass
from annotation.planning.planned import Kind

APART = 10  # asked items; among so many nobody recalls the score given before
ORDERS_TRIED = 8
ORDERS_TRIED_APART = 40


def rounded_share(count: float, share: float) -> int:
    return floor(count * share + 0.5)


def spread_evenly(total: int, most: Sequence[int], rng: random.Random) -> list[int]:
    """`total` as whole numbers, none above its `most` and as even as that allows; who gets one more is drawn."""
    numbers = [0] * len(most)
    left = min(total, sum(most))
    while left:
        open_places = [place for place, number in enumerate(numbers) if number < most[place]]
        each = left // len(open_places)
        for place in open_places if each else rng.sample(open_places, left):
            added = min(each or 1, most[place] - numbers[place])
            numbers[place] += added
            left -= added
    return numbers


@dataclass(frozen=True, slots=True)
class Block:
    """A pass as it is met once: as itself, or (`kind`) asked again."""

    shown: Pass
    kind: Kind = "regular"


def degradable_lines(one: Pass, undegradable: Collection[tuple[int | None, int]]) -> tuple[int, ...]:
    """The segments asked that can be damaged; of several translations side by side each must be fit for it."""
    return tuple(
        line
        for line in one.lines
        if not any((one.items[line].segment, slot.system) in undegradable for slot in one.items[line].slots)
    )


def draw_controls(
    passes: Sequence[Pass],
    repeats: int,
    degraded: int,
    undegradable: Collection[tuple[int | None, int]],
    rng: random.Random,
) -> list[Block]:
    """Blocks to be asked again, none twice in one way, and none in both ways while there are others."""
    if sum(one.questions for one in passes) < 2:
        return []  # a control item beside its only neighbour, its original, shows nothing
    repeated = rng.sample(range(len(passes)), min(repeats, len(passes)))
    fit = [place for place, one in enumerate(passes) if degradable_lines(one, undegradable)]
    mixed = rng.sample(fit, len(fit))
    damaged = sorted(mixed, key=lambda place: place in repeated)[:degraded]
    return [Block(passes[place], "repeat") for place in repeated] + [
        Block(passes[place], "degraded") for place in damaged
    ]


def in_random_order(passes: Sequence[Pass], controls: Sequence[Block], rng: random.Random) -> list[Block]:
    """Control blocks at random places and regular ones around them: of a few random orders the best.

    Best is where copies of a block are far enough from each other, and then where fewest texts follow themselves.
    """
    count = len(passes) + len(controls)
    places = set(rng.sample(range(count), len(controls)))
    tries = ORDERS_TRIED_APART if controls else ORDERS_TRIED if len({one.text for one in passes}) < len(passes) else 1
    best: list[Block] = []
    least: tuple[int, int] | None = None
    for _ in range(tries):
        regular = iter(rng.sample(list(passes), len(passes)))
        again = iter(rng.sample(list(controls), len(controls)))
        order = [next(again) if place in places else Block(next(regular)) for place in range(count)]
        cost = _too_near(order), sum(one.shown.text == other.shown.text for one, other in pairwise(order))
        if least is None or cost < least:
            best, least = order, cost
        if least == (0, 0):
            break
    return best


def _too_near(order: Sequence[Block]) -> int:
    """By how many asked items copies of a block are nearer to it than `APART`, summed."""
    asked_before = [0, *accumulate(block.shown.questions for block in order)]
    home = {id(block.shown): place for place, block in enumerate(order) if block.kind == "regular"}
    return sum(
        max(0, APART + 1 - abs(asked_before[place] - asked_before[home[id(block.shown)]]))
        for place, block in enumerate(order)
        if block.kind != "regular"
    )
