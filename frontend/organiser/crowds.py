"""One link for a crowd: its settings, the texts to copy into a site of crowd work, and who came by it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.queries.crowd import CrowdRow, crowd_rows
from campaigns.actions.crowds import MOST_PLACES, CrowdSpec, renew_crowd_link, set_crowd
from campaigns.crowd_labels import CODE, PARTICIPANT, label_names
from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign, Crowd
from campaigns.queries import crowd_of
from campaigns.site_address import site_address
from frontend.access import RUNS_IT, SignedInRequest
from frontend.campaign_pages import FORM, campaign_page, campaign_view, show_by_field
from frontend.downloads import csv_file

MOST_SHOWN = 200
LINKS = (
    ("Prolific", "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"),
    ("Mechanical Turk", ""),  # it adds workerId, assignmentId and hitId by itself
    (gettext_lazy("Any other site"), "?participant=…"),
)


class CrowdForm(forms.Form):
    is_open = forms.BooleanField(label=gettext_lazy("People may join"), required=False)
    places = forms.IntegerField(
        label=gettext_lazy("Places"),
        help_text=gettext_lazy("How many people may join. Who is screened out, withdraws or is removed frees a place."),
        min_value=1,
        max_value=MOST_PLACES,
    )
    counted_label = forms.CharField(
        label=gettext_lazy("Places for each value of this label"),
        help_text=gettext_lazy("For example study. Optional."),
        max_length=40,
        required=False,
    )
    places_each = forms.IntegerField(
        label=gettext_lazy("Places for each value"), min_value=1, max_value=MOST_PLACES, required=False
    )
    needs_participant = forms.BooleanField(
        label=gettext_lazy("A participant ID in the link is required"),
        help_text=gettext_lazy("Without an ID nobody can tell whether somebody joins twice."),
        required=False,
    )
    parameters = forms.CharField(
        label=gettext_lazy("Your own names in the link"),
        help_text=gettext_lazy(
            "One on each line: the name in the link, = and the label, as in pid = participant. A name alone is its own "
            "label. Names of Prolific and Mechanical Turk are known."
        ),
        required=False,
        max_length=2_000,
        widget=forms.Textarea({"rows": "3", "dir": "ltr", "spellcheck": "false"}),
    )
    completed_address = forms.CharField(
        label=gettext_lazy("Return address: completed"), required=False, widget=forms.TextInput({"dir": "ltr"})
    )
    screened_out_address = forms.CharField(
        label=gettext_lazy("Return address: screened out"),
        help_text=gettext_lazy("For people who do not pass the practice."),
        required=False,
        widget=forms.TextInput({"dir": "ltr"}),
    )
    full_address = forms.CharField(
        label=gettext_lazy("Return address: no place left"), required=False, widget=forms.TextInput({"dir": "ltr"})
    )

    def spec(self) -> CrowdSpec:
        values = {**self.cleaned_data}
        lines = (line.partition("=") for line in values["parameters"].splitlines() if line.strip())
        values["parameters"] = {name.strip(): label.strip() or name.strip() for name, _equals, label in lines}
        return CrowdSpec(**values)

    @staticmethod
    def initial_of(spec: CrowdSpec) -> dict[str, Any]:
        lines = "\n".join(f"{name} = {label}" for name, label in spec.parameters.items())
        return {**{name: getattr(spec, name) for name in spec.__dataclass_fields__}, "parameters": lines}


@campaign_view(RUNS_IT, FORM)
def crowd(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    own = crowd_of(campaign)
    form = CrowdForm(request.POST or None, initial=CrowdForm.initial_of(CrowdSpec.of(own) if own else CrowdSpec()))
    if request.method == "POST":
        if request.POST.get("act") == "renew":
            if own:
                renew_crowd_link(crowd=own, by=request.user)
                messages.success(request, _("The link is new. The old one lets nobody in any more."))
            return redirect("organiser-crowd", campaign.slug)
        if form.is_valid() and _store(campaign, form, request):
            return redirect("organiser-crowd", campaign.slug)
    return campaign_page(request, campaign, "organiser/crowd.html", "people", {"form": form, **_context(own)})


def _store(campaign: Campaign, form: CrowdForm, request: SignedInRequest) -> bool:
    try:
        set_crowd(campaign=campaign, spec=form.spec(), by=request.user)
    except InvalidInput as error:
        show_by_field(form, error)
        return False
    messages.success(request, _("Stored."))
    return True


def _context(own: Crowd | None) -> dict[str, Any]:
    names = [name for name in label_names(own.parameters if own else {}) if name != PARTICIPANT]
    rows = crowd_rows(own, MOST_SHOWN + 1) if own else []
    address = site_address(f"/join/{own.key}/") if own else ""
    return {
        "crowd": own,
        "links": [(name, address + query) for name, query in LINKS] if own else [],
        "names": names,
        "rows": [(row, [row.labels.get(name, "") for name in names]) for row in rows[:MOST_SHOWN]],
        "has_more": len(rows) > MOST_SHOWN,
        "known": ", ".join(f"{{{name}}}" for name in (PARTICIPANT, *names, CODE)),
    }


@campaign_view(RUNS_IT)
def people_csv(_request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """With the participants' own IDs: for the organiser, who tells the site who finished."""
    own = crowd_of(campaign)
    names = [name for name in label_names(own.parameters if own else {}) if name != PARTICIPANT]
    columns = ["annotator", PARTICIPANT, *names, "state", "codes", "joined"]
    rows = (_cells(row, names) for row in (crowd_rows(own) if own else []))
    return csv_file(f"{campaign.slug}-crowd", columns, rows)


def _cells(row: CrowdRow, names: list[str]) -> list[str]:
    labels = [row.labels.get(name, "") for name in names]
    joined = row.place.joined_at.isoformat(timespec="seconds")
    return [row.account.username, row.place.participant, *labels, row.outcome.value, " ".join(row.codes), joined]
