"""Every table of the page of metrics as CSV, each row with the signature of its numbers."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from frontend.access import READS_RESULTS, SignedInRequest, get_campaign_for
from frontend.downloads import csv_file
from frontend.researcher.automatic_metrics.page import MetricsPage, chosen_by
from frontend.researcher.automatic_metrics.runs import metric_runs
from metrics.scoring.reading import shown_runs

Rows = Iterator[list[Any]]
SCORE_COLUMNS = (
    "system", "is_human", "human", "metric", "score", "low", "high", "segments", "higher_is_better", "imported",
    "signature", "details", "interval_signature", "interval_note",
)  # fmt: skip
TEST_COLUMNS = ("metric", "first", "second", "difference", "share", "p_bootstrap", "p_randomisation", "signature")
STATISTICS = (
    "pearson", "spearman", "kendall_b", "kendall_c", "kendall_like", "pairwise_accuracy", "soft_pairwise_accuracy",
    "accuracy_with_ties", "epsilon",
)  # fmt: skip
WITH_INTERVAL = tuple(name for name in STATISTICS if name not in ("soft_pairwise_accuracy", "epsilon", "kendall_like"))
CORRELATION_COLUMNS = (
    "slice", "metric", "level", "grouping", "group", "groups", *STATISTICS,
    *(f"{name}_{end}" for name in WITH_INTERVAL for end in ("low", "high")), "signature",
)  # fmt: skip
COMPARISON_COLUMNS = ("first", "second", "level", "grouping", "statistic", "difference", "p", "test", "signature")
DISAGREEMENT_COLUMNS = (
    "metric", "system", "document", "segment", "human", "score", "human_standing", "metric_standing", "signature",
)  # fmt: skip


def _score_rows(page: MetricsPage) -> Rows:
    people = {row.system: row.human for row in page.table.rows}
    for column in page.table.columns:
        for cell in column.cells:
            if cell.score is not None:
                yield [
                    cell.system, cell.system in page.table.humans, people[cell.system],
                    column.name, cell.score, cell.low, cell.high, cell.segments,
                    column.metric.higher_is_better, column.metric.is_imported, cell.signature,
                    json.dumps(cell.details, ensure_ascii=False) if cell.details else "",
                    cell.interval_signature, cell.interval_note,
                ]  # fmt: skip


def _test_rows(page: MetricsPage) -> Rows:
    for run in {run.pk: run for run in shown_runs(page.campaign.test_set).values()}.values():
        for each in (run.result or {}).get("comparisons", ()):
            names = [each["first"], each["second"]]
            yield [each["metric"], *names, *(each[name] for name in TEST_COLUMNS[3:-1]), run.signature]


def _correlation_rows(page: MetricsPage) -> Rows:
    parts = {"": page.correlation.get("metrics", ())}
    slices = page.correlation.get("slices", {}).get("slices", {})
    parts |= {name: each["metrics"] for name, each in slices.items()}
    for name, entries in parts.items():
        for each in entries:
            ends = [end for key in WITH_INTERVAL for end in each["intervals"].get(key) or (None, None)]
            yield [
                name, each["metric"], each["level"], each["grouping"], each.get("group"),
                each["groups"], *(each.get(key) for key in STATISTICS), *ends, _signature(page),
            ]  # fmt: skip


def _comparison_rows(page: MetricsPage) -> Rows:
    for each in page.correlation.get("comparisons", ()):
        names = [each["first"], each["second"]]
        yield [*names, *(each[name] for name in COMPARISON_COLUMNS[2:-1]), _signature(page)]


def _disagreement_rows(page: MetricsPage) -> Rows:
    for each in page.correlation.get("disagreements", ()):
        names = [each[name] for name in DISAGREEMENT_COLUMNS[:4]]
        yield [*names, *(each[name] for name in DISAGREEMENT_COLUMNS[4:-1]), _signature(page)]


def _signature(page: MetricsPage) -> str:
    return page.runs.part.run.signature if page.runs.part else ""


FILES: dict[str, tuple[tuple[str, ...], Callable[[MetricsPage], Rows]]] = {
    "scores": (SCORE_COLUMNS, _score_rows),
    "tests": (TEST_COLUMNS, _test_rows),
    "correlations": (CORRELATION_COLUMNS, _correlation_rows),
    "comparisons": (COMPARISON_COLUMNS, _comparison_rows),
    "disagreements": (DISAGREEMENT_COLUMNS, _disagreement_rows),
}


@login_required
@require_safe
def metrics_file(request: SignedInRequest, slug: str, name: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    if name not in FILES:
        raise Http404
    runs = metric_runs(request, campaign)
    columns, rows = FILES[name]
    return csv_file(f"{slug}-metrics-{name}", columns, rows(MetricsPage(campaign, runs, chosen_by(request, runs))))
