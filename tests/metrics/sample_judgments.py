"""Judgments as annotators would leave them, written straight into the tables."""

import uuid
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from annotation.models import Assignment, Item, Judgment, Score
from campaigns.models import Translation

SUBMITTED_AT = datetime(2026, 11, 4, 10, 0, tzinfo=UTC)


def judge_item(item: Item, value: float, **fields: Any) -> Judgment:
    """One judgment of an item's only slot, with its score; earlier ones stop being current."""
    assert item.assignment.annotator is not None
    item.judgments.update(is_current=False)
    item.revision += 1
    item.save(update_fields=["revision"])
    answer: Mapping[str, Any] = {"slots": {"A": {"score": value}}, "comment": "", "cannot_judge": None}
    judgment = Judgment.objects.create(
        item=item,
        annotator=item.assignment.annotator,
        revision=item.revision,
        client_id=uuid.uuid4(),
        answer=answer,
        submitted_at=SUBMITTED_AT,
        **({"elapsed_ms": 12_000} | fields),
    )
    slot = item.slots.get()
    if item.level == "document":
        Score.objects.create(
            judgment=judgment, measure="document_score", value=value, document=item.document, system=slot.system
        )
        return judgment
    credited = Translation.objects.filter(pk__in=slot.credits.values("translation"))
    for translation in [slot.translation, *credited]:
        Score.objects.create(judgment=judgment, measure="score", value=value, translation=translation)
    return judgment


def judge_assignment(assignment: Assignment, values: Iterable[float], **fields: Any) -> list[Judgment]:
    """A judgment of each item in order."""
    items = assignment.items.order_by("position").select_related("assignment__annotator", "document")
    return [judge_item(item, value, **fields) for item, value in zip(items, values, strict=True)]
