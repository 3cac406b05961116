"""Runs on pages: those with the options in the page's address, the words about them, and what a reader does to them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import URLPattern, path
from django.utils.functional import SimpleLazyObject
from django.utils.http import urlencode
from django.views.decorators.http import condition

from campaigns.form_questions import QuestionSpec
from campaigns.models import Campaign
from frontend.access import READS_RESULTS, SignedInRequest
from frontend.campaign_pages import POST, READ, ErrorsShown, campaign_view
from frontend.recipe_choice import RecipeChoice
from jobs.models import RunStatus
from jobs.run_kinds import InvalidRun
from metrics.analyses.assisted import metric_problems
from metrics.analyses.error_free import unknown_metrics
from metrics.analyses.selection import filter_problems
from metrics.analysis_runs import SLICED, USUAL, AnalysisRuns
from metrics.answer_groups import by_problems, offered_questions
from metrics.recipes import CHOICES, METRIC, SHARES, THRESHOLD, TOLERANCE, WHERE, AnalysisError, recipe_for

BACK = {"agreement": "researcher-agreement"}  # pages that ask for runs, as they name themselves
TRIALS = "trials"  # of runs on the page of results
# What the address calls an option. Where pages have a `metric`, it is one to look at.
IN_ADDRESS = {
    **{name: name for name in ("recipe", *CHOICES, *SHARES, WHERE, TOLERANCE, THRESHOLD) if name != SLICED},
    METRIC: "sharpened_by",
}


@dataclass(frozen=True)
class PageRuns(AnalysisRuns):
    """`problem` says why some options of the address were ignored; `back` names the page that asks for runs."""

    problem: str = ""
    back: str = ""
    routes: ClassVar[Mapping[str, str]] = {
        "page": "researcher-results",
        "state": "researcher-results-state",
        "compute": "researcher-compute",
        "refresh": "researcher-refresh",
        "cancel": "researcher-cancel",
    }

    @cached_property
    def answered(self) -> dict[str, QuestionSpec]:
        """The questions by whose answers results can be filtered and sliced."""
        return offered_questions(self.campaign)

    @property
    def query(self) -> str:
        """The query of the page's address; empty for the protocol's own recipe."""
        chosen = {"recipe": self.arguments["recipe"], **self.arguments["options"]}
        return urlencode({IN_ADDRESS.get(option, option): value for option, value in chosen.items() if value})

    @property
    def page(self) -> str:
        """The address of the page that asks for runs."""
        return resolve_url(BACK.get(self.back, self.routes["page"]), self.campaign.slug)

    @property
    def page_with_query(self) -> str:
        """Where a request for a run leads."""
        return f"{self.page}?{self.query}" if self.query else self.page

    @property
    def etag(self) -> str:
        run = self.newest
        return f'"{run.pk}-{run.status}-{run.progress:.2f}"' if run else '"none"'

    @property
    def printed_recipe(self) -> str:
        return self.printed_as(self.made_by)

    def printed_as(self, made_by: str) -> str:
        """On paper: the name of the recipe that a run was `made_by`, and what differs from it."""
        choice = RecipeChoice(self.campaign.protocol, self.arguments, made_by=made_by)
        return ", ".join(map(str, (choice.title, *choice.differing)))

    def as_context(self) -> dict[str, Any]:
        """For `partials/run_state.html` and pages with a button to compute again."""
        return {
            "campaign": self.campaign,
            "run": self.newest,
            "done": self.done,
            "is_pending": self.is_pending,
            "is_stale": SimpleLazyObject(lambda: self.is_stale),  # not needed while a run is under way
            "query": self.query,
            "where": self.arguments.get("options", {}).get(WHERE, ""),
            "problem": self.problem,
            "printed_recipe": self.printed_recipe,
            **{f"{name}_address": resolve_url(route, self.campaign.slug) for name, route in self.routes.items()},
            "page_address": self.page,
            "back": self.back,
        }


def analysis_runs(request: HttpRequest, campaign: Campaign) -> PageRuns:
    """By `?recipe=…&where=…`; an invalid recipe or filter is reported, and the protocol's own recipe is shown."""
    chosen = {option: request.GET[name] for option, name in IN_ADDRESS.items() if request.GET.get(name)}
    recipe = chosen.pop("recipe", None)
    try:
        made = recipe_for(campaign.protocol, recipe, chosen)
    except AnalysisError as error:
        return PageRuns(campaign, USUAL, problem=str(error))
    problems = filter_problems(campaign, made.where)
    problems += by_problems(campaign, made.by)
    problems += unknown_metrics(campaign.test_set, made.threshold) if made.threshold else []
    problems += metric_problems(campaign, made.metric, ())
    if problems:
        return PageRuns(campaign, USUAL, problem="\n".join(problems))
    if "weights" in chosen and made.weights:
        chosen["weights"] = made.weights
    if WHERE in chosen:
        chosen[WHERE] = made.where
    if TOLERANCE in chosen and made.tolerance:
        chosen[TOLERANCE] = made.tolerance
    if THRESHOLD in chosen and made.threshold:
        chosen[THRESHOLD] = made.threshold
    return PageRuns(campaign, {**USUAL, "recipe": recipe, "options": dict(sorted(chosen.items()))})


def requested_runs(request: HttpRequest, campaign: Campaign) -> PageRuns:
    """The same, for the page that asks; with `?by=` only the runs of slices, for the line with their progress.

    Those that try rules out where the page names them by `back`.
    """
    back = request.POST.get("back", request.GET.get("back", ""))
    runs = replace(analysis_runs(request, campaign), back=back if back in (*BACK, TRIALS) else "")
    if back == TRIALS:
        return runs.trials
    by = request.GET.get(SLICED, "")
    return runs.sliced(by) if by in CHOICES[SLICED] else runs


def run_routes(
    at: str, kind: type[PageRuns], runs_of: Callable[[SignedInRequest, Campaign], PageRuns]
) -> list[URLPattern]:
    """What a reader of results does to the runs of a page: see their progress, ask for another one, cancel it."""

    def etag(request: SignedInRequest, campaign: Campaign) -> str:
        return runs_of(request, campaign).etag

    @condition(etag_func=etag)
    def state(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
        """As one line. Newer automatic numbers are offered to readers of older ones and do not replace them."""
        runs = runs_of(request, campaign)
        run = runs.newest
        is_offered = request.GET.get("shown") and run and run.is_automatic and run.status == RunStatus.DONE
        return render(request, "partials/run_state.html", runs.as_context() | {"is_offered": is_offered})

    def compute(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
        """Another run as chosen, unless one is waiting."""
        runs = runs_of(request, campaign)
        with ErrorsShown(request):
            runs.queue(request.user)
        return redirect(runs.page_with_query)

    def refresh(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
        """An automatic request of the page: 202 when a run is under way then, 204 when none is due."""
        try:
            return HttpResponse(status=202 if runs_of(request, campaign).refresh() else 204)
        except InvalidRun as error:
            return HttpResponse(str(error), status=422, content_type="text/plain")

    def cancel(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
        runs = runs_of(request, campaign)
        runs.cancel()
        return redirect(runs.page_with_query)

    views = {"state": (state, READ), "compute": (compute, POST), "refresh": (refresh, POST), "cancel": (cancel, POST)}
    return [
        path(f"{at}/{name}/", campaign_view(READS_RESULTS, methods)(view), name=kind.routes[name])
        for name, (view, methods) in views.items()
    ]
