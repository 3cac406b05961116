"""The analysis `exclusion`: what leaving annotators out, or counting them again, would change; made on request."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from metrics.analyses.agreement import main_alpha
from metrics.analyses.evidence import REGULAR_AND_REPEAT, Evidence
from metrics.analyses.preferences import preference_inter
from metrics.analyses.ranked_systems import RankedSystem
from metrics.analyses.ranking import Ranking, ranking_alone
from metrics.analyses.shared_ratings import value_and_ends
from metrics.matrices import KINDS, ScoreTable
from metrics.recipes import Recipe
from metrics.results.tables import Cell, Column, Form, Marked, Table, Text, rank_range
from metrics.results.values import Ends, Number, listed

Ranked = dict[tuple[str, str], tuple[RankedSystem, int]]  # by measure and system, in rank order


@dataclass(frozen=True)
class AgreementTwice:
    measure: str
    coefficient: str
    value: tuple[Number | None, Number | None]
    interval: tuple[Ends | None, Ends | None]


@dataclass(frozen=True)
class SystemTwice:
    """`place` is the system's place in the order of its measure."""

    system: str
    measure: str
    mean: tuple[Number | None, Number | None]
    interval: tuple[Ends | None, Ends | None]
    z_mean: tuple[Number | None, Number | None]
    rank: tuple[tuple[int, int] | None, tuple[int, int] | None]
    cluster: tuple[int | None, int | None]
    judgments: tuple[int | None, int | None]
    place: tuple[int | None, int | None]

    @property
    def is_changed(self) -> bool:
        return any(before != after for before, after in (self.rank, self.cluster, self.place))

    @property
    def ranks(self) -> tuple[str, str]:
        """As people read them; empty where there are no judgments."""
        before, after = (rank_range(rank or ()) for rank in self.rank)
        return before, after


@dataclass(frozen=True)
class Trial:
    """The same evidence twice: with today's decisions, and with the recipe's `without` and `readmitted`.

    Every number that may change is (before, after). `systems` are those of segment scores, or of document scores where
    there are no others, in the order before. None: not there.
    """

    without: tuple[str, ...]
    readmitted: tuple[str, ...]
    judgments: tuple[int, int]
    annotators: tuple[int, int]
    too_early: tuple[bool, bool]
    agreement: tuple[AgreementTwice, ...]
    systems: tuple[SystemTwice, ...] = listed(empty="no_judgments")

    @property
    def main_systems(self) -> list[SystemTwice]:
        """By what systems are compared by."""
        return [system for system in self.systems if system.measure == self.systems[0].measure]

    @property
    def has_z(self) -> bool:
        return any(isinstance(value, float) for system in self.systems for value in system.z_mean)


NO_TRIAL = Trial((), (), (0, 0), (0, 0), (False, False), (), ())


def exclusion(evidence: Evidence) -> Trial:
    before = replace(evidence, excluded=evidence.excluded_by_decision)
    rankings = ranking_alone(before), ranking_alone(evidence)
    counts = {table.measure for table in evidence.tables if table.is_count}
    both = (before, evidence)
    of_tables = (_agreement(table, both) for table in evidence.tables)
    return Trial(
        without=tuple(evidence.recipe.without),
        readmitted=tuple(evidence.recipe.readmitted),
        judgments=(before.judgments, evidence.judgments),
        annotators=(len(before.included), len(evidence.included)),
        too_early=(rankings[0].too_early is not None, rankings[1].too_early is not None),
        agreement=tuple(entry for entry in of_tables if entry is not None),
        systems=tuple(entry for entry in _systems(*map(_ranked, rankings)) if entry.measure not in counts),
    )


def _agreement(table: ScoreTable, both: tuple[Evidence, Evidence]) -> AgreementTwice | None:
    if table.is_count or not len(table):
        return None
    kinds = REGULAR_AND_REPEAT if table.is_relative else KINDS
    counted = [table.where(each.counted(table) & table.of_kinds(kinds)) for each in both]
    agreed = [_value_and_ends(one, both[0].recipe) if len(one) else (None, None) for one in counted]
    (before, ends_before), (after, ends_after) = agreed
    coefficient = "kappa" if table.is_relative else "alpha"
    return AgreementTwice(table.measure, coefficient, (before, after), (ends_before, ends_after))


def _value_and_ends(table: ScoreTable, recipe: Recipe) -> tuple[Number, Ends]:
    if table.is_relative:
        between = preference_inter(table, recipe)
        return between.kappa, between.interval
    return value_and_ends(main_alpha(table, recipe)[0])


def _ranked(ranking: Ranking) -> Ranked:
    """Each system with its place."""
    places: Counter[str] = Counter()
    ranked = {}
    for system in ranking.main.systems:
        places[system.measure] += 1
        ranked[system.measure, system.system] = system, places[system.measure]
    return ranked


def _systems(before: Ranked, after: Ranked) -> list[SystemTwice]:
    entries = []
    for measure, name in dict.fromkeys([*before, *after]):
        both = [ranked.get((measure, name), (None, None)) for ranked in (before, after)]
        numbers: dict[str, Any] = {
            number: tuple(getattr(system, number, None) for system, _place in both)
            for number in ("mean", "interval", "z_mean", "rank", "cluster", "judgments")
        }
        places = both[0][1], both[1][1]
        entries.append(SystemTwice(system=name, measure=measure, **numbers, place=places))
    return entries


def systems_before_and_after(result: Trial, signature: str = "") -> Table:
    pairs: tuple[tuple[str, str, Form, Text], ...] = (
        ("mean", "mean", Form.NUMBER, _("Mean")),
        ("z", "z_mean", Form.SIGNED, _("z-score")),
        ("ranks", "ranks", Form.TEXT, _("Rank")),
        ("cluster", "cluster", Form.COUNT, _("Cluster")),
        ("judgments", "judgments", Form.COUNT, "n"),
    )
    columns = [
        Column(f"{name}_{when}", title, form, group=group)
        for name, _field, form, group in pairs
        for when, title in (("before", _("before")), ("after", _("after")))
    ]
    without_z = [column.name for column in columns if not column.name.startswith("z_")]

    def row(one: SystemTwice) -> tuple[Cell, ...]:
        numbers = (value for _name, field, *_how in pairs for value in getattr(one, field))
        return (one.system, one.measure, *numbers, signature)

    named = (Column("system", _("System"), Form.NAME), Column("measure", form=Form.TEXT))
    return Table(
        "exclusion",
        "",
        columns=(*named, *columns, Column("signature", form=Form.TEXT)),
        rows=tuple(row(one) for one in result.systems),
        page=("system", *([column.name for column in columns] if result.has_z else without_z)),
        terminal=("system", "measure", *without_z),
        is_sortable=False,
        tagged=frozenset(one.system for one in result.systems if one.is_changed),
        tag=_("changes"),
        notes=(
            _(
                "Systems are in their current order. Exclude annotators for how they judged, not for what it does to "
                "the ranking."
            ),
        ),
    )


def tables_by_measure(result: Trial, titles: Mapping[str, Text]) -> list[Table]:
    """For a page: the systems of each measure; ranks and clusters of a system that moves stand out."""
    tables = []
    for measure in dict.fromkeys(one.measure for one in result.systems):
        systems = tuple(one for one in result.systems if one.measure == measure)
        table = systems_before_and_after(replace(result, systems=systems))
        is_marked = [column.name.startswith(("ranks", "cluster")) for column in table.columns]
        rows = tuple(
            tuple(_bold(cell, one) if mark else cell for mark, cell in zip(is_marked, row, strict=True))
            for one, row in zip(systems, table.rows, strict=True)
        )
        title = _("Systems before and after, %(title)s") % {"title": titles.get(measure, measure)}
        tables.append(replace(table, rows=rows, title=title, part=f"systems-{measure}"))
    return tables


def _bold(cell: Cell, one: SystemTwice) -> Marked:
    return Marked(cell if isinstance(cell, str | int) else None, is_bold=one.is_changed)


def agreement_before_and_after(result: Trial) -> Table:
    columns = (
        Column("agreement", form=Form.NAME),
        Column("coefficient", form=Form.TEXT),
        Column("before", decimals=3),
        Column("after", decimals=3),
    )
    rows = tuple((one.measure, one.coefficient, *one.value) for one in result.agreement)
    return Table("exclusion-agreement", "", columns=columns, rows=rows, terminal=tuple(one.name for one in columns))
