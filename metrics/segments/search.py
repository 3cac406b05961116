"""The search for segments, in an order, page by page; every page costs the same."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Cast, Coalesce

from annotation.models import Adjudication, ProblemReport
from annotation.queries.adjudications import current_adjudications
from campaigns.models import Campaign, Document, Reference, Segment, System, Translation
from campaigns.queries import systems_of
from jobs.models import Run, RunStatus
from metrics.flag_runs import flag_runs
from metrics.models import Disagreement, OutputFlag

ON_A_PAGE = 20
COUNTED_TO = 1_000
MOST_DOCUMENTS = 200
SORTS = {"spread": "by_spread", "gap": "by_gap", "text": "by_text"}
_LONGEST_DOCUMENT = 1_000_000
_ROWS_AT_ONCE = 1_000


@dataclass(frozen=True)
class SearchRequest:
    """The conditions of a search; empty texts and None are not conditions.

    `spread` and `gap` (of 100) are the least that a segment must have. `decided` is "yes" or "no". In the `queue`,
    outputs are listed rather than segments: those on which judgments differ and nobody has decided.
    """

    text: str = ""
    document: str = ""
    system: str = ""
    domain: str = ""
    tag: str = ""
    spread: float | None = None
    gap: float | None = None
    is_reported: bool = False
    decided: str = ""
    flag: str = ""
    sort: str = "spread"
    queue: bool = False


@dataclass(frozen=True)
class SegmentRow:
    """One row of the list. `place` orders it; without a run the spread is unknown, and `judgments` is None."""

    place: int
    segment: Segment
    system: System | None = None
    judgments: int | None = None
    spread: float | None = None
    gap: float | None = None

    @property
    def percent_apart(self) -> int:
        """How far apart metrics and people place it, in either direction, out of 100 places."""
        return round(100 * abs(self.gap or 0))


@dataclass(frozen=True)
class SearchChoices:
    """The choices of the search form; without a run no domains, tags and metrics."""

    systems: Sequence[str]
    documents: Sequence[str]
    domains: Sequence[str] = ()
    tags: Sequence[str] = ()
    metrics: Sequence[str] = ()


def search_choices(campaign: Campaign, run: Run | None) -> SearchChoices:
    listed = (run.result or {}) if run else {}
    systems = listed.get("systems") or systems_of(campaign).order_by("name").values_list("name", flat=True)
    documents = listed.get("documents") or campaign.test_set.documents.values_list("name", flat=True)[:MOST_DOCUMENTS]
    others = {name: listed.get(name) or () for name in ("domains", "tags", "metrics")}
    return SearchChoices(list(systems), list(documents), **others)


@dataclass(frozen=True)
class Page:
    """`row_before` and `row_after` are those around the page, if the same query reads them."""

    rows: Sequence[SegmentRow]
    has_before: bool
    has_after: bool
    row_before: SegmentRow | None = None
    row_after: SegmentRow | None = None


class Counts(NamedTuple):
    """`matches` and `shown`, those up to the last row on the page, stop one above `COUNTED_TO`: more than that."""

    matches: int
    decided: int
    shown: int


class _HowMany(Subquery):
    """The number of rows, also of a query with a limit."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) AS counted)"
    output_field = IntegerField()


@dataclass(frozen=True)
class Search:
    """A request in a campaign, on the rows of a run `disagreement`; without a run, on the texts only."""

    campaign: Campaign
    request: SearchRequest
    run: Run | None

    def page_from(self, segment: int, output: int | None = None) -> Page:
        """The rows from a segment on, in the queue from one of its outputs; all rows if there is no match."""
        return self._page_from(Coalesce(Subquery(self._of(segment, output).order_by("place").values("place")[:1]), 1))

    def page(self, *, after: int | None = None, before: int | None = None, size: int | None = None) -> Page:
        """The rows after a place, or before one; without `size` as many as a page has; one query."""
        size = size or ON_A_PAGE
        if before is not None:
            rows = self._rows(self._matches.filter(place__lt=before).order_by("-place")[: size + 1])
            further = rows[size] if len(rows) > size else None
            return Page(rows[:size][::-1], has_before=further is not None, has_after=True, row_before=further)
        return self._page_from(Value((after or 0) + 1), size)

    def _page_from(self, start: Value | Coalesce, size: int = ON_A_PAGE) -> Page:
        """The rows from a place on; the query begins with the row before it."""
        earlier = self._matches.filter(place__lt=start).order_by("-place").values("place")[:1]
        wanted = self._matches.alias(begins=start).annotate(is_earlier=Q(place__lt=F("begins")))
        found = list(wanted.filter(place__gte=Coalesce(Subquery(earlier), start)).order_by("place")[: size + 2])
        before = self._as_row(found.pop(0)) if found and found[0].is_earlier else None
        rows = self._rows(found[: size + 1])
        after = rows[size] if len(rows) > size else None
        return Page(rows[:size], before is not None, after is not None, before, after)

    def counts(self, *, upto: int | None = None) -> Counts:
        """In one query, each at most one more than `COUNTED_TO`; `upto` is the place of the last row that is shown."""
        matches = self._matches.order_by().values("pk")
        shown = matches.filter(place__lte=upto or 0)
        decided = current_adjudications(self.campaign).values("pk")
        counts = Campaign.objects.values_list(
            _HowMany(matches[: COUNTED_TO + 1]), _HowMany(decided), _HowMany(shown[: COUNTED_TO + 1])
        )
        return Counts(*counts.get(pk=self.campaign.pk))

    def row_of(self, segment: int, output: int | None = None) -> SegmentRow | None:
        """The matching row of a segment; in the queue that of its output by a system, or of its first output."""
        rows = self._rows(self._of(segment, output).order_by("place")[:1])
        return rows[0] if rows else None

    def _of(self, segment: int, output: int | None) -> QuerySet[Any]:
        own = self._matches.filter(**{"pk" if self.run is None else "segment": segment})
        return own.filter(system=output) if output is not None and self.request.queue else own

    def neighbour(self, place: int, *, forward: bool) -> SegmentRow | None:
        """The row before or after a place."""
        page = self.page(after=place, size=1) if forward else self.page(before=place, size=1)
        return page.rows[0] if page.rows else None

    def all(self) -> Iterator[SegmentRow]:
        """Every row in order, streamed."""
        for row in self._matches.order_by("place").iterator(_ROWS_AT_ONCE):
            yield self._as_row(row)

    @cached_property
    def _matches(self) -> QuerySet[Any]:
        if self.run is None:
            own = Segment.objects.filter(document__test_set=self.campaign.test_set_id).select_related("document")
            in_order = F("document__position") * _LONGEST_DOCUMENT + F("position") + 1
            return own.annotate(place=in_order).filter(self._of_texts("", "pk"))
        rows = Disagreement.objects.filter(run=self.run).select_related("segment__document", "system")
        rows = rows.filter(system__isnull=not (self.request.queue or self.request.system))
        if self.request.system:
            rows = rows.filter(system__name=self.request.system)
        placed = rows.annotate(place=F(SORTS.get(self.request.sort, "by_spread")))
        return placed.filter(self._of_texts("segment__", "segment") & self._of_numbers() & self._of_decisions())

    def _of_texts(self, way: str, segment: str) -> Q:
        request, conditions = self.request, Q()
        if request.document:
            conditions &= Q(**{f"{way}document__in": self._documents()})
        if request.domain:
            own = Q(**{f"{way}domain": request.domain})
            conditions &= own | Q(**{f"{way}domain": "", f"{way}document__domain": request.domain})
        if request.tag:
            conditions &= Q(**{f"{segment}__in": _tagged(self.campaign, request.tag)})
        if request.flag:
            conditions &= Q(**{f"{segment}__in": self._flagged()})
        if request.is_reported:
            reports = ProblemReport.objects.filter(item__assignment__campaign=self.campaign)
            conditions &= Q(**{f"{segment}__in": reports.values("item__segment")})
        if request.text:
            conditions &= self._saying(request.text, way, segment)
        return conditions

    def _flagged(self) -> QuerySet[Any]:
        """Segments of which any output has the flag, or that of the system whose outputs are listed."""
        newest = flag_runs(self.campaign.test_set).filter(status=RunStatus.DONE).values("pk")[:1]
        own = self.campaign.systems.all()
        if self.request.system:
            own = own.filter(name=self.request.system)
        rows = OutputFlag.objects.filter(run=Subquery(newest), name=self.request.flag, translation__system__in=own)
        return rows.values("translation__segment")

    def _documents(self) -> QuerySet[Document]:
        """The one of that name, or else all that have it in their name."""
        own = Document.objects.filter(test_set=self.campaign.test_set_id)
        named = own.filter(name=self.request.document)
        return own.filter(Q(name=self.request.document) | Q(~Exists(named), name__icontains=self.request.document))

    def _saying(self, words: str, way: str, segment: str) -> Q:
        """Asked segment by segment, so that the first text that says it spares the segment's others."""
        own = self.campaign.systems.all()
        if self.request.system:
            own = own.filter(name=self.request.system)
        outputs = Translation.objects.filter(segment=OuterRef(segment), system__in=own, text__icontains=words)
        references = Reference.objects.filter(segment=OuterRef(segment), text__icontains=words)
        return Q(**{f"{way}source__icontains": words}) | Q(Exists(outputs)) | Q(Exists(references))

    def _of_numbers(self) -> Q:
        conditions, request = Q(), self.request
        if request.queue:
            conditions &= Q(spread__gt=0)
        if request.spread is not None:
            conditions &= Q(spread__gte=request.spread)
        if request.gap is not None:
            conditions &= Q(metric_gap__gte=request.gap / 100) | Q(metric_gap__lte=-request.gap / 100)
        return conditions

    def _of_decisions(self) -> Q:
        """Whether anything of a segment was decided, or an output, under any system's name."""
        wanted = "no" if self.request.queue else self.request.decided
        if wanted not in {"yes", "no"}:
            return Q()
        decided = Adjudication.objects.filter(
            campaign=self.campaign, undone_at=None, translation__segment=OuterRef("segment")
        )
        if self.request.queue or self.request.system:
            own = Translation.objects.filter(
                segment=OuterRef("translation__segment"),
                system=OuterRef(OuterRef("system")),
                text=OuterRef("translation__text"),
            )
            decided = decided.filter(Q(translation__system=OuterRef("system")) | Q(Exists(own)))
        return Q(Exists(decided)) if wanted == "yes" else ~Q(Exists(decided))

    def _rows(self, rows: Iterable[Any]) -> list[SegmentRow]:
        return [self._as_row(row) for row in rows]

    def _as_row(self, row: Any) -> SegmentRow:
        if isinstance(row, Segment):
            return SegmentRow(row.place, row)  # type: ignore[attr-defined]
        return SegmentRow(row.place, row.segment, row.system, row.judgments, row.spread, row.metric_gap)


def _tagged(campaign: Campaign, tag: str) -> QuerySet[Any]:
    """By the tag as JSON writes it, which the databases do in two ways where it is not plain ASCII."""
    written = Q(as_text__contains=json.dumps(tag)) | Q(as_text__contains=json.dumps(tag, ensure_ascii=False))
    own = Segment.objects.filter(document__test_set=campaign.test_set_id)
    return own.alias(as_text=Cast("tags", TextField())).filter(written).values("pk")
