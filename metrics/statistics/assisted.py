"""Means of people's scores sharpened by a metric that scored what people did not: a control variate."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, IntArray, as_codes, as_floats, group_sums


@dataclass(frozen=True)
class AssistedMean:
    """`plain` and `assisted` estimate the same mean; `weight` is that of the metric, `ratio` of their variances.

    `documents` are those with scores by people. Where `reason` is not empty the assisted mean is the plain one.
    """

    plain: float
    plain_se: float
    assisted: float
    assisted_se: float
    weight: float
    ratio: float
    documents: int
    reason: str = field(default="", repr=False)


def assisted_mean(
    scores: ArrayLike,
    metric: ArrayLike,
    *,
    documents: ArrayLike,
    other_metric: ArrayLike,
    other_documents: ArrayLike,
) -> AssistedMean:
    """The mean of people's scores over all segments, of which people judged a random part and a metric scored all.

    Shape: `scores`, `metric`, `documents`: (n,), of what people judged; `other_metric`, `other_documents`: (m,), of the
        rest. Of two systems, give differences.
    Unit and range: Means in people's unit, for scores as for the metric higher is better; `weight` in that unit by the
        metric's. `ratio` is below 1 where the metric helps.
    Missing data: Segments without a score, or without the metric's, are left out.
    Degenerate input: Fewer than two judged documents: all NaN, reason `few_documents`. Nothing else (fewer than two
        documents): reason `all_judged`. A metric that does not vary, or does not follow people (a covariance of at most
        0): weight 0, so that both means are equal, reason `no_help`.
    Method: mean + weight (metric's mean of the others − metric's mean of the judged), with weight = cov(y, f) /
        (var f_judged + var f_others), which makes the variance var y − 2 weight cov + weight² (var f_judged + var
        f_others) least. All variances of means are by documents: G/(G−1) Σ t² / n², t the sum of a document's centred
        values.
    Source: Angelopoulos, Duchi & Zrnic 2023, "PPI++: efficient prediction-powered inference", with documents in place
        of single items; control variates: Lavenberg & Welch 1981.

    Example:
        The metric follows people, and the others are better by the metric.

        >>> rest = {"other_metric": [3, 4], "other_documents": [3, 4]}
        >>> found = assisted_mean([1, 2, 3], [1, 2, 3], documents=[0, 1, 2], **rest)
        >>> round(found.assisted, 4), round(found.weight, 4), round(found.ratio, 4)
        (2.8571, 0.5714, 0.4286)
    """
    people, own, codes = _known(scores, metric, documents)
    _same, others, other_codes = _known(other_metric, other_metric, other_documents)
    n_documents, n_others = int(codes.max(initial=-1)) + 1, int(other_codes.max(initial=-1)) + 1
    if n_documents < 2:
        return AssistedMean(*(float("nan"),) * 6, n_documents, "few_documents")
    mean, variance = float(people.mean()), _covariance(people, people, codes)
    plain = (mean, float(np.sqrt(variance)))
    if n_others < 2:
        return AssistedMean(*plain, *plain, 0.0, 1.0, n_documents, "all_judged")
    covariance = _covariance(people, own, codes)
    of_metric = _covariance(own, own, codes) + _covariance(others, others, other_codes)
    if not (covariance > 0 and of_metric > 0):
        return AssistedMean(*plain, *plain, 0.0, 1.0, n_documents, "no_help")
    weight = covariance / of_metric
    sharpened = max(0.0, variance - 2 * weight * covariance + weight**2 * of_metric)
    return AssistedMean(
        *plain,
        assisted=mean + weight * float(others.mean() - own.mean()),
        assisted_se=float(np.sqrt(sharpened)),
        weight=weight,
        ratio=sharpened / variance,
        documents=n_documents,
    )


def _known(values: ArrayLike, metric: ArrayLike, documents: ArrayLike) -> tuple[FloatArray, FloatArray, IntArray]:
    first, second = as_floats(values), as_floats(metric)
    _labels, codes = as_codes(documents, first.size)
    known = ~(np.isnan(first) | np.isnan(second))
    _used, own = np.unique(codes[known], return_inverse=True)
    return first[known], second[known], own.astype(np.int64)


def _covariance(first: FloatArray, second: FloatArray, codes: IntArray) -> float:
    """Of two means over the same segments."""
    count = int(codes.max()) + 1
    sums = [group_sums(values - values.mean(), codes, count) for values in (first, second)]
    return float(count / (count - 1) * (sums[0] * sums[1]).sum() / first.size**2)
