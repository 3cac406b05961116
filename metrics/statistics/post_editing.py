"""What correcting took: working time without pauses, and words an hour. HTER itself is in `metrics.automatic.hter`."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, as_floats, complete_pairs

IDLE_SECONDS = 600.0


@dataclass(frozen=True)
class ActiveTime:
    """`values` with NaN for what was dropped; `total` seconds of the others; `dropped`: the share of gaps left out."""

    values: FloatArray
    total: float
    dropped: float


@dataclass(frozen=True)
class WordRate:
    """`value` of all together; `words` and `seconds` are what was pooled.

    NaN has a `reason`: `no_times`, or `words_unknown` where there are times.
    """

    value: float
    words: float
    seconds: float
    reason: str = field(default="", repr=False)


def active_seconds(gaps: ArrayLike, *, limit: float = IDLE_SECONDS) -> ActiveTime:
    """Working time from gaps between moments of work, without those that were pauses.

    Shape: `gaps`: (n_gaps,), as between one answer and the next, or one edit step and the next.
    Unit and range: Seconds, from 0.
    Missing data: NaN stays NaN and is not a gap.
    Degenerate input: No gaps: a total of 0 and a share of NaN. A negative gap raises ValueError.
    Method: Gaps longer than `limit` are dropped whole, for nobody knows how much of them was work; their share is
        returned.
    Source: The limit of ten minutes is that of the post-editing times of WMT24 (Kocmi et al. 2024, Findings).

    Example:
        Half a minute, ten minutes sharp, and a lunch.

        >>> active_seconds([30, 600, 3000])
        ActiveTime(values=array([ 30., 600.,  nan]), total=630.0, dropped=0.3333333333333333)
    """
    seconds = as_floats(gaps)
    if (seconds < 0).any():
        raise ValueError("gaps are seconds from 0")
    recorded = ~np.isnan(seconds)
    values = np.where(recorded & (seconds <= limit), seconds, np.nan)
    n = int(np.count_nonzero(recorded))
    dropped = int(np.count_nonzero(recorded & (seconds > limit)))
    return ActiveTime(values, float(np.nansum(values)), dropped / n if n else float("nan"))


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
        WordRate(value=600.0, words=20.0, seconds=120.0)
    """
    counted, time = complete_pairs(words, seconds)
    in_words, in_seconds = float(counted.sum()), float(time.sum())
    if in_seconds > 0:
        return WordRate(3600 * in_words / in_seconds, in_words, in_seconds)
    reason = "words_unknown" if np.nansum(as_floats(seconds)) else "no_times"
    return WordRate(float("nan"), in_words, in_seconds, reason)
