"""How many judgments a significant difference needs, by formula and by simulation on pilot data."""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, as_floats, by_group, group_sums


@dataclass(frozen=True)
class Needed:
    """`judgments` of each system, on `segments` of it; `design_effect` is how much more than independent ones."""

    judgments: int
    segments: int
    design_effect: float


@dataclass(frozen=True)
class Power:
    """`power`: in what share of `simulations` the difference was detected; NaN, with a `reason`, without any."""

    power: float
    detected: int
    simulations: int
    reason: str = ""


def required_judgments(
    difference: float,
    *,
    deviation: float = 1.0,
    paired_correlation: float = 0.0,
    per_segment: int = 1,
    agreement: float = 0.0,
    per_document: int = 1,
    document_correlation: float = 0.0,
    alpha: float = 0.05,
    power: float = 0.8,
) -> Needed:
    """How many judgments of each of two systems it takes to find a difference of their means.

    Shape: Numbers. `paired_correlation` is that of the two systems' judgments of the same segment (0: unpaired);
        `per_segment` judgments of one segment correlate by `agreement`, `per_document` segments of one document by
        `document_correlation`.
    Unit and range: `difference` and `deviation` in one unit; in z units the deviation is about 1. Correlations from 0
        to 1 (the paired one below 1), alpha (two-sided) and power between 0 and 1.
    Missing data: There is none.
    Degenerate input: A difference of 0 cannot be detected: it raises ValueError, as does any value outside its range.
    Method: n = 2 (z_{1-alpha/2} + z_{power})^2 s^2 (1 - r) / d^2, times the design effect (1 + (m - 1) a)(1 + (k - 1)
        c) of m judgments a segment and k segments a document: those are clusters, no independent draws. The product is
        an upper bound where both are large.
    Source: Any textbook for n; Kish 1965 for the design effect. Graham et al. 2020, "Statistical power and
        translationese in machine translation evaluation", advise some 1,500 judgments a system.

    Example:
        >>> required_judgments(0.1).judgments, required_judgments(0.2).judgments
        (1570, 393)
        >>> required_judgments(0.2, per_document=10, document_correlation=0.1).judgments
        746
    """
    checks = {
        "deviation": deviation > 0,
        "difference": difference != 0 and bool(np.isfinite(difference)),
        "paired_correlation": 0 <= paired_correlation < 1,
        "agreement": 0 <= agreement <= 1,
        "document_correlation": 0 <= document_correlation <= 1,
        "per_segment": per_segment >= 1,
        "per_document": per_document >= 1,
        "alpha": 0 < alpha < 1,
        "power": 0 < power < 1,
    }
    wrong = [name for name, is_valid in checks.items() if not is_valid]
    if wrong:
        raise ValueError(f"outside its range: {', '.join(wrong)}")
    reach = float(scipy.special.ndtri(1 - alpha / 2) + scipy.special.ndtri(power))
    independent = 2 * (reach * deviation / difference) ** 2 * (1 - paired_correlation)
    effect = design_effect(
        per_segment=per_segment,
        agreement=agreement,
        per_document=per_document,
        document_correlation=document_correlation,
    )
    judgments = int(np.ceil(independent * effect - 1e-9))
    return Needed(judgments, -(-judgments // per_segment), effect)


def design_effect(
    *, per_segment: float = 1, agreement: float = 0.0, per_document: float = 1, document_correlation: float = 0.0
) -> float:
    """How many judgments in clusters are worth one independent judgment.

    Shape: Numbers, as in `required_judgments`.
    Unit and range: 1 for independent judgments; as many as a cluster has, where all in it say the same.
    Missing data: There is none.
    Degenerate input: Clusters of fewer than one, and correlations outside 0 to 1, raise ValueError.
    Method: (1 + (m - 1) a)(1 + (k - 1) c) for m judgments a segment that correlate by a, and k segments a document that
        correlate by c: an upper bound where both are large.
    Source: Kish 1965, "Survey sampling", section 5.4.

    Example:
        >>> design_effect(per_document=10, document_correlation=0.1)
        1.9
    """
    if min(per_segment, per_document) < 1 or not (0 <= agreement <= 1 and 0 <= document_correlation <= 1):
        raise ValueError("outside its range: per_segment, per_document, agreement or document_correlation")
    return (1 + (per_segment - 1) * agreement) * (1 + (per_document - 1) * document_correlation)


def intraclass_correlation(values: ArrayLike, groups: ArrayLike) -> float:
    """How alike are segments of one document, or judgments of one segment: the share of variance between them.

    Shape: `values`: (n_values,); `groups`: (n_values,) labels of documents (or segments).
    Unit and range: Any interval unit; 1 at most, 0 where groups say nothing, and a little below by chance: take 0 for
        planning.
    Missing data: NaN is dropped.
    Degenerate input: Fewer than two groups, no group of two, or all values equal: NaN.
    Method: (B - W) / (B + (m - 1) W) with B and W the mean squares between and within groups and m = (n - sum(m_g^2) /
        n) / (groups - 1), the size of groups that differ in size.
    Source: Fisher 1925; Donner 1986, "A review of inference procedures for the intraclass correlation coefficient in
        the one-way random effects model", for unequal sizes: ICC(1).

    Example:
        >>> round(intraclass_correlation([1, 2, 5, 6, 9, 10], ["a", "a", "b", "b", "c", "c"]), 4)
        0.9692
    """
    numbers, codes, n_groups = by_group(as_floats(values), groups)
    sizes, n = np.bincount(codes).astype(np.float64), numbers.size
    if n_groups < 2 or n == n_groups or numbers.min() == numbers.max():
        return float("nan")
    means = group_sums(numbers, codes, n_groups) / sizes
    between = float((sizes * (means - numbers.mean()) ** 2).sum()) / (n_groups - 1)
    within = float(((numbers - means[codes]) ** 2).sum()) / (n - n_groups)
    size = (n - float((sizes**2).sum()) / n) / (n_groups - 1)
    return (between - within) / (between + (size - 1) * within)


def detectable_difference(
    judgments: int,
    *,
    design_effect: float = 1.0,
    deviation: float = 1.0,
    paired_correlation: float = 0.0,
    alpha: float = 0.05,
    power: float = 0.8,
) -> float:
    """The smallest difference of two systems' means that so many judgments of each will find: "what n buys".

    Shape: Numbers; `design_effect` is that of `design_effect(...)`, `paired_correlation` as in `required_judgments`.
    Unit and range: In the unit of the deviation; 0 for infinitely many judgments.
    Missing data: There is none.
    Degenerate input: No judgments: infinite. Values outside their ranges raise ValueError.
    Method: `required_judgments`, solved for the difference.
    Source: As `required_judgments`.

    Example:
        >>> round(detectable_difference(1570), 4)
        0.1
    """
    shares = 0 < alpha < 1 and 0 < power < 1 and 0 <= paired_correlation < 1
    if judgments < 0 or design_effect < 1 or deviation <= 0 or not shares:
        raise ValueError("outside its range: judgments, design_effect, deviation, paired_correlation, alpha or power")
    if judgments == 0:
        return float("inf")
    reach = float(scipy.special.ndtri(1 - alpha / 2) + scipy.special.ndtri(power))
    return reach * deviation * float(np.sqrt(2 * (1 - paired_correlation) * design_effect / judgments))


def detectable_in(differences: ArrayLike, groups: ArrayLike, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """The smallest mean difference that these paired differences, as they scatter, would have shown as significant.

    Shape: `differences`: (n_segments,) of two systems; `groups`: (n_segments,) labels of the document.
    Unit and range: The unit of the scores; at least 0.
    Missing data: A NaN difference is dropped.
    Degenerate input: Fewer than two documents: NaN. Differences that do not scatter: 0. Alpha or power outside 0 to 1
        raises ValueError.
    Method: (t_{1-alpha/2} + t_{power}) s with n - 1 degrees of freedom for n documents, and s the standard error of a
        mean over clusters: sqrt(n / (n - 1) sum((S_d - k_d m)^2)) / k, with S_d and k_d the sum and number of
        differences of document d, m their mean and k their number.
    Source: Cochran 1977, "Sampling techniques", section 6.3, for the standard error of a ratio; Bloom 1995, "Minimum
        detectable effects", for the multiplier.

    Example:
        >>> round(detectable_in([1, -1, 1, -1, 1, -1, 1, -1], range(8)), 3)
        1.232
    """
    if not (0 < alpha < 1 and 0 < power < 1):
        raise ValueError("outside its range: alpha or power")
    numbers, codes, n_groups = by_group(as_floats(differences), groups)
    if n_groups < 2:
        return float("nan")
    scatter = group_sums(numbers, codes, n_groups) - np.bincount(codes) * numbers.mean()
    error = float(np.sqrt(n_groups / (n_groups - 1) * (scatter**2).sum())) / numbers.size
    reach = scipy.special.stdtrit(n_groups - 1, [1 - alpha / 2, power]).sum()
    return error * float(reach)


def simulate_power(
    differences: ArrayLike,
    groups: ArrayLike,
    *,
    difference: float,
    n_groups: int,
    alpha: float = 0.05,
    simulations: int = 1_000,
    rng: np.random.Generator,
) -> Power:
    """How often a difference would be detected with so many documents, if these scatter as the pilot's do.

    Shape: `differences`: (n_segments,) of two systems on the pilot's segments; `groups`: (n_segments,) labels of the
        document. `n_groups` documents are to be judged.
    Unit and range: The unit of the scores; power from 0 to 1.
    Missing data: A NaN difference is dropped.
    Degenerate input: Fewer than two documents in the pilot, or to be judged: NaN, reason `few_documents`. Differences
        that do not scatter: every difference is found (or none, when it is 0). Less than one simulation raises
        ValueError.
    Method: The pilot's mean is taken out and `difference` put in its place; documents are drawn whole, with
        replacement; sums by document are tested by t = sum / sqrt(sum of squares about their mean, n / (n - 1)),
        two-sided, n - 1 degrees of freedom. Several judgments of a segment belong into one mean before.
    Source: Card et al. 2020, "With little power comes great responsibility", section 5, on documents as clusters.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> pilot = rng.normal(size=200)
        >>> simulate_power(pilot, np.arange(200) // 5, difference=0.0, n_groups=40, rng=rng).power < 0.1
        True
        >>> simulate_power(pilot, np.arange(200) // 5, difference=1.0, n_groups=40, rng=rng).power
        1.0
    """
    values, codes, n_pilot = by_group(as_floats(differences), groups)
    if simulations < 1:
        raise ValueError(f"at least one simulation is needed, not {simulations}")
    if n_pilot < 2 or n_groups < 2:
        return Power(float("nan"), 0, simulations, reason="few_documents")
    sums = group_sums(values - values.mean() + difference, codes, n_pilot)
    detected = 0
    for start in range(0, simulations, 1_000):
        p = _p_of_draws(sums, min(1_000, simulations - start), n_groups, rng)
        detected += int(np.count_nonzero(p < alpha))
    return Power(detected / simulations, detected, simulations)


def _p_of_draws(sums: FloatArray, rows: int, n_groups: int, rng: np.random.Generator) -> FloatArray:
    drawn = sums[rng.integers(0, sums.size, size=(rows, n_groups))]
    means = drawn.mean(axis=1)
    errors = drawn.std(axis=1, ddof=1) / np.sqrt(n_groups)
    scale = float(np.abs(sums).max())
    clear = np.where(np.abs(means) > 1e-12 * scale, np.inf, 0.0)
    t = np.divide(np.abs(means), errors, out=clear, where=errors > 1e-12 * scale)
    p: FloatArray = 2 * scipy.special.stdtr(n_groups - 1, -t)
    return p
