"""The end of an assignment: thanks, and the code that proves it."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotation.queries.task_list import effort_on, task_list_of
from campaigns.queries import systems_of
from frontend.access import SignedInRequest, get_assignment_for


@login_required
@require_safe
def thanks(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment = get_assignment_for(request.user, pk)
    if not assignment.completion_code:
        return redirect("annotator-assignment", assignment.pk)
    context = {
        "assignment": assignment,
        "effort": effort_on(assignment),
        "systems": systems_of(assignment.campaign).count(),
        "next": task_list_of(request.user).current,
    }
    return render(request, "annotator/thanks.html", context)
