"""What pages make of a finished run: its tables, its finding, and what goes into a paper."""

import math
from typing import Any

from django.http import Http404, HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from campaigns.models import Account
from frontend.access import get_run_for
from frontend.api.exports import AsTheFileIs
from frontend.api.payloads import choice_of
from frontend.api.resource_view import ResourceView
from frontend.downloads import csv_file
from frontend.exclusion_words import effect_sentences
from frontend.researcher.paper_files import FORMS, figure_download, paper_context, table_download
from frontend.researcher.run_tables import RunTables
from frontend.run_pages import OneRun, one_run

FORM = "form"
TABLE = OpenApiParameter(
    FORM, OpenApiTypes.STR, enum=["json", "csv"], default="json", description="Rows as JSON, or the page's file."
)
PAPER_FORM = OpenApiParameter(FORM, OpenApiTypes.STR, enum=list(FORMS), default="tex", description="As which file.")


class TableLineSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.IntegerField(help_text="How many there are.")


class TablesSerializer(serializers.Serializer[Any]):
    results = TableLineSerializer(many=True)


class TableSerializer(serializers.Serializer[Any]):
    run = serializers.IntegerField()
    name = serializers.CharField()
    signature = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.ListField(
        child=serializers.DictField(), help_text="Each by its columns; null where there is no number."
    )


class FindingSerializer(serializers.Serializer[Any]):
    """Null where nothing can be said, or the run did not look at it."""

    results = serializers.CharField(allow_null=True)
    notes = serializers.ListField(child=serializers.CharField(), help_text="Why a difference could not show.")
    agreement = serializers.CharField(allow_null=True)
    metrics = serializers.CharField(allow_null=True)
    exclusion = serializers.ListField(
        child=serializers.CharField(), allow_null=True, help_text="What a trial of an exclusion would change."
    )


class OfferSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()


class MethodsSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    latex = serializers.CharField(help_text="Cites by \\citealp, which needs natbib.")
    bibtex = serializers.CharField()
    signature = serializers.CharField()


class PaperSerializer(serializers.Serializer[Any]):
    tables = OfferSerializer(many=True)
    figures = OfferSerializer(many=True)
    methods = MethodsSerializer(allow_null=True)


def _finished(account: Account, pk: int) -> OneRun:
    """Of an analysis of a campaign, once it is done."""
    found = one_run(get_run_for(account, pk))
    if found is None:
        raise Http404
    return found


class RunTablesView(ResourceView):
    tag = "Results"

    @extend_schema(
        operation_id="run_tables",
        summary="Which tables a finished analysis has",
        description="Those of the pages of results, agreement and metrics, and the effect of a trial exclusion.",
        responses=TablesSerializer,
    )
    def get(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - Django hands it over
        made = {name: make() for name, make in RunTables(_finished(self.account, pk)).by_name.items()}
        lines = [{"name": name, "columns": columns, "rows": len(list(rows))} for name, (columns, rows) in made.items()]
        return Response(TablesSerializer({"results": [line for line in lines if line["rows"]]}).data)


class RunTableView(ResourceView):
    tag = "Results"
    content_negotiation_class = AsTheFileIs

    @extend_schema(
        operation_id="run_table",
        summary="One table of a finished analysis",
        parameters=[TABLE],
        responses={(200, "application/json"): TableSerializer, (200, "text/csv"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, pk: int, name: str) -> Response | HttpResponse:
        runs = _finished(self.account, pk)
        form = choice_of(request, FORM, ("json", "csv"))
        make = RunTables(runs).by_name.get(name)
        if make is None:
            raise Http404
        columns, rows = make()
        if form == "csv":
            return csv_file(f"{runs.campaign.slug}-{name}", columns, rows)
        shown = [dict(zip(columns, map(_plain, row), strict=True)) for row in rows]
        table = {"run": pk, "name": name, "signature": runs.run.signature, "columns": columns, "rows": shown}
        return Response(TableSerializer(table).data)


def _plain(value: Any) -> Any:
    """JSON has no number for what is none."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


class FindingView(ResourceView):
    tag = "Results"

    @extend_schema(
        operation_id="run_finding",
        summary="What a finished analysis found, in sentences",
        description="As the pages open: no sentence says more than the tests do.",
        responses=FindingSerializer,
    )
    def get(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - Django hands it over
        made = RunTables(_finished(self.account, pk))
        found = {
            "results": made.results.finding if made.results else None,
            "notes": made.results.notes if made.results else [],
            "agreement": made.agreement.finding if made.agreement else None,
            "metrics": made.metrics_finding,
            "exclusion": effect_sentences(made.effect) if made.effect else None,
        }
        return Response(FindingSerializer(found).data)


class PaperView(ResourceView):
    tag = "Results"

    @extend_schema(
        operation_id="paper",
        summary="What a paper can take from a finished analysis: tables, figures, the paragraph on methods",
        responses=PaperSerializer,
    )
    def get(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - Django hands it over
        offered = paper_context(_finished(self.account, pk))
        lists = {
            kind: [{"name": name, "title": title} for name, title in offered[kind]] for kind in ("tables", "figures")
        }
        return Response(PaperSerializer({**lists, "methods": offered["methods"]}).data)


class PaperTableView(ResourceView):
    tag = "Results"
    content_negotiation_class = AsTheFileIs

    @extend_schema(
        operation_id="paper_table",
        summary="One table for a paper, as LaTeX, Markdown or CSV",
        parameters=[PAPER_FORM],
        responses={(200, content_type): OpenApiTypes.BINARY for content_type, _write in FORMS.values()},
    )
    def get(self, request: Request, pk: int, name: str) -> HttpResponse:
        runs = _finished(self.account, pk)
        return table_download(runs, name, choice_of(request, FORM, FORMS, usual="tex"))


class PaperFigureView(ResourceView):
    tag = "Results"
    content_negotiation_class = AsTheFileIs

    @extend_schema(
        operation_id="paper_figure",
        summary="One figure for a paper, as SVG that stands alone",
        responses={(200, "image/svg+xml"): OpenApiResponse(OpenApiTypes.BINARY)},
    )
    def get(self, request: Request, pk: int, name: str) -> HttpResponse:  # noqa: ARG002 - Django hands it over
        return figure_download(_finished(self.account, pk), name)
