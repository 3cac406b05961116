"""Organisers' notes for themselves, on an annotator or a segment."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils.translation import gettext as _

from annotation.actions.timesheet import write_own_note
from campaigns.models import Account, Campaign, Segment
from frontend.access import RUNS_IT, SignedInRequest, get_annotator_of, get_segment_of
from frontend.campaign_pages import POST, ErrorsShown, campaign_view


@campaign_view(RUNS_IT, POST)
def on_annotator(request: SignedInRequest, campaign: Campaign, username: str) -> HttpResponse:
    _write(request, campaign, annotator=get_annotator_of(campaign, username))
    return redirect("organiser-annotator", campaign.slug, username)


@campaign_view(RUNS_IT, POST)
def on_segment(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    _write(request, campaign, segment=get_segment_of(campaign, pk))
    return redirect(f"{resolve_url('researcher-segments', campaign.slug)}?segment={pk}")


def _write(
    request: SignedInRequest, campaign: Campaign, *, annotator: Account | None = None, segment: Segment | None = None
) -> None:
    with ErrorsShown(request):
        text = request.POST.get("text", "")
        write_own_note(campaign=campaign, by=request.user, text=text, annotator=annotator, segment=segment)
        messages.success(request, _("Your note is saved. Only organisers read it."))
