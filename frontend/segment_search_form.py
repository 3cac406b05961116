"""Filters and order of the list of segments, from a page's address or the API."""

from collections.abc import Callable, Iterable
from dataclasses import fields
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign
from jobs.models import Run
from metrics.automatic import metric_title
from metrics.flagged_outputs import TITLES
from metrics.segments.search import SearchRequest, search_choices

SORTS = {
    "spread": _("Largest spread first"),
    "gap": _("Largest metric gap first"),
    "text": _("Document order"),
}


USUAL = ("text", "document", "system", "spread", "sort")  # fields on the line; the others are under "More"
MORE = ("domain", "tag", "flag", "gap", "metric", "decided", "reported")
OF_METRICS = ("gap", "metric")


class SegmentSearchForm(forms.Form):
    """Every field may be empty; unknown choices are reported."""

    text = forms.CharField(label=_("Text"), required=False, max_length=200)
    document = forms.CharField(label=_("Document"), required=False, max_length=255)
    system = forms.ChoiceField(label=_("System"), required=False)
    domain = forms.CharField(label=_("Domain"), required=False, max_length=100)
    tag = forms.CharField(label=_("Tag"), required=False, max_length=100)
    flag = forms.ChoiceField(label=_("Flag"), required=False, choices=[("", _("Any")), *TITLES.items()])
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
        self._offer("metric", _("All metrics together"), metrics, metric_title)
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

    def _offer(
        self, name: str, nothing: Any, values: Iterable[str], title: Callable[[str], str] = lambda value: value
    ) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - as it is declared above
        field.choices = [("", nothing), *((each, title(each)) for each in values)]

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
    def usual_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in USUAL]

    @property
    def more_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in MORE if self.has_metrics or name not in OF_METRICS]

    @property
    def more_set(self) -> int:
        """How many of the folded filters are set."""
        return sum(1 for name, _label, _value in self.chips if name in MORE)

    @property
    def more_is_open(self) -> bool:
        """An error must not be folded away."""
        return any(name in self.errors for name in MORE)

    @property
    def chips(self) -> list[tuple[str, str, str]]:
        """Each filter that is set: its name, its label, and its value in words (none where the label says it all)."""
        self.is_valid()
        entered = {name: self.cleaned_data.get(name) for name in (*USUAL, *MORE) if name != "sort"}
        return [
            (name, str(self.fields[name].label), self._in_words(name, value))
            for name, value in entered.items()
            if value not in (None, "", False)
        ]

    def _in_words(self, name: str, value: Any) -> str:
        field = self.fields[name]
        if isinstance(field, forms.BooleanField):
            return ""
        if isinstance(field, forms.ChoiceField):
            choices: Any = field.choices
            titles = {str(each): str(title) for each, title in choices}
            return titles.get(str(value), str(value))
        return number_format(Decimal(f"{value:g}")) if isinstance(value, float) else str(value)
