"""Work that somebody does not finish: given to others, or to be done anew; and who leaves gives back all of it.

Nothing is ever thrown away: what was judged stays, and so does what arrives late.
"""

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from annotation.actions.claiming import handed_to
from annotation.actions.remaining_items import give_back, store_remaining, unjudged_items
from annotation.models import Assignment, AssignmentStatus, ItemLevel
from annotation.protocols import PROTOCOLS
from annotation.queries.annotator_work import work_in_hand
from annotation.queries.task_list import had_by
from campaigns.actions import close_account, record, remove_member
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, CampaignStatus, Membership, Role

_PLANNED = AssignmentStatus.PLANNED


def return_assignment(*, assignment: Assignment, by: Account | None) -> Assignment:
    """Ends it with what is judged; the rest, which is returned, waits for whoever asks next."""
    with transaction.atomic():
        rest = _rest_of(assignment, annotator=None, status=_PLANNED)
        _note("assignment_returned", assignment, rest, by)
    return rest


def reassign_assignment(*, assignment: Assignment, to: Account, by: Account | None) -> Assignment:
    """Hands it, or the rest of it, to an annotator who was not asked the same before."""
    _refuse_strangers(assignment, to)
    handed = handed_to(to, assignment.campaign)
    with transaction.atomic():
        if Assignment.objects.filter(pk=assignment.pk, status=_PLANNED).update(**handed):
            rest = Assignment.objects.get(pk=assignment.pk)
        else:
            rest = _rest_of(assignment, **handed)
        _note("assignment_reassigned", assignment, rest, by, to=to.username)
    return rest


def reset_assignment(*, assignment: Assignment, by: Account | None) -> Assignment:
    """Archives it with its judgments, which are surplus from then on, and asks the same annotator everything anew.

    Where nobody may meet a document twice it is others who are asked: it waits for whoever comes next.
    """
    campaign, annotator = assignment.campaign, assignment.annotator
    if campaign.status == CampaignStatus.CLOSED:
        raise _refusal(_("The campaign is closed. Open it again first."))
    with transaction.atomic():
        begun = ~Q(status__in=(_PLANNED, AssignmentStatus.ARCHIVED)) & Q(annotator__isnull=False)
        archived = {"status": AssignmentStatus.ARCHIVED, "expires_at": None}
        if not Assignment.objects.filter(begun, pk=assignment.pk).update(**archived) or annotator is None:
            raise _refusal(_("Nothing to reset: the task has not been started, or was reset already."))
        asked = _asked_of(assignment)
        is_for_others = PROTOCOLS[campaign.protocol].reads_once
        whose = {"annotator": None, "status": _PLANNED} if is_for_others else handed_to(annotator, campaign)
        anew = store_remaining(assignment, asked, **whose)
        if anew is None:
            raise _refusal(_("Nothing to reset: all items were given to other annotators."))
        _note("assignment_reset", assignment, anew, by)
    return anew


def remove_from_campaign(*, membership: Membership, by: Account | None) -> Membership:
    """What they judged stays; the rest goes to whoever asks next."""
    with transaction.atomic():
        removed = remove_member(membership=membership, by=by)
        if removed.role == Role.ANNOTATOR:
            _return_work(removed.campaign, removed.account, by)
    return removed


def retire_account(*, account: Account, by: Account | None, campaign: Campaign | None = None) -> Account:
    """Closed, and its work in hand given to others; `campaign` is where that was decided."""
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


def _asked_of(assignment: Assignment) -> set[int]:
    """What others were given meanwhile is theirs."""
    asked = assignment.items.exclude(level=ItemLevel.CONTEXT)
    if assignment.returned_at is not None:
        asked = asked.filter(judgments__is_current=True, judgments__surplus=False)
    return set(asked.values_list("pk", flat=True))


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
    return InvalidInput({"assignment": [message]})
