"""The slices on a results page: what they can be by, those that are shown, and the run that makes them."""

from dataclasses import dataclass

from django.db.models import Exists, Max, Min, Q
from django.http import QueryDict

from annotation.protocols.base import Text
from campaigns.models import Segment, TestSet
from frontend.charts.figure import Figure
from frontend.figures import slices_chart
from frontend.researcher.result_rows import Results
from frontend.run_pages import PageRuns
from frontend.shown_table import ShownTable
from frontend.sorting import ON_A_PAGE, changed
from metrics.analyses.pair_tables import EXPECTED_WINS
from metrics.analyses.slices import Slices, by_words, slices_by_system_table
from metrics.analysis_runs import SLICED
from metrics.results.tables import Table


@dataclass(frozen=True)
class SlicesSection:
    """`choices` are titles with their addresses and whether they are shown; `table` is None until its run is done."""

    choices: list[tuple[Text, str, bool]]
    runs: PageRuns
    by: str
    table: ShownTable | None
    chart: Figure | None = None

    @property
    def has_own_run(self) -> bool:
        return bool(self.by) and self.runs.arguments["analyses"] is not None


def slices_section(runs: PageRuns, results: Results | None, query: QueryDict) -> SlicesSection | None:
    """None without slices."""
    if results is None or results.ranking.too_early:
        return None
    offered = offered_slices(runs)
    by = shown_slices(runs, offered, query)
    choices = [(by_words(name), changed(query, **{SLICED: name}), name == by) for name in offered]
    sliced = runs.sliced(by) if by else runs
    table = _table(sliced, results) if by else None
    chart = slices_chart(runs, by) if by and table else None
    return SlicesSection(choices, sliced, by, ShownTable(table, query, on_a_page=ON_A_PAGE) if table else None, chart)


def shown_slices(runs: PageRuns, offered: list[str], query: QueryDict) -> str:
    """What they are by: the reader's choice, else the recipe's own where that is offered; else empty."""
    chosen = query.get(SLICED, "")
    return chosen if chosen in offered else next((name for name in offered if name == runs.recipe.by), "")


def _table(runs: PageRuns, results: Results) -> Table | None:
    """With as many decimals as the whole ranking has."""
    result, ranked = runs.result_of(Slices, "slices"), next(iter(results.tables), None)
    if result is None:
        return None
    return slices_by_system_table(
        result,
        [system.system for system in results.main.compared],
        results.main.main_measure,
        decimals=ranked.decimals_of(ranked.table.column("mean")) if ranked else 1,
        is_share=results.main.ordered_by.get(results.main.main_measure) == EXPECTED_WINS,
        has_z=results.has_z,
    )


def offered_slices(runs: PageRuns) -> list[str]:
    """The possible slices of the campaign; two cheap queries."""
    campaign = runs.campaign
    segments = Segment.objects.filter(document__test_set=campaign.test_set_id)
    own_domains, tagged = (Exists(rows) for rows in (segments.exclude(domain=""), segments.exclude(tags=[])))
    named = ~Q(documents__domain="")
    first, last = Min("documents__domain", filter=named), Max("documents__domain", filter=named)
    rows = TestSet.objects.filter(pk=campaign.test_set_id)
    test_set = rows.annotate(first=first, last=last, own=own_domains, tagged=tagged).get()
    offered = ["domain"] if test_set.first != test_set.last or test_set.own else []
    if test_set.tagged:
        offered.append("tag")
    return [*offered, "document", *runs.answered]
