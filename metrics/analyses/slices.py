"""The analysis `slices`: the ranking of each part of the campaign by itself."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from metrics.analyses.agreement import main_alpha
from metrics.analyses.evidence import Evidence
from metrics.analyses.ranked_systems import RankedSystem
from metrics.analyses.ranking import Ranking, ranking_alone
from metrics.analyses.shared_ratings import value_and_ends
from metrics.analyses.system_values import Units, places_by_part
from metrics.answer_groups import FEWEST, AnswerGroups
from metrics.matrices import ScoreTable
from metrics.results.tables import Cell, Column, Form, Marked, Table, Text, rank_range
from metrics.results.values import Ends, Missing, Number, listed
from metrics.statistics.arrays import BoolArray

MOST_TESTS = 500  # that are read for a page
BY_WORDS: Mapping[str, Text] = {
    "domain": gettext_lazy("Domain"),
    "tag": gettext_lazy("Tag"),
    "document": gettext_lazy("Document"),
}


def by_words(by: str) -> Text:
    """An answer of annotators is called as in filters."""
    return BY_WORDS.get(by, by)


class ListedSystem(NamedTuple):
    """What pages and files show of a RankedSystem, called as there."""

    system: str
    measure: str
    judgments: int
    segments: int
    mean: Number
    interval: Ends
    rank: tuple[int, int]
    cluster: int


@dataclass(frozen=True)
class SystemColumns:
    """Systems by one measure in rank order: a list for each number, which is read at once."""

    system: tuple[str, ...]
    judgments: tuple[int, ...]
    segments: tuple[int, ...]
    mean: tuple[Number, ...]
    low: tuple[Number, ...]
    high: tuple[Number, ...]
    rank_first: tuple[int, ...]
    rank_last: tuple[int, ...]
    cluster: tuple[int, ...]

    def listed(self, measure: str) -> Iterator[ListedSystem]:
        columns = vars(self).values()
        for system, judgments, segments, mean, low, high, first, last, cluster in zip(*columns, strict=True):
            ends = low if isinstance(low, Missing) else (low, high)
            yield ListedSystem(system, measure, judgments, segments, mean, ends, (first, last), cluster)


@dataclass(frozen=True)
class BriefSlice:
    """What pages and files show of a Slice: by `measures`, what compares systems first."""

    measures: Mapping[str, SystemColumns]
    too_early: bool
    annotators: int | None = None
    alpha: Number | None = None

    @property
    def brief(self) -> "BriefSlice":
        return self

    @property
    def systems(self) -> Iterator[ListedSystem]:
        for measure in self.measures:
            yield from self.by(measure)

    def by(self, measure: str) -> Iterator[ListedSystem]:
        return self.measures[measure].listed(measure) if measure in self.measures else iter(())

    def means(self, measure: str) -> Mapping[str, Number]:
        columns = self.measures.get(measure)
        return dict(zip(columns.system, columns.mean, strict=True)) if columns else {}


@dataclass(frozen=True)
class Slice:
    """Of a part by an answer also how many `annotators` it has, and their alpha on the main measure."""

    ranking: Ranking
    annotators: int | None = None
    alpha: Number | None = None

    @cached_property
    def brief(self) -> BriefSlice:
        by_measure: dict[str, list[RankedSystem]] = {}
        for one in self.ranking.main.systems:
            by_measure.setdefault(one.measure, []).append(one)
        measures = {measure: _columns_of(systems) for measure, systems in by_measure.items()}
        return BriefSlice(measures, self.ranking.too_early is not None, self.annotators, self.alpha)


def _columns_of(systems: Sequence[RankedSystem]) -> SystemColumns:
    ends = [(one.interval, one.interval) if isinstance(one.interval, Missing) else one.interval for one in systems]
    return SystemColumns(
        system=tuple(one.system for one in systems),
        judgments=tuple(one.judgments for one in systems),
        segments=tuple(one.segments for one in systems),
        mean=tuple(one.mean for one in systems),
        low=tuple(low for low, _high in ends),
        high=tuple(high for _low, high in ends),
        rank_first=tuple(one.rank[0] for one in systems),
        rank_last=tuple(one.rank[1] for one in systems),
        cluster=tuple(one.cluster for one in systems),
    )


@dataclass(frozen=True)
class Slices:
    """The result of `ranking` for each domain, document, tag, or answer to a question, which is the `title`.

    Of many tests each slice is brief, as pages read it, and `slices.whole` has the rankings.
    """

    by: str
    slices: Mapping[str, Slice | BriefSlice] = listed(empty="one_part")
    title: str | None = None

    def split(self) -> tuple["Slices", dict[str, Slice] | None]:
        """What pages show, and all of it; of few tests as it is."""
        whole = {name: part for name, part in self.slices.items() if isinstance(part, Slice)}
        if sum(len(part.ranking.main.tests) for part in whole.values()) <= MOST_TESTS:
            return self, None
        return self.join({name: part.brief for name, part in self.slices.items()}), whole

    def join(self, parts: Mapping[str, Slice | BriefSlice]) -> "Slices":
        """With these in place of its own."""
        return replace(self, slices=parts)

    @cached_property
    def brief(self) -> Mapping[str, BriefSlice]:
        return {name: part.brief for name, part in self.slices.items()}


def slices(evidence: Evidence) -> Slices:
    """Empty if there is only one part.

    z is made of an annotator's judgments in the whole campaign, not of those in the slice.
    """
    by, tables = evidence.recipe.by, evidence.tables
    if evidence.answered is not None:
        return _by_answer(evidence, evidence.answered)
    rows = [places_by_part(by, table, Units(table.document, table.domain, table.segment)) for table in tables]
    names = sorted({name for parts in rows for name in parts})
    if len(names) < 2:
        return Slices(by, {})
    nothing = np.zeros(0, dtype=np.int64)
    ranked = {}
    for name in names:
        inside = tuple(table.where(parts.get(name, nothing)) for table, parts in zip(tables, rows, strict=True))
        ranked[name] = Slice(ranking_alone(replace(evidence, tables=inside, whole=evidence, planned=None)))
    return Slices(by, ranked)


def _by_answer(evidence: Evidence, answered: AnswerGroups) -> Slices:
    """By annotators: an annotator may be in several parts. z is made of all their judgments, too."""
    ranked = {}
    for label, people in answered.groups.items():
        rows = [_of_people(table, people) for table in evidence.tables]
        inside = tuple(table.where(own) for table, own in zip(evidence.tables, rows, strict=True))
        part = replace(evidence, tables=inside, whole=evidence, planned=None)
        judging = {name for table in inside for name in _names_in(table)} & part.included
        if len(judging) >= FEWEST:
            ranked[label] = Slice(ranking_alone(part), len(judging), _alpha(part))
    return Slices(evidence.recipe.by, ranked if len(ranked) > 1 else {}, answered.title)


def _of_people(table: ScoreTable, people: Set[str]) -> BoolArray:
    inside = np.array([name in people for name in table.annotators], dtype=np.bool_)
    return inside[table.annotator]


def _names_in(table: ScoreTable) -> list[str]:
    return [table.annotators[code] for code in np.unique(table.annotator).tolist()]


def _alpha(part: Evidence) -> Number:
    """Nobody agrees on a rank of a screen by alpha."""
    table = part.main_scores
    if table is None or table.is_relative or table.is_count:
        return Missing("no_judgments")
    counted = table.where(part.counted(table))
    return value_and_ends(main_alpha(counted, part.recipe)[0])[0] if len(counted) else Missing("no_judgments")


def slices_table(result: Slices) -> Table:
    """For files: a row for each part, system and measure."""
    return Table(
        "slices",
        "",
        columns=(
            Column("by", form=Form.TEXT),
            Column("slice", form=Form.TEXT),
            Column("system", form=Form.NAME),
            Column("measure", form=Form.TEXT),
            Column("rank", form=Form.RANKS, keys=("rank_first", "rank_last")),
            Column("cluster", form=Form.COUNT),
            Column("mean"),
            Column("interval", form=Form.ENDS, keys=("low", "high")),
            Column("judgments", form=Form.COUNT),
            *((Column("annotators", form=Form.COUNT), Column("alpha")) if result.title else ()),
        ),
        rows=tuple(
            (
                *(result.by, name, one.system, one.measure, one.rank, one.cluster, one.mean, one.interval),
                *(one.judgments, *((part.annotators, part.alpha) if result.title else ())),
            )
            for name, part in result.brief.items()
            for one in part.systems
        ),
    )


def slices_by_system_table(
    result: Slices, systems: Sequence[str], measure: str, *, decimals: int, is_share: bool, has_z: bool
) -> Table | None:
    """For a page: a row a part, a column for each of the `systems`; None where there is only one part."""
    if not result.slices:
        return None
    form = Form.SHARE if is_share else Form.NUMBER
    columns = [Column(f"@{name}", name, form, decimals, highest_first=True) for name in systems]
    notes = [
        _("Each part is ranked by itself."),
        *([_("z-scores are computed over the whole campaign.")] if has_z else []),
        _(
            "Small: rank range. Bold: significantly better, in this part, than every system that is "
            "not bold. Many parts mean many tests: some differences are significant by chance."
        ),
    ]
    if result.title:
        columns += [
            Column("annotators", _("Annotators"), Form.COUNT, highest_first=True),
            Column("alpha", _("Alpha"), decimals=2, highest_first=True),
        ]
        notes = [f"“{result.title}”", *notes, _("Alpha: agreement of the annotators of the part, on the main measure.")]
        notes.append(_("Annotators without an answer are in no part, and parts of one annotator are left out."))
    return Table(
        "slices",
        _("Slices"),
        columns=(
            Column("slice", by_words(result.by), Form.NAME),
            *columns,
            Column("n", "n", Form.COUNT, highest_first=True),
        ),
        rows=tuple(
            (
                name,
                *map(part.means(measure).get, systems),
                *((part.annotators, part.alpha) if result.title else ()),
                sum(part.measures[measure].judgments if measure in part.measures else ()),
            )
            for name, part in result.brief.items()
        ),
        as_shown=partial(_with_ranks, result.brief, systems, measure),
        part="slices",
        page=("slice", *(column.name for column in columns), "n"),
        notes=tuple(notes),
        tagged=frozenset(name for name, part in result.brief.items() if part.too_early),
        tag=_("too early"),
    )


def _with_ranks(
    parts: Mapping[str, BriefSlice], systems: Sequence[str], measure: str, row: Sequence[Cell]
) -> tuple[Cell, ...]:
    """Bold where the system beats, in this part, every system that is not bold."""
    own = {one.system: one for one in parts[str(row[0])].by(measure)}
    has_clusters = len({one.cluster for one in own.values()}) > 1
    ahead, words = _(", ahead"), _("rank %(rank)s")
    cells = []
    for name in systems:
        one = own.get(name)
        if one is None or isinstance(one.mean, Missing):
            cells.append(Marked(None))
            continue
        rank, is_ahead = rank_range(one.rank), has_clusters and one.cluster == 1
        spoken = words % {"rank": rank}
        cells.append(Marked(one.mean, is_bold=is_ahead, bold_means=ahead, small_text=rank, words=spoken))
    return (row[0], *cells, *row[1 + len(systems) :])
