"""Marked errors as columns, beside the table of the penalties that follow from them (see `matrices`)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from annotation.models import ErrorSpan, Side, Slot
from annotation.protocols import protocol_for
from annotation.protocols.base import OUTCOMES
from campaigns.models import Campaign, System
from metrics.matrices import Labels, ScoreTable
from metrics.statistics.arrays import BoolArray, IntArray
from metrics.statistics.mqm import Errors, Weights, penalties, plain_label

_AT_ONCE = 10_000
_RECORD = np.dtype(
    [("judgment", "i8"), ("system", "i8"), ("label", "i8"), ("start", "i8"), ("end", "i8"), ("is_target", "?")]
)

_OUTCOME = np.dtype([("judgment", "i8"), ("system", "i8"), ("outcome", "i8")])


@dataclass(frozen=True)
class Suggestions:
    """One row an error that was suggested: its place in the table of penalties, and the code of its outcome."""

    row: IntArray
    outcome: IntArray


@dataclass(frozen=True)
class ErrorTable:
    """One row an error. `row` is its place in the table of penalties, `label` that in categories and severities.

    `start` and `end` are code points of the translation, or of the source where not `is_target`.
    """

    row: IntArray
    label: IntArray
    start: IntArray
    end: IntArray
    is_target: BoolArray
    categories: Labels
    severities: Labels
    suggestions: Suggestions | None = None

    def __len__(self) -> int:
        return len(self.row)


def read_errors(campaign: Campaign, penalties: ScoreTable) -> ErrorTable:
    """The errors of all judgments in the table; two queries, and one for suggestions; streamed."""
    codes = {name: code for code, name in enumerate(penalties.systems)}
    systems = {
        key: codes[name]
        for key, name in System.objects.filter(test_set=campaign.test_set_id).values_list("id", "name")
        if name in codes
    }
    labels: dict[tuple[str, str], int] = {}
    records = np.fromiter(_rows(campaign, systems, labels), dtype=_RECORD)
    place = _places(penalties, records)
    return ErrorTable(
        row=place[place >= 0],
        label=records["label"][place >= 0],
        start=records["start"][place >= 0],
        end=records["end"][place >= 0],
        is_target=records["is_target"][place >= 0],
        categories=tuple(category for category, _severity in labels),
        severities=tuple(severity for _category, severity in labels),
        suggestions=_suggestions(campaign, penalties, systems),
    )


def _rows(campaign: Campaign, systems: dict[int, int], labels: dict[tuple[str, str], int]) -> Iterator[tuple[Any, ...]]:
    spans = ErrorSpan.objects.filter(judgment__item__assignment__campaign=campaign, judgment__is_current=True)
    rows = spans.order_by().values_list(
        "judgment_id", "translation__system_id", "category", "severity", "start", "end", "side"
    )
    plain = cache(plain_label)  # of few, again and again
    for judgment, system, category, severity, start, end, side in rows.iterator(chunk_size=_AT_ONCE):
        label = labels.setdefault((category, plain(severity)), len(labels))
        yield judgment, systems.get(system, -1), label, start, end, side == Side.TARGET


def _suggestions(campaign: Campaign, penalties: ScoreTable, systems: dict[int, int]) -> Suggestions | None:
    """None where the protocol has no suggestions; an output of several systems counts for the one it was shown for."""
    if not protocol_for(campaign.protocol, campaign.options).offers_suggestions:
        return None
    shown = Slot.objects.filter(item__assignment__campaign=campaign, item__judgments__is_current=True)
    rows = shown.order_by().values_list("item__judgments__pk", "system_id", "label", "item__judgments__answer")
    outcomes = (
        (judgment, systems.get(system, -1), OUTCOMES.index(one["outcome"]))
        for judgment, system, label, answer in rows.iterator(chunk_size=_AT_ONCE)
        for one in answer["slots"].get(label, {}).get("suggested", ())
    )
    records = np.fromiter(outcomes, dtype=_OUTCOME)
    place = _places(penalties, records)
    return Suggestions(place[place >= 0], records["outcome"][place >= 0])


def _places(penalties: ScoreTable, records: Any) -> IntArray:
    """The row of each error's penalty; -1 where there is none."""
    n_systems = len(penalties.systems) + 1
    keys = penalties.judgment * n_systems + penalties.system
    order = np.argsort(keys)
    wanted = records["judgment"] * n_systems + records["system"]
    if not keys.size:
        return np.full(len(records), -1, dtype=np.int64)
    at = np.minimum(np.searchsorted(keys[order], wanted), keys.size - 1)
    return np.where((keys[order][at] == wanted) & (records["system"] >= 0), order[at], -1)


def reweighed(table: ScoreTable, marked: ErrorTable, weights: Weights) -> ScoreTable:
    """The table with the penalty that its errors have by these weights.

    Rows without errors keep their number: 0 where nothing was marked, or the number from a file without errors.
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
