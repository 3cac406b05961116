"""Rows of an archive, checked before anything is stored: every field by its model, references, JSON values by type."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import CharField, DateTimeField, Field, FloatField, ForeignKey, Model, TextField, UniqueConstraint
from django.db.models.constraints import BaseConstraint
from django.utils.translation import gettext as _

from annotation.models import (
    Adjudication,
    AttentionCheck,
    CheckDraw,
    Draft,
    DrawnScreen,
    Judgment,
    PracticeAnswer,
    PracticeItem,
    Race,
    RaceLook,
)
from annotation.protocols import PROTOCOLS, protocol_for
from campaigns.form_questions import AnswerError, QuestionSpec, question_errors
from campaigns.invalid_input import InvalidInput
from campaigns.languages import language_problem
from campaigns.models import (
    Account,
    Campaign,
    FormAnswer,
    FormQuestion,
    Question,
    Segment,
    System,
    TestSet,
    TextGuidance,
)
from campaigns.reading.problems import Problems
from exchange.archive.reading import ArchiveFile
from exchange.archive.tables import ANNOTATORS, ROWS, TABLES, Table, keys_of, table_of
from exchange.cells import is_in_range
from exchange.staging.database import HIGHEST, Staged, bodies, count_of, leading_nowhere, repeated, stage
from jobs.models import Run, RunPart, RunStatus
from jobs.run_kinds import InvalidRun, run_kind
from metrics.analyses import PARTS, AnalysisHead
from metrics.analyses.allocation import LookedSystem
from metrics.models import ImportedScores
from metrics.recipes import AnalysisError, recipe_for
from metrics.results.codec import ResultShapeError, from_json
from metrics.scoring import ScoredTestSet

_MOST_OF_A_KIND = 100
Row = Mapping[str, Any]
LONGEST_NAME = 150


def check_rows(archive: ArchiveFile, staged: sqlite3.Connection, problems: Problems) -> None:
    """Stages what can be read and adds every error to the problems; if there are any, nothing may be stored."""
    _stage_annotators(archive, staged, problems)
    for table in TABLES:
        again = stage(staged, table.name, _checked_rows(archive, table, problems))
        for key, line, _body in again:
            problems.add(table.path, line, "id", _("an earlier row has this id."), str(key))
    rows_are_sound = not problems.count
    if rows_are_sound:
        _check_counts(archive, staged, problems)
    for table in TABLES:
        _check_keys(staged, table, problems)
        _check_what_is_once(staged, table, problems)
    if rows_are_sound:
        _check_meaning(staged, problems)


def _stage_annotators(archive: ArchiveFile, staged: sqlite3.Connection, problems: Problems) -> None:
    path = f"{ROWS}/{ANNOTATORS}.jsonl"
    names: set[str] = set()

    def rows() -> Iterator[Staged]:
        for line, row in archive.rows(path, problems):
            key, name = row.get("id"), row.get("name")
            if not isinstance(key, int) or not _is_number(key):
                problems.add(path, line, "id", _("this is not the id of a row."), str(key))
            elif not isinstance(name, str) or not name or len(name) > LONGEST_NAME:
                problems.add(path, line, "name", _("a name must have from 1 to 150 characters."), str(name))
            elif name in names:
                problems.add(path, line, "name", _("an earlier annotator has this name."), name)
            else:
                names.add(name)
                yield key, line, json.dumps({"name": name})

    for key, line, _body in stage(staged, ANNOTATORS, rows()):
        problems.add(path, line, "id", _("an earlier row has this id."), str(key))


def _checked_rows(archive: ArchiveFile, table: Table, problems: Problems) -> Iterator[Staged]:
    fields = table.fields
    known = {"id", *(field.name for field in fields)} | ({"systems"} if table.model is Campaign else set())
    for line, row in archive.rows(table.path, problems):
        errors = [(name, _("unknown field (written by a newer version?)"), "") for name in row if name not in known]
        if not _is_number(row.get("id")):
            errors.append(("id", _("this is not the id of a row."), str(row.get("id"))))
        clean: dict[str, Any] = {field.name: None for field in fields}
        for field in fields:
            try:
                clean[field.name] = checked(field, row)
            except ValidationError as error:
                errors.append((field.name, " ".join(error.messages), str(row.get(field.name, ""))))
        for name, message, value in errors:
            problems.add(table.path, line, name, message, value)
        # a row with an error stays staged, so that rows that refer to it are not reported as well
        if _is_number(row.get("id")):
            extra = {"systems": row.get("systems")} if table.model is Campaign else {}
            yield row["id"], line, json.dumps(clean | extra, ensure_ascii=False, default=str)


def checked(field: "Field[Any, Any]", row: dict[str, Any]) -> Any:
    """The field's value as in JSON, checked by its model's rules. What an older archive lacks gets the default."""
    if field.name not in row and field.has_default():
        return field.get_default()
    value = row.get(field.name)
    if value is None:
        if field.null:
            return None
        raise ValidationError(_("this must not be empty."))
    if isinstance(field, ForeignKey):
        if not _is_number(value):
            raise ValidationError(_("this is not the id of a row."))
        return value
    if isinstance(field, CharField | TextField | DateTimeField) and not isinstance(value, str):
        raise ValidationError(_("this must be text."))
    if isinstance(field, FloatField) and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise ValidationError(_("this must be a number."))
    try:
        python = field.to_python(value)
    except OverflowError as error:
        raise ValidationError(_("this number is too large.")) from error
    if isinstance(python, datetime) and python.tzinfo is None:
        raise ValidationError(_("this time has no time zone. Write times in UTC."))
    if isinstance(python, datetime) and not is_in_range(python):
        raise ValidationError(_("this time is before 1900 or after 2200."))
    if field.choices and python not in {choice for choice, _label in field.flatchoices} | (
        {""} if field.blank else set()
    ):
        raise ValidationError(_("this is not one of the known values."))
    field.run_validators(python)
    return python.isoformat() if isinstance(python, datetime) else python


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= HIGHEST


def _check_counts(archive: ArchiveFile, staged: sqlite3.Connection, problems: Problems) -> None:
    """Missing lines may leave no other trace."""
    for name, expected in archive.manifest["rows"].items():
        if name == ANNOTATORS or any(table.name == name for table in TABLES):
            count = count_of(staged, name)
            if count != expected:
                message = _("rows: %(count)d, according to the manifest: %(expected)s.")
                problems.add(f"{ROWS}/{name}.jsonl", None, "", message % {"count": count, "expected": expected})


def _check_keys(staged: sqlite3.Connection, table: Table, problems: Problems) -> None:
    for field in keys_of(table):
        target = ANNOTATORS if field.related_model is Account else table_of(field.related_model).name
        message = _("there is no such row in %(file)s.") % {"file": f"{ROWS}/{target}.jsonl"}
        for line, value in islice(leading_nowhere(staged, table.name, field.name, target), _MOST_OF_A_KIND):
            problems.add(table.path, line, field.name, message, str(value))


def _check_what_is_once(staged: sqlite3.Connection, table: Table, problems: Problems) -> None:
    about = table.model._meta  # noqa: SLF001 - documented, for all its underscore
    archived = {field.name for field in table.fields}
    alone = [(field.name,) for field in table.fields if field.unique]
    for fields in [*alone, *(each for rule in about.constraints if (each := _fields_of(rule)))]:
        if not archived.issuperset(fields):
            continue
        for line in islice(repeated(staged, table.name, fields), _MOST_OF_A_KIND):
            problems.add(table.path, line, ", ".join(fields), _("an earlier row has the same."))


def _fields_of(rule: BaseConstraint) -> tuple[str, ...]:
    """The fields of a constraint that is nothing but "unique together"."""
    return tuple(rule.fields) if isinstance(rule, UniqueConstraint) and rule.condition is None else ()


def _check_meaning(staged: sqlite3.Connection, problems: Problems) -> None:
    """Rules that concern more than one field."""
    for model in (TestSet, Campaign):
        table = table_of(model)
        count = count_of(staged, table.name)
        has_more = model is TestSet and count > 1  # the texts of imported attention checks
        if count != 1 and not has_more and not problems.count:
            message = _("an archive has one row here, but this one has %(count)d.")
            problems.add(table.path, None, "", message % {"count": count})
    for _line, _key, row in _rows(staged, table_of(TestSet)):
        for side in ("source_language", "target_language"):
            error = language_problem(row[side])
            if error:
                problems.add(table_of(TestSet).path, None, side, error, row[side])
    for _line, _key, row in _rows(staged, table_of(Campaign)):
        _check_campaign(row, staged, problems)
    protocol = next((row["protocol"] for _line, _key, row in _rows(staged, table_of(Campaign))), "")
    check_json(staged, protocol, problems)
    if not problems.count:
        _check_questionnaires(staged, problems)
    shape = "json_type(body, '$.answer') IS NOT 'object' OR json_type(body, '$.answer.slots') IS NOT 'object'"
    for key, _row in (each for batch in bodies(staged, table_of(Judgment).name, f"({shape})") for each in batch):
        problems.add(table_of(Judgment).path, None, "answer", _("an answer must be an object with slots."), f"id {key}")


def _check_campaign(row: Row, staged: sqlite3.Connection, problems: Problems) -> None:
    path = table_of(Campaign).path
    systems = row["systems"]
    if not isinstance(systems, list) or not all(_is_number(key) for key in systems):
        problems.add(path, None, "systems", _("these are not ids of rows."))
    else:
        known = {key for _line, key, _row in _rows(staged, table_of(System))}
        message = _("there is no such row in %(file)s.") % {"file": table_of(System).path}
        for key in sorted(set(systems) - known)[:_MOST_OF_A_KIND]:
            problems.add(path, None, "systems", message, str(key))
    if row["protocol"] not in PROTOCOLS:
        problems.add(path, None, "protocol", _("unknown protocol (written by a newer version?)"), row["protocol"])
        return
    try:
        protocol_for(row["protocol"], row["options"] if isinstance(row["options"], dict) else {"options": None})
    except InvalidInput as error:
        for name, messages in error.errors.items():
            problems.add(path, None, f"options.{name}", " ".join(messages))


def _check_questionnaires(staged: sqlite3.Connection, problems: Problems) -> None:
    """Questions as an organiser may write them, and answers that they take."""
    table, questions = table_of(FormQuestion), {}
    for line, key, row in _rows(staged, table):
        question = questions[key] = QuestionSpec.of(FormQuestion(**{**row, "questionnaire": None}))
        for field, message in question_errors(question):
            problems.add(table.path, line, field, message, row["name"])
    table = table_of(FormAnswer)
    for line, _key, row in _rows(staged, table):
        try:
            questions[row["question"]].parse(row["value"])
        except AnswerError as error:
            problems.add(table.path, line, "value", str(error), str(row["value"]))


@dataclass(frozen=True)
class _Choice:
    name: str
    label: str


@dataclass(frozen=True)
class _PracticeQuestion:
    name: str
    text: str
    choices: list[str]
    accepted: list[str]


@dataclass(frozen=True)
class _ChangedOutput:
    row: int
    system: str
    text: str


@dataclass(frozen=True)
class _GlossaryTerm:
    term: str
    required: list[str]
    forbidden: list[str]
    note: str


@dataclass(frozen=True)
class _Answer:
    slots: dict[str, dict[str, Any]]


_Texts = dict[str, list[str]]
_TYPES: dict[type[Model], dict[str, Any]] = {
    TestSet: {"report": dict[str, Any]},
    Segment: {"tags": list[str]},
    TextGuidance: {"glossary": list[_GlossaryTerm]},
    Question: {"choices": list[str], "accepted": list[str]},
    ImportedScores: {"references": list[str]},
    Campaign: {"options": dict[str, Any]},
    PracticeItem: {
        "slots": dict[str, str],
        "questions": list[_PracticeQuestion],
        "expected": dict[str, dict[str, tuple[float, float]]],
        "better": _Texts,
        "accepted": _Texts,
        "marks": dict[str, list[dict[str, Any]]],
    },
    FormQuestion: {"choices": list[_Choice], "screens_out": list[str]},
    PracticeAnswer: {"answer": _Answer},
    AttentionCheck: {"systems": list[str], "changed": list[_ChangedOutput], "rules": list[dict[str, Any]]},
    CheckDraw: {"first_unmet": list[int]},
    Race: {"waves": list[int]},
    RaceLook: {"systems": list[LookedSystem]},
    DrawnScreen: {"propensities": dict[str, float]},
    Adjudication: {"answer": dict[str, Any]},
    Draft: {"answer": dict[str, Any]},
}
RESULTS: dict[str, Any] = {"analysis": AnalysisHead, "metric_scores": ScoredTestSet}  # by kind of run


def check_json(staged: sqlite3.Connection, protocol: str, problems: Problems) -> None:
    """Every value of another type than this Assay's pages and files read is a problem, reported with its line."""
    for model, fields in _TYPES.items():
        for line, _key, row in _rows(staged, table_of(model)):
            for name, kind in fields.items():
                _check(table_of(model), line, name, row[name], kind, problems)
    kinds = {key: _check_run(line, row, protocol, problems) for line, key, row in _rows(staged, table_of(Run))}
    parts: dict[int, set[str]] = {}
    for line, _key, row in _rows(staged, table_of(RunPart)):
        table, name = table_of(RunPart), row["name"]
        parts.setdefault(row["run"], set()).add(name)
        if name not in PARTS or kinds.get(row["run"]) != "analysis":
            message = _("unknown part of a result. Known: %(known)s.") % {"known": ", ".join(PARTS)}
            problems.add(table.path, line, "name", message, name)
        else:
            _check(table, line, "result", row["result"], PARTS[name], problems)
    for names in parts.values():
        for name in sorted(name for name in names if "." in name and name.partition(".")[0] not in names):
            problems.add(table_of(RunPart).path, None, "name", _("the part that this belongs to is missing."), name)


def _check_run(line: int, row: Row, protocol: str, problems: Problems) -> str:
    """The kind must be one that an archive may contain."""
    table, kind = table_of(Run), row["kind"]
    if row["status"] != RunStatus.DONE or kind not in RESULTS:
        problems.add(table.path, line, "kind", _("an archive contains only finished results."), kind)
        return ""
    known = run_kind(kind)
    belongs = (known.needs_campaign, row["campaign"]), (known.needs_test_set, row["test_set"])
    if any(is_needed and key is None for is_needed, key in belongs):
        problems.add(table.path, line, "kind", _("the campaign or test set of this result is missing."), kind)
    _check(table, line, "result", row["result"], RESULTS[kind], problems)
    try:
        arguments = known.check(row["arguments"] if isinstance(row["arguments"], dict) else {"arguments": None})
        if kind == "analysis":
            recipe_for(protocol, arguments["recipe"], arguments["options"])
    except (InvalidRun, AnalysisError) as error:
        problems.add(table.path, line, "arguments", str(error))
    return str(kind)


def _check(table: Table, line: int, field: str, value: object, kind: Any, problems: Problems) -> None:
    try:
        from_json(kind, value, field)
    except ResultShapeError as error:
        message = _("this has the wrong type. Expected: %(expected)s.") % {"expected": error.needed}
        problems.add(table.path, line, error.place, message)


def _rows(staged: sqlite3.Connection, table: Table) -> Iterator[tuple[int, int, Row]]:
    query = f"SELECT line, id, body FROM {table.name} ORDER BY id"  # noqa: S608 - our own names
    for row in staged.execute(query):
        yield row["line"], row["id"], json.loads(row["body"])
