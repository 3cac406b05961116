"""Where two annotators disagree most: what a cell of the pairs leads to, with both answers side by side."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import NoReverseMatch, reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from annotation.protocols.base import Measure
from campaigns.models import Account, Campaign, Segment
from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest, get_annotator_of, get_campaign_for, has_role
from frontend.csv_file import csv_file
from metrics.derivations import measures_of
from metrics.pair_disagreements import PairDisagreements, pair_disagreements

MOST_SHOWN = 50
MOST_IN_FILE = 5_000


@login_required
@require_safe
def disagreements(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    pair, measure, found = _found(request, campaign, most=MOST_SHOWN)
    rows = [(each, _segment_address(campaign, each.segment)) for each in found.differences]
    context = {
        "campaign": campaign,
        "tab": "agreement",
        "organises": has_role(request.user, campaign, *RUNS_IT),
        "pair": pair,
        "measure": measure,
        "measures": [
            (each, "?" + urlencode({**request.GET.dict(), "measure": each.name})) for each in _judged_in(campaign)
        ],
        "found": found,
        "rows": rows,
        "query": request.GET.urlencode(),
    }
    return render(request, "researcher/disagreements.html", context)


@login_required
@require_safe
def disagreements_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    """One row an output, both numbers in it."""
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    pair, measure, found = _found(request, campaign, most=MOST_IN_FILE)
    header = ("document", "segment", "system", "measure", *(account.username for account in pair), "apart")
    rows = [
        [each.document, each.segment.name if each.segment else "", " + ".join(output.systems), measure.name]
        + [answer.value for answer in output.answers]
        + [each.apart]
        for each in found.differences
        for output in each.outputs
    ]
    return csv_file(f"{slug}-disagreements", header, rows)


def _found(
    request: SignedInRequest, campaign: Campaign, *, most: int
) -> tuple[tuple[Account, Account], Measure, PairDisagreements]:
    first, second, measure = (request.GET.get(name, "") for name in ("first", "second", "measure"))
    return disagreements_of(campaign, first, second, measure, most=most)


def disagreements_of(
    campaign: Campaign, first: str, second: str, measure_name: str, *, most: int
) -> tuple[tuple[Account, Account], Measure, PairDisagreements]:
    """Two different annotators of the campaign and a measure that somebody judges, or nothing is found."""
    if first == second:
        raise Http404
    pair = get_annotator_of(campaign, first), get_annotator_of(campaign, second)
    known = {measure.name: (measure, by) for measure, by in measures_of(campaign) if not measure.is_count}
    name = measure_name or next(iter(known))
    if name not in known:
        raise Http404
    measure, by = known[name]
    return pair, measure, pair_disagreements(campaign, measure, by, pair, most=most)


def _judged_in(campaign: Campaign) -> list[Measure]:
    return [measure for measure, _formula in measures_of(campaign) if not measure.is_count]


def _segment_address(campaign: Campaign, segment: Segment | None) -> str:
    """Where all judgments of the segment stand side by side."""
    if segment is None:
        return ""
    try:
        page: Any = reverse("researcher-segments", args=[campaign.slug])
    except NoReverseMatch:
        return ""
    return f"{page}?{urlencode({'segment': segment.pk})}"
