"""What an annotator sends: judgments, drafts and problem reports.

A judgment is append-only, stored once for every `client_id`, with the numbers it counts for.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.actions.answered_checks import settle_check
from annotation.actions.claiming import reserved_until
from annotation.actions.eliminating import note_finished
from annotation.actions.summaries import keep_control_scores
from annotation.actions.work_counts import count_work
from annotation.models import (
    Assignment,
    AssignmentStatus,
    Draft,
    ErrorSpan,
    Item,
    ItemKind,
    Judgment,
    ProblemReport,
    Score,
    Side,
)
from annotation.protocols.base import Answer, Observation
from annotation.queries.item_to_judge import ItemToJudge, Subject
from campaigns.actions.webhooks import announce
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, CampaignStatus, HookEvent
from campaigns.plain_statements import insert, update
from campaigns.secret_keys import new_completion_code

LONGEST_MS = 2**31 - 1  # what the column holds: 24 days
Subjects = Mapping[str, tuple[Subject, ...]]  # by slot
LIVE_FIELDS = ("status", "done", "total", "completion_code", "expires_at", "returned_at")


class NotTheirsAnyMore(Exception):
    """The assignment was the annotator's when it was read, and they have been forgotten since."""


class RevisionConflict(Exception):
    """The item was judged meanwhile, as from another tab; `revision` and `answer` are the newest."""

    def __init__(self, revision: int, answer: Any) -> None:
        self.revision = revision
        self.answer = answer
        super().__init__(f"revision {revision} was first")


@dataclass(frozen=True)
class Receipt:
    """The stored state after a judgment; `is_repeat` when it had been stored before."""

    revision: int
    done: int
    total: int
    completion_code: str | None
    is_withdrawn: bool = False
    is_paused: bool = False
    is_repeat: bool = False
    must_redo: bool = False  # a loud attention check was not passed, and follows again


def submit_judgment(
    *,
    to_judge: ItemToJudge,
    answer: Answer,
    client_id: UUID,
    base_revision: int,
    started_at: datetime | None = None,
    elapsed_ms: int | None = None,
    active_ms: int | None = None,
    reading_ms: int | None = None,
) -> Receipt:
    """Stores the answer as the revision after `base_revision`. Nothing is refused for being late.

    Who raises the item's revision first, by a conditional UPDATE, has judged; the other learns of it: by a receipt
    where it was the same judgment sent twice, by `RevisionConflict` otherwise. Once the assignment is closed, a further
    revision is stored beside the one that counts; in one that was reassigned or archived, everything is surplus.
    """
    judgment = Judgment(
        item=to_judge.item,
        annotator=to_judge.annotator,
        revision=base_revision + 1,
        client_id=client_id,
        base_revision=base_revision,
        answer=answer.as_json(),
        cannot_judge=answer.cannot_judge or "",
        started_at=started_at,
        submitted_at=timezone.now(),
        elapsed_ms=within_column(elapsed_ms),
        active_ms=within_column(active_ms),
        reading_ms=within_column(reading_ms),
    )
    observation = to_judge.protocol.observe(answer, to_judge.shown)
    try:
        with transaction.atomic():
            receipt = _store(to_judge, judgment, observation)
    except IntegrityError:
        if not Judgment.objects.filter(client_id=client_id).exists():
            raise
        receipt = None
    return receipt or _stored_before(to_judge, client_id)


def within_column(milliseconds: int | None) -> int | None:
    return None if milliseconds is None else min(milliseconds, LONGEST_MS)


def _store(to_judge: ItemToJudge, judgment: Judgment, observation: Observation) -> Receipt | None:
    """None when somebody else has raised the revision."""
    known = {"id": to_judge.item.pk, "revision": judgment.base_revision}
    if not update(Item, known, {"revision": judgment.revision}):
        return None
    assignment = to_judge.assignment
    if judgment.revision == 1:
        count_judged(assignment, judgment.annotator_id)
    judgment.is_current = judgment.revision == 1 or not assignment.is_closed
    judgment.surplus = assignment.is_withdrawn or not judgment.is_current
    if judgment.revision > 1:
        before = Judgment.objects.filter(item=to_judge.item, is_current=True, annotator=judgment.annotator_id)
        if not (judgment.is_current and before.update(is_current=False)):
            hold_judged(assignment, judgment.annotator_id)
    insert([judgment])
    count_work(assignment, [judgment])
    if to_judge.item.kind == ItemKind.CHECK:  # its answer counts for nothing else
        must_redo = settle_check(assignment, to_judge.item, is_first=judgment.revision == 1)
        return receipt_of(judgment.revision, assignment, must_redo=must_redo)
    insert([*scores_of(judgment, observation, to_judge.subjects)])
    insert([*spans_of(judgment, observation, to_judge.subjects)])
    if to_judge.is_paired:
        keep_control_scores(assignment.campaign_id, [to_judge.item.pk])
    return receipt_of(judgment.revision, assignment)


def scores_of(judgment: Judgment, observation: Observation, subjects: Subjects) -> Iterator[Score]:
    """A number counts for every system whose output was shown; of a whole document, for document and system."""
    document = None if judgment.item.segment_id else judgment.item.document_id
    for score in observation.scores:
        for subject in subjects[score.slot]:
            yield Score(
                judgment=judgment,
                measure=score.measure,
                value=score.value,
                slot=score.slot,
                translation_id=subject.translation,
                document_id=document,
                system_id=subject.system if document else None,
            )


def spans_of(judgment: Judgment, observation: Observation, subjects: Subjects) -> Iterator[ErrorSpan]:
    for span in observation.spans:
        for subject in subjects[span.slot]:
            if subject.translation is None:
                continue
            start, end = span.start, span.end
            if span.side == Side.TARGET and end:  # a tag is at no place
                start, end = subject.place_of(start), subject.place_of(end)
            yield ErrorSpan(
                judgment=judgment,
                translation_id=subject.translation,
                side=span.side,
                start=start,
                end=end,
                category=span.category,
                severity=span.severity,
                note=span.note,
            )


def receipt_of(revision: int, assignment: Assignment, *, is_repeat: bool = False, must_redo: bool = False) -> Receipt:
    return Receipt(
        revision,
        assignment.done,
        assignment.total,
        assignment.completion_code or None,
        is_withdrawn=assignment.is_withdrawn,
        is_paused=assignment.campaign.status == CampaignStatus.PAUSED,
        is_repeat=is_repeat,
        must_redo=must_redo,
    )


def _stored_before(to_judge: ItemToJudge, client_id: UUID) -> Receipt:
    """Why the answer was not stored: it had been stored before, or another judgment was first."""
    same = Judgment.objects.filter(client_id=client_id).first()
    if same is not None and same.item_id == to_judge.item.pk:
        to_judge.assignment.refresh_from_db(fields=LIVE_FIELDS)
        return receipt_of(same.revision, to_judge.assignment, is_repeat=True)
    if same is not None:
        raise InvalidInput.of(
            "client_id", _("Another judgment already has this id. Create a new random id for each answer.")
        )
    if not Item.objects.filter(pk=to_judge.item.pk).exists():
        raise NotTheirsAnyMore
    newest = Judgment.objects.filter(item=to_judge.item).order_by("-revision").first()
    raise RevisionConflict(newest.revision if newest else 0, newest.answer if newest else None)


def count_judged(assignment: Assignment, annotator: int, items: int = 1) -> None:
    """So many more items are judged; with the last one the assignment is done and gets its completion code.

    The row is changed under the condition that it still is what it was when it was read. So it is locked until the
    judgment is stored, and whoever gives the assignment to others comes before or after, never in between.
    """
    while True:
        known = {"id": assignment.pk, "done": assignment.done, "status": assignment.status, "annotator": annotator}
        values = {"done": assignment.done} if assignment.is_withdrawn else _with_more(assignment, items)
        if update(Assignment, known, values):
            for name, value in values.items():
                setattr(assignment, name, value)
            if values.get("status") == AssignmentStatus.DONE:
                note_finished(assignment)
                about = {"assignment": assignment.pk, "judged": assignment.done}
                announce(assignment.campaign_id, HookEvent.ASSIGNMENT_DONE, **about)
            return
        assignment.refresh_from_db(fields=[*LIVE_FIELDS, "annotator"])
        if assignment.annotator_id != annotator:
            raise NotTheirsAnyMore


def hold_judged(assignment: Assignment, annotator: int) -> None:
    """Locked for a further revision, as the first one locks it by counting."""
    if not Assignment.objects.select_for_update(no_key=True).filter(pk=assignment.pk, annotator=annotator).exists():
        raise NotTheirsAnyMore


def _with_more(assignment: Assignment, items: int) -> dict[str, Any]:
    done = min(assignment.done + items, assignment.total)
    values: dict[str, Any] = {"done": done}
    if assignment.status == AssignmentStatus.RESERVED:
        values["expires_at"] = reserved_until(assignment.campaign)
    if done == assignment.total:
        values |= {
            "completion_code": assignment.completion_code or new_completion_code(),
            "finished_at": timezone.now(),
            "status": AssignmentStatus.DONE,
            "expires_at": None,
        }
    return values


def save_draft(*, item: Item, answer: Mapping[str, Any], base_revision: int) -> Draft | None:
    """The newest draft of an item, in one statement. None for one that a judgment has overtaken: it is void.

    A draft that comes late, in the wake of the judgment it led to, must not stand beside it as something newer.
    """
    if base_revision > item.revision:
        raise InvalidInput.of("base_revision", _("This revision does not exist yet."))
    if base_revision < item.revision:
        return None
    draft = Draft(item=item, answer=dict(answer), base_revision=base_revision)
    values = ["answer", "base_revision", "saved_at"]
    Draft.objects.bulk_create([draft], update_conflicts=True, unique_fields=["item"], update_fields=values)
    return draft


def report_problem(*, item: Item, annotator: Account, reason: str, note: str = "") -> ProblemReport:
    return ProblemReport.objects.create(item=item, annotator=annotator, reason=reason, note=note)
