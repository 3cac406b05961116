"""An annotator's assignments, and how to come by the next one."""

from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.utils import OpenApiResponse, extend_schema

from annotation.actions import claim_assignment
from annotation.queries.item_to_judge import assignments_of
from frontend.access import get_membership_for
from frontend.api.annotator_view import AnnotatorView
from frontend.api.serializers import AssignmentSerializer, AssignmentsSerializer, DetailSerializer


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
