"""Where two annotators disagree most: what a cell of the pairs leads to, with both answers side by side."""

from django.http import Http404, HttpResponse
from django.utils.http import urlencode

from annotation.protocols import protocol_for
from campaigns.models import Account, Campaign
from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest, get_annotators_of, has_role
from frontend.campaign_pages import campaign_page, campaign_view
from frontend.charts.annotator_pair import pair_figure
from frontend.downloads import csv_file
from frontend.figures import drawing_file
from metrics.pair_disagreements import (
    MOST_IN_FILE,
    MOST_SHOWN,
    PairDisagreements,
    judged_measures,
    pair_disagreements,
)

Pair = tuple[Account, Account]


@campaign_view(READS_RESULTS)
def disagreements(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    pair, result = _requested(request, campaign, most=MOST_SHOWN)
    context = {
        "pair": pair,
        "measure": result.measure,
        "protocol": protocol_for(campaign.protocol, campaign.options),
        "measures": [
            (each, "?" + urlencode({**request.GET.dict(), "measure": each.name}))
            for each, _formula in judged_measures(campaign).values()
        ],
        "result": result,
        "chart": pair_figure(result, *map(str, pair)),
        "asked": request.GET,
        "query": request.GET.urlencode(),
    }
    organises = has_role(request.user, campaign, *RUNS_IT)
    return campaign_page(request, campaign, "researcher/disagreements.html", "agreement", context, organises=organises)


@campaign_view(READS_RESULTS)
def disagreements_csv(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """One row an output, both numbers in it."""
    pair, result = _requested(request, campaign, most=MOST_IN_FILE)
    header = ("document", "segment", "system", "measure", *(account.username for account in pair), "apart")
    rows = [
        [each.document, each.segment.name if each.segment else "", " + ".join(output.systems), result.measure.name]
        + [answer.value for answer in output.answers]
        + [each.apart]
        for each in result.differences
        for output in each.outputs
    ]
    return csv_file(f"{campaign.slug}-disagreements", header, rows)


def pair_drawing(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """The scatter of the pair in the address, as a file."""
    pair, result = _requested(request, campaign, most=0)
    chart = pair_figure(result, *map(str, pair))
    if chart is None:
        raise Http404
    return drawing_file(campaign, chart.name, chart.plain, chart.drawing)


def _requested(request: SignedInRequest, campaign: Campaign, *, most: int) -> tuple[Pair, PairDisagreements]:
    pair = get_annotators_of(campaign, request.GET.get("first", ""), request.GET.get("second", ""))
    disagreements = pair_disagreements(campaign, pair, request.GET.get("measure", ""), most=most)
    if disagreements is None:
        raise Http404
    return pair, disagreements
