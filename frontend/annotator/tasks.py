"""An annotator's tasks: the start page that lists them, the next one handed out, and thanks at the end of one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.actions.claiming import claim_assignment
from annotation.queries.crowd import return_after, return_links
from annotation.queries.practice import must_practise
from annotation.queries.questionnaires import own_questionnaires, waiting_after
from annotation.queries.task_list import effort_on, effort_since, start_of_week, task_list_of
from campaigns.models import Membership, Moment, Planning, Role
from campaigns.queries import questionnaire_due, roles_of, systems_of
from frontend.access import SignedInRequest, get_assignment_for, get_membership_for
from frontend.campaign_pages import POST, READ, signed_in


@signed_in(READ)
def home(request: SignedInRequest) -> HttpResponse:
    """Who judges nowhere, but runs or reads campaigns, starts at their list."""
    user, roles = request.user, roles_of(request.user)
    leads = bool(roles - {Role.ANNOTATOR}) or user.may_create_campaigns or user.is_superuser
    if leads and Role.ANNOTATOR not in roles:
        return redirect("organiser-campaigns")
    tasks = task_list_of(user)
    context = {
        "tasks": tasks,
        "questionnaires": own_questionnaires(user, tasks),
        "return_links": return_links(user, tasks),
        "effort": effort_since(user, start_of_week()),
        "leads": leads,
    }
    return render(request, "annotator/home.html", context)


@signed_in(POST)
def next_task(request: SignedInRequest, slug: str) -> HttpResponse:
    membership = get_membership_for(request.user, slug)
    if membership.consented_at is None:
        return redirect("annotator-guidelines", slug)
    if (work := first_work(membership)) is None:
        messages.info(request, _("There are no more tasks in this campaign right now. Your answers are saved."))
        return redirect("home")
    return work


def first_work(membership: Membership) -> HttpResponse | None:
    """To what comes before, or to the items in hand, else to those claimed now; None where nothing is to be judged."""
    if questionnaire_due(membership, Moment.ENTRY):
        return redirect("annotator-questionnaire", membership.campaign.slug, Moment.ENTRY)
    if must_practise(membership):
        return redirect("annotator-practice", membership.campaign.slug)
    assignment = claim_assignment(campaign=membership.campaign, annotator=membership.account)
    return redirect("annotator-assignment", assignment.pk) if assignment else None


@signed_in(READ)
def thanks(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment = get_assignment_for(request.user, pk)
    if not assignment.completion_code:
        return redirect("annotator-assignment", assignment.pk)
    tasks = task_list_of(request.user)
    following = tasks.current
    context = {
        "exit": waiting_after(request.user, assignment.campaign_id, tasks),
        "assignment": assignment,
        "return_link": return_after(assignment),
        "effort": effort_on(assignment),
        "systems": systems_of(assignment.campaign).count(),
        "next": following,
        # a pool hands out small parts: one key leads to the next
        "continues": following is not None
        and following.campaign.pk == assignment.campaign_id
        and following.campaign.planning == Planning.POOL,
    }
    return render(request, "annotator/thanks.html", context)
