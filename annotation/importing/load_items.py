"""Who was asked what: accounts, assignments, items and slots of imported judgments."""

import sqlite3
from datetime import datetime
from typing import Any

from django.contrib.auth.hashers import make_password

from annotation.importing.staging import BATCH, batches, keep_targets
from annotation.models import Assignment, AssignmentStatus, Credit, Item, ItemLevel, Slot
from campaigns.bulk_rows import insert_bulk
from campaigns.models import Account, Campaign

_ASSIGNMENTS = """
    SELECT assignment.*, annotator.target AS by_annotator
    FROM assignment JOIN annotator ON annotator.name = assignment.annotator
"""
_ITEMS = """
    SELECT item.*, assignment.target AS in_assignment, document.target AS in_document, segment.target AS of_segment,
        genuine.target AS control_of
    FROM item
    LEFT JOIN item AS genuine ON genuine.id = item.original
    JOIN assignment ON assignment.id = item.assignment
    JOIN document ON document.name = item.document
    LEFT JOIN segment ON segment.document = item.document AND segment.name = item.segment
"""
_GENUINE, _CONTROLS = "WHERE item.original IS NULL", "WHERE item.original IS NOT NULL"
_SLOTS = """
    SELECT slot.*, item.target AS in_item, system.target AS by_system, translation.target AS shows
    FROM slot
    JOIN item ON item.id = slot.item
    JOIN system ON system.name = slot.system
    LEFT JOIN translation ON translation.id = slot.translation
    WHERE NOT slot.is_credit
"""
_CREDITS = """
    SELECT slot.id, first.target AS first, system.target AS by_system, translation.target AS shows
    FROM slot
    JOIN slot AS first ON first.item = slot.item AND first.label = slot.label AND NOT first.is_credit
    JOIN system ON system.name = slot.system
    LEFT JOIN translation ON translation.id = slot.translation
    WHERE slot.is_credit
"""


def load_people(staged: sqlite3.Connection) -> list[Account]:
    """Annotators by their names; an account that exists already is the same person. Returns the new ones."""
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
        keep_targets(staged, "annotator", rows, [accounts[row["name"]].pk for row in rows])
    return new


def load_items(staged: sqlite3.Connection, campaign: Campaign) -> None:
    for rows in batches(staged, _ASSIGNMENTS):
        assignments = [_assignment(row, campaign) for row in rows]
        made = [assignment.pk for assignment in Assignment.objects.bulk_create(assignments)]
        keep_targets(staged, "assignment", rows, made)
    for which in (_GENUINE, _CONTROLS):  # what a control is of must be there
        for rows in batches(staged, _ITEMS + which):
            keep_targets(staged, "item", rows, insert_bulk(Item, _ITEM, [_item(row) for row in rows]))
    for rows in batches(staged, _SLOTS):
        slots = [(row["in_item"], row["label"], row["by_system"], row["shows"], row["damaged"]) for row in rows]
        made = insert_bulk(Slot, ("item", "label", "system", "translation", "damaged"), slots)
        keep_targets(staged, "slot", rows, made)
    for rows in batches(staged, _CREDITS):
        credited = [(row["first"], row["by_system"], row["shows"]) for row in rows]
        insert_bulk(Credit, ("slot", "system", "translation"), credited)


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


_ITEM = ("assignment", "position", "block", "document", "segment", "level", "kind", "revision", "original")


def _item(row: sqlite3.Row) -> tuple[Any, ...]:
    level = ItemLevel.SEGMENT.value if row["of_segment"] else ItemLevel.DOCUMENT.value
    return (
        row["in_assignment"],
        row["position"],
        row["block"],
        row["in_document"],
        row["of_segment"],
        level,
        row["kind"],
        row["revision"],
        row["control_of"],
    )


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
