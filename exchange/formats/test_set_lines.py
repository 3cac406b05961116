"""JSON lines: each object is a segment, with suggested errors, or a question. See docs/formats.md for the keys."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from campaigns.actions.test_sets import QuestionRecord, SegmentRecord
from campaigns.reading.problems import Problems, UnreadableFileError, text_error
from exchange.formats.questions import checked_question, is_question
from exchange.formats.test_set_table import NONE, Column, as_chosen, check_columns, columns_called, parted
from exchange.json_values import as_json
from exchange.reading import SHORT_LIMIT, Line, SourceFile, WrongSegment

KEYS = (
    "document",
    "segment",
    "source",
    "references",
    "translations",
    "domain",
    "tags",
    "title",
    "instruction",
    "suggested",
    "alignments",
)
OBJECTS = ("references", "translations", "suggested", "alignments")
LOOKED_AT = 100  # objects whose keys are shown
SAMPLES = 3
_GROUPS = {"reference": "references", "system": "translations"}
SEVERITIES = ("neutral", "minor", "major", "critical")
SIDES = ("target", "source")
CATEGORY_LIMIT = 150
MOST = 500
MOST_PAIRS = 5_000
_SHOWN = 5  # wrong pairs in a message
_PAIR = re.compile(r"([0-9]{1,6})-([0-9]{1,6})")
_SPAN_KEYS = ("side", "start", "end", "severity", "category")

Suggested = dict[str, list[dict[str, Any]]]


def read_jsonl(file: SourceFile, choices: Mapping[str, str]) -> Iterator[SegmentRecord | WrongSegment | QuestionRecord]:
    """Segments and questions, in any order."""
    roles = _roles(file, choices) if choices else {}
    for line, values in file.json_objects():
        record: SegmentRecord | WrongSegment | QuestionRecord | None
        if is_question(values):
            record = checked_question(values, line)
        else:
            record = _segment(_renamed(values, roles), line)
        if record is not None:
            yield record


def jsonl_columns(path: Path, choices: Mapping[str, str]) -> list[Column]:
    """The keys of the first segments, with their first values, whatever errors follow."""
    return as_chosen(_keys(path), choices, "", Problems(), OBJECTS)


def _keys(path: Path) -> list[Column]:
    columns: dict[str, Column] = {}
    objects = (record for _line, record in SourceFile(path, "", Problems()).json_objects() if not is_question(record))
    with suppress(UnreadableFileError):  # the reason is reported when the records are read
        for key, value in chain.from_iterable(record.items() for record in islice(objects, LOOKED_AT)):
            column = columns.setdefault(key, Column(len(columns) + 1, key, key if key in KEYS else NONE))
            if len(column.samples) < SAMPLES:
                sample = value if isinstance(value, str) else as_json(value)
                columns[key] = replace(column, samples=(*column.samples, sample))
    return list(columns.values())


def _roles(file: SourceFile, choices: Mapping[str, str]) -> dict[str, str]:
    """The meaning of each key that somebody chose."""
    columns = as_chosen(_keys(file.path), choices, file.name, file.problems, OBJECTS)
    check_columns(columns, file.name, file.problems)
    if file.problems.fatal:
        raise UnreadableFileError
    return {column.title: column.role for key in choices for column in columns_called(key, columns)}


def _renamed(record: Mapping[str, Any], roles: Mapping[str, str]) -> Mapping[str, Any]:
    """The object with its keys under their usual names."""
    if not roles:
        return record
    renamed = {key: value for key, value in record.items() if key not in roles}
    for key, role in roles.items():
        meaning, label = parted(role)
        if meaning == NONE or key not in record:
            continue
        group = _GROUPS.get(meaning)
        if group is None:
            renamed[meaning] = record[key]
        else:
            inner = renamed.get(group) or {}
            renamed[group] = {**inner, label: record[key]} if isinstance(inner, dict) else inner
    return renamed


def _segment(values: Mapping[str, Any], line: Line) -> SegmentRecord | WrongSegment | None:
    problems = line.problems
    for key in sorted(set(values) - set(KEYS)):
        problems.note(f"The key {key!r} is unknown and was ignored.")
    before = problems.count
    plain = {key: line.text(values, key) for key in ("document", "source", "domain", "title", "instruction")}
    plain["segment"] = line.text(values, "segment", may_be_number=True)
    references = _texts(values, "references", line)
    translations = _texts(values, "translations", line)
    tags = values.get("tags") or []
    if not (isinstance(tags, list) and all(isinstance(tag, str) for tag in tags)):
        line.refuse("tags", "Tags must be a list of texts.", as_json(tags))
        tags = []
    for tag in tags:
        line.check_short(tag, "tags")
    if not values.get("translations"):
        line.refuse("translations", "No translation. Give at least one system's.")
    record = line.segment(plain, references, translations, tags=tuple(tags))
    suggested: Suggested = {}
    alignments: dict[str, str] = {}
    if translations or problems.count == before:
        suggested = suggested_from(values.get("suggested"), plain["source"], translations, line)
        alignments = _alignments(values.get("alignments"), plain["source"], translations, line)
    if record is None or problems.count == before:
        if not isinstance(record, SegmentRecord):
            return record
        return replace(record, suggested=suggested, alignments=alignments)
    return WrongSegment(record.document, record.segment, record.file, record.line)


def _texts(record: Mapping[str, Any], key: str, line: Line) -> dict[str, str]:
    """By name, without those that are null: there is none of them."""
    values = record.get(key) or {}
    if isinstance(values, dict) and all(text is None or isinstance(text, str) for text in values.values()):
        names = Counter(label.strip() for label in values)
        for label in names:
            if not label or len(label) > SHORT_LIMIT:
                line.refuse(key, f"A name must have from 1 to {SHORT_LIMIT} characters.", label)
            elif names[label] > 1 or text_error(label):
                line.refuse(key, text_error(label) or "This name occurs twice. Rename one of them.", label)
        return {label.strip(): text for label, text in values.items() if text is not None}
    line.refuse(key, "This must be an object of texts by name.", as_json(values))
    return {}


def suggested_from(spans_by_system: object, source: str, translations: Mapping[str, str], line: Line) -> Suggested:
    """By system, ready to be stored; errors are among the problems."""
    if spans_by_system in (None, {}):
        return {}
    if not isinstance(spans_by_system, dict) or not all(isinstance(spans, list) for spans in spans_by_system.values()):
        line.refuse("suggested", "This must be an object of lists by system.")
        return {}
    suggested: Suggested = {}
    for system, spans in spans_by_system.items():
        text = translations.get(system.strip())
        if text is None:
            line.refuse("suggested", "This system has suggested errors but no translation.", system)
            continue
        if len(spans) > MOST:
            line.refuse("suggested", f"Suggest at most {MOST} errors, not {len(spans)}.", system)
        suggested[system.strip()] = []
        for place, span in enumerate(spans[:MOST]):
            errors = list(_span_errors(span, {"target": text, "source": source}))
            for message, value in errors:
                line.refuse(f"suggested.{system}.{place}", message, value)
            if not errors:
                suggested[system.strip()].append(_plain(span))
    return suggested


def _alignments(by_system: object, source: str, translations: Mapping[str, str], line: Line) -> dict[str, str]:
    """By system, each pair once; errors are among the problems."""
    if by_system is None:
        return {}
    if not isinstance(by_system, dict) or not all(isinstance(each, str | None) for each in by_system.values()):
        line.refuse("alignments", "This must be an object of texts by system.", as_json(by_system))
        return {}
    alignments: dict[str, str] = {}
    for system, given in by_system.items():
        text = translations.get(system.strip())
        if given is None:
            continue
        if text is None:
            line.refuse("alignments", "This system has an alignment but no translation.", system)
            continue
        pairs = list(dict.fromkeys(given.split()))
        for message, value in _alignment_errors(pairs, len(source.split()), len(text.split())):
            line.refuse(f"alignments.{system}", message, value)
        alignments[system.strip()] = " ".join(pairs)
    if alignments and any(text.strip() and name not in alignments for name, text in translations.items()):
        line.problems.note("Some segments have alignments of only some of their translations: there, none are shown.")
    return alignments


def _alignment_errors(pairs: list[str], source: int, translation: int) -> Iterator[tuple[str, str]]:
    """Each kind of error once, with its first pairs, given how many tokens both texts have."""
    if len(pairs) > MOST_PAIRS:
        yield f"{len(pairs)} pairs. Give at most {MOST_PAIRS}.", ""
    read = [(pair, _PAIR.fullmatch(pair)) for pair in pairs]
    if wrong := [pair for pair, match in read if match is None]:
        yield "Each pair must be two token numbers, from 0, and a hyphen between them: 0-0 1-2.", _first(wrong)
    for group, side, count in ((1, "source", source), (2, "translation", translation)):
        if beyond := [pair for pair, match in read if match and int(match[group]) >= count]:
            yield f"The {side} has no such token: it has {count}, counted from 0.", _first(beyond)


def _first(pairs: list[str]) -> str:
    return " ".join(pairs[:_SHOWN]) + (" …" if len(pairs) > _SHOWN else "")


def _plain(span: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "side": span.get("side", "target"),
        "start": span["start"],
        "end": span["end"],
        "severity": span["severity"].lower(),
        "category": span.get("category") or "",
    }


def _span_errors(span: object, texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each error with its value."""
    if not isinstance(span, dict):
        yield "A suggested error must be an object with start, end and severity.", as_json(span)
        return
    for key in sorted(set(span) - set(_SPAN_KEYS)):
        yield f"Unknown key. Known: {', '.join(_SPAN_KEYS)}.", key
    side, severity, category = span.get("side", "target"), span.get("severity"), span.get("category") or ""
    if side not in SIDES:
        yield "The side must be target or source.", as_json(side)
    if not isinstance(severity, str) or severity.lower() not in SEVERITIES:
        yield f"The severity must be one of {', '.join(SEVERITIES)}.", as_json(severity)
    if not isinstance(category, str) or len(category) > CATEGORY_LIMIT or "\x00" in category:
        yield f"A category must be a text of at most {CATEGORY_LIMIT} characters.", as_json(category)
    start, end = span.get("start"), span.get("end")
    if type(start) is not int or type(end) is not int:
        yield (
            "Start and end must be whole numbers: characters (code points), counted from 0.",
            f"{as_json(start)}, {as_json(end)}",
        )
    elif side in SIDES and not 0 <= start <= end <= len(texts[side]):
        yield (
            f"Start and end must lie within the text, from 0 to {len(texts[side])}, and start must not be after end.",
            (f"{start}, {end}"),
        )
