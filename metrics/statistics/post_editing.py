"""What correcting took: working time without pauses, and words an hour. HTER itself is in `metrics.automatic.hter`."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, as_floats, complete_pairs

IDLE_SECONDS = 600.0


@dataclass(frozen=True)
class WordRate:
    """NaN has a `reason`: `no_times`, or `words_unknown` where there are times."""

    value: float
    reason: str = field(default="", repr=False)


def active_seconds(gaps: ArrayLike) -> FloatArray:
    """Working time from gaps between moments of work, without those that were pauses.

    Shape: `gaps`: (n_gaps,), as between one answer and the next, or one edit step and the next; the result too.
    Unit and range: Seconds, from 0.
    Missing data: NaN stays NaN.
    Degenerate input: A negative gap raises ValueError.
    Method: Gaps longer than ten minutes become NaN, for nobody knows how much of them was work.
    Source: The limit of ten minutes is that of the post-editing times of WMT24 (Kocmi et al. 2024, Findings).

    Example:
        Half a minute, ten minutes sharp, and a lunch.

        >>> active_seconds([30, 600, 3000])
        array([ 30., 600.,  nan])
    """
    seconds = as_floats(gaps)
    if (seconds < 0).any():
        raise ValueError("gaps are seconds from 0")
    return np.where(seconds <= IDLE_SECONDS, seconds, np.nan)


def words_per_hour(words: ArrayLike, seconds: ArrayLike) -> WordRate:
    """How many words of source were dealt with in an hour of work.

    Shape: `words`, `seconds`: (n_segments,), one row a corrected segment.
    Unit and range: Words of the source and seconds of work in, words an hour out, from 0.
    Missing data: A row with NaN in words or seconds is left out of both sums.
    Degenerate input: No seconds in sum: NaN, with its reason.
    Method: 3600 * sum(words) / sum(seconds): a ratio of sums, not a mean of ratios, which short segments would rule.
        Editors differ more than systems do: compare systems on rows of the same editors.
    Source: As in Plitt & Masselot 2010, "A productivity test of statistical machine translation post-editing", PBML 93.

    Example:
        10 words in half a minute, and 10 words in a minute and a half.

        >>> words_per_hour([10, 10], [30, 90])
        WordRate(value=600.0)
    """
    counted, time = complete_pairs(words, seconds)
    if time.sum() > 0:
        return WordRate(3600 * float(counted.sum() / time.sum()))
    return WordRate(float("nan"), "words_unknown" if np.nansum(as_floats(seconds)) else "no_times")
