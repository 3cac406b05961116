"""Work that stands still: what stuck annotators hold and reservations past their time, to be given to others."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from annotation.actions import return_assignment
from annotation.models import Assignment
from annotation.queries.annotator_work import work_in_hand
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign
from frontend.access import RUNS_IT, SignedInRequest, get_campaign_for
from metrics.progress.overview import AnnotatorLine, Concern, overview_of

_STILL = {Concern.STUCK, Concern.LATE}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def standing_work(request: SignedInRequest, slug: str) -> HttpResponse:
    """The page names what would go to others; only what is ticked there, and still stands, does."""
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    found = _found(campaign)
    if request.method == "POST":
        chosen = set(request.POST.getlist("assignment"))
        given, refused = _give_back([each for each, line in found if str(each.pk) in chosen], request.user)
        for message in refused:
            messages.error(request, message)
        if given:
            said = ngettext("%(count)d item waits", "%(count)d items wait", given) % {"count": given}
            messages.success(request, _("%(items)s for whoever asks next.") % {"items": said})
        return redirect("organiser-overview", slug=slug)
    context = {"campaign": campaign, "tab": "overview", "organises": True, "found": found}
    return render(request, "organiser/standing_work.html", context)


def _found(campaign: Campaign) -> list[tuple[Assignment, AnnotatorLine]]:
    lines = {line.person.account: line for line in overview_of(campaign).lines if not _STILL.isdisjoint(line.concerns)}
    work = work_in_hand(campaign, lines)
    return [(each, lines[each.annotator_id]) for each in work if each.annotator_id is not None]


def _give_back(assignments: list[Assignment], by: Account) -> tuple[int, list[str]]:
    """How many items go to others, and why some do not: somebody may have finished meanwhile."""
    given, refused = 0, []
    for assignment in assignments:
        try:
            with transaction.atomic():
                given += return_assignment(assignment=assignment, by=by).total
        except InvalidInput as error:
            refused.append(f"{assignment.annotator}: {error}")
    return given, refused
