"""Files of a finished run for a paper: its tables, figures, and methods."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _

from campaigns.models import Campaign
from exchange.tables.papers import NEEDED, PaperTable, methods_of, paper_tables
from frontend.access import READS_RESULTS, SignedInRequest
from frontend.campaign_pages import campaign_view
from frontend.researcher.figures import intervals_svg, spreads_svg
from frontend.researcher.result_rows import Results, results_of
from frontend.run_pages import PageRuns, analysis_runs
from metrics.analyses.ranking_tables import ReadWith

SMALL = tuple(name for name in NEEDED if name != "errors")  # errors of each segment are too many for a list of names
FORMS: dict[str, tuple[str, Callable[[PaperTable], str]]] = {
    "csv": ("text/csv", PaperTable.as_csv),
    "tex": ("application/x-tex", PaperTable.as_latex),
    "md": ("text/markdown", PaperTable.as_markdown),
}


def result_tables(runs: PageRuns, *names: str) -> list[PaperTable]:
    """Tables of the finished run, made of the analyses named."""
    if runs.done is None:
        return []
    return paper_tables(runs.parts(*names), ReadWith(runs.measures, signature=runs.done.signature))


def figures_of(results: Results | None) -> dict[str, tuple[str, Callable[[], str]]]:
    """By name, what each shows and how it is drawn."""
    if results is None or results.too_early:
        return {}
    figures: dict[str, tuple[str, Callable[[], str]]] = {}
    for table in results.tables:
        title = _("%(measure)s with its intervals") % {"measure": table.table.about}
        figures[f"systems-{table.table.values('measure')[0]}"] = title, partial(intervals_svg, table, title)
    if results.spreads:
        title = _("Score distribution")
        figures["spread"] = title, partial(spreads_svg, results.spreads, title)
    return figures


@campaign_view(READS_RESULTS)
def table_file(request: SignedInRequest, campaign: Campaign, name: str, form: str) -> HttpResponse:
    return table_download(analysis_runs(request, campaign), name, form)


def table_download(runs: PageRuns, name: str, form: str) -> HttpResponse:
    table = next((each for each in result_tables(runs, *NEEDED) if each.name == name), None)
    if table is None or form not in FORMS:
        raise Http404
    content_type, write = FORMS[form]
    return _file(write(table), content_type, f"{runs.campaign.slug}-{name}.{form}")


@campaign_view(READS_RESULTS)
def figure_file(request: SignedInRequest, campaign: Campaign, name: str) -> HttpResponse:
    return figure_download(analysis_runs(request, campaign), name)


def figure_download(runs: PageRuns, name: str) -> HttpResponse:
    figures = figures_of(results_of(runs))
    if name not in figures:
        raise Http404
    return _file(figures[name][1](), "image/svg+xml", f"{runs.campaign.slug}-{name}.svg")


@campaign_view(READS_RESULTS)
def methods_file(request: SignedInRequest, campaign: Campaign, form: str) -> HttpResponse:
    """The paragraph as LaTeX, or the BibTeX entries it names."""
    runs = analysis_runs(request, campaign)
    methods = methods_of(runs.done) if runs.done else None
    if methods is None or form not in ("tex", "bib"):
        raise Http404
    text = methods.bibtex if form == "bib" else f"{methods.latex}\n% {methods.signature}"
    return _file(
        f"{text}\n", "application/x-bibtex" if form == "bib" else "application/x-tex", f"{campaign.slug}-methods.{form}"
    )


def paper_context(runs: PageRuns) -> dict[str, Any]:
    """The files of the finished run."""
    results = results_of(runs)
    tables = [(table.name, table.title) for table in result_tables(runs, *SMALL)]
    if runs.parts("errors"):
        tables.append(("errors", _("Errors by category and severity")))
    return {
        "tables": tables,
        "figures": [(name, title) for name, (title, _draw) in figures_of(results).items()],
        "methods": methods_of(runs.done) if runs.done else None,
        "computed": runs.done,
    }


def _file(text: str, content_type: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type=f"{content_type}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
