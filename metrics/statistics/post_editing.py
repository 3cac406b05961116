"""What correcting took: working time without pauses, and words an hour. HTER itself is in `metrics.automatic.hter`."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import BoolArray, FloatArray, as_codes, as_floats

IDLE_SECONDS = 600.0


@dataclass(frozen=True)
class ActiveTime:
    """`values` with NaN for what was dropped; `total` seconds of the others; `dropped`: the share of gaps left out."""

    values: FloatArray
    total: float
    dropped: float


@dataclass(frozen=True)
class WordRate:
    """`value` of all together; `by_editor` in the order of `editors`; `words` and `seconds` are what was pooled.

    NaN has a `reason`: `no_times`, or `words_unknown` where there are times.
    """

    value: float
    editors: tuple[str, ...]
    by_editor: FloatArray
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


def words_per_hour(words: ArrayLike, seconds: ArrayLike, *, editors: ArrayLike | None = None) -> WordRate:
    """How many words of source were dealt with in an hour of work.

    Shape: `words`, `seconds`, `editors`: (n_segments,), one row a corrected segment.
    Unit and range: Words of the source and seconds of work in, words an hour out, from 0.
    Missing data: A row with NaN in words or seconds is left out of both sums.
    Degenerate input: No seconds in sum: NaN, with its reason. Without `editors` there is one, named "".
    Method: 3600 * sum(words) / sum(seconds): a ratio of sums, not a mean of ratios, which short segments would rule.
        Editors differ more than systems do: compare systems on rows of the same editors.
    Source: As in Plitt & Masselot 2010, "A productivity test of statistical machine translation post-editing", PBML 93.

    Example:
        Ana dealt with 10 words in half a minute, Bo with 10 words in a minute and a half.

        >>> words_per_hour([10, 10], [30, 90], editors=["ana", "bo"])
        WordRate(value=600.0, editors=('ana', 'bo'), by_editor=array([1200.,  400.]), words=20.0, seconds=120.0)
    """
    counted, time = as_floats(words), as_floats(seconds)
    labels, codes = as_codes([""] * counted.size if editors is None else editors, counted.size)
    if time.shape != counted.shape:
        raise ValueError("as many words as seconds are needed")
    known: BoolArray = ~(np.isnan(counted) | np.isnan(time))
    in_words = np.bincount(codes[known], weights=counted[known], minlength=labels.size)
    in_seconds = np.bincount(codes[known], weights=time[known], minlength=labels.size)
    return WordRate(
        value=float(_rate(in_words.sum(), in_seconds.sum())),
        editors=tuple(str(label) for label in labels),
        by_editor=_rate(in_words, in_seconds),
        words=float(in_words.sum()),
        seconds=float(in_seconds.sum()),
        reason="" if in_seconds.sum() else "words_unknown" if np.nansum(time) else "no_times",
    )


def _rate(words: ArrayLike, seconds: ArrayLike) -> FloatArray:
    counted, time = np.asarray(words, dtype=np.float64), np.asarray(seconds, dtype=np.float64)
    rates: FloatArray = np.divide(3600 * counted, time, out=np.full(time.shape, np.nan), where=time > 0)
    return rates
