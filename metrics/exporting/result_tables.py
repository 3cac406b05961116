"""The tables of a finished run, ready for a paper: which there are depends on what the run found."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from metrics.analyses.gisting import Gisting, comprehension_table
from metrics.analyses.post_editing import PostEditing, effort_table
from metrics.analyses.ranking import Ranking
from metrics.analyses.ranking_tables import ReadWith, ranking_tables
from metrics.exporting.paper_tables import Cell, PaperTable
from metrics.results.codec import read_part
from metrics.results.tables import Cell as ResultCell
from metrics.results.tables import Column, Form, Table, one_file, rank_range
from metrics.results.values import Missing

Parts = Mapping[str, Any]


def tables_of(parts: Parts, read_with: ReadWith) -> list[PaperTable]:
    """`parts` are analyses by name; the signature goes with each table."""
    titles = {name: str(measure.title) for name, measure in read_with.measures.items()}
    ranking = read_part(Ranking, parts, "ranking")
    post_editing, gisting = read_part(PostEditing, parts, "post_editing"), read_part(Gisting, parts, "gisting")
    tables = ranking_tables(ranking, read_with) if ranking else []
    tables += [effort_table(post_editing)] if post_editing else []
    tables += [comprehension_table(gisting)] if gisting else []
    found = [paper_table(table) for table in tables]
    for make in (_pairs, _agreement, _annotators, _errors):
        found += make(parts, titles)
    return [_signed(table, read_with.signature) for table in found if table.rows]


NEEDED = ("ranking", "agreement", "annotators", "errors", "post_editing", "gisting")


def _signed(table: PaperTable, signature: str) -> PaperTable:
    return replace(table, note=f"{table.note} {signature}".strip())


def paper_table(table: Table) -> PaperTable:
    """The columns that a paper shows, an interval as its two ends; as CSV everything, as its page's file has it."""
    header: list[str] = []
    numeric: set[int] = set()
    for name in table.paper:
        column = table.column(name)
        if column.is_number:
            numeric |= {len(header), len(header) + len(column.keys or (name,)) - 1}
        header += [_("Low"), _("High")] if column.form == Form.ENDS else [str(column.paper_title or column.title)]
    columns = [(table.column(name), table.place(name)) for name in table.paper]
    rows = [[part for column, place in columns for part in _paper_cells(column, row[place])] for row in table.rows]
    file = one_file([table])
    name, title = table.paper_name or table.name, str(table.caption or table.title)
    return PaperTable(name, title, header, rows, numeric=frozenset(numeric), cuts=table.cuts, file=file)


def _paper_cells(column: Column, cell: ResultCell) -> list[Cell]:
    if cell is None or isinstance(cell, Missing):
        return [None] * (2 if column.form == Form.ENDS else 1)
    if column.form == Form.RANKS and isinstance(cell, tuple):
        return [rank_range(cell)]
    if isinstance(cell, float):
        return [cell * column.scale]
    return list(cell) if isinstance(cell, tuple) else [cell]


def _pairs(parts: Parts, titles: Mapping[str, str]) -> Iterator[PaperTable]:  # noqa: ARG001 - as its siblings
    tests = (parts.get("ranking") or {}).get("tests", [])
    main = next((test["measure"] for test in tests), None)
    rows: list[list[Cell]] = [
        [test["first"], test["second"], test.get("share"), test["p"], test["p_corrected"]]
        for test in tests
        if test["measure"] == main
    ]
    header = [_("System"), _("Compared with"), _("Share of wins"), "p", _("p, corrected")]
    yield PaperTable("pairs", _("Pairs of systems"), header, rows, numeric=frozenset({2, 3, 4}), decimals=4)


def _agreement(parts: Parts, titles: Mapping[str, str]) -> Iterator[PaperTable]:
    found = parts.get("agreement") or {}
    levels = ("nominal", "ordinal", "interval")
    rows: list[list[Cell]] = []
    for measure in found.get("measures", []):
        for level in levels:
            low, high = measure["alpha_interval"].get(level) or (None, None)
            name = titles.get(measure["measure"], measure["measure"])
            rows.append([name, f"α, {level}", measure["alpha"].get(level), low, high, measure["items"]])
    preference = found.get("preference") or {}
    for mode in [mode for mode in ("inter", "intra") if mode in preference]:
        one = preference[mode]
        low, high = one["interval"] or (None, None)
        rows.append([_("Preferences"), f"κ, {mode}", one["kappa"], low, high, one["comparable"]])
    header = [_("Measure"), _("Coefficient"), _("Value"), _("Low"), _("High"), "n"]
    yield PaperTable("agreement", _("Agreement between annotators"), header, rows, numeric=frozenset({2, 3, 4, 5}))


def _annotators(parts: Parts, titles: Mapping[str, str]) -> Iterator[PaperTable]:  # noqa: ARG001 - as its siblings
    columns: dict[str, Callable[[Mapping[str, Any]], Cell]] = {
        _("Annotator"): lambda one: one["annotator"],
        "n": lambda one: one["judgments"],
        _("Mean"): lambda one: one["mean"],
        _("Deviation"): lambda one: one["deviation"],
        _("Median seconds"): lambda one: one["seconds_median"],
        _("Damaged items"): lambda one: one["control_n"],
        _("p of the control test"): lambda one: one["control_p"],
        _("Included"): lambda one: _("yes") if one["included"] else _("no"),
    }
    rows = [[cell(one) for cell in columns.values()] for one in parts.get("annotators") or []]
    yield PaperTable("annotators", _("Annotators"), list(columns), rows, numeric=frozenset(range(1, 7)))


def _errors(parts: Parts, titles: Mapping[str, str]) -> Iterator[PaperTable]:  # noqa: ARG001 - as its siblings
    found = parts.get("errors") or {}
    rows: list[list[Cell]] = [
        [one["system"], one["category"], one["severity"], one["count"], one["points"]]
        for one in found.get("categories", [])
    ]
    header = [_("System"), _("Category"), _("Severity"), _("Errors"), _("Points")]
    yield PaperTable("errors", _("Errors by category and severity"), header, rows, numeric=frozenset({3, 4}))
