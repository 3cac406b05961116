"""Every table that can be made of one finished run, by name: the same rows as the pages' files have."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial

from frontend.researcher import agreement_page, result_files
from frontend.researcher.agreement_page import AgreementPage
from frontend.researcher.automatic_metrics.files import FILES
from frontend.researcher.automatic_metrics.page import MetricsPage
from frontend.researcher.automatic_metrics.runs import ANALYSIS, MetricRuns
from frontend.researcher.result_files import Table
from frontend.researcher.result_rows import Results, results_of
from frontend.researcher.slices import slices_of
from frontend.researcher.sorting import nothing_asked
from frontend.run_pages import PageRuns
from jobs.models import RunPart
from metrics.analyses.slices import slices_table
from metrics.exclusion_trial import ExclusionEffect, exclusion_effect
from metrics.results.tables import one_file

Make = Callable[[], Table]
NOTHING_CHOSEN = {"baseline": "", "metric": "", "grouping": "", "slice": ""}


class OfOneRun(MetricRuns):
    """The correlation is the one of this run."""

    @cached_property
    def part(self) -> RunPart | None:
        run = self.chosen.done
        return RunPart.objects.filter(run=run, name=ANALYSIS).select_related("run").first() if run else None


class RunTables:
    """`runs` hold a finished run; each look at something is made when it is asked for."""

    def __init__(self, runs: PageRuns) -> None:
        self.runs = runs

    @cached_property
    def results(self) -> Results | None:
        return results_of(self.runs)

    @cached_property
    def agreement(self) -> AgreementPage | None:
        return agreement_page.page_of_runs(self.runs, nothing_asked())

    @cached_property
    def metrics(self) -> MetricsPage | None:
        page = MetricsPage(self.runs.campaign, OfOneRun(self.runs.campaign, self.runs), NOTHING_CHOSEN)
        return page if page.runs.part else None

    @cached_property
    def effect(self) -> ExclusionEffect | None:
        return exclusion_effect(self.runs)

    @property
    def metrics_finding(self) -> str | None:
        findings = self.metrics.findings if self.metrics else []
        return ". ".join(findings) or None

    @cached_property
    def by_name(self) -> Mapping[str, Make]:
        return dict((*self._of_results(), *self._of_agreement(), *self._of_metrics(), *self._of_effect()))

    def _of_results(self) -> Iterator[tuple[str, Make]]:
        if self.results:
            for name, make in result_files.TABLES.items():
                yield name, partial(make, self.results)
        slices = slices_of(self.runs)
        if slices and slices.slices:
            yield "slices", lambda: one_file([slices_table(slices)])

    def _of_agreement(self) -> Iterator[tuple[str, Make]]:
        page = self.agreement
        if page:
            for name, make in agreement_page.TABLES.items():
                yield "agreement-pairs" if name == "pairs" else name, partial(make, page)

    def _of_metrics(self) -> Iterator[tuple[str, Make]]:
        page = self.metrics
        if page:
            for name, contents in FILES.items():
                if name != "tests":  # of the test set, not of this run
                    yield f"metric-{name}", partial(contents, page)

    def _of_effect(self) -> Iterator[tuple[str, Make]]:
        effect = self.effect
        if effect:
            yield "exclusion", lambda: (ExclusionEffect.CSV_HEADER, effect.csv_rows())
