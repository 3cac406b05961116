"""The analysis `allocation`: which systems are still in the race of a campaign that drops some, and what it saved."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from annotation.queries.race import Standing
from metrics.analyses.evidence import Evidence
from metrics.matrices import ScoreTable
from metrics.race import PastLook, RaceFacts
from metrics.results.tables import Column, Form, Table, Text, rows_of
from metrics.results.values import Ends, Missing, Number, interval_ends, number
from metrics.statistics.arrays import FloatArray, group_means, joint_codes, or_none
from metrics.statistics.elimination import Look, Question, look_at, weighted_mean

NOT_ADAPTIVE = "not_adaptive"
QUESTIONS: dict[str, Question] = {"best": "best", "top": "top", "ranking": "ranking"}


@dataclass(frozen=True)
class RacedSystem:
    """One system: `state` is in, dropped or leads.

    `mean` is over `documents`, each weighted by the `propensity` with which the system was shown, in natural units;
    `behind` is the distance to the nearest leader, and `bound` what it has to exceed. `dropped_after` so many
    documents; `is_protected`: brought back by hand. `is_doubtful`: it was dropped, and the judgments of today would
    not drop it.
    """

    system: str
    state: str
    documents: int
    mean: Number
    interval: Ends
    propensity: float
    behind: Number
    bound: Number
    dropped_after: int | None
    is_protected: bool
    is_doubtful: bool


@dataclass(frozen=True)
class LookedSystem:
    """As a look left it; without numbers where nothing could be compared."""

    system: str
    state: str
    documents: int
    mean: float | None
    behind: float | None
    bound: float | None
    is_doubtful: bool


@dataclass(frozen=True)
class LookResult:
    documents: int
    is_over: bool
    systems: tuple[LookedSystem, ...]


@dataclass(frozen=True)
class Allocation:
    """`looks` are those that were made; `next` is the number of documents of the next one, None where none follows.

    `stop`: the question is answered. `saved` items of the plan are not asked. `reason` says why there is nothing.
    """

    question: str
    top: int
    alpha: float
    status: str
    measure: str
    documents: int
    looks: tuple[LookResult, ...]
    systems: tuple[RacedSystem, ...]
    next: int | None
    stop: bool
    saved: int
    reason: str

    @property
    def leaders(self) -> list[str]:
        return [each.system for each in self.systems if each.state == "leads"]

    @property
    def dropped(self) -> list[str]:
        return [each.system for each in self.systems if each.state == "dropped"]


NO_RACE = Allocation("none", 1, 0.05, "", "", 0, (), (), None, stop=False, saved=0, reason=NOT_ADAPTIVE)


def allocation(evidence: Evidence) -> Allocation:
    """By the scores as they were entered: z would change the past with each judgment."""
    race = evidence.race
    if race is None:
        return NO_RACE
    table = evidence.main_scores
    look, again = looked(evidence, race)
    rule = race.rule
    last = race.looks[-1].documents if race.looks else 0
    running = race.status == "running"
    return Allocation(
        question=rule.question,
        top=rule.wanted,
        alpha=rule.alpha,
        status=race.status,
        measure=table.measure if table is not None else "",
        documents=look.documents,
        looks=looks_made(race),
        systems=tuple(_systems(evidence, race, table, look, again)),
        next=max(rule.first, last + rule.step) if running and last < race.planned_documents else None,
        stop=race.status == "decided",
        saved=race.saved,
        reason=look.reason,
    )


def looked(evidence: Evidence, race: RaceFacts) -> tuple[Look, Look]:
    """What a look at these judgments says, and what it would say if nobody had been dropped before.

    Systems are in the order of the race's standings.
    """
    values = _values(evidence, race, evidence.main_scores)
    return _look(values, race), _look(values, race, everybody=True)


def _look(values: FloatArray, race: RaceFacts, *, everybody: bool = False) -> Look:
    return look_at(
        values,
        [each.is_in or everybody for each in race.standings],
        question=QUESTIONS[race.rule.question],
        top=race.rule.top,
        alpha=race.rule.alpha,
        first=race.rule.first,
        protected=[place for place, each in enumerate(race.standings) if each.is_protected],
    )


def _values(evidence: Evidence, race: RaceFacts, table: ScoreTable | None) -> FloatArray:
    """(systems of the race, documents): means over segments of the means of their judgments; NaN: not judged."""
    names = [each.name for each in race.standings]
    if table is None:
        return np.full((len(names), 0), np.nan)
    rows = table.where(evidence.of_systems(table))
    unfinished = np.array([name in race.unfinished for name in rows.documents], dtype=np.bool_)
    place = {name: index for index, name in enumerate(names)}
    system = np.array([place.get(name, -1) for name in rows.systems], dtype=np.int64)[rows.system]
    used = (system >= 0) & ~unfinished[rows.document]
    system, unit, document, scores = system[used], rows.unit[used], rows.document[used], rows.values[used]
    _, first, cell = np.unique(joint_codes(system, unit), return_index=True, return_inverse=True)
    means = group_means(scores, cell, first.size)
    known, column = np.unique(document[first], return_inverse=True)
    return group_means(means, system[first] * known.size + column, len(names) * known.size).reshape(len(names), -1)


def _systems(
    evidence: Evidence, race: RaceFacts, table: ScoreTable | None, look: Look, again: Look
) -> list[RacedSystem]:
    values = _values(evidence, race, table)
    natural: Callable[[float], float] = table.natural if table is not None else float
    documents = np.arange(values.shape[1])
    entries = []
    for place, each in enumerate(race.standings):
        estimate = weighted_mean(values[place], np.ones(documents.size), documents)
        reason = "no_judgments" if not estimate.documents else estimate.interval.reason
        mean = number(natural(estimate.mean), "no_judgments")
        turned = table is not None and not table.higher_is_better
        entries.append(
            RacedSystem(
                system=each.name,
                state=_state(each.is_in, race, look.states[place]),
                documents=estimate.documents,
                mean=mean,
                interval=interval_ends(estimate.interval, mean, is_turned=turned),
                propensity=float(each.is_in and race.status != "decided"),
                behind=number(float(look.behind[place]), look.reason or reason or "not_compared"),
                bound=number(float(look.bound[place]), look.reason or reason or "not_compared"),
                dropped_after=each.dropped_after,
                is_protected=each.is_protected,
                is_doubtful=_is_doubtful(each, again, place),
            )
        )
    return sorted(entries, key=lambda entry: (entry.state == "dropped", _downwards(entry, table), entry.system))


def _is_doubtful(standing: Standing, again: Look, place: int) -> bool:
    return not standing.is_in and not again.reason and again.states[place] != "dropped"


def _state(is_in: bool, race: RaceFacts, state: str) -> str:
    """A system that would be dropped now is in the race until a look drops it."""
    if not is_in:
        return "dropped"
    if race.status == "decided":
        return "leads"
    return "leads" if state == "leads" else "in"


def _downwards(entry: RacedSystem, table: ScoreTable | None) -> float:
    if isinstance(entry.mean, Missing) or table is None:
        return float("inf")
    return -entry.mean if table.higher_is_better else entry.mean


def stored_systems(evidence: Evidence, race: RaceFacts, look: Look, again: Look) -> list[dict[str, Any]]:
    """A look's systems as they are stored, means in natural units."""
    table = evidence.main_scores
    natural: Callable[[float], float] = table.natural if table is not None else float
    return [
        {
            "system": each.name,
            "state": look.states[place],
            "documents": int(look.counts[place]),
            "mean": or_none(natural(float(look.means[place]))),
            "behind": or_none(float(look.behind[place])),
            "bound": or_none(float(look.bound[place])),
            "is_doubtful": _is_doubtful(each, again, place),
        }
        for place, each in enumerate(race.standings)
    ]


def looks_made(race: RaceFacts) -> tuple[LookResult, ...]:
    return tuple(_past(each) for each in race.looks)


def _past(look: PastLook) -> LookResult:
    systems = (LookedSystem(**{each.name: one[each.name] for each in fields(LookedSystem)}) for one in look.systems)
    return LookResult(look.documents, look.is_over, tuple(systems))


STATES: dict[str, Text] = {
    "leads": gettext_lazy("leads"),
    "in": gettext_lazy("in the race"),
    "dropped": gettext_lazy("out of the race"),
}


def allocation_tables(result: Allocation, title: Callable[[str], Text] = str) -> Sequence[Table]:
    """The systems; nothing for a campaign that drops none."""
    if result.reason == NOT_ADAPTIVE:
        return ()
    columns = (
        Column("system", gettext_lazy("System"), Form.NAME),
        Column("state", gettext_lazy("State"), Form.TEXT),
        Column("documents", gettext_lazy("Documents"), Form.COUNT),
        Column("mean", gettext_lazy("Mean"), decimals=1),
        Column("interval", gettext_lazy("95% interval"), Form.ENDS, 1, keys=("low", "high"), of="mean"),
        Column("behind", gettext_lazy("Behind the leader"), decimals=1),
        Column("bound", gettext_lazy("Out above"), decimals=1),
        Column("dropped_after", gettext_lazy("Out after (documents)"), Form.COUNT),
        Column("propensity", gettext_lazy("Probability of being shown"), decimals=1),
    )
    lead = _("By %(measure)s. Means are over documents; each difference is on the documents that both systems have.")
    shown = tuple(column.name for column in columns if column.name != "propensity")
    table = Table(
        "allocation",
        _("Systems in the race"),
        columns=columns,
        rows=rows_of(columns, result.systems, {"state": lambda one: str(STATES[one.state])}),
        part="allocation",
        page=shown,
        terminal=shown,
        main="mean",
        lead=lead % {"measure": title(result.measure)} if result.measure else "",
    )
    return (table,)
