"""Which columns of a long table are shown: the few, all, or those in the page's address."""

from dataclasses import replace

from django.http import QueryDict

import pytest

from frontend.column_choice import ColumnChoice
from frontend.shown_table import ShownTable
from metrics.results.tables import Column, Form, Table

COLUMNS = (
    Column("rank", "Rank", Form.RANKS),
    Column("system", "System", Form.NAME),
    Column("mean", "Mean", decimals=1),
    Column("interval", "Mean, 95% interval", Form.ENDS, decimals=1, of="mean"),
    Column("strength", "Strength", group="Model"),
    Column("wins", "Wins", Form.SHARE, 0),
    Column("judgments", "n", Form.COUNT),
)
PAGE = ("rank", "system", "chart:interval", "mean", "half:interval", "strength", "wins", "judgments")
ROWS = (((1, 1), "Harbour", 72.2, (70.0, 74.0), 1.5, 0.75, 1200), ((2, 2), "Kite", 64.5, (60.0, 66.0), 1.0, 0.5, 30))
LONG = Table("systems", "Systems", COLUMNS, ROWS, part="systems", page=PAGE)
FEW = replace(LONG, few=("judgments", "mean"))


@pytest.mark.parametrize(
    ("table", "query", "page"),
    [
        (LONG, "", PAGE),
        (FEW, "", ("rank", "system", "mean", "half:interval", "judgments")),
        (FEW, "columns=systems:all", PAGE),
        (FEW, "columns=systems:wins&columns=others:mean", ("rank", "system", "wins")),
        (LONG, "columns=systems:chart:interval", ("rank", "system", "chart:interval")),
        (FEW, "columns=systems:nonsense", ("rank", "system", "mean", "half:interval", "judgments")),
        (FEW, "sort=systems:-wins", ("rank", "system", "mean", "half:interval", "wins", "judgments")),
    ],
)
def test_columns_are_those_of_the_address_or_the_few(table: Table, query: str, page: tuple[str, ...]) -> None:
    shown = ShownTable(table, QueryDict(query))
    assert shown.choice.page == page
    assert len(shown.headings) == len(page) == len(shown.rows[0].cells) == len(shown.axes or page)


def test_only_long_tables_that_can_be_sorted_have_a_choice() -> None:
    assert ShownTable(LONG).can_choose
    assert not ShownTable(replace(LONG, page=PAGE[:5])).can_choose
    assert ShownTable(replace(FEW, page=PAGE[:5])).can_choose
    assert not ShownTable(replace(LONG, is_sortable=False)).can_choose


def test_the_form_has_what_can_be_chosen_and_keeps_the_rest_of_the_address() -> None:
    choice = ColumnChoice(FEW, QueryDict("sort=a:b&columns=systems:wins&columns=others:x&recipe=y"))
    assert [(value, title) for value, title, shown in choice.choices if shown] == [("systems:wins", "Wins")]
    assert ("systems:chart:interval", "Mean, 95% interval", False) in choice.choices
    assert ("systems:strength", "Model: Strength", False) in choice.choices
    assert choice.other_fields == [("sort", "a:b"), ("columns", "others:x"), ("recipe", "y")]
    assert choice.all_address == "?sort=a%3Ab&columns=others%3Ax&columns=systems%3Aall&recipe=y#systems"
    assert choice.few_address == "?sort=a%3Ab&columns=others%3Ax&recipe=y#systems"
    assert choice.count == 7
