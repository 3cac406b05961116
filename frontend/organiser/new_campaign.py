"""A new campaign: one page, checked at once, made by a run, so that large files keep nobody waiting."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.protocols import PROTOCOLS
from campaigns.actions import Access, discard_campaign_draft
from campaigns.languages import common_languages
from campaigns.models import Campaign, CampaignDraft
from frontend.access import HIGHEST_KEY, RUNS_IT, SignedInRequest, get_campaign_draft_of, get_campaign_for
from frontend.organiser.new_campaign_form import PASSWORDS_LEFT_OUT, NewCampaignForm
from frontend.organiser.new_campaign_sums import sum_rows
from frontend.organiser.spec_fields import option_fields
from frontend.organiser.upload_pages import changed_since, columns_in, findings_context
from frontend.uploads import find_inspection, get_inspection, queue_inspection
from jobs.actions import queue_run
from jobs.models import Run, RunStatus

SAMPLE = (
    "document,segment,source,reference,system:Heron,system:Kestrel\n"
    "ferry,1,The ferry is late.,Die Fähre hat Verspätung.,Die Fähre ist spät dran.,Die Fähre ist spät.\n"
    "ferry,2,It leaves at noon.,Sie legt um zwölf ab.,Sie fährt am Mittag ab.,Es verlässt am Mittag.\n"
)


@sensitive_post_parameters("people")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_campaign(request: SignedInRequest) -> HttpResponse:
    if not request.user.may_create_campaigns:
        raise PermissionDenied
    copied = _copied(request)
    initial = NewCampaignForm.like(copied) if copied else None
    form = NewCampaignForm(request.POST or None, account=request.user, initial=initial)
    if request.method == "POST" and form.is_valid() and not _columns_changed(request, form):
        arguments = _with_files(request, form)
        run = queue_run(kind="new_campaign", arguments=arguments, created_by=request.user)
        _forget_draft(request)
        return redirect("organiser-creation", pk=run.pk)
    status = 422 if request.method == "POST" else 200
    context = {**_context(request, form), "copied": copied, "draft": _draft(request)}
    return render(request, "organiser/new_campaign.html", context, status=status)


def _draft(request: SignedInRequest) -> CampaignDraft | None:
    """The one to go on with, whose values the page's script fetches."""
    number = request.GET.get("draft", "")
    return get_campaign_draft_of(request.user, int(number)) if number.isdecimal() else None


def _copied(request: SignedInRequest) -> Campaign | None:
    """The campaign to make another like, which has to be the organiser's own."""
    slug = request.GET.get("like")
    return get_campaign_for(request.user, slug, *RUNS_IT) if slug else None


@login_required
@require_safe
def new_sums(request: SignedInRequest) -> HttpResponse:
    """What the page adds up to as it stands, however unfinished."""
    form = NewCampaignForm(request.GET, account=request.user, reads_texts=False)
    form.is_valid()
    about = {name: form.cleaned_data.get(name) for name in ("test_set", "upload", "annotators")}
    return render(request, "organiser/sums.html", sum_rows(form.spec(), request.user, **about))


@login_required
@require_safe
def creation(request: SignedInRequest, pk: int) -> HttpResponse:
    """How far the making of a campaign is; once it failed, the form again with everything that was entered."""
    run = _creation_of(request, pk)
    if run.status == RunStatus.DONE and run.result:
        return _done(request, run, run.result)
    if run.status in (RunStatus.FAILED, RunStatus.CANCELLED):
        form = NewCampaignForm(run.arguments["form"], account=request.user)
        form.is_valid()
        problems = run.error.splitlines()
        if PASSWORDS_LEFT_OUT in run.arguments["form"]:
            problems.append(_("The passwords in the list were not saved. Enter them again."))
        return render(request, "organiser/new_campaign.html", _context(request, form, problems=problems))
    return render(request, "organiser/creation.html", {"run": run})


def _done(request: SignedInRequest, run: Run, result: dict[str, Any]) -> HttpResponse:
    """To the people of the campaign, who have no link yet."""
    for problem in result.get("people_problems", ()):
        messages.error(request, problem)
    address = reverse("organiser-people", kwargs={"slug": result["campaign"]})
    access = run.arguments.get("access", Access.LINK)
    return redirect(address if access == Access.LINK else f"{address}?access={access}")


@login_required
@require_safe
def creation_state(request: SignedInRequest, pk: int) -> HttpResponse:
    return render(request, "organiser/creation_state.html", {"run": _creation_of(request, pk)})


@require_safe
def sample(request: SignedInRequest) -> HttpResponse:  # noqa: ARG001 - the same for everybody
    response = HttpResponse(SAMPLE, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="assay-sample.csv"'
    return response


@login_required
@require_POST
def discard_draft(request: SignedInRequest, pk: int) -> HttpResponse:
    discard_campaign_draft(draft=get_campaign_draft_of(request.user, pk))
    messages.success(request, _("The draft was discarded."))
    return redirect("organiser-campaigns")


def _forget_draft(request: SignedInRequest) -> None:
    """What is being made is a draft no more."""
    number = request.POST.get("draft", "")
    if number.isdecimal():
        CampaignDraft.objects.filter(account=request.user, pk=min(int(number), HIGHEST_KEY)).delete()


def _columns_changed(request: SignedInRequest, form: NewCampaignForm) -> bool:
    """Columns that were changed but not read again are read now: nothing is made of what nobody has looked at."""
    upload = form.cleaned_data["upload"]
    run = find_inspection(request.user, upload) if upload and not form.cleaned_data["test_set"] else None
    files, shown = (run.arguments["files"], (run.result or {}).get("columns", [])) if run else ([], [])
    if not changed_since(files, shown, request.POST):
        return False
    queue_inspection(request.user, upload, files, columns=columns_in(request.POST))
    form.add_error(
        "test_set", _("You changed the columns, so the files are read again. Check them, then create the campaign.")
    )
    return True


def _creation_of(request: SignedInRequest, pk: int) -> Run:
    return get_object_or_404(Run, pk=pk, kind="new_campaign", created_by=request.user)


def _with_files(request: SignedInRequest, form: NewCampaignForm) -> dict[str, Any]:
    """The form as it was typed travels along, so that a failure gives it back."""
    arguments, files = form.arguments(), []
    if arguments["upload"] and not arguments["test_set"]:
        files = get_inspection(request.user, arguments["upload"]).arguments["files"]
    return {**arguments, "files": files, "form": form.typed()}


def _context(request: SignedInRequest, form: NewCampaignForm, *, problems: list[str] | None = None) -> dict[str, Any]:
    upload = form.cleaned_data.get("upload") if form.is_bound and hasattr(form, "cleaned_data") else None
    found = ""
    run = find_inspection(request.user, upload)
    if run is not None:
        skip = bool(form.cleaned_data.get("skip_bad_rows"))
        found = render_to_string("organiser/findings.html", findings_context(run, skip_bad_rows=skip), request)
    return {
        "form": form,
        "problems": problems or [],
        "protocols": [
            {
                "name": name,
                "title": protocol.title,
                "description": protocol.description,
                "seconds_per_item": protocol.seconds_per_item,
                "reads_once": protocol.reads_once,
                "controls": " ".join(sorted(protocol.control_kinds)),
            }
            for name, protocol in PROTOCOLS.items()
        ],
        "option_groups": [
            {"name": name, "fields": [form[field] for field in option_fields(protocol)]}
            for name, protocol in PROTOCOLS.items()
        ],
        "test_sets": form.fields["test_set"].queryset.exists(),  # type: ignore[attr-defined]
        "findings": found,
        "languages": common_languages(),
    }
