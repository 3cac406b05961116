"""A screen of several items, submitted as one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.action_log import Action, checked_actions
from annotation.actions.submitting_screens import InvalidScreen, RowOfScreen, submit_screen
from annotation.queries.item_to_judge import ItemToJudge
from annotation.queries.items_page import WORK_TO_DO
from campaigns.invalid_input import InvalidInput
from frontend.access import get_items_page_for, get_screen_for
from frontend.api.errors import InvalidPayload
from frontend.api.judging import NEXT_AFTER, REFUSALS, read_next_after, read_submission, receipt_with_next
from frontend.api.judging_shapes import (
    ScreenConflictSerializer,
    ScreenErrorsSerializer,
    ScreenReceiptSerializer,
    ScreenSerializer,
)
from frontend.api.views import AnnotatorView, operation, shown_as

Row = tuple[UUID, Mapping[str, Any]]
_Errors = dict[str, dict[str, list[str]]]


def read_screen(rows: Sequence[Row], screen: Sequence[ItemToJudge]) -> list[RowOfScreen]:
    """Every row checked; `InvalidScreen` with all that is wrong in any of them, and with the rows that are missing."""
    if not screen[0].protocol.shows_whole_documents:
        raise _unreadable("judgments", _("In this campaign, each item is submitted by itself."))
    by_id = {each.item.public_id: each for each in screen}
    errors = _errors_of_screen(rows, by_id)
    read: list[RowOfScreen] = []
    for item, row in rows:
        if item in by_id:
            try:
                submission = read_submission(row, by_id[item].protocol, by_id[item].shown)
                read.append(RowOfScreen(by_id[item], **submission))
            except InvalidPayload as invalid:
                errors[str(item)] = errors.get(str(item), {}) | invalid.errors
    ids = Counter(each.client_id for each in read)
    for each in read:
        if ids[each.client_id] > 1:
            twice = [_("Two rows have this id. Create a new random id for each answer.")]
            errors.setdefault(str(each.item.public_id), {})["client_id"] = twice
    if errors:
        raise InvalidScreen(errors)
    return read


def read_actions(payload: object, screen: Sequence[ItemToJudge]) -> tuple[Action, ...]:
    value = payload.get("actions") if isinstance(payload, Mapping) else None
    try:
        return checked_actions(value, [{slot.label for slot in each.shown.slots} for each in screen])
    except InvalidInput as invalid:
        raise InvalidScreen({"body": invalid.errors}) from invalid


def _errors_of_screen(rows: Sequence[Row], by_id: Mapping[UUID, ItemToJudge]) -> _Errors:
    times = Counter(item for item, _row in rows)
    errors: _Errors = {
        str(item): {"item": [_("This item is not on this screen.")]} for item in times if item not in by_id
    }
    for item, to_judge in by_id.items():
        if times[item] > 1:
            errors[str(item)] = {"item": [_("This item is there twice.")]}
        elif not times[item] and not to_judge.item.revision:
            errors[str(item)] = {"answer": [_("Not answered. A screen is submitted with all its rows.")]}
    return errors


def rows_of(payload: object) -> list[Row]:
    """The rows of the body by their items; what they contain is not checked yet."""
    rows = payload.get("judgments") if isinstance(payload, Mapping) else None
    if not isinstance(rows, list) or not rows:
        raise _unreadable("judgments", _("Send a list with one object for each row of the screen."))
    read: list[Row] = []
    errors: dict[str, list[str]] = {}
    for place, row in enumerate(rows):
        try:
            read.append((UUID(row["item"]), row))
        except (TypeError, KeyError, ValueError, AttributeError):
            errors[f"judgments.{place}.item"] = [_("This is not the id of an item.")]
    if errors:
        raise InvalidScreen({"body": errors})
    return read


def _rows_in(request: Request) -> list[Row]:
    """What is not JSON that can be stored is refused in the same shape."""
    try:
        return rows_of(request.data)
    except ParseError as error:
        raise _unreadable("body", str(error.detail)) from error


def _unreadable(field: str, message: str) -> InvalidScreen:
    return InvalidScreen({"body": {field: [message]}})


class ScreensView(AnnotatorView):
    @operation(
        "submit_screen",
        {
            201: ScreenReceiptSerializer,
            200: ScreenReceiptSerializer,
            409: ScreenConflictSerializer,
            **REFUSALS,
            422: ScreenErrorsSerializer,
        },
        request=ScreenSerializer,
        parameters=[NEXT_AFTER],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Judge a whole screen, or change judgments on it.

        For protocols whose screen is a document (cesa). All judgments are stored, or none. Every item of the screen
        that was not judged before must be there; later, those that change are enough. 200: all were stored before.
        """
        after = read_next_after(request)
        try:
            rows = _rows_in(request)
        except InvalidScreen:  # told only to those who may judge here
            page = get_items_page_for(self.account, pk, WORK_TO_DO)
            self.require_consent(has_consent=page.has_consent)
            raise
        screen = get_screen_for(self.account, pk, rows[0][0])
        self.require_consent(has_consent=screen[0].has_consent)
        stored = submit_screen(read_screen(rows, screen), read_actions(request.data, screen))
        code = status.HTTP_200_OK if stored.receipt.is_repeat else status.HTTP_201_CREATED
        shown = {**receipt_with_next(stored.receipt, self.account, pk, after), "revisions": stored.revisions}
        return Response(shown_as(ScreenReceiptSerializer, shown), status=code)
