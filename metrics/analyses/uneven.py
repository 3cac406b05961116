"""Whether annotators are spread evenly enough over systems for plain means to decide between them."""

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.mixed import modelled
from metrics.matrices import ScoreTable
from metrics.recipes import MIXED
from metrics.statistics.arrays import FloatArray
from metrics.statistics.evenness import Imbalance, Unevenness, annotator_imbalance
from metrics.statistics.mixed.design import CrossedModel

ANNOTATORS_UNEVEN = "annotators_uneven"
_FEWEST_ANNOTATORS = 2


def unevenness(evidence: Evidence, table: ScoreTable) -> Unevenness | None:
    """By the mixed model of the scores that make a system's value; None where it has no annotators or no two systems.

    Of z-scores nothing is left of severities: see `uneven_means`.
    """
    used = table.where(evidence.of_systems(table))
    if np.unique(used.annotator).size < _FEWEST_ANNOTATORS or np.unique(used.system).size < _FEWEST_ANNOTATORS:
        return None
    model = modelled(evidence, table).model
    key = id(model), evidence.recipe.seed  # the evidence keeps its models
    if key not in evidence.spreads:
        evidence.spreads[key] = _spread(evidence, used, table, model)
    return evidence.spreads[key]


def _spread(evidence: Evidence, used: ScoreTable, table: ScoreTable, model: CrossedModel) -> Unevenness | None:
    deviation = float(np.sqrt(model.variances.get("annotator", 0.0)))
    errors = _errors(model.covariance)
    imbalance = annotator_imbalance(
        used.system,
        used.annotator,
        deviation=deviation,
        errors=errors,
        documents=used.document,
        rng=evidence.recipe.rng,
    )
    return _of_worst(imbalance, errors, table, deviation)


def uneven_means(evidence: Evidence) -> Unevenness | None:
    """Of the main measure, where raw means should not decide; None where they may, and for z-scores: those may."""
    table = evidence.main_scores
    if table is None or table.is_relative or evidence.recipe.normalisation != "none" or evidence.recipe.test == MIXED:
        return None
    uneven = unevenness(evidence, table)
    return uneven if uneven is not None and uneven.is_uneven else None


def _errors(covariance: FloatArray) -> FloatArray:
    """Of the difference of every two means."""
    spread = np.diagonal(covariance)
    errors: FloatArray = np.sqrt(np.maximum(spread[:, None] + spread[None, :] - 2 * covariance, 0.0))
    return errors


def _of_worst(imbalance: Imbalance, errors: FloatArray, table: ScoreTable, deviation: float) -> Unevenness | None:
    pair = imbalance.worst
    if pair is None:
        return None
    shift, ratio = float(imbalance.shift[pair]), float(imbalance.ratio[pair])
    first, second = (table.systems[int(imbalance.systems[place])] for place in pair)
    return Unevenness(first, second, deviation, shift, float(errors[pair]), ratio, p=float(imbalance.p[pair]))
