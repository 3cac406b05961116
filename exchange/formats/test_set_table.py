"""Tables: `csv` (comma or semicolon, quoted) and `tsv` (tabs, nothing quoted). See docs/formats.md for the columns."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from campaigns.actions.test_sets import SegmentRecord
from campaigns.reading.problems import Problems, UnreadableFileError
from campaigns.reading.table_rows import table_rows
from exchange.formats.columns import NONE, Column, as_chosen, check_columns, check_complete, guessed
from exchange.formats.text_checks import check_name, check_short, check_texts, split_tags
from exchange.reading import open_text

SAMPLES = 3


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


def read_csv(path: Path, name: str, problems: Problems, choices: Mapping[str, str]) -> Iterator[SegmentRecord]:
    yield from _read(path, name, problems, choices, is_tabbed=False)


def read_tsv(path: Path, name: str, problems: Problems, choices: Mapping[str, str]) -> Iterator[SegmentRecord]:
    yield from _read(path, name, problems, choices, is_tabbed=True)


def table_columns(path: Path, choices: Mapping[str, str], *, is_tabbed: bool) -> list[Column]:
    """The columns as they are read, with what stands in the first rows, however wrong the file is further on."""
    unheard, name = Problems(), ""
    with open_text(path, newline="") as stream:
        rows = table_rows(stream, name, unheard, is_tabbed=is_tabbed)
        try:
            header, *first = [cells for _line, cells in islice(rows, 1 + SAMPLES)] or [[]]
        except UnreadableFileError:
            return []
    columns = as_chosen(guessed(header, unheard), choices, name, unheard)
    return [
        replace(column, samples=tuple(cells[at] for cells in first if at < len(cells)))
        for at, column in enumerate(columns)
    ]


def _read(
    path: Path, name: str, problems: Problems, choices: Mapping[str, str], *, is_tabbed: bool
) -> Iterator[SegmentRecord]:
    with open_text(path, newline="") as stream:
        rows = table_rows(stream, name, problems, is_tabbed=is_tabbed)
        header = next(rows, None)
        if header is None:
            problems.add(name, None, "", "The file is empty.", is_fatal=True)
            return
        columns = _columns(header[1], choices, name, problems)
        count = 0
        for line, cells in rows:
            count += 1
            record = _record(cells, line, columns, name, problems)
            if record is not None:
                yield record
        if not count:
            problems.add(name, 1, "", "There is a header but no row below it.", is_fatal=True)


def _columns(header: list[str], choices: Mapping[str, str], name: str, problems: Problems) -> _Columns:
    columns = as_chosen(guessed(header, problems), choices, name, problems)
    check_columns(columns, name, problems)
    check_complete(columns, name, problems)
    if problems.fatal:
        raise UnreadableFileError
    placed = _Columns([column.title for column in columns])
    kinds = {"reference": placed.references, "system": placed.systems}
    for at, column in enumerate(columns):
        if column.meaning != NONE:
            kinds.get(column.meaning, placed.plain)[column.name or column.meaning] = at
    return placed


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
