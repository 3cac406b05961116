"""The items of an assignment: shown, drafted, judged, reported."""

from typing import Any

from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from annotation.actions import report_problem, save_draft, submit_judgment
from frontend.access import get_item_for, get_items_page_for
from frontend.api.annotator_view import AnnotatorView
from frontend.api.payloads import read, read_place, read_submission
from frontend.api.serializers import (
    DetailSerializer,
    DraftSerializer,
    ErrorsSerializer,
    NewerSerializer,
    ReceiptSerializer,
    ReportSerializer,
    SubmissionSerializer,
)
from frontend.workbench import ItemsPageSerializer

ITEM = OpenApiParameter("item", OpenApiTypes.UUID, OpenApiParameter.PATH)
PLACES = [
    OpenApiParameter("after", OpenApiTypes.UUID, description="Go on after this item."),
    OpenApiParameter("before", OpenApiTypes.UUID, description="The three texts before this item's."),
    OpenApiParameter("from", OpenApiTypes.STR, enum=["start"], description="From the first text, answered or not."),
]
REFUSALS: dict[Any, Any] = {
    **dict.fromkeys((401, 403, 404, 410), DetailSerializer),
    422: ErrorsSerializer,
}


class ItemsView(AnnotatorView):
    @extend_schema(
        operation_id="items",
        summary="The texts to work on: the current one and the next two, whole; or those at another place",
        parameters=PLACES,
        responses={200: ItemsPageSerializer, **REFUSALS},
    )
    def get(self, request: Request, pk: int) -> Response:
        page = get_items_page_for(self.account, pk, read_place(request))
        self.require_consent(given=page.has_consent)
        return Response(ItemsPageSerializer(page).data)


class DraftView(AnnotatorView):
    @extend_schema(
        operation_id="save_draft",
        summary="Keep unfinished work",
        parameters=[ITEM],
        request=DraftSerializer,
        responses={204: OpenApiResponse(description="Kept, unless a judgment has overtaken it."), **REFUSALS},
    )
    def put(self, request: Request, pk: int, item: str) -> Response:
        asked = get_item_for(self.account, pk, item)
        self.require_consent(given=asked.has_consent)
        save_draft(item=asked.item, **read(request, DraftSerializer, is_work=True))
        return Response(status=status.HTTP_204_NO_CONTENT)


class JudgmentsView(AnnotatorView):
    @extend_schema(
        operation_id="submit_judgment",
        summary="Judge an item, or judge it anew",
        parameters=[ITEM],
        request=SubmissionSerializer,
        responses={201: ReceiptSerializer, 200: ReceiptSerializer, 409: NewerSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: int, item: str) -> Response:
        asked = get_item_for(self.account, pk, item)
        self.require_consent(given=asked.has_consent)
        receipt = submit_judgment(to_judge=asked, **read_submission(request, asked.protocol, asked.shown))
        code = status.HTTP_200_OK if receipt.is_repeat else status.HTTP_201_CREATED
        return Response(ReceiptSerializer(receipt).data, status=code)


class ReportsView(AnnotatorView):
    @extend_schema(
        operation_id="report_problem",
        summary="Say that something is wrong with an item",
        parameters=[ITEM],
        request=ReportSerializer,
        responses={201: ReportSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: int, item: str) -> Response:
        asked = get_item_for(self.account, pk, item)
        self.require_consent(given=asked.has_consent)
        report = report_problem(
            item=asked.item, annotator=self.account, **read(request, ReportSerializer, is_work=True)
        )
        return Response(ReportSerializer(report).data, status=status.HTTP_201_CREATED)
