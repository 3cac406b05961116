"""Workbooks wherever a table is read: test sets, questions, judgments and metric scores."""

from pathlib import Path

import pytest

from campaigns.models import TestSet, Translation
from exchange.formats.parallel_text import ImportFiles
from exchange.reading import ImportFileError
from exchange.test_set_files import guess_format, import_test_set, inspect
from tests.workbooks import rows_of_texts, workbook

pytestmark = pytest.mark.django_db
TABLE: list[list[str | float]] = [
    ["document", "segment", "source", "reference", "Heron", "=Kestrel"],
    ["ferry", 1, "It is late.", "Sie ist spät.", "Sie ist spät dran.", "=spät"],
    ["ferry", 2, "Again.", "Wieder.", "Schon wieder.", ""],
]


@pytest.fixture
def files(tmp_path: Path) -> ImportFiles:
    path = tmp_path / "set.bin"  # told by its content
    path.write_bytes(workbook({"Texts": rows_of_texts(*TABLE), "Notes": rows_of_texts(["for us"])}))
    return ImportFiles(path=path)


def test_a_test_set_is_read_from_a_workbook(files: ImportFiles) -> None:
    found = inspect(files)
    assert (found.format, found.segments, found.systems) == ("xlsx", 2, ["Heron", "=Kestrel"])
    assert [column.meaning for column in found.columns] == [
        "document",
        "segment",
        "source",
        "reference",
        "system",
        "system",
    ]
    assert any("read from the sheet “Texts”" in note for note in found.problems.notes)
    test_set = import_test_set(files, name="set", source_language="en", target_language="de").test_set
    texts = Translation.objects.filter(segment__document__test_set=test_set, system__name="=Kestrel")
    assert [*texts.order_by("segment__position").values_list("text", flat=True)] == ["=spät", ""]


def test_problems_have_the_row_that_the_program_shows(tmp_path: Path) -> None:
    path = tmp_path / "set.xlsx"
    rows = rows_of_texts(*TABLE, ["ferry", 2, "", "x", "y", "z"]).replace('r="4"', 'r="9"')
    path.write_bytes(workbook({"Texts": rows}))
    with pytest.raises(ImportFileError, match=r"set\.xlsx, line 9, source: Empty source"):
        import_test_set(ImportFiles(path=path), name="set", source_language="en", target_language="de")
    assert not TestSet.objects.exists()


def test_a_workbook_is_no_side_of_a_parallel_text(files: ImportFiles, tmp_path: Path) -> None:
    source = tmp_path / "source.txt"
    source.write_text("It is late.\n")
    assert files.path is not None
    sides = ImportFiles(source=source, systems={"Heron": files.path})
    assert guess_format(sides) == "text"
    assert "Excel workbook" in inspect(sides).problems.listed[0].message
