"""Whether a rule that compares two systems keeps what it promises: how often it differs where nothing can."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, IntArray, as_codes, as_floats
from metrics.statistics.resampling import NO_INTERVAL, Interval, check_level

FEWEST_DOCUMENTS = 6
# x, y, the codes of their documents and a generator: whether the two differ.
Rule = Callable[[FloatArray, FloatArray, IntArray, np.random.Generator], Any]


@dataclass(frozen=True)
class PlaceboRate:
    """In what share of `trials` the rule called two equal systems different; NaN, with a `reason`, without any."""

    rate: float
    interval: Interval
    trials: int
    reason: str = ""


def placebo_rate(
    values: ArrayLike, *, documents: ArrayLike, rule: Rule, swaps: int, rng: np.random.Generator, at_once: bool = False
) -> PlaceboRate:
    """How often a rule calls two systems different when their labels are exchanged by whole documents.

    Shape: `values`: (2, n_units), both systems on each unit; `documents`: (n_units,) labels. `rule(x, y, documents,
        rng)` gets both systems (n_units,), codes of documents and a generator, and answers whether the two differ;
        with `at_once` it gets all trials, x and y (swaps, n_units), and answers (swaps,).
    Unit and range: Any interval unit; a rate from 0 to 1.
    Missing data: NaN = not judged. Gaps go along with the labels, and so do annotators, so that what is tied to a
        system is not seen.
    Degenerate input: Fewer than six documents in which both systems were judged: NaN (`few_documents`), for then
        nearly all exchanges are alike. Less than one swap, or a rule that does not answer once a trial, raises
        ValueError.
    Method: Each system's mean is taken out; in each trial the two labels are exchanged in each document with
        probability 1/2, and the rule is asked. The interval is Wilson's.
    Source: A permutation test's own null distribution (Fisher 1935), put to other rules; as placebo laws are in
        Bertrand, Duflo & Mullainathan 2004, "How much should we trust differences-in-differences estimates?".

    Example:
        A rule that sees a difference wherever the means are not the same cries wolf each time.

        >>> rule = lambda x, y, documents, rng: x.mean() != y.mean()
        >>> values = [[3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0], [2.0, 7.0, 1.0, 8.0, 2.0, 8.0, 1.0]]
        >>> placebo_rate(values, documents=range(7), rule=rule, swaps=50, rng=np.random.default_rng(1)).rate
        1.0
    """
    if swaps < 1:
        raise ValueError(f"at least one swap is needed, not {swaps}")
    both = as_floats(values, dimensions=2)
    if len(both) != 2:
        raise ValueError(f"values must be those of two systems, got {len(both)}")
    labels, codes = as_codes(documents, both.shape[1])
    judged = [np.bincount(codes[~np.isnan(row)], minlength=labels.size) > 0 for row in both]
    if np.count_nonzero(judged[0] & judged[1]) < FEWEST_DOCUMENTS:
        return PlaceboRate(float("nan"), NO_INTERVAL, 0, "few_documents")
    centred = both - np.nanmean(both, axis=1, keepdims=True)
    is_swapped = (rng.random((swaps, labels.size)) < 0.5)[:, codes]
    x = np.where(is_swapped, centred[1], centred[0])
    y = np.where(is_swapped, centred[0], centred[1])
    if at_once:
        answers = np.asarray(rule(x, y, codes, rng))
    else:
        answers = np.array([bool(rule(one, other, codes, rng)) for one, other in zip(x, y, strict=True)])
    if answers.shape != (swaps,):
        raise ValueError(f"the rule must answer once for each of {swaps} trials, got {answers.shape}")
    called = int(np.count_nonzero(answers))
    return PlaceboRate(called / swaps, wilson_interval(called, swaps), swaps)


def wilson_interval(count: int, trials: int, *, level: float = 0.95) -> Interval:
    """The interval of a share, from how often something happened: also right where it never or always did.

    Shape: Numbers.
    Unit and range: `count` from 0 to `trials`; shares from 0 to 1. `level` between 0 and 1.
    Missing data: There is none.
    Degenerate input: No trials: both ends are NaN (`too_few_items`). A count outside its range raises ValueError.
    Method: With z the normal quantile of (1 + level) / 2, the shares p for which |count / trials - p| is at most z
        sqrt(p (1 - p) / trials).
    Source: Wilson 1927, "Probable inference, the law of succession, and statistical inference", JASA 22(158).

    Example:
        >>> wilson_interval(0, 20).low, round(wilson_interval(0, 20).high, 4)
        (0.0, 0.1611)
    """
    check_level(level)
    if not 0 <= count <= trials:
        raise ValueError(f"{count} of {trials} is not a share")
    if trials == 0:
        return NO_INTERVAL
    z = float(scipy.special.ndtri((1 + level) / 2))
    share, scale = count / trials, 1 + z**2 / trials
    middle = (share + z**2 / (2 * trials)) / scale
    half = z / scale * float(np.sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2)))
    low = 0.0 if count == 0 else max(0.0, middle - half)
    return Interval(low, 1.0 if count == trials else min(1.0, middle + half))


def documents_permuted(values: FloatArray, codes: IntArray, rng: np.random.Generator) -> FloatArray:
    """A campaign where no two systems can differ: the rows' labels are permuted within each document.

    Shape: `values`: (n_systems, n_units); `codes`: (n_units,) the document of each unit, from 0. Returns the same
        shape.
    Unit and range: The unit of the values, each system's mean taken out.
    Missing data: NaN = not judged; gaps go along with the labels.
    Degenerate input: No units: the same. A system without any value stays NaN.
    Method: In each document its own random order of the systems.
    Source: As `placebo_rate`, for all systems at once.

    Example:
        >>> values, codes = np.array([[1.0, 3.0], [5.0, 5.0]]), np.array([0, 0])
        >>> sorted(documents_permuted(values, codes, np.random.default_rng(1)).tolist())
        [[-1.0, 1.0], [0.0, 0.0]]
    """
    counts = np.count_nonzero(~np.isnan(values), axis=1)
    sums = np.nansum(values, axis=1)
    means = np.divide(sums, counts, out=np.full(len(values), np.nan), where=counts > 0)
    n_documents = int(codes.max(initial=-1)) + 1
    order = np.argsort(rng.random((len(values), n_documents)), axis=0)
    permuted: FloatArray = np.take_along_axis(values - means[:, None], order[:, codes], axis=0)
    return permuted
