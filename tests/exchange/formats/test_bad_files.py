"""Every kind of bad file gets a message with the error, its place and what to do; all of them at once."""

import gzip
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from exchange.formats.parallel_text import ImportFiles
from exchange.test_set_files import Inspection, inspect

HEADER = "document,segment,source,reference,system:Heron,Kestrel\n"
GOOD = "ferry,1,It is late.,Sie ist spät.,Sie ist spät dran.,Es ist spät.\n"


def look(folder: Path, content: str | bytes, name: str = "set.csv") -> Inspection:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return inspect(ImportFiles(path=path))


def messages(inspection: Inspection) -> list[str]:
    return [str(problem) for problem in inspection.problems.listed]


def test_a_good_table_has_no_problem(tmp_path: Path) -> None:
    inspection = look(tmp_path, HEADER + GOOD)
    assert (inspection.documents, inspection.segments) == (1, 1)
    assert (inspection.systems, inspection.references) == (["Heron", "Kestrel"], ["A"])
    assert inspection.problems.listed == []
    assert not inspection.can_skip


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.encode("utf-16"),
        lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode(),
    ],
    ids=["bom", "utf-16", "utf-16-be", "crlf", "cr"],
)
def test_encodings_and_line_ends_make_no_difference(tmp_path: Path, encode: object) -> None:
    assert callable(encode)
    inspection = look(tmp_path, encode(HEADER + GOOD))
    assert messages(inspection) == []
    assert inspection.preview[0].source == "It is late."
    assert inspection.preview[0].translations["Kestrel"] == "Es ist spät."


def test_every_problem_of_a_file_is_reported_with_its_line(tmp_path: Path) -> None:
    rows = [
        GOOD,
        "ferry,2,,Ref,A,B\n",  # line 3: no source
        "ferry,3,Source,Ref,A\n",  # line 4: ragged
        "ferry,1,Again,Ref,A,B\n",  # line 5: twice
        'ferry,4,"two\nlines", ,A,B\n',  # line 6: empty reference
        ",5,Source,Ref,A,B\n",  # line 8: no document
        "ferry,6,Sou\x07rce,Ref,A,B\n",  # line 9: control character
    ]
    inspection = look(tmp_path, HEADER + "".join(rows))
    assert messages(inspection) == [
        "set.csv, line 3, source: Empty source. Fill it in, or leave the segment out.",
        "set.csv, line 4: 5 cells, but the header has 6. Look for a missing or an extra separator.",
        "set.csv, line 5, segment: Segment 1 occurs twice in “ferry”, first in line 2.",
        "set.csv, line 6, reference: Empty reference. Fill it in, or leave the segment out.",
        "set.csv, line 8, document: Empty document. Every segment needs one.",
        "set.csv, line 9, source: Control character U+0007 at character 4. Remove it. (Sou\\x07rce)",
    ]
    assert inspection.problems.lines == 6
    assert inspection.can_skip
    assert inspection.segments == 1


def test_bytes_that_are_no_utf_8_are_placed(tmp_path: Path) -> None:
    inspection = look(tmp_path, HEADER.encode() + b"ferry,1,f\xfcr die F\xe4hre,Ref,A,B\n")
    assert messages(inspection) == [
        "set.csv, line 2, source: Not UTF-8 at byte 2 of this value. Save the file as UTF-8. (f\\xfcr die F\\xe4hre)"
    ]


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("document,source,Heron\n", "no column segment"),
        ("document,segment,source\n", "no column for a system"),
        ("document,segment,source,Heron,system:Heron\n", "occurs twice"),
        ("document,segment,source,Heron,\n", "Column 5 needs a name"),
    ],
)
def test_a_bad_header_is_fatal(tmp_path: Path, header: str, message: str) -> None:
    inspection = look(tmp_path, header + "a,1,b,c,d\n")
    assert message in messages(inspection)[0]
    assert inspection.problems.fatal
    assert not inspection.can_skip


@pytest.mark.parametrize(("content", "message"), [("", "empty"), ("  \n\n", "empty"), (HEADER, "a header but no rows")])
def test_an_empty_file_is_reported(tmp_path: Path, content: str, message: str) -> None:
    inspection = look(tmp_path, content)
    assert len(inspection.problems.listed) == 1
    assert message in messages(inspection)[0]


def test_a_zip_renamed_to_csv_is_recognised(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "set.csv", "w") as archive:
        archive.writestr("set.csv", HEADER + GOOD)
    inspection = inspect(ImportFiles(path=tmp_path / "set.csv"))
    assert "ZIP archive or an Excel workbook" in messages(inspection)[0]


def test_a_gzipped_file_is_recognised(tmp_path: Path) -> None:
    assert "gzip" in messages(look(tmp_path, gzip.compress(b"text"), "set.tsv"))[0]


def test_utf_16_without_its_mark_is_recognised(tmp_path: Path) -> None:
    assert "byte order mark" in messages(look(tmp_path, (HEADER + GOOD).encode("utf-16-le")))[0]


def test_a_quotation_mark_left_open_is_placed(tmp_path: Path) -> None:
    inspection = look(tmp_path, HEADER + GOOD + 'ferry,2,"open,Ref,A,B\n')
    assert "set.csv, line 3: The table cannot be read from here on" in messages(inspection)[0]
    assert inspection.problems.fatal


def test_a_missing_file_is_a_problem_not_a_crash(tmp_path: Path) -> None:
    inspection = inspect(ImportFiles(path=tmp_path / "gone.csv"))
    assert "cannot be read" in messages(inspection)[0]


def test_json_lines_report_syntax_types_and_unknown_keys(tmp_path: Path) -> None:
    lines = [
        '{"document": "d", "segment": 1, "source": "s", "translations": {"A": "t"}, "colour": "blue"}',
        '{"document": "d", "segment": 2,',
        '{"document": "d", "segment": 3, "source": 7, "translations": {"A": "t"}}',
        '{"document": "d", "segment": 4, "source": "s"}',
        '{"document": "d", "segment": 5, "source": "s", "translations": ["t"]}',
        "[]",
    ]
    inspection = look(tmp_path, "\n".join(lines), "set.jsonl")
    assert inspection.segments == 1
    assert [(problem.line, problem.column) for problem in inspection.problems.listed] == [
        (2, "column 32"),
        (3, "source"),
        (4, "translations"),
        (5, "translations"),
        (6, ""),
    ]
    assert inspection.problems.notes == ["The key 'colour' is unknown and was ignored."]


def test_deeply_nested_json_is_refused_not_followed(tmp_path: Path) -> None:
    assert "This JSON cannot be stored" in messages(look(tmp_path, "{" + '"a":[' * 100_000, "set.jsonl"))[0]


def test_xml_entities_are_refused_with_their_line(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", encoding="utf-8")
    content = f'<!DOCTYPE d [\n<!ENTITY x SYSTEM "file://{secret}">]>\n<dataset>&x;</dataset>'
    inspection = look(tmp_path, content, "set.xml")
    assert messages(inspection) == [
        "set.xml, line 2: The file declares an entity. For safety, entities are not read. Replace them by their text."
    ]


def test_broken_xml_is_placed(tmp_path: Path) -> None:
    inspection = look(tmp_path, '<dataset>\n<doc id="a">\n</dataset>', "set.xml")
    assert messages(inspection) == ["set.xml, line 3, column 3: The XML is not valid here: mismatched tag."]


def test_a_segment_of_xml_without_source_is_reported(tmp_path: Path) -> None:
    content = """<dataset><doc id="d"><src lang="en"><seg id="1">One</seg><seg id="2">Two</seg></src>
<hyp system="Heron" lang="de"><seg id="1">Eins</seg><seg id="3">Drei</seg></hyp></doc></dataset>"""
    inspection = look(tmp_path, content, "set.xml")
    assert messages(inspection) == ["set.xml, line 2, seg id: Segment 3 of hyp 'Heron' has no source. Correct its id."]
    assert inspection.missing_outputs == {"Heron": 1}


def test_sides_of_unequal_length_are_refused(tmp_path: Path) -> None:
    (tmp_path / "source.txt").write_text("one\n\nthree\n", encoding="utf-8")
    (tmp_path / "heron.txt").write_text("eins\nzwei\n", encoding="utf-8")
    inspection = inspect(ImportFiles(source=tmp_path / "source.txt", systems={"Heron": tmp_path / "heron.txt"}))
    assert messages(inspection) == [
        "heron.txt, line 3: 2 lines, but source.txt has 3. Every file must have one line for each segment.",
        "source.txt, line 2: Empty source. Fill it in, or leave the segment out.",
    ]


def test_a_parallel_text_needs_a_source_and_a_system(tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_text("eins\n", encoding="utf-8")
    inspection = inspect(ImportFiles(references={"A": tmp_path / "ref.txt"}))
    assert [problem.message for problem in inspection.problems.listed] == [
        "No file is the source. Choose which one is.",
        "No file belongs to a system. Choose the files of the systems.",
    ]


def test_problems_past_the_limit_are_counted(tmp_path: Path) -> None:
    inspection = look(tmp_path, HEADER + "".join(f"d,{number},,r,a,b\n" for number in range(1500)))
    assert inspection.problems.count == 1500
    assert len(inspection.problems.listed) == 1000
    assert inspection.problems.lines == 1500


@pytest.mark.parametrize("encoding", ["UTF-7", "Shift_JIS", "x-none", "rot13", "hex", "idna"])
def test_an_unsupported_encoding_of_xml_is_named(tmp_path: Path, encoding: str) -> None:
    inspection = look(tmp_path, f'<?xml version="1.0" encoding="{encoding}"?><dataset><doc/></dataset>', "set.xml")
    assert messages(inspection) == [
        f"set.xml, line 1, encoding: The encoding {encoding} is not supported. Save the file as UTF-8."
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('"\\ud800"', "A text contains half a character"),
        ('"a\\u0000b"', "A text contains the character NUL"),
        ("9" * 5000, "A number is too large"),
        ("1e999", "A number is too large"),
        ("NaN", "“NaN” is not a number"),
        ('{"a": 1, "a": 2}', "The key “a” occurs twice"),
        ("[" * 70 + "]" * 70, "nested too deeply"),
    ],
)
def test_json_that_cannot_be_stored_is_placed_and_the_other_lines_are_read_on(
    tmp_path: Path, value: str, expected: str
) -> None:
    good = '{"document": "d", "segment": "%s", "source": "s", "translations": {"Heron": "t"}}'
    bad = f'{{"document": "d", "segment": "2", "source": {value}, "translations": {{"Heron": "t"}}}}'
    inspection = look(tmp_path, "\n".join([good % 1, bad, good % 3, bad, "{"]), "set.jsonl")
    assert inspection.segments == 2
    assert [problem.line for problem in inspection.problems.listed] == [2, 4, 5]
    assert expected in messages(inspection)[0]


def test_a_text_in_utf_16_that_breaks_off_is_refused_not_mended(tmp_path: Path) -> None:
    content = (HEADER + GOOD.replace("late", "la\ud800te")).encode("utf-16", "surrogatepass")
    (problem,) = look(tmp_path, content).problems.listed
    assert (problem.line, problem.column) == (2, "source")
    assert "Half of a character" in problem.message
    assert look(tmp_path, content[:-1]).problems


@pytest.mark.parametrize("name", ["set.csv", "set.tsv", "set.jsonl", "set.xml"])
def test_a_cell_of_30_megabytes_is_refused_in_bounded_memory(tmp_path: Path, name: str) -> None:
    huge = "x" * 30_000_000
    content = {
        "set.csv": HEADER + GOOD + GOOD.replace(",1,", ',2,"' + huge + '",'),
        "set.tsv": (HEADER + GOOD + GOOD.replace(",1,", ",2," + huge)).replace(",", "\t"),
        "set.jsonl": '{"document": "d", "segment": 1, "source": "' + huge + '", "translations": {"A": "a"}}\n',
        "set.xml": f'<dataset><doc id="{huge}"/></dataset>',
    }[name]
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    del content, huge
    tracemalloc.start()
    try:
        inspection = inspect(ImportFiles(path=path))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert inspection.problems.fatal
    message = messages(inspection)[0]
    assert "too long to be read" in message or "more than 10000000 characters" in message
    assert inspection.problems.listed[0].line == {"set.csv": 3, "set.tsv": 3}.get(name, 1)
    assert peak < 90_000_000
