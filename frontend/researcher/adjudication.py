"""Deciding the answer for an output in place of its annotators, and undoing that; both lead back to its segment."""

import re
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils.translation import gettext as _

from annotation.actions.decisions import adjudicate, undo_adjudication
from annotation.models import ErrorSpan, Judgment
from annotation.protocols import protocol_for
from annotation.queries.adjudications import entered_for, spans_as_entered
from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign, Translation
from frontend.access import SignedInRequest, get_adjudication_of, get_campaign_to_adjudicate, get_output_of, key_in
from frontend.campaign_pages import POST, ErrorsShown, signed_in
from frontend.researcher.segment_page import query_of, segments_page

OWN = "own"
SPANS = "spans"


@signed_in(POST)
def decide(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Shows refused entries again, with the reasons beside the fields."""
    campaign = get_campaign_to_adjudicate(request.user, slug)
    output = get_output_of(campaign, pk)
    chosen = _chosen_judgment(request, campaign, output)
    try:
        adjudicate(
            campaign=campaign,
            translation=output,
            answered=entered_for(chosen, output) if chosen else _entered(request, campaign, output),
            reason=request.POST.get("reason", ""),
            by=request.user,
            based_on=chosen,
            instead_of=key_in(request.POST.get("instead_of", "")),
        )
    except InvalidInput as error:
        return segments_page(request, campaign, refused={output.pk: error.errors}, segment=output.segment)
    messages.success(request, _("Decision saved. Annotators’ answers are unchanged."))
    return _back(request, slug, output)


@signed_in(POST)
def undo(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    campaign = get_campaign_to_adjudicate(request.user, slug)
    adjudication = get_adjudication_of(campaign, pk)
    with ErrorsShown(request):
        undo_adjudication(adjudication=adjudication, by=request.user)
        messages.success(request, _("Decision undone. Annotators’ own answers count again."))
    return _back(request, slug, adjudication.translation)


def _chosen_judgment(request: HttpRequest, campaign: Campaign, output: Translation) -> Judgment | None:
    """The annotator's answer that was chosen whole, of those on this segment."""
    key = key_in(request.POST.get("answer", ""))
    own = Judgment.objects.filter(item__assignment__campaign=campaign, item__segment=output.segment_id)
    return own.filter(pk=key).first() if key is not None else None


def _entered(request: HttpRequest, campaign: Campaign, output: Translation) -> Mapping[str, Any]:
    """The entries: numbers, and ticked errors among those annotators marked."""
    fields = protocol_for(campaign.protocol, campaign.options).decided_fields
    if SPANS in fields and request.POST.get("answer") != OWN:
        return {}
    entered: dict[str, Any] = {
        name: _as_number(request.POST.get(name, "")) for name in fields if name != SPANS and name in request.POST
    }
    if SPANS in fields:
        keys = [key for key in map(key_in, request.POST.getlist("span")) if key is not None]
        spans = ErrorSpan.objects.filter(
            pk__in=keys, translation__segment=output.segment_id, judgment__item__assignment__campaign=campaign
        )
        entered[SPANS] = spans_as_entered(list(spans.order_by("start", "end", "pk")))
    return {name: value for name, value in entered.items() if value is not None}


def _as_number(text: str) -> int | str | None:
    """A whole number; anything else as it came, for the protocol to refuse."""
    entered = text.strip()
    return int(entered) if re.fullmatch(r"-?\d{1,18}", entered) else entered or None


def _back(request: HttpRequest, slug: str, output: Translation) -> HttpResponse:
    page = resolve_url("researcher-segments", slug=slug)
    query = query_of(request, segment=output.segment_id)
    return redirect(f"{page}?{query}#output-{output.pk}")
