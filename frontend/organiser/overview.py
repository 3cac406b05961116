"""One campaign as its organiser sees it: progress, status, stalled work, more judgments; its tables as CSV."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.actions.returning import return_assignment
from annotation.actions.status import set_status
from annotation.campaign_spec import PARAMETERS
from annotation.models import Assignment
from annotation.protocols import PROTOCOLS
from annotation.queries.coverage import coverage_of
from annotation.queries.progress import extension_cost
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, CampaignStatus, Role
from campaigns.queries import systems_of
from campaigns.site_address import site_address
from frontend.access import RUNS_IT, SignedInRequest
from frontend.campaign_pages import FORM, POST, ErrorsShown, campaign_page, campaign_view
from frontend.downloads import csv_file
from frontend.organiser.attention_checks import checks_context
from frontend.organiser.coverage_words import coverage_context
from frontend.organiser.overview_words import overview_context
from frontend.organiser.race import race_context
from jobs.actions import queue_run
from jobs.models import PENDING
from jobs.queries import runs_of
from metrics.progress.campaign_state import campaign_state_of
from metrics.progress.overview import AnnotatorLine, StalledWork, overview_of, stalled_work


@dataclass(frozen=True)
class Step:
    """A state a campaign can go to from where it is; at most one is the main one."""

    status: str
    label: Any
    main: bool = False
    icon: str = ""


_CLOSE = Step(CampaignStatus.CLOSED, gettext_lazy("Close"))
STEPS: dict[str, tuple[Step, ...]] = {
    CampaignStatus.DRAFT: (Step(CampaignStatus.OPEN, gettext_lazy("Open for judging"), main=True),),
    CampaignStatus.OPEN: (Step(CampaignStatus.PAUSED, gettext_lazy("Pause"), icon="pause"), _CLOSE),
    CampaignStatus.PAUSED: (Step(CampaignStatus.OPEN, gettext_lazy("Resume"), main=True), _CLOSE),
    CampaignStatus.CLOSED: (Step(CampaignStatus.OPEN, gettext_lazy("Open again")),),
}


def _yes_no(value: object) -> str:
    return "yes" if value else "no"


ANNOTATOR_COLUMNS: dict[str, Callable[[AnnotatorLine], object]] = {
    "annotator": lambda line: line.person.username,
    "assignments": lambda line: line.share.assignments,
    "done": lambda line: line.share.done,
    "total": lambda line: line.share.total,
    "judgments": lambda line: line.judged,
    "seconds_median": lambda line: line.seconds_median,
    "last_judgment": lambda line: line.last_judgment.isoformat() if line.last_judgment else "",
    "days_left": lambda line: "" if line.days_left is None else f"{line.days_left:.1f}",
    "behind": lambda line: _yes_no(line.is_behind),
    "attention": lambda line: " ".join(line.concerns),
    "left_out": lambda line: _yes_no(line.person.is_excluded),
    "program": lambda line: _yes_no(line.person.is_program),
}


@campaign_view(RUNS_IT)
def overview(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    shown = overview_of(campaign)
    context = {
        **overview_context(campaign, shown, request.GET),
        **coverage_context(campaign, shown.state.version),
        **checks_context(campaign),
        **race_context(campaign),
        "protocol_title": PROTOCOLS[campaign.protocol].title,
        "steps": STEPS[campaign.status],
        "system_count": systems_of(campaign).count(),
    }
    return campaign_page(request, campaign, "organiser/overview.html", "overview", context)


@campaign_view(RUNS_IT)
def progress(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """The live part of the overview, requested every few seconds; while unchanged it costs a few sums."""
    state = campaign_state_of(campaign)
    unchanged = get_conditional_response(request, etag=state.etag)
    if unchanged is not None:
        return unchanged
    context = overview_context(campaign, overview_of(campaign, state), request.GET)
    response = render(request, "organiser/progress.html", context)
    response["ETag"] = state.etag
    return response


@campaign_view(RUNS_IT, POST)
def change_status(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    with ErrorsShown(request):
        set_status(campaign=campaign, status=request.POST.get("status", ""), by=request.user)
        messages.success(request, _("The campaign is now: %(status)s.") % {"status": campaign.get_status_display()})
    if request.POST.get("back") == "list":
        return redirect("organiser-campaigns")
    return redirect("organiser-overview", campaign.slug)


@campaign_view(RUNS_IT)
def annotators_csv(_request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    rows = ([cell(line) for cell in ANNOTATOR_COLUMNS.values()] for line in overview_of(campaign).lines)
    return csv_file(f"{campaign.slug}-annotators", list(ANNOTATOR_COLUMNS), rows)


@campaign_view(RUNS_IT)
def days_csv(_request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    rows = ((day.day, day.judged, day.sum) for day in overview_of(campaign).days)
    return csv_file(f"{campaign.slug}-days", ("day", "judgments", "sum"), rows)


@campaign_view(RUNS_IT)
def hours_csv(_request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    return csv_file(f"{campaign.slug}-hours", ("hour", "judgments"), enumerate(overview_of(campaign).hours))


@campaign_view(RUNS_IT)
def coverage_csv(_request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    coverage = coverage_of(campaign)
    rows = (
        (line.document, system, cell.done, cell.total)
        for line in coverage.lines
        for system, cell in zip(coverage.systems, line.cells, strict=True)
    )
    return csv_file(f"{campaign.slug}-coverage", ("document", "system", "done", "total"), rows)


@campaign_view(RUNS_IT, FORM)
def give_back_stalled_work(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """The page lists the work that would be reassigned; only ticked work that is still stuck is.

    `?of=` an annotator: all that is in their hands.
    """
    of = request.GET.get("of", "")
    stalled = stalled_work(campaign, of=of)
    if request.method == "POST":
        chosen = set(request.POST.getlist("assignment"))
        assignments = [each.assignment for each in stalled if str(each.assignment.pk) in chosen]
        returned, refused = _give_back(assignments, request.user)
        for message in refused:
            messages.error(request, message)
        if returned:
            message = ngettext(
                "%(count)d item goes to the next annotator who asks.",
                "%(count)d items go to the next annotators who ask.",
                returned,
            )
            messages.success(request, message % {"count": returned})
        return redirect("organiser-overview", campaign.slug)
    context = {"stalled": stalled, "with_reminders": list(_with_reminders(campaign, stalled)), "of": of}
    return campaign_page(request, campaign, "organiser/stalled_work.html", "overview", context)


def _with_reminders(campaign: Campaign, stalled: Sequence[StalledWork]) -> Iterator[tuple[StalledWork, str]]:
    """Each with a letter in the organiser's language, once a person; empty for programs and who may not judge here."""
    people = campaign.memberships.filter(role=Role.ANNOTATOR, withdrawn_at=None, is_program=False)
    to_remind = set(people.values_list("account", flat=True)) if campaign.status == CampaignStatus.OPEN else set()
    for each in stalled:
        person, left = each.line.person, each.line.share.left
        if person.account not in to_remind or person.is_excluded or not left:
            yield each, ""
            continue
        to_remind.remove(person.account)
        paragraphs = [
            _("Hello %(name)s,") % {"name": person.name},
            _("your work for %(campaign)s is not finished. Items left: %(left)d.")
            % {"campaign": campaign.name, "left": left},
            _("Your answers are saved. Go on with the link of your invitation, or sign in here: %(link)s")
            % {"link": site_address(reverse("sign-in"))},
            _("If you cannot go on, please tell me: somebody else then gets the rest."),
        ]
        yield each, "\n\n".join(paragraphs)


def _give_back(assignments: list[Assignment], by: Account) -> tuple[int, list[str]]:
    """How many items go to others, and why some do not: somebody may have finished meanwhile."""
    returned, refused = 0, []
    for assignment in assignments:
        try:
            with transaction.atomic():
                returned += return_assignment(assignment=assignment, by=by).total
        except InvalidInput as error:
            refused.append(f"{assignment.annotator}: {error}")
    return returned, refused


EXTENSION = "extension"


class ExtensionForm(forms.Form):
    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        most = max(1, PARAMETERS["redundancy"].high - campaign.redundancy)
        label = gettext_lazy("Additional judgments per segment")
        self.fields["more"] = forms.IntegerField(label=label, min_value=1, max_value=most, initial=1)


@campaign_view(RUNS_IT, FORM)
def extend(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    form = ExtensionForm(request.POST or None, campaign=campaign)
    run = runs_of(campaign, EXTENSION).first()
    if request.method == "POST" and form.is_valid():
        if run is None or run.status not in PENDING:
            arguments = {"redundancy": campaign.redundancy + form.cleaned_data["more"]}
            queue_run(kind=EXTENSION, campaign=campaign, arguments=arguments, created_by=request.user)
        return redirect("organiser-extend", campaign.slug)
    context = {
        "form": form,
        "run": run,
        "is_pending": run is not None and run.status in PENDING,
        "can_extend": campaign.status != CampaignStatus.CLOSED,
        "cost": extension_cost(campaign),
    }
    return campaign_page(request, campaign, "organiser/extend.html", "overview", context)


@campaign_view(RUNS_IT)
def extend_state(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """The progress of the run; after its end, the page is loaded again."""
    return render(request, "organiser/creation_state.html", {"run": runs_of(campaign, EXTENSION).first()})
