"""A run's results, made ready for the page: tables with their whiskers, pairs, spreads, errors, the finding."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any
from urllib.parse import quote

from django.http import QueryDict
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from annotation.protocols import protocol_for
from annotation.protocols.base import Measure
from campaigns.models import System
from frontend.researcher.finding import Comparisons, comparisons_of, finding_of
from frontend.researcher.spreads import Spread, spreads_of
from frontend.run_pages import PageRuns
from frontend.shown_table import ShownTable
from metrics.analyses.distributions import points_by_system_table
from metrics.analyses.errors import Errors, category_table, critical_in_thousand_words, suggestions_table
from metrics.analyses.gisting import Gisting, comprehension_table
from metrics.analyses.post_editing import PostEditing, effort_table
from metrics.analyses.ranking import RankedMeasures, RankedSystem, Ranking, TooEarly
from metrics.analyses.ranking_tables import (
    EXPECTED_WINS,
    AddedColumn,
    ReadWith,
    SystemTables,
    head_to_head_table,
    models_table,
    ranking_notes,
    system_tables,
)
from metrics.recipes import Recipe
from metrics.results.codec import read_part
from metrics.results.tables import Column, Form, Table

PARTS = ("ranking", "post_editing", "errors", "gisting")


@dataclass(frozen=True)
class Results:
    """Everything the results page shows of one finished run; `drawn` is raw or z, `query` the page's address.

    Pairs of systems lead to the page of segments, where its reader may see that.
    """

    ranking: Ranking
    parts: Mapping[str, Any]
    measures: Mapping[str, Measure]
    recipe: Recipe
    signature: str
    judgments: int
    humans: frozenset[str]
    titles: Mapping[str, str]
    drawn: str = "raw"
    query: QueryDict = field(default_factory=QueryDict)
    segments_page: str = ""

    @property
    def too_early(self) -> TooEarly | None:
        return self.ranking.too_early

    @property
    def main(self) -> RankedMeasures:
        return self.ranking.main

    @property
    def notes(self) -> list[str]:
        """Why a difference could not be significant, and which judgments have no z-score."""
        notes = ranking_notes(self.main)
        if self.main.without_z:
            names = get_text_list(list(self.main.without_z), _("and"))
            notes.append(_("There are no z-scores for the judgments of %(names)s.") % {"names": names})
        return notes

    @property
    def main_measure(self) -> str:
        """The first measure; others have only a table. Empty without measures."""
        return next((system.measure for system in self.main.systems), "")

    @cached_property
    def compared(self) -> list[RankedSystem]:
        return [system for system in self.main.systems if system.measure == self.main_measure]

    @property
    def is_relative(self) -> bool:
        return self.main.ordered_by.get(self.main_measure) == EXPECTED_WINS

    @cached_property
    def comparisons(self) -> Comparisons:
        return comparisons_of(self.main, self.main_measure)

    @property
    def finding(self) -> str | None:
        """With the measure it is about, where systems have several of a kind."""
        sentence = None if self.too_early else finding_of(self.comparisons, self.humans)
        measure = self.measures.get(self.main_measure)
        answered = {system.measure for system in self.main.systems} & set(self.measures)
        if sentence is None or measure is None or len(answered) < 2 or not self.point_tables:
            return sentence
        return _("%(measure)s: %(finding)s") % {"measure": measure.title, "finding": sentence}

    @cached_property
    def system_tables(self) -> SystemTables:
        read_with = ReadWith(self.measures, self.recipe, self.humans, self.signature)
        return system_tables(self.ranking, read_with, self._added_columns(), draws_z=self.drawn == "z")

    def _shown(self, table: Table | None) -> ShownTable | None:
        return ShownTable(table, self.query) if table and table.rows else None

    @property
    def all_tables(self) -> list[ShownTable]:
        """Those of the page, in any order."""
        single = (self.comprehension, self.effort, self.errors, self.suggestions, self.pairs, self.models)
        return [*self.point_tables, *self.tables, *self.documents_tables, *filter(None, single)]

    @cached_property
    def tables(self) -> list[ShownTable]:
        """One a measure, what systems are compared by first."""
        return [] if self.comprehension else [ShownTable(table, self.query) for table in self.system_tables.main]

    @cached_property
    def documents_tables(self) -> list[ShownTable]:
        """Scores of whole documents have tables of their own."""
        return [ShownTable(table, self.query) for table in self.system_tables.documents]

    @property
    def has_z(self) -> bool:
        return any(table.has_z for table in self.tables)

    @property
    def draws_z(self) -> bool:
        return any("chart:z_interval" in table.table.page for table in self.tables)

    @property
    def names(self) -> list[str]:
        return [system.system for system in self.compared]

    @cached_property
    def pairs(self) -> ShownTable | None:
        table = head_to_head_table(self.main)
        if table is None or not self.segments_page:
            return self._shown(table)
        lead = f"{table.lead} {_('Select a cell to compare the texts of the two systems.')}"
        return ShownTable(replace(table, lead=lead), self.query, self._texts_of)

    def _texts_of(self, system: str, other: str) -> tuple[str, str]:
        address = f"{self.segments_page}?system={quote(system, safe='')}&compare=system:{quote(other, safe='')}"
        return address, _(": segments of %(name)s beside %(other)s") % {"name": system, "other": other}

    @property
    def spreads(self) -> list[Spread]:
        return spreads_of(self.compared, self.measures.get(self.main_measure))

    @cached_property
    def point_tables(self) -> list[ShownTable]:
        read_with = ReadWith(self.measures)
        tables = (points_by_system_table(own, read_with.title(name)) for name, own in self.ranking.points.items())
        return [ShownTable(table, self.query) for table in tables]

    @cached_property
    def models(self) -> ShownTable | None:
        return self._shown(models_table(self.main))

    @cached_property
    def marked(self) -> Errors | None:
        """The errors annotators marked."""
        return read_part(Errors, self.parts, "errors")

    @cached_property
    def errors(self) -> ShownTable | None:
        return self._shown(category_table(self.marked, self.titles)) if self.marked else None

    @cached_property
    def suggestions(self) -> ShownTable | None:
        """The outcomes of suggested errors."""
        return self._shown(suggestions_table(self.marked)) if self.marked else None

    @cached_property
    def effort(self) -> ShownTable | None:
        result = read_part(PostEditing, self.parts, "post_editing")
        return self._shown(effort_table(result)) if result else None

    @cached_property
    def comprehension(self) -> ShownTable | None:
        result = read_part(Gisting, self.parts, "gisting")
        ranks = {system.system: system.rank for system in self.compared}
        return self._shown(comprehension_table(result, ranks, self.humans)) if result else None

    def _added_columns(self) -> list[AddedColumn]:
        """Columns from the tables of errors, shown with the penalties."""
        if not self.marked or not self.marked.systems:
            return []
        clean = Column("clean", _("No errors"), Form.SHARE, 0, highest_first=True, is_in_files=False)
        added = [AddedColumn("penalty", clean, {system.system: system.clean for system in self.marked.systems})]
        critical = critical_in_thousand_words(self.marked)
        if any(critical.values()):
            column = Column("critical", _("Critical in 1,000 words"), Form.NUMBER, 1, is_in_files=False)
            added.append(AddedColumn("penalty", column, critical))
        return added


def results_of(
    runs: PageRuns, *, drawn: str = "raw", query: QueryDict | None = None, segments_page: str = ""
) -> Results | None:
    """None while no run has made a ranking."""
    campaign, run = runs.campaign, runs.done
    parts = runs.parts(*PARTS)
    ranking = read_part(Ranking, parts, "ranking")
    if run is None or run.result is None or ranking is None:
        return None
    typology = getattr(protocol_for(campaign.protocol, campaign.options).options, "typology", None)
    humans = System.objects.filter(test_set=campaign.test_set_id, is_human=True).values_list("name", flat=True)
    return Results(
        ranking=ranking,
        parts=parts,
        measures=runs.measures,
        recipe=runs.recipe,
        signature=run.signature,
        judgments=run.result["judgments"],
        humans=frozenset(humans),
        titles={} if typology is None else typology.titles(),
        drawn=drawn,
        query=query or QueryDict(),
        segments_page=segments_page,
    )
