"""One item as its annotator was shown it, with what only its organiser may know: systems, kind, answers, reports."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from annotation.annotator_work import Answer, answer_of
from annotation.models import Credit, Item, Judgment, ProblemReport, Score, Slot
from annotation.protocols import protocol_for
from campaigns.models import Campaign


@dataclass(frozen=True)
class SheetSlot:
    """`systems` are all whose output it is; `genuine` is the text in whose place a damaged one was shown."""

    label: str
    text: str
    systems: Sequence[str]
    genuine: str | None


@dataclass(frozen=True)
class ItemSheet:
    item: Item
    source: str | None
    reference: str | None
    slots: Sequence[SheetSlot]
    answer: Answer | None
    reports: Sequence[ProblemReport]


def item_sheet(campaign: Campaign, item: Item) -> ItemSheet:
    """Five queries. `item` with document, segment and assignment."""
    protocol = protocol_for(campaign.protocol, campaign.options)
    slots = item.slots.select_related("translation", "system").prefetch_related(
        Prefetch("credits", queryset=Credit.objects.select_related("system"))
    )
    scores = Score.objects.select_related("translation__system", "system").order_by("pk")
    judgment = (
        Judgment.objects.filter(item=item, is_current=True)
        .prefetch_related(Prefetch("scores", queryset=scores))
        .select_related("annotator")
        .first()
    )
    reference = item.segment.references.order_by("name").first() if item.segment else None
    return ItemSheet(
        item=item,
        source=item.segment.source if item.segment and protocol.shows_source else None,
        reference=reference.text if reference and protocol.shows_reference else None,
        slots=[_slot(slot) for slot in slots],
        answer=answer_of(judgment) if judgment else None,
        reports=list(item.problem_reports.select_related("annotator").order_by("-reported_at")),
    )


def _slot(slot: Slot) -> SheetSlot:
    genuine = slot.translation.text if slot.translation else None
    return SheetSlot(
        label=slot.label,
        text=(genuine if slot.damaged is None else slot.damaged) or "",
        systems=[slot.system.name, *(credit.system.name for credit in slot.credits.all())],
        genuine=None if slot.damaged is None else genuine,
    )
