"""The page on which judging happens, and practice on it; what a device may keep of it to go on without a network."""

import time
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from annotation.actions.practising import begin_attempt, skip_practice
from annotation.queries.checks import items_to_redo
from annotation.queries.crowd import screened_out_link
from annotation.queries.practice import practice_progress
from campaigns.models import Account, Campaign, Moment
from campaigns.queries import has_consented, questionnaire_due
from frontend.access import SignedInRequest, get_assignment_for, get_membership_for, get_practice_item_for
from frontend.campaign_pages import POST, READ, ErrorsShown, signed_in
from frontend.workbench import workbench_data

KEEP_HEADER = "Assay-Keep"  # a page without it is never stored, whatever a browser does; offline/stored_pages.ts


@signed_in(READ)
def workbench(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment = get_assignment_for(request.user, pk)
    if not has_consented(request.user, assignment.campaign):
        return redirect("annotator-guidelines", assignment.campaign.slug)
    if not assignment.done and _must_answer_first(request.user, assignment.campaign):
        return redirect("annotator-questionnaire", assignment.campaign.slug, Moment.ENTRY)
    review = "review" in request.GET
    data = workbench_data(
        assignment.pk, assignment.campaign, request.user, review=review, redo=items_to_redo(assignment)
    )
    permit = "" if data["review"] else permit_to_keep(request.user, assignment.campaign)
    context = {
        "campaign": assignment.campaign,
        "data": data | {"service_worker": reverse("service-worker") if permit else None},
    }
    response = render(request, "annotator/workbench.html", context)
    if permit:
        response[KEEP_HEADER] = permit
    return response


def _must_answer_first(user: Account, campaign: Campaign) -> bool:
    """Work that was planned for somebody is in hand before they have asked for any."""
    return questionnaire_due(get_membership_for(user, campaign.slug), Moment.ENTRY) is not None


@signed_in(READ)
def practice(request: SignedInRequest, slug: str) -> HttpResponse:
    membership = get_membership_for(request.user, slug)
    campaign, progress = membership.campaign, practice_progress(membership)
    if not progress.items:
        raise Http404
    if membership.consented_at is None:
        return redirect("annotator-guidelines", slug)
    review = "review" in request.GET and progress.answered > 0
    if questionnaire_due(membership, Moment.ENTRY):
        return redirect("annotator-questionnaire", slug, Moment.ENTRY)
    if progress.is_over and not review:
        link = screened_out_link(membership) if progress.is_shut_out else None
        context = {"campaign": campaign, "progress": progress, "return_link": link}
        return render(request, "annotator/practice_result.html", context)
    data = workbench_data(f"practice:{slug}", campaign, request.user, review=review)
    data["practice"] = {"skip": reverse("annotator-practice-skip", args=[slug])}
    return render(request, "annotator/workbench.html", {"campaign": campaign, "data": data})


@signed_in(POST)
def skip(request: SignedInRequest, slug: str) -> HttpResponse:
    membership = get_membership_for(request.user, slug)
    if membership.consented_at is None:
        return redirect("annotator-guidelines", slug)
    if item := request.POST.get("item"):
        with ErrorsShown(request):
            skip_practice(membership=membership, item=get_practice_item_for(membership, item))
    return redirect("annotator-practice", slug)


@signed_in(POST)
def practise_again(request: SignedInRequest, slug: str) -> HttpResponse:
    with ErrorsShown(request):
        begin_attempt(membership=get_membership_for(request.user, slug))
    return redirect("annotator-practice", slug)


def permit_to_keep(account: Account, campaign: Campaign) -> str:
    """The value of the header: for whom, and until when; empty if nothing may be stored.

    Another account's sign-in, the end of the session or of access end it before.
    """
    until = int(time.time()) + settings.OFFLINE_DAYS * 24 * 60 * 60
    return f"{account.pk}:{campaign.pk} {until}" if settings.OFFLINE_DAYS else ""


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - the same for everybody
    """Below /assignments/, because a service worker answers only for addresses below its own."""
    script = finders.find("build/service-worker.js")
    if script is None:
        raise Http404
    return HttpResponse(Path(script).read_bytes(), content_type="text/javascript; charset=utf-8")
