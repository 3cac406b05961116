"""The flags of a campaign's outputs: how many each system has, and each one with its segment."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.protocols import protocol_for
from campaigns.models import Account, Campaign
from campaigns.site_address import site_address
from exchange.formats.flags_csv import COLUMNS, flag_rows
from exchange.tables.csv_and_json import csv_pieces
from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest, has_role
from frontend.campaign_pages import campaign_page, campaign_view
from frontend.downloads import CSV_TYPE, attachment
from frontend.flag_form import FlagForm
from frontend.run_pages import PageRuns
from frontend.sorting import Sorted, SortKey, changed, unknown_order
from jobs.models import Run
from metrics.flag_runs import flag_runs, is_outdated, newest_flags, refresh_flags, request_flags
from metrics.flagged_outputs import TITLES, counts_by_system, flagged_outputs, in_words
from metrics.models import OutputFlag

ON_A_PAGE = 50
_ORDERS: Mapping[str, tuple[str, ...]] = {
    "segment": ("pk",),
    "system": ("translation__system__name", "pk"),
    "flag": ("name", "pk"),
}


@dataclass(frozen=True)
class FlagRuns(PageRuns):
    """Those of the test set, whichever of its campaigns asked for them."""

    kind: ClassVar[str] = "flags"
    routes: ClassVar[Mapping[str, str]] = {
        "page": "researcher-flags",
        "state": "researcher-flags-state",
        "compute": "researcher-flags-compute",
        "refresh": "researcher-flags-refresh",
        "cancel": "researcher-flags-cancel",
    }

    @property
    def query(self) -> str:
        return ""

    @property
    def printed_recipe(self) -> str:
        return ""

    @cached_property
    def _last_two(self) -> list[Run]:
        return list(flag_runs(self.campaign.test_set)[:2])

    @cached_property
    def done(self) -> Run | None:
        return newest_flags(self.campaign.test_set)

    @cached_property
    def is_stale(self) -> bool:
        return self.done is not None and is_outdated(self.done)

    def queue(self, by: Account) -> None:
        request_flags(self.campaign.test_set, by)

    def refresh(self) -> bool:
        return refresh_flags(self.campaign.test_set) is not None or self.is_pending

    def as_context(self) -> dict[str, Any]:
        return super().as_context() | {"stale_words": _("Outputs have been added since; they are looked through soon.")}


def flags_of_campaign(_request: HttpRequest, campaign: Campaign) -> FlagRuns:
    return FlagRuns(campaign, {})


@campaign_view(READS_RESULTS)
def flags(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    runs, form = flags_of_campaign(request, campaign), FlagForm(campaign, request.GET)
    order = Sorted([], {name: SortKey(lambda row: row[0]) for name in _ORDERS}, request.GET, "flags", usual="segment")
    page = Paginator(_rows(campaign, runs, form, order), ON_A_PAGE).get_page(request.GET.get("page"))
    context = runs.as_context() | {
        "form": form,
        "headings": order.headings,
        "unknown_order": unknown_order([order], request.GET),
        "page": page,
        "rows": [(row, TITLES[row.name], in_words(row)) for row in page],
        "is_narrowed": any(vars(form.choice).values()),
        "titles": TITLES,
        "counts": _counts(request, campaign, runs),
        "is_language_known": not runs.done or (runs.done.result or {}).get("is_language_known", True),
        "can_be_decided": bool(protocol_for(campaign.protocol, campaign.options).decided_fields),
        "csv_query": changed(request.GET, page=""),
        "paged_query": changed(request.GET, page=""),
    }
    organises = has_role(request.user, campaign, *RUNS_IT)
    return campaign_page(request, campaign, "researcher/flags.html", "segments", context, organises=organises)


@campaign_view(READS_RESULTS)
def flags_csv(request: SignedInRequest, campaign: Campaign) -> HttpResponseBase:
    """All that are chosen in the address, written while they are read."""
    runs, form = flags_of_campaign(request, campaign), FlagForm(campaign, request.GET)
    rows = flagged_outputs(campaign, runs.done, form.choice) if runs.done else OutputFlag.objects.none()
    page = f"{site_address(reverse('researcher-segments', args=[campaign.slug]))}?segment="
    pieces = csv_pieces(COLUMNS, flag_rows(rows, page, runs.signature))
    return StreamingHttpResponse(pieces, content_type=CSV_TYPE, headers=attachment(f"{campaign.slug}-flags.csv"))


def _rows(campaign: Campaign, runs: FlagRuns, form: FlagForm, order: Sorted) -> QuerySet[OutputFlag]:
    if runs.done is None:
        return OutputFlag.objects.none()
    rows = flagged_outputs(campaign, runs.done, form.choice)
    first, *others = _ORDERS[order.current.removeprefix("-")]
    return rows.order_by(f"-{first}" if order.current.startswith("-") else first, *others)


def _counts(request: HttpRequest, campaign: Campaign, runs: FlagRuns) -> list[tuple[str, list[tuple[int, str]], int]]:
    """Of each system the number of each flag with the query that lists them, and their sum."""
    if runs.done is None:
        return []
    return [
        (
            name,
            [
                (number, changed(request.GET, system=name, flag=flag, document="", page=""))
                for flag, number in own.items()
            ],
            sum(own.values()),
        )
        for name, own in counts_by_system(campaign, runs.done).items()
    ]
