"""Control items: which rows are repeated, of which passes, and where.

Only reading may distinguish a control item from a regular one. So a control block is a block like any
other: rows of one pass, in the translation of the same system and in the same assignment, as they were (`repeat`) or
every one of them damaged (`degraded`). All that could reveal it is drawn at random:

- Its look is that of a block drawn from all of the campaign, its model: as many rows, the same ones judged, as many
  read before. It is packed into an assignment as its model would be.
- It is cut from any pass of the assignment out of which that look can be cut. Passes are longer than blocks (see
  blocks.py), so nearly always there is one. If possible it is not a whole block of it: the errors suggested in a block,
  summed, would be the same again.
- Blocks are in random order. Where a control block comes nearer than `APART` to its original, the original changes
  places with a block of about its length. So a repeat may come before the item it is compared with: which of the two
  counts is decided by lot.

Where documents are scored, whole documents are repeated. How well this hides them is measured by
`benchmarks/blindness.py`; decision 0002 says what it costs.
"""

import random
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from math import floor

from annotation.planning.blocks import Block, Look, blocks_of, is_block, misfit, runs_like
from annotation.planning.options import PlanningOptions
from annotation.planning.passes import Pass
from annotation.planning.planned import Kind

NOTHING = 1 << 20  # the misfit of an assignment without any pass to repeat
MORE = 1  # control items, between assignments of as many blocks
APART = 10  # judged items; after so many nobody recalls the score of the original
ORDERS_TRIED = 8
EXCHANGES_FOR_EACH = 2
EXCHANGES_TRIED = 40
KINDS: tuple[Kind, ...] = ("repeat", "degraded")

Undegradable = Collection[tuple[int | None, int]]


def rounded_share(count: int, share: float) -> int:
    return floor(count * share + 0.5)


@dataclass(frozen=True, slots=True)
class Again:
    """A planned control block, as long as the block that is its model and looking like it."""

    kind: Kind
    model: Block

    @property
    def size(self) -> int:
        return len(self.model.lines)

    @property
    def system(self) -> int:
        return self.model.shown.system


@dataclass
class Content:
    """The passes of an assignment, and its control blocks."""

    passes: list[Pass]
    again: list[Again]

    @property
    def load(self) -> int:
        return sum(one.size for one in self.passes) + sum(one.size for one in self.again)

    @cached_property
    def blocks(self) -> int:
        """An exchange does not change this number."""
        return sum(1 + len(one.cuts) for one in self.passes) + len(self.again)

    def excess(self, kind: Kind, share: float) -> float:
        """The number of control blocks of this kind above the share of all blocks."""
        return self.count(kind) - share * self.blocks

    def count(self, kind: Kind) -> int:
        return sum(again.kind == kind for again in self.again)

    def misfit(self, look: Look, *, but: Pass | None = None) -> int:
        """The smallest misfit of any pass in this assignment."""
        least = NOTHING
        for one in self.passes:
            if one is not but:
                least = min(least, misfit(look, one))
                if not least:
                    break
        return least


def degradable_lines(one: Pass, undegradable: Undegradable) -> tuple[int, ...]:
    """The judged segments that can be damaged; of several translations side by side, all must be."""
    return tuple(
        line
        for line in one.lines
        if not any((one.items[line].segment, slot.system) in undegradable for slot in one.items[line].slots)
    )


def draw_controls(
    blocks: Sequence[Block], options: PlanningOptions, undegradable: Undegradable, rng: random.Random
) -> list[Again]:
    """The shares of the blocks, in sum, each block being as likely to be a model as every other."""
    drawn: list[Again] = []
    shares: tuple[tuple[Kind, float], ...] = (("repeat", options.repeats_share), ("degraded", options.degraded_share))
    for kind, share in shares:
        fit = [one for one in blocks if kind == "repeat" or _is_degradable(one, undegradable)] if share else []
        drawn += [Again(kind, model) for model in rng.sample(fit, min(rounded_share(len(blocks), share), len(fit)))]
    return drawn


def _is_degradable(block: Block, undegradable: Undegradable) -> bool:
    return not set(degradable_lines(block.shown, undegradable)).isdisjoint(block.lines)


def settle(contents: Sequence[Content], rng: random.Random) -> None:
    """Moves control blocks out of assignments where no pass can look like their models, and evens out their numbers.

    Each changes places with a pass that looks like its model, so that nobody who sees the looks of blocks sees a
    difference.
    """
    looks = {id(one): blocks[0].look for each in contents for one in each.passes if len(blocks := blocks_of(one)) == 1}
    places: dict[Look, list[int]] = {}
    for place, content in enumerate(contents):
        for one in content.passes:
            if id(one) in looks:
                places.setdefault(looks[id(one)], []).append(place)
    there_are = sum(content.blocks for content in contents)
    shares = {kind: sum(content.count(kind) for content in contents) / there_are for kind in KINDS}
    for is_about_looks in (True, True, False):
        waiting = [(place, again) for place, content in enumerate(contents) for again in content.again]
        for place, again in rng.sample(waiting, len(waiting)):
            own, share = contents[place], shares[again.kind]
            is_well = own.misfit(again.model.look) == 0 if is_about_looks else own.excess(again.kind, share) < MORE / 2
            known = [] if is_well else places.get(again.model.look, [])
            for other in rng.sample(known, min(len(known), EXCHANGES_TRIED)):
                if other != place and _exchange(own, contents[other], again, looks, share, about_looks=is_about_looks):
                    known.remove(other)
                    known.append(place)
                    break


def _exchange(
    own: Content, other: Content, again: Again, looks: Mapping[int, Look], share: float, *, about_looks: bool
) -> bool:
    """Exchanges a control block for a pass of its look if that improves looks or evenness and breaks no rule."""
    more = own.excess(again.kind, share) - other.excess(again.kind, share)
    if more <= (-2 * MORE if about_looks else MORE):
        return False
    look = again.model.look
    texts, worst = {one.text for one in own.passes}, own.misfit(look) - about_looks
    for place, one in enumerate(other.passes):
        if looks.get(id(one)) == look and one.text not in texts and other.misfit(look, but=one) <= worst:
            own.again.remove(again)
            own.passes.append(other.passes.pop(place))
            other.again.append(again)
            return True
    return False


def in_order(content: Content, undegradable: Undegradable, rng: random.Random) -> list[Block]:
    """The blocks of an assignment: all regular ones, with the control blocks among them."""
    regular = [block for one in content.passes for block in blocks_of(one)]
    if sum(block.questions for block in regular) < 2:
        return regular  # without other blocks a control item tells nothing about its original
    controls = _controls(content, undegradable, rng)
    if not controls:
        return _apart_by_text(regular, rng)
    return _apart(rng.sample([*regular, *controls], len(regular) + len(controls)), rng)


def _controls(content: Content, undegradable: Undegradable, rng: random.Random) -> list[Block]:
    """No pass has two control blocks of one kind, and none has both kinds while other passes have none."""
    controls: list[Block] = []
    for again in sorted(content.again, key=lambda again: -len(again.model.rows)):
        look, had = again.model.look, {(block.kind, id(block.shown)) for block in controls}
        fit = [
            one
            for one in rng.sample(content.passes, len(content.passes))
            if (again.kind, id(one)) not in had and (again.kind == "repeat" or degradable_lines(one, undegradable))
        ]
        had_by_any = {known for _, known in had}
        best = min(
            fit,
            key=lambda one: (misfit(look, one), is_block(runs_like(look, one)[0], one), id(one) in had_by_any),
            default=None,
        )
        if best is not None:
            controls.append(_again(best, again, undegradable, rng))
    return controls


def _again(one: Pass, again: Again, undegradable: Undegradable, rng: random.Random) -> Block:
    """Rows of the pass that look like the model, or as much like it as can be; of several, which is drawn."""
    look = again.model.look
    fit = degradable_lines(one, undegradable) if again.kind == "degraded" else one.lines
    drawn = [
        Block(one, rows, min(look.before, rows.start), _lines_like(look, one, rows), again.kind)
        for rows in runs_like(look, one)
    ]
    useful = [block for block in drawn if not set(fit).isdisjoint(block.lines)]
    return rng.choice(useful or drawn)


def _lines_like(look: Look, one: Pass, rows: range) -> tuple[int, ...]:
    """The segments judged in the same places; where the pass has none there, all that it judges in these rows."""
    judged = tuple(line for line in one.lines if line in rows)
    alike = tuple(line for line in judged if look.mask >> (line - rows.start) & 1)
    return judged if one.stays_whole else alike or judged


def _apart_by_text(regular: Sequence[Block], rng: random.Random) -> list[Block]:
    """A random order; where a text has several passes, of a few the one that least puts them together."""
    orders = [rng.sample(regular, len(regular))]
    if len({block.shown.text for block in regular}) < len(regular):
        orders += [rng.sample(regular, len(regular)) for _ in range(ORDERS_TRIED - 1)]
    return min(orders, key=lambda order: sum(one.shown.text == other.shown.text for one, other in pairwise(order)))


@dataclass(frozen=True, slots=True)
class _Pair:
    """A control block and a block with an original of it; the number of items between the two matters."""

    control: Block
    original: Block

    def items_between(self, *, control_first: bool) -> int:
        first, second = (self.control, self.original) if control_first else (self.original, self.control)
        return min(
            len(first.lines) - bisect_right(first.lines, line) + bisect_left(second.lines, line)
            for line in self.control.lines
            if line in self.original.lines
        )


def _apart(order: list[Block], rng: random.Random) -> list[Block]:
    """Originals that are too near change places with other blocks, of about their length, while that helps."""
    regular = [block for block in order if block.kind == "regular"]
    pairs = [
        _Pair(control, block)
        for control in order
        if control.kind != "regular"
        for block in regular
        if block.shown is control.shown and not set(block.lines).isdisjoint(control.lines)
    ]
    for _ in range(EXCHANGES_FOR_EACH * len(pairs)):
        distances = _distances(order, pairs)
        if min(distances) >= APART:
            break
        own = pairs[distances.index(min(distances))].original
        alike_first = sorted(rng.sample(regular, len(regular)), key=lambda other: abs(len(other.rows) - len(own.rows)))
        orders = [_with_exchanged(order, own, other) for other in alike_first]
        best = max(orders, key=lambda each: sum(_distances(each, pairs)))
        if sum(_distances(best, pairs)) == sum(distances):
            break
        order = best
    return order


def _with_exchanged(order: Sequence[Block], one: Block, other: Block) -> list[Block]:
    return [other if block is one else one if block is other else block for block in order]


def _distances(order: Sequence[Block], pairs: Sequence[_Pair]) -> list[int]:
    """For each pair, the smallest number of items between a segment and its repetition, up to `APART`."""
    places = {id(block): place for place, block in enumerate(order)}
    counts = list(accumulate((block.questions for block in order), initial=0))
    distances = []
    for pair in pairs:
        control, original = places[id(pair.control)], places[id(pair.original)]
        first, second = sorted((control, original))
        own = pair.items_between(control_first=control < original)
        distances.append(min(APART, counts[second] - counts[first + 1] + own))
    return distances
