"""What an answered attention check comes to: its first outcome, kept for good, and a loud one's second serving."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from annotation.actions.claiming import reserved_until, status_in_hand
from annotation.actions.remaining_items import copy_slots
from annotation.actions.serving_checks import make_room
from annotation.models import Assignment, AssignmentStatus, CheckDraw, Draft, Item, Judgment, Slot, slot_values
from annotation.protocols.check_rules import CheckRule, unmet

MOST_ATTEMPTS = 3  # at a loud check; then work goes on, so that nobody is stuck

_Cells = dict[tuple[int, str], Mapping[str, Any]]


def settle_check(assignment: Assignment, item: Item, *, is_first: bool) -> bool:
    """To be called where an answer on a check was stored, in its transaction. Whether it must be judged again.

    `is_first`: the answer was not a revision. The check is settled when all rows of its screen are judged.
    """
    draws = CheckDraw.objects.select_related("check_served").select_for_update(of=("self",))
    draw = draws.filter(last_item__assignment=assignment, last_item__block=item.block).first()
    if draw is None or draw.check_served is None:  # an attempt that another one followed
        return False
    items = list(assignment.items.filter(block=item.block).order_by("position"))
    if any(not each.revision for each in items):
        return False
    answers = _answers_on(items, first=is_first)
    failed = unmet([CheckRule.from_json(each) for each in draw.check_served.rules], _cells(items, answers))
    _note(draw, failed, is_first=is_first)
    must_redo = bool(failed) and is_first and draw.check_served.is_loud and draw.attempts < MOST_ATTEMPTS
    if not must_redo or assignment.is_withdrawn or assignment.is_closed:
        return False
    draw.last_item = _serve_again(assignment, items, answers)
    draw.save(update_fields=["last_item"])
    return True


def _note(draw: CheckDraw, failed: list[int], *, is_first: bool) -> None:
    if is_first:
        draw.attempts += 1
    if is_first and draw.attempts == 1:
        draw.first_passed, draw.first_unmet, draw.first_answered_at = not failed, failed, timezone.now()
    draw.is_passed = not failed
    draw.save(update_fields=["attempts", "first_passed", "first_unmet", "first_answered_at", "is_passed"])


def _answers_on(items: Sequence[Item], *, first: bool) -> dict[int, Any]:
    counted = {"revision": 1} if first else {"is_current": True}
    return dict(Judgment.objects.filter(item__in=items, **counted).values_list("item", "answer"))


def _cells(items: Sequence[Item], answers: Mapping[int, Any]) -> _Cells:
    """By the row of the document and by every system whose output it is."""
    segments = list(items[0].document.segments.order_by("position").values_list("pk", flat=True))
    rows = {item.pk: segments.index(item.segment_id) for item in items if item.segment_id is not None}
    columns = ("item", "label", "system__name", "credits__system__name")
    cells: _Cells = {}
    for item, label, system, credited in Slot.objects.filter(item__in=items).values_list(*columns):
        values = slot_values(answers.get(item), label)
        cells |= {(rows[item], name): values for name in (system, credited) if name is not None and values}
    return cells


def _serve_again(assignment: Assignment, items: Sequence[Item], answers: Mapping[int, Any]) -> Item:
    """The same screen right behind this one, with the answers as drafts. Its first row."""
    block, position = items[-1].block + 1, items[-1].position + 1
    make_room(assignment, block=block, items=len(items))
    made = Item.objects.bulk_create(
        Item(
            assignment=assignment,
            position=position + place,
            block=block,
            document_id=item.document_id,
            segment_id=item.segment_id,
            kind=item.kind,
        )
        for place, item in enumerate(items)
    )
    copy_slots({item.pk: copy for item, copy in zip(items, made, strict=True)})
    Draft.objects.bulk_create(
        Draft(item=copy, answer=answers[item.pk]) for item, copy in zip(items, made, strict=True) if item.pk in answers
    )
    _reopen(assignment)
    return made[0]


def _reopen(assignment: Assignment) -> None:
    """Where the check was the last that was judged. Its row is locked since the judgment was counted."""
    if assignment.status != AssignmentStatus.DONE:
        return
    values = {
        "status": status_in_hand(assignment.campaign),
        "expires_at": reserved_until(assignment.campaign),
        "completion_code": "",
        "finished_at": None,
    }
    Assignment.objects.filter(pk=assignment.pk).update(**values)
    for name, value in values.items():
        setattr(assignment, name, value)
