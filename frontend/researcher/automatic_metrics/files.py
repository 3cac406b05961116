"""Every table of the page of metrics as CSV, each row with the signature of its numbers."""

from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from frontend.access import READS_RESULTS, SignedInRequest, get_campaign_for
from frontend.downloads import csv_file
from frontend.researcher.automatic_metrics.page import MetricsPage, chosen_by
from frontend.researcher.automatic_metrics.runs import metric_runs
from metrics.analyses.correlation import Correlations, nothing_correlated
from metrics.analyses.correlation_tables import comparisons_table, correlations_table, disagreements_table, parts_of
from metrics.results.tables import FileCell, Table, one_file
from metrics.scoring.reading import comparisons_in, shown_runs
from metrics.scoring.score_tables import SCORE_FILE_COLUMNS, tests_table

Contents = tuple[list[str], list[list[FileCell]]]


def _scores(page: MetricsPage) -> Contents:
    return one_file(page.scores.files(), SCORE_FILE_COLUMNS)


def _tests(page: MetricsPage) -> Contents:
    runs = {run.pk: run for run in shown_runs(page.campaign.test_set).values()}.values()
    return one_file([tests_table(comparisons_in(run), run.signature) for run in runs] or [tests_table((), "")])


def _of_correlation(table: Callable[[Correlations, str], Table]) -> Callable[[MetricsPage], Contents]:
    def contents(page: MetricsPage) -> Contents:
        signature = page.runs.part.run.signature if page.runs.part else ""
        return one_file([table(page.correlation or nothing_correlated("no_scores"), signature)])

    return contents


FILES: dict[str, Callable[[MetricsPage], Contents]] = {
    "scores": _scores,
    "tests": _tests,
    "correlations": _of_correlation(
        lambda result, signature: correlations_table(parts_of(result), signature=signature)
    ),
    "comparisons": _of_correlation(comparisons_table),
    "disagreements": _of_correlation(disagreements_table),
}


@login_required
@require_safe
def metrics_file(request: SignedInRequest, slug: str, name: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    if name not in FILES:
        raise Http404
    runs = metric_runs(request, campaign)
    page = MetricsPage(campaign, runs, chosen_by(request, runs))
    return csv_file(f"{slug}-metrics-{name}", *FILES[name](page))
