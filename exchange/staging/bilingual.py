"""Sides of segments that may be anywhere in a file, joined on disk: each segment once, in the order of the file."""

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _

from campaigns.actions.test_sets import SegmentRecord
from exchange.reading import SourceFile, WrongSegment
from exchange.staging.database import insert_rows, scratch_database

SOURCE, REFERENCE, SYSTEM = "source", "reference", "system"
_TABLE = """
CREATE TABLE side (
    place INTEGER PRIMARY KEY, document TEXT, segment TEXT, kind TEXT, name TEXT, text TEXT, line INTEGER, part INTEGER
);
"""
_IN_ORDER = """
SELECT * FROM (
    SELECT *, MIN(place) OVER (PARTITION BY document) AS first, MIN(place) OVER (PARTITION BY document, segment) AS own
    FROM side
) ORDER BY first, own, place
"""


class SideRow(NamedTuple):
    """`part` counts what a segment may be in once: a `file` of XLIFF."""

    document: str
    segment: str
    kind: str
    name: str
    text: str
    line: int
    part: int


def joined(file: SourceFile, rows: Iterable[SideRow]) -> Iterator[SegmentRecord | WrongSegment]:
    """The same segment may come once more with another system, if its source is the same."""
    with scratch_database() as database:
        database.executescript(_TABLE)
        database.execute("BEGIN")
        insert_rows(database, "side", rows)
        database.execute("COMMIT")
        for _key, sides in groupby(database.execute(_IN_ORDER), key=lambda row: row["own"]):
            record = _segment(file, list(sides))
            if record is not None:
                yield record


def _segment(file: SourceFile, rows: list[sqlite3.Row]) -> SegmentRecord | WrongSegment | None:
    first = rows[0]
    line = file.line(first["line"])
    texts: dict[str, dict[str, str]] = {REFERENCE: {}, SYSTEM: {}}
    is_right = True
    parts: set[int] = set()
    for row in rows:
        here = file.line(row["line"])
        if row["kind"] == SOURCE:
            if row["part"] in parts:
                message = _("Segment %(segment)s occurs twice in “%(document)s”, first in line %(line)d.")
                values = {"segment": row["segment"], "document": row["document"], "line": first["line"]}
                is_right = here.refuse("segment", message % values)
            elif row["text"] != first["text"]:
                message = _("The source of segment %(segment)s is not the one in line %(line)d.")
                values = {"segment": row["segment"], "line": first["line"]}
                is_right = here.refuse("source", message % values)
            parts.add(row["part"])
            continue
        known = texts[row["kind"]]
        is_same = known.get(row["name"]) == row["text"]
        if row["name"] in known and not (is_same and row["kind"] == REFERENCE):
            message = _("“%(name)s” has segment %(segment)s of “%(document)s” twice. Keep one.")
            values = {"name": row["name"], "segment": row["segment"], "document": row["document"]}
            is_right = here.refuse(row["kind"], message % values) and is_right
        is_right = here.check_name(row["name"], row["kind"], 100) and is_right
        known[row["name"]] = row["text"]
    plain = {"document": first["document"], "segment": first["segment"], "source": first["text"]}
    record = line.segment(plain, texts[REFERENCE], texts[SYSTEM])
    if record is None or is_right:
        return record
    return WrongSegment(first["document"], first["segment"], file.name, first["line"])
