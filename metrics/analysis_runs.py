"""The runs of one campaign that were made with the same arguments: the newest, the finished one, and another one."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

from annotation.protocols.base import Measure
from annotation.queries.annotator_work import exclusion_of
from campaigns.models import Account, Campaign, System
from jobs.actions import cancel_run, queue_run
from jobs.models import PENDING, Run, RunStatus
from jobs.queries import parts_of, runs_of
from metrics.actions.refreshing import refresh_run
from metrics.analyses.deciding import recipe_of_run
from metrics.analyses.ranking_tables import ReadWith
from metrics.derivations import measures_of
from metrics.queries import has_newer_evidence
from metrics.recipes import Recipe, recipe_for
from metrics.results.codec import Result, read_part

TRIED = ("placebo", "stability")  # on request, together
SLICED = "by"  # slices only: everything else on a page does not depend on them
USUAL: dict[str, Any] = {"recipe": None, "analyses": None, "options": {}}


def trial_arguments(campaign: Campaign, annotator: Account, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Of the analysis that compares results with and without somebody, made as `arguments` say otherwise."""
    way = "readmitted" if exclusion_of(campaign, annotator) else "without"
    options = {**arguments["options"], way: [annotator.username]}
    return {**arguments, "analyses": ["exclusion"], "options": dict(sorted(options.items()))}


@dataclass(frozen=True)
class AnalysisRuns:
    """`arguments` as `USUAL` has them."""

    campaign: Campaign
    arguments: dict[str, Any]
    kind: ClassVar[str] = "analysis"
    _parts: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    _results: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    _sliced: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def requested(self) -> Recipe:
        """As the arguments say, whatever decides in the end."""
        return recipe_for(self.campaign.protocol, self.arguments["recipe"], self.arguments["options"])

    @cached_property
    def recipe(self) -> Recipe:
        """The one that decided in the finished run, or that the next will begin with."""
        return recipe_of_run(self.campaign.protocol, self.arguments["recipe"], self.arguments["options"], self.made_by)

    @property
    def made_by(self) -> str:
        """What the finished run calls its recipe; empty without one."""
        return str((self.done.result or {}).get("recipe", "")) if self.done else ""

    @property
    def newest(self) -> Run | None:
        return self._last_two[0] if self._last_two else None

    @cached_property
    def done(self) -> Run | None:
        """The newest one that has a result; a newer one may be under way."""
        done = next((run for run in self._last_two if run.status == RunStatus.DONE), None)
        if done is not None or len(self._last_two) < 2:
            return done
        return runs_of(self.campaign, self.kind, status=RunStatus.DONE, arguments=self.arguments).first()

    @cached_property
    def _last_two(self) -> list[Run]:
        return list(runs_of(self.campaign, self.kind, arguments=self.arguments)[:2])

    @property
    def is_pending(self) -> bool:
        return self.newest is not None and self.newest.status in PENDING

    @cached_property
    def is_stale(self) -> bool:
        return self.done is not None and has_newer_evidence(self.done)

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
        """Analyses of the finished run by name, without those that it did not make; each is read once."""
        unread = [name for name in names if name not in self._parts]
        if unread and self.done:
            self._parts.update(dict.fromkeys(unread) | parts_of(self.done, *unread))
        return {name: self._parts[name] for name in names if self._parts.get(name) is not None}

    def result_of(self, kind: type[Result], name: str) -> Result | None:
        """One analysis of the finished run; None if it was not made, or by an older Assay with fewer fields."""
        if name not in self._results:
            self._results[name] = read_part(kind, self.parts(name), name)
        result: Result | None = self._results[name]
        return result

    @property
    def signature(self) -> str:
        """Of the finished run; empty without one."""
        return self.done.signature if self.done else ""

    @cached_property
    def measures(self) -> dict[str, Measure]:
        """The measures by name; the one that systems are compared by comes first."""
        return {measure.name: measure for measure, _formula in measures_of(self.campaign)}

    @cached_property
    def humans(self) -> frozenset[str]:
        """Names of the systems that are people."""
        systems = System.objects.filter(test_set=self.campaign.test_set_id, is_human=True)
        return frozenset(systems.values_list("name", flat=True))

    @property
    def read_with(self) -> ReadWith:
        return ReadWith(self.measures, humans=self.humans, signature=self.signature)

    def sliced(self, by: str) -> Self:
        """Those that have the slices: the runs themselves for their recipe's own, else runs of slices alone."""
        if by == self.recipe.by:
            return self
        if by not in self._sliced:
            options = dict(sorted({**self.arguments["options"], SLICED: by}.items()))
            self._sliced[by] = replace(self, arguments={**self.arguments, "analyses": ["slices"], "options": options})
        runs: Self = self._sliced[by]
        return runs

    @property
    def trials(self) -> Self:
        """Those that try the rules where nothing can differ, and with fewer documents, on the same judgments."""
        return replace(self, arguments={**self.arguments, "analyses": [*TRIED]})


@dataclass(frozen=True, kw_only=True)
class OneRun(AnalysisRuns):
    """A finished run by itself, whatever was computed since with the same arguments."""

    run: Run

    @cached_property
    def done(self) -> Run | None:
        return self.run


def one_run(run: Run) -> OneRun | None:
    """None for runs that are not analyses of a campaign, and without a result."""
    if run.kind != AnalysisRuns.kind or run.campaign is None or run.status != RunStatus.DONE:
        return None
    return OneRun(run.campaign, {**USUAL, **run.arguments}, run=run)


def run_with_tolerance(campaign: Campaign) -> OneRun | None:
    """The newest finished one that says which documents pass."""
    runs = runs_of(campaign, AnalysisRuns.kind, status=RunStatus.DONE)
    run = runs.filter(arguments__options__tolerance__isnull=False).first()
    return one_run(run) if run else None
