"""The answers of an annotator who is to be forgotten in a campaign: stored under a number, or erased.

The one exception to judgments being added and never changed: docs/decisions/0019-rights-of-people.md.
"""

from typing import Any

from django.db.models import Q, QuerySet

from annotation.actions.remaining_items import give_back, store_remaining, unjudged_items
from annotation.actions.summaries import keep_plan, recount
from annotation.models import (
    Adjudication,
    Assignment,
    AssignmentStatus,
    CheckDraw,
    Draft,
    Exclusion,
    Item,
    ItemKind,
    ItemLevel,
    Judgment,
    OrganiserNote,
    PracticeAnswer,
    ProblemReport,
    TimesheetNote,
)
from campaigns.models import Account, Campaign, FormAnswer, FormKind, QuestionnaireReply

SEVERAL = 1_000  # rows deleted at once, with all that hangs on them
_ENDED = {"status": AssignmentStatus.ARCHIVED, "annotator": None, "total": 0, "done": 0, "completion_code": ""}


def has_entered(*, campaign: Campaign, annotator: Account) -> bool:
    return any(rows.exists() for rows in _rows_of(campaign, annotator) if rows.model is not CheckDraw)


def hand_over(*, campaign: Campaign, annotator: Account, to: Account) -> None:
    """All that is stored of the person becomes the number's; unjudged items go to others."""
    for assignment in _locked(campaign, annotator):
        if give_back(assignment):
            store_remaining(assignment, unjudged_items(assignment), status=AssignmentStatus.PLANNED)
            # not this moment: by it the number would lead to whoever is recorded to have withdrawn
            begun = assignment.claimed_at or campaign.created_at
            Assignment.objects.filter(pk=assignment.pk).update(returned_at=begun, finished_at=begun)
    own = Assignment.objects.filter(campaign=campaign, annotator=annotator)
    Draft.objects.filter(item__assignment__in=own).delete()
    own.update(annotator=to, completion_code="")
    # words about oneself may name somebody; choices and numbers stay, under the number
    FormAnswer.objects.filter(
        question__questionnaire__campaign=campaign, question__kind=FormKind.TEXT, annotator=annotator
    ).delete()
    TimesheetNote.objects.filter(campaign=campaign, annotator=annotator).delete()
    OrganiserNote.objects.filter(campaign=campaign, annotator=annotator).delete()
    for rows in _rows_of(campaign, annotator):
        while rows.update(annotator=to):  # again: the first may have waited for a judgment that it could not see
            pass
    recount(campaign.pk, [annotator.pk, to.pk])


def erase_answers(*, campaign: Campaign, annotator: Account) -> None:
    """Deletes everything the person entered; all of it is asked of others, in new assignments."""
    assignments = _locked(campaign, annotator)
    for assignment in assignments:
        store_remaining(assignment, _to_ask_again(assignment), status=AssignmentStatus.PLANNED)
    judged = Q(item__assignment__in=assignments) | Q(item__assignment__campaign=campaign, annotator=annotator)
    judgments = Judgment.objects.filter(judged)
    Adjudication.objects.filter(campaign=campaign, based_on__in=judgments).delete()  # it copies the answer
    ProblemReport.objects.filter(item__assignment__in=assignments).delete()
    _delete(judgments)
    _delete(Item.objects.filter(assignment__in=assignments))
    keep_plan([each.pk for each in assignments])
    OrganiserNote.objects.filter(campaign=campaign, annotator=annotator).delete()
    for rows in _rows_of(campaign, annotator):
        rows.delete()
    # the rows stay, empty: an answer that comes late from some device is known by them for what it is
    Assignment.objects.filter(pk__in=[each.pk for each in assignments]).update(expires_at=None, **_ENDED)
    recount(campaign.pk, [annotator.pk])


def _locked(campaign: Campaign, annotator: Account) -> list[Assignment]:
    """None of their judgments is stored until this is over, because each judgment locks its assignment."""
    own = Assignment.objects.filter(campaign=campaign, annotator=annotator).order_by("pk")
    return list(own.select_for_update(no_key=True))


def _to_ask_again(assignment: Assignment) -> set[int]:
    """Without items that others received meanwhile; an archived assignment was repeated when it was archived."""
    if assignment.status == AssignmentStatus.ARCHIVED:
        return set()
    items = assignment.items.exclude(level=ItemLevel.CONTEXT).exclude(kind=ItemKind.CHECK)
    if assignment.returned_at is not None:
        items = items.filter(revision__gt=0)
    originals = dict(items.values_list("pk", "original"))
    return {pk for pk, original in originals.items() if original is None or original in originals}


def _rows_of(campaign: Campaign, annotator: Account) -> "tuple[QuerySet[Any], ...]":
    return (
        Judgment.objects.filter(item__assignment__campaign=campaign, annotator=annotator),
        ProblemReport.objects.filter(item__assignment__campaign=campaign, annotator=annotator),
        Exclusion.objects.filter(campaign=campaign, annotator=annotator),
        PracticeAnswer.objects.filter(item__campaign=campaign, annotator=annotator),
        CheckDraw.objects.filter(assignment__campaign=campaign, annotator=annotator),
        FormAnswer.objects.filter(question__questionnaire__campaign=campaign, annotator=annotator),
        QuestionnaireReply.objects.filter(questionnaire__campaign=campaign, annotator=annotator),
        TimesheetNote.objects.filter(campaign=campaign, annotator=annotator),
    )


def _delete(rows: "QuerySet[Judgment] | QuerySet[Item]") -> None:
    """In parts: what hangs on each is looked for in memory."""
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:SEVERAL]):
        rows.model._default_manager.filter(pk__in=keys).delete()  # noqa: SLF001 - documented
