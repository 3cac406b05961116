"""An item as it was shown to its annotator, with everything its judgment counts for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, islice
from typing import Annotated, Any, NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import Assignment, AssignmentStatus, Item, ItemKind, ItemLevel, Slot
from annotation.protocols import protocol_for
from annotation.protocols.base import Protocol, ShownItem, ShownSlot
from annotation.queries.document_questions import questions_on
from annotation.queries.suggestions import ShownTranslation, suggested_in
from campaigns.models import Account, Campaign, Membership, Reference, Role
from campaigns.prepared_rows import PreparedRows, attributes_of, columns_of, instance_of


@dataclass(frozen=True)
class Subject:
    """A system whose output was shown; at document level there is no single translation.

    Its own text may have other white space around: `shift` is what a place in the text shown moves by, `length` where
    its own text ends (None: where the text shown does).
    """

    system: int
    translation: int | None
    shift: int = 0
    length: int | None = None

    def place_of(self, place: int) -> int:
        """In its own text, of a place in the text shown."""
        moved = max(0, place + self.shift)
        return moved if self.length is None else min(moved, self.length)


@dataclass(frozen=True)
class ItemToJudge:
    """`texts` and `subjects` (all systems whose output a text is) go by slot; what is hidden is not `shown`."""

    item: Item
    annotator: Account
    source: str | None
    reference: str | None
    texts: Mapping[str, str | None]
    subjects: Mapping[str, tuple[Subject, ...]]
    has_consent: bool
    is_paired: bool = False  # degraded, or the original of such an item

    @property
    def assignment(self) -> Assignment:
        return self.item.assignment

    @cached_property
    def protocol(self) -> Protocol[Any]:
        campaign = self.assignment.campaign
        return protocol_for(campaign.protocol, campaign.options)

    @cached_property
    def shown(self) -> ShownItem:
        """One query more where errors are suggested."""
        outputs = {
            label: ShownTranslation(label, translation, text or "")
            for label, text in self.texts.items()
            if (translation := self.subjects[label][0].translation) is not None
        }
        suggested = suggested_in(outputs, self.protocol)
        return ShownItem(
            level=self.item.level,
            source=self.source if self.protocol.shows_source else None,
            reference=self.reference if self.protocol.shows_reference else None,
            slots=tuple(ShownSlot(label, text, suggested.get(label, ())) for label, text in self.texts.items()),
            questions=questions_on(self.item.document_id) if self.protocol.asks_questions else (),
        )


def screen_to_judge(annotator: Account, assignment: int, public_id: UUID) -> list[ItemToJudge]:
    """All items of the screen that this one is on, in one query; empty where `item_to_judge` gives None."""
    rows = _ROWS_OF_SCREEN(annotator=annotator.pk, assignment=assignment, public_id=public_id)
    items = [_to_judge(annotator, list(group)) for _, group in groupby(rows, key=lambda row: row[len(_SLOT)])]
    for each in items[1:]:
        each.item.assignment = items[0].assignment
    return items


def item_to_judge(annotator: Account, assignment: int, public_id: UUID) -> ItemToJudge | None:
    """One query. None for what was not handed to this annotator, and for segments that are only context."""
    rows = _ROWS(annotator=annotator.pk, assignment=assignment, public_id=public_id)
    return _to_judge(annotator, rows) if rows else None


def _to_judge(annotator: Account, rows: Sequence[Sequence[Any]]) -> ItemToJudge:
    slots = [_Row(*row[: len(_SLOT)]) for row in rows]
    return ItemToJudge(
        item=_item(rows[0]),
        annotator=annotator,
        source=slots[0].source,
        reference=slots[0].reference,
        texts={slot.label: slot.text for slot in slots},
        subjects={label: _subjects(list(group)) for label, group in groupby(slots, key=lambda slot: slot.label)},
        has_consent=slots[0].has_consent,
        is_paired=slots[0].is_paired,
    )


class _Row(NamedTuple):
    """A slot, once for every further system it is credited to; then come its item, assignment and campaign."""

    label: str
    text: Annotated[str | None, "shown"]
    system: Annotated[int, "system_id"]
    translation: Annotated[int | None, "translation_id"]
    credit_system: Annotated[int | None, "credits__system_id"]
    credit_translation: Annotated[int | None, "credits__translation_id"]
    credit_text: Annotated[str | None, "credits__translation__text"]
    source: Annotated[str | None, "item__segment__source"]
    reference: str | None
    has_consent: bool
    is_paired: bool


_Rows = QuerySet[Slot, tuple[Any, ...]]
_SLOT = columns_of(_Row)
_ITEM = attributes_of(Item, "id", "public_id", "assignment", "document", "segment", "level", "kind", "revision")
_ASSIGNMENT = attributes_of(
    Assignment, "id", "campaign", "status", "done", "total", "completion_code", "expires_at", "returned_at"
)
_CAMPAIGN = attributes_of(Campaign, "id", "protocol", "options", "status", "planning", "reservation_minutes")


def _rows_of_item(annotator: int, assignment: int, public_id: UUID) -> _Rows:
    return _rows_of(Slot.objects.filter(item__public_id=public_id), annotator, assignment)


def _rows_of_screen(annotator: int, assignment: int, public_id: UUID) -> _Rows:
    block = Item.objects.filter(public_id=public_id, assignment=assignment).values("block")
    return _rows_of(Slot.objects.filter(item__block=Subquery(block)), annotator, assignment)


def _rows_of(slots: QuerySet[Slot], annotator: int, assignment: int) -> _Rows:
    """A whole document is shown above its question, whose slot has no text of its own."""
    degraded = Item.objects.filter(kind=ItemKind.DEGRADED)
    return (
        slots.filter(item__assignment=assignment, item__assignment__annotator=annotator)
        .exclude(item__level=ItemLevel.CONTEXT)
        .annotate(
            shown=Coalesce("damaged", "translation__text"),
            reference=reference_of("item__segment"),
            has_consent=consent_to("item__assignment__campaign", annotator),
            is_paired=Q(item__kind=ItemKind.DEGRADED) | Exists(degraded.filter(original=OuterRef("item"))),
        )
        .order_by("item__position", "label", "credits__system_id")
        .values_list(
            *_SLOT,
            *(f"item__{name}" for name in _ITEM),
            *(f"item__assignment__{name}" for name in _ASSIGNMENT),
            *(f"item__assignment__campaign__{name}" for name in _CAMPAIGN),
        )
    )


_ROWS = PreparedRows(_rows_of_item, annotator=int, assignment=int, public_id=UUID)
_ROWS_OF_SCREEN = PreparedRows(_rows_of_screen, annotator=int, assignment=int, public_id=UUID)


def _item(row: Sequence[Any]) -> Item:
    """With its assignment and campaign; fields that are not read here are loaded when somebody asks."""
    values = iter(row[len(_SLOT) :])
    item = instance_of(Item, _ITEM, islice(values, len(_ITEM)))
    item.assignment = instance_of(Assignment, _ASSIGNMENT, islice(values, len(_ASSIGNMENT)))
    item.assignment.campaign = instance_of(Campaign, _CAMPAIGN, values)
    return item


def _subjects(rows: Sequence[_Row]) -> tuple[Subject, ...]:
    slot = rows[0]
    own = Subject(slot.system, slot.translation)
    further = [
        Subject(row.credit_system, row.credit_translation, *_own_places(row))
        for row in rows
        if row.credit_system is not None
    ]
    return (own, *further)


def _own_places(row: _Row) -> tuple[int, int | None]:
    shown, own = row.text or "", row.credit_text
    if own is None or own == shown:
        return 0, None
    return _leading(own) - _leading(shown), len(own)


def _leading(text: str) -> int:
    return len(text) - len(text.lstrip())


def reference_of(segment: str) -> Subquery:
    """The text of the first reference by name; null where there is none."""
    return Subquery(Reference.objects.filter(segment=OuterRef(segment)).order_by("name").values("text")[:1])


def consent_to(campaign: str, annotator: Account | int) -> Exists:
    return Exists(
        Membership.objects.filter(
            campaign=OuterRef(campaign), account=annotator, role=Role.ANNOTATOR, consented_at__isnull=False
        )
    )


def assignments_of(annotator: Account) -> QuerySet[Assignment]:
    """What was handed to an annotator, in that order; archived assignments are the organiser's business."""
    own = Assignment.objects.filter(annotator=annotator).exclude(status=AssignmentStatus.ARCHIVED)
    return own.select_related("campaign").order_by("claimed_at", "pk")
