"""Every table of a finished run by its name: the CSV files of pages, and the same rows for programs."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import Any

from django.http import Http404, HttpResponse, QueryDict

from campaigns.models import Campaign
from frontend.access import READS_RESULTS, SignedInRequest
from frontend.campaign_pages import campaign_view
from frontend.downloads import csv_file
from frontend.exclusion_words import trial_sentences
from frontend.researcher import agreement_page, spreads
from frontend.researcher.agreement_page import AgreementPage
from frontend.researcher.automatic_metrics.page import MetricsPage, chosen_by
from frontend.researcher.automatic_metrics.runs import ANALYSIS, MetricRuns, metric_runs
from frontend.researcher.result_rows import Results, results_of
from frontend.researcher.slices import slices_section
from frontend.run_pages import PageRuns, analysis_runs
from jobs.models import RunPart
from metrics.analyses.correlation import (
    Correlations,
    comparisons_table,
    correlations_table,
    disagreements_table,
    nothing_correlated,
    parts_of,
)
from metrics.analyses.distributions import points_table
from metrics.analyses.errors import Errors, marked_errors_table, suggestions_table
from metrics.analyses.exclusion import Trial, systems_before_and_after
from metrics.analyses.gisting import Gisting, comprehension_table
from metrics.analyses.post_editing import PostEditing, effort_table
from metrics.analyses.ranking_tables import SYSTEM_FILE_COLUMNS, pairs_table
from metrics.analyses.score_tables import SCORE_FILE_COLUMNS, TEST_COLUMNS
from metrics.analyses.slices import Slices, slices_table
from metrics.results.tables import Table as ResultTable
from metrics.results.tables import attributes_table, one_file
from metrics.scoring.reading import comparisons_in, shown_runs

NO_SLICES = Slices("", {})
NO_ERRORS = Errors(weights=None, systems=(), categories=())
Table = tuple[Sequence[str], Iterable[Sequence[Any]]]


TABLES: Mapping[str, Callable[[Results], Table]] = {
    "systems": lambda results: one_file(results.system_tables.all, SYSTEM_FILE_COLUMNS),
    "pairs": lambda results: one_file([pairs_table(results.main)]),
    "spread": lambda results: (spreads.COLUMNS, spreads.spread_csv_rows(results.main.systems, results.measures)),
    "points": lambda results: one_file([points_table([*chain(*results.ranking.points.values())])]),
    "models": lambda results: one_file([results.models.table] if results.models else [], ["system"]),
    "errors": lambda results: one_file([marked_errors_table(results.marked or NO_ERRORS)]),
    "suggestions": lambda results: one_file([suggestions_table(results.marked or NO_ERRORS)]),
    "effort": lambda results: one_file([results.effort.table if results.effort else effort_table(PostEditing(()))]),
    "comprehension": lambda results: one_file(
        [results.comprehension.table if results.comprehension else comprehension_table(Gisting(()))]
    ),
}


@campaign_view(READS_RESULTS)
def result_table(request: SignedInRequest, campaign: Campaign, table: str = "systems") -> HttpResponse:
    """One table of the shown run; without results only its heading row."""
    runs = analysis_runs(request, campaign)
    if table == "slices":
        return csv_file(f"{campaign.slug}-slices", *_slices(runs, request.GET))
    if table not in TABLES:
        raise Http404
    results = results_of(runs)
    header, rows = TABLES[table](results) if results else (SYSTEM_FILE_COLUMNS, ())
    return csv_file(f"{campaign.slug}-{table}", header, rows)


def _slices(runs: PageRuns, query: QueryDict) -> Table:
    section = slices_section(runs, results_of(runs), query)
    result = section.runs.result_of(Slices, "slices") if section and section.by else None
    return one_file([slices_table(result or NO_SLICES)])


def _metric_scores(page: MetricsPage) -> Table:
    return one_file([metric.table for metric in page.scores.metrics], SCORE_FILE_COLUMNS)


def _metric_tests(page: MetricsPage) -> Table:
    runs = {run.pk: run for run in shown_runs(page.campaign.test_set).values()}.values()
    return one_file(
        [attributes_table("tests", TEST_COLUMNS, comparisons_in(run), run.signature) for run in runs],
        (*TEST_COLUMNS, "signature"),
    )


def _of_correlation(table: Callable[[Correlations, str], ResultTable]) -> Callable[[MetricsPage], Table]:
    def contents(page: MetricsPage) -> Table:
        signature = page.runs.part.run.signature if page.runs.part else ""
        return one_file([table(page.correlation or nothing_correlated("no_scores"), signature)])

    return contents


METRIC_TABLES: dict[str, Callable[[MetricsPage], Table]] = {
    "scores": _metric_scores,
    "tests": _metric_tests,
    "correlations": _of_correlation(
        lambda result, signature: correlations_table(parts_of(result), signature=signature)
    ),
    "comparisons": _of_correlation(comparisons_table),
    "disagreements": _of_correlation(disagreements_table),
}


@campaign_view(READS_RESULTS)
def metrics_file(request: SignedInRequest, campaign: Campaign, name: str) -> HttpResponse:
    if name not in METRIC_TABLES:
        raise Http404
    runs = metric_runs(request, campaign)
    page = MetricsPage(campaign, runs, chosen_by(request, runs))
    return csv_file(f"{campaign.slug}-metrics-{name}", *METRIC_TABLES[name](page))


Make = Callable[[], Table]
NOTHING_CHOSEN = {"baseline": "", "metric": "", "grouping": "", "slice": ""}


class OfOneRun(MetricRuns):
    """The correlation of this run, not a newer one."""

    @cached_property
    def part(self) -> RunPart | None:
        run = self.chosen.done
        return RunPart.objects.filter(run=run, name=ANALYSIS).select_related("run").first() if run else None


class RunTables:
    """`runs` contain a finished run; each page is built on first use."""

    def __init__(self, runs: PageRuns) -> None:
        self.runs = runs

    @cached_property
    def results(self) -> Results | None:
        return results_of(self.runs)

    @cached_property
    def agreement(self) -> AgreementPage | None:
        return agreement_page.page_of_runs(self.runs, QueryDict())

    @cached_property
    def metrics(self) -> MetricsPage | None:
        page = MetricsPage(self.runs.campaign, OfOneRun(self.runs.campaign, self.runs), NOTHING_CHOSEN)
        return page if page.runs.part else None

    @cached_property
    def trial(self) -> Trial | None:
        """Of an exclusion."""
        return self.runs.result_of(Trial, "exclusion")

    @property
    def trial_sentences(self) -> list[str] | None:
        titles = {name: measure.title for name, measure in self.runs.measures.items()}
        return trial_sentences(self.trial, titles) if self.trial else None

    @property
    def metrics_finding(self) -> str | None:
        findings = self.metrics.findings if self.metrics else []
        return ". ".join(findings) or None

    @cached_property
    def by_name(self) -> Mapping[str, Make]:
        return dict((*self._of_results(), *self._of_agreement(), *self._of_metrics()))

    def _of_results(self) -> Iterator[tuple[str, Make]]:
        if self.results:
            for name, make in TABLES.items():
                yield name, partial(make, self.results)
        slices = self.runs.result_of(Slices, "slices")
        if slices and slices.slices:
            yield "slices", lambda: one_file([slices_table(slices)])
        trial, run = self.trial, self.runs.done
        if trial and run:
            yield "exclusion", lambda: one_file([systems_before_and_after(trial, run.signature)])

    def _of_agreement(self) -> Iterator[tuple[str, Make]]:
        page = self.agreement
        if page:
            for name, make in agreement_page.TABLES.items():
                yield "agreement-pairs" if name == "pairs" else name, partial(make, page)

    def _of_metrics(self) -> Iterator[tuple[str, Make]]:
        page = self.metrics
        if page:
            for name, contents in METRIC_TABLES.items():
                if name != "tests":  # of the test set, not of this run
                    yield f"metric-{name}", partial(contents, page)
