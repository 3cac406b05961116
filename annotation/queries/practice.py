"""Practice before the first item: an annotator's progress, and the items they see."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from annotation.beside.shown_item import beside_item
from annotation.models import ItemLevel, PracticeAnswer, PracticeItem
from annotation.protocols import protocol_for
from annotation.protocols.base import Protocol, ShownItem, ShownSlot
from annotation.queries.document_questions import question_from
from annotation.queries.items_page import ItemsPage, PageItem, Place, UnknownItem
from annotation.queries.text_guidance import DocumentGuidance, guidance_for
from annotation.queries.text_media import PageMedia
from campaigns.models import Account, Campaign, Membership


@dataclass(frozen=True)
class PracticeProgress:
    """In the current attempt; first answers count. `pass_mark` None: practice is voluntary."""

    items: int
    answered: int
    right: int
    attempt: int
    attempts: int
    pass_mark: float | None
    is_qualified: bool

    @property
    def is_over(self) -> bool:
        return self.answered == self.items

    @property
    def reaches_mark(self) -> bool:
        return self.is_over and self.right >= (self.pass_mark or 0) * self.items - 1e-9

    @property
    def may_try_again(self) -> bool:
        return self.is_over and not self.is_qualified and self.attempt < self.attempts

    @property
    def is_shut_out(self) -> bool:
        return self.must_pass and self.is_over and not self.may_try_again

    @property
    def must_pass(self) -> bool:
        return self.pass_mark is not None and self.items > 0 and not self.is_qualified


def practice_progress(membership: Membership) -> PracticeProgress:
    """Two queries. `membership` with its campaign."""
    campaign = membership.campaign
    counted = PracticeAnswer.objects.filter(
        item__campaign=campaign, annotator=membership.account_id, attempt=membership.practice_attempt
    ).aggregate(answered=Count("pk"), right=Count("pk", filter=Q(is_right=True)))
    return PracticeProgress(
        items=PracticeItem.objects.filter(campaign=campaign).count(),
        **counted,
        attempt=membership.practice_attempt,
        attempts=campaign.practice_attempts,
        pass_mark=campaign.pass_mark,
        is_qualified=membership.qualified_at is not None,
    )


def must_practise(membership: Membership) -> bool:
    """Whether items are withheld until practice is passed."""
    if membership.campaign.pass_mark is None or membership.qualified_at is not None:
        return False
    return PracticeItem.objects.filter(campaign=membership.campaign).exists()


def practice_page(membership: Membership, place: Place) -> ItemsPage:
    """The items of the attempt in hand, those of a screen as one text, in the shape of any page of items.

    From the start they are asked once more, each with its answer to begin from.
    """
    items = _items(membership.campaign)
    answers = dict(
        PracticeAnswer.objects.filter(
            item__in=items, annotator=membership.account_id, attempt=membership.practice_attempt
        ).values_list("item", "answer")
    )
    return _page(membership.campaign, items, answers, place)


def practice_preview(campaign: Campaign) -> ItemsPage:
    """All items as an annotator finds them, none of them answered."""
    return _page(campaign, _items(campaign), {}, Place())


def _items(campaign: Campaign) -> list[PracticeItem]:
    return list(PracticeItem.objects.filter(campaign=campaign).select_related("document").order_by("position"))


def _page(campaign: Campaign, items: list[PracticeItem], answers: Mapping[int, Any], place: Place) -> ItemsPage:
    protocol = protocol_of(campaign)
    domains = {item.document.pk: item.document.domain for item in items if item.document}
    guidance, media = guidance_for(campaign.test_set_id, {0: ""} | domains), PageMedia(domains)
    shown = []
    for item in _from(items, answers, place):
        told = guidance[item.document_id or 0]
        row = _page_item(item, protocol, answers.get(item.pk), told, is_again=place.from_start)
        beside = media.beside(item.document_id, item.segment_id, row.shown.level) if item.document_id else ()
        shown.append(replace(row, media=beside))
    return ItemsPage(
        items=shown, context=[], done=len(answers), total=len(items), completion_code=None, has_consent=True
    )


def _from(items: list[PracticeItem], answers: Mapping[int, Any], place: Place) -> list[PracticeItem]:
    if place.before is not None:
        return items[: _beginning(items, _index(items, place.before, "before"))]
    if place.after is not None:
        return items[_index(items, place.after, "after") + 1 :]
    if place.from_start:
        return items
    first = next((index for index, item in enumerate(items) if item.pk not in answers), len(items))
    return items[_beginning(items, first) :]


def _beginning(items: list[PracticeItem], index: int) -> int:
    """Of the screen that an item is on."""
    return index - items[index].row + 1 if index < len(items) else index


def _index(items: list[PracticeItem], public_id: UUID, place: str) -> int:
    index = next((place for place, item in enumerate(items) if item.public_id == public_id), None)
    if index is None:
        raise UnknownItem(place)
    return index


def _page_item(
    item: PracticeItem, protocol: Protocol[Any], answer: Any, guidance: DocumentGuidance, *, is_again: bool
) -> PageItem:
    """A screen's own instruction comes before that of the place whose guidance it is, or of the test set."""
    shown = shown_item(item, protocol)
    return PageItem(
        id=item.public_id,
        document=str(item.screen),
        title=_("Practice"),
        position=item.position,
        shown=replace(shown, questions=tuple(replace(each, accepted=()) for each in shown.questions)),
        draft=answer if is_again else None,
        answer=None if is_again else answer,
        revision=0 if answer is None else 1,
        instruction=(item.instruction or guidance.instruction) if item.row == 1 else "",
        beside=beside_item(shown, guidance.glossary),
        skippable=item.may_skip and answer is None,
    )


def protocol_of(campaign: Campaign) -> Protocol[Any]:
    return protocol_for(campaign.protocol, campaign.options)


def shown_item(item: PracticeItem, protocol: Protocol[Any]) -> ShownItem:
    return ShownItem(
        level=practice_level(protocol),
        source=item.source if protocol.shows_source else None,
        reference=item.reference if protocol.shows_reference else None,
        slots=tuple(ShownSlot(label, text) for label, text in item.slots.items()),
        questions=tuple(map(question_from, item.questions)),
    )


def practice_level(protocol: Protocol[Any]) -> str:
    """A practice item is a text of its own: a whole document where the protocol asks about documents."""
    return ItemLevel.DOCUMENT if protocol.reads_once else ItemLevel.SEGMENT


@dataclass(frozen=True)
class AnnotatorPractice:
    """One annotator's attempt in hand, the positions of what they skipped in it, and when they passed.

    `qualified_at` is in the attempt in hand: after it there is no other one.
    """

    account: Account
    attempt: int
    answered: int
    right: int
    qualified_at: datetime | None
    skipped: tuple[int, ...] = ()

    @property
    def passed_at_attempt(self) -> int | None:
        return self.attempt if self.qualified_at else None


def practice_by_annotator(campaign: Campaign) -> list[AnnotatorPractice]:
    """Two queries, however many annotators."""
    answers: dict[tuple[int, int], list[tuple[int, bool, bool]]] = defaultdict(list)
    rows = PracticeAnswer.objects.filter(item__campaign=campaign).order_by("item__position")
    fields = ("annotator", "attempt", "item__position", "is_right", "is_skipped")
    for annotator, attempt, position, is_right, is_skipped in rows.values_list(*fields):
        answers[annotator, attempt].append((position, is_right, is_skipped))
    places = Membership.objects.judging().filter(campaign=campaign).select_related("account")
    return [
        AnnotatorPractice(
            account=place.account,
            attempt=place.practice_attempt,
            answered=sum(not is_skipped for _position, _is_right, is_skipped in own),
            right=sum(is_right for _position, is_right, _is_skipped in own),
            qualified_at=place.qualified_at,
            skipped=tuple(position for position, _is_right, is_skipped in own if is_skipped),
        )
        for place in places.order_by("account__username")
        for own in [answers[place.account_id, place.practice_attempt]]
    ]


@dataclass(frozen=True)
class PracticeRow:
    """The outcome of one item in one attempt; `right_at` is the first try that was right, None where none was."""

    annotator: str
    attempt: int
    item: int
    screen: int
    is_right: bool
    is_skipped: bool
    tries: int
    right_at: int | None
    submitted: str


def practice_rows(campaign: Campaign) -> Iterator[PracticeRow]:
    answers = PracticeAnswer.objects.filter(item__campaign=campaign).order_by(
        "annotator__username", "attempt", "item__position"
    )
    names = ("is_right", "is_skipped", "tries", "right_at", "submitted_at")
    rows = answers.values_list("annotator__username", "attempt", "item__position", "item__row", *names)
    for annotator, attempt, item, row, is_right, is_skipped, tries, right_at, at in rows.iterator(chunk_size=2000):
        yield PracticeRow(
            annotator, attempt, item, item - row + 1, is_right, is_skipped, tries, right_at, at.isoformat()
        )
