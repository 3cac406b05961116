"""One item as its annotator was shown it, with what only its organiser may know: systems, kind, answers, reports."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from annotation.models import Credit, Item, ItemLevel, Judgment, ProblemReport, Score, Slot
from annotation.protocols import protocol_for
from annotation.protocols.base import ShownQuestion, ShownSlot
from annotation.queries.annotator_work import Answer, answer_of
from annotation.queries.document_questions import questions_on
from annotation.queries.item_to_judge import reference_of
from campaigns.models import Campaign, StandsFor


@dataclass(frozen=True)
class SheetSlot:
    """`systems` are all whose output it is; `genuine` is the text in whose place a damaged one was shown."""

    shown: ShownSlot
    systems: Sequence[str]
    genuine: str | None


@dataclass(frozen=True)
class SheetQuestion:
    """`given` is what was answered, None while nothing was."""

    shown: ShownQuestion
    given: str | None


@dataclass(frozen=True)
class ItemSheet:
    item: Item
    source: str | None
    reference: str | None
    slots: Sequence[SheetSlot]
    questions: Sequence[SheetQuestion]
    answer: Answer | None
    reports: Sequence[ProblemReport]


def item_sheet(campaign: Campaign, item: Item) -> ItemSheet:
    """Five queries, one more for a whole text, one for its questions. `item` with document, segment and assignment."""
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
        slots=[_slot(slot, _whole_text(item, slot.label)) for slot in slots],
        questions=_questions(item, judgment) if protocol.asks_questions else (),
        answer=answer_of(judgment) if judgment else None,
        reports=list(item.problem_reports.select_related("annotator").order_by("-reported_at")),
    )


def _whole_text(item: Item, label: str) -> str:
    """What stood above a document's question under this label; empty for a segment."""
    if item.level != ItemLevel.DOCUMENT:
        return ""
    together = Slot.objects.filter(item__assignment=item.assignment, item__block=item.block, label=label)
    rows = (
        together.exclude(item=item)
        .order_by("item__position")
        .values_list("system__stands_for", "translation__text", "item__segment__source", reference_of("item__segment"))
    )
    return "\n".join(
        {StandsFor.SOURCE: source, StandsFor.REFERENCE: reference}.get(stands_for, text) or ""
        for stands_for, text, source, reference in rows
    )


def _questions(item: Item, judgment: Judgment | None) -> list[SheetQuestion]:
    slots = judgment.answer.get("slots", {}).values() if judgment else ()
    given = {name: value for slot in slots for name, value in slot.get("answers", {}).items()}
    return [SheetQuestion(each, given.get(each.name)) for each in questions_on(item.document_id)]


def _slot(slot: Slot, whole: str) -> SheetSlot:
    genuine = slot.translation.text if slot.translation else None
    return SheetSlot(
        shown=ShownSlot(slot.label, (genuine if slot.damaged is None else slot.damaged) or whole),
        systems=[slot.system.name, *(credit.system.name for credit in slot.credits.all())],
        genuine=None if slot.damaged is None else genuine,
    )
