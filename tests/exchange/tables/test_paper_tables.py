"""Tables for a paper: escaped for their format, with the run's signature."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exchange.tables.papers import Cell, PaperTable, latex, markdown
from tests.exchange.tables.latex_reader import LatexError, read_table, read_text

TABLE = PaperTable(
    "systems",
    "Systems",
    ["Rank", "System", "Mean"],
    [["1–2", "A & B_100%", 0.5], ["3", "x|y $1 {z} \\ ^~", -1.0], [None, "*bold*", None]],
    numeric=frozenset({2}),
    cuts=frozenset({0, 2}),
    note="seed:1|n<3",
)


def test_latex_escapes_what_it_would_run() -> None:
    latex = TABLE.as_latex()
    assert r"1--2 & A \& B\_100\% & 0.50 \\" in latex
    assert r"3 & x\textbar{}y \$1 \{z\} \textbackslash{} \textasciicircum{}\textasciitilde{} & $-$1.00 \\" in latex
    assert latex.count(r"\midrule") == 2, "below the header and below the first cluster; the last needs none"
    assert r"\begin{tabular}{llr}" in latex
    assert r"\caption{Systems. seed:1\textbar{}n\textless{}3}" in latex


def test_markdown_shows_cells_as_they_are() -> None:
    lines = TABLE.as_markdown().splitlines()
    assert lines[1] == "| --- | --- | ---: |"
    assert lines[3] == r"| 3 | x\|y \$1 \{z\} \\ ^\~ | −1.00 |"
    assert r"| – | \*bold\* | – |" in lines


def test_csv_rounds_nothing_and_runs_nothing() -> None:
    table = PaperTable("t", "T", ["System", "x"], [["=1+1", 0.123456789]])
    assert list(csv.reader(io.StringIO(table.as_csv()))) == [["System", "x"], ["'=1+1", "0.123456789"]]


def test_a_table_is_read_back_as_it_was_meant() -> None:
    awkward: list[list[Cell]] = [["[5pt] first", "*--''`\"", 0.5], ["*", "a,,b & {c}", None]]
    table = PaperTable("t", "T", ["[Rank]", "System", "x"], awkward, numeric=frozenset({2}), cuts=frozenset({0}))
    table_read = read_table(table.as_latex())
    assert table_read.header == table.header
    assert table_read.rows == table.shown_rows
    assert table_read.caption == "T."
    assert read_table(TABLE.as_latex()).rows == TABLE.shown_rows
    assert read_table(TABLE.as_latex()).caption == TABLE.caption


@pytest.mark.parametrize(
    "broken",
    [
        r"\textbackslash x",
        "a_b",
        "{",
        "}",
        "50%",
        r"\citealp{nobody-1900-none}",
        r"\begin{x}",
        "a & b",
    ],
)
def test_latex_that_would_not_compile_is_refused(broken: str) -> None:
    with pytest.raises(LatexError):
        read_text(broken)
    table = TABLE.as_latex().replace("1--2", broken)
    with pytest.raises(LatexError):
        read_table(table)


@given(st.text())
def test_any_text_stays_one_cell(text: str) -> None:
    shown = latex(text)
    assert not re.search(r"(?<!\\)[&%#_]", shown)
    assert "\n" not in shown
    assert read_text(shown) == " ".join(text.split())
    assert not re.search(r"(?<!\\)(?:\\\\)*\|", markdown(text))
    assert "\n" not in markdown(text)
