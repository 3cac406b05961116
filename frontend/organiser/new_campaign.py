"""A new campaign: one page, checked at once, made by a run; and its live sums."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from annotation.protocols import PROTOCOLS
from campaigns.actions.campaign_drafts import discard_campaign_draft
from campaigns.actions.enrolment import Access
from campaigns.languages import common_languages
from campaigns.models import CampaignDraft
from frontend.access import HIGHEST_KEY, RUNS_IT, SignedInRequest, get_campaign_for, get_own, key_in
from frontend.campaign_pages import FORM, POST, READ, signed_in
from frontend.downloads import CSV_TYPE, attachment
from frontend.organiser.mending import with_mended
from frontend.organiser.new_campaign_form import PASSWORDS_LEFT_OUT, NewCampaignForm
from frontend.organiser.new_campaign_plan import plan_as_entered
from frontend.organiser.spec_fields import option_fields
from frontend.organiser.upload_pages import changed_since, columns_in, confirmed_in, findings_context, genmt_in
from frontend.uploads import find_inspection, get_inspection, queue_inspection
from jobs.actions import queue_run
from jobs.models import Run, RunStatus

CREATING = "new_campaign"
IMPORTING = "campaign_import"  # of a file that has the plan and the people too, or judgments
SAMPLE = (
    "document,segment,source,reference,system:Heron,system:Kestrel\n"
    "ferry,1,The ferry is late.,Die Fähre hat Verspätung.,Die Fähre ist spät dran.,Die Fähre ist spät.\n"
    "ferry,2,It leaves at noon.,Sie legt um zwölf ab.,Sie fährt am Mittag ab.,Es verlässt am Mittag.\n"
)


@sensitive_post_parameters("people")
@signed_in(FORM)
def new_campaign(request: SignedInRequest) -> HttpResponse:
    if not request.user.may_create_campaigns:
        raise PermissionDenied
    slug = request.GET.get("like")
    copied = get_campaign_for(request.user, slug, *RUNS_IT) if slug else None
    initial = NewCampaignForm.like(copied) if copied else NewCampaignForm.of_address(request.GET, request.user)
    form = NewCampaignForm(request.POST or None, account=request.user, initial=initial)
    is_ready = request.method == "POST" and form.is_valid() and not _columns_changed(request, form)
    if is_ready and (_brings_its_plan(request, form) or _can_finish(form)):
        kind = IMPORTING if _brings_its_plan(request, form) else CREATING
        arguments = _with_files(request, form) | ({"copied": copied.pk} if copied else {})
        run = queue_run(kind=kind, arguments=arguments, created_by=request.user)
        CampaignDraft.objects.filter(account=request.user, pk=key_in(request.POST.get("draft", "")) or 0).delete()
        return redirect("organiser-creation", pk=run.pk)
    status = 422 if request.method == "POST" else 200
    context = {**_context(request, form), "copied": copied, "draft": _draft(request)}
    return render(request, "organiser/new_campaign.html", context, status=status)


def _draft(request: SignedInRequest) -> CampaignDraft | None:
    """The one to go on with, whose values the page's script fetches."""
    key = key_in(request.GET.get("draft", ""))
    return None if key is None else get_own(CampaignDraft, request.user, key)


@signed_in(READ)
def new_sums(request: SignedInRequest) -> HttpResponse:
    """The sums of the page as entered, however unfinished, and what is missing or doubtful."""
    form = NewCampaignForm(request.GET, account=request.user, reads_texts=False)
    form.is_valid()
    return render(request, "organiser/sums.html", plan_as_entered(form).context())


@signed_in(READ)
def creation(request: SignedInRequest, pk: int) -> HttpResponse:
    """How far the making of a campaign is; once it failed, the form again with everything that was entered."""
    run = own_run(request, pk, CREATING, IMPORTING)
    if run.status == RunStatus.DONE and run.result:
        return _done(request, run, run.result)
    if run.status in (RunStatus.FAILED, RunStatus.CANCELLED):
        form = NewCampaignForm(run.arguments["form"], account=request.user)
        form.is_valid()
        problems = run.error.splitlines()
        if PASSWORDS_LEFT_OUT in run.arguments["form"]:
            problems.append(_("The passwords in the list were not saved. Enter them again."))
        return render(request, "organiser/new_campaign.html", _context(request, form, problems=problems))
    context = {"run": run, "title": _("Creating the campaign"), "crumb": _("New campaign")}
    return render(request, "organiser/creation.html", context | {"state_address": f"{request.path}state/"})


def _done(request: SignedInRequest, run: Run, result: dict[str, Any]) -> HttpResponse:
    """To the page of the new campaign, which makes the links that are shown once: so it is asked by a POST."""
    for problem in result.get("people_problems", ()):
        messages.error(request, problem)
    access = run.arguments.get("access", Access.LINK)
    return render(request, "organiser/creation_done.html", {"slug": result["campaign"], "access": access})


@signed_in(READ)
def creation_state(request: SignedInRequest, pk: int, kind: str = CREATING) -> HttpResponse:
    kinds = (CREATING, IMPORTING) if kind == CREATING else (kind,)
    return render(request, "organiser/creation_state.html", {"run": own_run(request, pk, *kinds)})


@require_safe
def sample(request: SignedInRequest) -> HttpResponse:  # noqa: ARG001 - the same for everybody
    return HttpResponse(SAMPLE, content_type=CSV_TYPE, headers=attachment("assay-sample.csv"))


@signed_in(POST)
def discard_draft(request: SignedInRequest, pk: int) -> HttpResponse:
    discard_campaign_draft(draft=get_own(CampaignDraft, request.user, pk))
    messages.success(request, _("The draft was discarded."))
    return redirect("organiser-campaigns")


@signed_in(POST)
def discard_drafts(request: SignedInRequest) -> HttpResponse:
    for draft in request.user.campaign_drafts.all():
        discard_campaign_draft(draft=draft)
    messages.success(request, _("All drafts were discarded."))
    return redirect("organiser-campaigns")


def _columns_changed(request: SignedInRequest, form: NewCampaignForm) -> bool:
    """Columns that were changed but not read again are read now, so that nobody imports texts unseen."""
    upload = form.cleaned_data["upload"]
    run = find_inspection(request.user, upload) if upload and not form.cleaned_data["test_set"] else None
    files, found = (run.arguments["files"], run.result or {}) if run else ([], {})
    if not changed_since(files, found, request.POST):
        return False
    columns, genmt = columns_in(request.POST) or None, genmt_in(request.POST)
    files = with_mended(files, form.mended)
    queue_inspection(request.user, upload, files, columns=columns, genmt=genmt, confirmed=confirmed_in(request.POST))
    message = _("You changed the columns, so the files are read again. Check them, then create the campaign.")
    if genmt:
        message = _("You changed the language pair, so the files are read again. Check them, then create the campaign.")
    form.add_error("test_set", message)
    return True


def _can_finish(form: NewCampaignForm) -> bool:
    """Whether the people it was made for are enough for the plan."""
    problem = plan_as_entered(form).too_few_people
    if problem:
        form.add_error("annotators", problem)
    return not problem


def _brings_its_plan(request: SignedInRequest, form: NewCampaignForm) -> bool:
    """A campaign of another program, or judgments: of the form, its name and languages count."""
    if form.cleaned_data["test_set"]:
        return False
    run = find_inspection(request.user, form.cleaned_data["upload"])
    return bool(run and run.result and run.result.get("campaign"))


def own_run(request: SignedInRequest, pk: int, *kinds: str) -> Run:
    return get_object_or_404(Run, pk=min(pk, HIGHEST_KEY), kind__in=kinds, created_by=request.user)


def _with_files(request: SignedInRequest, form: NewCampaignForm) -> dict[str, Any]:
    """The form as it was typed travels along, so that a failure gives it back."""
    arguments, files = form.arguments(), []
    if arguments["upload"] and not arguments["test_set"]:
        files = with_mended(get_inspection(request.user, arguments["upload"]).arguments["files"], form.mended)
    return {**arguments, "files": files, "form": form.typed()}


def _context(request: SignedInRequest, form: NewCampaignForm, *, problems: Sequence[str] = ()) -> dict[str, Any]:
    upload = form.cleaned_data.get("upload") if form.is_bound and hasattr(form, "cleaned_data") else None
    findings = ""
    run = find_inspection(request.user, upload)
    if run is not None:
        findings = render_to_string("organiser/findings.html", findings_context(run, form.cleaned_data), request)
    return {
        "form": form,
        "problems": problems,
        "protocols": [
            {
                "name": name,
                "title": protocol.title,
                "description": protocol.description,
                "seconds_per_item": protocol.seconds_per_item,
                "reads_once": protocol.reads_once,
                "controls": " ".join(sorted(protocol.control_kinds)),
                "fields": [form[field] for field in option_fields(protocol)],
            }
            for name, protocol in PROTOCOLS.items()
        ],
        "test_sets": form.fields["test_set"].queryset.exists(),  # type: ignore[attr-defined]
        "findings": findings,
        "languages": common_languages(),
    }
