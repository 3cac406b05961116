"""The results of a campaign as the newest run has them, and what a reader asks of runs: another, the way, an end."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import condition, require_POST, require_safe

from annotation.queries.adjudications import standing
from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest, get_campaign_for, has_role
from frontend.recipe_choice import RecipeChoice
from frontend.researcher.result_rows import Results, results_of
from frontend.researcher.slices import slices_section
from frontend.researcher.sorting import SORT, changed
from frontend.researcher.weights_choice import FIELD, chosen_weights, weights_choice
from frontend.run_pages import PageRuns, analysis_runs, is_offered, requested_runs
from metrics.analysis_runs import SLICED

DRAWN = ("raw", "z")
DRAWING = ("show", SLICED, SORT)

ASKING = {"agreement": "researcher-agreement"}  # pages that ask for runs, as they name themselves


@login_required
@require_safe
def results(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    runs = analysis_runs(request, campaign)
    drawn = request.GET.get("show", "")
    shown = results_of(
        runs,
        drawn=drawn if drawn in DRAWN else "raw",
        query=request.GET,
        segments_page=resolve_url("researcher-segments", slug=slug),
    )
    measure = shown.measures.get(shown.main_measure) if shown else None
    context = runs.as_context() | {
        "tab": "results",
        "organises": has_role(request.user, campaign, *RUNS_IT),
        "results": shown,
        "plain_title": _("Results"),
        "choice": RecipeChoice(campaign.protocol, runs.arguments, measure, standing(campaign).exists()),
        "slices": slices_section(runs, shown, request.GET),
        "drawing": _drawing(request.GET),
        **_of_results(runs, shown),
    }
    return render(request, "researcher/results.html", context)


def _drawing(query: QueryDict) -> list[tuple[str, str]]:
    """The display settings that a form for other numbers must pass on."""
    return [(name, value) for name in DRAWING for value in query.getlist(name)]


def _of_results(runs: PageRuns, shown: Results | None) -> dict[str, object]:
    """The rest of the page beside the numbers."""
    if shown is None:
        return {}
    marked = shown.marked
    return {
        "weights": weights_choice(runs.recipe.weights, shown.titles, marked) if marked and marked.categories else None,
        "other_fields": [
            *(pair for pair in QueryDict(runs.query).items() if pair[0] != "weights"),
            *_drawing(shown.query),
        ],
        "draws": [(name, changed(shown.query, show=name), shown.draws_z is (name == "z")) for name in DRAWN],
        "query_without_weights": changed(shown.query, weights=""),
    }


def _etag(request: SignedInRequest, slug: str) -> str:
    return requested_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS)).etag


@login_required
@require_safe
@condition(etag_func=_etag)
def results_state(request: SignedInRequest, slug: str) -> HttpResponse:
    """The progress of the newest run, as one line."""
    runs = requested_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS))
    back = request.GET.get("back", "")
    page = {"back": back if back in ASKING else "", "page_address": _page_of(back, slug)}
    return render(
        request, "researcher/run_state.html", runs.as_context() | page | {"is_offered": is_offered(request, runs)}
    )


@login_required
@require_POST
def compute(request: SignedInRequest, slug: str) -> HttpResponse:
    """Requests another run as chosen, unless one is waiting, and returns to the page."""
    runs = requested_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS))
    runs.queue(request.user)
    return _back_to(request, runs)


@login_required
@require_POST
def refresh(request: SignedInRequest, slug: str) -> HttpResponse:
    """An automatic request of the page: 202 when a run is under way then, 204 when none is due."""
    runs = requested_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS))
    return HttpResponse(status=202 if runs.refresh() else 204)


@login_required
@require_POST
def cancel(request: SignedInRequest, slug: str) -> HttpResponse:
    """Cancels the current run; readers of results may request another."""
    runs = requested_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS))
    runs.cancel()
    return _back_to(request, runs)


@login_required
@require_safe
def own_weights(request: SignedInRequest, slug: str) -> HttpResponse:
    """From the fields of a form to one address that contains the weights in full."""
    get_campaign_for(request.user, slug, *READS_RESULTS)
    fields: dict[str, str] = {name: str(value) for name, value in request.GET.items()}
    query = request.GET.copy()
    for name in request.GET:
        if name.startswith(FIELD) or name in ("category", "category_weight"):
            del query[name]
    query["weights"] = chosen_weights(fields)
    return redirect(f"{resolve_url('researcher-results', slug=slug)}?{query.urlencode()}#errors")


def _back_to(request: SignedInRequest, runs: PageRuns) -> HttpResponse:
    page = _page_of(request.POST.get("back", ""), runs.campaign.slug)
    return redirect(f"{page}?{runs.query}" if runs.query else page)


def _page_of(back: str, slug: str) -> str:
    """The address of the requesting page."""
    return resolve_url(ASKING.get(back, "researcher-results"), slug=slug)
