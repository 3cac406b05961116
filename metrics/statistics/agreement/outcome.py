"""What every coefficient of agreement returns."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from metrics.statistics.arrays import FloatArray, ratios
from metrics.statistics.resampling import NO_INTERVAL, Interval, percentile_interval


@dataclass(frozen=True)
class Agreement:
    """`value` is 1 for perfect agreement and 0 for what chance gives; NaN where it does not exist, for a `reason`.

    `observed` and `expected` are agreements, or disagreements where the coefficient is made of these. `n` counts the
    items (alpha: the ratings) that took part. `interval` is NaN unless resamples were requested. Reasons:
    `no_overlap` (nothing was rated twice) and `no_variation` (one category only, so that chance agrees as well).
    """

    value: float
    observed: float
    expected: float
    n: int
    interval: Interval = NO_INTERVAL
    reason: str = ""


def nothing_to_compare() -> Agreement:
    nan = float("nan")
    return Agreement(nan, nan, nan, 0, reason="no_overlap")


def beyond_chance(observed: float, expected: float, n: int, interval: Interval = NO_INTERVAL) -> Agreement:
    """(observed - expected) / (1 - expected), or the reason why it is undefined."""
    if n == 0:
        return nothing_to_compare()
    if expected >= 1:
        return Agreement(float("nan"), observed, expected, n, reason="no_variation")
    return Agreement((observed - expected) / (1 - expected), observed, expected, n, interval)


def interval_beyond_chance(draws: Iterable[tuple[FloatArray, FloatArray]], confidence: float) -> Interval:
    """Of what `beyond_chance` gives in each draw; `draws` are observed and expected agreements, in parts."""
    values = [ratios(observed - expected, 1 - expected) for observed, expected in draws]
    return percentile_interval(np.concatenate(values), confidence)


def need_rng(resamples: int, rng: np.random.Generator | None) -> np.random.Generator:
    if resamples < 0 or rng is None:
        raise ValueError("an interval needs a number of resamples from 1 and a random generator")
    return rng
