"""How fast a campaign goes, when it will end at that pace, and who is faster than reading allows."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import BoolArray, as_codes, as_floats

LONGEST_DAYS = 732
FEWEST_OTHERS = 2
SHARE_OF_OTHERS = 0.5
_DAYS_AT_ONCE = 32
_QUANTILES = (0.1, 0.5, 0.9)


@dataclass(frozen=True)
class DaysLeft:
    """Days from now until all is done: a tenth of the continuations end before `early`, a tenth after `late`."""

    early: float
    middle: float
    late: float


def days_until_done(
    daily_counts: ArrayLike, remaining: int, *, continuations: int = 1000, rng: np.random.Generator
) -> DaysLeft:
    """When the work left would be done, if the days to come were like the days behind.

    Shape: `daily_counts`: (n_days,), what was done on each day, days without work included as 0.
    Unit and range: Days from now, at least 0, fractions within the last day; infinite beyond 732 days, which is two
        years.
    Missing data: A NaN raises ValueError: a day without work is a 0.
    Degenerate input: Nothing remaining: all three are 0. No days at all: NaN. Only days without work: infinite. A
        negative count raises ValueError.
    Method: Each continuation draws days with replacement from those behind, until their sum reaches `remaining`; within
        the day that reaches it, work is taken to arrive evenly. The 10, 50 and 90 % quantiles (inverse of the empirical
        distribution function) of all continuations.
    Source: The bootstrap of Efron & Tibshirani 1993, chapter 8, applied to days; by teams of programmers known as a
        Monte Carlo forecast from throughput. Days are drawn one by one: that Sundays follow Saturdays is lost.

    Example:
        Ten a day leaves nothing to chance: 25 take two days and a half.

        >>> days_until_done([10, 10, 10], 25, rng=np.random.default_rng(1))
        DaysLeft(early=2.5, middle=2.5, late=2.5)
    """
    counts = as_floats(daily_counts)
    if np.isnan(counts).any() or (counts < 0).any():
        raise ValueError("daily counts must be numbers from 0")
    if remaining <= 0:
        return DaysLeft(0.0, 0.0, 0.0)
    if not counts.size:
        return DaysLeft(np.nan, np.nan, np.nan)
    ends = np.full(continuations, np.inf)
    done = np.zeros(continuations)
    for day in range(0, LONGEST_DAYS, _DAYS_AT_ONCE):
        drawn = rng.choice(counts, size=(continuations, _DAYS_AT_ONCE))
        sums = done[:, None] + np.cumsum(drawn, axis=1)
        enough = sums >= remaining
        now = np.flatnonzero(np.isinf(ends) & enough[:, -1])
        last = np.argmax(enough[now], axis=1)
        of_last_day = drawn[now, last]
        ends[now] = day + last + 1 - (sums[now, last] - remaining) / of_last_day
        done = sums[:, -1]
        if np.isfinite(ends).all():
            break
    early, middle, late = np.quantile(ends, _QUANTILES, method="inverted_cdf")
    return DaysLeft(float(early), float(middle), float(late))


def grouped_median(values: ArrayLike, counts: ArrayLike) -> float:
    """The median of values that come as a table of how often each occurs.

    Shape: `values` and `counts`: (n_values,), in any order; the same value may stand in several rows.
    Unit and range: That of the values.
    Missing data: Rows whose value is NaN are left out.
    Degenerate input: Nothing counted: NaN. Arrays of different lengths raise ValueError.
    Method: The middle value of all occurrences, the mean of the two middle ones where their number is even.
    Source: The definition of the median; a database counts, so that no row travels.

    Example:
        1, 1, 1, 5, 9: the middle one is 1. With another 9, the middle ones are 1 and 5.

        >>> grouped_median([5, 1, 9], [1, 3, 1]), grouped_median([5, 1, 9], [1, 3, 2])
        (1.0, 3.0)
    """
    value, count = as_floats(values), np.asarray(counts, dtype=np.int64)
    if value.shape != count.shape:
        raise ValueError("as many values as counts are needed")
    occurrences = np.repeat(value, count)
    occurrences = occurrences[~np.isnan(occurrences)]
    return float(np.median(occurrences)) if occurrences.size else float("nan")


def faster_than_reading(medians: ArrayLike, *, reading_seconds: float) -> BoolArray:
    """Whose median time a segment is below what reading it takes, and far below the others'.

    Shape: `medians`: (n_annotators,), one annotator's median each.
    Unit and range: Seconds; the answer is True or False.
    Missing data: NaN marks an annotator with too few judgments, who is neither fast nor one of the others.
    Degenerate input: Fewer than two others with a median: nobody can be compared, False. An unknown reading time (NaN):
        False.
    Method: median < reading_seconds, and median < half of the median of the other annotators' medians. Both: short
        segments make everybody quick, and one slow reader does not make the rest careless.
    Source: A convention of Assay. That answers quicker than reading are a sign of not reading is old in surveys, as in
        Wise & Kong 2005 on response time effort, Applied Measurement in Education 18(2).

    Example:
        Reading takes 9 s. The first needs 7 s and the others about 40; the last is quick, but not quicker than that.

        >>> faster_than_reading([7, 38, 44, 29, 10], reading_seconds=9).tolist()
        [True, False, False, False, False]
    """
    seconds = as_floats(medians)
    fast = np.zeros(seconds.size, dtype=np.bool_)
    for index in np.flatnonzero(seconds < reading_seconds):
        others = np.delete(seconds, index)
        others = others[~np.isnan(others)]
        fast[index] = others.size >= FEWEST_OTHERS and seconds[index] < SHARE_OF_OTHERS * float(np.median(others))
    return fast


def seconds_per_annotation(
    times: ArrayLike, screens: ArrayLike, annotations: ArrayLike, *, longest: float = 60.0
) -> float:
    """The working time of one score, from the moments at which annotators did something.

    Shape: `times` and `screens`: (n_actions,), when each action was, in any order, and the screen it was on, from 0;
        `annotations`: (n_screens,), the scores on each screen.
    Unit and range: `times` in seconds from any start; seconds from 0.
    Missing data: A NaN time is left out.
    Degenerate input: A screen with fewer than two actions has no time: it is left out of both sums. No screen left, or
        no score on those that are: NaN. A screen without a place in `annotations` raises ValueError.
    Method: Sum over screens of the gaps between its actions in order of time, each at most `longest` seconds, by the
        sum of their scores. A pause counts as a minute, so slow readers are cut.
    Source: The table of campaigns of WMT 2026, 60 s. Pearmut's own clock cuts at 61 s, the paper on contrastive ESA at
        180 s: numbers of different limits cannot be compared.

    Example:
        A screen of two scores with gaps of 20 s and 300 s, and one that was opened only.

        >>> seconds_per_annotation([0, 20, 320, 50], [0, 0, 0, 1], [2, 4])
        40.0
    """
    moments, counts = as_floats(times), as_floats(annotations)
    as_codes(screens, moments.size)
    screen = np.asarray(screens, dtype=np.int64)
    if screen.size and not 0 <= screen.min() <= screen.max() < counts.size:
        raise ValueError("every action needs a screen among those of the annotations")
    screen, moments = screen[~np.isnan(moments)], moments[~np.isnan(moments)]
    order = np.lexsort([moments, screen])
    same = np.diff(screen[order]) == 0
    gaps = np.minimum(np.diff(moments[order]), longest)[same]
    scores = float(counts[np.bincount(screen, minlength=counts.size) >= 2].sum())
    return float(gaps.sum()) / scores if scores > 0 else float("nan")
