"""Every table that can be made of one finished run, by name: the same rows as the pages' files have."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial

from frontend.exclusion_words import trial_sentences
from frontend.researcher import agreement_page, result_files
from frontend.researcher.agreement_page import AgreementPage
from frontend.researcher.automatic_metrics.files import FILES
from frontend.researcher.automatic_metrics.page import MetricsPage
from frontend.researcher.automatic_metrics.runs import ANALYSIS, MetricRuns
from frontend.researcher.result_files import Table
from frontend.researcher.result_rows import Results, results_of
from frontend.researcher.sorting import nothing_asked
from frontend.run_pages import PageRuns
from jobs.models import RunPart
from metrics.analyses.exclusion import Trial, systems_before_and_after
from metrics.analyses.slices import Slices, slices_table
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
            for name, make in result_files.TABLES.items():
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
            for name, contents in FILES.items():
                if name != "tests":  # of the test set, not of this run
                    yield f"metric-{name}", partial(contents, page)
