"""The texts an annotator works on: the current one and the next two, whole, in one query (two with suggestions).

No more than that is ever served ahead: of the texts that are not finished, the first three. Whoever could read a whole
assignment at once could find by comparing texts which are asked again, without judging any.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Annotated, Any, NamedTuple
from uuid import UUID

from django.db.models import Exists, F, JSONField, OuterRef, Q, QuerySet, Subquery, Value

from annotation.beside.shown_item import BesideItem, beside_item
from annotation.models import Assignment, AssignmentStatus, AttentionCheck, Item, ItemLevel, Judgment, Slot
from annotation.protocols import protocol_for
from annotation.protocols.base import MarkedSpan, Protocol, ShownItem, ShownQuestion, ShownSlot
from annotation.queries.alignments import alignment_of_slot, moved_alignment
from annotation.queries.document_questions import page_questions
from annotation.queries.item_to_judge import consent_to, reference_of
from annotation.queries.served_texts import BLOCKS_AT_ONCE, blocks_in, items_to_judge, last_served_block
from annotation.queries.suggestions import ShownTranslation, suggested_in
from annotation.queries.text_guidance import DocumentGuidance, guidance_for, has_guidance
from annotation.queries.text_media import PageMedia, ShownMedium, has_media
from campaigns.models import Account, Campaign, StandsFor
from campaigns.prepared_rows import PreparedRows, columns_of

_Rows = QuerySet[Slot, tuple[Any, ...]]
_Suggestions = Mapping[tuple[int, str], tuple[MarkedSpan, ...]]
_ARCHIVED = AssignmentStatus.ARCHIVED


class UnknownItem(Exception):
    """The item in `after` or `before` is not in this assignment; `place` says which."""

    def __init__(self, place: str) -> None:
        self.place = place
        super().__init__(f"no such item to look {place}")


@dataclass(frozen=True)
class Place:
    """Which texts are wanted: from the one after an item, those before an item's, all from the start.

    None of these: from the text of the first unanswered item.
    """

    after: UUID | None = None
    before: UUID | None = None
    from_start: bool = False


WORK_TO_DO = Place()


@dataclass(frozen=True)
class PageItem:
    """`document` only says which items belong to one text; `title` is "" beside control items.

    The first item of a text has its `instruction`.
    """

    id: UUID
    document: str
    title: str
    position: int
    shown: ShownItem
    draft: Any
    answer: Any
    revision: int
    instruction: str = ""
    media: tuple[ShownMedium, ...] = ()
    beside: BesideItem | None = None
    skippable: bool = False


@dataclass(frozen=True)
class PageContext:
    """A segment that is shown and not judged."""

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
    has_consent: bool
    is_withdrawn: bool = False
    has_more: bool = False  # further texts, served as these are finished
    screens_done: int | None = None  # None where a text is not submitted as one
    screens_total: int | None = None


def items_page(annotator: Account, assignment: int, place: Place = WORK_TO_DO) -> ItemsPage | None:
    """The texts at this place; empty past the end and before the start.

    None for what was not handed to this annotator.
    """
    rows = _rows(annotator, assignment, place)
    return _page_of(rows) if rows else _empty_page(annotator, assignment, place)


def first_texts_of(campaign: Campaign) -> ItemsPage | None:
    """The first texts of the plan as an annotator will see them, untouched; None where the plan is empty."""
    planned = campaign.assignments.exclude(status=AssignmentStatus.ARCHIVED).order_by("round", "position").first()
    own = Slot.objects.filter(item__assignment=planned, item__block__lte=BLOCKS_AT_ONCE)
    nothing = {
        "answer": Value(None, output_field=JSONField()),
        "has_consent": Value(value=True),
        "has_checks": Exists(AttentionCheck.objects.filter(campaign=campaign)),
        "last_served": Value(0),
        "last_block": Value(0),
        "screens_total": Value(0),
        "screens_open": Value(0),
        "has_guidance": has_guidance("item__document__test_set"),
        "has_media": has_media("item__document__test_set"),
        "alignment": alignment_of_slot(),
    }
    slots = own.annotate(reference=reference_of("item__segment"), **nothing).order_by("item__position", "label")
    rows = [_Row(*row) for row in slots.values_list(*_COLUMNS)]
    if not rows:
        return None
    page = _page_of(rows)
    items = [replace(each, draft=None, revision=0) for each in page.items]
    return replace(page, items=items, done=0, completion_code=None, is_withdrawn=False)


def _empty_page(annotator: Account, assignment: int, place: Place) -> ItemsPage | None:
    rows = Assignment.objects.filter(pk=assignment, annotator=annotator)
    own = rows.annotate(has_consent=consent_to("campaign", annotator)).first()
    if own is None:
        return None
    named = place.after or place.before
    if named is not None and not own.items.filter(public_id=named).exists():
        raise UnknownItem("after" if place.after else "before")
    end = own.items.annotate(last=last_served_block(assignment)).filter(block__gt=F("last"))
    return ItemsPage(
        items=[],
        context=[],
        done=own.done,
        total=own.total,
        completion_code=own.completion_code or None,
        has_consent=own.has_consent,
        is_withdrawn=own.is_withdrawn,
        has_more=end.exists(),
    )


class _Row(NamedTuple):
    """A slot with its item, assignment and campaign: plain values, for instances would cost more than all the rest.

    A field is read from the column of its name, or from the one that its annotation names.
    """

    label: str
    columns: str
    damaged: str | None
    translation_id: int | None
    translation: Annotated[str | None, "translation__text"]
    stands_for: Annotated[str, "system__stands_for"]
    public_id: Annotated[UUID, "item__public_id"]
    block: Annotated[int, "item__block"]
    level: Annotated[str, "item__level"]
    position: Annotated[int, "item__position"]
    revision: Annotated[int, "item__revision"]
    document: Annotated[int, "item__document_id"]
    title: Annotated[str, "item__document__title"]
    name: Annotated[str, "item__document__name"]
    source: Annotated[str | None, "item__segment__source"]
    draft: Annotated[Any, "item__draft__answer"]
    draft_base: Annotated[int | None, "item__draft__base_revision"]
    done: Annotated[int, "item__assignment__done"]
    total: Annotated[int, "item__assignment__total"]
    completion_code: Annotated[str, "item__assignment__completion_code"]
    returned_at: Annotated[datetime | None, "item__assignment__returned_at"]
    status: Annotated[str, "item__assignment__status"]
    protocol: Annotated[str, "item__assignment__campaign__protocol"]
    options: Annotated[dict[str, Any], "item__assignment__campaign__options"]
    repeats_share: Annotated[float, "item__assignment__campaign__repeats_share"]
    degraded_share: Annotated[float, "item__assignment__campaign__degraded_share"]
    reference: str | None
    answer: Any
    has_consent: bool
    has_checks: bool
    last_served: int
    last_block: int
    screens_total: int
    screens_open: int
    test_set: Annotated[int, "item__document__test_set_id"]
    domain: Annotated[str, "item__document__domain"]
    has_guidance: bool
    segment: Annotated[int | None, "item__segment_id"]
    has_media: bool
    alignment: str | None

    @property
    def text(self) -> str | None:
        return self.translation if self.damaged is None else self.damaged

    @property
    def heading(self) -> str:
        """Empty beside control items: a repeated heading would show that a text comes again."""
        return "" if self.repeats_share or self.degraded_share or self.has_checks else self.title or self.name


_COLUMNS = columns_of(_Row)


def _page_of(rows: Sequence[_Row]) -> ItemsPage:
    protocol = protocol_for(rows[0].protocol, rows[0].options)
    suggested = suggested_in(_shown_translations(rows), protocol)
    questions = page_questions({row.document for row in rows}) if protocol.asks_questions else {}
    guidance = _guidance(rows)
    media = PageMedia({row.document for row in rows} if rows[0].has_media else ())
    items: list[PageItem] = []
    context: list[PageContext] = []
    for _, group in groupby(rows, key=lambda row: row.position):
        slots = list(group)
        if slots[0].level == ItemLevel.CONTEXT:
            context.append(_context(slots[0], protocol))
        else:
            item = _item(slots, protocol, questions.get(slots[0].document, ()), suggested)
            item = replace(item, media=media.beside(slots[0].document, slots[0].segment, slots[0].level))
            is_first = not items or items[-1].document != item.document
            items.append(_with_what_lies_beside(item, guidance.get(slots[0].document), is_first=is_first))
    first = rows[0]
    return ItemsPage(
        items=items,
        context=context,
        done=first.done,
        total=first.total,
        completion_code=first.completion_code or None,
        has_consent=first.has_consent,
        is_withdrawn=first.returned_at is not None or first.status == _ARCHIVED,
        has_more=first.last_served < first.last_block,
        screens_done=first.screens_total - first.screens_open if protocol.shows_whole_documents else None,
        screens_total=first.screens_total if protocol.shows_whole_documents else None,
    )


def _with_what_lies_beside(item: PageItem, guidance: DocumentGuidance | None, *, is_first: bool) -> PageItem:
    beside = beside_item(item.shown, guidance.glossary if guidance else None)
    instruction = guidance.instruction if guidance and is_first else ""
    return replace(item, instruction=instruction, beside=beside)


def _guidance(rows: Sequence[_Row]) -> dict[int, DocumentGuidance]:
    """By document; without a query where the test set has none."""
    if not rows[0].has_guidance:
        return {}
    return guidance_for(rows[0].test_set, {row.document: row.domain for row in rows})


def _rows(annotator: Account, assignment: int, place: Place) -> list[_Row]:
    values: dict[str, Any] = {"annotator": annotator.pk, "assignment": assignment}
    if place.before is not None:
        rows = _BEFORE(**values, item=place.before)
    elif place.after is not None:
        rows = _AFTER(**values, item=place.after)
    else:
        rows = (_FROM_START if place.from_start else _WORK_TO_DO)(**values)
    return [_Row(*row) for row in rows]


def _work_to_do(annotator: int, assignment: int) -> _Rows:
    """A withdrawn assignment has no items to judge, though it can still be read."""
    rows = _rows_from(annotator, assignment, items_to_judge(assignment).filter(revision=0))
    return rows.filter(item__assignment__returned_at=None).exclude(item__assignment__status=_ARCHIVED)


def _from_start(annotator: int, assignment: int) -> _Rows:
    return _rows_from(annotator, assignment, items_to_judge(assignment))


def _after(annotator: int, assignment: int, item: UUID) -> _Rows:
    own = Item.objects.filter(assignment=assignment, public_id=item).values("position")
    return _rows_from(annotator, assignment, items_to_judge(assignment).filter(position__gt=Subquery(own)))


def _before(annotator: int, assignment: int, item: UUID) -> _Rows:
    """The three texts that end before the item's."""
    own = Item.objects.filter(assignment=assignment, public_id=item).values("block")
    last = Subquery(items_to_judge(assignment).filter(block__lt=Subquery(own)).order_by("-block").values("block")[:1])
    blocks = Q(item__block__lte=last, item__block__gt=last - BLOCKS_AT_ONCE)
    return _rows_of(annotator, assignment, blocks)


def _rows_from(annotator: int, assignment: int, items: QuerySet[Item]) -> _Rows:
    """The text of the first of these items, and the next two."""
    first = Subquery(items.order_by("position").values("block")[:1])
    return _rows_of(annotator, assignment, Q(item__block__gte=first, item__block__lt=first + BLOCKS_AT_ONCE))


def _rows_of(annotator: int, assignment: int, blocks: Q) -> _Rows:
    answer = Judgment.objects.filter(item=OuterRef("item"), is_current=True).values("answer")
    last_block = Item.objects.filter(assignment=assignment).order_by("-position").values("block")[:1]
    return (
        Slot.objects.filter(blocks, item__assignment=assignment, item__assignment__annotator=annotator)
        .annotate(
            reference=reference_of("item__segment"),
            answer=Subquery(answer),
            has_consent=consent_to("item__assignment__campaign", annotator),
            has_checks=Exists(AttentionCheck.objects.filter(campaign=OuterRef("item__assignment__campaign"))),
            last_served=last_served_block(assignment),
            last_block=Subquery(last_block),
            screens_total=blocks_in(items_to_judge(assignment)),
            screens_open=blocks_in(items_to_judge(assignment).filter(revision=0)),
            has_guidance=has_guidance("item__document__test_set"),
            has_media=has_media("item__document__test_set"),
            alignment=alignment_of_slot(),
        )
        .filter(item__block__lte=F("last_served"))
        .order_by("item__position", "label")
        .values_list(*_COLUMNS)
    )


_WORK_TO_DO = PreparedRows(_work_to_do, annotator=int, assignment=int)
_FROM_START = PreparedRows(_from_start, annotator=int, assignment=int)
_AFTER = PreparedRows(_after, annotator=int, assignment=int, item=UUID)
_BEFORE = PreparedRows(_before, annotator=int, assignment=int, item=UUID)


def _shown_translations(rows: Sequence[_Row]) -> dict[tuple[int, str], ShownTranslation]:
    """By position and slot, for items to judge."""
    return {
        (row.position, row.label): ShownTranslation(row.label, row.translation_id, row.text or "")
        for row in rows
        if row.level == ItemLevel.SEGMENT and row.translation_id is not None
    }


def _item(
    slots: Sequence[_Row], protocol: Protocol[Any], questions: tuple[ShownQuestion, ...], suggested: _Suggestions
) -> PageItem:
    """A draft that a judgment has overtaken is not shown again."""
    row = slots[0]
    return PageItem(
        id=row.public_id,
        document=str(row.block),
        title=row.heading,
        position=row.position,
        shown=ShownItem(
            level=row.level,
            source=row.source if protocol.shows_source else None,
            reference=row.reference if protocol.shows_reference else None,
            slots=tuple(
                ShownSlot(
                    slot.label,
                    slot.text,
                    suggested.get((row.position, slot.label), ()),
                    tuple(map(int, slot.columns)),
                    _alignment(slot) if protocol.shows_source else None,
                )
                for slot in slots
            ),
            questions=questions if row.level == ItemLevel.DOCUMENT else (),
        ),
        draft=row.draft if row.draft_base == row.revision else None,
        answer=row.answer,
        revision=row.revision,
    )


def _alignment(row: _Row) -> str | None:
    if row.alignment is None or row.level != ItemLevel.SEGMENT:
        return None
    return moved_alignment(row.alignment, row.translation or "", row.text or "")


def _context(row: _Row, protocol: Protocol[Any]) -> PageContext:
    """A source that is read instead of a translation is shown alone; a reference is shown as a translation."""
    is_read_itself = row.stands_for == StandsFor.SOURCE
    return PageContext(
        document=str(row.block),
        position=row.position,
        source=row.source if protocol.shows_source or is_read_itself else None,
        reference=row.reference if protocol.shows_reference else None,
        text=row.reference if row.stands_for == StandsFor.REFERENCE else row.text,
    )
