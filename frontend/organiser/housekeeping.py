"""A campaign as a whole, renamed, archived, deleted, restored; and the list of test sets, with the same."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from annotation.actions.housekeeping import (
    KEPT_DAYS,
    archive_campaign,
    delete_campaign,
    delete_test_set,
    has_judgments,
    may_delete,
    name_before_deletion,
    rename_campaign,
    rename_test_set,
    restore_campaign,
    set_deadline,
    set_project,
)
from annotation.campaign_spec import PARAMETERS
from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign, TestSet
from campaigns.queries import deleted_campaigns_of, projects_of, test_sets_of
from frontend.access import HIGHEST_KEY, RUNS_IT, SignedInRequest, get_own_test_set_for
from frontend.campaign_pages import FORM, POST, READ, campaign_page, campaign_view, signed_in


@campaign_view(RUNS_IT, FORM)
def manage(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """Rename, put into a project, set a last day, archive, delete: each a form of its own, named by `act`."""
    acts: dict[str, Callable[[], HttpResponse]] = {
        "rename": lambda: _renamed(request, campaign),
        "project": lambda: _put_into_project(request, campaign),
        "deadline": lambda: _deadline_set(request, campaign),
        "archive": lambda: _archived(request, campaign, is_archived=True),
        "unarchive": lambda: _archived(request, campaign, is_archived=False),
        "delete": lambda: _deleted(request, campaign),
    }
    act, errors = request.POST.get("act", ""), {}
    if request.method == "POST" and act in acts:
        try:
            return acts[act]()
        except InvalidInput as error:
            errors = {act: str(error)}
    context = {
        "errors": errors,
        "typed": request.POST.get("name", ""),
        "typed_day": request.POST.get("finish_by", ""),
        "typed_project": request.POST.get("project", ""),
        "project_limit": PARAMETERS["project"].high,
        "projects": projects_of(request.user),
        "has_judgments": has_judgments(campaign),
        "may_delete": may_delete(campaign, request.user),
        "kept_days": KEPT_DAYS,
    }
    status = 422 if errors else 200
    return campaign_page(request, campaign, "organiser/manage.html", "overview", context, status=status)


def _renamed(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    rename_campaign(campaign=campaign, name=request.POST.get("name", ""), by=request.user)
    messages.success(request, _("The campaign is now called %(name)s.") % {"name": campaign.name})
    return redirect("organiser-overview", campaign.slug)


def _put_into_project(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    set_project(campaign=campaign, project=request.POST.get("project", ""), by=request.user)
    if campaign.project:
        messages.success(request, _("The campaign belongs to the project %(name)s.") % {"name": campaign.project})
        return redirect("organiser-project", campaign.project)
    messages.success(request, _("The campaign belongs to no project."))
    return redirect("organiser-overview", campaign.slug)


def _deadline_set(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    entered = request.POST.get("finish_by", "").strip()
    try:
        day = date.fromisoformat(entered) if entered else None
    except ValueError as error:
        raise InvalidInput.of("finish_by", _("Enter a day as 2027-03-31.")) from error
    set_deadline(campaign=campaign, day=day, by=request.user)
    messages.success(request, _("The last day is stored.") if day else _("The campaign has no last day."))
    return redirect("organiser-overview", campaign.slug)


def _archived(request: SignedInRequest, campaign: Campaign, *, is_archived: bool) -> HttpResponse:
    archive_campaign(campaign=campaign, is_archived=is_archived, by=request.user)
    words = _("%(name)s is archived.") if is_archived else _("%(name)s is in the list again.")
    messages.success(request, words % {"name": campaign.name})
    return redirect("organiser-campaigns")


def _deleted(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    name = campaign.name
    delete_campaign(campaign=campaign, typed_name=request.POST.get("name", ""), by=request.user)
    messages.success(request, _("%(name)s is deleted. You can restore it below.") % {"name": name})
    return redirect("organiser-campaigns")


def deleted_lines(request: SignedInRequest) -> list[dict[str, Any]]:
    """For the list: what can still be restored, and until when."""
    return [
        {"pk": each.pk, "name": name_before_deletion(each), "until": each.deleted_at + timedelta(days=KEPT_DAYS)}
        for each in deleted_campaigns_of(request.user)
        if each.deleted_at
    ]


@signed_in(POST)
def restore(request: SignedInRequest, pk: int) -> HttpResponse:
    campaign = get_object_or_404(deleted_campaigns_of(request.user), pk=min(pk, HIGHEST_KEY))
    restore_campaign(campaign=campaign, by=request.user)
    messages.success(request, _("%(name)s is restored.") % {"name": campaign.name})
    return redirect("organiser-campaigns")


@signed_in(READ)
def test_sets(request: SignedInRequest) -> HttpResponse:
    shown = test_sets_of(request.user).order_by("name").annotate(uses=Count("campaigns", distinct=True))
    lines = [(each, each.created_by_id == request.user.pk or request.user.is_superuser) for each in shown]
    return render(request, "organiser/test_sets.html", {"lines": lines})


@signed_in(FORM)
def change_test_set(request: SignedInRequest, slug: str) -> HttpResponse:
    """Renames it; with `act=delete` deletes it. Without a form sent: to the list, where it is."""
    if request.method != "POST":
        get_own_test_set_for(request.user, slug)
        return redirect("organiser-test-sets")
    test_set = get_own_test_set_for(request.user, slug)
    try:
        _change(request, test_set)
    except InvalidInput as error:
        messages.error(request, str(error))
    return redirect("organiser-test-sets")


def _change(request: SignedInRequest, test_set: TestSet) -> None:
    if request.POST.get("act") == "delete":
        delete_test_set(test_set=test_set, by=request.user)
        messages.success(request, _("The test set %(name)s is deleted.") % {"name": test_set.name})
    else:
        rename_test_set(test_set=test_set, name=request.POST.get("name", ""), by=request.user)
        messages.success(request, _("The test set is now called %(name)s.") % {"name": test_set.name})
