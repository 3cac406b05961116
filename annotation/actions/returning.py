"""Unfinished work: reassigned to others, or repeated; an annotator who leaves returns all of it.

Nothing is ever deleted: judgments stay, and so do answers that arrive late.
"""

from collections.abc import Mapping

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from annotation.actions.claiming import claim_values
from annotation.actions.eliminating import without_dropped
from annotation.actions.remaining_items import give_back, store_remaining, unjudged_items
from annotation.actions.serving_checks import draw_checks
from annotation.actions.summaries import recount
from annotation.models import Assignment, AssignmentStatus, ItemKind, ItemLevel
from annotation.protocols import PROTOCOLS
from annotation.queries.annotator_work import work_in_hand
from annotation.queries.task_list import had_by
from campaigns.actions.audit import record
from campaigns.actions.endings import close_account, remove_member
from campaigns.actions.questionnaires import send_answers
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, CampaignStatus, Membership, Questionnaire, QuestionnaireReply, Role

_PLANNED = AssignmentStatus.PLANNED


def return_assignment(*, assignment: Assignment, by: Account | None) -> Assignment:
    """Ends it with the items judged so far; the rest waits for the next annotator."""
    with transaction.atomic():
        rest = _rest_of(assignment, annotator=None, status=_PLANNED)
        _note("assignment_returned", assignment, rest, by)
    return rest


def reassign_assignment(*, assignment: Assignment, to: Account, by: Account | None) -> Assignment:
    """Hands it, or the rest of it, to an annotator who has not judged the same items."""
    _refuse_strangers(assignment, to)
    values = claim_values(to, assignment.campaign)
    with transaction.atomic():
        if Assignment.objects.filter(pk=assignment.pk, status=_PLANNED).update(**values):
            rest = Assignment.objects.get(pk=assignment.pk)
        else:
            rest = _rest_of(assignment, **values)
        draw_checks(_still_asked(rest), to)
        _note("assignment_reassigned", assignment, rest, by, to=to.username)
    return rest


def reset_assignment(*, assignment: Assignment, by: Account | None) -> Assignment:
    """Archives it with its judgments, which are surplus from then on, and asks the same annotator everything anew.

    Where nobody may read a document twice, the items go to others: the assignment waits for the next annotator.
    """
    campaign, annotator = assignment.campaign, assignment.annotator
    if campaign.status == CampaignStatus.CLOSED:
        raise _refusal(_("The campaign is closed. Open it again first."))
    with transaction.atomic():
        begun = ~Q(status__in=(_PLANNED, AssignmentStatus.ARCHIVED)) & Q(annotator__isnull=False)
        archived = {"status": AssignmentStatus.ARCHIVED, "expires_at": None}
        if not Assignment.objects.filter(begun, pk=assignment.pk).update(**archived) or annotator is None:
            raise _refusal(_("Nothing to reset: the task has not been started, or was reset already."))
        recount(campaign.pk, [annotator.pk])
        items = _items_to_repeat(assignment)
        is_for_others = PROTOCOLS[campaign.protocol].reads_once
        whose = {"annotator": None, "status": _PLANNED} if is_for_others else claim_values(annotator, campaign)
        anew = store_remaining(assignment, items, **whose)
        if anew is None:
            raise _refusal(_("Nothing to reset: all items were given to other annotators."))
        if anew.annotator is not None:
            draw_checks(_still_asked(anew), anew.annotator)
        _note("assignment_reset", assignment, anew, by)
    return anew


def remove_from_campaign(*, membership: Membership, by: Account | None) -> Membership:
    """Their judgments stay; unfinished items go to the next annotator."""
    with transaction.atomic():
        removed = remove_member(membership=membership, by=by)
        if removed.role == Role.ANNOTATOR:
            _return_work(removed.campaign, removed.account, by)
    return removed


def answer_questionnaire(
    *, form: Questionnaire, membership: Membership, sent: Mapping[str, object]
) -> QuestionnaireReply:
    """As `send_answers`; the unfinished items of somebody who does not qualify go to the next annotator."""
    with transaction.atomic():
        reply = send_answers(form=form, membership=membership, sent=sent)
        if reply.screened_out_at is not None:
            _return_work(membership.campaign, membership.account, None)
    return reply


def retire_account(*, account: Account, by: Account | None, campaign: Campaign | None = None) -> Account:
    """Closes the account and reassigns its work in hand; `campaign` is where that was decided."""
    with transaction.atomic():
        closed = close_account(account=account, by=by, campaign=campaign)
        for each in Campaign.objects.filter(assignments__annotator=account).distinct():
            _return_work(each, account, by)
    return closed


def _return_work(campaign: Campaign, annotator: Account, by: Account | None) -> None:
    for assignment in work_in_hand(campaign, [annotator.pk]):
        try:
            return_assignment(assignment=assignment, by=by)
        except InvalidInput:  # its last item was judged in this moment
            continue


def _rest_of(assignment: Assignment, **values: object) -> Assignment:
    if not give_back(assignment):
        raise _refusal(_("Nothing to reassign: nobody is working on this task."))
    rest = store_remaining(assignment, unjudged_items(assignment), **values)
    if rest is None:
        raise _refusal(_("Nothing to reassign: all items are judged."))
    return rest


def _still_asked(assignment: Assignment) -> Assignment:
    """Without systems that were dropped meanwhile."""
    ready = without_dropped(assignment)
    if ready is None:
        raise _refusal(_("All systems of this task are out of the race."))
    return ready


def _items_to_repeat(assignment: Assignment) -> set[int]:
    """Without the items that others received meanwhile."""
    items = assignment.items.exclude(level=ItemLevel.CONTEXT).exclude(kind=ItemKind.CHECK)
    if assignment.returned_at is not None:
        items = items.filter(judgments__is_current=True, judgments__surplus=False)
    return set(items.values_list("pk", flat=True))


def _refuse_strangers(assignment: Assignment, to: Account) -> None:
    campaign = assignment.campaign
    if campaign.status == CampaignStatus.CLOSED:
        raise _refusal(_("The campaign is closed. Open it again first."))
    if not Membership.objects.judging().filter(campaign=campaign, account=to).exists():
        raise _refusal(_("%(name)s is not an annotator in this campaign. Invite them first.") % {"name": to})
    if had_by(to).filter(campaign=campaign, content=assignment.content).exists():
        raise _refusal(_("%(name)s has already had these items. Choose another annotator.") % {"name": to})


def _note(action: str, assignment: Assignment, rest: Assignment, by: Account | None, **detail: str) -> None:
    about = {"assignment": assignment.position, "rest": rest.position, **detail}
    record(action=action, by=by, campaign=assignment.campaign, **about)


def _refusal(message: str) -> InvalidInput:
    return InvalidInput.of("assignment", message)
