"""Files beside the texts that an annotator was served, and beside their practice."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase

from frontend.access import SignedInRequest, get_practice_medium_for, get_served_medium_for
from frontend.campaign_pages import READ, signed_in
from frontend.media_files import captions_response, medium_response


@signed_in(READ)
def medium(request: SignedInRequest, pk: int, file_hash: str) -> HttpResponseBase:
    return medium_response(request, get_served_medium_for(request.user, pk, file_hash))


@signed_in(READ)
def captions(request: SignedInRequest, pk: int, file_hash: str) -> HttpResponse:
    return captions_response(get_served_medium_for(request.user, pk, file_hash))


@signed_in(READ)
def practice_medium(request: SignedInRequest, slug: str, file_hash: str) -> HttpResponseBase:
    return medium_response(request, get_practice_medium_for(request.user, slug, file_hash))


@signed_in(READ)
def practice_captions(request: SignedInRequest, slug: str, file_hash: str) -> HttpResponse:
    return captions_response(get_practice_medium_for(request.user, slug, file_hash))
