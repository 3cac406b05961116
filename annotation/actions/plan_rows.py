"""A plan as rows: assignments, items, slots and credits, stored in short transactions.

Texts of degraded items are damaged here, once, so that everybody is shown the same.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.db import transaction

from annotation.actions.remaining_items import next_position
from annotation.actions.summaries import keep_plan
from annotation.models import Assignment, AssignmentStatus, Credit, Item, Slot
from annotation.planning.degraded_text import degrade
from annotation.planning.planned import PlannedAssignment, PlannedItem, PlannedSlot
from campaigns.models import Campaign, Translation

ITEMS_AT_ONCE = 2000
SEGMENTS_AT_ONCE = 5000  # as many as the databases' limit on parameters allows
DONORS_KNOWN = 2000
DONORS_TRIED = 40

Texts = Mapping[str, str]  # by label


@dataclass(frozen=True)
class _Sheet:
    """One assignment with the damaged texts of its items, by their index."""

    position: int
    assignment: PlannedAssignment
    damaged: Mapping[int, Texts]

    @property
    def items(self) -> list[PlannedItem]:
        """A text that cannot be damaged is repeated unchanged; the score of a document goes with its segments."""
        items = self.assignment.items
        blocks = {items[index].block for index, texts in self.damaged.items() if texts}
        return [
            item
            if item.kind != "degraded" or self.damaged.get(index) or (item.level == "document" and item.block in blocks)
            else replace(item, kind="repeat")
            for index, item in enumerate(items)
        ]


def store_plan(campaign: Campaign, planned: Sequence[PlannedAssignment]) -> list[Assignment]:
    """Every assignment is archived until the whole plan is stored, so that nobody is handed part of one.

    They come behind what the campaign has: of a campaign that runs, others may be stored between two batches. The new
    rows are in the order of the plan.
    """
    damage = Damage(campaign)
    rows: list[Assignment] = []
    for batch in _batches(planned):
        damaged = [damage.of(assignment.items) for assignment in batch]
        translations = _outputs_of((item.segment for each in batch for item in each.items), "pk")
        with transaction.atomic():
            start = next_position(campaign.pk)
            sheets = [_Sheet(start + place, *each) for place, each in enumerate(zip(batch, damaged, strict=True))]
            rows += _store(campaign, sheets, translations)
    return rows


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


def _store(
    campaign: Campaign, sheets: Sequence[_Sheet], translations: Mapping[tuple[int, int], int]
) -> list[Assignment]:
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
    keep_plan([each.pk for each in assignments])
    return assignments


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
        total=sheet.assignment.total,
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
        columns="".join(map(str, planned.columns)),
    )


class Damage:
    """Damages outputs of the campaign's systems with phrases from its other outputs; the campaign's seed decides."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.language = campaign.test_set.target_language
        self.rng = random.Random(f"{campaign.seed} damage")  # noqa: S311 - repeatable, not secret

    def of(self, items: Sequence[PlannedItem]) -> dict[int, Mapping[str, str]]:
        """The damaged texts of a degraded item by its index and label; empty where no phrase can be replaced."""
        degraded = {
            index: item for index, item in enumerate(items) if item.kind == "degraded" and item.level == "segment"
        }
        given = {
            index: {slot.label: slot.damaged for slot in item.slots if slot.damaged is not None}
            for index, item in degraded.items()
        }
        texts = _outputs_of((item.segment for index, item in degraded.items() if not given[index]), "text")
        return {index: given[index] or self._one(item, texts) for index, item in degraded.items()}

    def _one(self, item: PlannedItem, texts: Mapping[tuple[int, int], str | None]) -> Mapping[str, str]:
        slot = self.rng.choice(item.slots)
        segment = item.segment or 0
        text = texts[segment, slot.system] or ""
        damaged = degrade(text, self._donors_for(segment), self.rng, language=self.language)
        return {} if damaged is None else {slot.label: damaged}

    def _donors_for(self, segment: int) -> list[str]:
        drawn = self.rng.sample(self._donors, min(DONORS_TRIED, len(self._donors)))
        return [text for other, text in drawn if other != segment]

    @cached_property
    def _donors(self) -> list[tuple[int, str]]:
        """Outputs from all over the test set with their segments, as many as are needed for variety."""
        outputs = Translation.objects.filter(system__campaigns=self.campaign).exclude(text=None).exclude(text="")
        known = list(outputs.order_by("pk").values_list("pk", flat=True))
        drawn = self.rng.sample(known, min(DONORS_KNOWN, len(known)))
        by_key = Translation.objects.in_bulk(drawn)
        return [(by_key[pk].segment_id, by_key[pk].text or "") for pk in drawn]


def _outputs_of(segments: Iterable[int | None], column: str) -> dict[tuple[int, int], Any]:
    """A column of the translations (`pk`, `text`) by segment and system, in few queries."""
    keys = sorted({segment for segment in segments if segment is not None})
    by_key: dict[tuple[int, int], Any] = {}
    for start in range(0, len(keys), SEGMENTS_AT_ONCE):
        some = keys[start : start + SEGMENTS_AT_ONCE]
        rows = Translation.objects.filter(segment__in=some).values_list("segment", "system", column)
        by_key.update({(segment, system): value for segment, system, value in rows})
    return by_key
