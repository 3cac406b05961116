"""Guidelines and practice items for annotators before they begin."""

import json
import tempfile
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.actions.practising import set_practice
from annotation.campaign_spec import parameters_in
from annotation.models import PracticeItem
from annotation.queries.practice import practice_by_annotator, practice_rows, protocol_of
from campaigns.actions.forgetting import choose_on_withdrawal
from campaigns.actions.memberships import change_texts
from campaigns.models import Campaign
from campaigns.queries import may_choose_on_withdrawal
from campaigns.reading.problems import Problem
from exchange.formats.practice_lines import practice_example, read_practice
from exchange.reading import ImportFileError
from frontend.access import RUNS_IT, SignedInRequest
from frontend.campaign_pages import FORM, campaign_page, campaign_view
from frontend.downloads import csv_file
from frontend.organiser.spec_fields import parameter_field

ROWS = {"guidelines": 16, "consent": 6}


class TextsForm(forms.Form):
    """The texts for annotators, among the fields of a new campaign."""

    def __init__(self, campaign: Campaign, data: Any = None) -> None:
        shown = [each for each in parameters_in("form", of_plan=False) if each.name in (*ROWS, "on_withdrawal")]
        super().__init__(data, initial={each.name: getattr(campaign, each.name) for each in shown})
        self.fields.update({each.name: parameter_field(each) for each in shown})
        for name, rows in ROWS.items():
            self.fields[name].widget.attrs["rows"] = rows
        self.fields["on_withdrawal"].disabled = not may_choose_on_withdrawal(campaign)


@campaign_view(RUNS_IT, FORM)
def guidelines(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    form = TextsForm(campaign, request.POST or None)
    if request.method == "POST" and form.is_valid() and "preview" not in request.POST:
        chosen = form.cleaned_data.pop("on_withdrawal") or campaign.on_withdrawal
        choose_on_withdrawal(campaign=campaign, on_withdrawal=chosen, by=request.user)
        change_texts(campaign=campaign, **form.cleaned_data, by=request.user)
        messages.success(request, _("Saved. Annotators see it from now on."))
        return redirect("organiser-guidelines", campaign.slug)
    shown = form.cleaned_data if form.is_bound and form.is_valid() else form.initial
    return campaign_page(request, campaign, "organiser/guidelines.html", "guidelines", {"form": form, "shown": shown})


MOST_BYTES = 2_000_000


class PracticeForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("File of practice items (JSON lines)"),
        help_text=gettext_lazy(
            "It replaces the current items. Annotators who have passed do not need to practise again."
        ),
    )
    pass_mark = forms.IntegerField(
        label=gettext_lazy("Pass mark (% of first answers)"),
        min_value=0,
        max_value=100,
        required=False,
        help_text=gettext_lazy("Leave empty to make practice optional."),
    )
    attempts = forms.IntegerField(label=gettext_lazy("Attempts"), min_value=1, max_value=100, initial=3)

    def clean_file(self) -> "UploadedFile[bytes]":
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        if file.size is not None and file.size > MOST_BYTES:
            raise forms.ValidationError(_("A file of practice items has at most 2 MB."))
        return file


@campaign_view(RUNS_IT, FORM)
def practice(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    if request.method != "POST":
        mark = campaign.pass_mark
        settings = {"pass_mark": None if mark is None else round(mark * 100), "attempts": campaign.practice_attempts}
        return _practice_page(request, campaign, PracticeForm(initial=settings))
    form = PracticeForm(request.POST, request.FILES)
    if not form.is_valid():
        return _practice_page(request, campaign, form)
    mark, attempts = form.cleaned_data["pass_mark"], form.cleaned_data["attempts"]
    try:
        items = _read(form.cleaned_data["file"], campaign)
    except ImportFileError as error:
        return _practice_page(request, campaign, form, problems=error.problems.listed)
    pass_mark = None if mark is None else mark / 100
    set_practice(campaign=campaign, items=items, pass_mark=pass_mark, attempts=attempts, by=request.user)
    message = ngettext(
        "Annotators now practise on %(count)d item.", "Annotators now practise on %(count)d items.", len(items)
    )
    messages.success(request, message % {"count": len(items)})
    return redirect("organiser-practice", campaign.slug)


@campaign_view(RUNS_IT)
def practice_csv(_request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """First answers of every attempt, what was skipped, and the first try that was right."""
    columns = ["annotator", "attempt", "item", "screen", "right", "skipped", "tries", "right_at_try", "submitted"]
    return csv_file(f"{campaign.slug}-practice", columns, map(astuple, practice_rows(campaign)))


def _read(file: "UploadedFile[bytes]", campaign: Campaign) -> list[PracticeItem]:
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as stored:
        for chunk in file.chunks():
            stored.write(chunk)
        stored.flush()
        return read_practice(Path(stored.name), file.name or "", protocol_of(campaign), campaign.test_set)


def _practice_page(
    request: SignedInRequest, campaign: Campaign, form: PracticeForm, problems: Sequence[Problem] = ()
) -> HttpResponse:
    context = {
        "form": form,
        "problems": problems,
        "example": json.dumps(practice_example(protocol_of(campaign)), ensure_ascii=False),
        "items": campaign.practice_items.select_related("document", "segment").order_by("position"),
        "annotators": practice_by_annotator(campaign),
    }
    status = 422 if problems else 200
    return campaign_page(request, campaign, "organiser/practice.html", "practice", context, status=status)
