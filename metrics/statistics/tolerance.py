"""How many penalty points are allowed in a text of so many words: straight in the words, or bent through two points."""

from dataclasses import dataclass
from math import log

import numpy as np
import scipy
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, as_floats

FEWEST_WORDS = 250  # a shorter text is too short for a verdict
_ROUNDING = 1e-9  # sums of tenths that reach the limit are not above it
_LEAST_LOG_STEEPNESS = -600.0


def linear_limits(words: ArrayLike, *, per_thousand: float) -> FloatArray:
    """The penalty points allowed where each word allows equally many.

    Shape: `words`: (n,); the result is (n,).
    Unit and range: Penalty points, from 0. `per_thousand` are those allowed in 1,000 source words.
    Missing data: NaN where the number of words is NaN.
    Degenerate input: No word allows no point.
    Method: words × per_thousand / 1000.
    Source: Lommel et al. 2024 (MQM-Core), the linear model.

    Example:
        Twenty-five points in a thousand words.

        >>> linear_limits([400, 1000], per_thousand=25)
        array([10., 25.])
    """
    return as_floats(words) * per_thousand / 1000


@dataclass(frozen=True)
class LogarithmicCurve:
    """`a` in points; `log_b` is the logarithm of b by word, because b itself may be too large for a float."""

    a: float
    log_b: float

    @property
    def b(self) -> float:
        return float(np.exp(self.log_b))


def logarithmic_curve(first: tuple[float, float], second: tuple[float, float]) -> LogarithmicCurve:
    """The curve a ln(1 + b x) of allowed points through two agreed ones: long texts are forgiven less for each word.

    Shape: `first`, `second`: words and the penalty points allowed in so many, the shorter text first.
    Unit and range: Words and points above 0.
    Missing data: Does not occur.
    Degenerate input: ValueError unless 1 < E2 / E1 < x2 / x1: only then one such curve goes through both points. Where
        the two ratios are equal, the model is linear; where E2 / E1 is 1, the limit does not depend on the words.
    Method: ln(1 + b x2) / ln(1 + b x1) = E2 / E1 is solved for ln b, in which the left side falls; a = E1 / ln(1 + b
        x1).
    Source: arXiv 2511.13467, the logarithmic tolerance function and its calibration.

    Example:
        Three points in 250 words and eight in 1,000.

        >>> curve = logarithmic_curve((250, 3), (1000, 8))
        >>> round(curve.a, 4), round(curve.b, 7)
        (6.967, 0.0021527)
    """
    (x1, e1), (x2, e2) = first, second
    if min(x1, e1, x2, e2) <= 0 or not 1 < e2 / e1 < x2 / x1:
        raise ValueError("needs 1 < E2 / E1 < x2 / x1")

    def above(log_b: float) -> float:
        return float(np.logaddexp(0, log_b + log(x2)) / np.logaddexp(0, log_b + log(x1))) - e2 / e1

    steepest = log(x2 / x1) / (e2 / e1 - 1) - log(x1) + 10
    if not above(_LEAST_LOG_STEEPNESS) > 0 > above(steepest):
        raise ValueError("needs 1 < E2 / E1 < x2 / x1 by more than a rounding error")
    log_b = float(scipy.optimize.brentq(above, _LEAST_LOG_STEEPNESS, steepest, xtol=1e-13, rtol=1e-14))
    return LogarithmicCurve(e1 / float(np.logaddexp(0, log_b + log(x1))), log_b)


def logarithmic_limits(words: ArrayLike, *, curve: LogarithmicCurve) -> FloatArray:
    """The penalty points allowed by a logarithmic curve.

    Shape: `words`: (n,); the result is (n,).
    Unit and range: Penalty points, from 0.
    Missing data: NaN where the number of words is NaN.
    Degenerate input: No word allows no point.
    Method: a ln(1 + b words).
    Source: As `logarithmic_curve`.

    Example:
        A text of 5,000 words may have about twice the points of one of 1,000.

        >>> curve = logarithmic_curve((250, 3), (1000, 8))
        >>> logarithmic_limits([250, 1000, 5000], curve=curve).round(3).tolist()
        [3.0, 8.0, 17.174]
    """
    counts = as_floats(words)
    with np.errstate(divide="ignore", invalid="ignore"):
        return curve.a * np.logaddexp(0.0, curve.log_b + np.log(counts))


def within_limits(points: ArrayLike, limits: ArrayLike) -> FloatArray:
    """Whether the penalty points of texts are at most those allowed.

    Shape: `points`, `limits`: (n,); the result is (n,).
    Unit and range: 1 = within the limit, 0 = above it.
    Missing data: NaN where points or limit are NaN.
    Degenerate input: No points are within any limit.
    Method: Points ≤ limit, where a billionth of the limit counts as equal: sums of tenths are not exact.
    Source: As `logarithmic_curve`.

    Example:
        Exactly at the limit, and above it.

        >>> within_limits([25, 25.1], [25, 25])
        array([1., 0.])
    """
    found, allowed = as_floats(points), as_floats(limits)
    verdicts = (found <= allowed * (1 + _ROUNDING)).astype(np.float64)
    return np.where(np.isnan(found) | np.isnan(allowed), np.nan, verdicts)
