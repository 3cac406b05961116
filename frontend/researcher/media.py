"""Files beside the texts of a campaign, for who runs it or reads its results."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase

from campaigns.models import Campaign
from frontend.access import READS_RESULTS, SignedInRequest, get_medium_of
from frontend.campaign_pages import campaign_view
from frontend.media_files import captions_response, medium_response


@campaign_view(READS_RESULTS)
def medium(request: SignedInRequest, campaign: Campaign, file_hash: str) -> HttpResponseBase:
    return medium_response(request, get_medium_of(campaign, file_hash))


@campaign_view(READS_RESULTS)
def captions(_request: SignedInRequest, campaign: Campaign, file_hash: str) -> HttpResponse:
    return captions_response(get_medium_of(campaign, file_hash))
