"""What the database holds, against what annotators have sent: nothing lost, nothing doubled, nothing half done."""

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from tests.crash.database import Database
from tests.crash.ledger import Books

# Each finds what a judgment stored in part, or twice, would leave behind; all must come back empty.
HALF_DONE = {
    "an item has two current judgments": """
        SELECT item_id FROM annotation_judgment WHERE is_current GROUP BY item_id HAVING COUNT(*) > 1""",
    "an item has judgments, none of them current": """
        SELECT item_id FROM annotation_judgment GROUP BY item_id
        HAVING SUM(CASE WHEN is_current THEN 1 ELSE 0 END) = 0""",
    "an item's revision does not count its judgments": """
        SELECT item.id FROM annotation_item item LEFT JOIN annotation_judgment judgment ON judgment.item_id = item.id
        GROUP BY item.id, item.revision
        HAVING item.revision <> COUNT(judgment.id) OR item.revision <> COALESCE(MAX(judgment.revision), 0)""",
    "an assignment's count is not that of its judged items": """
        SELECT assignment.id FROM annotation_assignment assignment
        LEFT JOIN annotation_item item ON item.assignment_id = assignment.id
        LEFT JOIN annotation_judgment first
            ON first.item_id = item.id AND first.revision = 1 AND NOT first.surplus
        GROUP BY assignment.id, assignment.done HAVING assignment.done <> COUNT(first.id)""",
    "an assignment is done in word or in deed only": """
        SELECT id FROM annotation_assignment WHERE returned_at IS NULL
        AND ((done = total) <> (status = 'done') OR (status = 'done') <> (completion_code <> ''))""",
    "a judgment has not exactly one number": """
        SELECT judgment.id FROM annotation_judgment judgment
        LEFT JOIN annotation_score score ON score.judgment_id = judgment.id
        GROUP BY judgment.id HAVING COUNT(score.id) <> 1""",
    "a number is not of the output that was shown": """
        SELECT score.id FROM annotation_score score
        LEFT JOIN annotation_judgment judgment ON judgment.id = score.judgment_id
        LEFT JOIN annotation_slot slot ON slot.item_id = judgment.item_id AND slot.label = score.slot
        WHERE slot.id IS NULL OR slot.translation_id <> score.translation_id""",
}
STORED = """
    SELECT judgment.client_id, item.public_id, judgment.revision, judgment.answer, score.value
    FROM annotation_judgment judgment JOIN annotation_item item ON item.id = judgment.item_id
    LEFT JOIN annotation_score score ON score.judgment_id = judgment.id"""
DRAFTS = """
    SELECT item.public_id, draft.answer FROM annotation_draft draft
    JOIN annotation_item item ON item.id = draft.item_id"""


@dataclass
class Findings:
    """`lost` was acknowledged and is gone; `doubled` is there more than once, or was never sent."""

    stored: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)
    doubled: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    lost_drafts: set[str] = field(default_factory=set)
    half_done: dict[str, int] = field(default_factory=dict)

    @property
    def wrong(self) -> dict[str, Any]:
        """By name, what must not be; empty when all is well."""
        named = {
            "lost": self.lost,
            "doubled": self.doubled,
            "changed": self.changed,
            "lost drafts": self.lost_drafts,
        }
        return {name: sorted(found) for name, found in named.items() if found} | self.half_done


def audit(database: Database, books: Books) -> Findings:
    sent, rows = books.judgments, database.rows(STORED)
    counted = Counter(str(UUID(str(row[0]))) for row in rows)
    findings = Findings(
        stored=set(counted),
        lost=books.acknowledged - set(counted),
        doubled={client_id for client_id, times in counted.items() if times > 1 or client_id not in sent},
        lost_drafts=_lost_drafts(database, books),
    )
    for client_id, item, revision, answer, value in rows:
        known = sent.get(str(UUID(str(client_id))))
        if known is None:
            continue
        kept = (str(UUID(str(item))), revision - 1, parsed(answer), value)
        given = known.body["answer"]
        if kept != (known.item, known.body["base_revision"], given, given["slots"]["A"]["score"]):
            findings.changed.add(known.client_id)
    for what, query in HALF_DONE.items():
        if found := database.rows(query):
            findings.half_done[what] = len(found)
    return findings


def _lost_drafts(database: Database, books: Books) -> set[str]:
    """The newest that was acknowledged is there, or one sent after it."""
    kept = {str(UUID(str(item))): parsed(answer) for item, answer in database.rows(DRAFTS)}
    lost = set()
    for item, drafts in books.drafts.items():
        newest = max((place for place, draft in enumerate(drafts) if draft.is_kept), default=None)
        if newest is not None and kept.get(item) not in [draft.answer for draft in drafts[newest:]]:
            lost.add(item)
    return lost


def parsed(answer: Any) -> Any:
    """JSON is text in SQLite."""
    return json.loads(answer) if isinstance(answer, str) else answer
