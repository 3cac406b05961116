"""What the judgments of a campaign say about each output, by keys that all campaigns of a test set share.

Those of a large campaign are stored with its results, for no page can read a million judgments.
"""

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass
from io import BytesIO

import numpy as np

from annotation.models import Exclusion
from annotation.protocols.base import Measure
from annotation.queries.progress import stored_judgments
from campaigns.models import Campaign
from jobs.models import Run
from metrics.analyses.evidence import Evidence
from metrics.analyses.people_and_metrics import People, people_of
from metrics.derivations import measures_of
from metrics.matrices import ScoreTable, read_scores
from metrics.models import OutputValues
from metrics.recipes import Recipe, recipe_for
from metrics.statistics.arrays import FloatArray, IntArray

READ_AT_ONCE = 20_000  # judgments; of more, what the newest results stored is taken


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


def compared_outputs(campaign: Campaign, newest: Run | None) -> JudgedOutputs | None:
    """From the judgments of now; of a large campaign as its `newest` results have them, without these None."""
    if not is_large(campaign):
        return judged_outputs(campaign, _excluded(campaign))
    stored = OutputValues.objects.filter(run=newest).first() if newest else None
    return _unpacked(bytes(stored.packed)) if stored else None


def store_outputs(run: Run, campaign: Campaign) -> None:
    """With an analysis by the campaign's usual recipe, before it ends; nothing where a page reads the judgments."""
    if not is_large(campaign):
        return
    outputs = judged_outputs(campaign, _excluded(campaign))
    if outputs is not None:
        OutputValues.objects.update_or_create(run=run, defaults={"packed": _packed(outputs)})


def is_large(campaign: Campaign) -> bool:
    """Whether it has more judgments than a page reads."""
    return stored_judgments(campaign) > READ_AT_ONCE


def _excluded(campaign: Campaign) -> list[int]:
    return list(Exclusion.objects.filter(campaign=campaign, lifted_at=None).values_list("annotator", flat=True))


def _packed(outputs: JudgedOutputs) -> bytes:
    file = BytesIO()
    arrays = {name: getattr(outputs, name) for name in ("values", "systems", "units", "annotators")}
    np.savez_compressed(file, scored=np.array(json.dumps(asdict(outputs.scored))), **arrays)
    return file.getvalue()


def _unpacked(packed: bytes) -> JudgedOutputs:
    with np.load(BytesIO(packed), allow_pickle=False) as arrays:
        named = {name: arrays[name] for name in ("values", "systems", "units", "annotators")}
        return JudgedOutputs(scored=ScoredBy(**json.loads(str(arrays["scored"]))), **named)


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
