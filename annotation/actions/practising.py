"""Practice: its items, the answers to them, and who has passed."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction
from django.db.models import Count, F, Max
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import PracticeAnswer, PracticeItem
from annotation.protocols.base import Answer
from annotation.protocols.practice_verdicts import Verdicts, verdicts_on
from annotation.queries.practice import PracticeProgress, practice_progress, protocol_of, shown_item
from campaigns.actions.audit import record
from campaigns.actions.crowds import readmit_screened_out, screen_out
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, Membership

MOST_ATTEMPTS = 100
MOST_ITEMS = 100
MOST_TRIES = 10_000  # what is counted of them


@dataclass(frozen=True)
class PracticeLesson:
    """What is learned from an answer."""

    is_right: bool
    verdicts: Verdicts
    feedback: str


@dataclass(frozen=True)
class PracticeReceipt:
    """`revision` and `completion_code` are those of every receipt."""

    lesson: PracticeLesson
    progress: PracticeProgress
    revision: int = 1
    completion_code: str | None = None


def set_practice(
    *,
    campaign: Campaign,
    items: Sequence[PracticeItem],
    pass_mark: float | None,
    attempts: int = 3,
    by: Account | None,
) -> Campaign:
    """Replaces the practice items, and with them the answers to those before; who has passed stays passed.

    `items` are new rows, in order, without campaign and position.
    """
    errors: dict[str, list[str]] = {}
    if pass_mark is not None and not 0 <= pass_mark <= 1:
        errors["pass_mark"] = [_("The pass mark must be a number from 0 to 1.")]
    if not 1 <= attempts <= MOST_ATTEMPTS:
        errors["attempts"] = [_("Allow from 1 to %(most)d attempts.") % {"most": MOST_ATTEMPTS}]
    if errors:
        raise InvalidInput(errors)
    with transaction.atomic():
        PracticeItem.objects.filter(campaign=campaign).delete()
        Membership.objects.filter(campaign=campaign, qualified_at=None).update(practice_attempt=1)
        readmit_screened_out(campaign)
        for position, item in enumerate(items, start=1):
            item.campaign, item.position = campaign, position
        PracticeItem.objects.bulk_create(items)
        campaign.pass_mark, campaign.practice_attempts = pass_mark, attempts
        campaign.save(update_fields=["pass_mark", "practice_attempts"])
        record(action="practice_set", by=by, campaign=campaign, items=len(items), pass_mark=pass_mark)
    return campaign


def add_practice_item(*, campaign: Campaign, item: PracticeItem, by: Account | None) -> PracticeItem:
    """Puts a new item behind those there are; answers stay, and who has passed stays passed."""
    with transaction.atomic():
        list(Campaign.objects.select_for_update(no_key=True).filter(pk=campaign.pk).values_list("pk"))
        own = PracticeItem.objects.filter(campaign=campaign).aggregate(last=Max("position"), count=Count("pk"))
        if own["count"] >= MOST_ITEMS:
            raise InvalidInput.of("items", _("A campaign has at most %(most)d practice items.") % {"most": MOST_ITEMS})
        item.campaign, item.position = campaign, (own["last"] or 0) + 1
        item.save(force_insert=True)
        record(action="practice_item_added", by=by, campaign=campaign, item=item.position)
    return item


def answer_practice(*, membership: Membership, item: PracticeItem, answer: Answer, client_id: UUID) -> PracticeReceipt:
    """The first answer of an attempt counts; a later one only learns whether it is right.

    Nothing is told about what is right before an answer is stored.
    """
    lesson = lesson_on(item, answer, membership.campaign)
    _store(membership, item, answer, client_id, is_right=lesson.is_right)
    return PracticeReceipt(lesson, _progress_now(membership))


def lesson_on(item: PracticeItem, answer: Answer, campaign: Campaign) -> PracticeLesson:
    """What an annotator who answers so is told. Nothing is stored."""
    protocol = protocol_of(campaign)
    right = {"expected": item.expected, "better": item.better, "accepted": item.accepted, "marks": item.marks}
    verdicts = verdicts_on(answer, shown_item(item, protocol), protocol, **right)
    return PracticeLesson(verdicts.is_right, verdicts, item.feedback)


def skip_practice(*, membership: Membership, item: PracticeItem) -> PracticeProgress:
    """Skips what is not answered of the item's screen, for this attempt; nothing is told about what is right."""
    screen = PracticeItem.objects.filter(campaign=membership.campaign, position__gte=item.screen)
    rows = [each for each in screen.order_by("position") if each.screen == item.screen]
    if not all(each.may_skip for each in rows):
        raise InvalidInput.of("item", _("This item cannot be skipped. Answer it."))
    skip = {"annotator": membership.account, "attempt": membership.practice_attempt, "answer": Answer({}).as_json()}
    skip |= {"is_right": False, "is_skipped": True, "tries": 0}
    skips = [PracticeAnswer(item=each, client_id=uuid4(), **skip) for each in rows]
    PracticeAnswer.objects.bulk_create(skips, ignore_conflicts=True)
    return _progress_now(membership)


def _progress_now(membership: Membership) -> PracticeProgress:
    progress = practice_progress(membership)
    if progress.is_shut_out:
        screen_out(membership)
    return _qualify(membership) if progress.reaches_mark and not progress.is_qualified else progress


def begin_attempt(*, membership: Membership) -> Membership:
    """Starts another attempt, if any are left."""
    progress = practice_progress(membership)
    if not progress.may_try_again:
        raise InvalidInput.of("attempt", _("You have no attempts left. Ask your organiser."))
    own = Membership.objects.filter(pk=membership.pk, practice_attempt=progress.attempt)
    own.update(practice_attempt=F("practice_attempt") + 1)
    membership.refresh_from_db(fields=["practice_attempt"])
    return membership


def _store(membership: Membership, item: PracticeItem, answer: Answer, client_id: UUID, *, is_right: bool) -> None:
    """The same answer sent twice is stored once; of two different first answers the earlier counts."""
    own = {"item": item, "annotator": membership.account, "attempt": membership.practice_attempt}
    given = {"client_id": client_id, "answer": answer.as_json(), "is_right": is_right, "newest_try": client_id}
    try:
        with transaction.atomic():
            PracticeAnswer.objects.create(**own, **given, right_at=1 if is_right else None)
    except IntegrityError:
        with transaction.atomic():
            stored = PracticeAnswer.objects.select_for_update(no_key=True).filter(**own).first()
            if stored is None:
                raise
            if client_id not in (stored.client_id, stored.newest_try) and stored.tries < MOST_TRIES:
                _count_try(stored, client_id, is_right=is_right)


def _count_try(stored: PracticeAnswer, client_id: UUID, *, is_right: bool) -> None:
    stored.newest_try, stored.tries = client_id, stored.tries + 1
    if is_right and stored.right_at is None:
        stored.right_at = stored.tries
    stored.save(update_fields=["newest_try", "tries", "right_at"])


def _qualify(membership: Membership) -> PracticeProgress:
    with transaction.atomic():
        if Membership.objects.filter(pk=membership.pk, qualified_at=None).update(qualified_at=timezone.now()):
            record(action="practice_passed", by=membership.account, campaign=membership.campaign)
    membership.refresh_from_db(fields=["qualified_at"])
    return practice_progress(membership)
