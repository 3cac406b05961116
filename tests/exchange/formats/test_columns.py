"""The meanings of a table's columns: guessed from their titles, changed by people, never twice the same."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from exchange.formats.parallel_text import ImportFiles
from exchange.test_set_files import Inspection, content_hash, inspect

HEADER = "doc_id,id,Quelle,ref,hyp1,hyp2,Notes\n"
ROW = "ferry,1,It is late.,Sie ist spät.,Sie ist spät dran.,Es ist spät.,ask Ana\n"
CHOSEN = {"Quelle": "source", "ref": "reference", "hyp1": "system:Heron", "#6": "system:Kestrel", "Notes": "none"}


def look(folder: Path, content: str, columns: Mapping[str, str], name: str = "set.csv") -> Inspection:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return inspect(ImportFiles(path=path, columns=columns))


def messages(inspection: Inspection) -> list[str]:
    return [str(problem) for problem in inspection.problems.listed]


def test_guessed_columns_are_reported_even_if_the_file_cannot_be_used(tmp_path: Path) -> None:
    inspection = look(tmp_path, HEADER + ROW, {})
    roles = [column.role for column in inspection.columns]
    assert roles[:3] == ["document", "segment", "system:Quelle"]
    assert inspection.columns[2].samples == ("It is late.",)
    assert "no column source" in messages(inspection)[0]
    assert "The column “id” was read as the segment." in inspection.problems.notes


def test_what_was_chosen_is_read(tmp_path: Path) -> None:
    inspection = look(tmp_path, HEADER + ROW, CHOSEN)
    assert messages(inspection) == []
    assert (inspection.systems, inspection.references) == (["Heron", "Kestrel"], ["A"])
    assert inspection.preview[0].source == "It is late."
    assert inspection.preview[0].references == {"A": "Sie ist spät."}


def test_a_name_the_table_has_itself_is_never_guessed_anew(tmp_path: Path) -> None:
    inspection = look(tmp_path, "document,segment,source,id\nd,1,Late.,Spät.\n", {})
    assert inspection.systems == ["id"]
    assert inspection.problems.notes == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"Quelle": "none"}, "no column source"),
        ({"hyp1": "source"}, "The source occurs twice, in “Quelle” and in column 5."),
        ({"hyp1": "system:Kestrel"}, "The system Kestrel occurs twice, in “hyp1” and in column 6."),
        ({"hyp1": "system: "}, "Column 5 needs a name"),
        ({"hyp1": "none", "#6": "none"}, "no column for a system"),
        ({"hyp3": "system:Rook"}, "Unknown column. The file has: doc_id, id"),
        ({"hyp1": "engine"}, "“engine” is unknown. A column can be: document, segment,"),
    ],
)
def test_a_choice_that_cannot_be_is_named(tmp_path: Path, change: dict[str, str], message: str) -> None:
    inspection = look(tmp_path, HEADER + ROW, CHOSEN | change)
    assert message in "\n".join(messages(inspection))
    assert inspection.problems.fatal
    assert len(inspection.columns) == 7


def test_all_errors_of_the_choices_are_reported_at_once(tmp_path: Path) -> None:
    assert len(messages(look(tmp_path, HEADER + ROW, CHOSEN | {"Quelle": "tags", "hyp1": "system:Kestrel"}))) == 2


def test_a_column_without_a_title_can_be_left_out(tmp_path: Path) -> None:
    table = ",document,segment,source,Heron\n0,d,1,Late.,Spät.\n"
    assert "Column 1 needs a name" in messages(look(tmp_path, table, {}))[0]
    assert messages(look(tmp_path, table, {"#1": "none"})) == []


def test_keys_of_json_lines_can_be_named_too(tmp_path: Path) -> None:
    line = '{"document": "d", "segment": 1, "src": "Late.", "hyp": "Spät.", "gap": null, "score": 3}\n'
    columns = {"src": "source", "hyp": "system:Heron", "gap": "system:Rook"}
    inspection = look(tmp_path, line, columns, "set.jsonl")
    assert messages(inspection) == []
    assert [column.role for column in inspection.columns][2:] == ["source", "system:Heron", "system:Rook", "none"]
    assert inspection.preview[0].translations == {"Heron": "Spät."}
    clash = look(tmp_path, line, {"src": "document", "nope": "none"}, "set.jsonl")
    assert len(messages(clash)) == 2


def test_xml_has_no_columns_to_name(tmp_path: Path) -> None:
    inspection = look(tmp_path, '<dataset id="d"></dataset>', {"a": "source"}, "set.xml")
    assert "this is wmt-xml" in messages(inspection)[0]


def test_the_same_file_read_otherwise_is_another(tmp_path: Path) -> None:
    look(tmp_path, HEADER + ROW, {})
    files = [ImportFiles(path=tmp_path / "set.csv", columns=columns) for columns in ({}, CHOSEN)]
    assert content_hash(files[0], "en", "de") != content_hash(files[1], "en", "de")
