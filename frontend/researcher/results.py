"""The results of a campaign as the newest run has them."""

from dataclasses import dataclass, replace

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, resolve_url
from django.utils.translation import gettext as _

from annotation.queries.adjudications import current_adjudications
from campaigns.models import Campaign
from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest, has_role
from frontend.campaign_pages import campaign_page, campaign_view
from frontend.column_choice import COLUMNS
from frontend.recipe_choice import RecipeChoice
from frontend.researcher.filter_line import filter_line
from frontend.researcher.result_rows import Results, results_of
from frontend.researcher.slices import SlicesSection, slices_section
from frontend.researcher.weights_choice import (
    FIELD,
    ToleranceChoice,
    WeightsChoice,
    chosen_tolerance,
    chosen_weights,
)
from frontend.run_pages import IN_ADDRESS, PageRuns, analysis_runs
from frontend.shown_table import ShownTable
from frontend.sorting import SORT, changed, unknown_order
from metrics.analyses.placebo import Placebo
from metrics.analyses.placebo_table import placebo_sentences, placebo_table
from metrics.analyses.stability import StabilityCurve, stability_table
from metrics.analysis_runs import SLICED, TRIED
from metrics.recipes import METRIC, TOLERANCE
from metrics.scoring.reading import metrics_with_scores
from metrics.tolerances import tolerance_named
from metrics.weights import weights_named

DRAWN = ("raw", "z")
TOLERANCE_FIELDS = ("model", "per_thousand", "words_1", "points_1", "words_2", "points_2")
DRAWING = ("show", SLICED, SORT, COLUMNS)


@campaign_view(READS_RESULTS)
def results(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    runs = analysis_runs(request, campaign)
    drawn = request.GET.get("show", "")
    shown = results_of(
        runs,
        request.GET,
        drawn=drawn if drawn in DRAWN else "raw",
        segments_page=resolve_url("researcher-segments", campaign.slug),
    )
    slices = slices_section(runs, shown, request.GET)
    measure = runs.measures.get(shown.main.main_measure) if shown else None
    context = runs.as_context() | {
        "results": shown,
        "plain_title": _("Results"),
        "choice": RecipeChoice(
            campaign.protocol,
            runs.arguments,
            measure,
            current_adjudications(campaign).exists(),
            made_by=runs.recipe.name,
        ),
        "slices": slices,
        "problem": runs.problem or (_unknown_order(shown, slices, request.GET) if shown and slices else ""),
        "drawing": _drawing(request.GET),
        "filter": filter_line(runs, request.GET, _drawing(request.GET)),
        **_of_results(runs, shown),
    }
    organises = has_role(request.user, campaign, *RUNS_IT)
    return campaign_page(request, campaign, "researcher/results.html", "results", context, organises=organises)


def _unknown_order(shown: Results, slices: SlicesSection, query: QueryDict) -> str:
    if slices.table:
        return unknown_order((table.sorted for table in (*shown.all_tables, slices.table)), query)
    return unknown_order((table.sorted for table in shown.all_tables), query, to_come="slices")


def _others(runs: PageRuns, shown: Results, name: str) -> list[tuple[str, str]]:
    """What the form for one option of the run must pass on."""
    others = [(other, str(value)) for other, value in QueryDict(runs.query).items() if other != name]
    return [*others, *_drawing(shown.query)]


def _drawing(query: QueryDict) -> list[tuple[str, str]]:
    """The display settings that a form for other numbers must pass on."""
    return [(name, value) for name in DRAWING for value in query.getlist(name)]


def _of_results(runs: PageRuns, shown: Results | None) -> dict[str, object]:
    """The rest of the page beside the numbers."""
    if shown is None:
        return {}
    marked, tolerance = shown.marked, runs.recipe.tolerance
    return {
        "weights": WeightsChoice(weights_named(runs.recipe.weights), shown.titles, marked)
        if marked and marked.categories
        else None,
        "other_fields": _others(runs, shown, "weights"),
        "fields_but_tolerance": _others(runs, shown, TOLERANCE),
        "metric_names": metrics_with_scores(runs.campaign.test_set),
        "metric": runs.recipe.metric,
        "fields_but_metric": _others(runs, shown, IN_ADDRESS[METRIC]),
        "tolerance": ToleranceChoice(tolerance_named(tolerance) if tolerance else None),
        "draws": [(name, changed(shown.query, show=name), shown.draws_z is (name == "z")) for name in DRAWN],
        "trials": None if shown.is_relative else trials_section(runs.trials),
        "query_without_weights": changed(shown.query, weights=""),
    }


@dataclass(frozen=True)
class TrialsSection:
    """Tables are None, and there are no `sentences`, until the run is done or where nothing can be tried."""

    runs: PageRuns
    sentences: list[str]
    placebo: ShownTable | None
    stability: ShownTable | None


def trials_section(runs: PageRuns) -> TrialsSection:
    """By what systems are compared by."""
    runs.parts(*TRIED)  # in one query
    placebo = runs.result_of(Placebo, "placebo") or Placebo(())
    stability = runs.result_of(StabilityCurve, "stability") or StabilityCurve(())
    placebo = replace(placebo, measures=placebo.measures[:1])
    tables = placebo_table(placebo), stability_table(StabilityCurve(stability.measures[:1]))
    shown = [ShownTable(table) if table.rows else None for table in tables]
    return TrialsSection(runs, placebo_sentences(placebo), *shown)


@campaign_view(READS_RESULTS)
def own_weights(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """From the fields of a form to one address that contains the weights in full."""
    fields: dict[str, str] = {name: str(value) for name, value in request.GET.items()}
    query = request.GET.copy()
    for name in request.GET:
        if name.startswith(FIELD) or name in ("category", "category_weight"):
            del query[name]
    query["weights"] = chosen_weights(fields)
    return redirect(f"{resolve_url('researcher-results', campaign.slug)}?{query.urlencode()}#errors")


@campaign_view(READS_RESULTS)
def own_tolerance(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """From the fields of a form to one address that contains the tolerance in full."""
    tolerance = chosen_tolerance({name: str(value) for name, value in request.GET.items()})
    query = request.GET.copy()
    for name in (*TOLERANCE_FIELDS, TOLERANCE):
        query.pop(name, None)
    if tolerance:
        query[TOLERANCE] = tolerance
    return redirect(f"{resolve_url('researcher-results', campaign.slug)}?{query.urlencode()}#scorecard")
