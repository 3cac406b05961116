"""What was answered: judgments in the order of the file, with their scores and error spans."""

import json
import sqlite3
import uuid
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.importing.answer_spans import marked_spans
from annotation.importing.staging import BATCH, batches
from annotation.models import ErrorSpan, Judgment, Score
from campaigns.bulk_rows import insert_bulk

# A number that follows from what was answered is computed anew; without that part of the answer it is all there is.
FOLLOWS_FROM = {"penalty": "spans", "hter": "text"}

Row = tuple[Any, ...]
_JUDGMENT = (
    "item",
    "annotator",
    "revision",
    "is_current",
    "surplus",
    "client_id",
    "base_revision",
    "answer",
    "cannot_judge",
    "started_at",
    "submitted_at",
    "elapsed_ms",
    "active_ms",
)
_SCORE = ("judgment", "measure", "value", "slot", "translation", "document", "system")
_SPAN = ("judgment", "translation", "side", "start", "end", "category", "severity", "note")
_JUDGMENTS = """
    SELECT judgment.*, item.target AS of_item, annotator.target AS by_annotator
    FROM judgment
    JOIN item ON item.id = judgment.item
    JOIN annotator ON annotator.name = judgment.annotator
"""
# CROSS JOIN keeps the order of the tables: from few judgments to their rows, never through all rows of the file.
_OUTPUTS = """
    SELECT judgment.id AS judgment, shown.slot, translation.target AS translation, document.target AS document,
        system.target AS system, given.measure, given.value
    FROM judgment
    CROSS JOIN given ON given.judgment = judgment.name
    JOIN shown ON shown.judgment = judgment.name AND shown.system = given.system
    JOIN document ON document.name = judgment.document
    JOIN system ON system.name = shown.system
    LEFT JOIN translation ON translation.document = judgment.document AND translation.segment = judgment.segment
        AND translation.system = shown.system
    WHERE judgment.id BETWEEN ? AND ?
    ORDER BY judgment.id, given.place
"""


def load_judgments(staged: sqlite3.Connection, campaign_name: str, tell: Callable[[float], None]) -> None:
    total = staged.execute("SELECT COUNT(*) FROM judgment").fetchone()[0]
    identify = _identify(staged, campaign_name)
    now = timezone.now()
    for rows in batches(staged, _JUDGMENTS):
        outputs = _outputs(staged, rows)
        answers = {row["id"]: _answer(row, outputs[row["id"]]) for row in rows}
        judgments = [_judgment(row, answers[row["id"]], identify(row["name"]), now) for row in rows]
        with transaction.atomic():
            keys = insert_bulk(Judgment, _JUDGMENT, judgments)
            scores: list[Row] = []
            spans: list[Row] = []
            for row, key in zip(rows, keys, strict=True):
                scores += _scores(key, answers[row["id"]], outputs[row["id"]])
                spans += _spans(key, answers[row["id"]], outputs[row["id"]])
            insert_bulk(Score, _SCORE, scores)
            insert_bulk(ErrorSpan, _SPAN, spans)
        tell(rows[-1]["id"] / total)


def _outputs(staged: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> dict[int, list[sqlite3.Row]]:
    found: dict[int, list[sqlite3.Row]] = defaultdict(list)
    for output in staged.execute(_OUTPUTS, [rows[0]["id"], rows[-1]["id"]]):
        found[output["judgment"]].append(output)
    return found


def _identify(staged: sqlite3.Connection, campaign_name: str) -> Callable[[str], uuid.UUID]:
    """Our own files come back under their own identifiers, unless they are still here; others get one that stays."""
    space = uuid.uuid5(uuid.NAMESPACE_URL, f"assay:{campaign_name}")
    keeps = not any(
        Judgment.objects.filter(client_id__in=[known for row in rows if (known := _as_uuid(row["name"]))]).exists()
        for rows in batches(staged, "SELECT id, name FROM judgment", BATCH)
    )
    return lambda name: (keeps and _as_uuid(name)) or uuid.uuid5(space, name)


def _as_uuid(name: str) -> uuid.UUID | None:
    if len(name) != 36:  # what most files of others have: far quicker than to try
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


def _judgment(row: sqlite3.Row, answer: dict[str, Any], client_id: uuid.UUID, now: datetime) -> Row:
    started, submitted = (datetime.fromisoformat(row[name]) if row[name] else None for name in ("started", "submitted"))
    reason = answer.get("cannot_judge")
    return (
        row["of_item"],
        row["by_annotator"],
        row["revision"],
        bool(row["is_current"]),
        bool(row["surplus"]),
        client_id,
        row["revision"] - 1,
        answer,
        reason[:30] if isinstance(reason, str) else "",
        started,
        submitted or started or now,
        row["elapsed_ms"],
        row["active_ms"],
    )


def _scores(judgment: int, answer: dict[str, Any], outputs: Sequence[sqlite3.Row]) -> list[Row]:
    return [
        (
            judgment,
            output["measure"],
            output["value"],
            output["slot"],
            output["translation"],
            None if output["translation"] else output["document"],
            None if output["translation"] else output["system"],
        )
        for output in outputs
        if output["measure"] and not _follows(output["measure"], answer, output["slot"])
    ]


def _follows(measure: str, answer: dict[str, Any], slot: str) -> bool:
    part = FOLLOWS_FROM.get(measure)
    slots = answer.get("slots")
    values = slots.get(slot) if isinstance(slots, dict) else None
    return part is not None and isinstance(values, dict) and part in values


def _spans(judgment: int, answer: dict[str, Any], outputs: Sequence[sqlite3.Row]) -> list[Row]:
    """As scores are: once for each system whose output it is."""
    shown: dict[str, list[int]] = defaultdict(list)
    for output in outputs:
        if output["translation"] and output["translation"] not in shown[output["slot"]]:
            shown[output["slot"]].append(output["translation"])
    return [
        (judgment, translation, span.side, span.start, span.end, span.category, span.severity, span.note)
        for span in marked_spans(answer)
        for translation in shown.get(span.slot, [])
    ]
