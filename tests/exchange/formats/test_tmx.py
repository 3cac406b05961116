"""TMX as test sets: units are segments, one other language is the reference or a system."""

from pathlib import Path

from exchange.test_set_files import Inspection
from tests.exchange.formats.test_xliff import look as look_at

MEMORY = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header creationtool="x" srclang="en-US" adminlang="en" datatype="html" segtype="sentence"
 o-tmf="x" creationtoolversion="1"/><body>
<tu tuid="t1"><prop type="x-document">harbour</prop><tuv xml:lang="EN-US"><seg>Press <bpt i="1">&lt;b&gt;</bpt>here<ept
 i="1">&lt;/b&gt;</ept>.</seg></tuv><tuv xml:lang="de-DE"><seg>Hier <hi>drücken</hi>.</seg></tuv></tu>
<tu><tuv xml:lang="fr"><seg>Bonjour.</seg></tuv><tuv xml:lang="en-US"><seg>Hello.</seg></tuv></tu>
</body></tmx>
"""


def look(folder: Path, content: str, **columns: str) -> Inspection:
    return look_at(folder, content, **columns)


def test_a_unit_is_a_segment_with_its_codes_and_a_reference(tmp_path: Path) -> None:
    inspection = look(tmp_path, MEMORY)
    assert not inspection.problems.listed
    assert (inspection.format, inspection.languages) == ("tmx", {"source": "en-US", "target": "de-DE"})
    first, second = inspection.preview
    assert (first.document, first.segment, second.document, second.segment) == ("harbour", "t1", "set", "1")
    assert first.source == 'Press <bpt i="1"><b></bpt>here<ept i="1"></b></ept>.'
    assert (first.references, second.references) == ({"A": "Hier drücken."}, {})
    assert any("not read: fr" in note for note in inspection.problems.notes)


def test_another_language_is_chosen_as_a_column(tmp_path: Path) -> None:
    inspection = look(tmp_path, MEMORY, fr="system:Heron")
    assert not inspection.problems.listed
    assert (inspection.systems, inspection.references) == (["Heron"], [])
    assert inspection.preview[1].translations == {"Heron": "Bonjour."}


def test_units_without_a_source_and_texts_without_a_language_are_refused_together(tmp_path: Path) -> None:
    content = MEMORY.replace('xml:lang="en-US"', 'xml:lang="it"').replace(' xml:lang="de-DE"', "")
    problems = [str(problem) for problem in look(tmp_path, content).problems.listed]
    assert "A <tuv> needs xml:lang and a <seg>." in problems[0]
    assert "line 7, tu: This unit has no text in the source language" in problems[1]
    assert "The file has no translation units" in str(look(tmp_path, "<tmx/>").problems.listed[0])
