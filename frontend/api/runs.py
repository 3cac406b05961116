"""Background runs: requested, watched, cancelled; and the results of a finished one for pages and papers."""

import math
from typing import Any

from django.http import Http404, HttpResponse
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema_field

from campaigns.models import Account, Campaign
from exchange.tables.finished_runs import tables_of_run
from exchange.tables.papers import FORMS, methods_of, paper_tables_of_run
from frontend.access import RUNS_IT, get_run_for, has_role, runs_for
from frontend.api.requests import choice_of, read
from frontend.api.views import AsTheFileIs, ListView, ReaderView, ResourceView, listed, operation
from frontend.downloads import csv_file, paper_table_file
from frontend.exclusion_words import trial_sentences
from frontend.figures import figure_file, figures_of
from frontend.filters import RunFilter
from jobs.actions import cancel_run, queue_run
from jobs.models import PENDING, Run, RunPart, RunStatus
from jobs.queries import parts_of, runs_of
from metrics.analyses import LONG_PARTS
from metrics.analyses.exclusion import Trial
from metrics.analysis_runs import OneRun, one_run
from metrics.findings import findings_of

TAG = "Results"
SLICES = "slices"
RANKINGS = LONG_PARTS[SLICES]  # where they are stored, the slices are brief

PRIVATE_ARGUMENTS = ("files", "form", "people")  # server paths of uploads, a page's form, people to be invited


class RunSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    kind = serializers.CharField(help_text="Such as analysis or new_campaign.")
    campaign = serializers.SlugField(source="campaign.slug", allow_null=True, default=None)
    test_set = serializers.SlugField(source="test_set.slug", allow_null=True, default=None)
    arguments = serializers.SerializerMethodField()
    status = serializers.ChoiceField(choices=RunStatus.values)
    progress = serializers.FloatField(help_text="From 0 to 1.")
    progress_note = serializers.CharField()
    signature = serializers.CharField(help_text="Everything that can change a number of the result.")
    error = serializers.CharField()
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(OpenApiTypes.OBJECT)
    def get_arguments(self, run: Run) -> dict[str, Any]:
        return {name: value for name, value in run.arguments.items() if name not in PRIVATE_ARGUMENTS}


class RunResultSerializer(RunSerializer):
    result = serializers.DictField(allow_null=True, help_text="Of an analysis, without its parts.")
    parts = serializers.SerializerMethodField(help_text="Names of the analyses that have an address of their own.")

    def get_parts(self, run: Run) -> list[str]:
        return list(RunPart.objects.filter(run=run).order_by("pk").values_list("name", flat=True))


class PartSerializer(serializers.Serializer[Any]):
    run = serializers.IntegerField()
    name = serializers.CharField()
    result = serializers.JSONField()


class AnalysisRequestSerializer(serializers.Serializer[Any]):
    recipe = serializers.CharField(allow_null=True, default=None, max_length=40)
    analyses = serializers.ListField(
        child=serializers.CharField(max_length=40), allow_null=True, default=None, max_length=50
    )
    options = serializers.DictField(default=dict)


def queued(run: Run, request: Request, *, is_new: bool = True) -> Response:
    """The answer to a request that takes time."""
    place = {"Location": reverse("api-run", kwargs={"pk": run.pk}, request=request)}
    code = status.HTTP_202_ACCEPTED if is_new else status.HTTP_200_OK
    return Response(RunSerializer(run).data, status=code, headers=place)


def queued_once(request: Request, *, kind: str, campaign: Campaign, arguments: dict[str, Any], by: Account) -> Response:
    """The pending run, or a new one."""
    pending = runs_of(campaign, kind, arguments=arguments).first()
    if pending is not None and pending.status in PENDING:
        return queued(pending, request, is_new=False)
    return queued(queue_run(kind=kind, campaign=campaign, arguments=arguments, created_by=by), request)


@listed("runs", "Runs I may see", Run, RunSerializer, RunFilter, is_newest_first=True, tags=["Runs"])
class RunsView(ListView):
    def rows(self, **_place: Any) -> Any:
        return runs_for(self.account)


@listed("campaign_runs", "Runs of a campaign", Run, RunSerializer, RunFilter, is_newest_first=True, tags=["Runs"])
class CampaignRunsView(ReaderView, ListView):
    def rows(self, campaign: Campaign) -> Any:
        return Run.objects.filter(campaign=campaign).select_related("campaign", "test_set")

    @operation("analyse", {202: RunSerializer, 200: RunSerializer}, request=AnalysisRequestSerializer, tags=["Runs"])
    def post(self, request: Request, campaign: Campaign) -> Response:
        """Compute the results, unless the same run is pending."""
        body = dict(read(request, AnalysisRequestSerializer))
        return queued_once(request, kind="analysis", campaign=campaign, arguments=body, by=self.account)


class RunView(ResourceView):
    @operation("run", RunResultSerializer, tags=["Runs"])
    def get(self, _request: Request, pk: int) -> Any:
        """A run with its result."""
        return get_run_for(self.account, pk)


class RunPartView(ResourceView):
    @operation("run_part", PartSerializer, tags=["Runs"])
    def get(self, _request: Request, pk: int, name: str) -> Any:
        """One analysis of a run."""
        run = get_run_for(self.account, pk)
        parts = parts_of(run, name, *([RANKINGS] if name == SLICES else []))
        if name not in parts:
            raise Http404
        result = parts[name]
        if name == SLICES and RANKINGS in parts:
            result = {**result, SLICES: parts[RANKINGS]}
        return {"run": run.pk, "name": name, "result": result}


class CancelRunView(ResourceView):
    @operation("cancel_run", RunSerializer, is_repeatable=True, tags=["Runs"])
    def post(self, _request: Request, pk: int) -> Any:
        """Cancel a run; for the person who requested it and organisers of its campaign."""
        run = get_run_for(self.account, pk)
        is_others = run.created_by_id != self.account.pk
        if is_others and run.campaign is not None and not has_role(self.account, run.campaign, *RUNS_IT):
            raise PermissionDenied
        return cancel_run(run=run)


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
    rows = serializers.ListField(child=serializers.DictField(), help_text="Each by its columns; null without a number.")


class FindingSerializer(serializers.Serializer[Any]):
    """Null if nothing can be concluded, or the run did not analyse it."""

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
    """A finished analysis of a campaign."""
    runs = one_run(get_run_for(account, pk))
    if runs is None:
        raise Http404
    return runs


class RunTablesView(ResourceView):
    @operation("run_tables", TablesSerializer)
    def get(self, _request: Request, pk: int) -> Any:
        """Which tables a finished analysis has.

        Those of the pages of results, agreement and metrics, and the effect of a trial exclusion.
        """
        runs = _finished(self.account, pk)
        made = {name: table_of(runs) for name, table_of in tables_of_run(runs).items()}
        lines = [{"name": name, "columns": columns, "rows": len(rows)} for name, (columns, rows) in made.items()]
        return {"results": [line for line in lines if line["rows"]]}


class RunTableView(ResourceView):
    content_negotiation_class = AsTheFileIs

    @operation(
        "run_table",
        {(200, "application/json"): TableSerializer, (200, "text/csv"): OpenApiTypes.BINARY},
        parameters=[TABLE],
    )
    def get(self, request: Request, pk: int, name: str) -> Any:
        """One table of a finished analysis."""
        runs = _finished(self.account, pk)
        form = choice_of(request, FORM, ("json", "csv"))
        table_of = tables_of_run(runs).get(name)
        if table_of is None:
            raise Http404
        columns, rows = table_of(runs)
        if form == "csv":
            return csv_file(f"{runs.campaign.slug}-{name}", columns, rows)
        shown = [dict(zip(columns, map(_plain, row), strict=True)) for row in rows]
        return {"run": pk, "name": name, "signature": runs.run.signature, "columns": columns, "rows": shown}


def _plain(value: Any) -> Any:
    """JSON cannot express NaN or infinity."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


class FindingView(ResourceView):
    @operation("run_finding", FindingSerializer)
    def get(self, _request: Request, pk: int) -> Any:
        """The findings of a finished analysis, in sentences.

        As the pages open: no sentence says more than the tests do.
        """
        runs = _finished(self.account, pk)
        trial, titles = runs.result_of(Trial, "exclusion"), {name: one.title for name, one in runs.measures.items()}
        return {**vars(findings_of(runs)), "exclusion": trial_sentences(trial, titles) if trial else None}


class PaperView(ResourceView):
    @operation("paper", PaperSerializer)
    def get(self, _request: Request, pk: int) -> Any:
        """What a paper can take from a finished analysis: tables, figures, the paragraph on methods."""
        runs = _finished(self.account, pk)
        return {
            "tables": paper_tables_of_run(runs),
            "figures": [{"name": name, "title": title} for name, (title, _draw) in figures_of(runs).items()],
            "methods": methods_of(runs.run),
        }


class PaperTableView(ResourceView):
    content_negotiation_class = AsTheFileIs

    @operation(
        "paper_table",
        {(200, content_type): OpenApiTypes.BINARY for content_type, _write in FORMS.values()},
        parameters=[PAPER_FORM],
    )
    def get(self, request: Request, pk: int, name: str) -> HttpResponse:
        """One table for a paper, as LaTeX, Markdown or CSV."""
        runs = _finished(self.account, pk)
        return paper_table_file(runs, name, choice_of(request, FORM, FORMS, usual="tex"))


class PaperFigureView(ResourceView):
    content_negotiation_class = AsTheFileIs

    @operation("paper_figure", {(200, "image/svg+xml"): OpenApiResponse(OpenApiTypes.BINARY)})
    def get(self, _request: Request, pk: int, name: str) -> HttpResponse:
        """One figure for a paper, as self-contained SVG."""
        return figure_file(_finished(self.account, pk), name)
