"""The tables of a results page as CSV files: everything the run found, for those who go on with it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, QueryDict
from django.views.decorators.http import require_safe

from frontend.access import READS_RESULTS, SignedInRequest, get_campaign_for
from frontend.downloads import csv_file
from frontend.researcher import spreads
from frontend.researcher.result_rows import Results, results_of
from frontend.researcher.slices import slices_section
from frontend.run_pages import PageRuns, analysis_runs
from metrics.analyses.distributions import points_table
from metrics.analyses.errors import Errors, marked_errors_table, suggestions_table
from metrics.analyses.gisting import Gisting, comprehension_table
from metrics.analyses.post_editing import PostEditing, effort_table
from metrics.analyses.ranking_tables import SYSTEM_FILE_COLUMNS, pairs_table
from metrics.analyses.slices import Slices, slices_table
from metrics.results.tables import one_file

NO_SLICES = Slices("", {})
NO_ERRORS = Errors(weights=None, systems=(), categories=())
Table = tuple[Sequence[str], Iterable[Sequence[Any]]]


TABLES: Mapping[str, Callable[[Results], Table]] = {
    "systems": lambda found: one_file(found.system_tables.all, SYSTEM_FILE_COLUMNS),
    "pairs": lambda found: one_file([pairs_table(found.main)]),
    "spread": lambda found: (spreads.COLUMNS, spreads.spread_csv_rows(found.main.systems, found.measures)),
    "points": lambda found: one_file([points_table([*chain(*found.ranking.points.values())])]),
    "models": lambda found: one_file([found.models.table] if found.models else [], ["system"]),
    "errors": lambda found: one_file([marked_errors_table(found.marked or NO_ERRORS)]),
    "suggestions": lambda found: one_file([suggestions_table(found.marked or NO_ERRORS)]),
    "effort": lambda found: one_file([found.effort.table if found.effort else effort_table(PostEditing(()))]),
    "comprehension": lambda found: one_file(
        [found.comprehension.table if found.comprehension else comprehension_table(Gisting(()))]
    ),
}


@login_required
@require_safe
def result_table(request: SignedInRequest, slug: str, table: str = "systems") -> HttpResponse:
    """One table of the run that is shown; its first line alone while there are no numbers."""
    runs = analysis_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS))
    if table == "slices":
        return csv_file(f"{slug}-slices", *_slices(runs, request.GET))
    if table not in TABLES:
        raise Http404
    found = results_of(runs)
    header, rows = TABLES[table](found) if found else (SYSTEM_FILE_COLUMNS, ())
    return csv_file(f"{slug}-{table}", header, rows)


def _slices(runs: PageRuns, query: QueryDict) -> Table:
    section = slices_section(runs, results_of(runs), query)
    result = section.runs.result_of(Slices, "slices") if section and section.by else None
    return one_file([slices_table(result or NO_SLICES)])
