"""Files made to break what reads them: a sound one for each importer, and everything that can be wrong in it."""

import csv
import gzip
import io
import json
import math
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connection

from tests.sound_files import Row, sheet

ROOMS = ("campaigns", "jobs", "annotation", "metrics")
MARK = "@@here@@"
LONG = 300  # characters: more than any column of names holds

# JSON as it stands in a file: what a parser, a database or a page might stumble over
LITERALS: tuple[str, ...] = (
    '"\\ud800"', '"a\\u0000b"', '"\\udcff"', '{"\\ud800": 1}', '{"a\\u0000": 1}', '{"a": 1, "a": 2}', "[]", "{}",
    "null", "true", '""', "0", "-1", "1.5", str(2**31), str(2**63), "9" * 5000, "-" + "9" * 400, "1e999", "NaN",
    "-Infinity", f'"{"x" * LONG}"', f'"{"0" * LONG}"', '"0001-01-01T00:00:00Z"', '"9999-12-31T23:59:59-14:00"',
    '"0001-01-01T00:00:00+14:00"', "[" * 90 + "]" * 90, "[" * 5000 + "]" * 5000, "[[1]]", '[{"a": []}]', '{"A": 5}',
    '{"A": {"spans": 5}}', '"\\u202edlrow"', "[" + "1," * 3000 + "1]",
)  # fmt: skip
CELLS: tuple[str, ...] = (
    "", "\x00", "a\x00b", "\udcff", "\x1b", "0", "-1", "1.5", str(2**31), str(2**63), "9" * 5000, "0" * 20 + "9" * 5000,
    "1e999", "NaN", "inf", "x" * LONG, "x" * 200_000, "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00",
    "0001-01-01T00:00:00Z", "true", "regular", "{", '{"a": NaN}', '{"slots": 5}', '{"slots": {"A": {"spans": 5}}}',
    '{"slots": {"A": 5}}', '{"slots": {"A": {"spans": [{"start": 99999999999999999999, "end": 1}]}}}',
    '{"slots": {"A": {"spans": [[]]}}}', '{"slots": {"A": {"score": "x"}}}', '{"cannot_judge": "\\ud800"}',
    "[" * 5000, '{"a":' * 5000, '"', "'=1", "=1+1", "<v>", "</v><v>", "\u202edlrow", "\ufffe", "é" * LONG,
)  # fmt: skip


@cache
def whole_files() -> dict[str, bytes]:
    """Files that are wrong from their first byte, whatever is to be read."""
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    bomb = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 9))
    return {
        "empty": b"",
        "blank": b" \r\n\t\n",
        "NUL alone": b"\x00" * 100,
        "a NUL in a word": b"docu\x00ment,segment\n1,2\n",
        "no UTF-8": b"\xff\xff\xfe\xfa,\xc3\x28\n" * 3,
        "half a UTF-16": b"\xff\xfed\x00o\x00c\x00\x00\xd8,\x00\n\x00x",
        "UTF-16 without a mark": "document,segment\n".encode("utf-16-le"),
        "UTF-32": "document,segment\n".encode("utf-32"),
        "XML in UTF-7": b'<?xml version="1.0" encoding="UTF-7"?><dataset/>',
        "XML in an unknown encoding": b'<?xml version="1.0" encoding="x-none"?><dataset/>',
        "XML in rot13": b'<?xml version="1.0" encoding="rot13"?><dataset/>',
        "XML that says UTF-16 and is not": b'<?xml version="1.0" encoding="UTF-16"?><dataset/>',
        "a billion laughs": f'<!DOCTYPE d [<!ENTITY a0 "ha">{bomb}]><dataset>&a8;</dataset>'.encode(),
        "deep XML": b"<doc>" * 20_000,
        "a long attribute": b'<doc id="' + b"x" * 200_000 + b'"/>',
        "deep lists": b"[" * 100_000,
        "deep objects": b'{"a":' * 100_000,
        "a number of 5,000 digits": b'{"document": ' + b"9" * 5000 + b"}\n",
        "half a character": b'{"document": "\\ud800", "segment": 1}\n',
        "half a character in a key": b'{"\\ud800": 1}\n',
        "NaN": b'{"document": NaN}\n',
        "a list": b"[1, 2]\n",
        "a text": b'"x"\n',
        "a cell too large": b'"' + b"x" * 12_000_000 + b'"\n',
        "one line without end": b"x" * 12_000_000,
        "a quotation mark that is not closed": b'document,"segment\n' + b"x,y\n" * 100,
        "XLSX": zipped.getvalue(),
        "PDF": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
        "gzip": gzip.compress(b"document,segment\n"),
        "XLIFF": b'<?xml version="1.0"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"/>',
        "TMX": b'<?xml version="1.0"?><!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx version="1.4"/>',
        "SQLite": b"SQLite format 3\x00" + b"\x00" * 100,
        "commas": b",,,,\n" * 10,
        "tabs": b"\t\t\t\n" * 10,
        "a header twice": b"document,document,segment,segment,source,source\n1,1,1,1,1,1\n",
    }


@dataclass(frozen=True)
class Importer:
    """`load` stores the file at a path or raises `refusal`; `mutants` are files with one thing wrong, by its place."""

    suffix: str
    sound: bytes
    load: Callable[[Path], object]
    refusal: tuple[type[Exception], ...]
    mutants: Callable[[bytes], Iterator[tuple[str, bytes]]]


def in_json_lines(sound: bytes) -> Iterator[tuple[str, bytes]]:
    """Every value of every object replaced by every literal."""
    lines = sound.decode().splitlines()
    for number, line in enumerate(lines):
        for place, marked in marked_places(json.loads(line)):
            template = json.dumps(marked, ensure_ascii=False)
            for literal in LITERALS:
                lines[number] = template.replace(f'"{MARK}"', literal)
                yield f"line {number + 1}, {place}: {literal[:40]}", ("\n".join(lines) + "\n").encode()
        lines[number] = line


def marked_places(value: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """The value with a mark in place of each of its parts in turn, the whole of it among them."""
    yield at or "all of it", MARK
    parts = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        for place, marked in marked_places(part, f"{at}.{key}"):
            if isinstance(value, Mapping):
                yield place, {**value, key: marked}
            else:
                yield place, [*value[:key], marked, *value[key + 1 :]]


def in_table(delimiter: str, *, has_header: bool = True) -> Callable[[bytes], Iterator[tuple[str, bytes]]]:
    """Every cell of the first row, and of the header, replaced by every hostile one."""

    def mutants(sound: bytes) -> Iterator[tuple[str, bytes]]:
        rows = list(csv.reader(io.StringIO(sound.decode(), newline=""), delimiter=delimiter))
        for number, row in enumerate(rows[: 1 + has_header]):
            for place in range(len(row)):
                for cell in CELLS:
                    changed = [*rows[:number], [*row[:place], cell, *row[place + 1 :]], *rows[number + 1 :]]
                    name = f"row {number + 1}, cell {place + 1}: {cell[:40]!r}"
                    yield name, written(changed, delimiter).encode("utf-8", "surrogateescape")

    return mutants


def in_lines(sound: bytes) -> Iterator[tuple[str, bytes]]:
    """Every cell of every tabbed line replaced: those of JSON in each of their parts, the others as in a table."""
    lines = sound.decode().splitlines()
    for number, line in enumerate(lines):
        row = line.split("\t")
        for place, cell in enumerate(row):
            where = f"line {number + 1}, cell {place + 1}"
            for name, changed in _hostile(cell):
                content = "\t".join([*row[:place], changed, *row[place + 1 :]])
                whole = "\n".join([*lines[:number], content, *lines[number + 1 :]]) + "\n"
                yield f"{where}{name}", whole.encode("utf-8", "surrogateescape")


def _hostile(cell: str) -> Iterator[tuple[str, str]]:
    if not cell.startswith(("{", "[")):
        yield from ((f": {changed[:40]!r}", changed) for changed in CELLS)
        return
    for place, marked in marked_places(json.loads(cell)):
        template = json.dumps(marked, ensure_ascii=False)
        for literal in LITERALS:
            yield f" {place}: {literal[:40]}", template.replace(f'"{MARK}"', literal)


def broken(sound: bytes) -> Iterator[tuple[str, bytes]]:
    """What happens to files on their way."""
    plain = sound.replace(b"~", b"")
    for part in range(1, 16):
        yield f"broken off after {part}/16", plain[: len(plain) * part // 16]
    text = plain.decode("utf-8", "replace")
    for encoding in ("latin-1", "cp1251", "utf-16-le", "utf-16", "utf-32", "shift-jis"):
        yield encoding, text.encode(encoding, "replace")
    yield "twice", plain * 2
    yield "its last half twice", plain + plain[len(plain) // 2 :]
    yield "in lines of Windows", plain.replace(b"\n", b"\r\n")
    yield "with a mark at the start", b"\xef\xbb\xbf" + plain
    yield "marks of direction everywhere", text.replace(" ", "\u202e \u200f").encode()
    yield "empty texts", plain.replace(b"ist", b"").replace(b"Es", b"")
    for name in ("document.csv", "../../outside.csv"):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(name, plain)
        yield f"a ZIP file of {name}", packed.getvalue()
    yield "gzip", gzip.compress(plain)


def in_sheet(*rows: Row) -> Callable[[bytes], Iterator[tuple[str, bytes]]]:
    """Every cell of a workbook replaced by every hostile one that XML can hold."""

    def mutants(_sound: bytes) -> Iterator[tuple[str, bytes]]:
        written_as_text = [
            cell for cell in CELLS if not any(sign < " " or "\ud800" <= sign <= "\udfff" for sign in cell)
        ]
        hostile: Row = (*written_as_text, math.nan, math.inf, 1e300, -1.5)
        for number, row in enumerate(rows):
            for place in range(len(row)):
                for cell in hostile:
                    changed = [*rows[:number], [*row[:place], cell, *row[place + 1 :]], *rows[number + 1 :]]
                    yield f"row {number + 1}, cell {place + 1}: {str(cell)[:40]!r}", sheet(*changed)

    return mutants


def written(rows: list[list[str]], delimiter: str) -> str:
    text = io.StringIO(newline="")
    if delimiter == ",":
        csv.writer(text, lineterminator="\n").writerows(rows)
        return text.getvalue()
    return "".join(delimiter.join(row) + "\n" for row in rows)


def in_text(sound: bytes) -> Iterator[tuple[str, bytes]]:
    """Between any two marks `~`, every hostile cell as it is."""
    pieces = sound.decode().split("~")
    plain = "".join(pieces).encode()
    yield "nothing", plain
    for place in range(1, len(pieces), 2):
        for cell in CELLS:
            changed = [*pieces[:place], cell, *pieces[place + 1 :]]
            yield f"place {place}: {cell[:40]!r}", "".join(changed).encode("utf-8", "surrogateescape")


def row_counts() -> dict[str, int]:
    """Of every table that an import may fill, in one question."""
    tables = [model._meta.db_table for room in ROOMS for model in apps.get_app_config(room).get_models()]
    query = " UNION ALL ".join(f"SELECT '{table}', COUNT(*) FROM {table}" for table in tables)  # noqa: S608 - ours
    with connection.cursor() as cursor:
        cursor.execute(query)
        return dict(cursor.fetchall())
