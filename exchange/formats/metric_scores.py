"""`metric-systems-csv`, `metric-segments-csv`: what metrics say of the campaign's test set, a row a score."""

from collections.abc import Iterator

import numpy as np

from annotation.spreadsheet_cells import safe_name
from campaigns.models import Campaign
from exchange.export_choice import EVERYTHING, ExportChoice
from exchange.tables.csv_and_json import Table, as_number
from metrics.scoring.reading import MetricScores, read_metric_scores

SYSTEMS = (
    "metric", "system", "score", "low", "high", "segments", "better", "origin", "signature",
    "interval_signature", "interval_note",
)  # fmt: skip
SEGMENTS = ("metric", "system", "document", "segment", "score", "better", "origin", "signature")


def system_scores_table(campaign: Campaign, _choice: ExportChoice = EVERYTHING) -> Table:
    return Table(SYSTEMS, _systems(campaign))


def segment_scores_table(campaign: Campaign, _choice: ExportChoice = EVERYTHING) -> Table:
    return Table(SEGMENTS, _segments(campaign))


def _systems(campaign: Campaign) -> Iterator[list[str]]:
    """An interval only where a run of this very score made one."""
    scores = read_metric_scores(campaign.test_set)
    for metric in scores.metrics:
        scored = (~np.isnan(metric.segments)).sum(axis=1).tolist()
        for system, value, segments, signature in zip(
            scores.systems, metric.systems.tolist(), scored, metric.signatures, strict=True
        ):
            if not np.isnan(value):
                found = metric.entries.get(system, {})
                entry = found if found.get("score") == value else {}
                low, high = map(as_number, entry["interval"]) if entry.get("interval") else ("", "")
                about_interval = (entry.get(key) or "" for key in ("interval_signature", "interval_note"))
                counted = str(segments) if segments else ""
                name = safe_name(metric.name), safe_name(system)
                yield [*name, as_number(value), low, high, counted, *_about(metric, signature), *about_interval]


def _segments(campaign: Campaign) -> Iterator[list[str]]:
    scores = read_metric_scores(campaign.test_set)
    places = [
        (safe_name(document), safe_name(name))
        for document, name in zip(scores.documents, scores.segment_names, strict=True)
    ]
    for metric in scores.metrics:
        name, about = safe_name(metric.name), _about(metric, metric.segment_signature)
        for system, row in zip(scores.systems, metric.segments, strict=True):
            for at in np.flatnonzero(~np.isnan(row)).tolist():
                yield [name, safe_name(system), *places[at], as_number(float(row[at])), *about]


def _about(metric: MetricScores, signature: str) -> tuple[str, str, str]:
    better = "higher" if metric.higher_is_better else "lower"
    return better, safe_name(metric.file_name) if metric.is_imported else "counted", safe_name(signature)
