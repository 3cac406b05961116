"""The page of segments: the list of those looked for, and the one that is looked at, in full."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from annotation.models import PROBLEM_REASONS, OrganiserNote
from annotation.protocols import protocol_for
from campaigns.actions.tags import own_tags
from campaigns.models import Campaign, Segment
from campaigns.site_address import site_address
from frontend.access import HIGHEST_KEY, SignedInRequest, get_segment_of, key_in, rights_in
from frontend.campaign_pages import campaign_page
from frontend.researcher.shown_outputs import OutputsShown
from frontend.run_pages import PageRuns
from frontend.segment_search_form import SegmentSearchForm
from metrics.queries import newest_part
from metrics.recipes import recipe_for
from metrics.segments.judged import compared_measures
from metrics.segments.search import COUNTED_TO, Page, Search, SegmentRow
from metrics.segments.sheet import SegmentSheet, document_scores, segment_sheet


@dataclass(frozen=True)
class DisagreementRuns(PageRuns):
    """`search` is the query of the list of segments."""

    search: str = ""
    kind: ClassVar[str] = "disagreement"
    routes: ClassVar[Mapping[str, str]] = {
        "page": "researcher-segments",
        "state": "researcher-segments-state",
        "compute": "researcher-segments-compute",
        "refresh": "researcher-segments-refresh",
        "cancel": "researcher-segments-cancel",
    }

    @property
    def printed_recipe(self) -> str:
        """Where people differ is looked for in one way only."""
        return ""

    @property
    def query(self) -> str:
        metric = self.arguments["metric"]
        return urlencode({"metric": metric}) if metric else ""

    @property
    def page_with_query(self) -> str:
        return f"{self.page}?{self.search}" if self.search else self.page


def disagreement_runs(request: HttpRequest, campaign: Campaign) -> DisagreementRuns:
    metric = request.GET.get("metric", "").replace("\x00", "")  # a database would refuse to look for it
    search = query_of(request, after=None, before=None)
    return DisagreementRuns(campaign, {"metric": metric or None}, search=search)


def segments_page(
    request: SignedInRequest,
    campaign: Campaign,
    *,
    refused: Mapping[int, Mapping[str, Sequence[str]]] | None = None,
    segment: Segment | None = None,
) -> HttpResponse:
    """`refused` are the errors of a decision by its output, which is of `segment`."""
    organises, adjudicates = rights_in(request.user, campaign)
    runs = disagreement_runs(request, campaign)
    form = SegmentSearchForm(campaign, runs.done, request.GET)
    search = Search(campaign, form.search_request, runs.done)
    key = segment.pk if segment else _chosen(request)
    page, row = _page_and_row(request, search, key)
    chosen = row.segment if row else segment
    if chosen is None and key is not None:
        chosen = get_segment_of(campaign, key)
    counts = search.counts(upto=page.rows[-1].place if page.rows else None)
    can_be_decided = bool(protocol_for(campaign.protocol, campaign.options).decided_fields)
    context = runs.as_context() | {
        "adjudicates": adjudicates,
        "form": form,
        "known_tags": form.tags,
        "searched": search.request,
        "counts": counts,
        "counted_to": COUNTED_TO,
        "chips": _chips(request, form, can_be_decided=can_be_decided),
        "unfiltered_query": "queue=on" if search.request.queue else "",
        "is_chosen": bool(request.GET.get("segment")) or segment is not None,
        "is_among": row is not None,
        "single_keys": request.user.single_keys,
        "is_of_documents": any(measure.level == "document" for measure, _by in compared_measures(campaign)),
        "can_be_decided": can_be_decided,
    }
    context |= _ways(request, search, page, row)
    if chosen is not None:
        sheet = segment_sheet(campaign, chosen, runs.done)
        context |= _sheet_context(request, campaign, sheet, row, refused or {})
        context["own_note"] = (
            OrganiserNote.objects.filter(campaign=campaign, segment=chosen).select_related("written_by").first()
            if organises
            else None
        )
    template, status = "researcher/segments.html", 422 if refused else 200
    return campaign_page(request, campaign, template, "segments", context, organises=organises, status=status)


def _chips(request: HttpRequest, form: SegmentSearchForm, *, can_be_decided: bool) -> list[tuple[str, str, str]]:
    """Label and value of each filter that is set, with the query without it."""
    here = {"segment": None, "output": None, "after": None, "before": None}
    hidden = () if can_be_decided and not form.search_request.queue else ("decided",)
    return [
        (label, value, query_of(request, **here | {name: None}))
        for name, label, value in form.chips
        if name not in hidden
    ]


def _ways(request: HttpRequest, search: Search, page: Page, row: SegmentRow | None) -> dict[str, Any]:
    """The page's links: rows of the list, the rows before and after, other pages, the list as a file."""
    rows, plain = page.rows, {"segment": None, "output": None, "after": None, "before": None}
    here = {"after": rows[0].place - 1 if rows else None, "before": None}
    before, after = _neighbours(search, page, row)
    return {
        "rows": [(each, _row_query(request, each, **here), each is row) for each in rows],
        "before": _row_query(request, before, **(here if before in rows else _ending_with(before))) if before else "",
        "after": _row_query(request, after, **(here if after in rows else _beginning_with(after))) if after else "",
        "earlier": query_of(request, **plain | {"before": rows[0].place}) if rows and page.has_before else "",
        "later": query_of(request, **plain | {"after": rows[-1].place}) if rows and page.has_after else "",
        "list_query": query_of(request, segment=None, output=None),
        "csv_query": query_of(request, **plain, compare=None),
        "queue_query": query_of(request, **plain, queue="on"),
        "explore_query": query_of(request, **plain, queue=None),
    }


def _ending_with(row: SegmentRow) -> dict[str, int | None]:
    return {"before": row.place + 1, "after": None}


def _beginning_with(row: SegmentRow) -> dict[str, int | None]:
    return {"after": row.place - 1, "before": None}


def _chosen(request: HttpRequest) -> int | None:
    text = request.GET.get("segment", "")
    return (key_in(text) or HIGHEST_KEY) if text else None


def _page_and_row(request: HttpRequest, search: Search, chosen: int | None) -> tuple[Page, SegmentRow | None]:
    """The requested page of the list; else the one that begins with the chosen segment, else the first."""
    after, before, output = (key_in(request.GET.get(name, "")) for name in ("after", "before", "output"))
    if after is None and before is None and chosen is not None:
        page = search.page_from(chosen, output)
        first = page.rows[0] if page.rows else None
        return page, first if first and _is(first, chosen, output) else None
    page = search.page(after=after, before=before)
    if chosen is None:
        return page, page.rows[0] if page.rows else None
    row = next((each for each in page.rows if _is(each, chosen, output)), None)
    return page, row or search.row_of(chosen, output)


def _is(row: SegmentRow, segment: int, output: int | None) -> bool:
    return row.segment.pk == segment and (output is None or row.system is None or row.system.pk == output)


def _neighbours(search: Search, page: Page, row: SegmentRow | None) -> tuple[SegmentRow | None, SegmentRow | None]:
    """From this page if the row is on it; else one query each."""
    if row is None:
        return None, page.rows[0] if page.rows else None
    rows = list(page.rows)
    place = rows.index(row) if row in rows else None
    if place is None:
        return search.neighbour(row.place, forward=False), search.neighbour(row.place, forward=True)
    before = rows[place - 1] if place else page.row_before
    if place + 1 < len(rows):
        return before, rows[place + 1]
    if page.row_after is None and page.has_after:
        return before, search.neighbour(row.place, forward=True)
    return before, page.row_after


def _row_query(request: HttpRequest, row: SegmentRow, **place: int | None) -> str:
    """With the place of the list's page, so that the list stays where it is."""
    output = row.system.pk if row.system and request.GET.get("queue") else None
    return query_of(request, segment=row.segment.pk, output=output, **place)


def _sheet_context(
    request: SignedInRequest,
    campaign: Campaign,
    sheet: SegmentSheet,
    row: SegmentRow | None,
    refused: Mapping[int, Mapping[str, Sequence[str]]],
) -> dict[str, Any]:
    own = reverse("researcher-segments", args=[campaign.slug])
    looked_for = row.system.name if row and row.system else None
    shown = OutputsShown(campaign, sheet, _compared_with(request, sheet), looked_for, _scales(campaign))
    return {
        "sheet": sheet,
        "document_scores": document_scores(campaign, sheet),
        "segment": sheet.segment,
        "address": site_address(f"{own}?segment={sheet.segment.pk}"),
        "shown": shown,
        "outputs": [
            shown.shown(output, refused.get(output.translation.pk, {}), request.POST) for output in sheet.outputs
        ],
        "compare": request.GET.get("compare", ""),
        "own_tags": own_tags(sheet.segment, campaign) if sheet.segment.tags else set(),
        "bases": _bases(sheet),
        "reports": [(report, PROBLEM_REASONS.get(report.reason, report.reason)) for report in sheet.reports],
    }


def _scales(campaign: Campaign) -> dict[str, tuple[float, float]]:
    """Mean and deviation by annotator from the newest results; empty for recipes without z-scores."""
    usual: dict[str, Any] = {"recipe": None, "analyses": None, "options": {}}
    if recipe_for(campaign.protocol).normalisation == "none":
        return {}
    part = newest_part(campaign, "annotators", usual)
    annotators = part.result if part else ()
    return {each["annotator"]: (each["mean"], each["deviation"]) for each in annotators if each["deviation"]}


def _bases(sheet: SegmentSheet) -> list[tuple[str, str]]:
    """The texts to compare outputs with: references, and each other."""
    references = [
        (f"reference:{each.name}", _("Reference %(name)s") % {"name": each.name}) for each in sheet.references
    ]
    known = [output for output in sheet.outputs if output.translation.text is not None]
    return [*references, *((f"system:{output.systems[0]}", ", ".join(output.systems)) for output in known)]


def _compared_with(request: HttpRequest, sheet: SegmentSheet) -> str | None:
    kind, _colon, name = request.GET.get("compare", "").partition(":")
    if kind == "reference":
        return next((each.text for each in sheet.references if each.name == name), None)
    return next(
        (output.translation.text for output in sheet.outputs if kind == "system" and name in output.systems), None
    )


def query_of(request: HttpRequest, **changes: Any) -> str:
    """The address's own query with some of it changed; None takes a thing out."""
    names = ("metric", *SegmentSearchForm.base_fields, "segment", "output", "after", "before", "compare")
    chosen = {name: request.GET.get(name, "") for name in dict.fromkeys(names)}
    return urlencode({name: value for name, value in (chosen | changes).items() if value not in (None, "")})
