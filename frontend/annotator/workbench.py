"""The page on which judging happens, and practice on it; what a device may keep of it to go on without a network."""

import time
from dataclasses import astuple
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.views.decorators.http import require_safe

from annotation.actions.practising import begin_attempt, skip_practice
from annotation.models import Assignment
from annotation.protocols import protocol_for
from annotation.queries.checks import items_to_redo
from annotation.queries.crowd import screened_out_link
from annotation.queries.practice import practice_progress
from annotation.queries.task_list import effort_in
from campaigns.guideline_changes import changes_to_read
from campaigns.models import Account, Campaign, Membership, Moment
from campaigns.queries import has_consented, questionnaire_due
from frontend.access import SignedInRequest, get_assignment_for, get_membership_for, get_practice_item_for
from frontend.campaign_pages import POST, READ, ErrorsShown, signed_in
from frontend.workbench import workbench_data

KEEP_HEADER = "Assay-Keep"  # a page without it is never stored, whatever a browser does; offline/stored_pages.ts


@signed_in(READ)
def workbench(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment = get_assignment_for(request.user, pk)
    campaign = assignment.campaign
    if not has_consented(request.user, campaign):
        return redirect("annotator-guidelines", campaign.slug)
    membership = get_membership_for(request.user, campaign.slug)
    # work that was planned for somebody is in hand before they have asked for any
    if not assignment.done and questionnaire_due(membership, Moment.ENTRY):
        return redirect("annotator-questionnaire", campaign.slug, Moment.ENTRY)
    review = "review" in request.GET
    redo = items_to_redo(assignment)
    data = workbench_data(assignment.pk, campaign, request.user, review=review, redo=redo)
    data |= {"reading": _reading(membership), "pace": _pace(assignment, membership)}
    permit = "" if review else permit_to_keep(request.user, campaign)
    data["service_worker"] = reverse("service-worker") if permit else None
    response = render(request, "annotator/workbench.html", {"campaign": campaign, "data": data})
    if permit:
        response[KEEP_HEADER] = permit
    return response


def _reading(membership: Membership) -> dict[str, Any]:
    """What is new in the guidelines since this annotator read them, and where practice can be opened again."""
    slug, changes = membership.campaign.slug, changes_to_read(membership)
    return {
        "read": reverse("annotator-guidelines-read", args=[slug]),
        "seen_at": timezone.now().isoformat(),
        "since": date_format(timezone.localtime(changes.since), "DATE_FORMAT") if changes else "",
        "changes": [[astuple(piece) for piece in each] for each in changes.paragraphs] if changes else [],
        "practice": reverse("annotator-practice", args=[slug]) if membership.campaign.practice_items.exists() else None,
    }


def _pace(assignment: Assignment, membership: Membership) -> dict[str, Any]:
    """One's own in this campaign, with what is expected until there is one; `texts` is how many the task has."""
    effort = effort_in(assignment.campaign, membership.account)
    return {
        "items": effort.judgments,
        "ms": round(effort.seconds * 1000),
        "expected": protocol_for(assignment.campaign.protocol, assignment.campaign.options).seconds_per_item,
        "texts": assignment.items.aggregate(last=Max("block"))["last"] or 0,
    }


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
    data["reading"] = _reading(membership)
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
