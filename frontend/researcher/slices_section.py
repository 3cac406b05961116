"""The slices on a results page: what they can be by, those that are shown, and the run that makes them."""

from dataclasses import dataclass

from django.http import QueryDict

from annotation.protocols.base import Text
from frontend.researcher.address import changed
from frontend.researcher.result_rows import Results
from frontend.researcher.slices_table import BY_WORDS, SlicesTable, offered_slices
from frontend.run_pages import PageRuns
from metrics.analysis_runs import SLICED


@dataclass(frozen=True)
class SliceChoice:
    by: str
    title: Text
    query: str
    is_current: bool


@dataclass(frozen=True)
class SlicesSection:
    """`choices` lead to the other slices; `table` is None until their run is done."""

    choices: list[SliceChoice]
    runs: PageRuns
    by: str
    table: SlicesTable | None
    has_z: bool = False

    @property
    def query(self) -> str:
        """Asks for the run of slices alone, where they have one of their own."""
        return self.runs.query

    @property
    def has_own_run(self) -> bool:
        return bool(self.by) and self.runs.arguments["analyses"] is not None


def slices_section(runs: PageRuns, found: Results | None, query: QueryDict) -> SlicesSection | None:
    """By what the reader asks, else by domain where there are several; None where there is nothing to cut."""
    if found is None or found.too_early:
        return None
    asked, offered = query.get(SLICED, ""), offered_slices(runs.campaign)
    by = asked if asked in offered else next((name for name in offered if name == runs.recipe.by), "")
    choices = [SliceChoice(name, BY_WORDS[name], changed(query, **{SLICED: name}), name == by) for name in offered]
    sliced = runs.sliced(by) if by else runs
    part = sliced.parts("slices").get("slices") if by else None
    table = None
    if part and part["slices"]:
        table = SlicesTable(part, found.names, found.main_measure, *_format(found), query)
    return SlicesSection(choices, sliced, by, table, found.has_z)


def _format(found: Results) -> tuple[int, bool]:
    """Decimals, and whether numbers are shares."""
    table = next(iter(found.tables), None)
    return (table.decimals_of(table.table.column("mean")) if table else 1), found.is_relative
