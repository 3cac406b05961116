"""Work that stands still: what stuck annotators hold and reservations past their time, to be given to others."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from annotation.actions import return_assignment
from annotation.models import Assignment
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account
from frontend.access import RUNS_IT, SignedInRequest, get_campaign_for
from metrics.progress.overview import stalled_work


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def give_back_stalled_work(request: SignedInRequest, slug: str) -> HttpResponse:
    """The page names what would go to others; only what is ticked there, and still stands, does."""
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    stalled = stalled_work(campaign)
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
        return redirect("organiser-overview", slug=slug)
    context = {"campaign": campaign, "tab": "overview", "organises": True, "stalled": stalled}
    return render(request, "organiser/stalled_work.html", context)


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
