"""Blocks: rows of a pass that are shown together, and rows that can be made to look like another block.

Where control items are planned a long pass is shown in several blocks of the same assignment, each with the segments
before it as context. Any part of a longer pass can then be repeated in the look of any block (see controls.py).
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from annotation.planning.options import PlanningOptions
from annotation.planning.passes import READ_BEFORE, Pass
from annotation.planning.planned import Kind

LONGEST_BLOCK, SHORTEST_BLOCK = 12, 2
LONGER_PASSES = 3  # in an assignment, on average: as many as any block can be cut from


class Look(NamedTuple):
    """A block as seen without reading: its rows, which of them are judged (`mask`, a bit each, the first the lowest),
    how many are read before them, and whether it is a whole document.
    """

    rows: int
    mask: int
    before: int
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Block:
    """Rows of a pass as they are met once, for the first time or again; `lines` are the judged ones among them."""

    shown: Pass
    rows: range
    before: int
    lines: tuple[int, ...]
    kind: Kind = "regular"

    @property
    def look(self) -> Look:
        mask = sum(1 << (line - self.rows.start) for line in self.lines)
        return Look(len(self.rows), mask, self.before, self.shown.stays_whole)

    @property
    def questions(self) -> int:
        return len(self.lines) + self.shown.has_document_score


def cut(passes: Sequence[Pass], options: PlanningOptions, rng: random.Random) -> list[Pass]:
    """Long passes in several blocks, whose lengths are drawn from those of the passes that are short enough.

    They are short enough that nearly every assignment has several passes from which a block of any look can be cut.
    Blocks of one pass are no more alike than any others: likeness would distinguish them from control blocks.
    """
    if not options.is_cut:
        return list(passes)
    longest = _longest_block(passes, options)
    lengths = [len(one.rows) for one in passes]
    usual = [length for length in lengths if length <= longest] or list(range((longest + 1) // 2, longest + 1))
    return [replace(one, cuts=_cuts(one, longest, usual, rng)) for one in passes]


def _longest_block(passes: Sequence[Pass], options: PlanningOptions) -> int:
    assignments = max(1, sum(one.size for one in passes) // options.items_per_assignment)
    longest_first = sorted((len(one.rows) for one in passes), reverse=True)
    enough = min(LONGER_PASSES * assignments, len(passes) // 3)
    return max(SHORTEST_BLOCK, min(LONGEST_BLOCK, longest_first[enough]))


def _cuts(one: Pass, longest: int, usual: Sequence[int], rng: random.Random) -> tuple[int, ...]:
    rest, lengths = len(one.rows), []
    while rest > longest:
        lengths.append(rng.choice(usual))
        rest -= lengths[-1]
    mixed = rng.sample([*lengths, rest], len(lengths) + 1)
    return tuple(one.rows.start + place for place in accumulate(mixed[:-1]))


def blocks_of(one: Pass) -> list[Block]:
    """In order, without rows of which none is judged."""
    blocks = []
    for start, stop in pairwise([one.rows.start, *one.cuts, one.rows.stop]):
        rows = range(start, stop)
        lines = tuple(line for line in one.lines if line in rows)
        if lines or one.has_document_score:
            blocks.append(Block(one, rows, min(READ_BEFORE, rows.start), lines))
    return blocks


def misfit(look: Look, one: Pass) -> int:
    """The smallest difference between `look` and a block of this pass; 0: they look the same."""
    return _best_runs(look, len(one.rows), one.mask, one.before, is_whole=one.stays_whole)[0]


def runs_like(look: Look, one: Pass) -> list[range]:
    """Those rows of the pass that can be made to look most like it; where there are others, none that are a block."""
    _, rows, starts = _best_runs(look, len(one.rows), one.mask, one.before, is_whole=one.stays_whole)
    runs = [range(one.rows.start + start, one.rows.start + start + rows) for start in starts]
    return [run for run in runs if not is_block(run, one)] or runs


def is_block(run: range, one: Pass) -> bool:
    """Whether these rows are shown together already."""
    borders = (one.rows.start, *one.cuts, one.rows.stop)
    return (run.start, run.stop) in pairwise(borders)


@lru_cache(maxsize=1 << 16)
def _best_runs(look: Look, rows: int, mask: int, before: int, *, is_whole: bool) -> tuple[int, int, tuple[int, ...]]:
    """The least misfit, how many rows then are shown, and where they may begin."""
    if is_whole:
        return int((rows, mask) != look[:2]), rows, (0,)
    shown = min(rows, look.rows)
    judged = look.mask & ((1 << shown) - 1)
    misfits = [
        (judged & ~(mask >> start)).bit_count()
        + max(0, look.before - before - start)
        + (0 if (mask >> start) & ((1 << shown) - 1) else rows)
        for start in range(rows - shown + 1)
    ]
    least = min(misfits)
    return least + look.rows - shown, shown, tuple(start for start, each in enumerate(misfits) if each == least)
