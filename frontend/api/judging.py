"""Judging: an annotator's assignments and the next one; their items shown, drafted, judged, reported; practice."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from annotation.actions.claiming import claim_assignment
from annotation.actions.practising import answer_practice, skip_practice
from annotation.actions.submitting import Receipt, report_problem, save_draft, submit_judgment
from annotation.protocols.base import Protocol, ShownItem
from annotation.queries.item_to_judge import assignments_of
from annotation.queries.items_page import Place, UnknownItem
from annotation.queries.practice import must_practise, practice_page, protocol_of, shown_item
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Moment
from campaigns.queries import questionnaire_due, screened_out_in
from frontend.access import get_items_page_for, get_membership_for, get_practice_item_for
from frontend.api.authentication import Refusal
from frontend.api.errors import DetailSerializer, ErrorsSerializer, InvalidPayload, messages_by_field
from frontend.api.judging_shapes import (
    AssignmentSerializer,
    AssignmentsSerializer,
    DraftSerializer,
    NewerSerializer,
    PracticeReceiptSerializer,
    ReceiptSerializer,
    ReportSerializer,
    SkippedSerializer,
    SubmissionSerializer,
)
from frontend.api.requests import read
from frontend.api.views import AnnotatorView, nothing_left, operation, serializer_of, shown_as
from frontend.workbench import ItemsPageSerializer

ITEM = OpenApiParameter("item", OpenApiTypes.UUID, OpenApiParameter.PATH)
PLACES = [
    OpenApiParameter("after", OpenApiTypes.UUID, description="Go on after this item."),
    OpenApiParameter("before", OpenApiTypes.UUID, description="The three texts before this item's."),
    OpenApiParameter("from", OpenApiTypes.STR, enum=["start"], description="From the first text, answered or not."),
]
NEXT_AFTER = OpenApiParameter(
    "next_after", OpenApiTypes.UUID, description="Answer with the texts after this item, too, as `next`."
)
REFUSALS: dict[Any, Any] = {
    **dict.fromkeys((401, 403, 404, 410), DetailSerializer),
    422: ErrorsSerializer,
}


def read_place(request: Request) -> Place:
    """One of `after`, `before` and `from`, or none."""
    places = {each.name: value for each in PLACES if (value := request.query_params.get(each.name))}
    if len(places) > 1:
        raise InvalidPayload({name: [_("Use only one of after, before and from.")] for name in places})
    if places.get("from", "start") != "start":
        raise InvalidPayload({"from": [_("The only value is “start”.")]})
    return Place(_item_in(places, "after"), _item_in(places, "before"), from_start="from" in places)


def _item_in(places: Mapping[str, str], name: str) -> UUID | None:
    try:
        return UUID(places[name]) if name in places else None
    except ValueError as error:
        raise InvalidPayload({name: [_("This is not the id of an item.")]}) from error


def read_next_after(request: Request) -> UUID | None:
    """Read before anything is stored: what cannot be read refuses the request."""
    return _item_in(request.query_params, NEXT_AFTER.name)


def receipt_with_next(receipt: Receipt, account: Account, assignment: int, after: UUID | None) -> dict[str, Any]:
    """With the texts after an item. The judgment is stored: what is not to be had now is asked for by itself."""
    try:
        page = None if after is None else get_items_page_for(account, assignment, Place(after=after))
    except (Http404, UnknownItem):
        page = None
    return {**vars(receipt), "next": page}


def read_submission(payload: object, protocol: Protocol[Any], shown: ShownItem) -> dict[str, Any]:
    """The body of a judgment, as keyword arguments of `submit_judgment`."""
    values, errors = _checked(payload)
    answer = None
    if isinstance(payload, Mapping) and "answer" in payload:
        try:
            answer = protocol.parse_answer(payload["answer"], shown)
        except InvalidInput as invalid:
            errors.pop("answer", None)
            errors |= invalid.errors
    if errors or answer is None:
        raise InvalidPayload(errors)
    return {**values, "answer": answer}


def _checked(payload: object) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """The values and what is wrong; a serializer of its own, which costs more, only for saying it."""
    try:
        return serializer_of(SubmissionSerializer).run_validation(payload), {}
    except ValidationError:
        refused = SubmissionSerializer(data=payload)
        refused.is_valid()
        return {}, messages_by_field(refused.errors)


class ItemsView(AnnotatorView):
    @operation("items", {200: ItemsPageSerializer, **REFUSALS}, parameters=PLACES)
    def get(self, request: Request, pk: int) -> Any:
        """The documents to work on: the current one and the next two; or those at another place."""
        page = get_items_page_for(self.account, pk, read_place(request))
        self.require_consent(has_consent=page.has_consent)
        return page


class DraftView(AnnotatorView):
    @operation(
        "save_draft",
        {**nothing_left("Kept, unless a judgment has overtaken it."), **REFUSALS},
        request=DraftSerializer,
        parameters=[ITEM],
    )
    def put(self, request: Request, pk: int, item: str) -> None:
        """Save unfinished work."""
        to_judge = self.item_to_judge(pk, item)
        save_draft(item=to_judge.item, **read(request, DraftSerializer, is_work=True))


class JudgmentsView(AnnotatorView):
    @operation(
        "submit_judgment",
        {201: ReceiptSerializer, 200: ReceiptSerializer, 409: NewerSerializer, **REFUSALS},
        request=SubmissionSerializer,
        parameters=[ITEM, NEXT_AFTER],
    )
    def post(self, request: Request, pk: int, item: str) -> Response:
        """Judge an item, or change a judgment."""
        to_judge, after = self.item_to_judge(pk, item), read_next_after(request)
        submission = read_submission(request.data, to_judge.protocol, to_judge.shown)
        receipt = submit_judgment(to_judge=to_judge, **submission)
        code = status.HTTP_200_OK if receipt.is_repeat else status.HTTP_201_CREATED
        shown = receipt_with_next(receipt, self.account, pk, after)
        return Response(shown_as(ReceiptSerializer, shown), status=code)


class ReportsView(AnnotatorView):
    @operation("report_problem", {201: ReportSerializer, **REFUSALS}, request=ReportSerializer, parameters=[ITEM])
    def post(self, request: Request, pk: int, item: str) -> Any:
        """Say that something is wrong with an item."""
        to_judge = self.item_to_judge(pk, item)
        return report_problem(
            item=to_judge.item, annotator=self.account, **read(request, ReportSerializer, is_work=True)
        )


class AssignmentsView(AnnotatorView):
    @operation("assignments", {200: AssignmentsSerializer, 401: DetailSerializer, 403: DetailSerializer})
    def get(self, _request: Request) -> Any:
        """My assignments."""
        return {"results": assignments_of(self.account)}


class NextAssignmentView(AnnotatorView):
    @operation(
        "take_assignment",
        {
            201: AssignmentSerializer,
            **nothing_left("Nothing is left, or the campaign is not open."),
            **dict.fromkeys((401, 403, 404), DetailSerializer),
        },
    )
    def post(self, _request: Request, slug: str) -> Any:
        """Take the next assignment of a campaign, or get the one begun."""
        membership = self.membership(slug)
        if questionnaire_due(membership, Moment.ENTRY):  # programs are not asked
            refusal = _("Answer the entry questionnaire of this campaign first.")
            if screened_out_in(self.account, membership.campaign).exists():
                refusal = _("By your answers to the entry questionnaire, there is no task for you in this campaign.")
            raise PermissionDenied(refusal, code=Refusal.QUESTIONNAIRE_NEEDED)
        if must_practise(membership):  # people and programs alike
            raise PermissionDenied(_("Pass the practice of this campaign first."), code=Refusal.PRACTICE_NEEDED)
        assignment = claim_assignment(campaign=membership.campaign, annotator=self.account)
        if assignment is None:
            return Response(status=status.HTTP_204_NO_CONTENT)
        return assignment


class PracticeItemsView(AnnotatorView):
    @operation("practice_items", {200: ItemsPageSerializer, **REFUSALS}, parameters=PLACES)
    def get(self, request: Request, slug: str) -> Any:
        """The practice items of the current attempt."""
        membership = self.membership(slug)
        return practice_page(membership, read_place(request))


class PracticeAnswersView(AnnotatorView):
    @operation(
        "answer_practice", {201: PracticeReceiptSerializer, **REFUSALS}, request=SubmissionSerializer, parameters=[ITEM]
    )
    def post(self, request: Request, slug: str, item: str) -> Any:
        """Answer a practice item; the first answer of an attempt counts."""
        membership = self.membership(slug)
        practised = get_practice_item_for(membership, item)
        protocol = protocol_of(membership.campaign)
        submission = read_submission(request.data, protocol, shown_item(practised, protocol))
        return answer_practice(
            membership=membership,
            item=practised,
            answer=submission["answer"],
            client_id=submission["client_id"],
        )


class PracticeSkipView(AnnotatorView):
    @operation("skip_practice", {201: SkippedSerializer, **REFUSALS}, request=None, parameters=[ITEM])
    def post(self, _request: Request, slug: str, item: str) -> Any:
        """Skip a practice item, and what is not answered of its screen.

        A skip is recorded as an answer that is not right. Items that cannot be skipped say so (`skippable`).
        """
        membership = self.membership(slug)
        return skip_practice(membership=membership, item=get_practice_item_for(membership, item))


class PracticeDraftView(AnnotatorView):
    @operation(
        "save_practice_draft", {**nothing_left("It would fit."), **REFUSALS}, request=DraftSerializer, parameters=[ITEM]
    )
    def put(self, request: Request, slug: str, item: str) -> None:
        """Check unfinished work; in practice it is not stored."""
        get_practice_item_for(get_membership_for(self.account, slug), item)
        _checked: Any = read(request, DraftSerializer, is_work=True)
