"""The texts an annotator works on: the current one and the next two, whole, in one query."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery

from annotation.asked import reference_of, text_of
from annotation.models import Assignment, Item, ItemLevel, Judgment, Slot
from annotation.protocols import protocol_for
from annotation.protocols.base import Protocol

BLOCKS_AT_ONCE = 3


class UnknownItem(Exception):
    """The item to go on from is not in this assignment."""


@dataclass(frozen=True)
class ShownText:
    slot: str
    text: str | None


@dataclass(frozen=True)
class PageItem:
    """`document` tells which items stand together as one text, and nothing else."""

    id: UUID
    document: str
    title: str
    level: str
    position: int
    source: str | None
    reference: str | None
    slots: list[ShownText]
    draft: Any
    answer: Any
    revision: int
    questions: list[Any] = field(default_factory=list)
    suggested: list[Any] = field(default_factory=list)


@dataclass(frozen=True)
class PageContext:
    """A segment that is shown and not asked."""

    document: str
    position: int
    source: str | None
    reference: str | None
    text: str | None


@dataclass(frozen=True)
class ItemsPage:
    items: list[PageItem]
    context: list[PageContext]
    done: int
    total: int
    completion_code: str | None


def items_page(assignment: Assignment, after: UUID | None = None) -> ItemsPage:
    """From the text of the first unanswered item, or of the one that comes after an item; empty past the end."""
    protocol = protocol_for(assignment.campaign.protocol, assignment.campaign.options)
    rows: list[Any] = list(_rows(assignment, after))
    if after is not None and not rows and not assignment.items.filter(public_id=after).exists():
        raise UnknownItem
    items: list[PageItem] = []
    context: list[PageContext] = []
    for _, group in groupby(rows, key=lambda row: row.item_id):
        slots = list(group)
        if slots[0].item.level == ItemLevel.CONTEXT:
            context.append(_context(slots[0], protocol))
        else:
            items.append(_item(slots, protocol))
    return ItemsPage(items, context, assignment.done, assignment.total, assignment.completion_code or None)


def _rows(assignment: Assignment, after: UUID | None) -> QuerySet[Slot]:
    first = Subquery(_asked_from(assignment, after).order_by("position").values("block")[:1])
    answer = Judgment.objects.filter(item=OuterRef("item"), is_current=True).values("answer")
    return (
        Slot.objects.filter(item__assignment=assignment, item__block__gte=first, item__block__lt=first + BLOCKS_AT_ONCE)
        .select_related("item__document", "item__segment", "item__draft", "translation")
        .annotate(reference=reference_of("item__segment"), answer=Subquery(answer))
        .order_by("item__position", "label")
    )


def _asked_from(assignment: Assignment, after: UUID | None) -> QuerySet[Item]:
    asked = Item.objects.filter(assignment=assignment).exclude(level=ItemLevel.CONTEXT)
    if after is None:
        return asked.filter(revision=0)
    before = Item.objects.filter(assignment=assignment, public_id=after).values("position")
    return asked.filter(position__gt=Subquery(before))


def _item(slots: Sequence[Any], protocol: Protocol[Any]) -> PageItem:
    row, item = slots[0], slots[0].item
    draft = getattr(item, "draft", None)
    return PageItem(
        id=item.public_id,
        document=str(item.block),
        title=str(item.document),
        level=item.level,
        position=item.position,
        source=_source(item, protocol),
        reference=row.reference if protocol.shows_reference else None,
        slots=[ShownText(slot.label, text_of(slot)) for slot in slots],
        draft=draft.answer if draft and draft.base_revision == item.revision else None,
        answer=row.answer,
        revision=item.revision,
    )


def _context(row: Any, protocol: Protocol[Any]) -> PageContext:
    return PageContext(
        document=str(row.item.block),
        position=row.item.position,
        source=_source(row.item, protocol),
        reference=row.reference if protocol.shows_reference else None,
        text=text_of(row),
    )


def _source(item: Item, protocol: Protocol[Any]) -> str | None:
    return item.segment.source if item.segment and protocol.shows_source else None
