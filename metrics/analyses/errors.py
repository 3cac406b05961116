"""The analysis `errors`: which errors each system made, and what they add up to."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.protocols.base import OUTCOMES
from metrics.analyses.evidence import Evidence
from metrics.analyses.system_values import system_values
from metrics.error_table import ErrorTable
from metrics.matrices import ScoreTable
from metrics.results.values import Missing, Number, listed, number
from metrics.statistics.arrays import BoolArray, group_means
from metrics.statistics.mqm import DEFAULT_WEIGHTS, error_weights, per_word, quality_score
from metrics.weights import weights_named

MEASURE = "penalty"


@dataclass(frozen=True)
class SystemErrors:
    """The mean `penalty` of segments as in the ranking; `points` and `words` of the source in sum over judgments.

    `per_word` is their ratio, `quality_score` MQM-Core's raw one. `errors` counts, `clean` is the share of judgments
    without any; `suggestions` says what became of them, by outcome.
    """

    system: str
    penalty: Number
    points: Number
    words: Number
    per_word: Number
    quality_score: Number
    errors: int
    clean: Number
    judgments: int
    suggestions: Mapping[str, int] | Missing


@dataclass(frozen=True)
class CategoryErrors:
    """How often a system made errors of a category and severity, and the penalty points of these together."""

    system: str
    category: str
    severity: str
    count: int
    points: float


@dataclass(frozen=True)
class SegmentPenalty:
    """The mean over annotators."""

    system: str
    document: str
    segment: str
    penalty: Number


@dataclass(frozen=True, kw_only=True)
class Errors:
    """Of the judgments that rank the systems, the least penalty first; `weights` names the profile.

    Penalties that came in a file without the errors they follow from count in `systems` and `segments` alone.
    `weights` is None where the campaign has no penalties, `segments` where they are stored apart.
    """

    weights: str | None
    systems: tuple[SystemErrors, ...] = listed(empty="no_judgments")
    categories: tuple[CategoryErrors, ...]
    segments: tuple[SegmentPenalty, ...] | None = None


def errors(evidence: Evidence) -> Errors:
    """Which errors count for each system, with what weight."""
    table = next((each for each in evidence.tables if each.measure == MEASURE), None)
    if table is None:
        return Errors(weights=None, systems=(), categories=(), segments=())
    values = system_values(evidence, table).in_rank_order()
    counted = evidence.usable(table) & evidence.by_included(table) & table.of_kinds(evidence.recipe.rows)
    return Errors(
        weights=evidence.recipe.weights or DEFAULT_WEIGHTS,
        systems=tuple(
            _system(evidence.marked, table, counted, name, mean)
            for name, mean in zip(values.names, values.raw_means.tolist(), strict=True)
        ),
        categories=tuple(_categories(evidence, table, counted, values.names)),
        segments=tuple(_segments(table.where(counted & ~table.is_document_level))),
    )


def _system(marked: ErrorTable | None, table: ScoreTable, counted: BoolArray, name: str, mean: float) -> SystemErrors:
    rows = counted & (table.system == table.systems.index(name))
    own = table.where(rows)
    points = -own.values + 0.0
    known = ~np.isnan(own.source_words)
    return SystemErrors(
        system=name,
        penalty=number(table.natural(mean), "no_judgments"),
        points=number(float(points.sum())),
        words=number(float(own.source_words[known].sum())) if known.any() else Missing("words_unknown"),
        per_word=number(per_word(points, own.source_words), "words_unknown"),
        quality_score=number(quality_score(points, own.source_words), "words_unknown"),
        errors=int(np.count_nonzero(rows[marked.row])) if marked is not None else 0,
        clean=number(float(np.mean(points == 0))) if len(own) else Missing("no_judgments"),
        judgments=len(own),
        suggestions=_suggestions(marked, rows),
    )


def _suggestions(marked: ErrorTable | None, rows: BoolArray) -> dict[str, int] | Missing:
    if marked is None or marked.suggestions is None:
        return Missing("nothing_suggested")
    outcomes = marked.suggestions.outcome[rows[marked.suggestions.row]]
    return dict(zip(OUTCOMES, np.bincount(outcomes, minlength=len(OUTCOMES)).tolist(), strict=True))


def _categories(
    evidence: Evidence, table: ScoreTable, counted: BoolArray, systems: tuple[str, ...]
) -> list[CategoryErrors]:
    """In the order of systems; within one the heaviest first."""
    marked = evidence.marked
    if marked is None or not len(marked):
        return []
    kept = counted[marked.row]
    counts = Counter(zip(table.system[marked.row[kept]].tolist(), marked.label[kept].tolist(), strict=True))
    weights = dict(zip(used := sorted({label for _system, label in counts}), _weights(evidence, used), strict=True))
    rank = {table.systems.index(name): place for place, name in enumerate(systems)}
    ordered = sorted(
        (rank[system], -round(weights[label] * count, 6), label, table.systems[system], count)
        for (system, label), count in counts.items()
    )
    return [
        CategoryErrors(name, marked.categories[label], marked.severities[label], count, -points + 0.0)
        for _rank, points, label, name, count in ordered
    ]


def _weights(evidence: Evidence, labels: Sequence[int]) -> list[float]:
    marked = evidence.marked
    if marked is None:
        return []
    categories, severities = ([column[label] for label in labels] for column in (marked.categories, marked.severities))
    weights: list[float] = error_weights(
        categories, severities, weights=weights_named(evidence.recipe.weights)
    ).tolist()
    return weights


def _segments(table: ScoreTable) -> list[SegmentPenalty]:
    """By system, then in the order of the test set."""
    n_segments = len(table.segments)
    cells = table.system * n_segments + table.segment
    places, first, code = np.unique(cells, return_index=True, return_inverse=True)
    means = group_means(table.values, code, places.size)
    return [
        SegmentPenalty(
            system=table.systems[table.system[row]],
            document=table.documents[table.document[row]],
            segment=table.segments[table.segment[row]],
            penalty=number(table.natural(float(mean)), "no_judgments"),
        )
        for row, mean in zip(first, means, strict=True)
    ]
