"""TER's edits with shifts, in machine code: `translation_edits` of ter.py for many pairs at once."""

import math

import numpy as np
from numpy.typing import NDArray

from metrics.automatic.compiled.flat import Codes, Flat, Starts
from metrics.automatic.compiled.kernels import inner, kernel

Edits = NDArray[np.int64]
_BEYOND = 10_000_000
_INSERTED, _DELETED, _BOTH = 1, 2, 3


def edits_with_shifts(
    texts: Flat, references: Flat, groups: Starts, *, beam: int, farthest: int, longest: int, most: int
) -> Edits:
    """The edits of each text to each of its references, those of `groups[i]` to `groups[i + 1]` for text i.

    Shape:
        Returns (n_references,). `beam`, `farthest`, `longest` and `most` are the limits that ter.py names.
    """
    limits = np.array([beam, farthest, longest, most], dtype=np.int64)
    edits: Edits = _all_edits(texts.codes, texts.starts, references.codes, references.starts, groups, limits)
    return edits


@kernel
def _all_edits(
    codes: Codes, starts: Starts, reference_codes: Codes, reference_starts: Starts, groups: Starts, limits: Edits
) -> Edits:
    edits = np.zeros(reference_starts.size - 1, np.int64)
    for text in range(starts.size - 1):
        words = codes[starts[text] : starts[text + 1]]
        for reference in range(groups[text], groups[text + 1]):
            others = reference_codes[reference_starts[reference] : reference_starts[reference + 1]]
            edits[reference] = _edits(words, others, limits)
    return edits


@inner
def _edits(words: Codes, reference: Codes, limits: Edits) -> int:
    n, m = words.size, reference.size
    if n == 0 or m == 0:
        return abs(n - m)
    lows, highs = _band(n, m, limits[0])
    width = 0
    for place in range(n + 1):
        width = max(width, highs[place] - lows[place])
    table, trial = np.empty((n + 1, width), np.int32), np.empty((n + 1, width), np.int32)
    ours, moved = words.copy(), words.copy()
    _fill(table, ours, reference, lows, highs, 1)
    tried = made = 0
    while table[n, m - lows[n]] > 0:
        most = limits[3] - tried
        count, left, length, start, target = _best_shift(
            ours, reference, table, trial, lows, highs, moved, limits[1], limits[2], most
        )
        tried += count
        if count >= most or count == 0 or left >= table[n, m - lows[n]]:
            break
        _shift(ours, start, length, target, moved)
        ours, moved = moved, ours
        _fill(table, ours, reference, lows, highs, min(start, target) + 1)
        made += 1
    return int(made + table[n, m - lows[n]])


@inner
def _band(n: int, m: int, beam: int) -> tuple[Edits, Edits]:
    """Of each row of the table the columns that are worked out: the first, and one after the last.

    Row 0 is known without a table: its cell j is j. Only cells that row 1 reads count there.
    """
    ratio = m / n
    if ratio / 2 > beam:
        beam = math.ceil(ratio / 2 + beam)
    lows, highs = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    for place in range(1, n + 1):
        diagonal = math.floor(place * ratio)
        lows[place] = max(0, diagonal - beam)
        highs[place] = m + 1 if place == n else min(m + 1, diagonal + beam)
    return lows, highs


@inner
def _fill(table: Codes, words: Codes, reference: Codes, lows: Edits, highs: Edits, first: int) -> None:
    """The rows from `first` on: edits of every beginning of the words to beginnings of the reference."""
    for place in range(first, words.size + 1):
        low, low_above, high_above, word = lows[place], lows[place - 1], highs[place - 1], words[place - 1]
        left = diagonal = _BEYOND
        if place == 1:
            diagonal = low - 1
        elif low_above < low <= high_above:
            diagonal = table[place - 1, low - 1 - low_above]
        for column in range(low, highs[place]):
            above = _BEYOND
            if place == 1:
                above = column
            elif low_above <= column < high_above:
                above = table[place - 1, column - low_above]
            cell = min(above, left) + 1
            if column > 0:
                cell = min(cell, diagonal + (1 if reference[column - 1] != word else 0))
            table[place, column - low] = cell
            left, diagonal = cell, above


@inner
def _cell(table: Codes, place: int, column: int, lows: Edits, highs: Edits) -> int:
    if place == 0:
        return column
    if column < lows[place] or column >= highs[place]:
        return _BEYOND
    return int(table[place, column - lows[place]])


@inner
def _align(
    words: Codes,
    reference: Codes,
    table: Codes,
    lows: Edits,
    highs: Edits,
    places: Codes,
    wrong: Codes,
    missed: Codes,
) -> None:
    """As `_aligned` in ter.py: the way through the table from its end, then the sums along it from its beginning."""
    steps = np.empty(words.size + reference.size, np.int8)
    count, at, to = 0, words.size, reference.size
    while at > 0 or to > 0:
        step = _DELETED
        if at == 0:
            step = _INSERTED
        elif to > 0:
            here = _cell(table, at, to, lows, highs)
            differs = 1 if words[at - 1] != reference[to - 1] else 0
            if _cell(table, at - 1, to - 1, lows, highs) + differs == here:
                step = _BOTH
            elif _cell(table, at - 1, to, lows, highs) + 1 != here:
                step = _INSERTED
        steps[count] = step
        count += 1
        at -= step >> 1
        to -= step & 1
    wrong[0] = missed[0] = 0
    for back in range(count - 1, -1, -1):
        step = steps[back]
        differs = 1 if step != _BOTH or words[at] != reference[to] else 0
        if step & _DELETED:
            at += 1
            wrong[at] = wrong[at - 1] + differs
        if step & _INSERTED:
            to += 1
            missed[to] = missed[to - 1] + differs
            places[to - 1] = at - 1


@inner
def _best_shift(
    words: Codes,
    reference: Codes,
    table: Codes,
    trial: Codes,
    lows: Edits,
    highs: Edits,
    moved: Codes,
    farthest: int,
    longest: int,
    most: int,
) -> tuple[int, int, int, int, int]:
    """Tries the shifts in tercom's order: how many, and what the best one leaves, its length, start and target."""
    n, m = words.size, reference.size
    places, wrong, missed = np.empty(m, np.int32), np.empty(n + 1, np.int32), np.empty(m + 1, np.int32)
    _align(words, reference, table, lows, highs, places, wrong, missed)
    count = equal_rows = 0  # the first rows of `trial` that are those of `table`
    best = (_BEYOND, 0, 0, 0)
    for start in range(n):
        for target in range(max(0, start - farthest), min(m, start + farthest + 1)):
            for length in range(1, min(longest, n - start, m - target) + 1):
                if words[start + length - 1] != reference[target + length - 1]:
                    break
                if wrong[start] == wrong[start + length] or missed[target] == missed[target + length]:
                    continue
                if start <= places[target] < start + length:
                    continue
                before = -1
                for to in range(target - 1, min(target + length, m)):
                    place = places[to] + 1 if to >= 0 else 0
                    if place == before:
                        continue
                    before = place
                    count += 1
                    if count >= most:
                        continue  # none is made any more
                    common = min(start, place)
                    _copy_rows(table, trial, equal_rows + 1, common)
                    equal_rows = common
                    _shift(words, start, length, place, moved)
                    _fill(trial, moved, reference, lows, highs, common + 1)
                    option = (trial[n, m - lows[n]], -length, start, place)
                    if option < best:  # noqa: PLR1730 - numba has no min of tuples
                        best = option
                if count >= most:
                    return count, _BEYOND, 0, 0, 0
    return count, best[0], -best[1], best[2], best[3]


@inner
def _copy_rows(table: Codes, trial: Codes, first: int, last: int) -> None:
    for row in range(first, last + 1):
        for column in range(table.shape[1]):
            trial[row, column] = table[row, column]


@inner
def _shift(words: Codes, start: int, length: int, target: int, moved: Codes) -> None:
    """The words with `length` of them from `start` on moved before the place `target`."""
    n, end = words.size, start + length
    first, second, third = start, end, target  # what is from `second` to `third` goes before what is moved
    if target < start:
        first, second, third = target, start, end
    elif target <= end:  # within the run itself: what follows it goes before
        third = min(n, max(end, length + target))
    to = 0
    for at in range(first):
        moved[to] = words[at]
        to += 1
    for at in range(second, third):
        moved[to] = words[at]
        to += 1
    for at in range(first, second):
        moved[to] = words[at]
        to += 1
    for at in range(third, n):
        moved[to] = words[at]
        to += 1
