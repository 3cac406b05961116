"""What an archive holds as JSON, compared with the shape it has here: results of runs, lists of texts, practice."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext as _

from annotation.models import Adjudication, Draft, PracticeAnswer, PracticeItem
from campaigns.models import Campaign, Question, Segment, TestSet
from campaigns.reading.problems import Problems
from exchange.archive.tables import Table, table_of
from jobs.models import Run, RunPart, RunStatus
from jobs.run_kinds import InvalidRun, run_kind
from metrics.analyses import PARTS, AnalysisHead
from metrics.models import ImportedScores
from metrics.recipes import AnalysisError, recipe_for
from metrics.results.codec import ResultShapeError, from_json
from metrics.scoring import ScoredTestSet


@dataclass(frozen=True)
class _PracticeQuestion:
    name: str
    text: str
    choices: list[str]
    accepted: list[str]


@dataclass(frozen=True)
class _Answer:
    slots: dict[str, dict[str, Any]]


_Texts = dict[str, list[str]]
_TYPES: dict[type[Model], dict[str, Any]] = {
    TestSet: {"report": dict[str, Any]},
    Segment: {"tags": list[str]},
    Question: {"choices": list[str], "accepted": list[str]},
    ImportedScores: {"references": list[str]},
    Campaign: {"options": dict[str, Any]},
    PracticeItem: {
        "slots": dict[str, str],
        "questions": list[_PracticeQuestion],
        "expected": dict[str, dict[str, tuple[float, float]]],
        "better": _Texts,
        "accepted": _Texts,
    },
    PracticeAnswer: {"answer": _Answer},
    Adjudication: {"answer": dict[str, Any]},
    Draft: {"answer": dict[str, Any]},
}
RESULTS: dict[str, Any] = {"analysis": AnalysisHead, "metric_scores": ScoredTestSet}  # by the kind of run
Row = Mapping[str, Any]


def check_json(staged: sqlite3.Connection, protocol: str, problems: Problems) -> None:
    """Every value of another type than pages and files of this Assay read is a problem, with its line."""
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
            message = _("no such part belongs to this result. Known: %(known)s.") % {"known": ", ".join(PARTS)}
            problems.add(table.path, line, "name", message, name)
        else:
            _check(table, line, "result", row["result"], PARTS[name], problems)
    for names in parts.values():
        for name in sorted(name for name in names if "." in name and name.partition(".")[0] not in names):
            problems.add(table_of(RunPart).path, None, "name", _("the part that this belongs to is missing."), name)


def _check_run(line: int, row: Row, protocol: str, problems: Problems) -> str:
    """The kind, where it is one that an archive holds."""
    table, kind = table_of(Run), row["kind"]
    if row["status"] != RunStatus.DONE or kind not in RESULTS:
        problems.add(table.path, line, "kind", _("an archive holds finished results only."), kind)
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
        message = _("this is not what this Assay computes or stores. Needed here: %(wanted)s.") % {
            "wanted": error.needed
        }
        problems.add(table.path, line, error.place, message)


def _rows(staged: sqlite3.Connection, table: Table) -> Iterator[tuple[int, int, Row]]:
    query = f"SELECT line, id, body FROM {table.name} ORDER BY id"  # noqa: S608 - our own names
    for row in staged.execute(query):
        yield row["line"], row["id"], json.loads(row["body"])
