"""Two campaigns on one test set side by side: their page, its tables as CSV, its charts as files."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from django.http import Http404, HttpResponse, QueryDict

from campaigns.models import Campaign
from frontend.access import (
    READS_RESULTS,
    RUNS_IT,
    SignedInRequest,
    campaigns_beside,
    get_campaign_beside,
    has_role,
)
from frontend.campaign_pages import campaign_page, campaign_view
from frontend.charts.comparison import comparison_charts, order_finding
from frontend.charts.figure import Figure
from frontend.downloads import csv_file
from frontend.figures import drawing_file
from frontend.shown_table import ShownTable
from frontend.templatetags.numbers import decimals
from metrics.comparison import compare_campaigns
from metrics.comparison.results import Comparison
from metrics.comparison.tables import (
    FILE_NAMES,
    agreement_table,
    changed_on_page,
    comparison_tables,
    systems_table,
)
from metrics.derivations import measures_of
from metrics.results.tables import Text
from metrics.results.values import Missing

WITH = "with"


@dataclass(frozen=True)
class ComparisonPage:
    """The campaign of the page and the one it is compared with; `query` is the page's address."""

    campaign: Campaign
    other: Campaign
    query: QueryDict

    @cached_property
    def comparison(self) -> Comparison:
        return compare_campaigns(self.campaign, self.other)

    @property
    def finding(self) -> str:
        return order_finding(self.comparison)

    @property
    def without_results(self) -> list[Campaign]:
        """Those whose systems cannot be compared yet."""
        sides = ((self.campaign, self.comparison.first), (self.other, self.comparison.second))
        return [campaign for campaign, about in sides if about.missing]

    @property
    def stale(self) -> list[Campaign]:
        sides = ((self.campaign, self.comparison.first), (self.other, self.comparison.second))
        return [campaign for campaign, about in sides if about.is_stale]

    @property
    def share_of_annotators(self) -> str:
        share = self.comparison.annotators.share
        return "–" if isinstance(share, Missing) else f"{decimals(100 * share, 0)}%"

    @property
    def signatures(self) -> list[tuple[str, str]]:
        sides = (self.comparison.first, self.comparison.second)
        return [(about.name, about.signature) for about in sides if about.signature]

    @cached_property
    def charts(self) -> dict[str, Figure]:
        return comparison_charts(self.comparison, (_titles(self.campaign), _titles(self.other)))

    @property
    def tables(self) -> list[ShownTable]:
        tables = [agreement_table(self.comparison)]
        if self.comparison.systems:
            tables.append(systems_table(self.comparison))
        if self.comparison.changed:
            tables.append(changed_on_page(self.comparison))
        return [ShownTable(table, self.query) for table in tables]


def _titles(campaign: Campaign) -> Mapping[str, Text]:
    return {measure.name: measure.title for measure, _formula in measures_of(campaign)}


@campaign_view(READS_RESULTS)
def comparison(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    others = campaigns_beside(request.user, campaign)
    other = get_campaign_beside(others, request.GET.get(WITH, ""))
    context = {
        "others": others,
        "other": other,
        "page": ComparisonPage(campaign, other, request.GET) if other else None,
        "query": request.GET.urlencode(),
        "asked": request.GET,
    }
    organises = has_role(request.user, campaign, *RUNS_IT)
    return campaign_page(request, campaign, "researcher/comparison.html", "results", context, organises=organises)


@campaign_view(READS_RESULTS)
def comparison_csv(request: SignedInRequest, campaign: Campaign, table: str) -> HttpResponse:
    """One table; without another campaign there is none."""
    page = _requested(request, campaign)
    if table not in FILE_NAMES:
        raise Http404
    shown = comparison_tables(page.comparison)[table]
    return csv_file(f"{campaign.slug}-{page.other.slug}-{table}", shown.file_header, shown.file_rows())


def comparison_drawing(request: SignedInRequest, campaign: Campaign, name: str) -> HttpResponse:
    """A chart of the page as a file."""
    chart = _requested(request, campaign).charts.get(name)
    if chart is None:
        raise Http404
    return drawing_file(campaign, name, chart.plain, chart.drawing)


def _requested(request: SignedInRequest, campaign: Campaign) -> ComparisonPage:
    other = get_campaign_beside(campaigns_beside(request.user, campaign), request.GET.get(WITH, ""))
    if other is None:
        raise Http404
    return ComparisonPage(campaign, other, request.GET)
