"""The ordinal mixed model: how far systems are apart on the scale behind the points, for every annotator alike."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray
from metrics.statistics.mixed.design import RESIDUAL, CrossedModel, Design, design_of
from metrics.statistics.ordinal.fit import fitted
from metrics.statistics.ordinal.likelihood import ANNOTATOR, Likelihood, Point

MOST_SCORES, MOST_POINTS = 50_000, 25
# Why there is no model, besides the reasons of a design.
TOO_MANY_SCORES, TOO_MANY_POINTS, SEPARATED = "too_many_scores", "too_many_points", "separated"
_LOGISTIC = float(np.pi**2 / 3)
_ENDLESS = 20.0


@dataclass(frozen=True, kw_only=True)
class OrdinalModel(CrossedModel):
    """Places of systems in logits, that of the first 0.

    Shape:
        `points` (bands,) are the values that occur, `thresholds` (bands - 1,) part them, with standard errors
        `threshold_se`. `means` and `covariance` are 0 for the first system; the RESIDUAL is pi^2 / 3.
    """

    points: FloatArray
    thresholds: FloatArray
    threshold_se: FloatArray

    @property
    def chances(self) -> FloatArray:
        """Of each system (systems, bands): how a mean annotator rates it on a mean text."""
        edges = np.concatenate([[-np.inf], self.thresholds, [np.inf]])
        below: FloatArray = scipy.special.expit(edges - self.means[:, None])
        return np.diff(below, axis=1)

    @property
    def greater(self) -> FloatArray:
        """(systems, systems): how often a mean annotator rates the first above the second on a mean text."""
        chances = self.chances
        below = np.cumsum(chances, axis=1) - chances
        return chances @ below.T

    @property
    def equal(self) -> FloatArray:
        """(systems, systems): how often both get the same point."""
        return self.chances @ self.chances.T


def ordinal_model(
    scores: ArrayLike,
    systems: ArrayLike,
    *,
    annotators: ArrayLike,
    documents: ArrayLike | None = None,
    segments: ArrayLike | None = None,
    terms: Iterable[str] | None = None,
) -> OrdinalModel:
    """How far systems are apart if points are bands of a scale, as if every annotator had judged all of them.

    Shape: All (n,): the rating, and the labels of its system, annotator, document and segment. `terms` are some of
        `annotator`, `document`, `segment`, `document:system` and `segment:system`; by default the first four.
    Unit and range: Logits: a difference d multiplies the odds of a rating above any point by e^d. The first system in
        order is 0. The distinct values of `scores` are the bands, whatever their numbers.
    Missing data: A rating that is NaN is left out. Systems need not share a text or an annotator directly.
    Degenerate input: A term that cannot be told apart from another, from the systems, or from the error is dropped, as
        `design.dropped` says. NaN with a `reason` where all ratings are equal (`no_variation`), where there are no more
        ratings than systems and terms (`too_few_scores`), more than MOST_SCORES ratings (`too_many_scores`) or
        MOST_POINTS points (`too_many_points`), or where the ratings, few or all alike, put no end to how far systems,
        points or annotators may be apart, as where no system of one group gets less than any of another (`separated`).
    Method: P(rating <= k) = logistic(threshold_k - system - sum of random terms), the terms crossed and normal;
        maximum likelihood by Laplace's approximation, whose exact slope L-BFGS-B follows. Errors include the doubt
        about the terms' variances. With annotators as the only term it is a many-facet Rasch model of severity.
    Source: McCullagh 1980, "Regression models for ordinal data"; Linacre 1989, "Many-facet Rasch measurement";
        Christensen 2022, "ordinal - regression models for ordinal data", for the approximation.

    Example:
        The second system gets a higher point more often, from either annotator.

        >>> ratings = [1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 3, 1, 2]
        >>> model = ordinal_model(ratings, ["A"] * 8 + ["B"] * 8, annotators=["r", "s"] * 8)
        >>> model.systems, model.means.round(1).tolist(), model.points.tolist()
        (('A', 'B'), [0.0, 2.2], [1.0, 2.0, 3.0])
    """
    design = design_of(scores, systems, annotators=annotators, documents=documents, segments=segments, terms=terms)
    points = np.unique(design.values)
    if reason := design.reason or _reason(design, points):
        return _no_model(design, points, reason)
    likelihood = Likelihood(design)
    fit = fitted(likelihood)
    at = fit.point.parameters
    n = at.thresholds.size
    places = np.concatenate([at.thresholds, at.systems, np.exp(at.log_sd)])
    doubts = np.sqrt(np.diag(fit.covariance))
    if np.abs(places).max() > _ENDLESS or doubts[n:].max(initial=0.0) > _ENDLESS / 2:
        return _no_model(design, points, SEPARATED)
    covariance = np.zeros((at.systems.size, at.systems.size))
    covariance[1:, 1:] = fit.covariance[n:, n:]
    variances = dict(zip(likelihood.names, np.exp(2 * at.log_sd).tolist(), strict=True))
    effects, conditional, prediction = _effects(likelihood, fit.point, fit.covariance)
    return OrdinalModel(
        design=design,
        points=points,
        thresholds=at.thresholds,
        threshold_se=doubts[:n],
        means=at.systems,
        covariance=covariance,
        variances=variances | {RESIDUAL: _LOGISTIC},
        effects=effects,
        prediction_sd=np.sqrt(prediction),
        conditional_sd=np.sqrt(conditional),
        log_likelihood=fit.point.log_likelihood,
    )


def _reason(design: Design, points: FloatArray) -> str:
    if design.values.size > MOST_SCORES:
        return TOO_MANY_SCORES
    if points.size > MOST_POINTS:
        return TOO_MANY_POINTS
    lowest, highest = np.full(len(design.systems), np.inf), np.full(len(design.systems), -np.inf)
    np.minimum.at(lowest, design.system, design.values)
    np.maximum.at(highest, design.system, design.values)
    return SEPARATED if _is_separated(lowest, highest) else ""


def _is_separated(lowest: FloatArray, highest: FloatArray) -> bool:
    """Whether systems fall into two groups of which one never gets less than the best of the other."""
    order = np.argsort(lowest + highest, kind="stable")
    best_below = np.maximum.accumulate(highest[order])[:-1]
    worst_above = np.minimum.accumulate(lowest[order][::-1])[::-1][1:]
    return bool((worst_above >= best_below).any())


def _effects(likelihood: Likelihood, point: Point, covariance: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Of annotators their effects, and these' variances without and with the doubt about thresholds and systems."""
    n = len(likelihood.design.annotators)
    if ANNOTATOR not in likelihood.names:
        return np.zeros(n), np.full(n, np.nan), np.full(n, np.nan)
    size = float(np.exp(point.parameters.log_sd[likelihood.names.index(ANNOTATOR)]))
    conditional = size**2 * np.diag(point.inverse)
    _, follow = likelihood.information(point)
    return size * point.levels[ANNOTATOR], conditional, conditional + ((follow @ covariance) * follow).sum(axis=1)


def _no_model(design: Design, points: FloatArray, reason: str) -> OrdinalModel:
    systems, annotators = np.full(len(design.systems), np.nan), np.full(len(design.annotators), np.nan)
    thresholds = np.full(max(points.size - 1, 0), np.nan)
    return OrdinalModel(
        design=design,
        points=points,
        thresholds=thresholds,
        threshold_se=thresholds,
        means=systems,
        covariance=np.full((systems.size, systems.size), np.nan),
        variances={},
        effects=annotators,
        prediction_sd=annotators,
        conditional_sd=annotators,
        log_likelihood=float("nan"),
        reason=reason,
    )
