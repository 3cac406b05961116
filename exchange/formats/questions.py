"""Comprehension questions: a file of them (`csv`, `tsv`, JSON lines), or among the segments of a test set.

See docs/formats.md for what is asked of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from campaigns.actions.test_sets import QuestionRecord
from campaigns.reading.problems import Problems, UnreadableFileError, text_error
from campaigns.reading.table_rows import numbered_lines, table_rows
from exchange.formats.text_checks import NAME_LIMIT, check_short
from exchange.reading import json_objects, open_text

QUESTION_KEYS = ("document", "question", "choices", "accepted", "name")
MOST_CHOICES = 9  # a digit chooses each
TEXT_LIMIT = 1_000
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


def read_question_lines(path: Path, name: str, problems: Problems) -> Iterator[QuestionRecord]:
    """A file of questions alone."""
    for line, found in json_objects(path, name, problems):
        record = checked_question(found, line, name, problems)
        if record is not None:
            yield record


def is_question(found: Mapping[str, Any]) -> bool:
    return "question" in found


def checked_question(
    found: Mapping[str, Any], line: int, file: str, problems: Problems, *, needs_document: bool = True
) -> QuestionRecord | None:
    """A question from plain values by key, or None, with everything that is wrong with it among the problems."""
    before = problems.count
    where: dict[str, Any] = {"file": file, "line": line, "problems": problems}
    for key in sorted(set(found) - set(QUESTION_KEYS)):
        problems.note(f"The key {key!r} is unknown in a question and was left out.")
    document, text, name = (_text(found, key, where) for key in ("document", "question", "name"))
    choices, accepted = (_texts(found, key, where) for key in ("choices", "accepted"))
    if problems.count == before:
        if needs_document and not document:
            _refuse("document", "No document. Say which one is asked about.", where)
        check_short(document, column="document", limit=NAME_LIMIT, **where)
        check_short(name, column="name", limit=NAME_LIMIT, **where)
        _check_words(text, "question", "Empty question. Write one.", where)
        _check_choices(choices, where)
    if problems.count == before:
        _check_accepted(accepted, choices, where)
    if problems.count > before:
        return None
    return QuestionRecord(document, name, text, tuple(choices), tuple(accepted), file, line)


def _check_choices(choices: Sequence[str], where: dict[str, Any]) -> None:
    if choices and not 2 <= len(choices) <= MOST_CHOICES:
        _refuse("choices", f"Give from 2 to {MOST_CHOICES} choices, or none: then the answer is typed.", where)
    if len(set(choices)) < len(choices):
        _refuse("choices", "Two choices are the same. Change one of them.", where)
    for choice in choices:
        _check_words(choice, "choices", "A choice is empty. Fill it in or leave it out.", where)


def _check_accepted(accepted: Sequence[str], choices: Sequence[str], where: dict[str, Any]) -> None:
    if not accepted:
        _refuse("accepted", "No accepted answer. Give at least one.", where)
    for answer in accepted:
        if choices and answer not in choices:
            _refuse("accepted", "This is none of the choices. Write it exactly as it stands there.", where, answer)
        elif not choices and not any(sign.isalnum() for sign in answer):
            _refuse("accepted", "An accepted answer needs a letter or a digit.", where, answer)
        elif len(answer) > TEXT_LIMIT:
            _refuse("accepted", f"{len(answer)} characters, at most {TEXT_LIMIT} fit.", where, answer)
    if choices and set(choices) <= set(accepted):
        _refuse("accepted", "Every choice is accepted: then there is nothing to ask.", where)


def _check_words(text: str, column: str, empty: str, where: dict[str, Any]) -> None:
    if not text:
        _refuse(column, empty, where)
    elif len(text) > TEXT_LIMIT:
        _refuse(column, f"{len(text)} characters, at most {TEXT_LIMIT} fit. Shorten it.", where, text)


def _text(found: Mapping[str, Any], key: str, where: dict[str, Any]) -> str:
    value = found.get(key)
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        _refuse(key, "This must be a text.", where, str(value))
        return ""
    return value.strip() if _is_sound(value, key, where) else ""


def _texts(found: Mapping[str, Any], key: str, where: dict[str, Any]) -> list[str]:
    values = found.get(key)
    if values is None:
        return []
    if isinstance(values, str):
        values = [values]
    if not (isinstance(values, list) and all(isinstance(value, str) for value in values)):
        _refuse(key, "This must be a list of texts.", where, str(values))
        return []
    return [value.strip() for value in values if _is_sound(value, key, where)]


def _is_sound(value: str, column: str, where: dict[str, Any]) -> bool:
    fault = text_error(value)
    if fault:
        _refuse(column, fault, where, value)
    return fault is None


def _refuse(column: str, message: str, where: dict[str, Any], value: str = "") -> None:
    where["problems"].add(where["file"], where["line"], column, message, value)
