"""Why nothing could be significant in a ranking, or which difference could have been."""

from collections.abc import Mapping
from typing import TypedDict

import numpy as np

from metrics.analyses.pair_tests import PairTests, detectable, documents_needed
from metrics.analyses.system_values import SystemValues
from metrics.matrices import ScoreTable
from metrics.recipes import Recipe
from metrics.statistics.arrays import FloatArray


class EvidenceOfDifference(TypedDict):
    notes: tuple[str, ...]
    documents_judged: int | None
    detectable: Mapping[str, float] | None


def evidence_of_difference(
    table: ScoreTable, values: SystemValues, tested: FloatArray, tests: PairTests, recipe: Recipe
) -> EvidenceOfDifference:
    """Why nothing could be significant, or which difference could have been; `tested` are the values tested."""
    notes = []
    needed, judged = documents_needed(len(tests.p), recipe), int(np.unique(values.units.document).size)
    has_few = needed is not None and judged < needed
    if has_few:
        notes.append("few_documents")
    if recipe.needs_shared_segments and np.isnan(tests.p).any():
        notes.append("no_shared_segments")
    difference = None if notes else detectable(tested, tests, values.units, recipe)
    return {
        "notes": tuple(notes),
        "documents_judged": judged if has_few else None,
        "detectable": None if difference is None else {table.measure: difference},
    }
