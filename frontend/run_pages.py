"""Runs on pages: those with the options in the page's address, and the words about them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.functional import SimpleLazyObject
from django.utils.http import urlencode

from campaigns.models import Campaign
from frontend.recipe_choice import RecipeChoice
from jobs.models import Run, RunStatus
from metrics.analysis_runs import SLICED, USUAL, AnalysisRuns
from metrics.recipes import CHOICES, AnalysisError, recipe_for

IN_ADDRESS = ("recipe", *(name for name in CHOICES if name != SLICED))


@dataclass(frozen=True)
class PageRuns(AnalysisRuns):
    """`problem` says why some options of the address were ignored."""

    problem: str = ""
    routes: ClassVar[Mapping[str, str]] = {
        "page": "researcher-results",
        "state": "researcher-results-state",
        "refresh": "researcher-refresh",
        "cancel": "researcher-cancel",
    }

    @property
    def query(self) -> str:
        """The query of the page's address; empty for the protocol's own recipe."""
        chosen = {"recipe": self.arguments["recipe"], **self.arguments["options"]}
        return urlencode({name: value for name, value in chosen.items() if value})

    @property
    def etag(self) -> str:
        run = self.newest
        return f'"{run.pk}-{run.status}-{run.progress:.2f}"' if run else '"none"'

    @property
    def printed_recipe(self) -> str:
        """On paper: the recipe's name, and what differs from it."""
        choice = RecipeChoice(self.campaign.protocol, self.arguments)
        return ", ".join(map(str, (choice.title, *choice.differing)))

    def as_context(self) -> dict[str, Any]:
        """For `researcher/run_state.html` and pages with a button to compute again."""
        return {
            "campaign": self.campaign,
            "run": self.newest,
            "done": self.done,
            "is_pending": self.is_pending,
            "is_stale": SimpleLazyObject(lambda: self.is_stale),  # not needed while a run is under way
            "query": self.query,
            "problem": self.problem,
            "printed_recipe": self.printed_recipe,
            **{f"{name}_address": resolve_url(route, slug=self.campaign.slug) for name, route in self.routes.items()},
        }


@dataclass(frozen=True, kw_only=True)
class OneRun(PageRuns):
    """A finished run looked at for itself, whatever was computed since."""

    run: Run

    @cached_property
    def newest(self) -> Run | None:
        return self.run


def one_run(run: Run) -> OneRun | None:
    """None for names that are not analyses of a campaign, and without a result."""
    if run.kind != AnalysisRuns.kind or run.campaign is None or run.status != RunStatus.DONE:
        return None
    return OneRun(run.campaign, {**USUAL, **run.arguments}, run=run)


def analysis_runs(request: HttpRequest, campaign: Campaign) -> PageRuns:
    """By `?recipe=…&include=…`; an invalid recipe is reported, and the protocol's own one is shown."""
    chosen = {name: request.GET[name] for name in IN_ADDRESS if request.GET.get(name)}
    recipe = chosen.pop("recipe", None)
    try:
        made = recipe_for(campaign.protocol, recipe, chosen)
    except AnalysisError as error:
        return PageRuns(campaign, USUAL, problem=str(error))
    if "weights" in chosen and made.weights:
        chosen["weights"] = made.weights
    return PageRuns(campaign, {**USUAL, "recipe": recipe, "options": dict(sorted(chosen.items()))})


def requested_runs(request: HttpRequest, campaign: Campaign) -> PageRuns:
    """The same; with `?by=` only the runs of slices, for the line with their progress."""
    runs = analysis_runs(request, campaign)
    by = request.GET.get(SLICED, "")
    return runs.sliced(by) if by in CHOICES[SLICED] else runs


def is_offered(request: HttpRequest, runs: PageRuns) -> bool:
    """Newer automatic numbers are offered to readers of older ones and do not replace them."""
    run = runs.newest
    return bool(request.GET.get("shown") and run and run.is_automatic and run.status == RunStatus.DONE)
