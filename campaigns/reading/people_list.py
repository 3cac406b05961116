"""A list of people, pasted or from a file: one a line, as `Name`, `Name <address>`, or a table with a header."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from django.utils.translation import gettext as _

from campaigns.new_people import Person
from campaigns.reading.foreign_files import LOOKED_AT, kind_of
from campaigns.reading.problems import Problem, Problems, UnreadableFileError
from campaigns.reading.table_rows import table_rows
from campaigns.reading.workbook import is_workbook, workbook_rows

COLUMNS = ("name", "email", "languages", "username", "password")
_ALSO_CALLED = {
    "e-mail": "email",
    "mail": "email",
    "language": "languages",
    "user name": "username",
    "user": "username",
    "account": "username",
}
_ADDRESSED = re.compile(r"(?P<name>[^<>]*)<(?P<email>[^<>]+)>")
_BETWEEN_LANGUAGES = re.compile(r"[\s,;|/]+")


def read_people(text: str) -> tuple[list[Person], list[Problem]]:
    """The people on the list, and errors in its form; `check_people` reports errors in the people."""
    problems = Problems()
    if foreign := kind_of(text[:LOOKED_AT].encode("utf-8", "replace")):
        return [], [Problem("", None, "", foreign)]
    if "\x00" in text:
        message = _("This is not text; perhaps it is an Excel workbook. Save the sheet as CSV and use that file.")
        return [], [Problem("", None, "", message)]
    stream = io.StringIO(text.lstrip("\ufeff"), newline="")
    is_tabbed = "\t" in next((line for line in text.splitlines() if line.strip()), "")
    people: list[Person] = []
    with suppress(UnreadableFileError):  # the reason is among the problems
        people = list(_people(table_rows(stream, "", problems, is_tabbed=is_tabbed), problems))
    return people, problems.listed


def list_in_file(path: Path, problems: Problems) -> str:
    """The text of the file; a workbook becomes a table whose lines have the numbers of its rows."""
    content = path.read_bytes()
    if not is_workbook(content.decode("latin-1")):
        return content.decode("utf-8-sig", "replace")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    line = 0
    with suppress(UnreadableFileError):  # the reason is among the problems
        for number, cells in workbook_rows(path, "", problems):
            text.write("\n" * (number - line - 1))
            writer.writerow([" ".join(cell.split()) for cell in cells])
            line = number
    return text.getvalue()


def without_passwords(people: Sequence[Person]) -> str:
    """The list as a new table, without passwords."""
    rows = [{**asdict(person), "languages": " ".join(person.languages)} for person in people]
    columns = [column for column in COLUMNS if column != "password" and any(row[column] for row in rows)]
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _people(rows: Iterator[tuple[int, list[str]]], problems: Problems) -> Iterator[Person]:
    columns: list[str] | None = None
    for number, (line, cells) in enumerate(rows):
        texts = [cell.strip() for cell in cells]
        if number == 0 and (columns := _header(texts, problems)):
            continue
        if columns is None:
            person = _without_header(texts, line, problems)
        else:
            person = _with_header(columns, texts, line, problems)
        if person is not None:
            yield person


def _header(cells: list[str], problems: Problems) -> list[str] | None:
    """The columns, where the first line names any."""
    columns = [_ALSO_CALLED.get(cell.lower(), cell.lower()) for cell in cells]
    if not set(columns) & set(COLUMNS):
        return None
    times = Counter(columns)
    for column, title in zip(columns, cells, strict=True):
        if column not in COLUMNS:
            message = _("Unknown column. Allowed: %(columns)s.") % {"columns": ", ".join(COLUMNS)}
            problems.add("", 1, title, message)
        elif times[column] > 1:
            problems.add("", 1, title, _("This column occurs twice."))
    if problems.count:
        raise UnreadableFileError
    return columns


def _with_header(columns: list[str], cells: list[str], line: int, problems: Problems) -> Person | None:
    if len(cells) != len(columns):
        message = _("Cells in this row: %(count)d, in the header: %(columns)d.")
        problems.add("", line, "", message % {"count": len(cells), "columns": len(columns)})
        return None
    values = dict(zip(columns, cells, strict=True))
    languages = tuple(tag for tag in _BETWEEN_LANGUAGES.split(values.pop("languages", "")) if tag)
    return Person(languages=languages, line=line, **values)


def _without_header(cells: list[str], line: int, problems: Problems) -> Person | None:
    """Without a header: a name, and perhaps an address behind it."""
    addressed = _ADDRESSED.fullmatch(cells[0])
    if addressed and not any(cells[1:]):
        return Person(name=addressed["name"].strip(' "'), email=addressed["email"].strip(), line=line)
    name, *rest = cells
    if len(rest) > 1 or (rest and rest[0] and "@" not in rest[0]):
        message = _(
            "Only an e-mail address can follow a name. For other columns, begin with a header such as %(header)s."
        )
        problems.add("", line, "", message % {"header": ",".join(COLUMNS)})
        return None
    return Person(name=name, email=rest[0] if rest else "", line=line)
