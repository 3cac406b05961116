"""Judging: an annotator's assignments and the next one; their items shown, drafted, judged, reported; practice."""

from typing import Any

from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from annotation.actions import answer_practice, claim_assignment, report_problem, save_draft, submit_judgment
from annotation.queries.item_to_judge import assignments_of
from annotation.queries.practice import practice_page, protocol_of, shown_item
from frontend.access import get_item_for, get_items_page_for, get_membership_for, get_practice_item_for
from frontend.api.annotator_view import AnnotatorView
from frontend.api.payloads import read, read_place, read_submission
from frontend.api.serializers import (
    AssignmentSerializer,
    AssignmentsSerializer,
    DetailSerializer,
    DraftSerializer,
    ErrorsSerializer,
    NewerSerializer,
    PracticeReceiptSerializer,
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


class AssignmentsView(AnnotatorView):
    @extend_schema(
        operation_id="assignments",
        summary="My assignments",
        responses={200: AssignmentsSerializer, 401: DetailSerializer, 403: DetailSerializer},
    )
    def get(self, request: Request) -> Response:  # noqa: ARG002 - Django hands it over
        return Response(AssignmentsSerializer({"results": assignments_of(self.account)}).data)


class NextAssignmentView(AnnotatorView):
    @extend_schema(
        operation_id="take_assignment",
        summary="Take the next assignment of a campaign, or get the one begun",
        request=None,
        responses={
            201: AssignmentSerializer,
            204: OpenApiResponse(description="Nothing is left, or the campaign is not open."),
            401: DetailSerializer,
            403: DetailSerializer,
            404: DetailSerializer,
        },
    )
    def post(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - Django hands it over
        membership = get_membership_for(self.account, slug)
        self.require_consent(given=membership.consented_at is not None)
        self.require_practice(membership)
        assignment = claim_assignment(campaign=membership.campaign, annotator=self.account)
        if assignment is None:
            return Response(status=status.HTTP_204_NO_CONTENT)
        return Response(AssignmentSerializer(assignment).data, status=status.HTTP_201_CREATED)


class PracticeItemsView(AnnotatorView):
    @extend_schema(
        operation_id="practice_items",
        summary="The practice items of the attempt in hand",
        parameters=PLACES,
        responses={200: ItemsPageSerializer, **REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        membership = get_membership_for(self.account, slug)
        self.require_consent(given=membership.consented_at is not None)
        return Response(ItemsPageSerializer(practice_page(membership, read_place(request))).data)


class PracticeAnswersView(AnnotatorView):
    @extend_schema(
        operation_id="answer_practice",
        summary="Answer a practice item; the first answer of an attempt counts",
        parameters=[ITEM],
        request=SubmissionSerializer,
        responses={201: PracticeReceiptSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, item: str) -> Response:
        membership = get_membership_for(self.account, slug)
        self.require_consent(given=membership.consented_at is not None)
        practised = get_practice_item_for(membership, item)
        protocol = protocol_of(membership.campaign)
        given = read_submission(request, protocol, shown_item(practised, protocol))
        receipt = answer_practice(
            membership=membership,
            item=practised,
            answer=given["answer"],
            client_id=given["client_id"],
            is_first=given["base_revision"] == 0,
        )
        return Response(PracticeReceiptSerializer(receipt).data, status=status.HTTP_201_CREATED)


class PracticeDraftView(AnnotatorView):
    @extend_schema(
        operation_id="save_practice_draft",
        summary="Check unfinished work; practice keeps none",
        parameters=[ITEM],
        request=DraftSerializer,
        responses={204: OpenApiResponse(description="It would fit."), **REFUSALS},
    )
    def put(self, request: Request, slug: str, item: str) -> Response:
        get_practice_item_for(get_membership_for(self.account, slug), item)
        _checked: Any = read(request, DraftSerializer, is_work=True)
        return Response(status=status.HTTP_204_NO_CONTENT)
