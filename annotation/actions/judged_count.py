"""How far an assignment has come, noted with every judgment; the row is the one place where its end is decided."""

from typing import Any

from django.utils import timezone

from annotation.actions.handing_out import reserved_until
from annotation.models import Assignment, AssignmentStatus
from campaigns.secret_keys import new_completion_code

LIVE_FIELDS = ("status", "done", "total", "completion_code", "expires_at", "returned_at")


class NotTheirsAnyMore(Exception):
    """The assignment was the annotator's when it was read, and they have been forgotten since."""


def count_judged(assignment: Assignment, annotator: int) -> None:
    """One more item is judged; with the last one the assignment is done and gets its completion code.

    The row is changed under the condition that it still is what it was when it was read. So it is locked until the
    judgment is stored, and whoever gives the assignment to others comes before or after, never in between.
    """
    while True:
        known = {"pk": assignment.pk, "done": assignment.done, "status": assignment.status, "annotator": annotator}
        values = {"done": assignment.done} if assignment.is_withdrawn else _with_one_more(assignment)
        if Assignment.objects.filter(**known).update(**values):
            for name, value in values.items():
                setattr(assignment, name, value)
            return
        assignment.refresh_from_db(fields=[*LIVE_FIELDS, "annotator"])
        if assignment.annotator_id != annotator:
            raise NotTheirsAnyMore


def hold_judged(assignment: Assignment, annotator: int) -> None:
    """Locked for a further revision, as the first one locks it by counting."""
    if not Assignment.objects.select_for_update(no_key=True).filter(pk=assignment.pk, annotator=annotator).exists():
        raise NotTheirsAnyMore


def _with_one_more(assignment: Assignment) -> dict[str, Any]:
    done = min(assignment.done + 1, assignment.total)
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
