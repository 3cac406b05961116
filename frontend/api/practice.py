"""Practice before the first item, in the shapes of the items that follow."""

from typing import Any

from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.utils import OpenApiResponse, extend_schema

from annotation.actions import answer_practice
from annotation.queries.practice import practice_page, protocol_of, shown_item
from frontend.access import get_membership_for, get_practice_item_for
from frontend.api.annotator_view import AnnotatorView
from frontend.api.items import ITEM, PLACES, REFUSALS
from frontend.api.payloads import read, read_place, read_submission
from frontend.api.serializers import (
    DraftSerializer,
    PracticeReceiptSerializer,
    SubmissionSerializer,
)
from frontend.workbench import ItemsPageSerializer


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
