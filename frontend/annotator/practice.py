"""Practice before the first item: the workbench on items of its own, then how it went."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation.actions import begin_attempt
from annotation.queries.practice import practice_standing
from campaigns.invalid_input import InvalidInput
from frontend.access import SignedInRequest, get_membership_for
from frontend.annotator.workbench import workbench_data


@login_required
@require_safe
def practice(request: SignedInRequest, slug: str) -> HttpResponse:
    membership = get_membership_for(request.user, slug)
    campaign, standing = membership.campaign, practice_standing(membership)
    if not standing.items:
        raise Http404
    if membership.consented_at is None:
        return redirect("annotator-guidelines", slug)
    if standing.is_over:
        return render(request, "annotator/practice_result.html", {"campaign": campaign, "standing": standing})
    data = workbench_data(f"practice:{slug}", campaign, request.user)
    return render(request, "annotator/workbench.html", {"campaign": campaign, "data": data})


@login_required
@require_POST
def practise_again(request: SignedInRequest, slug: str) -> HttpResponse:
    try:
        begin_attempt(membership=get_membership_for(request.user, slug))
    except InvalidInput as error:
        messages.error(request, str(error))
    return redirect("annotator-practice", slug)
