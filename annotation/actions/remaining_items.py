"""Unfinished items move to another assignment, with the texts around them as context."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from django.db.models import F, Max
from django.utils import timezone

from annotation.actions.summaries import keep_plan
from annotation.models import IN_HAND, Assignment, AssignmentStatus, Credit, Item, ItemKind, ItemLevel, Slot
from campaigns.models import Campaign

Copies = Mapping[int, Item]  # by the id of the original item


def give_back(assignment: Assignment, **while_still: Any) -> bool:
    """Ends an assignment in hand with the items judged so far; False when it is not in hand any more.

    From now on its row marks every later answer as late (see `submit_judgment`).
    """
    now = timezone.now()
    return bool(
        Assignment.objects.filter(pk=assignment.pk, status__in=IN_HAND, **while_still).update(
            status=AssignmentStatus.CLOSED, total=F("done"), returned_at=now, finished_at=now, expires_at=None
        )
    )


def unjudged_items(assignment: Assignment) -> set[int]:
    """A control item goes along only with its original: their pair is one annotator's. So are attention checks."""
    items = assignment.items.exclude(level=ItemLevel.CONTEXT).exclude(kind=ItemKind.CHECK)
    requested = items.filter(revision=0).values_list("pk", "original")
    open_items = {pk for pk, _ in requested}
    return {pk for pk, original in requested if original is None or original in open_items}


def store_remaining(assignment: Assignment, requested: set[int], **values: Any) -> Assignment | None:
    """A new assignment with these items in their order and with `values`; None when there are no items.

    Segments of the same documents that are not requested again are included as context.
    """
    if not requested:
        return None
    rest = Assignment.objects.create(
        campaign_id=assignment.campaign_id,
        position=next_position(assignment.campaign_id),
        round=assignment.round,
        content=assignment.content,
        total=len(requested),
        **values,
    )
    copies = dict(_copies(rest, list(assignment.items.order_by("position")), requested))
    Item.objects.bulk_create(copies.values())
    _store_originals(copies)
    copy_slots(copies)
    keep_plan([rest.pk])
    return rest


def next_position(campaign: int) -> int:
    """The campaign's row is locked, so that two cannot find the same number."""
    list(Campaign.objects.select_for_update(no_key=True).filter(pk=campaign).values_list("pk"))
    last = Assignment.objects.filter(campaign=campaign).aggregate(last=Max("position"))["last"]
    return int(last or 0) + 1


def _copies(rest: Assignment, items: Sequence[Item], requested: set[int]) -> Iterator[tuple[int, Item]]:
    position = block = 0
    for _, group in groupby(items, key=lambda item: item.block):
        together = list(group)
        if not any(item.pk in requested for item in together):
            continue
        block += 1
        for item in together:
            if item.pk in requested or item.level != ItemLevel.DOCUMENT:
                position += 1
                yield item.pk, _copy(item, rest, position, block, needs_judgment=item.pk in requested)


def _copy(item: Item, rest: Assignment, position: int, block: int, *, needs_judgment: bool) -> Item:
    return Item(
        assignment=rest,
        position=position,
        block=block,
        document_id=item.document_id,
        segment_id=item.segment_id,
        level=item.level if needs_judgment else ItemLevel.CONTEXT,
        kind=item.kind,
        original_id=item.original_id if needs_judgment else None,
    )


def _store_originals(copies: Copies) -> None:
    paired = [item for item in copies.values() if item.original_id is not None]
    for item in paired:
        item.original = copies[item.original_id or 0]
    Item.objects.bulk_update(paired, ["original"])


def copy_slots(copies: Copies) -> None:
    """The slots of the original items for their copies."""
    sources = list(Slot.objects.filter(item__in=copies).order_by("pk"))
    made = [
        Slot(
            item=copies[slot.item_id],
            label=slot.label,
            translation_id=slot.translation_id,
            system_id=slot.system_id,
            damaged=slot.damaged,
            columns=slot.columns,
        )
        for slot in sources
    ]
    by_source = {source.pk: slot for source, slot in zip(sources, Slot.objects.bulk_create(made), strict=True)}
    credits = Credit.objects.filter(slot__item__in=copies)
    Credit.objects.bulk_create(
        Credit(slot=by_source[credit.slot_id], system_id=credit.system_id, translation_id=credit.translation_id)
        for credit in credits
    )
