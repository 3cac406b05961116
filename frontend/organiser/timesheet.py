"""Timesheets of a campaign: sums of its annotators, one annotator's days, answers to notes, which pauses count."""

from itertools import groupby

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.actions.timesheet import LONGEST_NOTE, PAUSE_SECONDS, WORDS_PER_MINUTE, answer_dispute, set_pauses
from annotation.queries.timesheet import time_sum, timesheet_of
from campaigns.models import Campaign
from frontend.access import RUNS_IT, SignedInRequest, get_annotator_of
from frontend.campaign_pages import FORM, ErrorsShown, campaign_page, campaign_view
from frontend.timesheet_days import day_of, timesheet_context, timesheet_csv


class PausesForm(forms.Form):
    """Which pauses count as work."""

    pause_seconds = forms.IntegerField(
        label=gettext_lazy("Seconds to think"), min_value=PAUSE_SECONDS[0], max_value=PAUSE_SECONDS[1]
    )
    words_per_minute = forms.IntegerField(
        label=gettext_lazy("Words read in a minute"), min_value=WORDS_PER_MINUTE[0], max_value=WORDS_PER_MINUTE[1]
    )


@campaign_view(RUNS_IT, FORM)
def timesheets(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    now = {"pause_seconds": campaign.pause_seconds, "words_per_minute": campaign.words_per_minute}
    form = PausesForm(request.POST or None, initial=now)
    if request.method == "POST" and form.is_valid():
        seconds, words = form.cleaned_data["pause_seconds"], form.cleaned_data["words_per_minute"]
        with ErrorsShown(form):
            set_pauses(campaign=campaign, seconds=seconds, words_per_minute=words, by=request.user)
            messages.success(request, _("Saved. It counts from the next page that an annotator opens."))
            return redirect("organiser-timesheets", campaign.slug)
    days = timesheet_of(campaign=campaign)
    by_person = groupby(sorted(days, key=lambda each: each.annotator.username), key=lambda each: each.annotator)
    context = {
        **timesheet_context(days),
        "people": [(person, time_sum(own)) for person, own in by_person],
        "open_notes": [each for each in days if each.note and not each.note.answer],
        "form": form,
    }
    return campaign_page(request, campaign, "organiser/timesheets.html", "people", context)


@campaign_view(RUNS_IT)
def timesheets_csv(_request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    return timesheet_csv(f"{campaign.slug}-timesheets", timesheet_of(campaign=campaign))


@campaign_view(RUNS_IT, FORM)
def timesheet(request: SignedInRequest, campaign: Campaign, username: str) -> HttpResponse:
    annotator = get_annotator_of(campaign, username)
    if request.method == "POST":
        with ErrorsShown(request):
            day, answer = day_of(request.POST.get("day", "")), request.POST.get("answer", "")
            answer_dispute(campaign=campaign, annotator=annotator, day=day, answer=answer, by=request.user)
            messages.success(request, _("Your answer is saved. The annotator reads it."))
        return redirect("organiser-timesheet", campaign.slug, username)
    days = timesheet_of(campaign=campaign, annotator=annotator)
    context = {**timesheet_context(days), "annotator": annotator, "longest": LONGEST_NOTE}
    return campaign_page(request, campaign, "organiser/timesheet.html", "people", context)


@campaign_view(RUNS_IT)
def person_csv(_request: SignedInRequest, campaign: Campaign, username: str) -> HttpResponse:
    annotator = get_annotator_of(campaign, username)
    days = timesheet_of(campaign=campaign, annotator=annotator)
    return timesheet_csv(f"{campaign.slug}-{annotator.username}-timesheet", days)
