"""Where two annotators disagree most: what a cell of the pairs leads to, with both answers side by side."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from campaigns.models import Account, Campaign, Segment
from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest, get_annotators_of, get_campaign_for, has_role
from frontend.downloads import csv_file
from metrics.pair_disagreements import (
    MOST_IN_FILE,
    MOST_SHOWN,
    PairDisagreements,
    judged_measures,
    pair_disagreements,
)

Pair = tuple[Account, Account]


@login_required
@require_safe
def disagreements(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign, pair, result = _requested(request, slug, most=MOST_SHOWN)
    rows = [(each, _segment_address(campaign, each.segment)) for each in result.differences]
    context = {
        "campaign": campaign,
        "tab": "agreement",
        "organises": has_role(request.user, campaign, *RUNS_IT),
        "pair": pair,
        "measure": result.measure,
        "measures": [
            (each, "?" + urlencode({**request.GET.dict(), "measure": each.name}))
            for each, _formula in judged_measures(campaign).values()
        ],
        "result": result,
        "rows": rows,
        "query": request.GET.urlencode(),
    }
    return render(request, "researcher/disagreements.html", context)


@login_required
@require_safe
def disagreements_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    """One row an output, both numbers in it."""
    _campaign, pair, result = _requested(request, slug, most=MOST_IN_FILE)
    header = ("document", "segment", "system", "measure", *(account.username for account in pair), "apart")
    rows = [
        [each.document, each.segment.name if each.segment else "", " + ".join(output.systems), result.measure.name]
        + [answer.value for answer in output.answers]
        + [each.apart]
        for each in result.differences
        for output in each.outputs
    ]
    return csv_file(f"{slug}-disagreements", header, rows)


def _requested(request: SignedInRequest, slug: str, *, most: int) -> tuple[Campaign, Pair, PairDisagreements]:
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    pair = get_annotators_of(campaign, request.GET.get("first", ""), request.GET.get("second", ""))
    disagreements = pair_disagreements(campaign, pair, request.GET.get("measure", ""), most=most)
    if disagreements is None:
        raise Http404
    return campaign, pair, disagreements


def _segment_address(campaign: Campaign, segment: Segment | None) -> str:
    """The page with all judgments of the segment."""
    if segment is None:
        return ""
    return f"{reverse('researcher-segments', args=[campaign.slug])}?{urlencode({'segment': segment.pk})}"
