"""TMX out: a unit for each translation, codes as elements of TMX, and the same texts when read again."""

import json
from pathlib import Path

import pytest
from defusedxml import ElementTree

from exchange.export_formats import ExportRefusedError
from exchange.exported_judgments import EVERYTHING
from exchange.exports import FORMATS, export_rows
from exchange.formats.parallel_text import ImportFiles
from exchange.formats.tmx_writer import write_tmx
from exchange.formats.xliff_writer import Form, Match, TextFile, Unit
from exchange.judgment_files import import_judgments
from exchange.test_set_files import Inspection, inspect
from tests.exchange.formats.test_tmx import MEMORY
from tests.exchange.formats.test_xliff_writer import MQM, TEXT, edit
from tests.exchange.judgments_file import write_file
from tests.exchange.management.test_convert import convert_file

CODES = 'a <bpt i="1" x="2"><b></bpt>b<ept i="1"></b></ept> <it pos="begin"><i></it><ph x="3">{n}</ph> & <c'


def look(path: Path, **columns: str) -> Inspection:
    inspection = inspect(ImportFiles(path=path, columns=columns))
    assert not inspection.problems.listed
    return inspection


def written(path: Path, *files: TextFile, with_codes: bool = True) -> Path:
    path.write_text("".join(write_tmx(files, Form("en", "de", with_codes))), encoding="utf-8", newline="")
    return path


def test_codes_of_memories_are_the_same_when_read_again(tmp_path: Path) -> None:
    unit = Unit("a b/1", CODES, CODES.replace("a ", "\u202ea\r\n"))
    [read] = look(written(tmp_path / "m.tmx", TextFile('d "1"', "Heron", "anna", [unit]))).preview
    assert (read.document, read.segment, read.source) == ('d "1"', "a b/1", CODES)
    assert read.translations == {"Heron+anna": unit.target}


def test_codes_of_other_programs_are_what_a_placeholder_stands_for(tmp_path: Path) -> None:
    tree = ElementTree.parse(written(tmp_path / "m.tmx", TextFile("d", "", "", [Unit("1", TEXT, TEXT)])))
    segment = next(tree.iter("seg"))
    assert {each.tag for each in segment} == {"bpt", "ept", "ph"}
    assert [each.text for each in segment.iter("ph")] == ['<g id="1">', "</g>", '<x id="1"/>', "{n}"]


def test_without_codes_and_with_what_xml_cannot_hold_texts_are_plain(tmp_path: Path) -> None:
    file = TextFile("d", "", "", [Unit("1", CODES + "\ufffe", "x")])
    segment = next(ElementTree.parse(written(tmp_path / "m.tmx", file, with_codes=False)).iter("seg"))
    assert (segment.text, len(segment)) == (CODES + "\ufffd", 0)


def test_each_translation_is_a_unit_with_its_system_editor_and_a_name_of_its_own(tmp_path: Path) -> None:
    reference = Match("B", "Eins", is_reference=True)
    one, none = Unit("1", "One.", "Eins.", [reference, Match("MT", "1")]), Unit("2", "Two.", None)
    again = Unit("1", "One.", "Nummer eins.")
    files = [TextFile("d", "Heron", "anna", [one, none]), TextFile("d", "Heron", "anna", [again, again])]
    root = ElementTree.parse(written(tmp_path / "m.tmx", *files, TextFile("e", "", "", [one])))
    units = [(unit.get("tuid"), unit.findtext("prop"), unit[-1].findtext("seg")) for unit in root.iter("tu")]
    assert units == [
        ("1", "d", "Eins."),
        ("1 B", "d", "Eins"),
        ("1 Heron+anna", "d", "Nummer eins."),
        ("1 Heron+anna 2", "d", "Nummer eins."),
        ("1", "e", "Eins."),
        ("1 B", "e", "Eins"),
    ]
    assert look(written(tmp_path / "m.tmx", TextFile("d", "Heron", "", [one]))).preview[0].references == {"B": "Eins"}
    first = next(root.iter("tu"))
    assert (first[-1].findtext("prop"), first[-1].get("changeid")) == ("Heron", "anna")


@pytest.mark.django_db
def test_post_edits_are_a_memory_and_marks_are_none(tmp_path: Path) -> None:
    rows = [edit("anna", "Heron", "Eins."), edit("ben", "Heron", "Nummer <eins>.")]
    campaign = import_judgments(
        write_file(tmp_path / "edits.csv", rows), format="assay-csv", name="Edits", source_language="en"
    ).campaign
    path = tmp_path / "memory.tmx"
    path.write_bytes(b"".join(export_rows(campaign, "tmx")))
    assert [(each.segment, each.translations) for each in look(path).preview] == [
        ("1", {"Heron+anna": "Eins.", "Heron+ben": "Nummer <eins>."}),
    ]
    assert any("before editing" in loss for loss in FORMATS["tmx"].losses(campaign, EVERYTHING))
    marks = tmp_path / "mqm.tsv"
    marks.write_text(MQM, encoding="utf-8")
    with pytest.raises(ExportRefusedError, match="It takes: post_editing"):
        export_rows(import_judgments(marks, name="Marks").campaign, "tmx")


def test_test_sets_become_memories_and_what_is_lost_is_named(tmp_path: Path) -> None:
    line = {"document": "d", "segment": "1", "source": "One.", "title": "T", "translations": {"Heron": "1", "Crow": ""}}
    output, told = convert_file(tmp_path, json.dumps(line), "set.jsonl", "tmx")
    assert "Titles, left out: 1" in told
    units = [unit.get("tuid") for unit in ElementTree.parse(output).iter("tu")]
    assert units == ["1", "1 Crow"]
    back = look(output)
    assert (back.systems, back.preview[0].translations) == (["Heron", "Crow"], line["translations"])
    assert look(output, Crow="none", Heron="system:Swan").preview[0].translations == {"Swan": "1"}
    output, told = convert_file(tmp_path, MEMORY, "set.tmx", "tmx")
    assert "Segments without a translation, left out: 1." in told
    assert look(output).preview[0].source == look(tmp_path / "set.tmx").preview[0].source
