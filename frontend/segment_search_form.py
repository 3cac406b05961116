"""Filters and order of the list of segments, from a page's address or the API."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign
from jobs.models import Run
from metrics.segments.search import SearchRequest, search_choices

SORTS = {
    "spread": _("Largest spread first"),
    "gap": _("Largest metric gap first"),
    "text": _("Document order"),
}


class SegmentSearchForm(forms.Form):
    """Every field may be empty; unknown choices are reported."""

    text = forms.CharField(label=_("Text"), required=False, max_length=200)
    document = forms.CharField(label=_("Document"), required=False, max_length=255)
    system = forms.ChoiceField(label=_("System"), required=False)
    domain = forms.CharField(label=_("Domain"), required=False, max_length=100)
    tag = forms.CharField(label=_("Tag"), required=False, max_length=100)
    spread = forms.FloatField(label=_("Minimum spread"), required=False, min_value=0)
    gap = forms.FloatField(label=_("Minimum metric gap"), required=False, min_value=0, max_value=100)
    reported = forms.BooleanField(label=_("With problem reports"), required=False)
    decided = forms.ChoiceField(
        label=_("Adjudicated"), required=False, choices=[("", _("Either")), ("no", _("No")), ("yes", _("Yes"))]
    )
    sort = forms.ChoiceField(label=_("Order"), required=False, choices=list(SORTS.items()))
    queue = forms.BooleanField(required=False, widget=forms.HiddenInput)
    metric = forms.ChoiceField(label=_("Metric"), required=False)

    def __init__(self, campaign: Campaign, run: Run | None, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        choices = search_choices(campaign, run)
        self._offer("system", _("All"), choices.systems)
        self.documents, self.tags = choices.documents, choices.tags
        metrics = self._with_entered("metric", choices.metrics)
        self._offer("metric", _("All metrics together"), metrics)
        self.has_metrics = bool(metrics)
        for name, values in (("domain", choices.domains), ("tag", choices.tags)) if run is not None else ():
            entered = self._with_entered(name, values)
            self.fields[name].widget = forms.Select(choices=[("", _("Any")), *((each, each) for each in entered)])
        for field in self.fields.values():
            if not isinstance(field, forms.BooleanField):
                field.widget.attrs["class"] = "input sm"
        for name in ("spread", "gap"):
            self.fields[name].widget.attrs |= {"inputmode": "decimal", "step": "any"}
        self.fields["document"].widget.attrs["list"] = "documents"

    def _offer(self, name: str, nothing: Any, values: Iterable[str]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - as it is declared above
        field.choices = [("", nothing), *((each, each) for each in values)]

    def _with_entered(self, name: str, values: Iterable[str]) -> list[str]:
        """The entry stays on the page even if it is not a choice."""
        return sorted({*values, str(self.data.get(name) or "")} - {""})

    @property
    def search_request(self) -> SearchRequest:
        """The valid part of the search."""
        self.is_valid()
        entered = {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}
        entered["is_reported"] = entered.pop("reported", False)
        known = {field.name for field in fields(SearchRequest)}
        return SearchRequest(**{name: value for name, value in entered.items() if name in known})

    @property
    def narrows(self) -> bool:
        """Whether there is any filter besides an order."""
        apart = ("sort", "queue", "metric")
        return any(value for name, value in self.cleaned_data.items() if name not in apart)
