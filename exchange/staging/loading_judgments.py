"""Staged judgments into rows, in short batches: the test set, the assignments, and the answers."""

import re
import sqlite3
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import connection, transaction
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
)
from campaigns.actions.test_sets import is_human
from campaigns.bulk_rows import insert_bulk, insert_columns
from campaigns.models import Account, Campaign, Document, Reference, Segment, System, TestSet, Translation
from campaigns.rows_together import current_rows, expect_rows
from exchange.cells import written_answer
from exchange.staging.database import BATCH, batches, count_of, keep_targets
from exchange.staging.judgments import BY_CHANCE

Columns = dict[str, Sequence[Any]]
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
    expect_rows(Segment, count_of(staged, "segment"))
    expect_rows(Translation, count_of(staged, "translation"))
    _load(staged, Segment, _SEGMENTS, "segment")
    _load(staged, Reference, _REFERENCES)
    _load(staged, Translation, _TRANSLATIONS, "translation")


def _load(staged: sqlite3.Connection, model: type[Model], query: str, table: str = "") -> None:
    """Stores the rows of a query; the staged rows of `table` learn their keys."""
    for rows in batches(staged, query):
        columns = _columns(rows)
        numbers = columns.pop("id")
        made = insert_columns(model, columns)
        if table:
            keep_targets(staged, table, zip(made, numbers, strict=True))


def _columns(rows: Sequence[sqlite3.Row]) -> Columns:
    return dict(zip(rows[0].keys(), zip(*rows, strict=True), strict=True)) if rows else {}


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
    expect_rows(Item, count_of(staged, "item"))
    expect_rows(Slot, count_of(staged, "slot"))
    for which in (_GENUINE, _CONTROLS):  # what a control repeats must be there first
        _load(staged, Item, _ITEMS + which, "item")
    has_credits = staged.execute("SELECT 1 FROM slot WHERE is_credit LIMIT 1").fetchone() is not None
    _load(staged, Slot, _SLOTS, "slot" if has_credits else "")
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
    return None if text is None else datetime.fromisoformat(text).replace(tzinfo=UTC)


_ANSWERED = """
    SELECT judgment.id, judgment.name, item.target AS item, annotator.target AS annotator, judgment.revision,
        is_current, surplus, judgment.revision - 1 AS base_revision, answer, reason AS cannot_judge,
        started AS started_at, COALESCE(submitted, started) AS submitted_at, elapsed_ms, active_ms, comment
    FROM judgment
    JOIN item ON item.id = judgment.item
    JOIN annotator ON annotator.name = judgment.annotator
"""
# CROSS JOIN keeps the order of the tables: from few judgments to their rows, never through all rows of the file.
_ROWS = """
    FROM judgment
    CROSS JOIN judged_row ON judged_row.judged = judgment.id
    JOIN slot ON slot.item = judgment.item AND slot.system = judged_row.system
"""
_IN_BATCH = "judgment.id BETWEEN ? AND ?"
# A number that follows from the answer is computed anew; without that part of the answer it is stored as it is.
_SCORES = f"""
    SELECT judgment.id AS judgment, measure, value, label AS slot, translation.target AS translation,
        CASE WHEN translation.id IS NULL THEN (
            SELECT target FROM document WHERE name = judgment.document
        ) END AS document,
        CASE WHEN translation.id IS NULL THEN (SELECT target FROM system WHERE name = slot.system) END AS system
    {_ROWS} LEFT JOIN translation ON translation.id = slot.translation
    WHERE {_IN_BATCH} AND measure <> '' AND NOT (
        measure IN ('penalty', 'hter') AND judgment.answer <> '' AND EXISTS (
            SELECT 1 FROM json_each(judgment.answer, '$.slots') said WHERE said.key = slot.label
                AND json_type(said.value, CASE measure WHEN 'penalty' THEN '$.spans' ELSE '$.text' END) IS NOT NULL
        )
    ) ORDER BY judgment.id, judged_row.place
"""  # noqa: S608 - our own words
# Once for each system whose output it is, like scores.
_SPANS = f"""
    SELECT judgment.id AS judgment, translation.target AS translation, side, start, "end", category, severity, note
    FROM judgment
    CROSS JOIN mark ON mark.judgment = judgment.id
    JOIN slot ON slot.item = judgment.item AND slot.label = mark.slot
    JOIN translation ON translation.id = slot.translation
    WHERE {_IN_BATCH} ORDER BY mark.id, slot.id
"""  # noqa: S608 - our own words
_LOGS = f"""
    SELECT judgment.id AS judgment, actions
    FROM judgment CROSS JOIN action_row ON action_row.judgment = judgment.name
    WHERE {_IN_BATCH} ORDER BY judgment.id
"""  # noqa: S608 - our own words
_BESIDE: tuple[tuple[str, type[Model], str, Sequence[str]], ...] = (  # looked for only if the table has rows
    ("judgment_row", Score, _SCORES, ()),
    ("mark", ErrorSpan, _SPANS, ()),
    ("action_row", ActionLog, _LOGS, ("actions",)),
)
_UNSAID = f"""
    SELECT judgment.id, label, measure, value {_ROWS}
    WHERE {_IN_BATCH} AND judgment.answer = '' ORDER BY judgment.id, judged_row.place
"""


def load_judgments(staged: sqlite3.Connection, campaign_name: str, report_progress: Callable[[float], None]) -> None:
    total = staged.execute("SELECT MAX(id) FROM judgment").fetchone()[0]
    identify = _identify(staged, campaign_name)
    now = str(timezone.now().replace(tzinfo=None))
    beside = [each[1:] for each in _BESIDE if staged.execute(f"SELECT 1 FROM {each[0]} LIMIT 1").fetchone() is not None]  # noqa: S608
    expect_rows(Judgment, count_of(staged, "judgment"))
    expect_rows(Score, count_of(staged, "judgment_row WHERE measure <> ''"))
    for rows in batches(staged, _ANSWERED):
        columns = _columns(rows)
        numbers, names, comments = (columns.pop(name) for name in ("id", "name", "comment"))
        within = numbers[0], numbers[-1]
        unsaid = {} if all(columns["answer"]) else _unsaid(staged, within)
        columns["client_id"] = [identify(name) for name in names]
        columns["submitted_at"] = [time or now for time in columns["submitted_at"]]
        columns["answer"] = [
            answer or _answer(unsaid.get(number, {}), comment)
            for number, answer, comment in zip(numbers, columns["answer"], comments, strict=True)
        ]
        # a savepoint would wait until what was copied before has ended
        with transaction.atomic() if current_rows() is None else nullcontext():
            made = insert_columns(Judgment, columns, ready=("answer", "started_at", "submitted_at"))
            keys = dict(zip(numbers, made, strict=True))
            for model, query, ready in beside:
                if found := _columns(staged.execute(query, within).fetchall()):
                    found["judgment"] = [keys[number] for number in found["judgment"]]
                    insert_columns(model, found, ready=ready)
        report_progress(numbers[-1] / total)


def _identify(staged: sqlite3.Connection, campaign_name: str) -> Callable[[str], str]:
    """Our own files get their identifiers back, unless they are still in use; others get one that stays the same."""
    space = uuid.uuid5(uuid.NAMESPACE_URL, f"assay:{campaign_name}")
    keeps = not any(
        _are_in_use([row["name"] for row in rows if _UUID.fullmatch(row["name"])])
        for rows in batches(staged, "SELECT id, name FROM judgment", BATCH)
    )
    return lambda name: name if keeps and _UUID.fullmatch(name) else str(uuid.uuid5(space, name))


_UUID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _are_in_use(identifiers: Sequence[str]) -> bool:
    """Without Django's objects, which take longer than the look-up."""
    if not identifiers:
        return False
    places = ", ".join(["%s"] * len(identifiers))
    if not connection.features.has_native_uuid_field:
        identifiers = [each.replace("-", "") for each in identifiers]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT 1 FROM annotation_judgment WHERE client_id IN ({places}) LIMIT 1", identifiers)  # noqa: S608
        return cursor.fetchone() is not None


def _unsaid(staged: sqlite3.Connection, within: tuple[int, int]) -> dict[int, dict[str, dict[str, float]]]:
    """By judgment without an answer in the file, the numbers that it has on each slot."""
    slots: dict[int, dict[str, dict[str, float]]] = {}
    for judgment, label, measure, value in staged.execute(_UNSAID, within):
        values = slots.setdefault(judgment, {}).setdefault(label, {})
        if measure:
            values[measure] = int(value) if value.is_integer() else value
    return slots


def _answer(slots: Mapping[str, Mapping[str, float]], comment: str | None) -> str:
    return written_answer({"slots": slots, "comment": comment or "", "cannot_judge": None})


def _keep(staged: sqlite3.Connection, table: str, rows: Sequence[sqlite3.Row], made: Sequence[int]) -> None:
    keep_targets(staged, table, zip(made, (row["id"] for row in rows), strict=True))
