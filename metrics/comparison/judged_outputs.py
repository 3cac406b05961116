"""What the judgments of a campaign say about each output, by keys that all campaigns of a test set share."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from annotation.protocols.base import Measure
from campaigns.models import Campaign
from metrics.analyses.evidence import Evidence
from metrics.analyses.people_and_metrics import People, people_of
from metrics.derivations import measures_of
from metrics.matrices import ScoreTable, read_scores
from metrics.recipes import Recipe, recipe_for
from metrics.statistics.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class ScoredBy:
    """What values rest on: a measure, `by` mean, z or expected_wins; `higher_is_better` is said of the values."""

    measure: str
    by: str
    higher_is_better: bool


@dataclass(frozen=True)
class JudgedOutputs:
    """The campaign's first measure, by its usual recipe.

    Shape: `values` (n_systems, n_units), NaN = not judged, higher is better: turned where `scored` is not.
    `systems` and `units` are their keys, of whole documents below zero. `annotators` are the keys of those who count.
    """

    scored: ScoredBy
    values: FloatArray
    systems: IntArray
    units: IntArray
    annotators: IntArray


def judged_outputs(campaign: Campaign, excluded: Collection[int]) -> JudgedOutputs | None:
    """None without a score. `excluded` are the keys of annotators who were left out by decision."""
    recipe = recipe_for(campaign.protocol)
    tables = tuple(_tables(campaign, recipe))
    evidence = Evidence(tables=tables, recipe=recipe, excluded=frozenset(map(str, excluded)))
    people = people_of(evidence)
    if people is None:
        return None
    table = people.table
    return JudgedOutputs(
        scored=ScoredBy(table.measure, people.by, people.by != "mean" or table.higher_is_better),
        values=people.cells,
        systems=_keys(people.values.names),
        units=_units(people),
        annotators=_keys(table.annotators)[np.unique(table.annotator[evidence.counted(table)])],
    )


def _tables(campaign: Campaign, recipe: Recipe) -> list[ScoreTable]:
    """Up to the first with scores of segments; all where control items decide who counts."""
    tables: list[ScoreTable] = []
    for measure, formula in measures_of(campaign, recipe.stored_weights):
        tables.append(_read(campaign, measure, formula))
        if recipe.include != "passed" and not tables[-1].is_document_level.all():
            break
    return tables


def _read(campaign: Campaign, measure: Measure, formula: str | None) -> ScoreTable:
    return read_scores(campaign, measure, derived_by=formula, with_names=False)


def _units(people: People) -> IntArray:
    if not people.table.is_document_level.any():
        return people.segment
    return -_keys(people.table.documents)[people.values.units.document]


def _keys(labels: tuple[str, ...]) -> IntArray:
    return np.array(labels, dtype=np.int64)
