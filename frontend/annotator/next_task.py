"""The next assignment is asked for, and handed out."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.actions import claim_assignment
from annotation.queries.practice import must_practise
from frontend.access import SignedInRequest, get_membership_for


@login_required
@require_POST
def next_task(request: SignedInRequest, slug: str) -> HttpResponse:
    membership = get_membership_for(request.user, slug)
    if membership.consented_at is None:
        return redirect("annotator-guidelines", slug)
    if must_practise(membership):
        return redirect("annotator-practice", slug)
    assignment = claim_assignment(campaign=membership.campaign, annotator=request.user)
    if assignment is None:
        messages.info(request, _("Nothing is left to hand out in this campaign right now. Your answers are saved."))
        return redirect("home")
    return redirect("annotator-assignment", assignment.pk)
