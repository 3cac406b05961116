"""A plan as rows: assignments, items, slots and credits, stored in short transactions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from annotation.actions.damage import Damage
from annotation.actions.outputs import outputs_of
from annotation.actions.rest import next_position
from annotation.models import Assignment, AssignmentStatus, Credit, Item, Slot
from annotation.planning import PlannedAssignment, PlannedItem, PlannedSlot
from campaigns.models import Campaign

ITEMS_AT_ONCE = 2000

Texts = Mapping[str, str]  # by label


@dataclass(frozen=True)
class _Sheet:
    """One assignment with the damaged texts of its items, by their index."""

    position: int
    assignment: PlannedAssignment
    damaged: Mapping[int, Texts]

    @property
    def items(self) -> list[PlannedItem]:
        """What could not be damaged is asked again as it is; the score of a document goes with its segments."""
        items = self.assignment.items
        blocks = {items[index].block for index, texts in self.damaged.items() if texts}
        return [
            item
            if item.kind != "degraded" or self.damaged.get(index) or (item.level == "document" and item.block in blocks)
            else replace(item, kind="repeat")
            for index, item in enumerate(items)
        ]


def store_plan(campaign: Campaign, planned: Sequence[PlannedAssignment]) -> None:
    """Every assignment is archived until the whole plan is stored, so that nobody is handed part of one.

    They come behind what the campaign has: of a campaign that runs, others may be stored between two batches.
    """
    damage = Damage(campaign)
    for batch in _batches(planned):
        damaged = [damage.of(assignment.items) for assignment in batch]
        translations = outputs_of((item.segment for each in batch for item in each.items), "pk")
        with transaction.atomic():
            start = next_position(campaign.pk)
            sheets = [_Sheet(start + place, *each) for place, each in enumerate(zip(batch, damaged, strict=True))]
            _store(campaign, sheets, translations)


def _batches(planned: Sequence[PlannedAssignment]) -> Iterator[list[PlannedAssignment]]:
    batch: list[PlannedAssignment] = []
    size = 0
    for assignment in planned:
        batch.append(assignment)
        size += len(assignment.items)
        if size >= ITEMS_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _store(campaign: Campaign, sheets: Sequence[_Sheet], translations: Mapping[tuple[int, int], int]) -> None:
    assignments = Assignment.objects.bulk_create([_assignment(campaign, sheet) for sheet in sheets])
    items: list[tuple[Item, PlannedItem, Texts]] = []
    originals: list[tuple[Item, Item]] = []
    for sheet, assignment in zip(sheets, assignments, strict=True):
        planned = sheet.items
        made = [_item(assignment, place, item) for place, item in enumerate(planned, start=1)]
        items += [(made[index], item, sheet.damaged.get(index, {})) for index, item in enumerate(planned)]
        originals += [
            (made[index], made[item.original]) for index, item in enumerate(planned) if item.original is not None
        ]
    Item.objects.bulk_create([item for item, planned, _ in items if planned.original is None])
    for item, original in originals:
        item.original = original
    Item.objects.bulk_create([item for item, planned, _ in items if planned.original is not None])
    _store_slots(items, translations)


def _store_slots(items: Sequence[tuple[Item, PlannedItem, Texts]], translations: Mapping[tuple[int, int], int]) -> None:
    slots = [
        (_slot(item, slot, damaged, translations), slot) for item, planned, damaged in items for slot in planned.slots
    ]
    Slot.objects.bulk_create([row for row, _ in slots])
    Credit.objects.bulk_create(
        Credit(slot=row, system_id=system, translation_id=translations.get((row.item.segment_id or 0, system)))
        for row, slot in slots
        for system in slot.credited
        if system != slot.system and row.damaged is None  # a damaged text is nobody else's output
    )


def _assignment(campaign: Campaign, sheet: _Sheet) -> Assignment:
    return Assignment(
        campaign=campaign,
        position=sheet.position,
        round=sheet.assignment.round,
        content=sheet.assignment.content,
        status=AssignmentStatus.ARCHIVED,
        total=sheet.assignment.asked,
    )


def _item(assignment: Assignment, position: int, planned: PlannedItem) -> Item:
    return Item(
        assignment=assignment,
        position=position,
        block=planned.block,
        document_id=planned.document,
        segment_id=planned.segment,
        level=planned.level,
        kind=planned.kind,
    )


def _slot(item: Item, planned: PlannedSlot, damaged: Texts, translations: Mapping[tuple[int, int], int]) -> Slot:
    return Slot(
        item=item,
        label=planned.label,
        system_id=planned.system,
        translation_id=translations.get((item.segment_id or 0, planned.system)),
        damaged=damaged.get(planned.label),
    )
