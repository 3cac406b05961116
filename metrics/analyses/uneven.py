"""Whether annotators are spread evenly enough over systems for plain means to decide between them."""

from dataclasses import dataclass

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.mixed import modelled
from metrics.matrices import ScoreTable
from metrics.statistics.arrays import FloatArray
from metrics.statistics.evenness import LARGEST_RATIO, Imbalance, annotator_imbalance

ANNOTATORS_UNEVEN = "annotators_uneven"
_FEWEST_ANNOTATORS = 2


@dataclass(frozen=True)
class Unevenness:
    """Of the two systems for which it is largest: what severities alone add to their difference (`shift`, a standard
    deviation), and that by the difference's `error` (`ratio`, which should not be above `bound`); in the unit of the
    answers. `deviation` is that of annotators' severities.
    """

    first: str
    second: str
    deviation: float
    shift: float
    error: float
    ratio: float
    bound: float = LARGEST_RATIO

    @property
    def is_uneven(self) -> bool:
        return self.ratio > self.bound


def unevenness(evidence: Evidence, table: ScoreTable) -> Unevenness | None:
    """By the mixed model of the scores that make a system's value; None where it has no annotators or no two systems.

    Of z-scores nothing is left of severities: for recipes that order by them, see `annotators_uneven`.
    """
    used = table.where(evidence.of_systems(table))
    if np.unique(used.annotator).size < _FEWEST_ANNOTATORS or np.unique(used.system).size < _FEWEST_ANNOTATORS:
        return None
    model = modelled(evidence, table).model
    deviation = float(np.sqrt(model.variances.get("annotator", 0.0)))
    errors = _errors(model.covariance)
    imbalance = annotator_imbalance(used.system, used.annotator, deviation=deviation, errors=errors)
    return _of_worst(imbalance, errors, table, deviation)


def annotators_uneven(evidence: Evidence) -> bool:
    """Whether raw means of the main measure should not decide. z-scores are without severities, and may."""
    table = evidence.main_scores
    if table is None or table.is_relative or evidence.recipe.normalisation != "none":
        return False
    uneven = unevenness(evidence, table)
    return uneven is not None and uneven.is_uneven


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
    return Unevenness(first, second, deviation, shift, float(errors[pair]), ratio)
