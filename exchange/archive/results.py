"""What an archive holds as JSON, compared with the shape it has here: results of runs, lists of texts, practice."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Any, TypedDict, Union, get_args, get_origin, get_type_hints, is_typeddict

from django.db.models import Model
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Adjudication, Draft, PracticeAnswer, PracticeItem
from campaigns.importing.problems import Problems
from campaigns.models import Campaign, Question, Segment, TestSet
from exchange.archive.tables import Table, table_of
from metrics.analyses.shapes import PARTS, RESULTS
from metrics.kinds import KINDS, InvalidRun
from metrics.models import ImportedScores, Run, RunPart, RunStatus
from metrics.recipes import AnalysisError, recipe_for


class _PracticeQuestion(TypedDict):
    name: str
    text: str
    choices: list[str]
    accepted: list[str]


class _Answer(TypedDict):
    slots: dict[str, dict[str, Any]]


_Texts = dict[str, list[str]]
_SHAPES: dict[type[Model], dict[str, Any]] = {
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
Row = Mapping[str, Any]


def check_json(staged: sqlite3.Connection, protocol: str, problems: Problems) -> None:
    """Every value of another shape than pages and files of this Assay read is a problem, with its line."""
    for model, fields in _SHAPES.items():
        for line, _key, row in _rows(staged, table_of(model)):
            for name, shape in fields.items():
                _refuse(table_of(model), line, name, misfit(row[name], shape, name), problems)
    kinds = {key: _check_run(line, row, protocol, problems) for line, key, row in _rows(staged, table_of(Run))}
    parts: dict[int, set[str]] = {}
    for line, _key, row in _rows(staged, table_of(RunPart)):
        table, name = table_of(RunPart), row["name"]
        parts.setdefault(row["run"], set()).add(name)
        if name not in PARTS or kinds.get(row["run"]) != "analysis":
            message = _("no such part belongs to this result. Known: %(known)s.") % {"known": ", ".join(PARTS)}
            problems.add(table.path, line, "name", message, name)
        else:
            _refuse(table, line, "result", misfit(row["result"], PARTS[name], "result"), problems)
    for names in parts.values():
        for name in sorted(name for name in names if "." in name and name.partition(".")[0] not in names):
            problems.add(table_of(RunPart).path, None, "name", _("the part that this belongs to is missing."), name)


def _check_run(line: int, row: Row, protocol: str, problems: Problems) -> str:
    """The kind, where it is one that an archive holds."""
    table, kind = table_of(Run), row["kind"]
    if row["status"] != RunStatus.DONE or kind not in RESULTS:
        problems.add(table.path, line, "kind", _("an archive holds finished results only."), kind)
        return ""
    belongs = (KINDS[kind].needs_campaign, row["campaign"]), (KINDS[kind].needs_test_set, row["test_set"])
    if any(is_needed and key is None for is_needed, key in belongs):
        problems.add(table.path, line, "kind", _("the campaign or test set of this result is missing."), kind)
    _refuse(table, line, "result", misfit(row["result"], RESULTS[kind], "result"), problems)
    try:
        arguments = KINDS[kind].check(row["arguments"] if isinstance(row["arguments"], dict) else {"arguments": None})
        if kind == "analysis":
            recipe_for(protocol, arguments["recipe"], arguments["options"])
    except (InvalidRun, AnalysisError) as error:
        problems.add(table.path, line, "arguments", str(error))
    return str(kind)


def _refuse(table: Table, line: int, field: str, fault: tuple[str, str] | None, problems: Problems) -> None:
    if fault is not None:
        place, wanted = fault
        message = _("this is not what this Assay computes or stores. Needed here: %(wanted)s.") % {"wanted": wanted}
        problems.add(table.path, line, place or field, message)


def _rows(staged: sqlite3.Connection, table: Table) -> Iterator[tuple[int, int, Row]]:
    query = f"SELECT line, id, body FROM {table.name} ORDER BY id"  # noqa: S608 - our own names
    for row in staged.execute(query):
        yield row["line"], row["id"], json.loads(row["body"])


_PLAIN: dict[Any, str | Promise] = {
    str: gettext_lazy("a text"),
    bool: gettext_lazy("true or false"),
    int: gettext_lazy("a whole number"),
    float: gettext_lazy("a number"),
    NoneType: gettext_lazy("nothing (null)"),
}


def misfit(value: object, shape: Any, at: str = "") -> tuple[str, str] | None:
    """The first place at which a value is not of this shape, and what should stand there; None where it is."""
    origin, inner = get_origin(shape), get_args(shape)
    if origin in (UnionType, Union):
        return _misfit_of_some(value, inner, at)
    if is_typeddict(shape):
        return _misfit_in_object(value, shape, at)
    if origin is dict:
        return _misfit_in_map(value, inner[1], at) if inner[1] is str else _misfit_beside_reasons(value, inner[1], at)
    if origin in (list, tuple):
        return _misfit_in_list(value, inner, at, is_fixed=origin is tuple)
    kinds = (int, float) if shape is float else shape
    fits = shape is Any or (isinstance(value, kinds) and (shape is bool) == isinstance(value, bool))
    return None if fits else (at, str(_PLAIN[shape]))


def _misfit_of_some(value: object, shapes: tuple[Any, ...], at: str) -> tuple[str, str] | None:
    """Of what may be null, what it should be if it is not."""
    found = [misfit(value, shape, at) for shape in shapes]
    if None in found:
        return None
    return next(fault for shape, fault in zip(shapes, found, strict=True) if shape is not NoneType)


def _misfit_in_object(value: object, shape: Any, at: str) -> tuple[str, str] | None:
    if not isinstance(value, Mapping):
        return at, _("an object")
    for name, inner in _hints(shape).items():
        place = f"{at}.{name}" if at else name
        if name not in value:
            if name in shape.__required_keys__:
                return place, _("a value, and there is none")
        elif fault := misfit(value[name], inner, place):
            return fault
    reasons = value.get("reasons", {})
    return _misfit_in_map(reasons, str, f"{at}.reasons" if at else "reasons")


def _misfit_beside_reasons(value: object, inner: Any, at: str) -> tuple[str, str] | None:
    """Of a map whose keys are names; why numbers in it are missing stands beside them."""
    if not isinstance(value, Mapping):
        return at, _("an object")
    fault = _misfit_in_map({name: part for name, part in value.items() if name != "reasons"}, inner, at)
    return fault or _misfit_in_map(value.get("reasons", {}), str, f"{at}.reasons" if at else "reasons")


def _misfit_in_map(value: object, inner: Any, at: str) -> tuple[str, str] | None:
    if not isinstance(value, Mapping):
        return at, _("an object")
    faults = (misfit(part, inner, f"{at}.{name}" if at else name) for name, part in value.items())
    return next((fault for fault in faults if fault), None)


def _misfit_in_list(value: object, inner: tuple[Any, ...], at: str, *, is_fixed: bool) -> tuple[str, str] | None:
    if not isinstance(value, list):
        return at, _("a list")
    if is_fixed and len(value) != len(inner):
        return at, _("a list of %(count)d") % {"count": len(inner)}
    shapes = inner if is_fixed else inner * len(value)
    faults = (
        misfit(part, shape, f"{at}[{place}]") for place, (part, shape) in enumerate(zip(value, shapes, strict=True))
    )
    return next((fault for fault in faults if fault), None)


_KNOWN: dict[Any, dict[str, Any]] = {}


def _hints(shape: Any) -> dict[str, Any]:
    """Looked up once: a result has thousands of objects of few shapes."""
    if shape not in _KNOWN:
        _KNOWN[shape] = get_type_hints(shape)
    return _KNOWN[shape]
