"""What correcting took: working time without pauses, and words an hour. HTER itself is in `metrics.automatic.hter`."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import BoolArray, FloatArray, as_codes, as_floats
from metrics.statistics.resampling import NO_INTERVAL, Interval
from metrics.statistics.significance.alternatives import complete_pairs
from metrics.statistics.significance.bootstrap import bootstrap_interval
from metrics.statistics.significance.paired import paired_t

IDLE_SECONDS = 600.0


@dataclass(frozen=True)
class ActiveTime:
    """`values` with NaN for what was dropped; `total` seconds kept; `dropped`: the share of gaps left out."""

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

    Shape:
        `gaps`: (n_gaps,), as between one answer and the next, or one edit step and the next.
    Unit and range:
        Seconds, from 0.
    Missing data:
        NaN stays NaN and is no gap.
    Degenerate input:
        No gaps: a total of 0 and a share of NaN. A negative gap raises ValueError.
    Method:
        Gaps longer than `limit` are dropped whole, for nobody knows how much of them was work; their share is told.
    Source:
        The limit of ten minutes is that of the post-editing times of WMT24 (Kocmi et al. 2024, Findings).

    Example:
        Half a minute, ten minutes sharp, and a lunch.

        >>> active_seconds([30, 600, 3000])
        ActiveTime(values=array([ 30., 600.,  nan]), total=630.0, dropped=0.3333333333333333)
    """
    seconds = as_floats(gaps)
    if (seconds < 0).any():
        raise ValueError("gaps are seconds from 0")
    recorded = ~np.isnan(seconds)
    kept = np.where(recorded & (seconds <= limit), seconds, np.nan)
    n = int(np.count_nonzero(recorded))
    dropped = int(np.count_nonzero(recorded & (seconds > limit)))
    return ActiveTime(kept, float(np.nansum(kept)), dropped / n if n else float("nan"))


def words_per_hour(words: ArrayLike, seconds: ArrayLike, *, editors: ArrayLike | None = None) -> WordRate:
    """How many words of source were dealt with in an hour of work.

    Shape:
        `words`, `seconds`, `editors`: (n_segments,), one row a corrected segment.
    Unit and range:
        Words of the source and seconds of work in, words an hour out, from 0.
    Missing data:
        A row with NaN in words or seconds is left out of both sums.
    Degenerate input:
        No seconds in sum: NaN, with its reason. Without `editors` there is one, named "".
    Method:
        3600 * sum(words) / sum(seconds): a ratio of sums, not a mean of ratios, which short segments would rule.
        Editors differ more than systems do: compare systems on rows of the same editors.
    Source:
        As in Plitt & Masselot 2010, "A productivity test of statistical machine translation post-editing", PBML 93.

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


def keystrokes_per_word(keystrokes: ArrayLike, words: ArrayLike) -> float:
    """How many keys were pressed for each word.

    Shape:
        `keystrokes`, `words`: (n_segments,), one row a corrected segment.
    Unit and range:
        Keys a word, from 0. Say whether words are the source's or the post-edit's.
    Missing data:
        A row with a NaN on either side is left out of both sums.
    Degenerate input:
        No words in sum: NaN.
    Method:
        sum(keystrokes) / sum(words): a ratio of sums, as `words_per_hour`.
    Source:
        Technical effort in Krings 2001, "Repairing texts"; per word as in O'Brien 2011, "Towards predicting
        post-editing productivity".

    Example:
        >>> keystrokes_per_word([12, 0], [4, 4])
        1.5
    """
    pressed, counted = as_floats(keystrokes), as_floats(words)
    pressed, counted = complete_pairs(pressed, counted)
    total = float(counted.sum())
    return float(pressed.sum()) / total if total else float("nan")


@dataclass(frozen=True)
class SpeedRatio:
    """How many times as long x took as y (`value`), its `interval`, and the p of no difference, over `n` segments."""

    value: float
    interval: Interval
    p: float
    n: int
    reason: str = ""


def speed_ratio(
    x: ArrayLike,
    y: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    resamples: int = 1_000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> SpeedRatio:
    """How many times as long does correcting one system take as correcting another, on the same segments?

    Shape:
        `x` and `y`: (n_segments,), seconds on each system's translation of the segment (the mean over editors, or one
        editor's); `groups`: (n_segments,) labels of documents.
    Unit and range:
        Seconds above 0; 1 where neither is quicker, 0.8 where x takes four fifths of the time of y.
    Missing data:
        A segment with a NaN on either side, or without time, is dropped.
    Degenerate input:
        No segment: NaN, reason `no_overlap`. One document has no interval; equal ratios everywhere have no p.
    Method:
        e to the mean of log(x) - log(y); the interval by `bootstrap_interval` of the logarithms over documents, p by
        `paired_t` of them. Working times are skewed: on the logarithm a slow segment is one segment.
    Source:
        Times as logarithms after Plitt & Masselot 2010 and Green, Heer & Manning 2013, "The efficacy of human
        post-editing for language translation", whose mixed model also takes editors' pace out; here the pairing does.

    Example:
        >>> ratio = speed_ratio([10, 20, 40], [20, 40, 80], rng=np.random.default_rng(1))
        >>> round(ratio.value, 4), ratio.n
        (0.5, 3)
    """
    first, second = as_floats(x), as_floats(y)
    complete_pairs(first, second)
    timed = (first > 0) & (second > 0)
    if not timed.any():
        return SpeedRatio(float("nan"), NO_INTERVAL, float("nan"), 0, reason="no_overlap")
    logs = np.round(np.log(first[timed]) - np.log(second[timed]), 12)  # equal ratios shall be equal numbers
    documents = None if groups is None else np.asarray(groups)[timed]
    found = bootstrap_interval(logs, groups=documents, resamples=resamples, level=level, rng=rng)
    interval = Interval(float(np.exp(found.low)), float(np.exp(found.high)))
    return SpeedRatio(float(np.exp(logs.mean())), interval, paired_t(logs, np.zeros_like(logs)).p, logs.size)


def _rate(words: ArrayLike, seconds: ArrayLike) -> FloatArray:
    counted, time = np.asarray(words, dtype=np.float64), np.asarray(seconds, dtype=np.float64)
    rates: FloatArray = np.divide(3600 * counted, time, out=np.full(time.shape, np.nan), where=time > 0)
    return rates
