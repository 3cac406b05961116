"""JSON lines: one object a segment, with errors suggested for it, or a question. See docs/formats.md for the keys."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from campaigns.actions.test_sets import QuestionRecord, SegmentRecord
from campaigns.reading.problems import Problems, UnreadableFileError, text_error
from exchange.formats.questions import checked_question, is_question
from exchange.formats.test_set_table import NONE, Column, as_chosen, check_columns, columns_called, parted
from exchange.formats.text_checks import SHORT_LIMIT, check_name, check_short, check_texts
from exchange.reading import json_objects

KEYS = ("document", "segment", "source", "references", "translations", "domain", "tags", "title", "suggested")
OBJECTS = ("references", "translations", "suggested")
LOOKED_AT = 100  # objects whose keys are shown
SAMPLES = 3
_GROUPS = {"reference": "references", "system": "translations"}
SEVERITIES = ("neutral", "minor", "major", "critical")
SIDES = ("target", "source")
CATEGORY_LIMIT = 150
MOST = 500
_SPAN_KEYS = ("side", "start", "end", "severity", "category")

Suggested = dict[str, list[dict[str, Any]]]


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
            elif names.count(label) > 1 or text_error(label):
                fault = text_error(label) or "This name occurs twice."
                where["problems"].add(where["file"], where["line"], key, fault, label)
        return {label.strip(): text for label, text in values.items()}
    where["problems"].add(where["file"], where["line"], key, "This must be an object of texts by name.", str(values))
    return {}


def suggested_from(
    given: object, source: str, translations: Mapping[str, str], *, file: str, line: int, problems: Problems
) -> Suggested:
    """By system, ready to be stored; whatever is wrong stands among the problems."""
    if given in (None, {}):
        return {}
    if not (isinstance(given, dict) and all(isinstance(spans, list) for spans in given.values())):
        problems.add(file, line, "suggested", "This must be an object of lists by system.")
        return {}
    found: Suggested = {}
    for system, spans in given.items():
        text = translations.get(system.strip())
        if text is None:
            problems.add(file, line, "suggested", "Errors are suggested for a system without a translation.", system)
            continue
        if len(spans) > MOST:
            problems.add(file, line, "suggested", f"{len(spans)} errors, at most {MOST} fit.", system)
        found[system.strip()] = []
        for place, span in enumerate(spans[:MOST]):
            column = f"suggested.{system}.{place}"
            faults = list(_faults(span, {"target": text, "source": source}))
            for message, value in faults:
                problems.add(file, line, column, message, value)
            if not faults:
                found[system.strip()].append(_plain(span))
    return found


def _plain(span: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "side": span.get("side", "target"),
        "start": span["start"],
        "end": span["end"],
        "severity": span["severity"].lower(),
        "category": span.get("category") or "",
    }


def _faults(span: object, texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each with the value that is wrong."""
    if not isinstance(span, dict):
        yield "A suggested error is an object with start, end and severity.", str(span)
        return
    for key in sorted(set(span) - set(_SPAN_KEYS)):
        yield f"There is no such key. Known: {', '.join(_SPAN_KEYS)}.", key
    side, severity, category = span.get("side", "target"), span.get("severity"), span.get("category") or ""
    if side not in SIDES:
        yield "The side is target or source.", str(side)
    if not isinstance(severity, str) or severity.lower() not in SEVERITIES:
        yield f"The severity is one of {', '.join(SEVERITIES)}.", str(severity)
    if not isinstance(category, str) or len(category) > CATEGORY_LIMIT or "\x00" in category:
        yield f"A category is a text of at most {CATEGORY_LIMIT} characters.", str(category)
    start, end = span.get("start"), span.get("end")
    if type(start) is not int or type(end) is not int:
        yield "Start and end are whole numbers, counted in characters (code points) from 0.", f"{start}, {end}"
    elif side in SIDES and not 0 <= start <= end <= len(texts[side]):
        yield (
            f"Start and end lie within the text, from 0 to {len(texts[side])}, and start is not behind end.",
            (f"{start}, {end}"),
        )
