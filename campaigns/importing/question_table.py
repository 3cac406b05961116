"""A file of questions beside a test set: a table (`csv`, `tsv`), or JSON lines. See docs/formats.md."""

from collections.abc import Iterator
from pathlib import Path

from campaigns.importing.decoding import numbered_lines, open_text
from campaigns.importing.jsonl import read_question_lines
from campaigns.importing.problems import Problems, UnreadableFileError
from campaigns.importing.questions import QUESTION_KEYS, checked_question
from campaigns.importing.records import QuestionRecord
from campaigns.importing.table import table_rows

NEEDED = ("document", "question", "accepted")
LISTS = ("choices", "accepted")
SEPARATOR = "|"


def read_questions(path: Path, name: str, problems: Problems) -> Iterator[QuestionRecord]:
    """By the content: `{` begins JSON lines, a tab in the header makes a tsv."""
    with open_text(path, newline=None) as stream:
        lines = numbered_lines(stream, name, problems)
        head = next((line for _number, line in lines if line.strip()), "").lstrip("\ufeff ")
    if head.startswith("{"):
        yield from read_question_lines(path, name, problems)
    else:
        yield from _read_table(path, name, problems, is_tabbed="\t" in head)


def _read_table(path: Path, name: str, problems: Problems, *, is_tabbed: bool) -> Iterator[QuestionRecord]:
    with open_text(path, newline="") as stream:
        rows = table_rows(stream, name, problems, is_tabbed=is_tabbed)
        _line, header = next(rows, (1, []))
        columns = [title.strip().lower() for title in header]
        _check_header(columns, name, problems)
        for line, cells in rows:
            if len(cells) != len(columns):
                message = f"{len(cells)} cells where the header has {len(columns)}. Look for a stray separator."
                problems.add(name, line, "", message)
                continue
            found = {column: _value(column, cell) for column, cell in zip(columns, cells, strict=True)}
            record = checked_question(found, line, name, problems)
            if record is not None:
                yield record


def _check_header(columns: list[str], name: str, problems: Problems) -> None:
    missing = [column for column in NEEDED if column not in columns]
    twice = sorted({column for column in columns if column in QUESTION_KEYS and columns.count(column) > 1})
    if missing:
        message = f"The header of a file of questions has no column {', '.join(missing)}."
        problems.add(name, 1, "", message, ", ".join(columns), is_fatal=True)
    if twice:
        problems.add(name, 1, ", ".join(twice), "This column occurs twice. Rename one of them.", is_fatal=True)
    if missing or twice:
        raise UnreadableFileError


def _value(column: str, cell: str) -> str | list[str]:
    if column not in LISTS:
        return cell
    return [part.strip() for part in cell.split(SEPARATOR)] if cell.strip() else []
