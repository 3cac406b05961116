"""All campaigns of an organiser or researcher; one is rebuilt from an archive, which a run reads."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols.base import Text
from campaigns.models import Campaign, CampaignStatus, Role
from campaigns.queries import campaigns_of
from exchange.upload_folders import forget_old_folders
from frontend.access import SignedInRequest
from frontend.campaign_pages import FORM, READ, signed_in
from frontend.filters import CampaignFilter
from frontend.organiser.campaign_lines import SHOWN, CampaignLine, lines_and_looks
from frontend.organiser.housekeeping import deleted_lines
from frontend.organiser.new_campaign import own_run
from frontend.sorting import lines_on_page
from frontend.uploads import UploadError, store_upload
from jobs.actions import queue_run
from jobs.models import RunStatus

# The views of the list, by the `state` in its address.
CURRENT, COLLECTING, FINISHED, ARCHIVE = "", "collecting", "finished", "archive"
VIEWS: Mapping[str, tuple[Text, Callable[[CampaignLine], bool]]] = {
    CURRENT: (gettext_lazy("Current"), lambda line: not line.is_archived),
    COLLECTING: (gettext_lazy("Collecting"), lambda line: line.is_collecting),
    FINISHED: (gettext_lazy("Finished"), lambda line: line.is_finished and not line.is_archived),
    ARCHIVE: (gettext_lazy("Archive"), lambda line: line.is_archived),
}


@dataclass(frozen=True)
class ListView:
    """One of the links over the list; `count` is of all campaigns, whatever is searched for."""

    name: str
    title: Text
    count: int
    is_shown: bool


@signed_in(READ)
def campaign_list(request: SignedInRequest) -> HttpResponse:
    campaigns = campaigns_of(request.user, Role.ORGANISER, Role.RESEARCHER)
    organised = campaigns_of(request.user, Role.ORGANISER).filter(pk=OuterRef("pk"))
    every = list(campaigns.select_related("test_set").annotate(is_organised=Exists(organised)))
    state = request.GET.get("state", CURRENT)
    state = state if state in VIEWS else CURRENT
    current = [each for each in every if each.archived_at is None]
    watched = [each for each in current if each.is_organised and each.status == CampaignStatus.OPEN]
    lines, looks = lines_and_looks(every if state == ARCHIVE else current, watched)
    counts = {name: sum(map(belongs, lines)) for name, (_title, belongs) in VIEWS.items()}
    counts[ARCHIVE] = len(every) - len(current)
    filtered = CampaignFilter(request.GET, queryset=campaigns)
    fitting = _fitting(every, filtered)
    context = {
        **_on_a_page([line for line in lines if line.campaign.pk in fitting and VIEWS[state][1](line)], request.GET),
        "looks": looks[:SHOWN],
        "more_looks": looks[SHOWN:],
        "looks_count": len(looks),
        "any_at_all": bool(every),
        "has_projects": any(each.project for each in every),
        "filter": filtered,
        "is_narrowed": _is_narrowed(filtered),
        "state": state,
        "views": [ListView(name, VIEWS[name][0], counts[name], is_shown=name == state) for name in VIEWS],
        "drafts": request.user.campaign_drafts.order_by("-updated_at"),
        "deleted": deleted_lines(request),
    }
    return render(request, "organiser/campaign_list.html", context)


def _on_a_page(lines: Sequence[CampaignLine], query: QueryDict) -> dict[str, Any]:
    values: dict[str, Callable[[CampaignLine], Any]] = {
        "name": lambda line: line.campaign.name.casefold(),
        "state": lambda line: str(line.campaign.get_status_display()),
        "judgments": lambda line: line.share,
        "end": lambda line: line.overview.expectation.middle,
        "last": lambda line: line.last_judgment,
    }
    shown = lines_on_page(lines, values, query, "all", down_first=["last"])
    return {**shown, "lines": list(shown["page"])}


def _fitting(campaigns: Sequence[Campaign], filtered: CampaignFilter) -> Collection[int]:
    """The keys of those that the filter leaves; without one the database is not asked again."""
    if not _is_narrowed(filtered):
        return {each.pk for each in campaigns}
    return set(filtered.qs.values_list("pk", flat=True))


def _is_narrowed(filtered: CampaignFilter) -> bool:
    return any(filtered.data.get(name) for name in filtered.filters)


REBUILDING = "rebuilding"


class RebuildForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name of the campaign"), max_length=150)
    archive = forms.FileField(label=gettext_lazy("Archive"), widget=forms.FileInput(attrs={"accept": ".zip"}))


@signed_in(FORM)
def rebuild(request: SignedInRequest) -> HttpResponse:
    if not request.user.may_create_campaigns:
        raise PermissionDenied
    form = RebuildForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        forget_old_folders()
        try:
            upload, files = store_upload([form.cleaned_data["archive"]])
        except UploadError as error:
            form.add_error("archive", str(error))
        else:
            arguments = {"upload": str(upload), "files": files, "name": form.cleaned_data["name"]}
            run = queue_run(kind=REBUILDING, arguments=arguments, created_by=request.user)
            return redirect("organiser-rebuilding", pk=run.pk)
    return render(request, "organiser/rebuild.html", {"form": form}, status=422 if form.errors else 200)


@signed_in(READ)
def rebuilding(request: SignedInRequest, pk: int) -> HttpResponse:
    """How far the run is; where it ended, the campaign, or the form with everything that is wrong."""
    run = own_run(request, pk, REBUILDING)
    if run.status == RunStatus.DONE and run.result:
        return redirect("organiser-overview", slug=run.result["campaign"])
    if run.status in (RunStatus.FAILED, RunStatus.CANCELLED):
        form = RebuildForm(initial={"name": run.arguments["name"]})
        return render(request, "organiser/rebuild.html", {"form": form, "problems": run.error.splitlines()})
    context = {"run": run, "title": _("Rebuilding the campaign"), "crumb": _("Rebuild")}
    return render(request, "organiser/creation.html", context | {"state_address": f"{request.path}state/"})
