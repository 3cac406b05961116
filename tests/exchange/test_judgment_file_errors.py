"""Errors of a file of judgments: all at once, each with line and column, and nothing stored."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from campaigns.models import Account, Campaign, TestSet
from exchange.judgment_files import import_judgments
from exchange.reading import ImportFileError
from tests.exchange.conftest import WriteFile

pytestmark = pytest.mark.django_db
SPAN = '{"side": "target", "start": %d, "end": %d, "category": "c", "severity": "minor"}'


def refusal(path: Path, **options: str) -> list[str]:
    with pytest.raises(ImportFileError) as refused:
        import_judgments(path, format="assay-csv", name="Harbour", **options)  # type: ignore[arg-type]
    assert not Campaign.objects.exists()
    assert not TestSet.objects.exists()
    assert not Account.objects.exists()
    return str(refused.value).splitlines()


def test_all_problems_are_reported_in_the_order_of_the_file(judgments_file: WriteFile) -> None:
    path = judgments_file(
        {"judgment": "a", "value": "high"},
        {"judgment": "b", "comment": "two\nlines"},
        {"judgment": "b", "kind": "odd", "annotator": ""},
        {"judgment": "c", "value": "700"},
        {"judgment": "c"},
    )
    lines = refusal(path)
    assert [line.partition(": ")[0] for line in lines] == [
        "judgments.csv, line 2, value",
        "judgments.csv, line 5, annotator",
        "judgments.csv, line 5, kind",
        "judgments.csv, line 6, value",
        "judgments.csv, line 7, measure",
    ]
    assert "(high)" in lines[0]
    assert "Line 6 has this judgment" in lines[4]


@pytest.mark.parametrize(
    ("row", "place"),
    [
        ({"value": "nan"}, "value"),
        ({"value": "1e999"}, "value"),
        ({"value": ""}, "value"),
        ({"measure": ""}, "measure"),
        ({"system": " "}, "system"),
        ({"document": "d" * 256}, "document"),
        ({"position": "-1"}, "position"),
        ({"position": "²"}, "position"),
        ({"revision": "0"}, "revision"),
        ({"revision": "99999999999"}, "revision"),
        ({"slot": "ABC"}, "slot"),
        ({"started": "yesterday"}, "started"),
        ({"submitted": "0001-01-01T00:00:00+10:00"}, "submitted"),
        ({"seconds": "-1"}, "seconds"),
        ({"seconds": "1e12"}, "seconds"),
        ({"answer": "{"}, "answer"),
        ({"answer": "[]"}, "answer"),
        ({"answer": '{"a": NaN}'}, "answer"),
        ({"answer": '{"a": 1e999}'}, "answer"),
        ({"answer": '{"a": "\\u0000"}'}, "answer"),
        ({"answer": '{"a": "\\ud800"}'}, "answer"),
        ({"answer": "[" * 100_000}, "answer"),
        ({"answer": '{"slots": {"A": {"spans": [3]}}}'}, "answer"),
        ({"answer": '{"slots": {"A": {"spans": [%s]}}}' % (SPAN % (5, 2))}, "answer"),
        ({"answer": '{"slots": {"A": {"spans": [%s]}}}' % (SPAN % (0, 9)), "translation": "short"}, "answer"),
        ({"source": "a\x00b"}, "source"),
        ({"surplus": "perhaps"}, "surplus"),
        ({"protocol": ""}, "protocol"),
        ({"protocol": "tarot"}, "protocol"),
        ({"value": "101"}, "value"),
    ],
)
def test_a_cell_that_cannot_be_is_named(judgments_file: WriteFile, row: Mapping[str, str], place: str) -> None:
    [line] = refusal(judgments_file(row))
    assert f", {place}: " in line


@pytest.mark.parametrize(
    ("first", "second", "place"),
    [
        ({}, {"system": "Rook", "annotator": "ben"}, "annotator"),
        ({}, {"system": "Rook", "document": "orchard"}, "document"),
        ({}, {"system": "Rook", "segment": "2"}, "segment"),
        ({"revision": 1}, {"system": "Rook", "revision": 2}, "revision"),
        ({"seconds": 3}, {"system": "Rook", "seconds": 4}, "seconds"),
        ({"answer": '{"a": 1}'}, {"system": "Rook", "answer": '{"a": 2}'}, "answer"),
        ({"slot": "A"}, {"measure": "other", "slot": "B"}, "slot"),
        ({"slot": "A"}, {"system": "Rook", "slot": ""}, "slot"),
        ({"slot": "A", "translation": "x"}, {"system": "Rook", "slot": "A", "translation": "y"}, "translation"),
        ({"source": "x"}, {"judgment": "j2", "source": "y"}, "source"),
        ({"reference": "x"}, {"judgment": "j2", "reference": "y"}, "reference"),
        ({"domain": "x"}, {"judgment": "j2", "domain": "y"}, "domain"),
        ({"translation": "x"}, {"judgment": "j2", "translation": "y"}, "translation"),
        ({"position": 1}, {"judgment": "j2", "position": 1, "segment": "2"}, "position"),
        ({"position": 1}, {"judgment": "j2", "position": 1, "system": "Rook"}, "position"),
        ({"position": 1, "revision": 1}, {"judgment": "j2", "position": 1, "revision": 1}, "revision"),
        (
            {"position": 1, "kind": "degraded", "translation": "x"},
            {"judgment": "j2", "position": 1, "kind": "degraded", "translation": "y"},
            "translation",
        ),
        ({}, {"judgment": "j2", "protocol": "likert"}, "protocol"),
    ],
)
def test_rows_that_contradict_one_another_are_named_at_the_later_line(
    judgments_file: WriteFile, first: Mapping[str, str], second: Mapping[str, str], place: str
) -> None:
    [line] = refusal(judgments_file(first, second))
    assert line.startswith(f"judgments.csv, line 3, {place}: ")
    assert "ine 2" in line


def test_equal_texts_and_texts_left_out_do_not_contradict(judgments_file: WriteFile) -> None:
    path = judgments_file(
        {"judgment": "a", "source": "x", "translation": "y"},
        {"judgment": "b", "source": "", "translation": ""},
        {"judgment": "c", "source": "x", "translation": "broken", "kind": "degraded"},
        {"judgment": "d", "source": "x", "translation": "broken otherwise", "kind": "degraded"},
    )
    assert import_judgments(path, format="assay-csv", name="Harbour").created


def test_missing_and_doubled_columns_are_named(judgments_file: WriteFile) -> None:
    path = judgments_file({})
    path.write_text("judgment,annotator,kind,kind\na,b,c,d\n", encoding="utf-8")
    missing, twice = refusal(path)
    assert "line 1: The header has no column protocol, document, segment, system, measure, value." in missing
    assert "line 1, kind: This column occurs twice" in twice


def test_a_ragged_row_is_counted(judgments_file: WriteFile) -> None:
    path = judgments_file({"judgment": "a"})
    path.write_text(path.read_text() + "b,anna\n", encoding="utf-8")
    [line] = refusal(path)
    assert "line 3: 2 cells, but the header has 9" in line


def test_an_unclosed_quotation_mark_is_reported(judgments_file: WriteFile) -> None:
    path = judgments_file({"judgment": "a"})
    path.write_text(path.read_text() + '"b,anna\n', encoding="utf-8")
    [line] = refusal(path)
    assert "line 3: The table cannot be read from here on" in line


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"PK\x03\x04rest of an archive", "ZIP"),
        (b"judgment,annotator,protocol,document,segment,system,kind,measure,value\n", "The file has no judgments"),
        (
            b"judgment,annotator,protocol,document,segment,system,kind,measure,value\n"
            b"a,Andr\xe9,direct_assessment,d,1,s,regular,score,3\n",
            "line 2, annotator: Not UTF-8",
        ),
    ],
)
def test_other_kinds_of_file_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "judgments.csv"
    path.write_bytes(content)
    assert message in refusal(path)[0]


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    [line] = refusal(tmp_path / "nothing.csv")
    assert line.startswith("nothing.csv: the file cannot be read")


def test_languages_are_checked(judgments_file: WriteFile) -> None:
    [line] = refusal(judgments_file({}), source_language="no such language")
    assert line.startswith("source language: ")


def test_a_thousand_problems_are_counted_and_not_all_listed(judgments_file: WriteFile) -> None:
    path = judgments_file(*({"judgment": str(number), "value": "x"} for number in range(1500)))
    lines = refusal(path)
    assert lines[-1] == "… and 500 more problems."
    assert len(lines) == 1001
