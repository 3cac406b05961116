"""Gamma: do annotators find the same errors, in the same places and of the same kinds, beyond chance?"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb

import numpy as np

from metrics.statistics.arrays import FloatArray, ratios
from metrics.statistics.resampling import NO_INTERVAL, Interval, percentile_interval, times_drawn

Unit = tuple[float, float, Hashable]
Item = Sequence[Sequence[Unit]]
MOST_UNITS = 8  # of an annotator: above, the alignment is greedy
_MOST_ALIGNMENTS = 5_000
_MOST_STEPS = 10_000
_LEAST = 1e-12


@dataclass(frozen=True)
class Disorder:
    """Of the best alignment over the mean number of units of an annotator; not the best where not `is_exact`."""

    value: float
    is_exact: bool


@dataclass(frozen=True)
class Gamma:
    """`value` is 1 - mean observed / mean expected disorder of `items`; `greedy` of them were not aligned exactly.

    `observed_of` and `expected_of` have an entry an item. NaN for a `reason`: `no_overlap`,
    `nothing_marked` or `no_variation`.
    """

    value: float
    interval: Interval
    items: int
    observed: float
    expected: float
    greedy: int
    observed_of: FloatArray
    expected_of: FloatArray
    reason: str = ""


def alignment_disorder(item: Item) -> Disorder:
    """How much disorder is left when the marks of all annotators of a text are aligned as well as possible?

    Shape: For each annotator the units (start, end, category) of one text; distinct ones count.
    Unit and range: Positions in any unit; 0 or more, 0 where all marked the same.
    Missing data: Leave out annotators who did not judge the text; an empty list says that nothing was marked.
    Degenerate input: Fewer than two annotators, or no unit: NaN. A unit without length raises ValueError.
    Method: An alignment puts at most one unit of each annotator together; every unit is in one. Its cost is the mean
        over pairs of annotators of their dissimilarity: ((|start1 - start2| + |end1 - end2|) / (length1 + length2))^2
        plus 1 if the categories differ; 1 where one or both have none. The least sum of costs (branch and bound, over 8
        units of an annotator or with very many alignments greedy) over the mean number of units.
    Source: Mathet, Widlocher & Metivier 2015, "The unified and holistic method gamma", sections 4 and 5, with alpha =
        beta = delta_empty = 1.

    Example:
        >>> round(alignment_disorder([[(0, 4, "style")], [(0, 4, "style"), (9, 12, "style")]]).value, 4)
        0.6667
    """
    units = [sorted(set(own), key=str) for own in item]
    flat = [unit for own in units for unit in own]
    if any(end <= start for start, end, _category in flat):
        raise ValueError("units without length cannot be aligned")
    if len(units) < 2 or not flat:
        return Disorder(float("nan"), is_exact=True)
    owner = [place for place, own in enumerate(units) for _unit in own]
    saved = _saved(flat, comb(len(units), 2))
    candidates = None if max(map(len, units)) > MOST_UNITS else _alignments(owner, saved)
    best = None if candidates is None else _most_saved(candidates, len(flat))
    is_exact = best is not None
    if best is None:
        best = _greedily_saved(owner, saved)
    cost = len(flat) - best
    return Disorder(cost * len(units) / len(flat) if cost > _LEAST * len(flat) else 0.0, is_exact)


def gamma_agreement(
    items: Sequence[Item],
    *,
    samples: int = 30,
    resamples: int = 0,
    confidence: float = 0.95,
    rng: np.random.Generator,
) -> Gamma:
    """How far do annotators agree on where errors are and of which category, beyond what chance gives?

    Shape: Items (texts), each with a list of units (start, end, category) for every annotator who judged it.
    Unit and range: 1 for the same units, 0 for what chance gives, below 0 for less.
    Missing data: Leave out annotators who did not judge a text; an empty list says that nothing was marked.
    Degenerate input: No text with two annotators: NaN, `no_overlap`. Nothing marked in any: NaN, `nothing_marked`.
        Texts without any unit have no disorder and are left out. Nothing that chance could change: NaN, `no_variation`.
    Method: 1 - mean observed / mean expected `alignment_disorder`. Expected: `samples` texts for each, with as many
        annotators; numbers, lengths and gaps of units are normal with the text's own means and deviations, categories
        as often as there. Where somebody marked nothing, numbers are drawn from the annotators' own. Interval: texts
        drawn with replacement.
    Source: Mathet, Widlocher & Metivier 2015; the sampling is that of pygamma-agreement (Titeux & Riad 2021).

    Example:
        >>> same = [[(0, 4, "style"), (9, 12, "accuracy")]] * 2
        >>> gamma_agreement([same], rng=np.random.default_rng(1)).value
        1.0
    """
    nan, nothing = float("nan"), np.zeros(0)
    shared = [item for item in items if len(item) > 1]
    marked = [item for item in shared if any(item)]
    if not marked:
        reason = "nothing_marked" if shared else "no_overlap"
        return Gamma(nan, NO_INTERVAL, 0, nan, nan, 0, nothing, nothing, reason)
    disorders = [alignment_disorder(item) for item in marked]
    observed = np.array([each.value for each in disorders])
    expected = np.array([_expected(item, samples, rng) for item in marked])
    interval = NO_INTERVAL
    if resamples and len(marked) > 1:
        sums = [(times @ observed, times @ expected) for times in times_drawn(len(marked), resamples, rng)]
        interval = percentile_interval(np.concatenate([1 - ratios(one, other) for one, other in sums]), confidence)
    return Gamma(
        value=float(1 - observed.mean() / expected.mean()) if expected.any() else nan,
        interval=interval,
        items=len(marked),
        observed=float(observed.mean()),
        expected=float(expected.mean()),
        greedy=sum(not each.is_exact for each in disorders),
        observed_of=observed,
        expected_of=expected,
        reason="" if expected.any() else "no_variation",
    )


def _saved(units: Sequence[Unit], n_pairs: int) -> list[list[float]]:
    """What putting two units together saves, beside the 1 that every unit less alone saves."""
    start, end = (np.array([unit[side] for unit in units], dtype=np.float64) for side in (0, 1))
    apart = np.abs(start[:, None] - start) + np.abs(end[:, None] - end)
    lengths = (end - start)[:, None] + (end - start)
    codes = {category: code for code, category in enumerate(dict.fromkeys(unit[2] for unit in units))}
    category = np.array([codes[unit[2]] for unit in units])
    rows: list[list[float]] = ((1 - (apart / lengths) ** 2 - (category[:, None] != category)) / n_pairs).tolist()
    return rows


def _alignments(owner: Sequence[int], saved: Sequence[Sequence[float]]) -> list[tuple[float, int]] | None:
    """All of two units or more that save something, with their units as bits; None if there are too many."""
    found: list[tuple[float, int]] = []
    open_: list[tuple[float, tuple[int, ...], int]] = [(0.0, (unit,), 1 << unit) for unit in range(len(owner))]
    n_annotators, made = max(owner) + 1, 0
    most_of_one = 1 + sum(max(max(row) for row in saved) for _one in range(n_annotators))
    while open_:
        total, members, bits = open_.pop()
        for unit in range(members[-1] + 1, len(owner)):
            if owner[unit] == owner[members[-1]]:
                continue
            made += 1
            if made > _MOST_ALIGNMENTS:
                return None
            row = saved[unit]
            grown = total + 1 + sum([row[member] for member in members])
            if grown > _LEAST:
                found.append((grown, bits | 1 << unit))
            if grown + (n_annotators - 1 - owner[unit]) * most_of_one > _LEAST:
                open_.append((grown, (*members, unit), bits | 1 << unit))
    return found


def _most_saved(candidates: list[tuple[float, int]], n_units: int) -> float | None:
    """The most that alignments without a common unit save together; None if the search takes too long."""
    of_unit: list[list[tuple[float, int]]] = [[] for _unit in range(n_units)]
    most = [0.0] * n_units  # its share of the best alignment it is in
    for total, bits in sorted(candidates, reverse=True):
        share = total / bits.bit_count()
        for unit in range(n_units):
            if bits >> unit & 1:
                of_unit[unit].append((total, bits))
                most[unit] = max(most[unit], share)
    best, steps = 0.0, 0
    # Each entry: the units decided or gone, the next unit, what is saved, and what those left could save at most.
    open_ = [(0, 0, 0.0, sum(most))]
    while open_:
        gone, unit, total, left = open_.pop()
        best = max(best, total)
        steps += 1
        if steps > _MOST_STEPS:
            return None
        while unit < n_units and gone >> unit & 1:
            unit += 1
        if unit == n_units or total + left <= best + _LEAST:
            continue
        open_.append((gone | 1 << unit, unit + 1, total, left - most[unit]))
        for saves, bits in reversed(of_unit[unit]):
            if not bits & gone:
                rest = left - sum(most[each] for each in range(unit, n_units) if bits >> each & 1)
                open_.append((gone | bits, unit + 1, total + saves, rest))
    return best


def _greedily_saved(owner: Sequence[int], saved: Sequence[Sequence[float]]) -> float:
    """Groups that save most when they are put together, one after the other."""
    groups: list[list[int]] = [[unit] for unit in range(len(owner))]
    of_unit = list(range(len(owner)))
    pairs = sorted(((row[other], unit, other) for unit, row in enumerate(saved) for other in range(unit)), reverse=True)
    total = 0.0
    for _saves, unit, other in pairs:
        one, two = groups[of_unit[unit]], groups[of_unit[other]]
        if one is two or {owner[each] for each in one} & {owner[each] for each in two}:
            continue
        gain = 1 + sum(saved[first][second] for first in one for second in two)
        if gain > _LEAST:
            total += gain
            for each in two:
                of_unit[each] = of_unit[unit]
            one.extend(two)
    return total


def _expected(item: Item, samples: int, rng: np.random.Generator) -> float:
    units = [sorted(set(own), key=lambda unit: (unit[0], unit[1])) for own in item]
    flat = [unit for own in units for unit in own]
    counts = np.array([len(own) for own in units])
    gaps = [0.0, *(after[0] - before[1] for own in units for before, after in pairwise(own))]
    gaps += [own[0][0] for own in units if own and own[0][0] > 0]
    lengths = [end - start for start, end, _category in flat]
    gap, length, number = ((float(np.mean(each)), float(np.std(each))) for each in (gaps, lengths, counts))
    disorders = []
    for _sample in range(samples):
        drawn = np.zeros(len(units), dtype=np.int64)
        while not drawn.any():
            drawn = (
                np.maximum(1, rng.normal(*number, size=drawn.size).astype(np.int64))
                if counts.all()
                else rng.choice(counts, size=drawn.size)
            )
        made = [_drawn_units(int(n), gap, length, flat, rng) for n in drawn.tolist()]
        disorders.append(alignment_disorder(made).value)
    return float(np.mean(disorders))


def _drawn_units(
    n: int, gap: tuple[float, float], length: tuple[float, float], flat: Sequence[Unit], rng: np.random.Generator
) -> list[Unit]:
    gaps = rng.normal(*gap, size=n)
    lengths = np.maximum(np.abs(rng.normal(*length, size=n)), 1e-9)
    ends = np.cumsum(gaps + lengths)
    categories = rng.integers(len(flat), size=n).tolist()
    return [
        (start, end, flat[category][2])
        for start, end, category in zip((ends - lengths).tolist(), ends.tolist(), categories, strict=True)
    ]
