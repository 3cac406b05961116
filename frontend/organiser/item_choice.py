"""The page of a test set on which segments are chosen for a budget, before anybody is paid."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.item_choice import ALL, BY_SCORES, METHODS, UNITS, WHOLES, ItemRequest, item_chooser
from annotation.protocols import PROTOCOLS
from campaigns.invalid_input import InvalidInput
from campaigns.models import Segment, TestSet, Translation
from campaigns.queries import systems_of
from exchange.cells import safe_name
from frontend.access import SignedInRequest, get_own_test_set_for
from frontend.campaign_pages import READ, signed_in
from frontend.charts.expected import expected_figure
from frontend.downloads import csv_file
from metrics.item_choice import ItemTable
from metrics.item_expectation import curve_of, curve_table, items_table, selection_of
from metrics.results.tables import Table
from metrics.scoring.reading import metrics_with_scores

MOST_OUTPUTS = {"diversity-chrf": 4_000}  # more would take longer than a page may
MOST_OUTPUTS_OTHERWISE = 60_000
SHARE = 5  # of the segments that the page begins with: one fifth


class ItemChoiceForm(forms.Form):
    """In the page's address; without a budget it begins with a fifth of the segments."""

    method = forms.ChoiceField(
        label=gettext_lazy("What chooses"), choices=[(name, words) for name, words in METHODS.items() if name != ALL]
    )
    metric = forms.ChoiceField(label=gettext_lazy("Metric"), required=False)
    budget = forms.IntegerField(label=gettext_lazy("Budget"), min_value=1, max_value=100_000_000)
    unit = forms.ChoiceField(label=gettext_lazy("Unit of the budget"), choices=list(UNITS.items()))
    of = forms.ChoiceField(label=gettext_lazy("What is chosen"), choices=list(WHOLES.items()))
    protocol = forms.ChoiceField(
        label=gettext_lazy("Protocol, for seconds"), choices=[(name, each.title) for name, each in PROTOCOLS.items()]
    )


@dataclass(frozen=True)
class _Page:
    """Nothing is computed until somebody chose a method."""

    test_set: TestSet
    form: ItemChoiceForm
    is_asked: bool

    @cached_property
    def problems(self) -> list[str]:
        """Everything that keeps the page from choosing what was asked for."""
        if not self.is_asked:
            return []
        if not self.form.is_valid():
            return [
                f"{self.form[name].label}: {error}" for name, errors in self.form.errors.items() for error in errors
            ]
        problems = list(item_chooser().problems(self.request).values())
        return problems or ([_too_large(self.test_set, self.request)] if self._is_too_large else [])

    @property
    def _is_too_large(self) -> bool:
        most = MOST_OUTPUTS.get(self.request.method, MOST_OUTPUTS_OTHERWISE)
        return Translation.objects.filter(segment__document__test_set=self.test_set).count() > most

    @cached_property
    def request(self) -> ItemRequest:
        cleaned = self.form.cleaned_data
        protocol = PROTOCOLS[cleaned["protocol"]]
        return ItemRequest(
            test_set=self.test_set,
            method=cleaned["method"],
            budget=cleaned["budget"],
            unit=cleaned["unit"],
            whole=cleaned["of"],
            metric=cleaned["metric"],
            systems=tuple(systems_of(self.test_set).order_by("name").values_list("name", flat=True)),
            seconds_per_output=protocol.seconds_per_item,
            needs_questions=protocol.asks_questions,
        )

    @cached_property
    def table(self) -> ItemTable:
        return ItemTable(self.request)

    @property
    def query(self) -> str:
        return urlencode(self.form.data)

    def context(self) -> dict[str, Any]:
        """With the choice and its curve where nothing is wrong."""
        context = {"test_set": self.test_set, "form": self.form, "query": self.query, "problems": self.problems}
        if self.problems or not self.is_asked:
            return context
        try:
            selection = selection_of(self.table)
        except InvalidInput as error:
            return context | {"problems": [str(error)]}
        curve = curve_of(self.table)
        return context | {
            "selection": selection,
            "chosen": selection.expected.segments,
            "documents": selection.expected.documents,
            "all": len(selection.segments),
            "is_biased": selection.method != "random",
            "figure": expected_figure(curve, selection.budget, str(UNITS[selection.unit])),
            "new_campaign": self._new_campaign,
        }

    @property
    def _new_campaign(self) -> str:
        cleaned = self.form.cleaned_data
        fields = {
            "texts": self.test_set.slug,
            "protocol": cleaned["protocol"],
            "selection": cleaned["method"],
            "selection_metric": cleaned["metric"] if cleaned["method"] in BY_SCORES else "",
            "selection_budget": cleaned["budget"],
            "selection_unit": cleaned["unit"],
            "selection_of": cleaned["of"],
        }
        return f"{resolve_url('organiser-new')}?{urlencode(fields)}"


@signed_in(READ)
def item_choice(request: SignedInRequest, slug: str) -> HttpResponse:
    page = _page(request, get_own_test_set_for(request.user, slug))
    return render(request, "organiser/item_choice.html", page.context(), status=422 if page.problems else 200)


@signed_in(READ)
def items_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    """The chosen and the other segments; only the heading row where nothing can be chosen."""
    page = _page(request, get_own_test_set_for(request.user, slug))
    return _csv(
        f"{safe_name(slug)}-items", lambda: items_table(selection_of(page.table).segments), items_table(()), page
    )


@signed_in(READ)
def expected_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    """What to expect of other budgets."""
    page = _page(request, get_own_test_set_for(request.user, slug))
    return _csv(f"{safe_name(slug)}-expected", lambda: curve_table(curve_of(page.table)), curve_table(()), page)


def _csv(name: str, made: Callable[[], Table], empty: Table, page: _Page) -> HttpResponse:
    try:
        table = made() if page.is_asked and not page.problems else empty
    except InvalidInput:
        table = empty
    return csv_file(name, table.file_header, table.file_rows())


def _page(request: HttpRequest, test_set: TestSet) -> _Page:
    """The form of an address without a method begins with the first metric, or with what the outputs share."""
    known = metrics_with_scores(test_set)
    segments = Segment.objects.filter(document__test_set=test_set).count()
    usual = {
        "method": "variance" if known else "diversity-unigram",
        "metric": known[0] if known else "",
        "budget": str(max(1, segments // SHARE)),
        "unit": "segments",
        "of": "documents",
        "protocol": "esa",
    }
    sent = {name: request.GET[name] for name in usual if name in request.GET}
    form = ItemChoiceForm({**usual, **sent})
    form.fields["metric"].choices = [("", "–"), *((name, name) for name in known)]  # type: ignore[attr-defined]
    return _Page(test_set, form, is_asked="method" in request.GET)


def _too_large(test_set: TestSet, request: ItemRequest) -> str:
    words = _("This test set is too large to choose while you wait. On the server: %(command)s")
    command = f"./assay manage choose_items {test_set.slug} --method {request.method} --budget {request.budget}"
    return words % {"command": f"{command} --metric {request.metric}" if request.metric else command}
