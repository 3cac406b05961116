"""A screen of several items, submitted as one: all of its judgments are stored, or none, in few queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.action_log import MOST_ACTIONS, Action
from annotation.actions.answered_checks import settle_check
from annotation.actions.submitting import (
    LIVE_FIELDS,
    NotTheirsAnyMore,
    Receipt,
    count_judged,
    hold_judged,
    receipt_of,
    scores_of,
    spans_of,
    within_column,
)
from annotation.actions.summaries import keep_control_scores
from annotation.actions.work_counts import count_work
from annotation.models import ActionLog, ErrorSpan, Item, ItemKind, Judgment, Score
from annotation.protocols.base import Answer
from annotation.queries.item_to_judge import ItemToJudge


@dataclass(frozen=True)
class RowOfScreen:
    """One item's answer, as `submit_judgment` takes it."""

    to_judge: ItemToJudge
    answer: Answer
    client_id: UUID
    base_revision: int
    started_at: datetime | None = None
    elapsed_ms: int | None = None
    active_ms: int | None = None
    reading_ms: int | None = None

    @property
    def item(self) -> Item:
        return self.to_judge.item


@dataclass(frozen=True)
class Newer:
    revision: int
    answer: Any


@dataclass(frozen=True)
class ScreenReceipt:
    """The stored state after a screen: the items' revisions, and the rest as of one judgment."""

    revisions: Mapping[UUID, int]
    receipt: Receipt


class ScreenConflict(Exception):
    """Some of its items were judged meanwhile, and nothing was stored; `newer` has their newest answers."""

    def __init__(self, newer: Mapping[UUID, Newer]) -> None:
        self.newer = newer
        super().__init__(f"{len(newer)} items were judged meanwhile")


class InvalidScreen(Exception):
    """Nothing was stored; `errors` by item, then by field."""

    def __init__(self, errors: Mapping[str, Mapping[str, list[str]]]) -> None:
        self.errors = errors
        super().__init__(str(dict(errors)))


def submit_screen(rows: Sequence[RowOfScreen], actions: Sequence[Action] = ()) -> ScreenReceipt:
    """Stores each answer as the revision after its `base_revision`: those that were not stored before.

    The rows are different items of one assignment. What is stored, counts and is surplus as `submit_judgment` has it.
    `actions` are what was done on the screen since it was submitted last.
    """
    try:
        with transaction.atomic():
            return _stored(rows, actions)
    except IntegrityError:
        taken = Judgment.objects.filter(client_id__in=[row.client_id for row in rows])
        _refuse_taken(rows, dict(taken.values_list("client_id", "item_id")))
        raise


def _stored(rows: Sequence[RowOfScreen], actions: Sequence[Action]) -> ScreenReceipt:
    """The items are locked in one order, so that the same screen sent twice at once comes one after the other."""
    locked = Item.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=[row.item.pk for row in rows])
    revisions = dict(locked.order_by("pk").values_list("pk", "revision"))
    if len(revisions) < len(rows):
        raise NotTheirsAnyMore
    before = Judgment.objects.filter(client_id__in=[row.client_id for row in rows])
    known = {key: (item, revision) for key, item, revision in before.values_list("client_id", "item_id", "revision")}
    _refuse_taken(rows, {key: item for key, (item, _revision) in known.items()})
    new = [row for row in rows if row.client_id not in known]
    late = [row for row in new if row.base_revision != revisions[row.item.pk]]
    if late:
        raise ScreenConflict(_newest(late))
    assignment = rows[0].to_judge.assignment
    must_redo = False
    if new:
        must_redo = _store(new, actions)
    else:
        assignment.refresh_from_db(fields=LIVE_FIELDS)
    stored = {row.item.public_id: known[row.client_id][1] for row in rows if row.client_id in known}
    raised = {row.item.public_id: row.base_revision + 1 for row in new}
    newest = max((stored | raised).values())
    receipt = receipt_of(newest, assignment, is_repeat=not new, must_redo=must_redo)
    return ScreenReceipt(stored | raised, receipt)


def _refuse_taken(rows: Sequence[RowOfScreen], item_of: Mapping[UUID, int]) -> None:
    message = _("Another judgment already has this id. Create a new random id for each answer.")
    taken = [row for row in rows if item_of.get(row.client_id, row.item.pk) != row.item.pk]
    if taken:
        raise InvalidScreen({str(row.item.public_id): {"client_id": [message]} for row in taken})


def _newest(rows: Sequence[RowOfScreen]) -> dict[UUID, Newer]:
    judgments = Judgment.objects.filter(item__in=[row.item.pk for row in rows]).order_by("revision")
    newest = {item: Newer(revision, answer) for item, revision, answer in judgments.values_list(*_OF_NEWER)}
    return {row.item.public_id: newest.get(row.item.pk, Newer(0, None)) for row in rows}


_OF_NEWER = ("item_id", "revision", "answer")


def _store(rows: Sequence[RowOfScreen], actions: Sequence[Action]) -> bool:
    """Whether it was a loud attention check, which must be judged again."""
    assignment, annotator = rows[0].to_judge.assignment, rows[0].to_judge.annotator
    Item.objects.filter(pk__in=[row.item.pk for row in rows]).update(revision=F("revision") + 1)
    revised = [row.item.pk for row in rows if row.base_revision]
    if len(revised) < len(rows):
        count_judged(assignment, annotator.pk, len(rows) - len(revised))
    else:
        hold_judged(assignment, annotator.pk)
    if revised and not assignment.is_closed:
        Judgment.objects.filter(item__in=revised, is_current=True).update(is_current=False)
    judgments = Judgment.objects.bulk_create([_judgment(row) for row in rows])
    count_work(assignment, judgments)
    if actions:
        _keep_log(judgments[0], actions, is_first=not revised)
    if rows[0].item.kind == ItemKind.CHECK:  # its answers count for nothing else
        return settle_check(assignment, rows[0].item, is_first=any(not row.base_revision for row in rows))
    observed = [
        (judgment, row.to_judge.protocol.observe(row.answer, row.to_judge.shown), row.to_judge.subjects)
        for judgment, row in zip(judgments, rows, strict=True)
    ]
    Score.objects.bulk_create([score for each in observed for score in scores_of(*each)])
    ErrorSpan.objects.bulk_create([span for each in observed for span in spans_of(*each)])
    if paired := [row.item.pk for row in rows if row.to_judge.is_paired]:
        keep_control_scores(assignment.campaign_id, paired)
    return False


def _keep_log(judgment: Judgment, actions: Sequence[Action], *, is_first: bool) -> None:
    before: list[Any] = []
    if not is_first:
        screen = {"item__assignment": judgment.item.assignment_id, "item__block": judgment.item.block}
        own = {f"judgment__{name}": value for name, value in screen.items()}
        logs = ActionLog.objects.filter(**own, judgment__annotator=judgment.annotator_id).order_by("-judgment_id")
        before = logs.values_list("actions", flat=True).first() or []
    entries = [*before, *(action.as_json for action in actions)]
    ActionLog.objects.create(judgment=judgment, actions=entries[-MOST_ACTIONS:])


def _judgment(row: RowOfScreen) -> Judgment:
    assignment = row.to_judge.assignment
    is_current = not row.base_revision or not assignment.is_closed
    return Judgment(
        item=row.item,
        annotator=row.to_judge.annotator,
        revision=row.base_revision + 1,
        is_current=is_current,
        surplus=assignment.is_withdrawn or not is_current,
        client_id=row.client_id,
        base_revision=row.base_revision,
        answer=row.answer.as_json(),
        cannot_judge=row.answer.cannot_judge or "",
        started_at=row.started_at,
        submitted_at=timezone.now(),
        elapsed_ms=within_column(row.elapsed_ms),
        active_ms=within_column(row.active_ms),
        reading_ms=within_column(row.reading_ms),
    )
