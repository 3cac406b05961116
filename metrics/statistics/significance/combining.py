"""Many p-values at once: corrected for their number, or combined into one."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from metrics.statistics.arrays import FloatArray, as_floats


@dataclass(frozen=True)
class Combined:
    """`statistic` is the combined z; with signs, positive in the direction of the positive ones."""

    statistic: float
    p: float
    n: int


def holm(p: ArrayLike) -> FloatArray:
    """The p-values, raised so that the chance of even one false finding among all tests stays below the level.

    Shape:
        `p`: (n_tests,); returns the same shape and order.
    Unit and range:
        0 to 1, and never below the p put in.
    Missing data:
        NaN (a pair that could not be tested) stays NaN and does not count as a test.
    Degenerate input:
        No tests: an empty array. A p outside 0 to 1 raises ValueError.
    Method:
        In rising order, p_(k) * (m - k + 1), each at least as large as the one before, at most 1.
    Source:
        Holm 1979, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6.

    Example:
        >>> holm([0.01, 0.04, 0.03]).tolist()
        [0.03, 0.06, 0.06]
    """
    values = _probabilities(p)
    corrected = np.full(values.size, np.nan)
    order = np.argsort(values, kind="stable")[: np.count_nonzero(~np.isnan(values))]
    factors = order.size - np.arange(order.size)
    corrected[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0)
    return corrected


def stouffer(p: ArrayLike, *, signs: ArrayLike | None = None) -> Combined:
    """One p from the p-values of independent parts (domains), by adding their z.

    Shape:
        `p`: (n_parts,); `signs`: (n_parts,), +1 or -1, which way each part's difference points.
    Unit and range:
        0 to 1.
    Missing data:
        A part whose p is NaN is left out.
    Degenerate input:
        No part left: NaN. A p of 0 or 1 gives an infinite z and is allowed; opposite infinities give NaN. A p outside
        0 to 1 raises ValueError.
    Method:
        Without signs: z_i = F(1 - p_i), z = sum(z_i) / sqrt(k), p = 1 - F'(z), F' being the normal distribution and F
        its inverse: right for one-sided p that look the same way. WMT24 fed it two-sided p, so that opposite effects
        add up; the recipe `wmt24` does as they did and says so. With signs the p are taken as two-sided:
        z_i = sign_i * F(1 - p_i / 2), combined, and two-sided again.
    Source:
        Stouffer et al. 1949, "The American soldier", volume 1, footnote 14.

    Example:
        Two parts that say the opposite, equally loudly: nothing is left, unless the signs are thrown away.

        >>> round(stouffer([0.02, 0.02], signs=[1, -1]).p, 6), round(stouffer([0.02, 0.02]).p, 6)
        (1.0, 0.00184)
    """
    values = _probabilities(p)
    present = ~np.isnan(values)
    n = int(np.count_nonzero(present))
    if n == 0:
        return Combined(float("nan"), float("nan"), 0)
    if signs is None:
        z = -ndtri(values[present])
    else:
        z = -ndtri(values[present] / 2) * np.sign(as_floats(signs)[present])
    infinite = z[np.isinf(z)]
    if infinite.size and not (infinite == infinite[0]).all():
        return Combined(float("nan"), float("nan"), n)
    statistic = float(z.sum() / np.sqrt(n))
    p_combined = float(ndtr(-statistic)) if signs is None else min(1.0, 2 * float(ndtr(-abs(statistic))))
    return Combined(statistic, p_combined, n)


def _probabilities(p: ArrayLike) -> FloatArray:
    values = as_floats(p)
    if ((values < 0) | (values > 1)).any():
        raise ValueError("a p-value lies between 0 and 1")
    return values
