"""XLIFF 1.2 and 2.x as test sets: which text is whose, inline codes, names of segments, and what is refused."""

import tracemalloc
from pathlib import Path

import pytest

from exchange.formats.parallel_text import ImportFiles
from exchange.staging.test_set import open_spool
from exchange.test_set_files import Inspection, examine, inspect

OLD = """<?xml version="1.0" encoding="UTF-8"?>
<!-- from a tool -->
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
 <file original="ferry.html" source-language="en-GB" target-language="de" datatype="html">
  <header><tool tool-id="t1" tool-name="Heron"/>
   <phase-group><phase phase-name="mt" process-name="translation" tool-id="t1"/></phase-group></header>
  <body>
   <group id="g">
   <trans-unit id="1"><source>Press <g id="1">here</g><x id="2"/> &lt;b&gt;.</source>
    <target phase-name="mt">Hier <g id="1">drücken</g><x id="2"/>.</target>
    <alt-trans origin="Kestrel"><target>Drücken.</target></alt-trans>
    <alt-trans origin="Old memory" match-quality="70"><source>Press there.</source><target>Dort.</target></alt-trans>
    <alt-trans origin="B" alttranstype="reference"><target>Drücken Sie hier.</target></alt-trans>
   </trans-unit></group>
   <trans-unit id="2"><source>One. Two.</source><seg-source><mrk mtype="seg" mid="0">One.</mrk> <mrk mtype="seg"
    mid="1">Two.</mrk></seg-source><target><mrk mtype="seg" mid="0">Eins.</mrk> <mrk mtype="seg" mid="1"/></target>
   </trans-unit>
   <trans-unit id="3" translate="no"><source>X-1</source></trans-unit>
   <trans-unit id="4"><source>Wait <ph id="1">{name}</ph>.</source><target state="new"/></trans-unit>
  </body></file></xliff>
"""
NEW = """<?xml version="1.0"?>
<x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:2.0" xmlns:m="urn:oasis:names:tc:xliff:matches:2.0"
 xmlns:its="http://www.w3.org/2005/11/its" version="2.1" srcLang="en" trgLang="fr">
 <x:file id="f1" its:tool="Heron">
  <x:unit id="u1"><m:matches><m:match ref="#s1" origin="Kestrel"><x:source>Hello.</x:source><x:target>Salut.</x:target>
   </m:match></m:matches>
   <x:segment id="s1"><x:source>Hello.</x:source><x:target>Bonjour<x:ph id="1" equiv="!"/>.</x:target></x:segment>
   <x:ignorable><x:source> </x:source></x:ignorable>
   <x:segment id="s2"><x:source>Bye, <x:pc id="1"><x:mrk id="m" type="term">bird</x:mrk></x:pc>.</x:source></x:segment>
  </x:unit></x:file></x:xliff>
"""
SHORT = '<xliff version="1.2"><file original="{}" source-language="en"><body>{}</body></file></xliff>'


def look(folder: Path, content: str | bytes, **columns: str) -> Inspection:
    path = folder / "set.xlf"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return inspect(ImportFiles(path=path, columns=columns))


def test_files_are_documents_and_targets_and_full_matches_are_outputs(tmp_path: Path) -> None:
    inspection = look(tmp_path, OLD)
    assert not inspection.problems.listed
    assert (inspection.format, inspection.languages) == ("xliff", {"source": "en-GB", "target": "de"})
    assert (inspection.documents, inspection.segments) == (1, 4)
    assert (inspection.systems, inspection.references) == (["Heron", "Kestrel", "target"], ["B"])
    first, one, two = inspection.preview
    assert first.source == 'Press <g id="1">here</g><x id="2"/> <b>.'
    assert first.translations == {"Heron": 'Hier <g id="1">drücken</g><x id="2"/>.', "Kestrel": "Drücken."}
    assert first.references == {"B": "Drücken Sie hier."}
    assert [(each.document, each.segment) for each in (one, two)] == [("ferry.html", "2/0"), ("ferry.html", "2/1")]
    assert (one.translations, two.translations) == ({"target": "Eins."}, {"target": ""})
    assert inspection.missing_outputs == {"Heron": 3, "Kestrel": 3, "target": 2}
    notes = " ".join(inspection.problems.notes)
    assert "not to be translated, left out: 1" in notes
    assert "Matches of other sources" in notes


def test_units_of_version_2_have_segments_with_codes_and_matches(tmp_path: Path) -> None:
    inspection = look(tmp_path, NEW)
    assert not inspection.problems.listed
    assert inspection.languages == {"source": "en", "target": "fr"}
    first, second = inspection.preview
    assert (first.document, first.segment, second.segment) == ("f1", "u1/s1", "u1/s2")
    assert first.translations == {"Heron": 'Bonjour<ph id="1"/>.', "Kestrel": "Salut."}
    assert second.source == 'Bye, <pc id="1">bird</pc>.'


def test_a_person_says_whose_the_targets_are(tmp_path: Path) -> None:
    inspection = look(tmp_path, OLD, target="reference:A", Kestrel="none")
    assert (inspection.systems, inspection.references) == (["Heron"], ["B", "A"])
    assert [(column.title, column.role) for column in inspection.columns] == [
        ("source", "source"),
        ("Heron", "system:Heron"),
        ("Kestrel", "none"),
        ("reference:B", "reference:B"),
        ("target", "reference:A"),
    ]
    assert "Unknown column. The file has: source, Heron" in str(look(tmp_path, OLD, Crow="none").problems.listed[0])


def test_the_same_file_once_more_with_another_system_is_joined(tmp_path: Path) -> None:
    unit = '<trans-unit id="1"><source>One.</source><target phase-name="{}">{}</target></trans-unit>'
    several = SHORT.replace("</file>", "</file>" + SHORT[SHORT.index("<file") : SHORT.index("</xliff>")])
    inspection = look(tmp_path, several.format("d", unit.format("Heron", "Eins."), "d", unit.format("Crow", "Ein.")))
    assert inspection.preview[0].translations == {"Heron": "Eins.", "Crow": "Ein."}
    other = unit.replace("One", "Two").format("Crow", "Zwei.")
    assert "The source of segment 1 is not the one in line 1" in str(
        look(tmp_path, several.format("d", unit.format("Heron", "Eins."), "d", other)).problems.listed[0]
    )


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (OLD[:900], "line 15, column"),
        (OLD.replace("<xliff", '<!DOCTYPE xliff [<!ENTITY a "b">]><xliff'), "entities are not read"),
        (OLD.replace("<xliff", '<!DOCTYPE xliff SYSTEM "x.dtd"><xliff').replace("Two.", "&two;"), "entities are not"),
        (OLD.replace('version="1.2"', 'version="3"'), "This version of XLIFF is not known"),
        (OLD.replace("UTF-8", "UTF-7"), "The encoding UTF-7 is not supported"),
        (SHORT.format("d", ""), "The file has no units"),
        (SHORT.format("d", '<trans-unit id="1"><source/></trans-unit>'), "line 1, source: Empty source"),
        (SHORT.format("d", "<trans-unit><source>a</source></trans-unit>"), "Empty segment"),
        (SHORT.format("d", '<trans-unit id="1"><source>a</source></trans-unit>' * 2), "occurs twice in “d”"),
        (SHORT.format("d", "<trans-unit id='1'><source>" + "<g id='1'>" * 80), "too many"),
        (SHORT.format("d", "<trans-unit id='1'><source>&#xD800;</source></trans-unit>"), "The XML is not valid here"),
        (SHORT.format("d", f"<trans-unit id='1'><source>{'x' * 11_000_000}"), "is too long to be read"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(tmp_path: Path, content: str, expected: str) -> None:
    inspection = look(tmp_path, content)
    assert expected in " ".join(map(str, inspection.problems.listed))


def test_memory_does_not_grow_with_the_number_of_units(tmp_path: Path) -> None:
    unit = "<trans-unit id='{}'><source>A sentence.</source><target>Ein Satz.</target></trans-unit>"
    peaks = []
    for count in (400, 1200, 2400):
        path = tmp_path / f"{count}.xlf"
        path.write_text(SHORT.format("d", "".join(map(unit.format, range(count)))))
        tracemalloc.start()
        with open_spool() as spool:
            assert examine(ImportFiles(path=path), spool).segments == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < 1.3 * peaks[1]
