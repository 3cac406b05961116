"""What a reader looks for among segments, from the page's address and back into it."""

from dataclasses import fields
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign
from campaigns.queries import systems_of
from jobs.models import Run
from metrics.segments.search import Wish

SORTS = {
    "spread": _("Widest spread first"),
    "gap": _("Metrics furthest from people first"),
    "text": _("As in the texts"),
}
MOST_DOCUMENTS = 200


class WishForm(forms.Form):
    """Every field may stay empty; choices that nobody offers are told."""

    text = forms.CharField(label=_("Text"), required=False, max_length=200)
    document = forms.CharField(label=_("Document"), required=False, max_length=255)
    system = forms.ChoiceField(label=_("System"), required=False)
    domain = forms.CharField(label=_("Domain"), required=False, max_length=100)
    tag = forms.CharField(label=_("Tag"), required=False, max_length=100)
    spread = forms.FloatField(label=_("Spread from"), required=False, min_value=0)
    gap = forms.FloatField(label=_("Metrics away from"), required=False, min_value=0, max_value=100)
    reported = forms.BooleanField(label=_("With problem reports"), required=False)
    decided = forms.ChoiceField(
        label=_("Adjudicated"), required=False, choices=[("", _("Either")), ("no", _("No")), ("yes", _("Yes"))]
    )
    sort = forms.ChoiceField(label=_("Order"), required=False, choices=list(SORTS.items()))
    queue = forms.BooleanField(required=False, widget=forms.HiddenInput)
    metric = forms.ChoiceField(label=_("Metric"), required=False)

    def __init__(self, campaign: Campaign, run: Run | None, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        found = (run.result or {}) if run else {}
        systems = found.get("systems") or systems_of(campaign).order_by("name").values_list("name", flat=True)
        self._offer("system", [("", _("All")), *((name, name) for name in systems)])
        documents = campaign.test_set.documents.values_list("name", flat=True)
        self.documents = found.get("documents") or list(documents[:MOST_DOCUMENTS])
        asked = str(self.data.get("metric") or "")
        metrics = sorted({*found.get("metrics", ()), asked} - {""})
        self._offer("metric", [("", _("All together")), *((name, name) for name in metrics)])
        self.has_metrics = bool(metrics)
        for name in ("domain", "tag"):
            listed = found.get(f"{name}s")
            if run is not None:
                given = str(self.data.get(name) or "")
                names = sorted({*(listed or ()), given} - {""})
                self.fields[name].widget = forms.Select(choices=[("", _("Any")), *((one, one) for one in names)])
        for field in self.fields.values():
            if not isinstance(field, forms.BooleanField):
                field.widget.attrs["class"] = "input sm"
        for name in ("spread", "gap"):
            self.fields[name].widget.attrs |= {"inputmode": "decimal", "step": "any"}
        self.fields["document"].widget.attrs["list"] = "documents"

    def _offer(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - as it is declared above
        field.choices = choices

    @property
    def wish(self) -> Wish:
        """What is asked for and can be understood."""
        self.is_valid()
        given = {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}
        given["is_reported"] = given.pop("reported", False)
        known = {field.name for field in fields(Wish)}
        return Wish(**{name: value for name, value in given.items() if name in known})

    @property
    def narrows(self) -> bool:
        """Whether anything is asked for, beside an order."""
        kept = ("sort", "queue", "metric")
        return any(value for name, value in self.cleaned_data.items() if name not in kept)


def query_of(request: HttpRequest, **changes: Any) -> str:
    """The address's own query with some of it changed; None takes a thing out."""
    names = ("metric", *WishForm.base_fields, "segment", "output", "after", "before", "compare")
    given = {name: request.GET.get(name, "") for name in dict.fromkeys(names)}
    return urlencode({name: value for name, value in (given | changes).items() if value not in (None, "")})
