"""Staged judgments into rows: the test set, the assignments, and the answers.

What SQL would write in other words, a function of Python does: whether a system is a person, the identifier of a
judgment, an answer that the file does not have.
"""

import json
import sqlite3
import uuid
from collections.abc import Callable
from functools import lru_cache

from django.contrib.auth.hashers import make_password
from django.db import connection
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
from campaigns.models import Account, Campaign, Document, Reference, Segment, System, TestSet, Translation
from exchange.cells import written_answer
from exchange.staging.database import BATCH, batches, keep_targets
from exchange.staging.final_rows import FinalRows, exact_number
from exchange.staging.judgments import BY_CHANCE, slot_label

_NUMBERED: dict[str, type[Model]] = {  # that judgments refer to as well
    "system": System,
    "document": Document,
    "segment": Segment,
    "translation": Translation,
    "assignment": Assignment,
    "item": Item,
}
_SLOT, _JUDGMENT = "slot", "numbered"  # judgments by their place in the file


def load_people(staged: sqlite3.Connection) -> list[Account]:
    """Annotators by their names; an existing account is the same person. Returns the new ones."""
    new: list[Account] = []
    password = make_password(None)
    for rows in batches(staged, "SELECT * FROM annotator", BATCH):
        names = [row["name"] for row in rows]
        known = set(Account.objects.filter(username__in=names).values_list("username", flat=True))
        new += Account.objects.bulk_create(
            [Account(username=name, password=password) for name in names if name not in known]
        )
        accounts = Account.objects.in_bulk(names, field_name="username")
        keep_targets(staged, "annotator", [(accounts[row["name"]].pk, row["id"]) for row in rows])
    return new


def numbered_rows(staged: sqlite3.Connection, report: Callable[[int], None]) -> FinalRows:
    """The rows to be stored, with keys for those that items and judgments refer to."""
    rows = FinalRows(staged, report)
    for table, model in _NUMBERED.items():
        rows.number(model, _highest(staged, table))
    return rows


def expected_rows(staged: sqlite3.Connection) -> int:
    """About: there are as many scores as judgments."""
    return sum(_highest(staged, table) for table in (*_NUMBERED, _SLOT, _JUDGMENT, _JUDGMENT))


def _highest(staged: sqlite3.Connection, table: str) -> int:
    return int(staged.execute(f"SELECT COALESCE(MAX(id), 0) FROM {table}").fetchone()[0])  # noqa: S608 - our own names


# Columns are named as the fields that they fill. CROSS JOIN keeps the order of the tables: the first has the rows in
# their order.
_SYSTEMS = "SELECT id, {test_set} AS test_set, name, is_human(name) AS is_human FROM system ORDER BY id"
_DOCUMENTS = "SELECT id, {test_set} AS test_set, name, domain, id - 1 AS position FROM document ORDER BY id"
_SEGMENTS = """
    SELECT segment.id, document.id AS document, segment.name, position - 1 AS position, source, segment.domain
    FROM segment CROSS JOIN document ON document.name = segment.document
    ORDER BY segment.id
"""
_REFERENCES = """
    SELECT segment.id AS segment, reference.name, text
    FROM reference CROSS JOIN segment ON segment.document = reference.document AND segment.name = reference.segment
    ORDER BY reference.id
"""
_TRANSLATIONS = """
    SELECT translation.id, segment.id AS segment, system.id AS system, text
    FROM translation
    CROSS JOIN segment ON segment.document = translation.document AND segment.name = translation.segment
    CROSS JOIN system ON system.name = translation.system
    ORDER BY translation.id
"""
_ASSIGNMENTS = f"""
    SELECT assignment.id, {{campaign}} AS campaign, annotator.target AS annotator, assignment.name,
        assignment.id AS position, '{AssignmentStatus.DONE.value}' AS status, items AS total, items AS done,
        began AS claimed_at, ended AS finished_at
    FROM assignment CROSS JOIN annotator ON annotator.name = assignment.annotator
    ORDER BY assignment.id
"""  # noqa: S608 - our own words
_ITEMS = f"""
    SELECT item.id, item.assignment, item.position,
        IFNULL(item.screen, (SELECT block FROM begun WHERE first <= item.id ORDER BY first DESC LIMIT 1)) AS block,
        document.id AS document, segment.id AS segment, item.revision, item.original,
        CASE WHEN item.kind = '{BY_CHANCE}' THEN '{ItemKind.REPEAT.value}' ELSE item.kind END AS kind,
        item.kind = '{BY_CHANCE}' AS is_by_chance,
        CASE WHEN segment.id IS NULL THEN '{ItemLevel.DOCUMENT.value}' ELSE '{ItemLevel.SEGMENT.value}' END AS level
    FROM item
    CROSS JOIN document ON document.name = item.document
    LEFT JOIN segment ON segment.document = item.document AND segment.name = item.segment
    WHERE {{which}} ORDER BY item.id
"""  # noqa: S608 - our own words
_GENUINE, _CONTROLS = "item.original IS NULL", "item.original IS NOT NULL"
_SLOTS = """
    SELECT slot.id, slot.item, slot.label, system.id AS system, slot.translation, damaged, columns
    FROM slot CROSS JOIN system ON system.name = slot.system
    WHERE NOT slot.is_credit ORDER BY slot.id
"""
_CREDITS = """
    SELECT first.id AS slot, system.id AS system, slot.translation
    FROM slot
    CROSS JOIN slot AS first ON first.item = slot.item AND first.label = slot.label AND NOT first.is_credit
    CROSS JOIN system ON system.name = slot.system
    WHERE slot.is_credit ORDER BY slot.id
"""


def load_texts(rows: FinalRows, test_set: TestSet) -> None:
    rows.define("is_human", is_human)
    rows.store(System, _SYSTEMS.format(test_set=test_set.pk))
    rows.store(Document, _DOCUMENTS.format(test_set=test_set.pk))
    rows.store(Segment, _SEGMENTS)
    rows.store(Reference, _REFERENCES)
    rows.store(Translation, _TRANSLATIONS)


def load_items(rows: FinalRows, campaign: Campaign) -> None:
    rows.store(Assignment, _ASSIGNMENTS.format(campaign=campaign.pk))
    for which in (_GENUINE, _CONTROLS):  # what a control repeats must be there first
        rows.store(Item, _ITEMS.format(which=which))
    rows.number(Slot, _highest(rows.staged, _SLOT))
    rows.store(Slot, _SLOTS)
    rows.store(Credit, _CREDITS)


_ROWS = "judged_row CROSS JOIN slot ON slot.item = judgment.item AND slot.system = judged_row.system"
_NUMBERS = f"""
    SELECT json_group_array(json_array(label, measure, number)) FROM (
        SELECT label, measure, {exact_number("value")} AS number
        FROM {_ROWS} WHERE judged_row.judged = judgment.id ORDER BY judged_row.place
    )
"""  # noqa: S608 - our own words
_ANSWERED = f"""
    SELECT judgment.id, item, annotator.target AS annotator, revision, is_current, surplus, {{client_id}} AS client_id,
        revision - 1 AS base_revision, reason AS cannot_judge, started AS started_at,
        CASE WHEN answer = '' THEN written_answer(({_NUMBERS}), comment) ELSE answer END AS answer,
        COALESCE(submitted, started, '{{now}}') AS submitted_at, elapsed_ms, active_ms
    FROM judgment CROSS JOIN annotator ON annotator.name = judgment.annotator
    ORDER BY judgment.id
"""  # noqa: S608 - our own words
# A number that follows from the answer is computed anew; without that part of the answer it is stored as it is.
_SCORES = f"""
    SELECT judgment.id AS judgment, measure, value, slot.label AS slot, slot.translation,
        CASE WHEN slot.translation IS NULL THEN (
            SELECT id FROM document WHERE name = judgment.document
        ) END AS document,
        CASE WHEN slot.translation IS NULL THEN (SELECT id FROM system WHERE name = slot.system) END AS system
    FROM judgment CROSS JOIN {_ROWS}
    WHERE judged_row.judged = judgment.id AND measure <> '' AND NOT (
        measure IN ('penalty', 'hter') AND judgment.answer <> '' AND EXISTS (
            SELECT 1 FROM json_each(judgment.answer, '$.slots') said WHERE said.key = slot.label
                AND json_type(said.value, CASE measure WHEN 'penalty' THEN '$.spans' ELSE '$.text' END) IS NOT NULL
        )
    ) ORDER BY judgment.id, judged_row.place
"""  # noqa: S608 - our own words
# Once for each system whose output it is, like scores.
_SPANS = """
    SELECT mark.judgment, slot.translation, side, start, "end", category, severity, note
    FROM mark
    CROSS JOIN judgment ON judgment.id = mark.judgment
    CROSS JOIN slot ON slot.item = judgment.item AND slot.label = mark.slot AND slot.translation IS NOT NULL
    ORDER BY mark.id, slot.id
"""
_LOGS = """
    SELECT judgment.id AS judgment, actions
    FROM judgment CROSS JOIN action_row ON action_row.judgment = judgment.name
    ORDER BY judgment.id
"""
_IS_UUID = f"judgment.name GLOB '{'-'.join('[0-9a-f]' * length for length in (8, 4, 4, 4, 12))}'"


def load_judgments(rows: FinalRows, campaign_name: str) -> None:
    rows.define("label", slot_label)
    rows.define("identify", _identify(campaign_name))
    rows.define("written_answer", lru_cache(maxsize=1024)(_answer))
    client_id = "identify(judgment.name)"
    if not _are_in_use(rows.staged):
        client_id = f"CASE WHEN {_IS_UUID} THEN replace(judgment.name, '-', '') ELSE {client_id} END"
    rows.number(Judgment, _highest(rows.staged, _JUDGMENT))
    rows.store(Judgment, _ANSWERED.format(client_id=client_id, now=timezone.now().replace(tzinfo=None)))
    rows.store(Score, _SCORES)
    for table, model, query in (("mark", ErrorSpan, _SPANS), ("action_row", ActionLog, _LOGS)):
        if rows.staged.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():  # noqa: S608 - our own names
            rows.store(model, query)


def _identify(campaign_name: str) -> Callable[[str], str]:
    """An identifier that stays the same, for judgments that do not have one, or whose own is in use."""
    space = uuid.uuid5(uuid.NAMESPACE_URL, f"assay:{campaign_name}")
    return lambda name: uuid.uuid5(space, name).hex


def _are_in_use(staged: sqlite3.Connection) -> bool:
    """Whether stored judgments have identifiers of the file, without Django's objects, which take longer than that."""
    if not Judgment.objects.exists():
        return False
    named = f"SELECT id, replace(name, '-', '') AS identifier FROM judgment WHERE {_IS_UUID}"  # noqa: S608 - our own words
    with connection.cursor() as cursor:
        for rows in batches(staged, named, BATCH):
            places = ", ".join(["%s"] * len(rows))
            identifiers = [row["identifier"] for row in rows]
            cursor.execute(f"SELECT 1 FROM annotation_judgment WHERE client_id IN ({places}) LIMIT 1", identifiers)  # noqa: S608
            if cursor.fetchone() is not None:
                return True
    return False


def _answer(numbers: str, comment: str | None) -> str:
    """Of a judgment without one in the file: the numbers that it has on each slot."""
    slots: dict[str, dict[str, float]] = {}
    for label, measure, number in json.loads(numbers):
        values = slots.setdefault(label, {})
        if measure:
            value = float(number)
            values[measure] = int(value) if value.is_integer() else value
    return written_answer({"slots": slots, "comment": comment or "", "cannot_judge": None})
