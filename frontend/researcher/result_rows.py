"""A run's results, made ready for the page: tables with their whiskers, charts, pairs, errors, the finding."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from urllib.parse import quote

from django.http import QueryDict
from django.utils.translation import gettext as _

from annotation.protocols import protocol_for
from frontend.charts.figure import Figure
from frontend.figures import charts_of, severities_chart
from frontend.recipe_choice import RECIPE_WORDS
from frontend.run_pages import PageRuns
from frontend.shown_table import Address, ShownTable
from metrics.analyses.assisted import REASONS, Assisted, assisted_table
from metrics.analyses.campaign_table import CampaignTable, campaign_tables
from metrics.analyses.distributions import points_by_system_table
from metrics.analyses.errors import Errors, category_table, critical_in_thousand_words, suggestions_table
from metrics.analyses.gisting import Gisting, comprehension_table
from metrics.analyses.mixed import Mixed, OrdinalMeasure
from metrics.analyses.mixed_tables import DECIDED_BY, systems_table
from metrics.analyses.ordinal_tables import ordinal_tables, without_model
from metrics.analyses.pair_tables import head_to_head_table
from metrics.analyses.places import PlaceMeans, places_table
from metrics.analyses.post_editing import PostEditing, effort_table
from metrics.analyses.ranking import RankedMeasures, Ranking
from metrics.analyses.ranking_tables import (
    AddedColumn,
    ReadWith,
    SystemTables,
    models_table,
    own_ranks,
    system_tables,
)
from metrics.analyses.rater_filter import fits_table
from metrics.analyses.scorecard import NO_SCORECARD, Scorecard, failing_table, verdicts_table
from metrics.analyses.screens import ScreenEffects, screens_table
from metrics.findings.ranking import finding_of_own, finding_of_ranking, notes_on_ranking
from metrics.recipes import MIXED
from metrics.results.tables import Column, Form, Table, Text

PARTS = (
    "ranking", "post_editing", "errors", "gisting", "campaign_table", "places", "screens", "scorecard", "mixed",
    "assisted",
)  # fmt: skip


@dataclass(frozen=True)
class Results:
    """Everything the results page shows of a finished run; `drawn` is raw or z, `query` the page's address.

    Pairs of systems lead to the page of segments, where its reader may see that.
    """

    runs: PageRuns
    ranking: Ranking
    signature: str
    judgments: int
    query: QueryDict
    drawn: str = "raw"
    segments_page: str = ""
    shows_annotators: bool = True

    @property
    def main(self) -> RankedMeasures:
        return self.ranking.main

    @property
    def is_relative(self) -> bool:
        """Whether translations were compared within a screen, not scored."""
        return self.main.models is not None

    @property
    def notes(self) -> list[str]:
        return notes_on_ranking(self.ranking)

    @property
    def finding(self) -> str | None:
        return finding_of_ranking(self.ranking, self.runs.measures, self.runs.humans)

    @property
    def own_recipe(self) -> Text:
        """Whose answer is shown beside that of a recipe that reproduces others; empty beside any other."""
        name = self.ranking.own_recipe
        return RECIPE_WORDS[name][0] if name else ""

    @property
    def own_finding(self) -> str | None:
        return finding_of_own(self.ranking, self.runs.measures, self.runs.humans)

    @cached_property
    def system_tables(self) -> SystemTables:
        read_with = ReadWith(self.runs.measures, self.runs.recipe, self.runs.humans, self.signature)
        return system_tables(self.ranking, read_with, self._added_columns(), draws_z=self.drawn == "z")

    def _shown(self, table: Table | None) -> ShownTable | None:
        return ShownTable(table, self.query) if table and table.rows else None

    @property
    def all_tables(self) -> list[ShownTable]:
        """Those of the page, in any order."""
        single = (
            self.comprehension,
            self.effort,
            self.errors,
            self.suggestions,
            self.pairs,
            self.models,
            self.fits,
            self.campaign_table,
            self.places,
            self.screens,
            *self.scorecards,
            self.assisted,
        )
        several = (self.point_tables, self.tables, self.models_of_scores, self.documents_tables, self.ordinal)
        return [*chain(*several), *filter(None, single)]

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

    @cached_property
    def pairs(self) -> ShownTable | None:
        table = head_to_head_table(self.main)
        if table is None or not self.segments_page:
            return self._shown(table)
        lead = f"{table.lead} {_('Select a cell to compare the texts of the two systems.')}"
        names = [one.system for one in self.main.systems]
        return ShownTable(replace(table, lead=lead), self.query, _texts_of(names, self.segments_page))

    @cached_property
    def fits(self) -> ShownTable | None:
        return self._shown(fits_table(self.ranking.filter))

    @cached_property
    def campaign_table(self) -> ShownTable | None:
        result = self.runs.result_of(CampaignTable, "campaign_table")
        return self._shown(campaign_tables(result, self.runs.read_with.title))

    @cached_property
    def screens(self) -> ShownTable | None:
        result = self.runs.result_of(ScreenEffects, "screens")
        return self._shown(screens_table(result, self.runs.read_with.title)) if result and result.position else None

    @cached_property
    def places(self) -> ShownTable | None:
        result = self.runs.result_of(PlaceMeans, "places")
        return self._shown(places_table(result, self.runs.read_with.title)) if result else None

    @cached_property
    def models_of_scores(self) -> list[ShownTable]:
        """One a measure; none where the recipe's own table is the same."""
        if self.runs.recipe.test == MIXED:
            return []
        result = self.runs.result_of(Mixed, "mixed") or Mixed(())
        title = self.runs.read_with.title
        is_alone = len(result.measures) == 1
        tables = (systems_table(one, title(one.measure), is_alone=is_alone) for one in result.measures)
        return [ShownTable(table, self.query) for table in tables if table.rows]

    @cached_property
    def severities(self) -> Figure | None:
        return severities_chart(self.runs) if self.shows_annotators else None

    @property
    def decided_by(self) -> list[Text]:
        """Why the mixed model decides, though nobody chose it."""
        return [DECIDED_BY[name] for name in self.ranking.decided_by or () if name in DECIDED_BY]

    @cached_property
    def charts(self) -> list[Figure]:
        return list(charts_of(self.runs, self.query).values())

    @cached_property
    def point_tables(self) -> list[ShownTable]:
        title = self.runs.read_with.title
        tables = (points_by_system_table(own, title(name)) for name, own in self.ranking.points.items())
        return [ShownTable(table, self.query) for table in tables]

    @cached_property
    def models(self) -> ShownTable | None:
        return self._shown(models_table(self.main))

    @property
    def marked(self) -> Errors | None:
        """The errors annotators marked."""
        return self.runs.result_of(Errors, "errors")

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """Of the categories of errors, by path."""
        campaign = self.runs.campaign
        return protocol_for(campaign.protocol, campaign.options).category_titles

    @cached_property
    def errors(self) -> ShownTable | None:
        return self._shown(category_table(self.marked, self.titles)) if self.marked else None

    @cached_property
    def scorecards(self) -> list[ShownTable]:
        """Verdicts on systems and the documents that fail; none without a tolerance."""
        result = self.runs.result_of(Scorecard, "scorecard") or NO_SCORECARD
        tables = (verdicts_table(result), failing_table(result))
        return [ShownTable(table, self.query) for table in tables if table.rows]

    @property
    def _sharpened(self) -> Assisted | None:
        return self.runs.result_of(Assisted, "assisted")

    @cached_property
    def assisted(self) -> ShownTable | None:
        """Means sharpened by a metric, if one was named."""
        result = self._sharpened
        return self._shown(assisted_table(result, self.runs.read_with.title(result.measure))) if result else None

    @property
    def not_assisted(self) -> Text:
        """Why the metric that was named does not sharpen means."""
        result = self._sharpened
        return REASONS.get(result.reason or "", "") if result else ""

    @cached_property
    def suggestions(self) -> ShownTable | None:
        """The outcomes of suggested errors."""
        return self._shown(suggestions_table(self.marked)) if self.marked else None

    @cached_property
    def effort(self) -> ShownTable | None:
        result = self.runs.result_of(PostEditing, "post_editing")
        return self._shown(effort_table(result)) if result else None

    @cached_property
    def comprehension(self) -> ShownTable | None:
        result = self.runs.result_of(Gisting, "gisting")
        ranks = {system.system: system.rank for system in self.main.compared}
        return self._shown(comprehension_table(result, ranks, self.runs.humans)) if result else None

    @cached_property
    def ordinal(self) -> list[ShownTable]:
        """Of scales of few points: systems by each measure, then annotators."""
        title = self.runs.read_with.title
        tables = ordinal_tables(self._short_scales, title, with_people=self.shows_annotators)
        return [ShownTable(table, self.query) for table in tables if table.page]

    @property
    def without_ordinal(self) -> list[str]:
        return without_model(self._short_scales, self.runs.read_with.title)

    @cached_property
    def _short_scales(self) -> Sequence[OrdinalMeasure]:
        result = self.runs.result_of(Mixed, "mixed")
        return result.ordinal if result else ()

    def _added_columns(self) -> list[AddedColumn]:
        """Ranks by the protocol's own recipe; columns from the tables of errors, shown with the penalties."""
        title = _("Rank by %(recipe)s") % {"recipe": self.own_recipe}
        return [*own_ranks(self.ranking, title), *self._columns_of_errors()]

    def _columns_of_errors(self) -> list[AddedColumn]:
        if not self.marked or not self.marked.systems:
            return []
        clean = Column("clean", _("No errors"), Form.SHARE, 0, highest_first=True, is_in_files=False)
        added = [AddedColumn("penalty", clean, {system.system: system.clean for system in self.marked.systems})]
        critical = critical_in_thousand_words(self.marked)
        if any(critical.values()):
            column = Column("critical", _("Critical in 1,000 words"), Form.NUMBER, 1, is_in_files=False)
            added.append(AddedColumn("penalty", column, critical))
        return added


def results_of(runs: PageRuns, query: QueryDict, *, drawn: str = "raw", segments_page: str = "") -> Results | None:
    """None while no run has made a ranking."""
    runs.parts(*PARTS)  # in one query
    run, ranking = runs.done, runs.result_of(Ranking, "ranking")
    if run is None or run.result is None or ranking is None:
        return None
    return Results(runs, ranking, run.signature, run.result["judgments"], query, drawn, segments_page)


def _texts_of(systems: Sequence[str], segments_page: str) -> Address:
    """Of two systems the page of segments, and its name; each system stands in a hundred of these addresses."""
    quoted = {name: quote(name, safe="") for name in systems}
    spoken = _(": segments of %(name)s beside %(other)s")

    def address(system: str, other: str) -> tuple[str, str]:
        query = f"system={quoted[system]}&compare=system:{quoted[other]}"
        return f"{segments_page}?{query}", spoken % {"name": system, "other": other}

    return address
