"""Tags of a segment, given and taken back on its page."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, resolve_url
from django.views.decorators.http import require_POST

from campaigns.actions import tag_segment, untag_segment
from campaigns.invalid_input import InvalidInput
from campaigns.models import Segment
from frontend.access import READS_RESULTS, SignedInRequest, get_campaign_for, get_segment_of
from frontend.researcher.segment_page import query_of


@login_required
@require_POST
def add_tag(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    return _changed(request, slug, pk, tag_segment)


@login_required
@require_POST
def remove_tag(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    return _changed(request, slug, pk, untag_segment)


def _changed(request: SignedInRequest, slug: str, pk: int, change: Callable[..., Segment]) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    segment = get_segment_of(campaign, pk)
    try:
        change(segment=segment, tag=request.POST.get("tag", ""), campaign=campaign, by=request.user)
    except InvalidInput as error:
        messages.error(request, str(error))
    page = resolve_url("researcher-segments", slug=slug)
    return redirect(f"{page}?{query_of(request, segment=segment.pk)}#tags")
