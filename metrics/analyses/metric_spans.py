"""How far the errors that metrics mark are those that people mark: precision, recall and F1 of characters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext_lazy as _

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.marked_spans import (
    COUNTED_SEVERITIES,
    SpanShares,
    judged_rows,
    marks_of,
    penalties_of,
    shares,
    span_agreement,
    spans_at,
    where_spans,
)
from metrics.matrices import ScoreTable
from metrics.results.tables import Column, Form, MadeCells, Table, Text, rows_of
from metrics.results.values import Missing, Number, number
from metrics.scoring.stored_marks import SUGGESTIONS, MarkColumns
from metrics.statistics.arrays import IntArray
from metrics.statistics.span_matching import SIGNATURE, match_spans
from metrics.statistics.spans import SEVERITIES, SpanRows, character_matches

ALL = "all"
TITLES: Mapping[str, Text] = {
    ALL: _("all"),
    "minor": _("Minor"),
    "major": _("Major"),
    "critical": _("Critical"),
}
SUGGESTED = _("Suggestions of the test set")
MATCHED: Mapping[str, Text] = {
    "mpp_precision": _("Precision"),
    "mpp_recall": _("Recall"),
    "mpp_f": _("F"),
}
MISSING: Mapping[str, Text] = {
    "texts_changed": _("n/a: texts changed since the metric scored them"),
    "not_judged": _("n/a: no output was judged that the metric scored"),
    "nothing_marked": _("n/a: the metric marked nothing"),
    "nothing_in_reference": _("n/a: people marked nothing"),
    "neither_marked": _("n/a: neither marked anything"),
}


@dataclass(frozen=True)
class SpansOfMetric:
    """One metric's marks of one severity (or `all`) against those of each judgment of the same output.

    Characters are counted in each of the `judgments`, of `outputs` in all: those that the metric marked, those that
    people marked, and those both marked. Neutral marks do not count. `mpp` matches whole errors, with partial credit;
    None of runs from before that was computed.
    """

    metric: str
    severity: str
    outputs: int
    judgments: int
    outdated: int
    by_metric: int
    by_people: int
    shared: int
    precision: Number
    recall: Number
    f1: Number
    mpp: SpanShares | None = None


@dataclass(frozen=True)
class MetricSpans:
    """`between_people` is F1 of every two annotators of an output, over the same sums: what a metric could reach.

    `mpp_between_people` is the same of errors matched with partial credit.
    """

    metrics: tuple[SpansOfMetric, ...]
    between_people: Number
    mpp_between_people: Number | None = None


def metric_spans(evidence: Evidence) -> MetricSpans | None:
    """None where people or metrics mark no errors."""
    table = penalties_of(evidence)
    if evidence.marked is None or table is None or not evidence.metric_marks:
        return None
    rows = judged_rows(evidence, table)
    severities = [place for place in _severities(evidence) if SEVERITIES[place] in COUNTED_SEVERITIES]
    people, _marks = spans_at(marks_of(evidence.marked).spans, rows)
    entries = [
        entry for marks in evidence.metric_marks for entry in _entries(marks, table, rows, people, [None, *severities])
    ]
    between = span_agreement(evidence)
    if isinstance(between, Missing):
        return MetricSpans(tuple(entries), between, between)
    return MetricSpans(tuple(entries), between.f1_micro, between.mpp.f if between.mpp else None)


def _severities(evidence: Evidence) -> list[int]:
    """Those that anybody marks, as places in SEVERITIES."""
    assert evidence.marked is not None  # noqa: S101 - asked before
    used = {evidence.marked.severities[label] for label in np.unique(evidence.marked.label).tolist()}
    of_metrics = {int(place) for marks in evidence.metric_marks for place in np.unique(marks.spans.severity)}
    return sorted({SEVERITIES.index(severity) for severity in used if severity in SEVERITIES} | of_metrics)


def _entries(
    marks: MarkColumns, table: ScoreTable, rows: IntArray, people: SpanRows, severities: Sequence[int | None]
) -> list[SpansOfMetric]:
    output_of = _outputs_of(marks, table, rows)
    known = output_of >= 0
    theirs = where_spans(people, known[people.comparison])
    is_mark = (marks.spans.severity > 0) & (marks.spans.end > marks.spans.start)
    own, _marks = spans_at(where_spans(marks.spans, is_mark), output_of)
    outputs, judgments = int(np.unique(output_of[known]).size), int(known.sum())
    entries = []
    for severity in severities:
        found = character_matches(own, theirs, severity=severity)
        sides = (each if severity is None else where_spans(each, each.severity == severity) for each in (own, theirs))
        reason = "" if judgments else "texts_changed" if marks.outdated and not len(marks.systems) else "not_judged"
        entries.append(
            SpansOfMetric(
                metric=marks.metric,
                severity=ALL if severity is None else SEVERITIES[severity],
                outputs=outputs,
                judgments=judgments,
                outdated=marks.outdated,
                by_metric=found.marked,
                by_people=found.reference,
                shared=found.shared,
                precision=number(found.precision, reason or "nothing_marked"),
                recall=number(found.recall, reason or "nothing_in_reference"),
                f1=number(found.f1, reason or "neither_marked"),
                mpp=shares(match_spans(*sides), reason),
            )
        )
    return entries


def _outputs_of(marks: MarkColumns, table: ScoreTable, rows: IntArray) -> IntArray:
    """For each judgment the place of its output among those of the metric; -1 where it did not score it."""
    codes = {name: code for code, name in enumerate(table.systems)}
    systems = np.array([codes.get(name, -1) for name in marks.systems], dtype=np.int64)
    keys = marks.segments * (len(codes) + 1) + systems
    order = np.argsort(keys)
    segments = np.array(table.segment_ids, dtype=np.int64)[table.segment[rows]] if rows.size else rows
    wanted = segments * (len(codes) + 1) + table.system[rows]
    if not keys.size:
        return np.full(rows.size, -1, dtype=np.int64)
    at = np.minimum(np.searchsorted(keys[order], wanted), keys.size - 1)
    return np.where((keys[order][at] == wanted) & (table.segment[rows] >= 0), order[at], -1)


def _matched(name: str, one: SpansOfMetric) -> Number | None:
    value: Number | None = getattr(one.mpp, name, None)
    return value


def metric_spans_table(
    result: MetricSpans | None, titles: Mapping[str, str] | None = None, signature: str = ""
) -> Table:
    """`titles` are those of metrics by name."""
    columns = (
        Column("metric", "", Form.TEXT),
        Column("title", _("Metric"), Form.NAME, is_in_files=False),
        Column("severity", "", Form.TEXT),
        Column("severity_title", _("Severity"), Form.TEXT, is_in_files=False),
        *(
            Column(name, title, decimals=3, highest_first=True, missing=MISSING, group=_("Characters"))
            for name, title in (("precision", _("Precision")), ("recall", _("Recall")), ("f1", _("F1")))
        ),
        Column("by_metric", _("Characters by metric"), Form.COUNT),
        Column("by_people", _("Characters by people"), Form.COUNT),
        Column("shared", _("Shared"), Form.COUNT),
        Column("outputs", _("Outputs"), Form.COUNT),
        Column("judgments", _("Judgments"), Form.COUNT),
        Column("outdated", _("Outdated outputs"), Form.COUNT),
        *(
            Column(name, title, decimals=3, highest_first=True, missing=MISSING, group=_("Errors, with partial credit"))
            for name, title in MATCHED.items()
        ),
        Column("predicted", _("Errors by metric"), Form.COUNT),
        Column("gold", _("Errors by people"), Form.COUNT),
        Column("signature", "", Form.TEXT),
    )
    made: MadeCells = {
        "title": lambda one: str({SUGGESTIONS: SUGGESTED, **(titles or {})}.get(one.metric, one.metric)),
        "severity_title": lambda one: str(TITLES.get(one.severity, one.severity)),
        "signature": lambda _one: f"{signature}|{SIGNATURE}" if signature else SIGNATURE,
        **{name: partial(_matched, name.removeprefix("mpp_")) for name in (*MATCHED, "predicted", "gold")},
    }
    return Table(
        "metric-spans",
        _("Spans of metrics and people"),
        columns,
        rows_of(columns, result.metrics if result else (), made),
        part="metric-spans",
        page=(
            "title", "severity_title", "precision", "recall", "f1", *MATCHED, "by_metric", "by_people", "shared",
            "outputs", "judgments",
        ),
        main="f1",
        terminal=("metric", "severity", "precision", "recall", "f1", *MATCHED, "outputs", "judgments"),
        is_sortable=False,
    )  # fmt: skip
