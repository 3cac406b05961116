"""Penalties by weights that nobody keeps: worked out of the marked errors at hand, no judgment and no row touched."""

from dataclasses import replace

import numpy as np

from metrics.error_table import ErrorTable
from metrics.matrices import ScoreTable
from metrics.statistics.mqm import Errors, Weights, penalties


def reweighed(table: ScoreTable, marked: ErrorTable, weights: Weights) -> ScoreTable:
    """The table with the penalty that its errors have by these weights.

    Rows without errors keep their number: 0 where none were found, or what a file brought without the errors.
    """
    errors = Errors(
        categories=[marked.categories[label] for label in marked.label.tolist()],
        severities=[marked.severities[label] for label in marked.label.tolist()],
        texts=marked.row.tolist(),
        n_texts=len(table),
    )
    has_errors = np.zeros(len(table), dtype=np.bool_)
    has_errors[marked.row] = True
    values = -penalties(errors, weights=weights) + 0.0
    return replace(table, values=np.where(has_errors, values, table.values))
