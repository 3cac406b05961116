"""A judgment, stored: append-only, once for every `client_id`, with the numbers it counts for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.actions.judged_count import LIVE_FIELDS, NotTheirsAnyMore, count_judged, hold_judged
from annotation.actions.submission_error import SubmissionError
from annotation.asked import AskedItem, AskedSlot
from annotation.models import Assignment, ErrorSpan, Item, Judgment, Score
from annotation.protocols.base import Answer, Observation

LONGEST_MS = 2**31 - 1  # what the column holds: 24 days


class RevisionConflict(Exception):
    """The item was judged meanwhile, as from another tab; `revision` and `answer` are the newest."""

    def __init__(self, revision: int, answer: Any) -> None:
        self.revision = revision
        self.answer = answer
        super().__init__(f"revision {revision} was first")


@dataclass(frozen=True)
class Receipt:
    """What stands after a judgment; `is_repeat` when it had been stored before."""

    revision: int
    done: int
    total: int
    completion_code: str | None
    is_withdrawn: bool = False
    is_repeat: bool = False


def submit_judgment(
    *,
    asked: AskedItem,
    answer: Answer,
    client_id: UUID,
    base_revision: int,
    started_at: datetime | None = None,
    elapsed_ms: int | None = None,
    active_ms: int | None = None,
) -> Receipt:
    """Stores the answer as the revision after `base_revision`. Nothing is refused for being late.

    Who raises the item's revision first, by a conditional UPDATE, has judged; the other learns of it: by a receipt
    where it was the same judgment sent twice, by `RevisionConflict` otherwise. Once the assignment is closed, a further
    revision is kept beside the one that counts; in one that was given to others or archived, everything is surplus.
    """
    judgment = Judgment(
        item=asked.item,
        annotator=asked.annotator,
        revision=base_revision + 1,
        client_id=client_id,
        base_revision=base_revision,
        answer=answer.as_json(),
        cannot_judge=answer.cannot_judge or "",
        started_at=started_at,
        submitted_at=timezone.now(),
        elapsed_ms=_within_column(elapsed_ms),
        active_ms=_within_column(active_ms),
    )
    observation = asked.protocol.observe(answer, asked.shown)
    try:
        with transaction.atomic():
            receipt = _store(asked, judgment, observation)
    except IntegrityError:
        if not Judgment.objects.filter(client_id=client_id).exists():
            raise
        receipt = None
    return receipt or _stored_before(asked, client_id)


def _within_column(milliseconds: int | None) -> int | None:
    return None if milliseconds is None else min(milliseconds, LONGEST_MS)


def _store(asked: AskedItem, judgment: Judgment, observation: Observation) -> Receipt | None:
    """None when somebody else has raised the revision."""
    mine = Item.objects.filter(pk=asked.item.pk, revision=judgment.base_revision).update(revision=judgment.revision)
    if not mine:
        return None
    assignment = asked.assignment
    if judgment.revision == 1:
        count_judged(assignment, judgment.annotator_id)
    judgment.is_current = judgment.revision == 1 or not assignment.is_closed
    judgment.surplus = assignment.is_withdrawn or not judgment.is_current
    if judgment.revision > 1:
        before = Judgment.objects.filter(item=asked.item, is_current=True, annotator=judgment.annotator_id)
        if not (judgment.is_current and before.update(is_current=False)):
            hold_judged(assignment, judgment.annotator_id)
    judgment.save(force_insert=True)
    slots = {slot.label: slot for slot in asked.slots}
    Score.objects.bulk_create(_scores(judgment, observation, slots))
    ErrorSpan.objects.bulk_create(_spans(judgment, observation, slots))
    return _receipt(judgment.revision, assignment)


def _scores(judgment: Judgment, observation: Observation, slots: Mapping[str, AskedSlot]) -> Iterator[Score]:
    """A number counts for every system whose output was shown; of a whole document, for document and system."""
    document = None if judgment.item.segment_id else judgment.item.document_id
    for score in observation.scores:
        for subject in slots[score.slot].subjects:
            yield Score(
                judgment=judgment,
                measure=score.measure,
                value=score.value,
                slot=score.slot,
                translation_id=subject.translation,
                document_id=document,
                system_id=subject.system if document else None,
            )


def _spans(judgment: Judgment, observation: Observation, slots: Mapping[str, AskedSlot]) -> Iterator[ErrorSpan]:
    for span in observation.spans:
        for subject in slots[span.slot].subjects:
            if subject.translation is None:
                continue
            yield ErrorSpan(
                judgment=judgment,
                translation_id=subject.translation,
                side=span.side,
                start=span.start,
                end=span.end,
                category=span.category,
                severity=span.severity,
                note=span.note,
            )


def _receipt(revision: int, assignment: Assignment, *, is_repeat: bool = False) -> Receipt:
    return Receipt(
        revision,
        assignment.done,
        assignment.total,
        assignment.completion_code or None,
        is_withdrawn=assignment.is_withdrawn,
        is_repeat=is_repeat,
    )


def _stored_before(asked: AskedItem, client_id: UUID) -> Receipt:
    """Why nothing was stored: it had been, or another judgment was first."""
    same = Judgment.objects.filter(client_id=client_id).first()
    if same is not None and same.item_id == asked.item.pk:
        asked.assignment.refresh_from_db(fields=LIVE_FIELDS)
        return _receipt(same.revision, asked.assignment, is_repeat=True)
    if same is not None:
        raise SubmissionError(
            {"client_id": [_("Another judgment has this id. Make a new random one for each answer.")]}
        )
    if not Item.objects.filter(pk=asked.item.pk).exists():
        raise NotTheirsAnyMore
    newest = Judgment.objects.filter(item=asked.item).order_by("-revision").first()
    raise RevisionConflict(newest.revision if newest else 0, newest.answer if newest else None)
