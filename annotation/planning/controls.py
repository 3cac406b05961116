"""Where repeats and degraded items are planted.

A control item stands for one regular segment of the same assignment, in the translation of the same system, and never
for another control item. It is a block of its own behind the block of another text: the control item, with the segment
before and the segment after it as context. Damage inside the document itself would spoil the neighbours' judgments and
the document's score; a whole document shown again, as crowd campaigns did, costs far more than one segment tells; a
segment without neighbours would be judged under other conditions than its original. Among `APART` asked items nobody
recalls the score given before. A repeat follows its original. A degraded item may as well precede it, so that order
does not speak for the genuine text.

Originals are drawn pass by pass, so that no document and no system gets many more than another.
"""

import random
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import floor

from annotation.planning.passes import Pass
from annotation.planning.planned import Kind

APART = 10
PLACES_TRIED = 4


class Quota:
    """How many control items of a kind each assignment gets: shares are right in sum, remainders are carried over."""

    def __init__(self, share: float) -> None:
        self.share = share
        self.asked = 0
        self.given = 0

    def due(self, asked: int) -> int:
        """A lone segment gets none: a control item beside its original shows nothing."""
        self.asked += asked
        due = rounded_share(self.asked, self.share) - self.given
        return max(0, min(due, asked)) if asked > 1 else 0


def rounded_share(asked: int, share: float) -> int:
    return floor(asked * share + 0.5)


@dataclass(frozen=True, slots=True)
class Original:
    """A regular segment: its block, its place in it, how many asked items come before it in the assignment."""

    block: int
    line: int
    before: int


@dataclass(frozen=True, slots=True)
class Control:
    """A control item to be shown after the block `after`."""

    kind: Kind
    original: Original
    after: int


class Planting:
    """The passes of one assignment in order, and the control items planted among them."""

    def __init__(
        self, passes: Sequence[Pass], undegradable: Collection[tuple[int | None, int]], rng: random.Random
    ) -> None:
        self.passes = passes
        self.undegradable = undegradable
        self.rng = rng
        self.asked_up_to = list(accumulate(one.questions for one in passes))
        self.planted: list[list[Control]] = [[] for _ in passes]

    def plant(self, kind: Kind, count: int) -> int:
        """Plants so many control items, or as many as there are segments fit for it, and says how many.

        First come segments that can be far enough from their control item, have none of another kind yet, and need not
        have it beside their own document.
        """
        taken = {control.original for controls in self.planted for control in controls}
        left, second_choice = count, []
        for original in self._drawn(kind) if count else ():
            place = self._place(kind, original)
            if original in taken or self._reach(kind, original) < APART or self._clashes(place, original):
                second_choice.append(original)
                continue
            self.planted[place].append(Control(kind, original, place))
            left -= 1
            if not left:
                return count
        second_choice.sort(key=lambda original: (-min(self._reach(kind, original), APART), original in taken))
        for original in second_choice[:left]:
            self.planted[place := self._place(kind, original)].append(Control(kind, original, place))
        return count - left + len(second_choice[:left])

    def _drawn(self, kind: Kind) -> Iterator[Original]:
        """All that may be an original, from one pass after the other in turn."""
        blocks = self.rng.sample(range(len(self.passes)), len(self.passes))
        queues = [self._originals(kind, block) for block in blocks]
        while queues:
            waiting = []
            for queue in queues:
                original = next(queue, None)
                if original is not None:
                    waiting.append(queue)
                    yield original
            queues = waiting

    def _originals(self, kind: Kind, block: int) -> Iterator[Original]:
        """Those of one pass in random order, drawn only as far as they are wanted."""
        start = self.asked_up_to[block - 1] if block else 0
        left = list(enumerate(self.passes[block].lines))
        while left:
            chosen = self.rng.randrange(len(left))
            left[chosen], left[-1] = left[-1], left[chosen]
            place, line = left.pop()
            original = Original(block, line, start + place)
            if kind != "degraded" or self._is_degradable(original):
                yield original

    def _is_degradable(self, original: Original) -> bool:
        if not self.undegradable:
            return True
        item = self.passes[original.block].items[original.line]
        return not any((item.segment, slot.system) in self.undegradable for slot in item.slots)

    def _reach(self, kind: Kind, original: Original) -> int:
        """How many asked items can lie between this segment and its control item."""
        last = len(self.passes) - 1
        later = self._after(original)
        if original.block == last and last > 0:
            later = min(later, APART - 1)  # only behind its own document: the last resort
        return max(later, self._ahead(original)) if kind == "degraded" else later

    def _after(self, original: Original) -> int:
        return self.asked_up_to[-1] - original.before - 1

    def _ahead(self, original: Original) -> int:
        return original.before - self.asked_up_to[0] if original.block > 1 else -1

    def _place(self, kind: Kind, original: Original) -> int:
        """The block to plant behind: far enough away, not beside the same text, and rather where there are few."""
        places = self._far_enough(kind, original)
        if not places:
            is_ahead = kind == "degraded" and self._ahead(original) > self._after(original)
            return 0 if is_ahead else len(self.passes) - 1
        return min(self.rng.choices(places, k=PLACES_TRIED), key=lambda place: self._cost(place, original))

    def _far_enough(self, kind: Kind, original: Original) -> list[int]:
        ends, block = self.asked_up_to, original.block
        later = range(max(block + 1, bisect_left(ends, original.before + 1 + APART)), len(ends))
        earlier = range(min(block - 1, bisect_right(ends, original.before - APART)) if kind == "degraded" else 0)
        return [*earlier, *later]

    def _cost(self, place: int, original: Original) -> tuple[bool, int]:
        return self._clashes(place, original), len(self.planted[place])

    def _clashes(self, place: int, original: Original) -> bool:
        beside = [one.text for one in self.passes[place : place + 2]]
        beside += [self.passes[control.original.block].text for control in self.planted[place]]
        return self.passes[original.block].text in beside
