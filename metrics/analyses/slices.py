"""The analysis `slices`: the ranking of each part of the campaign by itself."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from django.utils.formats import number_format
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
from metrics.results.tables import Column, Form, Marked, Table, Text, rank_range
from metrics.results.values import Missing, Number, listed
from metrics.statistics.arrays import BoolArray

MOST_ROWS = 60  # of a page
MOST_TESTS = 5_000  # that are read for a page
BY_WORDS: Mapping[str, Text] = {
    "domain": gettext_lazy("Domain"),
    "tag": gettext_lazy("Tag"),
    "document": gettext_lazy("Document"),
}


def by_words(by: str) -> Text:
    """An answer of annotators is called as in filters."""
    return BY_WORDS.get(by, by)


@dataclass(frozen=True)
class Slice:
    """Of a part by an answer also how many `annotators` it has, and their alpha on the main measure."""

    ranking: Ranking
    annotators: int | None = None
    alpha: Number | None = None


@dataclass(frozen=True)
class Slices:
    """The result of `ranking` for each domain, document, tag, or answer to a question, which is the `title`."""

    by: str
    slices: Mapping[str, Slice] = listed(empty="one_part")
    title: str | None = None

    def split(self) -> tuple["Slices", dict[str, Slice] | None]:
        """Without the tests of pairs, which no page shows, and all of it; of few tests as it is."""
        if sum(len(part.ranking.main.tests) for part in self.slices.values()) <= MOST_TESTS:
            return self, None
        bare = {name: replace(part, ranking=_without_tests(part.ranking)) for name, part in self.slices.items()}
        return self.join(bare), dict(self.slices)

    def join(self, parts: Mapping[str, Slice]) -> "Slices":
        """With these in place of its own."""
        return replace(self, slices=parts)


def _without_tests(ranking: Ranking) -> Ranking:
    """With the numbers of systems alone."""
    documents = ranking.documents and replace(ranking.documents, tests=(), models=None, fits=None)
    systems = tuple(replace(one, histogram=()) for one in ranking.systems)
    emptied = replace(ranking, systems=systems, tests=(), models=None, fits=None, documents=documents)
    return replace(emptied, distributions=None, domains=None, own=None)


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
            for name, part in result.slices.items()
            for one in part.ranking.main.systems
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
    ranked = {
        name: {one.system: one for one in part.ranking.main.systems if one.measure == measure}
        for name, part in result.slices.items()
    }
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
    if len(ranked) > MOST_ROWS:
        more = number_format(len(ranked) - MOST_ROWS, force_grouping=True)
        notes.append(_("%(number)s more are in the CSV.") % {"number": more})
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
                *_cells(own, systems),
                *((part.annotators, part.alpha) if result.title else ()),
                sum(one.judgments for one in own.values()),
            )
            for (name, own), part in zip(ranked.items(), result.slices.values(), strict=True)
        ),
        part="slices",
        page=("slice", *(column.name for column in columns), "n"),
        notes=tuple(notes),
        tagged=frozenset(name for name, part in result.slices.items() if part.ranking.too_early),
        tag=_("too early"),
        most_rows=MOST_ROWS,
    )


def _cells(ranked: Mapping[str, RankedSystem], systems: Sequence[str]) -> list[Marked]:
    """Bold where the system beats, in this part, every system that is not bold."""
    has_clusters = len({one.cluster for one in ranked.values()}) > 1
    ahead, words = _(", ahead"), _("rank %(rank)s")  # once: a page may have twenty thousand cells
    cells = []
    for name in systems:
        one = ranked.get(name)
        if one is None or isinstance(one.mean, Missing):
            cells.append(Marked(None))
            continue
        rank, is_ahead = rank_range(one.rank), has_clusters and one.cluster == 1
        spoken = words % {"rank": rank}
        cells.append(Marked(one.mean, is_bold=is_ahead, bold_means=ahead, small_text=rank, words=spoken))
    return cells
