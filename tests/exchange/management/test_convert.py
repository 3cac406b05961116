"""`convert`: files of texts and judgments in other formats, what is lost, and what is not enough."""

import io
import json
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

import pytest

from exchange.formats.parallel_text import ImportFiles
from exchange.management.commands import convert
from exchange.test_set_files import inspect
from tests.exchange.formats.test_tmx import MEMORY
from tests.exchange.formats.test_xliff_writer import MQM
from tests.metrics.real_campaigns import real_case

LINES = (
    {
        "document": "d",
        "segment": "1",
        "source": "One.\tTwo.",
        "references": {"A": "Eins.\tZwei."},
        "title": "T",
        "translations": {"Crow": "1"},
    },
    {
        "document": "d",
        "segment": "2",
        "source": "Three.",
        "references": {"A": "Drei"},
        "translations": {"Heron": "Drei."},
        "tags": ["a", "b"],
    },
    {"document": "d", "question": "How many?", "accepted": ["three"]},
)


def convert_file(folder: Path, content: str, name: str, to: str, **options: Any) -> tuple[Path, str]:
    path, printed = folder / name, io.StringIO()
    path.write_text(content, encoding="utf-8")
    output = folder / f"out.{to}"
    call_command("convert", str(path), str(output), to=to, stdout=printed, stderr=printed, **options)
    return output, printed.getvalue()


@pytest.mark.parametrize("to", ["jsonl", "csv", "tsv", "xliff", "xliff-1-2", "wmt-xml"])
def test_texts_are_the_same_in_every_format_but_for_what_is_named(tmp_path: Path, to: str) -> None:
    content = "\n".join(map(json.dumps, LINES))
    output, told = convert_file(tmp_path, content, "set.jsonl", to)
    again = inspect(ImportFiles(path=output), format=to.removesuffix("-1-2"))
    assert not again.problems.listed
    assert (again.documents, again.segments, again.systems, again.references) == (1, 2, ["Crow", "Heron"], ["A"])
    blank = " " if to == "tsv" else "\t"
    assert [each.source for each in again.preview] == [f"One.{blank}Two.", "Three."]
    assert again.preview[0].references == {"A": f"Eins.{blank}Zwei."}
    assert again.missing_outputs == ({} if to in ("csv", "tsv") else {"Crow": 1, "Heron": 1})
    assert ("Questions, left out: 1" in told) == (to != "jsonl")
    assert ("become empty translations: 2" in told) == (to in ("csv", "tsv"))
    assert ("Titles, left out: 1" in told) == to.startswith("xliff")
    assert ("become blanks: 2" in told) == (to == "tsv")


def test_a_memory_becomes_xliff_with_its_codes(tmp_path: Path) -> None:
    output, _told = convert_file(tmp_path, MEMORY, "set.tmx", "xliff", column=[("de-DE", "system:Heron")])
    again = inspect(ImportFiles(path=output))
    assert again.languages == {"source": "en-US", "target": "de-DE"}
    assert again.preview[0].source == 'Press <sc id="1"/>here<ec startRef="1"/>.'
    assert again.preview[0].translations == {"Heron": "Hier drücken."}


def test_what_is_wrong_is_said_and_nothing_is_written(tmp_path: Path) -> None:
    for content, to, expected in (
        ("document,segment,source,Heron\nd,1,,a\n", "jsonl", "line 2, source: Empty source"),
        ("document,segment,source,Heron\nd,1,s,a\n", "label-studio", "label-studio is written of judgments"),
        ("PK\x03\x04 anything", "marot", "This is a ZIP archive or an Excel workbook. .*Formats tried: xlsx"),
        (MEMORY, "csv", r"Missing: A \(1\)"),
        (MQM, "wmt-mqm-tsv", "by ./assay convert alone"),
    ):
        with pytest.raises(CommandError, match=expected):
            convert_file(tmp_path, content, "set.txt", to)
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("convert", str(tmp_path / "none.csv"), str(tmp_path / "out"), to="csv")
    assert not list(tmp_path.glob("out*"))


def test_a_folder_of_mt_metrics_eval_becomes_wmts_xml_and_keeps_its_texts(tmp_path: Path) -> None:
    for name, text in (("sources/en-de.txt", "One.\n"), ("system-outputs/en-de/Heron.txt", "Eins.\n")):
        (tmp_path / "set" / name).parent.mkdir(parents=True)
        (tmp_path / "set" / name).write_text(text, encoding="utf-8")
    call_command("convert", str(tmp_path / "set"), str(tmp_path / "set.xml"), to="wmt-xml", stdout=io.StringIO())
    again = inspect(ImportFiles(path=tmp_path / "set.xml"))
    assert again.languages == {"source": "en", "target": "de"}
    assert (again.preview[0].source, again.preview[0].translations) == ("One.", {"Heron": "Eins."})


@pytest.mark.real_data
def test_a_file_of_wmts_task_is_read_with_those_of_its_systems(tmp_path: Path) -> None:
    folder, output = real_case("genmt-wmt26-sample"), tmp_path / "out.jsonl"
    options = {"source_language": "en", "target_language": "de", "system": [("Heron", folder / "systems/Heron.jsonl")]}
    call_command("convert", str(folder / "wmt26-genmt.jsonl"), str(output), to="jsonl", **options, stderr=io.StringIO())
    again = inspect(ImportFiles(path=output))
    assert (again.documents, again.segments, again.systems) == (5, 13, ["Heron"])


def test_json_of_no_format_is_told_which_were_tried(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"Formats tried: .*Pearmut: no `info`"):
        convert_file(tmp_path, '{"hello": 1}\n', "set.json", "csv")


def test_one_column_cannot_be_two_things(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="A column is one thing"):
        convert_file(tmp_path, "a,b\n1,2\n", "set.csv", "jsonl", column=[("a", "source"), ("a", "document")])


@pytest.mark.django_db
def test_judgments_become_what_a_campaign_of_them_is_exported_as(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(convert, "THROWAWAY", str(connection.settings_dict["NAME"]))
    monkeypatch.setattr(convert, "_make_tables", lambda: None)
    output, told = convert_file(tmp_path, MQM, "mqm.tsv", "label-studio")
    assert [len(task["annotations"]) for task in json.loads(output.read_text())] == [2, 1]
    assert "working time are not in the file" in told
    with pytest.raises(CommandError, match="It takes: "):
        convert_file(tmp_path, MQM.replace("Heron", "Crow"), "other.tsv", "subset2evaluate", protocol="mqm")
