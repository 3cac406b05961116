"""An item as it was shown to its annotator, with everything its judgment counts for."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery

from annotation.models import Assignment, AssignmentStatus, Item, ItemLevel, Slot
from annotation.protocols import protocol_for
from annotation.protocols.base import Protocol, ShownItem, ShownSlot
from campaigns.models import Account, Membership, Reference, Role


@dataclass(frozen=True)
class Subject:
    """A system whose output was shown; at document level there is no one translation."""

    system: int
    translation: int | None


@dataclass(frozen=True)
class AskedSlot:
    """`subjects` are all systems whose output this is."""

    label: str
    text: str | None
    subjects: tuple[Subject, ...]


@dataclass(frozen=True)
class Judging:
    """An annotator's assignment, and whether they have agreed to take part in its campaign."""

    assignment: Assignment
    has_consent: bool


@dataclass(frozen=True)
class AskedItem:
    item: Item
    annotator: Account
    source: str | None
    reference: str | None
    slots: tuple[AskedSlot, ...]
    has_consent: bool

    @property
    def assignment(self) -> Assignment:
        return self.item.assignment

    @cached_property
    def protocol(self) -> Protocol[Any]:
        campaign = self.assignment.campaign
        return protocol_for(campaign.protocol, campaign.options)

    @cached_property
    def shown(self) -> ShownItem:
        return ShownItem(
            level=self.item.level,
            source=self.source if self.protocol.shows_source else None,
            reference=self.reference if self.protocol.shows_reference else None,
            slots=tuple(ShownSlot(slot.label, slot.text or "") for slot in self.slots),
        )


def judging_of(annotator: Account, pk: int) -> Judging | None:
    """One query. None for what was not handed to this annotator."""
    own = Assignment.objects.filter(pk=pk, annotator=annotator)
    row = own.select_related("campaign").annotate(has_consent=consent_to("campaign", annotator)).first()
    return Judging(row, row.has_consent) if row else None


def asked_item(annotator: Account, assignment: int, public_id: UUID) -> AskedItem | None:
    """One query. None for what was not handed to this annotator, and for segments that are only context."""
    rows = (
        Slot.objects.filter(
            item__public_id=public_id, item__assignment=assignment, item__assignment__annotator=annotator
        )
        .exclude(item__level=ItemLevel.CONTEXT)
        .select_related("item__assignment__campaign", "item__segment", "translation")
        .defer("item__assignment__campaign__guidelines", "item__assignment__campaign__consent")
        .annotate(
            reference=reference_of("item__segment"),
            has_consent=consent_to("item__assignment__campaign", annotator),
            credit_system=F("credits__system"),
            credit_translation=F("credits__translation"),
        )
        .order_by("label", "credit_system")
    )
    found: list[Any] = list(rows)
    if not found:
        return None
    item = found[0].item
    return AskedItem(
        item=item,
        annotator=annotator,
        source=item.segment.source if item.segment else None,
        reference=found[0].reference,
        slots=tuple(_slot(list(group)) for _, group in groupby(found, key=lambda row: row.label)),
        has_consent=found[0].has_consent,
    )


def reference_of(segment: str) -> Subquery:
    """The text of the first reference by name; null where there is none."""
    return Subquery(Reference.objects.filter(segment=OuterRef(segment)).order_by("name").values("text")[:1])


def consent_to(campaign: str, annotator: Account) -> Exists:
    return Exists(
        Membership.objects.filter(
            campaign=OuterRef(campaign), account=annotator, role=Role.ANNOTATOR, consented_at__isnull=False
        )
    )


def text_of(slot: Slot) -> str | None:
    """What the slot shows; a whole document stands above its question and has no text of its own."""
    if slot.damaged is not None:
        return slot.damaged
    return slot.translation.text if slot.translation else None


def _slot(rows: Sequence[Any]) -> AskedSlot:
    """The slot is repeated for every further system it is credited to."""
    slot = rows[0]
    own = Subject(slot.system_id, slot.translation_id)
    further = [Subject(row.credit_system, row.credit_translation) for row in rows if row.credit_system is not None]
    return AskedSlot(slot.label, text_of(slot), (own, *further))


def assignments_of(annotator: Account) -> QuerySet[Assignment]:
    """What was handed to an annotator, in that order; archived assignments are the organiser's business."""
    own = Assignment.objects.filter(annotator=annotator).exclude(status=AssignmentStatus.ARCHIVED)
    return own.select_related("campaign").order_by("claimed_at", "pk")
