"""The mixed model of campaigns whose systems' labels are exchanged within documents, with the real one's variances.

An exchange of whole cells (a document of one system) leaves all random terms as they are, so that nothing has to be
inverted again: each cell's part of the equations goes to another system.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy

from metrics.statistics.arrays import FloatArray, IntArray, group_means, joint_codes
from metrics.statistics.mixed.design import DEFAULT_TERMS, RESIDUAL
from metrics.statistics.resampling import rows_at_once

_LEAST = 1e-3
ANNOTATOR, DOCUMENT, SEGMENT, CELL = DEFAULT_TERMS


@dataclass(frozen=True)
class Scores:
    """Columns of codes from 0, one row a score; no NaN."""

    values: FloatArray
    system: IntArray
    annotator: IntArray
    document: IntArray
    segment: IntArray

    def __post_init__(self) -> None:
        """Each system's mean is taken out, so that no two can differ."""
        means = group_means(self.values, self.system, int(self.system.max(initial=-1)) + 1)
        object.__setattr__(self, "values", self.values - means[self.system])


@dataclass(frozen=True)
class Relabelled:
    """Parts of the equations by document: `own` (documents, systems, systems), `people` (documents, systems,
    annotators), `sides` (documents, systems); and of annotators, `people_own` (inverted) and `people_side`.
    """

    own: FloatArray
    people: FloatArray
    sides: FloatArray
    people_own: FloatArray
    people_side: FloatArray

    def t_of_pairs(self, labels: IntArray, pairs: tuple[IntArray, IntArray], *, freedom: float = np.inf) -> FloatArray:
        """Of each trial and pair, |difference| / error; NaN where two means cannot be told apart.

        `labels` (trials, documents, systems): whose cell each system gets. Returns (trials, pairs). `freedom` is how
        many cells are free when documents and systems are known: what an exchange moves into differences of means is
        missing in what is left of cells, and errors are smaller by that, as they would be if variances were estimated
        anew. Infinite: errors stay as they are.
        """
        n_documents, n_systems = self.sides.shape
        first, second = pairs
        parts, start = [], 0
        at = np.arange(n_documents)[:, None]
        for rows in rows_at_once(len(labels), n_documents * n_systems * (n_systems + self.people.shape[2])):
            drawn = labels[start : start + rows]
            start += rows
            people = self.people[at, drawn].sum(axis=1)
            left = self.own[at[:, :, None], drawn[..., :, None], drawn[..., None, :]].sum(axis=1)
            left -= people @ self.people_own @ people.transpose(0, 2, 1)
            right = self.sides[at, drawn].sum(axis=1) - people @ (self.people_own @ self.people_side)
            covariance = np.linalg.pinv(left, hermitian=True)
            means = (covariance @ right[..., None])[..., 0]
            spread = np.diagonal(covariance, axis1=1, axis2=2)
            variance = spread[:, first] + spread[:, second] - 2 * covariance[:, first, second]
            variance *= np.maximum(1 - (means * right).sum(axis=1) / freedom, _LEAST)[:, None]
            gaps = np.abs(means[:, first] - means[:, second])
            errors = np.sqrt(np.maximum(variance, 0.0))
            parts.append(np.divide(gaps, errors, out=np.full(gaps.shape, np.nan), where=errors > 1e-12))
        return np.concatenate(parts) if parts else np.empty((0, first.size))


def relabelled(scores: Scores, variances: Mapping[str, float]) -> Relabelled:
    """What the mixed model says of equal systems: all tests of a campaign whose labels were exchanged by documents.

    Shape: `scores`: columns of n_scores codes, from 0; each system's mean is taken out. `variances` are those of a
        mixed model of the same scores, by term. `t_of_pairs` of the result takes labels (trials, documents, systems).
    Unit and range: Values in any interval unit, variances in its square; t from 0.
    Missing data: A system without scores in a document gives its gap along with its label.
    Degenerate input: Terms that are not in the model, or whose variance is 0, are left out. A difference that the
        scores do not determine has t NaN. No residual variance raises an error of division or of a singular matrix.
    Method: Generalised least squares with V = sum of the terms' variances, by document: what a cell (a document of one
        system) adds to X'V^-1 X and X'V^-1 y is computed once, annotators by Woodbury's formula; an exchange of labels
        adds it elsewhere. Variances are those of the real campaign; `freedom` of `t_of_pairs` corrects for what an
        exchange changes in them, which matters with few documents.
    Source: Henderson 1975, as `mixed_model`; the exchange as `placebo_rate`.

    Example:
        >>> system, annotator, document = np.array([[0, 1, 0, 1, 0, 1], [0] * 6, [0, 0, 1, 1, 2, 2]])
        >>> made = Scores(np.array([3.0, 1, 2, 2, 5, 1]), system, annotator, document, segment=document)
        >>> parts = relabelled(made, {"residual": 1.0})
        >>> pair = np.array([0]), np.array([1])
        >>> parts.t_of_pairs(np.array([[[0, 1]] * 3, [[0, 1], [0, 1], [1, 0]]]), pair).round(3).tolist()
        [[0.0], [1.633]]
    """
    n_systems = int(scores.system.max()) + 1
    n_documents = int(scores.document.max()) + 1
    has_people = variances.get(ANNOTATOR, 0.0) > 0
    n_people = int(scores.annotator.max()) + 1 if has_people else 0
    own = np.zeros((n_documents, n_systems, n_systems))
    people = np.zeros((n_documents, n_systems, n_people))
    sides = np.zeros((n_documents, n_systems))
    people_own: FloatArray = np.eye(n_people) / (variances[ANNOTATOR] if has_people else 1.0)
    people_side: FloatArray = np.zeros(n_people)
    order = np.argsort(scores.document, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(scores.document))[:-1]):
        if not rows.size:
            continue
        document = int(scores.document[rows[0]])
        fixed = _indicators(scores.system[rows], n_systems)
        crossed = _indicators(scores.annotator[rows], n_people) if has_people else np.zeros((rows.size, 0))
        columns = np.hstack([fixed, crossed, scores.values[rows, None]])
        products = _weighed(columns, _local(scores, rows, variances), variances[RESIDUAL])
        own[document] = products[:n_systems, :n_systems]
        people[document] = products[:n_systems, n_systems:-1]
        sides[document] = products[:n_systems, -1]
        people_own += products[n_systems:-1, n_systems:-1]
        people_side += products[n_systems:-1, -1]
    inverted = np.asarray(np.linalg.inv(people_own), dtype=np.float64)
    return Relabelled(own, people, sides, inverted, people_side)


def _local(scores: Scores, rows: IntArray, variances: Mapping[str, float]) -> FloatArray:
    """The random terms of one document, each column by its standard deviation."""
    columns = {
        DOCUMENT: np.zeros(rows.size, dtype=np.int64),
        SEGMENT: scores.segment[rows],
        CELL: joint_codes(scores.document[rows], scores.system[rows]),
    }
    parts = []
    for name, codes in columns.items():
        if variances.get(name, 0.0) > 0:
            places = np.unique(codes, return_inverse=True)[1]
            parts.append(_indicators(places, int(places.max()) + 1) * np.sqrt(variances[name]))
    return np.hstack(parts) if parts else np.zeros((rows.size, 0))


def _weighed(columns: FloatArray, local: FloatArray, residual: float) -> FloatArray:
    """columns' V^-1 columns, where V = residual I + local local'."""
    inner = local.T @ local
    inner[np.diag_indices_from(inner)] += residual
    across = local.T @ columns
    solved = scipy.linalg.solve(inner, across, assume_a="pos") if inner.size else across
    products: FloatArray = (columns.T @ columns - across.T @ solved) / residual
    return products


def _indicators(codes: IntArray, n: int) -> FloatArray:
    made = np.zeros((codes.size, n))
    made[np.arange(codes.size), codes] = 1.0
    return made
