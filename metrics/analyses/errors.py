"""The analysis `errors`: which errors each system made, and what they add up to."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from annotation.protocols.base import OUTCOMES
from metrics.analyses.evidence import Evidence
from metrics.analyses.json_numbers import number
from metrics.analyses.system_values import system_values
from metrics.error_table import ErrorTable
from metrics.matrices import ScoreTable
from metrics.statistics.arrays import BoolArray, group_means
from metrics.statistics.mqm import DEFAULT_WEIGHTS, error_weights, per_word, quality_score
from metrics.weights import weights_named

MEASURE = "penalty"


def errors(evidence: Evidence) -> dict[str, Any]:
    """Of the judgments that rank the systems, the least penalty first; `weights` names the profile.

    `systems`: the mean `penalty` of segments as in the ranking; `points` and `words` of the source in sum over
    judgments, their ratio `per_word` and MQM-Core's raw `quality_score`, null where the source's language does not
    space words; how many `errors`, and the share of judgments without any (`clean`); what
    became of `suggestions`, null where there were none. `categories`: `count` and
    `points` by system, category and severity. `segments`: the mean over annotators. Penalties that came in a file
    without the errors they follow from count in `systems` and `segments` alone.
    """
    table = next((each for each in evidence.tables if each.measure == MEASURE), None)
    if table is None:
        return {"weights": None, "systems": [], "categories": [], "segments": []}
    values = system_values(evidence, table).in_rank_order()
    counted = evidence.usable(table) & evidence.by_included(table) & table.of_kinds(evidence.recipe.rows)
    means = dict(zip(values.names, values.raw_means.tolist(), strict=True))
    return {
        "weights": evidence.recipe.weights or DEFAULT_WEIGHTS,
        "systems": [
            {"system": name, "penalty": number(table.natural(means[name])), **_system(evidence, table, counted, name)}
            for name in values.names
        ],
        "categories": _categories(evidence, table, counted, values.names),
        "segments": _segments(table.where(counted & ~table.is_document_level)),
    }


def _system(evidence: Evidence, table: ScoreTable, counted: BoolArray, name: str) -> dict[str, Any]:
    rows = counted & (table.system == table.systems.index(name))
    own = table.where(rows)
    points = -own.values + 0.0
    known = ~np.isnan(own.source_words)
    marked = evidence.marked
    return {
        "points": number(float(points.sum())),
        "words": number(float(own.source_words[known].sum())) if known.any() else None,
        "per_word": number(per_word(points, own.source_words)),
        "quality_score": number(quality_score(points, own.source_words)),
        "errors": int(np.count_nonzero(rows[marked.row])) if marked is not None else 0,
        "clean": number(float(np.mean(points == 0))) if len(own) else None,
        "judgments": len(own),
        "suggestions": _suggestions(marked, rows),
    }


def _suggestions(marked: ErrorTable | None, rows: BoolArray) -> dict[str, int] | None:
    """None where nothing was suggested to annotators."""
    if marked is None or marked.suggestions is None:
        return None
    outcomes = marked.suggestions.outcome[rows[marked.suggestions.row]]
    return dict(zip(OUTCOMES, np.bincount(outcomes, minlength=len(OUTCOMES)).tolist(), strict=True))


def _categories(
    evidence: Evidence, table: ScoreTable, counted: BoolArray, systems: tuple[str, ...]
) -> list[dict[str, Any]]:
    """In the order of systems; within one the heaviest first."""
    marked = evidence.marked
    if marked is None or not len(marked):
        return []
    kept = counted[marked.row]
    counts = Counter(zip(table.system[marked.row[kept]].tolist(), marked.label[kept].tolist(), strict=True))
    weights = dict(zip(used := sorted({label for _system, label in counts}), _weights(evidence, used), strict=True))
    rank = {table.systems.index(name): place for place, name in enumerate(systems)}
    found = [
        (rank[system], -round(weights[label] * count, 6), label, table.systems[system], count)
        for (system, label), count in counts.items()
    ]
    return [
        {
            "system": name,
            "category": marked.categories[label],
            "severity": marked.severities[label],
            "count": count,
            "points": -points + 0.0,
        }
        for _rank, points, label, name, count in sorted(found)
    ]


def _weights(evidence: Evidence, labels: Sequence[int]) -> list[float]:
    marked = evidence.marked
    if marked is None:
        return []
    categories, severities = ([column[label] for label in labels] for column in (marked.categories, marked.severities))
    found: list[float] = error_weights(categories, severities, weights=weights_named(evidence.recipe.weights)).tolist()
    return found


def _segments(table: ScoreTable) -> list[dict[str, Any]]:
    """By system, then in the order of the test set."""
    n_segments = len(table.segments)
    cells = table.system * n_segments + table.segment
    places, first, code = np.unique(cells, return_index=True, return_inverse=True)
    means = group_means(table.values, code, places.size)
    return [
        {
            "system": table.systems[table.system[row]],
            "document": table.documents[table.document[row]],
            "segment": table.segments[table.segment[row]],
            "penalty": number(table.natural(float(mean))),
        }
        for row, mean in zip(first, means, strict=True)
    ]
