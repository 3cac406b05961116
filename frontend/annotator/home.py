"""The annotator's start page: what to go on with."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotation.queries.task_list import effort_since, start_of_week, task_list_of
from campaigns.models import Role
from campaigns.queries import roles_of
from frontend.access import SignedInRequest


@login_required
@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    """Who judges nowhere, but runs or reads campaigns, starts at their list."""
    user, roles = request.user, roles_of(request.user)
    leads = bool(roles - {Role.ANNOTATOR}) or user.may_create_campaigns or user.is_superuser
    if leads and Role.ANNOTATOR not in roles:
        return redirect("organiser-campaigns")
    context = {"tasks": task_list_of(user), "effort": effort_since(user, start_of_week()), "leads": leads}
    return render(request, "annotator/home.html", context)
