"""How far the languages of these pages are: what is untranslated, and whether a native speaker has signed."""

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import render

from frontend.access import SignedInRequest
from frontend.campaign_pages import READ, signed_in
from frontend.downloads import csv_file
from frontend.words.catalogues import LanguageState, languages, state_of

SHOWN = 200  # of what is untranslated; the CSV has all


@signed_in(READ)
def languages_page(request: SignedInRequest) -> HttpResponse:
    """`?of=es` lists what is untranslated in one language."""
    states = [state_of(language) for language in languages()]
    chosen = _chosen(states, request.GET["of"]) if "of" in request.GET else None
    context = {"states": states, "chosen": chosen, "shown": chosen.untranslated[:SHOWN] if chosen else ()}
    return render(request, "people/languages.html", context)


@signed_in(READ)
def untranslated_csv(request: SignedInRequest, language: str) -> HttpResponse:  # noqa: ARG001 - for anybody signed in
    chosen = _chosen([state_of(each) for each in languages()], language)
    rows = ((text, " ".join(places)) for text, places in chosen.untranslated)
    return csv_file(f"assay-untranslated-{language}", ("english", "files"), rows)


def _chosen(states: list[LanguageState], language: str) -> LanguageState:
    for state in states:
        if state.language == language:
            return state
    raise Http404


def is_draft(language: str) -> bool:
    """Whether its pages were translated and nobody who grew up with the language has signed them.

    >>> is_draft("en")
    False
    """
    return language != settings.LANGUAGE_CODE and language not in settings.LANGUAGES_REVIEWED_BY
