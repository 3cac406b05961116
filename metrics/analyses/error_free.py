"""The analysis `error_free`: whether people, and metrics from a threshold on, find the same outputs free of errors."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from campaigns.models import TestSet
from metrics.analyses.evidence import Evidence
from metrics.analyses.marked_spans import PENALTY, judged_rows, pairs_of_rows, penalties_of
from metrics.matrices import ScoreTable
from metrics.results.tables import Cell, Column, Form, Table, Text
from metrics.results.values import Number, number
from metrics.scoring.reading import MetricScores, TestSetScores, read_metric_scores
from metrics.statistics.arrays import BoolArray, IntArray, group_means
from metrics.statistics.error_free import ErrorFree, error_free_matches
from metrics.thresholds import thresholds_named

GOOD_SCORE = 85.0
OF_PENALTY, OF_SCORE = "penalty 0", "score >= 85 and no span"
LABELS: Mapping[str, Text] = {
    OF_PENALTY: gettext_lazy("A translation is free of errors if its penalty is 0."),
    OF_SCORE: gettext_lazy("A translation is free of errors if its score is 85 or more and nothing in it is marked."),
}
_HUNDRED = (0.0, 100.0)


@dataclass(frozen=True, kw_only=True)
class MatchedErrorFree:
    """Translations called free of errors by both (`tp`), by the prediction alone, by the other alone, by neither."""

    tp: int
    fp: int
    fn: int
    tn: int
    precision: Number
    recall: Number
    f: Number
    share_first: Number
    share_second: Number


@dataclass(frozen=True, kw_only=True)
class ErrorFreeByMetric(MatchedErrorFree):
    """A metric that calls what it scores from `threshold` on free of errors, against every judgment of its outputs."""

    metric: str
    threshold: float


@dataclass(frozen=True, kw_only=True)
class ErrorFreeOutputs(MatchedErrorFree):
    """Of every two annotators of an output the first by name is the prediction.

    `label` says what counts as free of errors, None where the campaign has nothing that does. `shares` are of the
    judgments of each system, `all` those free of errors among `judgments`.
    """

    label: str | None
    shares: Mapping[str, float]
    all: int
    judgments: int
    metrics: tuple[ErrorFreeByMetric, ...]


def error_free(evidence: Evidence) -> ErrorFreeOutputs:
    """By the campaign's main measure: penalties, or a scale from 0 to 100 where errors are marked, too."""
    table, label = evidence.main_table, None
    if table is not None and table.measure == PENALTY:
        label = OF_PENALTY
    elif table is not None and (table.low, table.high) == _HUNDRED and penalties_of(evidence) is not None:
        label = OF_SCORE
    if table is None or label is None:
        return NOTHING_FREE
    is_free = table.values == 0 if label == OF_PENALTY else _good_and_unmarked(evidence, table)
    one, other = pairs_of_rows(evidence, table).T
    of_systems = evidence.of_systems(table)
    means = group_means(is_free[of_systems].astype(np.float64), table.system[of_systems], len(table.systems))
    return ErrorFreeOutputs(
        **_numbers(error_free_matches(is_free[one], is_free[other]), "" if one.size else "no_overlap"),
        label=label,
        shares={name: mean for name, mean in zip(table.systems, means.tolist(), strict=True) if not np.isnan(mean)},
        all=int(np.count_nonzero(is_free & of_systems)),
        judgments=int(np.count_nonzero(of_systems)),
        metrics=tuple(_of_metrics(evidence, table, is_free)),
    )


def _numbers(matches: ErrorFree, reason: str) -> dict[str, Any]:
    """`reason`: why nothing exists, if that is not that nothing was free of errors."""
    return {
        **vars(matches),
        "precision": number(matches.precision, reason or "nothing_free"),
        "recall": number(matches.recall, reason or "nothing_free_in_reference"),
        "f": number(matches.f, reason or "neither_free"),
        "share_first": number(matches.share_first, reason),
        "share_second": number(matches.share_second, reason),
    }


def _good_and_unmarked(evidence: Evidence, table: ScoreTable) -> BoolArray:
    """Without a mark in either text, and without a tag, which only the penalty knows."""
    penalties = penalties_of(evidence)
    assert penalties is not None  # noqa: S101 - asked before
    has_marks = penalties.values != 0
    if evidence.marked is not None:
        has_marks[evidence.marked.row] = True
    codes = {name: code for code, name in enumerate(table.systems)}
    systems = np.array([codes.get(name, -1) for name in penalties.systems], dtype=np.int64)
    n_systems = max(len(codes), 1)
    marked = (penalties.judgment * n_systems + systems[penalties.system])[has_marks & (systems[penalties.system] >= 0)]
    return (table.values >= GOOD_SCORE) & ~np.isin(table.judgment * n_systems + table.system, marked)


def _of_metrics(evidence: Evidence, table: ScoreTable, is_free: BoolArray) -> list[ErrorFreeByMetric]:
    scores, named = evidence.metrics, evidence.recipe.threshold
    if scores is None or not named:
        return []
    rows = judged_rows(evidence, table)
    rows = rows[table.segment[rows] >= 0]
    entries = []
    for metric in scores.metrics:
        threshold = thresholds_named(named).get(metric.name)
        if threshold is not None:
            predicted, known = _called_free(metric, scores, table, rows, threshold)
            matches = error_free_matches(predicted[known], is_free[rows[known]])
            reason = "" if known.any() else "not_judged"
            entries.append(ErrorFreeByMetric(**_numbers(matches, reason), metric=metric.name, threshold=threshold))
    return entries


def _called_free(
    metric: MetricScores, scores: TestSetScores, table: ScoreTable, rows: IntArray, threshold: float
) -> tuple[BoolArray, BoolArray]:
    """Of each row, whether the metric calls its output free of errors, and whether it scored it."""
    systems = {name: place for place, name in enumerate(scores.systems)}
    segments = {key: place for place, key in enumerate(scores.segment_ids)}
    of_systems = np.array([systems.get(name, -1) for name in table.systems], dtype=np.int64)[table.system[rows]]
    of_segments = np.array([segments.get(key, -1) for key in table.segment_ids], dtype=np.int64)[table.segment[rows]]
    values = np.full(rows.size, np.nan)
    known = (of_systems >= 0) & (of_segments >= 0)
    if metric.segments.size:
        values[known] = metric.segments[of_systems[known], of_segments[known]]
    return values * metric.sign >= threshold * metric.sign, ~np.isnan(values)


def unknown_metrics(test_set: TestSet, threshold: str) -> list[str]:
    """A problem where thresholds are of metrics that have no scores here."""
    known = [metric.name for metric in read_metric_scores(test_set, with_segments=False).metrics]
    unknown = [name for name in thresholds_named(threshold) if name not in known]
    if not unknown:
        return []
    shown = {"name": "”, “".join(unknown), "known": ", ".join(known) or "–"}
    return [_("The threshold is of a metric without scores here: “%(name)s”. Scores: %(known)s.") % shown]


def error_free_table(result: ErrorFreeOutputs, titles: Mapping[str, str] | None = None, signature: str = "") -> Table:
    """Annotators against each other, then each metric against people; `titles` are those of metrics by name."""
    columns = (
        Column("by", "", Form.TEXT),
        Column("title", gettext_lazy("Called free of errors by"), Form.NAME, is_in_files=False),
        Column("threshold", gettext_lazy("From"), decimals=None),
        *(
            Column(name, title, decimals=3, missing=_WHY)
            for name, title in (
                ("precision", gettext_lazy("Precision")), ("recall", gettext_lazy("Recall")), ("f", gettext_lazy("F")),
            )
        ),
        Column("share_first", gettext_lazy("Free of errors"), Form.SHARE, missing=_WHY),
        Column("share_second", gettext_lazy("By the others"), Form.SHARE, missing=_WHY),
        *(Column(name, name, Form.COUNT) for name in ("tp", "fp", "fn", "tn")),
        Column("signature", "", Form.TEXT),
    )  # fmt: skip

    def row(by: str, title: str, threshold: float | None, one: MatchedErrorFree) -> tuple[Cell, ...]:
        numbers = (one.precision, one.recall, one.f, one.share_first, one.share_second)
        return (by, title, threshold, *numbers, one.tp, one.fp, one.fn, one.tn, signature)

    rows = [row("annotators", _("One annotator, another judging"), None, result)] if result.label else []
    rows += [row(one.metric, (titles or {}).get(one.metric, one.metric), one.threshold, one) for one in result.metrics]
    has_metrics = bool(result.metrics)
    return Table(
        "error-free",
        _("Translations free of errors"),
        columns,
        tuple(rows),
        part="error-free",
        page=(
            "title", *(["threshold"] if has_metrics else []), "precision", "recall", "f", "share_first",
            "share_second", "tp", "fp", "fn", "tn",
        ),
        terminal=("by", "threshold", "precision", "recall", "f", "share_first", "share_second"),
        main="f",
        is_sortable=False,
        notes=(
            str(LABELS.get(result.label or "", "")),
            _("tp: both call it free of errors; fp: only the one named in the row; fn: only the other; tn: neither."),
        ),
    )  # fmt: skip


NOTHING_FREE = ErrorFreeOutputs(
    **_numbers(error_free_matches([], []), "no_spans_asked"), label=None, shares={}, all=0, judgments=0, metrics=()
)
_WHY: Mapping[str, Text] = {
    "no_overlap": gettext_lazy("n/a: nothing was judged by two annotators"),
    "not_judged": gettext_lazy("n/a: no output was judged that the metric scored"),
    "nothing_free": gettext_lazy("n/a: nothing was called free of errors"),
    "nothing_free_in_reference": gettext_lazy("n/a: the others called nothing free of errors"),
    "neither_free": gettext_lazy("n/a: nobody called anything free of errors"),
}
