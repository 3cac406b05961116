"""Staged judgments into rows, in short batches: the test set, the assignments, and the answers."""

import json
import sqlite3
import uuid
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from annotation.models import (
    ActionLog,
    Assignment,
    AssignmentStatus,
    Credit,
    ErrorSpan,
    Item,
    ItemKind,
    ItemLevel,
    Judgment,
    Score,
    Slot,
    slot_values,
)
from campaigns.actions.test_sets import is_human
from campaigns.bulk_rows import insert_bulk
from campaigns.models import Account, Campaign, Document, Reference, Segment, System, TestSet, Translation
from exchange.answers import marked_spans
from exchange.staging.database import BATCH, batches, keep_targets
from exchange.staging.judgments import BY_CHANCE

Values = dict[str, Any]
_OF_SPAN = ("side", "start", "end", "category", "severity", "note")
# columns after the `id` are named as the fields that they fill
_SEGMENTS = """
    SELECT segment.id, document.target AS document, segment.name, position - 1 AS position, source, segment.domain
    FROM segment JOIN document ON document.name = segment.document
"""
_REFERENCES = """
    SELECT reference.id, segment.target AS segment, reference.name, text
    FROM reference JOIN segment ON segment.document = reference.document AND segment.name = reference.segment
"""
_TRANSLATIONS = """
    SELECT translation.id, segment.target AS segment, system.target AS system, text
    FROM translation
    JOIN segment ON segment.document = translation.document AND segment.name = translation.segment
    JOIN system ON system.name = translation.system
"""
_ASSIGNMENTS = """
    SELECT assignment.*, annotator.target AS by_annotator
    FROM assignment JOIN annotator ON annotator.name = assignment.annotator
"""
_ITEMS = f"""
    SELECT item.id, assignment.target AS assignment, item.position, item.block, document.target AS document,
        segment.target AS segment, item.revision, genuine.target AS original,
        CASE WHEN item.kind = '{BY_CHANCE}' THEN '{ItemKind.REPEAT.value}' ELSE item.kind END AS kind,
        item.kind = '{BY_CHANCE}' AS is_by_chance,
        CASE WHEN segment.id IS NULL THEN '{ItemLevel.DOCUMENT.value}' ELSE '{ItemLevel.SEGMENT.value}' END AS level
    FROM item
    LEFT JOIN item AS genuine ON genuine.id = item.original
    JOIN assignment ON assignment.id = item.assignment
    JOIN document ON document.name = item.document
    LEFT JOIN segment ON segment.document = item.document AND segment.name = item.segment
"""  # noqa: S608 - our own words
_GENUINE, _CONTROLS = "WHERE item.original IS NULL", "WHERE item.original IS NOT NULL"
_SLOTS = """
    SELECT slot.id, item.target AS item, slot.label, system.target AS system, translation.target AS translation,
        damaged, columns
    FROM slot
    JOIN item ON item.id = slot.item
    JOIN system ON system.name = slot.system
    LEFT JOIN translation ON translation.id = slot.translation
    WHERE NOT slot.is_credit
"""
_CREDITS = """
    SELECT slot.id, first.target AS slot, system.target AS system, translation.target AS translation
    FROM slot
    JOIN slot AS first ON first.item = slot.item AND first.label = slot.label AND NOT first.is_credit
    JOIN system ON system.name = slot.system
    LEFT JOIN translation ON translation.id = slot.translation
    WHERE slot.is_credit
"""


def load_texts(staged: sqlite3.Connection, test_set: TestSet) -> None:
    for rows in batches(staged, "SELECT * FROM system"):
        systems = [(test_set.pk, row["name"], is_human(row["name"])) for row in rows]
        _keep(staged, "system", rows, insert_bulk(System, ("test_set", "name", "is_human"), systems))
    documents = f"SELECT id, {test_set.pk} AS test_set, name, domain, id - 1 AS position FROM document"  # noqa: S608
    _load(staged, Document, documents, "document")
    _load(staged, Segment, _SEGMENTS, "segment")
    _load(staged, Reference, _REFERENCES)
    _load(staged, Translation, _TRANSLATIONS, "translation")


def _load(staged: sqlite3.Connection, model: type[Model], query: str, table: str = "") -> None:
    """Stores the rows of a query; the staged rows of `table` learn their keys."""
    for rows in batches(staged, query):
        made = insert_bulk(model, rows[0].keys()[1:], [tuple(row)[1:] for row in rows])
        if table:
            _keep(staged, table, rows, made)


def load_people(staged: sqlite3.Connection) -> list[Account]:
    """Annotators by their names; an existing account is the same person. Returns the new ones."""
    new: list[Account] = []
    password = make_password(None)
    for rows in batches(staged, "SELECT * FROM annotator", BATCH):
        known = set(
            Account.objects.filter(username__in=[row["name"] for row in rows]).values_list("username", flat=True)
        )
        new += Account.objects.bulk_create(
            [Account(username=row["name"], password=password) for row in rows if row["name"] not in known]
        )
        accounts = Account.objects.in_bulk([row["name"] for row in rows], field_name="username")
        _keep(staged, "annotator", rows, [accounts[row["name"]].pk for row in rows])
    return new


def load_items(staged: sqlite3.Connection, campaign: Campaign) -> None:
    for rows in batches(staged, _ASSIGNMENTS):
        assignments = [_assignment(row, campaign) for row in rows]
        made = [assignment.pk for assignment in Assignment.objects.bulk_create(assignments)]
        _keep(staged, "assignment", rows, made)
    for which in (_GENUINE, _CONTROLS):  # what a control repeats must be there first
        _load(staged, Item, _ITEMS + which, "item")
    _load(staged, Slot, _SLOTS, "slot")
    _load(staged, Credit, _CREDITS)


def _assignment(row: sqlite3.Row, campaign: Campaign) -> Assignment:
    return Assignment(
        campaign=campaign,
        annotator_id=row["by_annotator"],
        name=row["name"],
        position=row["id"],
        status=AssignmentStatus.DONE,
        total=row["items"],
        done=row["items"],
        claimed_at=_time(row["began"]),
        finished_at=_time(row["ended"]),
    )


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


# A number that follows from the answer is computed anew; without that part of the answer it is stored as it is.
FOLLOWS_FROM = {"penalty": "spans", "hter": "text"}

_ANSWERED = """
    SELECT judgment.*, item.target AS of_item, annotator.target AS by_annotator
    FROM judgment
    JOIN item ON item.id = judgment.item
    JOIN annotator ON annotator.name = judgment.annotator
"""
# CROSS JOIN keeps the order of the tables: from few judgments to their rows, never through all rows of the file.
_OUTPUTS = """
    SELECT judgment.id AS judgment, shown.slot, translation.target AS translation, document.target AS document,
        system.target AS system, judgment_row.measure, judgment_row.value
    FROM judgment
    CROSS JOIN judgment_row ON judgment_row.judgment = judgment.name
    JOIN shown ON shown.judgment = judgment.name AND shown.system = judgment_row.system
    JOIN document ON document.name = judgment.document
    JOIN system ON system.name = shown.system
    LEFT JOIN translation ON translation.document = judgment.document AND translation.segment = judgment.segment
        AND translation.system = shown.system
    WHERE judgment.id BETWEEN ? AND ?
    ORDER BY judgment.id, judgment_row.place
"""

_LOGS = """
    SELECT action_row.judgment, actions FROM action_row JOIN judgment ON judgment.name = action_row.judgment
    WHERE judgment.id BETWEEN ? AND ? ORDER BY judgment.id
"""


def load_judgments(staged: sqlite3.Connection, campaign_name: str, report_progress: Callable[[float], None]) -> None:
    total = staged.execute("SELECT COUNT(*) FROM judgment").fetchone()[0]
    identify = _identify(staged, campaign_name)
    now = timezone.now()
    for rows in batches(staged, _ANSWERED):
        outputs = _outputs(staged, rows)
        answers = {row["id"]: _answer(row, outputs[row["id"]]) for row in rows}
        judgments = [_judgment(row, answers[row["id"]], identify(row["name"]), now) for row in rows]
        with transaction.atomic():
            keys = _insert(Judgment, judgments)
            scores: list[Values] = []
            spans: list[Values] = []
            for row, key in zip(rows, keys, strict=True):
                scores += _scores(key, answers[row["id"]], outputs[row["id"]])
                spans += _spans(key, answers[row["id"]], outputs[row["id"]])
            _insert(Score, scores)
            _insert(ErrorSpan, spans)
            _insert(ActionLog, _logs(staged, rows, keys))
        report_progress(rows[-1]["id"] / total)


def _outputs(staged: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> dict[int, list[sqlite3.Row]]:
    outputs: dict[int, list[sqlite3.Row]] = defaultdict(list)
    for output in staged.execute(_OUTPUTS, [rows[0]["id"], rows[-1]["id"]]):
        outputs[output["judgment"]].append(output)
    return outputs


def _identify(staged: sqlite3.Connection, campaign_name: str) -> Callable[[str], uuid.UUID]:
    """Our own files get their identifiers back, unless they are still in use; others get one that stays the same."""
    space = uuid.uuid5(uuid.NAMESPACE_URL, f"assay:{campaign_name}")
    keeps = not any(
        Judgment.objects.filter(client_id__in=[known for row in rows if (known := _as_uuid(row["name"]))]).exists()
        for rows in batches(staged, "SELECT id, name FROM judgment", BATCH)
    )
    return lambda name: (keeps and _as_uuid(name)) or uuid.uuid5(space, name)


def _as_uuid(name: str) -> uuid.UUID | None:
    if len(name) != 36:  # most files from elsewhere: much faster than trying
        return None
    try:
        known = uuid.UUID(name)
    except ValueError:
        return None
    return known if str(known) == name else None


def _answer(row: sqlite3.Row, outputs: Sequence[sqlite3.Row]) -> dict[str, Any]:
    if row["answer"]:
        return dict(json.loads(row["answer"]))
    slots: dict[str, dict[str, float]] = {}
    for output in outputs:
        values = slots.setdefault(output["slot"], {})
        if output["measure"]:
            value = output["value"]
            values[output["measure"]] = int(value) if value.is_integer() else value
    return {"slots": slots, "comment": row["comment"] or "", "cannot_judge": None}


def _judgment(row: sqlite3.Row, answer: dict[str, Any], client_id: uuid.UUID, now: datetime) -> Values:
    started, submitted = (datetime.fromisoformat(row[name]) if row[name] else None for name in ("started", "submitted"))
    reason = answer.get("cannot_judge")
    return {
        "item": row["of_item"],
        "annotator": row["by_annotator"],
        "revision": row["revision"],
        "is_current": bool(row["is_current"]),
        "surplus": bool(row["surplus"]),
        "client_id": client_id,
        "base_revision": row["revision"] - 1,
        "answer": answer,
        "cannot_judge": reason[:30] if isinstance(reason, str) else "",
        "started_at": started,
        "submitted_at": submitted or started or now,
        "elapsed_ms": row["elapsed_ms"],
        "active_ms": row["active_ms"],
    }


def _scores(judgment: int, answer: dict[str, Any], outputs: Sequence[sqlite3.Row]) -> list[Values]:
    return [
        {
            "judgment": judgment,
            **{name: output[name] for name in ("measure", "value", "slot", "translation")},
            "document": None if output["translation"] else output["document"],
            "system": None if output["translation"] else output["system"],
        }
        for output in outputs
        if output["measure"] and not _follows(output["measure"], answer, output["slot"])
    ]


def _logs(staged: sqlite3.Connection, rows: Sequence[sqlite3.Row], keys: Sequence[int]) -> list[Values]:
    key_of = {row["name"]: key for row, key in zip(rows, keys, strict=True)}
    logs = staged.execute(_LOGS, [rows[0]["id"], rows[-1]["id"]])
    return [{"judgment": key_of[log["judgment"]], "actions": json.loads(log["actions"])} for log in logs]


def _follows(measure: str, answer: dict[str, Any], slot: str) -> bool:
    return FOLLOWS_FROM.get(measure) in slot_values(answer, slot)


def _spans(judgment: int, answer: dict[str, Any], outputs: Sequence[sqlite3.Row]) -> list[Values]:
    """Once for each system whose output it is, like scores."""
    shown: dict[str, list[int]] = defaultdict(list)
    for output in outputs:
        if output["translation"] and output["translation"] not in shown[output["slot"]]:
            shown[output["slot"]].append(output["translation"])
    return [
        {"judgment": judgment, "translation": translation, **{name: getattr(span, name) for name in _OF_SPAN}}
        for span in marked_spans(answer)
        for translation in shown.get(span.slot, [])
    ]


def _insert(model: type[Model], rows: Sequence[Values]) -> list[int]:
    """Rows that all have the same columns."""
    return insert_bulk(model, list(rows[0]), [tuple(row.values()) for row in rows]) if rows else []


def _keep(staged: sqlite3.Connection, table: str, rows: Sequence[sqlite3.Row], made: Sequence[int]) -> None:
    keep_targets(staged, table, zip(made, (row["id"] for row in rows), strict=True))
