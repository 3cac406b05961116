"""A campaign as a workbook: numbers are numbers, no text is a formula, and it comes back as its CSV does."""

import io
from pathlib import Path

import pytest
from openpyxl import load_workbook

from campaigns.models import Campaign, TestSet, Translation
from exchange.export_formats import ExportRefusedError, choice_of
from exchange.exported_judgments import EVERYTHING
from exchange.exports import FORMATS, export_rows
from exchange.formats import workbook as workbook_writer
from exchange.formats.workbook import Cell, Sheet, save_sheets
from exchange.judgment_files import import_judgments
from jobs.actions import perform_now
from metrics.analysis_runs import USUAL
from tests.cast import Cast
from tests.exchange.conftest import EMPTIED
from tests.exchange.judged_campaign import judge_one_of_everything
from tests.metrics.marked_errors import GRAVE, make_mqm, mark
from tests.planned_campaign import items_to_judge, take


def saved(*sheets: Sheet) -> io.BytesIO:
    stream = io.BytesIO()
    save_sheets(sheets, stream)
    return stream


@pytest.fixture
def judged(campaign: Campaign, cast: Cast) -> Campaign:
    judge_one_of_everything(campaign, cast.annotator, cast.second_annotator)
    return campaign


def test_judgments_come_back_from_it_as_from_csv(judged: Campaign, tmp_path: Path) -> None:
    name, before = judged.name, b"".join(export_rows(judged, "csv"))
    path = tmp_path / "judgments.xlsx"
    path.write_bytes(b"".join(export_rows(judged, "xlsx")))
    for model in EMPTIED:
        model._default_manager.all().delete()
    imported = import_judgments(path, format="xlsx", name=name).campaign
    assert b"".join(export_rows(imported, "csv")) == before


def test_numbers_are_numbers_and_formulas_are_texts() -> None:
    rows: list[list[Cell]] = [["=1+1", 0.5, 7, None, "#N/A"], ["'=1", -3, 1e300, "", "a\rb_x000D_"]]
    book = load_workbook(saved(Sheet("one", ["text", "=b", "c", "d", "e"], rows)))
    cells = [[(cell.data_type, cell.value) for cell in row] for row in book["one"].iter_rows()]
    assert cells[0] == [("s", title) for title in ["text", "=b", "c", "d", "e"]]
    assert cells[1] == [("s", "=1+1"), ("n", 0.5), ("n", 7), ("n", None), ("s", "#N/A")]
    assert cells[2] == [("s", "'=1"), ("n", -3), ("n", 1e300), ("n", None), ("s", "a_x000D_b_x005F_x000D_")]
    assert book["one"].freeze_panes == "A2"


def test_a_long_table_goes_on_in_another_sheet_with_the_same_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook_writer, "LAST_ROW", 4)
    book = load_workbook(saved(Sheet("a table with a long title, indeed", ["n"], [[n] for n in range(7)])))
    assert book.sheetnames == [
        "a table with a long title, inde",
        "a table with a long title,  (2)",
        "a table with a long title,  (3)",
    ]
    assert [[row[0] for row in sheet.values] for sheet in book] == [["n", 0, 1, 2], ["n", 3, 4, 5], ["n", 6]]


def test_every_table_of_the_results_has_a_sheet(judged: Campaign) -> None:
    perform_now(kind="analysis", campaign=judged, arguments=USUAL)
    Translation.objects.filter(segment__document__test_set=judged.test_set).update(text="Paid on 31 May.")
    perform_now(kind="flags", test_set=judged.test_set, arguments={})
    book = load_workbook(io.BytesIO(b"".join(export_rows(judged, "xlsx"))))
    assert {row[3] for row in book["flags"].values} >= {"flag", "numbers"}
    assert {"judgments", "results, systems", "results, pairs", "results, agreement", "results, annotators"} <= set(
        book.sheetnames
    )
    header, first, *_rest = book["results, systems"].values
    assert header[0] == "system"
    assert isinstance(first[0], str)


def test_with_codes_no_sheet_names_an_annotator(judged: Campaign, cast: Cast) -> None:
    perform_now(kind="analysis", campaign=judged, arguments=USUAL)
    content = b"".join(export_rows(judged, "xlsx", choice_of(judged, codes=True)))
    texts = {str(value) for sheet in load_workbook(io.BytesIO(content)) for row in sheet.values for value in row}
    assert not texts & {cast.annotator.username, cast.second_annotator.username}
    assert cast.annotator.username in {
        str(value)
        for sheet in load_workbook(io.BytesIO(b"".join(export_rows(judged, "xlsx", EVERYTHING))))
        for row in sheet.values
        for value in row
    }


def test_what_a_cell_cannot_hold_is_refused_with_its_place(judged: Campaign) -> None:
    Translation.objects.update(text="x" * 40_000)
    with pytest.raises(ExportRefusedError, match=r"at most 32767 characters; a text of “judgments”, row 2, has 40000"):
        export_rows(judged, "xlsx")


def test_a_campaign_too_large_for_spreadsheet_programs_is_refused(
    judged: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbook_writer, "MOST_JUDGMENTS", 1)
    assert "at most 1 judgments" in FORMATS["xlsx"].refusals(judged)[0]


def test_a_campaign_without_judgments_is_a_workbook_too(campaign: Campaign) -> None:
    assert load_workbook(io.BytesIO(b"".join(export_rows(campaign, "xlsx")))).sheetnames


def test_the_scorecard_has_the_verdicts_of_the_run_with_a_tolerance(test_set: TestSet, cast: Cast) -> None:
    campaign = make_mqm(test_set, cast)
    for item in items_to_judge(take(campaign, cast.annotator)):
        mark(item, GRAVE)
    for arguments in ({**USUAL, "options": {"tolerance": "25"}}, USUAL):
        perform_now(kind="analysis", campaign=campaign, arguments=arguments)
    book = load_workbook(io.BytesIO(b"".join(export_rows(campaign, "xlsx"))))
    header, *rows = book["results, scorecard"].iter_rows(values_only=True)
    told = [dict(zip(header, row, strict=True)) for row in rows]
    assert {one["tolerance"] for one in told} == {"25"}
    assert {one["verdict"] for one in told} <= {"pass", "fail", "too_short"}
    wholes = [one for one in told if one["document"] is None]
    assert len(wholes) == campaign.systems.count()
    assert all(float(str(one["limit"])) == float(str(one["words"])) * 25 / 1000 for one in wholes)
