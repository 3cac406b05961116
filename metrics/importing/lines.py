"""Lines of a file of scores: a table with a header, or mt-metrics-eval's system and score without one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from campaigns.importing.decoding import check_is_text, fault_in, numbered_lines, open_text
from campaigns.importing.problems import Problems, UnreadableFileError
from campaigns.importing.table import table_rows

NEEDED = ("system", "score")
PLACES = ("document", "segment")
NO_SCORE = ("", "None", "NA", "nan", "NaN")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_LARGEST = 1e300


@dataclass(frozen=True)
class ScoreLine:
    """`document` and `segment` are None where the file names none; `value` is None where there is no score."""

    line: int
    system: str
    document: str | None
    segment: str | None
    value: float | None


@dataclass
class ScoreLines:
    """The sound lines of a file; what is wrong with others is among the problems."""

    lines: list[ScoreLine]
    has_documents: bool = False
    has_segments: bool = False


def read_lines(path: Path, name: str, problems: Problems) -> ScoreLines:
    found = ScoreLines([])
    try:
        check_is_text(path, name, problems)
        with open_text(path, newline="") as stream:
            first = next((line for _number, line in numbered_lines(stream, name, problems) if line.strip()), "")
            stream.seek(0)
            is_tabbed = "\t" in first or not any(mark in first for mark in ",;")
            _read(table_rows(stream, name, problems, is_tabbed=is_tabbed), found, name, problems)
    except UnreadableFileError:
        return ScoreLines([])
    return found


def _read(rows: Iterator[tuple[int, list[str]]], found: ScoreLines, name: str, problems: Problems) -> None:
    columns: dict[str, int] = {}
    for line, raw in rows:
        cells = raw[0].split() if len(raw) == 1 else [cell.strip() for cell in raw]
        if not columns:
            header = _header(cells, line, name, problems)
            columns = header or _WITHOUT_HEADER
            found.has_documents, found.has_segments = "document" in columns, "segment" in columns
            if header:
                continue
        if len(cells) == columns["width"]:
            found.lines += _line(cells, columns, line, name, problems)
        else:
            problems.add(name, line, "", _width_message(columns["width"], len(cells)), "\t".join(cells))


_WITHOUT_HEADER = {"system": 0, "score": 1, "width": 2}


def _header(cells: list[str], line: int, name: str, problems: Problems) -> dict[str, int] | None:
    """Where each thing stands; None of a first line that names no column and is a line like the others."""
    titles = [cell.lower() for cell in cells]
    if not set(titles) & {*NEEDED, *PLACES}:
        return None
    for title in (*NEEDED, *PLACES):
        if titles.count(title) > 1:
            problems.add(name, line, title, _("This column stands there twice. Keep one."), is_fatal=True)
    missing = [title for title in NEEDED if title not in titles]
    if "document" in titles and "segment" not in titles:
        missing.append("segment")
    for title in missing:
        problems.add(name, line, title, _("The header lacks this column."), is_fatal=True)
    if problems.fatal:
        raise UnreadableFileError
    return {title: at for at, title in enumerate(titles) if title in (*NEEDED, *PLACES)} | {"width": len(titles)}


def _width_message(wanted: int, found: int) -> str:
    if wanted == _WITHOUT_HEADER["width"]:
        return _("A line is a system, a tab and a score.")
    return _("%(found)d cells where the header has %(wanted)d. Look for a missing or a stray separator.") % {
        "found": found,
        "wanted": wanted,
    }


def _line(cells: list[str], columns: dict[str, int], line: int, name: str, problems: Problems) -> Iterator[ScoreLine]:
    is_sound = True
    for title in ("system", *(place for place in PLACES if place in columns)):
        cell = cells[columns[title]]
        fault = _("This cell is empty.") if not cell else fault_in(cell)
        if fault:
            problems.add(name, line, title, fault, cell)
            is_sound = False
    written = cells[columns["score"]]
    is_number = _NUMBER.fullmatch(written) is not None and abs(float(written)) < _LARGEST
    if written not in NO_SCORE and not is_number:
        problems.add(
            name, line, "score", _("This is not a number. Write it as -0.53, or None where there is no score."), written
        )
        is_sound = False
    if is_sound:
        yield ScoreLine(
            line=line,
            system=cells[columns["system"]],
            document=cells[columns["document"]] if "document" in columns else None,
            segment=cells[columns["segment"]] if "segment" in columns else None,
            value=float(written) + 0.0 if is_number else None,
        )
