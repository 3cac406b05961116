"""Comprehension questions: a file of them (`csv`, `tsv`, JSON lines), or among the segments of a test set.

See docs/formats.md for their keys.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from campaigns.actions.test_sets import QuestionRecord
from exchange.json_values import as_json
from exchange.reading import NAME_LIMIT, Line, SourceFile, check_header

QUESTION_KEYS = ("document", "question", "choices", "accepted", "name")
MOST_CHOICES = 9  # each is chosen by a digit
TEXT_LIMIT = 1_000
NEEDED = ("document", "question", "accepted")
LISTS = ("choices", "accepted")
SEPARATOR = "|"


def read_questions(file: SourceFile) -> Iterator[QuestionRecord]:
    """By the content: `{` begins JSON lines, a tab in the header makes a tsv."""
    head = file.header().lstrip("\ufeff ")
    lines = file.json_objects() if head.startswith("{") else _table_lines(file, is_tabbed="\t" in head)
    for line, values in lines:
        record = checked_question(values, line)
        if record is not None:
            yield record


def _table_lines(file: SourceFile, *, is_tabbed: bool) -> Iterator[tuple[Line, dict[str, Any]]]:
    rows = file.table_rows(is_tabbed=is_tabbed)
    first, header = next(rows, (1, []))
    columns = [title.strip().lower() for title in header]
    check_header(columns, NEEDED, QUESTION_KEYS, file.line(first))
    for number, cells in rows:
        line = file.line(number)
        if line.has_width(cells, len(columns)):
            yield line, {column: _value(column, cell) for column, cell in zip(columns, cells, strict=True)}


def _value(column: str, cell: str) -> str | list[str]:
    if column not in LISTS:
        return cell
    return [part.strip() for part in cell.split(SEPARATOR)] if cell.strip() else []


def is_question(values: Mapping[str, Any]) -> bool:
    return "question" in values


def checked_question(values: Mapping[str, Any], line: Line, *, needs_document: bool = True) -> QuestionRecord | None:
    """A question from plain values by key, or None, with all its errors among the problems."""
    problems = line.problems
    before = problems.count
    for key in sorted(set(values) - set(QUESTION_KEYS)):
        problems.note(f"A question has no key {key!r}: it was ignored.")
    document, text, name = (_text(values, key, line) for key in ("document", "question", "name"))
    choices, accepted = (_texts(values, key, line) for key in ("choices", "accepted"))
    if needs_document and not document:
        line.refuse("document", "No document. Name the document that the question is about.")
    line.check_short(document, "document", NAME_LIMIT)
    line.check_short(name, "name", NAME_LIMIT)
    _check_filled(text, "question", "Empty question. Write one.", line)
    _check_choices(choices, line)
    if problems.count == before:
        _check_accepted(accepted, choices, line)
    if problems.count > before:
        return None
    return QuestionRecord(document, name, text, tuple(choices), tuple(accepted), line.file, line.number or 0)


def _check_choices(choices: Sequence[str], line: Line) -> None:
    if choices and not 2 <= len(choices) <= MOST_CHOICES:
        line.refuse("choices", f"Give from 2 to {MOST_CHOICES} choices, or none if the answer is typed.")
    if len(set(choices)) < len(choices):
        line.refuse("choices", "Two choices are the same. Change one of them.")
    for choice in choices:
        _check_filled(choice, "choices", "A choice is empty. Fill it in or leave it out.", line)


def _check_accepted(accepted: Sequence[str], choices: Sequence[str], line: Line) -> None:
    if not accepted:
        line.refuse("accepted", "No accepted answer. Give at least one.")
    for answer in accepted:
        if choices and answer not in choices:
            line.refuse("accepted", "This is not one of the choices. Write it exactly as in the choices.", answer)
        elif not choices and not any(sign.isalnum() for sign in answer):
            line.refuse("accepted", "An accepted answer needs a letter or a digit.", answer)
        else:
            line.check_short(answer, "accepted", TEXT_LIMIT)
    if choices and set(choices) <= set(accepted):
        line.refuse("accepted", "Every choice is accepted, so the question tests nothing. Accept fewer.")


def _check_filled(text: str, column: str, empty: str, line: Line) -> None:
    if not text:
        line.refuse(column, empty)
    else:
        line.check_short(text, column, TEXT_LIMIT)


def _text(values: Mapping[str, Any], key: str, line: Line) -> str:
    return line.text(values, key, may_be_number=True).strip()


def _texts(record: Mapping[str, Any], key: str, line: Line) -> list[str]:
    values = record.get(key)
    if values is None:
        return []
    if isinstance(values, str):
        values = [values]
    if not (isinstance(values, list) and all(isinstance(value, str) for value in values)):
        line.refuse(key, "This must be a list of texts.", as_json(values))
        return []
    return [value.strip() for value in values if line.is_readable(value, key)]
