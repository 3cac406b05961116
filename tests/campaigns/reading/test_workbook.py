"""Workbooks become the rows that the same table has in CSV; nothing in them runs, and nothing is guessed."""

from pathlib import Path

import pytest

from campaigns.reading import workbook as reading
from campaigns.reading.problems import Problems, UnreadableFileError
from campaigns.reading.workbook import begins_workbook, workbook_rows
from tests.workbooks import DATE, cell, rows_of_texts, workbook

Rows = list[tuple[int, list[str]]]


@pytest.fixture
def problems() -> Problems:
    return Problems()


def read(folder: Path, content: bytes, problems: Problems) -> Rows:
    path = folder / "table.xlsx"
    path.write_bytes(content)
    assert begins_workbook(path)
    return list(workbook_rows(path, "table.xlsx", problems))


def test_numbers_dates_and_switches_are_written_as_csv_has_them(tmp_path: Path, problems: Problems) -> None:
    row = (
        cell("A1", "text")
        + cell("B1", 7)
        + cell("C1", 7.5)
        + f'<c r="D1" s="{DATE}"><v>46350</v></c><c r="E1" t="b"><v>1</v></c>'
        + f'<c r="F1" s="{DATE}"><v>46350.25</v></c><c r="G1"><v>3.0</v></c>'
    )
    rows = read(tmp_path, workbook({"One": f'<row r="1">{row}</row>'}), problems)
    assert rows == [(1, ["text", "7", "7.5", "2026-11-24", "true", "2026-11-24T06:00:00", "3"])]
    assert not problems.count


def test_rows_keep_their_numbers_and_have_as_many_cells_as_the_header(tmp_path: Path, problems: Problems) -> None:
    rows = (
        f'<row r="2">{cell("A2", "a")}{cell("C2", "c")}</row><row r="4">{cell("B4", " ")}</row>'
        f'<row r="5">{cell("A5", "x")}</row><row r="6">{cell("A6", "x")}{cell("E6", "beyond")}</row>'
    )
    assert read(tmp_path, workbook({"One": rows}), problems) == [
        (2, ["a", "", "c"]),
        (5, ["x", "", ""]),
        (6, ["x", "", "", "", "beyond"]),
    ]


def test_a_formula_has_the_value_it_was_saved_with_and_one_without_is_a_problem(
    tmp_path: Path, problems: Problems
) -> None:
    rows = (
        '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>"a"&amp;"b"</f><v>ab</v></c></row>'
        f'<row r="2">{cell("A2", "x")}<c r="B2"><f>NOW()</f></c></row>'
        f'<row r="3">{cell("A3", "=1+1")}<c r="B3" t="e"><v>#N/A</v></c></row>'
    )
    assert read(tmp_path, workbook({"One": rows}), problems) == [(1, ["2", "ab"]), (2, ["x", ""]), (3, ["=1+1", ""])]
    formula, error = problems.listed
    assert (formula.line, formula.column) == (2, "B")
    assert "a formula without a value" in formula.message
    assert (error.line, error.column, error.value) == (3, "B", "#N/A")


def test_the_first_visible_sheet_with_cells_is_read_and_the_others_are_named(
    tmp_path: Path, problems: Problems
) -> None:
    sheets = {"Old": rows_of_texts(["old"]), "Empty": "", "Texts": rows_of_texts(["a"], ["b"]), "Notes": ""}
    assert read(tmp_path, workbook(sheets, hidden=frozenset(["Old"])), problems) == [(1, ["a"]), (2, ["b"])]
    assert problems.notes == ["table.xlsx: read from the sheet “Texts”. Sheets that were not read: “Empty”, “Notes”."]


@pytest.mark.parametrize("rows", ['<row r="4"><c r="A4"/></row>', '<row r="2"><c r="D2"/></row>'])
def test_what_is_beyond_the_last_row_or_column_is_refused_not_dropped(
    tmp_path: Path, problems: Problems, monkeypatch: pytest.MonkeyPatch, rows: str
) -> None:
    monkeypatch.setattr(reading, "LAST_ROW", 3)
    monkeypatch.setattr(reading, "MOST_COLUMNS", 3)
    with pytest.raises(UnreadableFileError):
        read(tmp_path, workbook({"One": rows_of_texts(["a", "b", "c"]) + rows}), problems)
    assert "up to row 3 and column 3. Delete what is beyond" in problems.listed[0].message


def test_a_table_that_goes_on_in_another_sheet_is_refused(
    tmp_path: Path, problems: Problems, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = workbook({"Texts": rows_of_texts(["a"], ["b"]), "Texts (2)": rows_of_texts(["a"], ["c"])})
    assert read(tmp_path, content, problems) == [(1, ["a"]), (2, ["b"])]
    monkeypatch.setattr(reading, "LAST_ROW", 2)
    with pytest.raises(UnreadableFileError):
        read(tmp_path, content, problems)
    assert "goes on in the sheet “Texts (2)”" in problems.listed[0].message


def test_characters_that_xml_lacks_come_back_from_their_codes(tmp_path: Path, problems: Problems) -> None:
    content = workbook({"One": rows_of_texts(["a_x000D_b", "_x005F_x000D_", "_x12_"])})
    assert read(tmp_path, content, problems) == [(1, ["a\rb", "_x000D_", "_x12_"])]


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"xl/workbook.xml": "<workbook>"}, id="cut XML"),
        pytest.param({"xl/worksheets/sheet1.xml": "<worksheet><sheetData><row r='x'/>"}, id="a row without a number"),
        pytest.param({"[Content_Types].xml": "<Types/>"}, id="no types"),
        pytest.param(
            {
                "xl/worksheets/sheet1.xml": '<?xml version="1.0"?><!DOCTYPE worksheet [<!ENTITY a "aaaa">]>'
                "<worksheet><sheetData><row r='1'><c t='inlineStr'><is><t>&a;</t></is></c></row></sheetData>"
                "</worksheet>"
            },
            id="entities",
        ),
    ],
)
def test_what_is_damaged_or_hostile_is_refused_in_words(
    tmp_path: Path, problems: Problems, more: dict[str, str]
) -> None:
    with pytest.raises(UnreadableFileError):
        read(tmp_path, workbook({"One": rows_of_texts(["a"])}, more=more), problems)
    (problem,) = problems.listed
    assert "This workbook is damaged" in problem.message


@pytest.mark.parametrize("length", [10, 200, 900])
def test_a_cut_file_is_refused_in_words(tmp_path: Path, problems: Problems, length: int) -> None:
    path = tmp_path / "cut.xlsx"
    path.write_bytes(workbook({"One": rows_of_texts(["a"])})[:length])
    assert not begins_workbook(path)
    with pytest.raises(UnreadableFileError):
        list(workbook_rows(path, "cut.xlsx", problems))
    assert problems.fatal


def test_a_workbook_that_would_fill_the_memory_is_not_opened(
    tmp_path: Path, problems: Problems, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_UNPACKED", 100_000)
    content = workbook({"One": rows_of_texts(["a" * 200_000])})
    assert len(content) < 5_000
    with pytest.raises(UnreadableFileError):
        read(tmp_path, content, problems)
    assert "too large" in problems.listed[0].message
