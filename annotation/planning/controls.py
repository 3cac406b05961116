"""Control items: what is asked again, of which blocks, and where.

A control item must not be told from a regular one by anything but reading. So what is asked again is a block like any
other: a run of segments of one pass, in the translation of the same system and in the same assignment, as it was
(`repeat`) or with every segment damaged (`degraded`). Whatever could give it away is drawn without looking at it:

- Its length is that of a pass drawn from all of the campaign (its model), and it is packed into an assignment as that
  pass would be. So neither lengths, nor what stands together, nor how long an assignment is tells of control blocks.
- It is a run of a longer pass, where there is one, so that its length does not point to its original either.
- Blocks stand in random order. Where a control block comes nearer than `APART` to its original, the original changes
  places with a block of about its length. So a repeat may come before the item it is compared with: which of the two
  counts is decided by lot.

Where documents are scored, whole documents are asked again. How well this hides them is measured by
`benchmarks/blindness.py`; decision 0002 says what it costs.
"""

import random
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import floor

from annotation.planning.options import PlanningOptions
from annotation.planning.passes import Pass, Shape
from annotation.planning.planned import Kind

APART = 10  # asked items; among so many nobody recalls the score given before
ORDERS_TRIED = 8
SWEEPS = 3
EXCHANGES_TRIED = 40
KINDS: tuple[Kind, ...] = ("repeat", "degraded")

Undegradable = Collection[tuple[int | None, int]]


def rounded_share(count: int, share: float) -> int:
    return floor(count * share + 0.5)


@dataclass(frozen=True, slots=True)
class Again:
    """Something to be asked again: as much, and looking like, the pass that is its model."""

    kind: Kind
    model: Pass

    @property
    def asked(self) -> int:
        return self.model.asked

    @property
    def system(self) -> int:
        return self.model.system

    @property
    def text(self) -> tuple[int, int | None]:
        return self.model.text


@dataclass
class Content:
    """What an assignment asks, and asks again."""

    passes: list[Pass]
    again: list[Again]

    @property
    def load(self) -> int:
        return sum(one.asked for one in self.passes) + sum(one.asked for one in self.again)

    def count(self, kind: Kind) -> int:
        return sum(again.kind == kind for again in self.again)

    def fit(self, model: Shape, *, but: Pass | None = None) -> int:
        """0: part of a pass here can be made to look like the model, 1: all of one, 2: nothing."""
        return min((_misfit(model, one.shape, one.segments)[0] for one in self.passes if one is not but), default=2)


@dataclass(frozen=True, slots=True)
class Block:
    """Rows of a pass as they are met once, all as itself or some (`kind`) asked again, with `form` as `Pass` has it."""

    shown: Pass
    rows: range
    kind: Kind
    form: tuple[int, int]

    @property
    def questions(self) -> int:
        return _asked_in(self.shown, self.rows) + self.shown.has_document_score

    @property
    def asked_before(self) -> int:
        """What the pass asks before these rows."""
        return bisect_left(self.shown.lines, self.rows.start)


def degradable_lines(one: Pass, undegradable: Undegradable) -> tuple[int, ...]:
    """The segments asked that can be damaged; of several translations side by side each must be fit for it."""
    return tuple(
        line
        for line in one.lines
        if not any((one.items[line].segment, slot.system) in undegradable for slot in one.items[line].slots)
    )


def draw_controls(
    passes: Sequence[Pass], options: PlanningOptions, undegradable: Undegradable, rng: random.Random
) -> list[Again]:
    """The shares of the passes, in sum, each pass being as likely to be a model as every other."""
    drawn: list[Again] = []
    shares: tuple[tuple[Kind, float], ...] = (("repeat", options.repeats_share), ("degraded", options.degraded_share))
    for kind, share in shares:
        fit = [one for one in passes if kind == "repeat" or degradable_lines(one, undegradable)] if share else []
        drawn += [Again(kind, model) for model in rng.sample(fit, min(rounded_share(len(passes), share), len(fit)))]
    return drawn


def settle(contents: Sequence[Content], capacity: int, rng: random.Random) -> None:
    """Moves control blocks to which nothing in their assignment can be cut, and evens out how many there are.

    What is to be asked again changes places with a pass that looks like its model, so that nobody who sees the lengths
    of blocks sees a difference.
    """
    places: dict[Shape, list[int]] = {}
    for place, content in enumerate(contents):
        for one in content.passes:
            places.setdefault(one.shape, []).append(place)
    there_are = {(one.shape, one.segments) for content in contents for one in content.passes}
    models = {again.model.shape for content in contents for again in content.again}
    best = {model: min(_misfit(model, *one)[0] for one in there_are) for model in models}
    for is_about_fit in (True, True, False):
        least = {kind: min(content.count(kind) for content in contents) for kind in KINDS}
        waiting = [(place, again) for place, content in enumerate(contents) for again in content.again]
        for place, again in rng.sample(waiting, len(waiting)):
            own, model = contents[place], again.model.shape
            is_well = own.fit(model) <= best[model] if is_about_fit else own.count(again.kind) <= least[again.kind] + 1
            known = [] if is_well else places.get(model, [])
            for other in rng.sample(known, min(len(known), EXCHANGES_TRIED)):
                if other != place and _exchange(own, contents[other], again, capacity, is_about_fit=is_about_fit):
                    known.remove(other)
                    known.append(place)
                    break


def _exchange(own: Content, other: Content, again: Again, capacity: int, *, is_about_fit: bool) -> bool:
    """Gives what is asked again for a pass of its shape, where that betters fit or evenness and breaks nothing."""
    more = own.count(again.kind) - other.count(again.kind)
    if more <= (-2 if is_about_fit else 1):
        return False
    texts, model = {one.text for one in own.passes}, again.model.shape
    fit = own.fit(model) - is_about_fit
    most = again.asked + capacity - own.load
    least = again.asked - capacity + other.load
    for place, one in enumerate(other.passes):
        is_alike = one.shape == model and least <= one.asked <= most and one.text not in texts
        if is_alike and other.fit(model, but=one) <= fit:
            own.again.remove(again)
            own.passes.append(other.passes.pop(place))
            other.again.append(again)
            return True
    return False


def blocks_of(content: Content, undegradable: Undegradable, rng: random.Random) -> list[Block]:
    """The blocks of an assignment in order, once with everything and, among them, what is asked again."""
    regular = [Block(one, one.rows, "regular", one.form) for one in content.passes]
    if sum(block.questions for block in regular) < 2:
        return regular  # beside its original alone a control item shows nothing
    controls = _controls(content, undegradable, rng)
    if not controls:
        return _apart_by_text(regular, rng)
    order = rng.sample([*regular, *controls], len(regular) + len(controls))
    for _ in range(SWEEPS):
        if not _moved_apart(order):
            break
    return order


def _controls(content: Content, undegradable: Undegradable, rng: random.Random) -> list[Block]:
    """None of the same pass twice in one way, and none in both ways while there are others."""
    controls: list[Block] = []
    for again in sorted(content.again, key=lambda again: -len(again.model.rows)):
        had = {(block.kind, id(block.shown)) for block in controls}
        fit = [
            one
            for one in rng.sample(list(content.passes), len(content.passes))
            if (again.kind, id(one)) not in had and (again.kind == "repeat" or degradable_lines(one, undegradable))
        ]
        had_by_any = {known for _, known in had}
        best = min(
            fit,
            key=lambda one: (
                _misfit(again.model.shape, one.shape, one.segments),
                id(one) in had_by_any,
                _difference(again, one),
            ),
            default=None,
        )
        if best is not None:
            controls.append(_run(best, again, undegradable, rng))
    return controls


@lru_cache(maxsize=1 << 16)
def _misfit(model: Shape, one: Shape, segments: int) -> tuple[int, int]:
    """How badly a run of a pass can be made to look like the model: a part of it is best, all of it good."""
    rows, (before, behind), is_scored = model
    own, (start, after), own_scored = one
    missing = max(start, before) - min(segments - after, segments - behind) + rows
    if missing > 0 or is_scored != own_scored:
        return 2, missing
    return int((rows, before, behind) == (own, start, after)), 0


def _run(one: Pass, again: Again, undegradable: Undegradable, rng: random.Random) -> Block:
    """As many rows as the model has, and as many beside them, of which as many are asked as can be; where, is drawn."""
    fit = degradable_lines(one, undegradable) if again.kind == "degraded" else one.lines
    if not fit or one.has_document_score:
        return Block(one, one.rows, again.kind, one.form)
    before, behind = again.model.form
    rows = len(again.model.rows)
    if rows > len(one.rows):
        rows = max(1, len(one.rows) - 1)  # all of them would have the length of their original
    runs = [range(start, start + rows) for start in range(one.rows.start, one.rows.stop - rows + 1)]
    useful = [run for run in runs if any(line in run for line in fit)]
    inside = [run for run in useful if run.start >= before and run.stop + behind <= one.segments]
    run = min(
        rng.sample(inside or useful, len(inside or useful)),
        key=lambda run: abs(_asked_in(one, run) - again.asked),
    )
    return Block(one, run, again.kind, (min(before, run.start), min(behind, one.segments - run.stop)))


def _asked_in(one: Pass, run: range) -> int:
    return bisect_left(one.lines, run.stop) - bisect_left(one.lines, run.start)


def _difference(again: Again, one: Pass) -> int:
    """How far from the model's the number of questions is, at least, in a run of as many rows."""
    rows = len(again.model.rows)
    starts = range(one.rows.start, one.rows.stop - rows + 1)
    return min((abs(_asked_in(one, range(start, start + rows)) - again.asked) for start in starts), default=0)


def _apart_by_text(regular: Sequence[Block], rng: random.Random) -> list[Block]:
    """A random order; where a text has several passes, of a few the one that least puts them together."""
    orders = [rng.sample(regular, len(regular))]
    if len({block.shown.text for block in regular}) < len(regular):
        orders += [rng.sample(regular, len(regular)) for _ in range(ORDERS_TRIED - 1)]
    return min(orders, key=lambda order: sum(one.shown.text == other.shown.text for one, other in pairwise(order)))


def _moved_apart(order: list[Block]) -> bool:
    """Lets originals that are too near change places with blocks of about their length; whether there were any."""
    has_moved = False
    for place, block in enumerate(order):
        own = next(at for at, other in enumerate(order) if other.shown is block.shown and other.kind == "regular")
        if block.kind == "regular" or _asked_between(order, place, own) >= APART:
            continue
        places = [at for at, other in enumerate(order) if other.kind == "regular" and at != own]
        far = [at for at in places if abs(at - place) > 1 and _asked_between(order, place, at) >= APART]
        if not far:
            far = [at for at in places if abs(at - place) > abs(own - place)]
        if far:
            other = min(far, key=lambda at: abs(len(order[at].rows) - len(order[own].rows)))
            order[own], order[other] = order[other], order[own]
            has_moved = True
    return has_moved


def _asked_between(order: Sequence[Block], control: int, original: int) -> int:
    """At least, between a segment of the original, if it stood there, and the same segment of the control block."""
    first, second = sorted((control, original))
    block = order[control]
    beside = block.questions + block.asked_before
    if original < control:
        beside = block.shown.questions - block.asked_before
    return sum(other.questions for other in order[first + 1 : second]) + beside - 1
