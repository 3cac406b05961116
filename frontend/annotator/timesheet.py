"""An annotator's own timesheet over all campaigns, with notes to days whose time they dispute."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.actions.timesheet import LONGEST_NOTE, dispute_day
from annotation.queries.timesheet import timesheet_of
from frontend.access import SignedInRequest, get_own_campaign_judged
from frontend.campaign_pages import FORM, READ, ErrorsShown, signed_in
from frontend.timesheet_days import day_of, timesheet_context, timesheet_csv


@signed_in(FORM)
def timesheet(request: SignedInRequest) -> HttpResponse:
    if request.method == "POST":
        with ErrorsShown(request):
            day, note = day_of(request.POST.get("day", "")), request.POST.get("note", "")
            campaign = get_own_campaign_judged(request.user, request.POST.get("campaign", ""))
            dispute_day(campaign=campaign, annotator=request.user, day=day, note=note)
            messages.success(request, _("Your note is saved. The organiser reads it."))
        return redirect("annotator-timesheet")
    days = timesheet_of(annotator=request.user)
    context = {**timesheet_context(days), "is_own": True, "longest": LONGEST_NOTE}
    return render(request, "annotator/timesheet.html", context)


@signed_in(READ)
def own_timesheet_csv(request: SignedInRequest) -> HttpResponse:
    return timesheet_csv("assay-timesheet", timesheet_of(annotator=request.user))
