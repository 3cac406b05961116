"""Whether an annotator can be relied on: planted control items and repeated ones."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, as_codes, as_floats, complete_pairs, group_means, ratios
from metrics.statistics.correlation.coefficients import pearson
from metrics.statistics.significance import paired_t, signed_rank

LEVEL = 0.05
FEWEST_SIGNED_PAIRS = 5


@dataclass(frozen=True)
class ControlTest:
    """`n` pairs; `difference` is mean(degraded - original); `is_sufficient` whether the test could have passed.

    `reason` says why there is no p: `no_controls`, `too_few` or `equal_differences`.
    """

    p: float
    statistic: float
    difference: float
    n: int
    is_sufficient: bool
    is_passed: bool
    reason: str = ""


@dataclass(frozen=True)
class RepeatConsistency:
    """`difference` is the mean absolute difference, `pearson` the correlation, over `n` pairs.

    `reason` says why there is no correlation (`no_repeats`, `too_few`, `constant`), and without pairs no difference.
    """

    difference: float
    pearson: float
    n: int
    reason: str = ""


def control_item_test(
    degraded: ArrayLike, originals: ArrayLike, *, test: Literal["paired-t", "signed-rank"] = "paired-t"
) -> ControlTest:
    """Whether an annotator scores damaged translations below the originals of the very same segments.

    Shape: `degraded` and `originals`: (n_pairs,), paired by annotator, assignment, system and segment.
    Unit and range: Scores, higher is better; p from 0 to 1.
    Missing data: A pair with a NaN on either side is dropped.
    Degenerate input: No p exists for fewer than two pairs or, with paired-t, for equal differences: p is NaN, not
        passed, not sufficient. Fewer than five differing pairs cannot reach 0.05 by signed-rank: not sufficient, which
        is not the same as bad. An unknown test raises ValueError.
    Method: One-sided, alternative degraded < originals; passed iff p is a number and p <= 0.05, the limit included.
        signed-rank is the robust alternative for a slider; the two disagree near the limit.
    Source: Graham, Baldwin, Moffat & Zobel 2017, "Can machine translation systems be evaluated by the crowd alone",
        Natural Language Engineering 23(1).

    Example:
        >>> test = control_item_test([20, 30, 25, 40], [60, 65, 70, 66])
        >>> test.difference, round(test.p, 4), test.is_passed
        (-36.5, 0.0014, True)
    """
    if test not in ("paired-t", "signed-rank"):
        raise ValueError(f"test must be paired-t or signed-rank, not {test!r}")
    low, high = complete_pairs(degraded, originals)
    student = paired_t(low, high, alternative="less")
    if test == "paired-t":
        p, statistic, is_sufficient = student.p, student.statistic, not np.isnan(student.p)
    else:
        ranked = signed_rank(low, high, alternative="less")
        p, statistic, is_sufficient = ranked.p, ranked.statistic, ranked.n >= FEWEST_SIGNED_PAIRS
    without_p = ("no_controls", "too_few", "equal_differences")[min(student.n, 2)]
    reason = without_p if np.isnan(p) else ""
    return ControlTest(p, statistic, student.difference, student.n, bool(is_sufficient), bool(p <= LEVEL), reason)


def repeat_consistency(first: ArrayLike, repeats: ArrayLike) -> RepeatConsistency:
    """How alike an annotator scores the same translation twice.

    Shape: `first` and `repeats`: (n_pairs,), paired by annotator, assignment, system and segment.
    Unit and range: The difference in the unit of the scores, 0 for perfect; the correlation from -1 to 1.
    Missing data: A pair with a NaN on either side is dropped.
    Degenerate input: No pairs: both NaN, reason `no_repeats`. Fewer than two (`too_few`), or a constant column
        (`constant`): the correlation is NaN.
    Method: mean(|first - repeat|) and Pearson's r. Reported, and decides nothing: near the middle of the scale an
        annotator who always answers the same is perfectly consistent.
    Source: Graham et al. 2017 (as `control_item_test`), exact repeats.

    Example:
        >>> consistency = repeat_consistency([10, 20, 30], [14, 18, 33])
        >>> consistency.difference, round(consistency.pearson, 4), consistency.n
        (3.0, 0.9484, 3)
    """
    one, two = complete_pairs(first, repeats)
    if one.size == 0:
        return RepeatConsistency(float("nan"), float("nan"), 0, "no_repeats")
    difference = float(np.abs(one - two).mean())
    correlation = pearson(one, two)
    return RepeatConsistency(difference, correlation.value, one.size, correlation.reason)


def share_outdone(values: ArrayLike, screens: ArrayLike) -> FloatArray:
    """For each of several translations on one screen, the share of the others there that it was put before.

    Shape: `values` and `screens`: (n_rows,), one row a translation on a screen; the result too.
    Unit and range: Values of any unit, higher is better, compared within a screen alone; shares from 0 (last) to 1
        (first).
    Missing data: A row with a NaN is on no screen: its share is NaN, and it is none of the others.
    Degenerate input: Alone on its screen, a translation has no share: NaN.
    Method: (worse + half of the equal) / others. Unlike a rank it does not depend on how many others share ranks, so
        that the place of a damaged translation can be compared with that of the genuine one among the same others.
    Source: The wins of a system in pairwise preferences, a tie counting half, as in Bojar et al. 2011, "A grain of salt
        for the WMT manual evaluation"; here on a single screen.

    Example:
        >>> share_outdone([-1, -2, -2, -3], ["s", "s", "s", "s"]).round(4).tolist()
        [1.0, 0.5, 0.5, 0.0]
    """
    numbers = as_floats(values)
    shares = np.full(numbers.size, np.nan)
    present = np.flatnonzero(~np.isnan(numbers))
    _, screen = as_codes(np.asarray(screens)[present], present.size)
    order = np.lexsort((numbers[present], screen))
    screen, ranked = screen[order], numbers[present][order]
    starts = np.searchsorted(screen, screen)
    others = np.searchsorted(screen, screen, side="right") - starts - 1
    place = np.arange(screen.size, dtype=np.float64) - starts
    is_new = np.concatenate([[True], (screen[1:] != screen[:-1]) | (ranked[1:] != ranked[:-1])])[: screen.size]
    tie = np.cumsum(is_new) - 1
    mean_place = group_means(place, tie, int(is_new.sum()))[tie]
    shares[present[order]] = ratios(mean_place, others)
    return shares
