"""JSON lines: one object a segment or a question. See docs/formats.md for the keys."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from campaigns.importing.checking import SHORT_LIMIT, check_name, check_short, check_texts
from campaigns.importing.columns import NONE, Column, as_chosen, check_columns, columns_called, parted
from campaigns.importing.decoding import fault_in, numbered_lines, open_text
from campaigns.importing.json_values import JSONFault, read_json
from campaigns.importing.problems import Problems, UnreadableFileError
from campaigns.importing.questions import checked_question, is_question
from campaigns.importing.records import QuestionRecord, SegmentRecord
from campaigns.importing.suggested_spans import suggested_from

KEYS = ("document", "segment", "source", "references", "translations", "domain", "tags", "title", "suggested")
OBJECTS = ("references", "translations", "suggested")
LOOKED_AT = 100  # objects whose keys are shown
SAMPLES = 3
_GROUPS = {"reference": "references", "system": "translations"}


def read_jsonl(
    path: Path, name: str, problems: Problems, choices: Mapping[str, str]
) -> Iterator[SegmentRecord | QuestionRecord]:
    """Segments and questions, in whatever order they stand."""
    roles = _roles(path, name, problems, choices) if choices else {}
    for line, found in json_objects(path, name, problems):
        if is_question(found):
            record: SegmentRecord | QuestionRecord | None = checked_question(found, line, name, problems)
        else:
            record = _segment(_renamed(found, roles), line, name, problems)
        if record is not None:
            yield record


def jsonl_columns(path: Path, choices: Mapping[str, str]) -> list[Column]:
    """The keys of the first segments, with their first values, however wrong the file is further on."""
    return as_chosen(_keys(path), choices, "", Problems(), OBJECTS)


def _keys(path: Path) -> list[Column]:
    columns: dict[str, Column] = {}
    objects = (found for _line, found in json_objects(path, "", Problems()) if not is_question(found))
    with suppress(UnreadableFileError):  # why is said when the records are read
        _gather(islice(objects, LOOKED_AT), columns)
    return list(columns.values())


def _gather(objects: Iterable[Mapping[str, Any]], columns: dict[str, Column]) -> None:
    for found in objects:
        for key, value in found.items():
            column = columns.setdefault(key, Column(len(columns) + 1, key, key if key in KEYS else NONE))
            if len(column.samples) < SAMPLES:
                sample = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                columns[key] = replace(column, samples=(*column.samples, sample))


def _roles(path: Path, name: str, problems: Problems, choices: Mapping[str, str]) -> dict[str, str]:
    """What each key is that somebody spoke of."""
    columns = as_chosen(_keys(path), choices, name, problems, OBJECTS)
    check_columns(columns, name, problems)
    if problems.fatal:
        raise UnreadableFileError
    return {column.title: column.role for key in choices for column in columns_called(key, columns)}


def _renamed(found: Mapping[str, Any], roles: Mapping[str, str]) -> Mapping[str, Any]:
    """The object with its keys as they should be called; a null is a gap."""
    if not roles:
        return found
    renamed = {key: value for key, value in found.items() if key not in roles}
    for key, role in roles.items():
        meaning, label = parted(role)
        if meaning == NONE or found.get(key) is None:
            continue
        group = _GROUPS.get(meaning)
        if group is None:
            renamed[meaning] = found[key]
        else:
            inner = renamed.get(group) or {}
            renamed[group] = {**inner, label: found[key]} if isinstance(inner, dict) else inner
    return renamed


def read_question_lines(path: Path, name: str, problems: Problems) -> Iterator[QuestionRecord]:
    """A file of questions alone."""
    for line, found in json_objects(path, name, problems):
        record = checked_question(found, line, name, problems)
        if record is not None:
            yield record


def json_objects(path: Path, name: str, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    """One object a line, with its line."""
    with open_text(path, newline="\n") as stream:
        for line, text in numbered_lines(stream, name, problems):
            found = _object(text, line, name, problems) if text.strip() else None
            if found is not None:
                yield line, found


def _object(text: str, line: int, name: str, problems: Problems) -> dict[str, Any] | None:
    fault = fault_in(text.rstrip("\r\n"))
    if fault:
        problems.add(name, line, "", fault)
        return None
    try:
        found = read_json(text.rstrip())
    except JSONFault as error:
        column = "" if error.column is None else f"column {error.column}"
        remedy = "Every line must hold one whole object." if column else "Correct this line."
        problems.add(name, line, column, f"This is not JSON that can be stored: {error.reason}. {remedy}")
        return None
    if not isinstance(found, dict):
        problems.add(name, line, "", "Every line must hold one JSON object.", text.strip())
        return None
    return found


def _segment(found: Mapping[str, Any], line: int, name: str, problems: Problems) -> SegmentRecord | None:
    for key in sorted(set(found) - set(KEYS)):
        problems.note(f"The key {key!r} is unknown and was left out.")
    return _checked(found, line, name, problems)


def _checked(found: Mapping[str, Any], line: int, name: str, problems: Problems) -> SegmentRecord | None:
    before = problems.count
    where: dict[str, Any] = {"file": name, "line": line, "problems": problems}
    plain = {key: _text(found, key, where) for key in ("document", "segment", "source", "domain", "title")}
    references = _texts(found, "references", where)
    translations = _texts(found, "translations", where)
    tags = found.get("tags") or []
    if not (isinstance(tags, list) and all(isinstance(tag, str) for tag in tags)):
        problems.add(name, line, "tags", "Tags must be a list of texts.")
    else:
        for tag in tags:
            check_short(tag, column="tags", **where)
    if problems.count > before:
        return None
    if not translations:
        problems.add(name, line, "translations", "No translation. Give at least one system's.")
    check_name(plain["document"].strip(), column="document", **where)
    check_name(plain["segment"].strip(), column="segment", **where)
    check_short(plain["domain"], column="domain", **where)
    check_short(plain["title"], column="title", limit=255, **where)
    check_texts(plain["source"], references, translations, columns={}, **where)
    suggested = suggested_from(found.get("suggested"), plain["source"], translations, **where)
    if problems.count > before:
        return None
    return SegmentRecord(
        document=plain["document"].strip(),
        segment=plain["segment"].strip(),
        source=plain["source"],
        references=references,
        translations=translations,
        title=plain["title"].strip(),
        domain=plain["domain"].strip(),
        tags=tuple(tags),
        suggested=suggested,
        file=name,
        line=line,
    )


def _text(found: Mapping[str, Any], key: str, where: dict[str, Any]) -> str:
    value = found.get(key, "")
    if key == "segment" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is None:
        return ""
    if not isinstance(value, str):
        where["problems"].add(where["file"], where["line"], key, "This must be a text.", str(value))
        return ""
    return value


def _texts(found: Mapping[str, Any], key: str, where: dict[str, Any]) -> dict[str, str]:
    values = found.get(key) or {}
    if isinstance(values, dict) and all(isinstance(text, str) for text in values.values()):
        names = [label.strip() for label in values]
        for label in names:
            if not label or len(label) > SHORT_LIMIT:
                where["problems"].add(where["file"], where["line"], key, "A name is empty or too long.", label)
            elif names.count(label) > 1 or fault_in(label):
                fault = fault_in(label) or "This name occurs twice."
                where["problems"].add(where["file"], where["line"], key, fault, label)
        return {label.strip(): text for label, text in values.items()}
    where["problems"].add(where["file"], where["line"], key, "This must be an object of texts by name.", str(values))
    return {}
