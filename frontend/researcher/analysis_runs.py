"""Which run of a campaign a page shows: the newest that was made as its reader chose, in the page's address."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.functional import SimpleLazyObject
from django.utils.http import urlencode

from campaigns.models import Account, Campaign
from frontend.researcher.recipe_choice import RecipeChoice
from jobs.actions import cancel_run, queue_run
from jobs.models import Run, RunStatus
from jobs.queries import newest_run, parts_of, runs_of
from metrics.actions import refresh_run
from metrics.queries import has_newer_evidence
from metrics.recipes import CHOICES, AnalysisError, Recipe, recipe_for

PENDING = (RunStatus.QUEUED, RunStatus.RUNNING)
SLICED = "by"  # asks for slices alone: everything else on a page is the same whatever they are by
USUAL: dict[str, Any] = {"recipe": None, "analyses": None, "options": {}}
KEPT = ("recipe", *(name for name in CHOICES if name != SLICED))


@dataclass(frozen=True)
class AnalysisRuns:
    """The runs of one campaign made with the same arguments; `problem` says why what was asked for was left out."""

    campaign: Campaign
    arguments: dict[str, Any]
    problem: str = ""
    kind: ClassVar[str] = "analysis"
    routes: ClassVar[Mapping[str, str]] = {
        "page": "researcher-results",
        "state": "researcher-results-state",
        "refresh": "researcher-refresh",
        "cancel": "researcher-cancel",
    }

    @cached_property
    def recipe(self) -> Recipe:
        return recipe_for(self.campaign.protocol, self.arguments["recipe"], self.arguments["options"])

    @property
    def newest(self) -> Run | None:
        return self._last_two[0] if self._last_two else None

    @cached_property
    def done(self) -> Run | None:
        """The newest one that has a result, while another may be under way: mostly the one before."""
        found = next((run for run in self._last_two if run.status == RunStatus.DONE), None)
        if found is not None or len(self._last_two) < 2:
            return found
        return newest_run(self.campaign, self.kind, status=RunStatus.DONE, arguments=self.arguments)

    @cached_property
    def _last_two(self) -> list[Run]:
        return list(runs_of(self.campaign, self.kind, arguments=self.arguments)[:2])

    @property
    def is_pending(self) -> bool:
        return self.newest is not None and self.newest.status in PENDING

    @cached_property
    def is_stale(self) -> bool:
        return self.done is not None and has_newer_evidence(self.done)

    @property
    def query(self) -> str:
        """What the page's address says after its question mark; empty for the protocol's own recipe."""
        chosen = {"recipe": self.arguments["recipe"], **self.arguments["options"]}
        return urlencode({name: value for name, value in chosen.items() if value})

    @property
    def etag(self) -> str:
        run = self.newest
        return f'"{run.pk}-{run.status}-{run.progress:.2f}"' if run else '"none"'

    def queue(self, by: Account) -> None:
        """Another run, unless one is under way. InvalidRun where none can be made as chosen."""
        if not self.is_pending:
            queue_run(kind=self.kind, campaign=self.campaign, arguments=self.arguments, created_by=by)

    def refresh(self) -> bool:
        """Another run where one is due; whether any is under way then. InvalidRun as above."""
        run = refresh_run(kind=self.kind, campaign=self.campaign, arguments=self.arguments)
        return run is not None or self.is_pending

    def cancel(self) -> None:
        """Ends the run that is under way."""
        if self.newest is not None and self.is_pending:
            cancel_run(run=self.newest)

    def parts(self, *names: str) -> dict[str, Any]:
        """Analyses of the finished run by name; without a run, none."""
        return parts_of(self.done, *names) if self.done else {}

    def sliced(self, by: str) -> "AnalysisRuns":
        """Those that have the slices: the runs themselves for their recipe's own, else runs of slices alone."""
        if by == self.recipe.by:
            return self
        options = dict(sorted({**self.arguments["options"], SLICED: by}.items()))
        return AnalysisRuns(self.campaign, {**self.arguments, "analyses": ["slices"], "options": options})

    @property
    def printed_recipe(self) -> str:
        """On paper: the recipe's name, and what differs from it."""
        choice = RecipeChoice(self.campaign.protocol, self.arguments)
        return ", ".join(map(str, (choice.title, *choice.differing)))

    def as_context(self) -> dict[str, Any]:
        """For `researcher/run_state.html` and whoever asks for another computation."""
        return {
            "campaign": self.campaign,
            "run": self.newest,
            "done": self.done,
            "is_pending": self.is_pending,
            "is_stale": SimpleLazyObject(lambda: self.is_stale),  # while a run is under way nobody asks
            "query": self.query,
            "problem": self.problem,
            "printed_recipe": self.printed_recipe,
            **{f"{name}_address": resolve_url(route, slug=self.campaign.slug) for name, route in self.routes.items()},
        }


@dataclass(frozen=True, kw_only=True)
class OneRun(AnalysisRuns):
    """A finished run looked at for itself, whatever was computed since."""

    run: Run

    @cached_property
    def newest(self) -> Run | None:
        return self.run


def one_run(run: Run) -> OneRun | None:
    """None for what is no analysis of a campaign, and while there is no result."""
    if run.kind != AnalysisRuns.kind or run.campaign is None or run.status != RunStatus.DONE:
        return None
    return OneRun(run.campaign, {**USUAL, **run.arguments}, run=run)


def analysis_runs(request: HttpRequest, campaign: Campaign) -> AnalysisRuns:
    """By `?recipe=…&include=…`; what no recipe can be made of is said, and the protocol's own recipe is shown."""
    chosen = {name: request.GET[name] for name in KEPT if request.GET.get(name)}
    recipe = chosen.pop("recipe", None)
    try:
        made = recipe_for(campaign.protocol, recipe, chosen)
    except AnalysisError as error:
        return AnalysisRuns(campaign, USUAL, problem=str(error))
    if "weights" in chosen and made.weights:
        chosen["weights"] = made.weights
    return AnalysisRuns(campaign, {**USUAL, "recipe": recipe, "options": dict(sorted(chosen.items()))})


def asked_runs(request: HttpRequest, campaign: Campaign) -> AnalysisRuns:
    """As above; with `?by=` those of slices alone, for the line that says how far they are and who asks for them."""
    runs = analysis_runs(request, campaign)
    by = request.GET.get(SLICED, "")
    return runs.sliced(by) if by in CHOICES[SLICED] else runs


def is_offered(request: HttpRequest, runs: AnalysisRuns) -> bool:
    """Numbers that nobody waits for are offered to who reads older ones, not put in the way."""
    run = runs.newest
    return bool(request.GET.get("shown") and run and run.is_automatic and run.status == RunStatus.DONE)
