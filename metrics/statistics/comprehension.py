"""How much readers understood: the share of questions answered correctly."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import as_codes, group_sums, paired, ratios
from metrics.statistics.resampling import (
    FEW_RESAMPLES,
    FEWEST_RESAMPLES,
    Interval,
    no_interval,
    percentile_interval,
    times_drawn,
)


@dataclass(frozen=True)
class Understood:
    """`correct` of all `questions`; without questions `share` is NaN and `reason` is `nothing_asked`."""

    correct: float
    questions: float
    share: float
    interval: Interval
    reason: str = ""


def share_correct(
    correct: ArrayLike,
    questions: ArrayLike,
    documents: ArrayLike,
    *,
    resamples: int = 1_000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> Understood:
    """What share of the questions was answered correctly, and where it could lie with other documents.

    Shape: All (n_readings,), one entry for each reading of a text; `documents` are labels.
    Unit and range: Numbers of questions; the share from 0 to 1.
    Missing data: A reading with a NaN on either side is left out.
    Degenerate input: No question: NaN (`nothing_asked`). One document: the interval is NaN (`one_document`).
    Method: Correct answers divided by questions, both summed over readings, so that a text with more questions weighs
        more; whole documents are drawn with replacement, percentiles.
    Source: Scarton & Specia 2016, "A reading comprehension corpus for machine translation evaluation"; Efron &
        Tibshirani 1993, chapter 8, for drawing whole clusters.

    Example:
        >>> result = share_correct([2, 1, 3], [3, 3, 4], ["a", "a", "b"], rng=np.random.default_rng(1))
        >>> result.correct, result.questions, result.share
        (6.0, 10.0, 0.6)
        >>> result.interval
        Interval(low=0.5, high=0.75)
    """
    right, counts = paired(correct, questions)
    _, codes = as_codes(documents, right.size)
    present = ~(np.isnan(right) | np.isnan(counts))
    drawn_together, codes = np.unique(codes[present], return_inverse=True)
    n_documents = drawn_together.size
    rights = group_sums(right[present], codes, n_documents)
    whole = group_sums(counts[present], codes, n_documents)
    total, of = float(rights.sum()), float(whole.sum())
    if not of:
        return Understood(total, of, float("nan"), no_interval("nothing_asked"), "nothing_asked")
    share = total / of
    if n_documents < 2:
        reason = FEW_RESAMPLES if resamples < FEWEST_RESAMPLES else "one_document"
        return Understood(total, of, share, no_interval(reason))
    draws = np.concatenate(
        [ratios(times @ rights, times @ whole) for times in times_drawn(n_documents, resamples, rng)]
    )
    return Understood(total, of, share, percentile_interval(draws, level))
