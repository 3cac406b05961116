"""Evidence in which adjudicated values replace the annotators' answers, for recipes that request it.

Each judgment of an adjudicated output is taken as if its annotator had answered what was decided: a system's value
rests on as many judgments as before, and z is made of every annotator's mean and deviation in what they really
answered. Results about annotators, above all their agreement, use what they answered, never this.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from annotation.models import Slot
from annotation.protocols.base import MarkedSpan
from annotation.queries.adjudications import LABEL, Decision, decisions
from campaigns.models import Campaign
from metrics.analyses.evidence import Evidence
from metrics.derivations import JudgedText, derivations_of
from metrics.error_table import ErrorTable
from metrics.matrices import ScoreTable
from metrics.statistics.arrays import IntArray
from metrics.statistics.mqm import plain_label

REPLACED_KINDS = ("regular", "repeat")


@dataclass(frozen=True)
class _Decided:
    """One decision: its value by measure, in natural units, its errors, and (judgment, system) of what it replaces."""

    values: dict[str, float]
    spans: tuple[MarkedSpan, ...]
    judged: tuple[tuple[int, str], ...]


def with_adjudicated(evidence: Evidence, campaign: Campaign) -> tuple[Evidence, int]:
    """The evidence for results about systems, and the number of decisions in it."""
    decided = _decided(campaign, evidence.recipe.weights)
    places = {table.measure: [_rows(table, each.judged) for each in decided] for table in evidence.tables}
    tables = tuple(_replaced(table, decided, places[table.measure]) for table in evidence.tables)
    marked = evidence.marked
    penalties = next((table for table in evidence.tables if table.measure == "penalty"), None)
    if marked is not None and penalties is not None:
        marked = _remarked(marked, decided, places[penalties.measure])
    return replace(evidence, tables=tables, marked=marked, whole=evidence), len(decided)


def _decided(campaign: Campaign, weights: str | None) -> list[_Decided]:
    """Three queries, whatever their number."""
    adjudications = decisions(campaign)
    judged = _judged_of(campaign, adjudications)
    formulas = derivations_of(campaign.protocol, weights)
    decided = []
    for decision in adjudications:
        observation = decision.observation
        values = {score.measure: score.value for score in observation.scores}
        text = JudgedText(decision.adjudication.translation.text or "", decision.adjudication.answer)
        for formula in formulas:
            [derived] = formula.derive([text])
            if derived is not None:
                values[formula.measure.name] = derived.value
        spans = tuple(span for span in observation.spans if span.slot == LABEL)
        pairs = [pair for translation in decision.translations for pair in judged.get(translation, ())]
        decided.append(_Decided(values, spans, tuple(dict.fromkeys(pairs))))
    return decided


def _judged_of(campaign: Campaign, adjudications: Sequence[Decision]) -> dict[int, list[tuple[int, str]]]:
    """By translation, the current judgments of it with the name of its system; also where it was credited."""
    translations = [translation for decision in adjudications for translation in decision.translations]
    judged: dict[int, list[tuple[int, str]]] = {}
    for way in ("", "credits__"):
        shown = Slot.objects.filter(
            **{f"{way}translation__in": translations},
            item__assignment__campaign=campaign,
            item__judgments__is_current=True,
            damaged=None,
        )
        rows: Any = shown.values_list(f"{way}translation_id", "item__judgments__pk", f"{way}system__name")
        for translation, judgment, system in rows:
            judged.setdefault(translation, []).append((judgment, system))
    return judged


def _rows(table: ScoreTable, judged: Sequence[tuple[int, str]]) -> IntArray:
    """The rows of these judgments of these systems in a table."""
    code = {name: place for place, name in enumerate(table.systems)}
    replaced = [judgment * len(code) + code[system] for judgment, system in judged if system in code]
    keys = table.judgment * len(code) + table.system
    of_outputs = table.of_kinds(REPLACED_KINDS) & ~table.is_document_level
    return np.flatnonzero(np.isin(keys, replaced) & of_outputs)


def _replaced(table: ScoreTable, decided: Sequence[_Decided], places: Sequence[IntArray]) -> ScoreTable:
    values = table.values.copy()
    for each, rows in zip(decided, places, strict=True):
        if table.measure in each.values:
            natural = each.values[table.measure]
            values[rows] = (natural if table.higher_is_better else -natural) + 0.0
    return replace(table, values=values)


def _remarked(marked: ErrorTable, decided: Sequence[_Decided], places: Sequence[IntArray]) -> ErrorTable:
    """The decided errors replace all errors that annotators marked there; suggestions stay unchanged."""
    labels = {label: code for code, label in enumerate(zip(marked.categories, marked.severities, strict=True))}
    rows = [
        (row, label, span.start, span.end, span.side == "target")
        for each, own in zip(decided, places, strict=True)
        for row in own.tolist()
        for span in each.spans
        for label in [labels.setdefault((span.category, plain_label(span.severity)), len(labels))]
    ]
    stays = ~np.isin(marked.row, np.concatenate([*places, np.zeros(0, dtype=np.int64)]))
    columns: dict[str, Any] = {}
    for place, name in enumerate(("row", "label", "start", "end", "is_target")):
        own = getattr(marked, name)
        columns[name] = np.concatenate([own[stays], np.array([row[place] for row in rows], dtype=own.dtype)])
    return replace(
        marked,
        **columns,
        categories=tuple(category for category, _severity in labels),
        severities=tuple(severity for _category, severity in labels),
    )
