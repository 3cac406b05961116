"""A campaign copied to several language pairs at once: the form, the run that makes the copies, their links."""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from campaigns.actions.enrolment import Access, Admission, PeopleError, admit_waiting
from campaigns.languages import common_languages
from campaigns.models import Campaign
from campaigns.queries import campaigns_of
from exchange.campaign_copies import MOST_COPIES, arguments_of
from exchange.tables.csv_and_json import csv_text
from exchange.upload_folders import forget_old_folders
from frontend.access import RUNS_IT, SignedInRequest
from frontend.campaign_pages import FORM, READ, campaign_page, campaign_view
from frontend.organiser.copies_form import FIRST_ROWS, CopiesForm, rows_sent, with_stored_files
from frontend.organiser.new_campaign import own_run
from frontend.uploads import UploadError
from jobs.actions import queue_run
from jobs.models import Run, RunStatus

COPYING = "campaign_copies"
Handed = list[tuple[Campaign, list[Admission]]]


@sensitive_post_parameters()
@campaign_view(RUNS_IT, FORM)
def copies(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    if not request.user.may_create_campaigns:
        raise PermissionDenied
    if request.method != "POST":
        return _page(request, CopiesForm.blank(campaign, request.user))
    forget_old_folders()
    data, problems = request.POST.copy(), []
    try:
        data = with_stored_files(request.user, request.POST, request.FILES)
    except UploadError as error:
        problems.append(str(error))
    form = CopiesForm.sent(campaign, request.user, data, rows_sent(data))
    form.problems += problems
    if request.POST.get("act") == "add":
        return _with_more_rows(request, form)
    if not form.is_valid() or problems:
        return _page(request, form, status=422)
    try:
        rows, plan, access = form.arguments()
    except PeopleError as error:  # somebody took a name in this very moment
        form.problems += map(str, error.problems)
        return _page(request, form, status=422)
    arguments = arguments_of(campaign, rows, plan, access)
    return redirect(
        "organiser-copying", campaign.slug, queue_run(kind=COPYING, arguments=arguments, created_by=request.user).pk
    )


def _with_more_rows(request: SignedInRequest, form: CopiesForm) -> HttpResponse:
    """Those for the dropped files, in the place of empty ones; an empty one where there was no file."""
    form.is_valid(checks=False)
    if not request.FILES.getlist("files"):
        form.add_row()
    return _page(request, form)


def _page(request: SignedInRequest, form: CopiesForm, status: int = 200) -> HttpResponse:
    context = {"copies": form, "languages": common_languages(), "most": MOST_COPIES, "first": FIRST_ROWS}
    return campaign_page(request, form.source, "organiser/copies.html", "overview", context, status=status)


@campaign_view(RUNS_IT)
def copying(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """How far the copies are; once they failed, the form again with everything that was entered."""
    run = _own_copying(request, campaign, pk)
    if run.status == RunStatus.DONE and run.result:
        return campaign_page(request, campaign, "organiser/copies_done.html", "overview", {"run": run})
    if run.status in (RunStatus.FAILED, RunStatus.CANCELLED):
        return _page(request, CopiesForm.of_run(campaign, request.user, run.arguments, run.error))
    context = {"run": run, "title": _("Making the copies"), "crumb": campaign.name}
    return render(request, "organiser/creation.html", context | {"state_address": f"{request.path}state/"})


@campaign_view(RUNS_IT, READ)
def copying_state(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    return render(request, "organiser/creation_state.html", {"run": _own_copying(request, campaign, pk)})


@campaign_view(RUNS_IT, FORM)
def copied(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """The copies; their people's links or passwords are made when they are first asked for, and shown once."""
    run = _own_copying(request, campaign, pk)
    slugs = (run.result or {}).get("campaigns", [])
    own = campaigns_of(request.user, *RUNS_IT).filter(slug__in=slugs).select_related("test_set").order_by("name")
    made: Handed = [(each, []) for each in own]
    if request.method == "POST":
        access = Access(run.arguments.get("access", Access.LINK))
        made = [(each, admit_waiting(campaign=each, access=access, by=request.user)) for each, _none in made]
    admitted = [(each, one) for each, several in made for one in several]
    context = {
        "made": [each for each, _admitted in made],
        "admitted": admitted,
        "with_passwords": any(one.password for _each, one in admitted),
        "with_links": any(one.link for _each, one in admitted),
        "admitted_csv": _csv(admitted),
    }
    return campaign_page(request, campaign, "organiser/copied.html", "overview", context)


def _csv(admitted: Sequence[tuple[Campaign, Admission]]) -> str:
    header = ["campaign", "source_language", "target_language", "annotator", "name", "email", "link", "password"]
    rows: list[list[Any]] = [
        [
            campaign.name,
            campaign.test_set.source_language,
            campaign.test_set.target_language,
            one.account.username,
            one.account.name,
            one.account.email,
            one.link,
            one.password,
        ]
        for campaign, one in admitted
    ]
    return csv_text(header, rows)


def _own_copying(request: SignedInRequest, campaign: Campaign, pk: int) -> Run:
    run = own_run(request, pk, COPYING)
    if run.arguments["copied"] != campaign.pk:
        raise Http404
    return run
