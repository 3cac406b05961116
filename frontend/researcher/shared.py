"""Results for holders of a link to them: read-only. Annotators are numbers here."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaigns.models import Campaign, Document, Segment, ShareLink
from campaigns.queries import open_share_link
from exchange.tables.papers import paper_tables_of_run
from frontend.researcher.result_rows import Results, results_of
from frontend.run_pages import PageRuns
from metrics.analyses.ranking import RankedMeasures
from metrics.pseudonyms import People, people_of

Level = TypeVar("Level", bound=RankedMeasures)
View = Callable[[HttpRequest, ShareLink], HttpResponse]


def _by_link(view: View) -> Callable[..., HttpResponse]:
    """The share behind the link, or 404; nobody can see whether a link ended or never existed."""

    @wraps(view)
    def opened(request: HttpRequest, secret: str) -> HttpResponse:
        link = open_share_link(secret)
        if link is None:
            raise Http404
        response = view(request, link)
        # the address is the key: no search engine and no other host may have it
        response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
        response["Referrer-Policy"] = "no-referrer"
        return response

    return require_safe(opened)


@_by_link
def shared_results(request: HttpRequest, link: ShareLink) -> HttpResponse:
    runs = PageRuns(link.campaign, {"recipe": None, "analyses": None, "options": {}, **link.choice})
    context = _context(request, link) | nameless_results(runs, request.GET, numbered(link))
    return render(request, "researcher/shared.html", context)


def nameless_results(runs: PageRuns, query: QueryDict, people: People) -> dict[str, Any]:
    """What the page shows of the results, with other names for `people`."""
    results = results_of(runs, query)
    agreement = (table for table in paper_tables_of_run(runs, "agreement") if table.name == "agreement")
    return {
        "results": _nameless(results, people) if results else None,
        "agreement": next(agreement, None),
        "done": runs.done,
        "where": people.in_filter(runs.recipe.where),
        "printed_recipe": runs.printed_recipe,
        "plain_title": _("Results"),
    }


@_by_link
def shared_texts(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """The texts, one document after another, if the share shows them."""
    if not link.shows_texts:
        raise Http404
    page = documents_of(link.campaign).get_page(request.GET.get("page"))
    return render(request, "researcher/shared_texts.html", _context(request, link) | texts_on(page, link.campaign))


def documents_of(campaign: Campaign) -> "Paginator[Document]":
    """A page for each."""
    return Paginator(Document.objects.filter(test_set=campaign.test_set_id).order_by("position"), 1)


def texts_on(page: "Page[Document]", campaign: Campaign) -> dict[str, Any]:
    document = page.object_list[0] if page.object_list else None
    systems = set(campaign.systems.values_list("pk", flat=True))
    segments = Segment.objects.filter(document=document).order_by("position")
    rows = [
        {
            "segment": segment,
            "references": [(reference.name, reference.text) for reference in segment.references.all()],
            "translations": sorted(
                (each.system.name, each.text) for each in segment.translations.all() if each.system_id in systems
            ),
        }
        for segment in segments.prefetch_related("references", "translations__system")
    ]
    return {"page": page, "document": document, "rows": rows}


def _nameless(results: Results, people: People) -> Results:
    """The signature contains the annotators excluded on trial."""
    ranking = _without_names(results.ranking, people)
    if ranking.documents is not None:
        ranking = replace(ranking, documents=_without_names(ranking.documents, people))
    ranking = replace(ranking, filter=None)  # a number of an annotator is not for everybody
    return replace(results, ranking=ranking, signature=people.in_text(results.signature), shows_annotators=False)


def numbered(link: ShareLink) -> People:
    """Annotators as numbers, the same each time the link is opened, in an order only the link's key decides."""
    named = people_of(link.campaign, pseudonymised=False).names.values()

    def place(name: str) -> str:
        return hashlib.sha256(f"{link.secret_hash}:{name}".encode()).hexdigest()

    ordered = sorted(named, key=place)
    return People({}, {}, {name: _("annotator %(number)d") % {"number": n} for n, name in enumerate(ordered, 1)})


def _without_names(ranked: Level, people: People) -> Level:
    return replace(ranked, without_z=tuple(people.in_json(list(ranked.without_z))))


def _context(request: HttpRequest, link: ShareLink) -> dict[str, Any]:
    base = request.path.removesuffix("texts/")
    return {"campaign": link.campaign, "link": link, "results_path": base, "texts_path": f"{base}texts/"}
