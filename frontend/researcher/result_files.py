"""Files of a finished run: each table of its pages as CSV; tables, figures and methods for a paper."""

from django.http import Http404, HttpResponse, QueryDict

from campaigns.models import Campaign
from exchange.tables.finished_runs import (
    AGREEMENT_TABLES,
    METRIC_TABLES,
    RESULT_TABLES,
    SLICES,
    TRIAL_TABLES,
    FileTable,
)
from exchange.tables.papers import methods_of
from frontend.access import READS_RESULTS, SignedInRequest
from frontend.campaign_pages import campaign_view
from frontend.charts.annotator_pair import NAME as PAIR
from frontend.charts.comparison import NAMES as COMPARED
from frontend.charts.metrics import is_of_metrics
from frontend.downloads import csv_file, paper_table_file, text_file
from frontend.figures import figure_file
from frontend.researcher.automatic_metrics.runs import metric_runs
from frontend.researcher.comparison import comparison_drawing
from frontend.researcher.disagreements import pair_drawing
from frontend.researcher.slices import offered_slices, shown_slices
from frontend.run_pages import PageRuns, analysis_runs
from metrics.analyses.ranking import Ranking
from metrics.analyses.ranking_tables import SYSTEM_FILE_COLUMNS
from metrics.analysis_runs import AnalysisRuns, OneRun


@campaign_view(READS_RESULTS)
def results(request: SignedInRequest, campaign: Campaign, table: str = "systems") -> HttpResponse:
    """One table of the shown run; without results only its heading row."""
    runs = analysis_runs(request, campaign)
    ranking = runs.result_of(Ranking, "ranking")
    if table == "slices":
        header, rows = _slices(runs, ranking, request.GET)
    elif table in TRIAL_TABLES:
        header, rows = TRIAL_TABLES[table](runs.trials)
    elif table in RESULT_TABLES:
        header, rows = RESULT_TABLES[table](runs) if ranking else (SYSTEM_FILE_COLUMNS, ())
    else:
        raise Http404
    return csv_file(f"{campaign.slug}-{table}", header, rows)


def _slices(runs: PageRuns, ranking: Ranking | None, query: QueryDict) -> FileTable:
    """Those that the page shows."""
    is_shown = ranking is not None and not ranking.too_early
    by = shown_slices(runs, offered_slices(runs), query) if is_shown else ""
    header, rows = SLICES(runs.sliced(by) if by else runs)
    return header, rows if by else ()


@campaign_view(READS_RESULTS)
def agreement(request: SignedInRequest, campaign: Campaign, table: str) -> HttpResponse:
    """One table of the shown run; without results only its heading row."""
    name = table.removeprefix("agreement-")
    return csv_file(f"{campaign.slug}-{name}", *AGREEMENT_TABLES[table](analysis_runs(request, campaign)))


@campaign_view(READS_RESULTS)
def metrics(request: SignedInRequest, campaign: Campaign, name: str) -> HttpResponse:
    if name not in METRIC_TABLES:
        raise Http404
    return csv_file(f"{campaign.slug}-metrics-{name}", *METRIC_TABLES[name](_correlated(request, campaign)))


def _correlated(request: SignedInRequest, campaign: Campaign) -> AnalysisRuns:
    """What the page of metrics shows."""
    runs = metric_runs(request, campaign)
    if not runs.part:
        return runs.correlations
    return OneRun(campaign, runs.correlations.arguments, run=runs.part.run)


@campaign_view(READS_RESULTS)
def paper_table(request: SignedInRequest, campaign: Campaign, name: str, form: str) -> HttpResponse:
    return paper_table_file(analysis_runs(request, campaign), name, form)


@campaign_view(READS_RESULTS)
def paper_figure(request: SignedInRequest, campaign: Campaign, name: str) -> HttpResponse:
    if name == PAIR:
        return pair_drawing(request, campaign)
    if name in COMPARED:
        return comparison_drawing(request, campaign, name)
    runs = _correlated(request, campaign) if is_of_metrics(name) else analysis_runs(request, campaign)
    return figure_file(runs, name, request.GET)


@campaign_view(READS_RESULTS)
def methods(request: SignedInRequest, campaign: Campaign, form: str) -> HttpResponse:
    """The paragraph as LaTeX, or the BibTeX entries it names."""
    runs = analysis_runs(request, campaign)
    written = methods_of(runs.done) if runs.done else None
    if written is None or form not in ("tex", "bib"):
        raise Http404
    text = written.bibtex if form == "bib" else f"{written.latex}\n% {written.signature}"
    content_type = "application/x-bibtex" if form == "bib" else "application/x-tex"
    return text_file(f"{text}\n", content_type, f"{campaign.slug}-methods.{form}")
