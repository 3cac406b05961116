"""Which systems are out of the race while judging goes on: bounds that stay valid however often one looks."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import BoolArray, FloatArray, IntArray, as_codes, as_floats
from metrics.statistics.mixed import critical_t
from metrics.statistics.resampling import NO_INTERVAL, Interval, check_level

Question = Literal["best", "top", "ranking"]
State = Literal["in", "dropped", "leads"]
WHOLE_ORDER: Question = "ranking"

RHO = 0.25
FIRST_LOOK, STEP = 20, 5


def sequence_bound(deviation: ArrayLike, documents: ArrayLike, *, alpha: float, rho: float = RHO) -> FloatArray:
    """How far a mean of documents may be from the truth, at all numbers of documents at once.

    Shape: `deviation` and `documents`: (n,) each, or shapes that broadcast.
    Unit and range: That of the values; above 0. `alpha` is the probability that the truth ever leaves mean ± bound.
    Missing data: NaN in `deviation` gives NaN.
    Degenerate input: No deviation, or fewer than two documents: infinite, so that nobody decides. An `alpha` outside
        0 to 1 raises ValueError.
    Method: sd·sqrt(2(nρ²+1)/(n²ρ²)·log(sqrt(nρ²+1)/α)). ρ says at how many documents the bound is tightest.
    Source: The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2024,
        "Time-uniform central limit theory and asymptotic confidence sequences", theorem 2.2 (both sides together at α).

    Example:
        After 100 documents whose values differ by 10 points, and after 400.

        >>> sequence_bound([10, 10], [100, 400], alpha=0.05).round(2).tolist()
        [3.04, 1.55]
    """
    check_level(alpha)
    sd, n = np.asarray(deviation, dtype=np.float64), np.asarray(documents, dtype=np.float64)
    sd, n = np.broadcast_arrays(sd, n)
    enough = np.maximum(n, 1)
    grown = enough * rho**2 + 1
    bound = sd * np.sqrt(2 * grown / (enough**2 * rho**2) * np.log(np.sqrt(grown) / alpha))
    return np.where((n < 2) | (sd <= 0), np.inf, bound)


def corrected_alpha(alpha: float, systems: int, *, question: Question, top: int = 1) -> float:
    """`alpha` for one comparison, so that all of those which could go wrong hold together.

    Shape: Numbers.
    Unit and range: 0 to 1.
    Missing data: None.
    Degenerate input: Fewer than two systems, or as many as the top has: `alpha`, for nothing is compared.
    Method: Bonferroni over the comparisons in which an error would matter: of the top K of S systems with each of the
        others, K(S − K), which is S − 1 for the best system; of all pairs, S(S − 1)/2, for a ranking.
    Source: Dunn 1961, Multiple comparisons among means, JASA 56.

    Example:
        The best of six systems, the best two, and the order of all six.

        >>> corrected_alpha(0.05, 6, question="best")
        0.01
        >>> corrected_alpha(0.05, 6, question="top", top=2), round(corrected_alpha(0.05, 6, question="ranking"), 5)
        (0.00625, 0.00333)
    """
    wanted = top if question == "top" else 1
    pairs = systems * (systems - 1) // 2 if question == WHOLE_ORDER else wanted * (systems - wanted)
    return alpha / max(1, pairs)


@dataclass(frozen=True)
class Look:
    """What one look at the judgments says; arrays have an entry for each system.

    `documents` have a value of every system that was in the race; `counts` are each system's. `behind` is how far the
    system's mean lies below that of the leader it is compared with, on the documents of both, and `bound` how far it
    has to for the system to be out; both NaN for a leader, and where nothing can be compared. `is_over`: the question
    is answered. `reason` says why nobody was compared: `few_documents`.
    """

    documents: int
    states: tuple[State, ...]
    means: FloatArray
    counts: IntArray
    behind: FloatArray
    bound: FloatArray
    is_over: bool
    reason: str = ""

    @property
    def in_race(self) -> BoolArray:
        return np.array([state != "dropped" for state in self.states], dtype=np.bool_)


def look_at(
    values: ArrayLike,
    in_race: ArrayLike,
    *,
    question: Question,
    top: int = 1,
    alpha: float = 0.05,
    first: int = FIRST_LOOK,
    protected: ArrayLike = (),
) -> Look:
    """Who leads, and who is out of the race, by the documents judged so far.

    Shape: `values`: (n_systems, n_documents), the mean of a system's judgments on a document, higher is better;
        `in_race`: (n_systems,), who was in the race until now; `protected`: indices of systems that stay in it.
    Unit and range: That of the values.
    Missing data: NaN is a document that a system was not judged on; a difference is of the documents that both have.
    Degenerate input: Fewer than `first` documents with all systems in the race: no decision, `few_documents`. A
        difference that is the same on every document (no deviation): no decision, whatever its size. Equal means at
        the last place that counts: all of them lead, none is preferred.
    Method: A system is out when its mean lies further below those of `top` leaders than `sequence_bound` at
        `corrected_alpha`, each on the documents of both. For a ranking, when it is decided against every other system
        that way, whoever is better.
    Source: Racing by confidence bounds, Maron & Moore 1994, "Hoeffding races", NIPS 6; the bound is that of
        `sequence_bound`, so that the error holds for all looks together.

    Example:
        Three systems on 40 documents: c is 20 points behind a, with a scatter of 3; a and b are close.

        >>> rng = np.random.default_rng(1)
        >>> documents = np.array([[80.0], [79.5], [60.0]]) + rng.normal(0, 3, (3, 40))
        >>> look_at(documents, [True] * 3, question="best").states
        ('leads', 'in', 'dropped')
    """
    table, racing = as_floats(values, dimensions=2), np.array(in_race, dtype=np.bool_)
    if racing.shape != (len(table),):
        raise ValueError(f"expected {len(table)} systems, got an array of shape {racing.shape}")
    present: BoolArray = ~np.isnan(table)
    counts = present.sum(axis=1).astype(np.int64)
    means = np.where(counts > 0, np.nansum(table, axis=1) / np.maximum(counts, 1), np.nan)
    documents = int(present[racing].all(axis=0).sum()) if racing.any() else 0
    nothing = np.full(len(table), np.nan)
    wanted = top if question == "top" else 1
    if documents < first:
        states: tuple[State, ...] = tuple("in" if each else "dropped" for each in racing)
        is_over = question != WHOLE_ORDER and int(racing.sum()) <= wanted
        return Look(documents, states, means, counts, nothing, nothing, is_over, "few_documents")
    leads = _leaders(means, racing, wanted)
    differences, bounds = _compared(
        table, corrected_alpha(alpha, len(table), question=question, top=top), fewest=min(first, documents)
    )
    behind, bound = _behind(differences, bounds, leads, racing)
    if question == WHOLE_ORDER:
        decided = (np.abs(differences) > bounds) | np.eye(len(table), dtype=np.bool_)
        out, is_over = decided.all(axis=1), bool(decided.all())
    else:
        beaten = (differences > bounds)[leads].sum(axis=0) >= wanted
        out, is_over = beaten & ~leads, False
    stays = np.isin(np.arange(len(table)), np.asarray(protected, dtype=np.int64))
    left = racing & ~(out & ~stays)
    is_over = is_over or (question != WHOLE_ORDER and int(left.sum()) <= wanted)
    named: tuple[State, ...] = tuple(
        "dropped" if not here else "leads" if first_ else "in" for here, first_ in zip(left, leads, strict=True)
    )
    return Look(documents, named, means, counts, behind, bound, is_over)


def _leaders(means: FloatArray, racing: BoolArray, wanted: int) -> BoolArray:
    """Those with the highest means; of equal ones at the last place all."""
    ordered = np.sort(means[racing & ~np.isnan(means)])[::-1]
    if not ordered.size:
        return np.zeros_like(racing)
    leads: BoolArray = racing & (means >= ordered[min(wanted, ordered.size) - 1])
    return leads


def _compared(table: FloatArray, alpha: float, *, fewest: int) -> tuple[FloatArray, FloatArray]:
    """Mean differences (row minus column) on the documents of both, and their bounds; infinite where they are few."""
    size = len(table)
    differences, bounds = np.full((size, size), np.nan), np.full((size, size), np.inf)
    for one in range(size):
        apart = table[one] - table[one + 1 :]
        count = (~np.isnan(apart)).sum(axis=1)
        mean = np.nansum(apart, axis=1) / np.maximum(count, 1)
        squares = np.nansum((apart - mean[:, None]) ** 2, axis=1)
        deviation = np.sqrt(squares / np.maximum(count - 1, 1))
        deviation[deviation <= 1e-12 * np.abs(mean)] = 0  # a constant difference, but for rounding
        bound = np.where(count < fewest, np.inf, sequence_bound(deviation, count, alpha=alpha))
        differences[one, one + 1 :], differences[one + 1 :, one] = mean, -mean
        bounds[one, one + 1 :] = bounds[one + 1 :, one] = bound
    return differences, bounds


def _behind(
    differences: FloatArray, bounds: FloatArray, leads: BoolArray, racing: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Of each system its distance to the leader that it is least behind of, as far as the bound goes."""
    size = len(differences)
    behind, bound = np.full(size, np.nan), np.full(size, np.nan)
    places = np.flatnonzero(leads)
    for system in np.flatnonzero(~leads & racing):
        near = [place for place in places if np.isfinite(bounds[place, system])]
        if near:
            nearest = min(near, key=lambda place: differences[place, system] - bounds[place, system])
            behind[system], bound[system] = differences[nearest, system], bounds[nearest, system]
    return behind, bound


def looks_of(
    values: ArrayLike,
    *,
    question: Question,
    top: int = 1,
    alpha: float = 0.05,
    first: int = FIRST_LOOK,
    step: int = STEP,
) -> Iterator[Look]:
    """All looks at documents that come one after the other, until the question is answered.

    Shape: `values` as for `look_at`, documents in the order in which they were judged.
    Unit and range: That of the values.
    Missing data: NaN is not judged. What comes after a system is out is not used: nobody would have judged it.
    Degenerate input: Fewer documents than `first`: no look.
    Method: `look_at` after `first` documents and each further `step`, with those that are left.
    Source: See `look_at`.

    Example:
        b is out at the third look.

        >>> rng = np.random.default_rng(2)
        >>> documents = np.array([[70.0], [66.0]]) + rng.normal(0, 4, (2, 100))
        >>> [(look.documents, look.states) for look in looks_of(documents, question="best")]
        [(20, ('leads', 'in')), (25, ('leads', 'in')), (30, ('leads', 'dropped'))]
    """
    table = as_floats(values, dimensions=2).copy()
    racing = np.ones(len(table), dtype=np.bool_)
    for documents in range(first, table.shape[1] + 1, step):
        look = look_at(table[:, :documents], racing, question=question, top=top, alpha=alpha, first=first)
        yield look
        if look.is_over:
            return
        racing = look.in_race
        table[~racing, documents:] = np.nan


@dataclass(frozen=True)
class WeightedMean:
    """`se` and `interval` are over documents."""

    mean: float
    se: float
    interval: Interval
    documents: int


def weighted_mean(
    values: ArrayLike, propensities: ArrayLike, documents: ArrayLike, *, level: float = 0.95
) -> WeightedMean:
    """A system's mean, each judgment weighted by how improbable it was that it was asked for.

    Shape: all (n,): judgments, the probability with which each was to be shown, and labels of their documents.
    Unit and range: That of the values; propensities above 0, at most 1.
    Missing data: A NaN value is left out.
    Degenerate input: Nothing judged: NaN. One document: no `se` and no interval (`too_few_items`). A propensity of 0 or
        less, or above 1, raises ValueError.
    Method: Σ w y / Σ w with w = 1/π; variance G/(G−1) Σ_g t_g² / (Σ w)², where t_g is the sum of w(y − mean) over one
        of G documents; the interval by t with G − 1 degrees of freedom.
    Source: Hájek 1971; Särndal, Swensson & Wretman 1992, Model Assisted Survey Sampling, section 5.7. (Horvitz &
        Thompson 1952 divide by the number that is expected instead.)

    Example:
        The second document had half the chance of the others, so that it counts twice.

        >>> weighted_mean([70, 80, 90], [1, 0.5, 1], ["a", "b", "c"]).mean
        80.0
    """
    check_level(level)
    y, pi = as_floats(values), as_floats(propensities)
    _, document = as_codes(documents, y.size)
    if pi.shape != y.shape:
        raise ValueError("as many propensities as values are needed")
    if ((pi <= 0) | (pi > 1)).any():
        raise ValueError("propensities lie above 0 and are at most 1")
    present = ~np.isnan(y)
    y, weight, document = y[present], 1 / pi[present], document[present]
    total, clusters = float(weight.sum()), int(np.unique(document).size)
    if not clusters:
        return WeightedMean(float("nan"), float("nan"), NO_INTERVAL, 0)
    mean = float((weight * y).sum() / total)
    if clusters == 1:
        return WeightedMean(mean, float("nan"), NO_INTERVAL, 1)
    sums = np.bincount(document, weight * (y - mean))
    se = float(np.sqrt(clusters / (clusters - 1) * (sums**2).sum()) / total)
    reach = critical_t(clusters - 1, level) * se
    return WeightedMean(mean, se, Interval(mean - reach, mean + reach), clusters)
