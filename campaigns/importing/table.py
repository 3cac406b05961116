"""Tables: `csv` (comma or semicolon, quoted) and `tsv` (tabs, nothing quoted). See docs/formats.md for the columns."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from campaigns.importing.checking import SHORT_LIMIT, check_name, check_short, check_texts, split_tags
from campaigns.importing.decoding import fault_in, open_text
from campaigns.importing.problems import Problems, UnreadableFileError
from campaigns.importing.records import SegmentRecord

NEEDED = ("document", "segment", "source")
PLAIN = (*NEEDED, "domain", "tags", "title")
CELL_LIMIT = 10_000_000


@dataclass
class _Columns:
    """Where each thing stands in a row; `titles` are the columns as the header spells them."""

    titles: list[str]
    plain: dict[str, int] = field(default_factory=dict)
    references: dict[str, int] = field(default_factory=dict)
    systems: dict[str, int] = field(default_factory=dict)

    @property
    def spelled(self) -> dict[str, str]:
        places = {f"reference:{name}": at for name, at in self.references.items()}
        places.update({f"system:{name}": at for name, at in self.systems.items()})
        return {key: self.titles[at] for key, at in places.items()}


def read_csv(path: Path, name: str, problems: Problems) -> Iterator[SegmentRecord]:
    yield from _read(path, name, problems, is_tabbed=False)


def read_tsv(path: Path, name: str, problems: Problems) -> Iterator[SegmentRecord]:
    yield from _read(path, name, problems, is_tabbed=True)


def _read(path: Path, name: str, problems: Problems, *, is_tabbed: bool) -> Iterator[SegmentRecord]:
    with open_text(path, newline="") as stream:
        rows = table_rows(stream, name, problems, is_tabbed=is_tabbed)
        header = next(rows, None)
        if header is None:
            problems.add(name, None, "", "The file is empty.", is_fatal=True)
            return
        columns = _columns(header[1], name, problems)
        count = 0
        for line, cells in rows:
            count += 1
            record = _record(cells, line, columns, name, problems)
            if record is not None:
                yield record
        if not count:
            problems.add(name, 1, "", "There is a header but no row below it.", is_fatal=True)


def table_rows(stream: TextIO, name: str, problems: Problems, *, is_tabbed: bool) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, with the physical line each begins on."""
    csv.field_size_limit(CELL_LIMIT)
    if is_tabbed:
        reader = csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(stream, delimiter=_delimiter(stream), strict=True)
    while True:
        begins = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            message = (
                f"The table breaks off here: {error}. Look for a quotation mark that is not closed or not doubled."
            )
            problems.add(name, begins, "", message, is_fatal=True)
            raise UnreadableFileError from error
        if any(cell.strip() for cell in cells):
            yield begins, cells


def _delimiter(stream: TextIO) -> str:
    """Spreadsheets in half of Europe write semicolons; the header tells."""
    head = stream.readline(100_000)
    stream.seek(0)
    return ";" if head.count(";") > head.count(",") else ","


def _columns(header: list[str], name: str, problems: Problems) -> _Columns:
    columns = _Columns([title.strip() for title in header])
    for at, title in enumerate(columns.titles):
        _place(title, at, columns, name, problems)
    missing = [needed for needed in NEEDED if needed not in columns.plain]
    if missing:
        message = (
            f"The header has no column {', '.join(missing)}. Needed are {', '.join(NEEDED)} and one column a system."
        )
        problems.add(name, 1, "", message, ", ".join(columns.titles), is_fatal=True)
    if not columns.systems and not missing:
        problems.add(name, 1, "", "The header has no column of a system. Add one column for each.", is_fatal=True)
    if problems.fatal:
        raise UnreadableFileError
    return columns


def _place(title: str, at: int, columns: _Columns, name: str, problems: Problems) -> None:
    kind, _colon, rest = title.partition(":")
    key, label = kind.strip().lower(), rest.strip()
    target, entry = columns.systems, title
    if key in PLAIN and not rest:
        target, entry = columns.plain, key
    elif key == "reference":
        target, entry = columns.references, label or "A"
    elif key == "system" and rest:
        entry = label
    fault = fault_in(title)
    if not entry or fault or len(entry) > SHORT_LIMIT:
        message = fault or f"Column {at + 1} has no name, or one of more than {SHORT_LIMIT} characters."
        problems.add(name, 1, f"column {at + 1}", message, title, is_fatal=True)
    elif entry in target:
        problems.add(name, 1, title, "This column occurs twice. Rename one of them.", is_fatal=True)
    target.setdefault(entry, at)


def _record(cells: list[str], line: int, columns: _Columns, name: str, problems: Problems) -> SegmentRecord | None:
    if len(cells) != len(columns.titles):
        message = (
            f"{len(cells)} cells where the header has {len(columns.titles)}. Look for a missing or a stray separator."
        )
        problems.add(name, line, "", message)
        return None
    plain = {key: cells[at] for key, at in columns.plain.items()}
    short = {key: plain.get(key, "").strip() for key in ("document", "segment", "domain", "title")}
    references = {key: cells[at] for key, at in columns.references.items()}
    translations = {key: cells[at] for key, at in columns.systems.items()}
    where: dict[str, Any] = {"file": name, "line": line, "problems": problems}
    checks = [
        check_name(short["document"], column="document", **where),
        check_name(short["segment"], column="segment", **where),
        check_short(short["domain"], column="domain", **where),
        check_short(short["title"], column="title", limit=255, **where),
        check_short(plain.get("tags", ""), column="tags", limit=1000, **where),
        check_texts(plain["source"], references, translations, columns=columns.spelled, **where),
    ]
    if not all(checks):
        return None
    tags = split_tags(plain.get("tags", ""))
    return SegmentRecord(
        document=short["document"],
        segment=short["segment"],
        source=plain["source"],
        references=references,
        translations=translations,
        title=short["title"],
        domain=short["domain"],
        tags=tags,
        file=name,
        line=line,
    )
