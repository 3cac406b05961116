"""Long lists in pieces: each leads to the next by an address, and what is added meanwhile shifts nothing."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

from frontend.access import HIGHEST_KEY
from frontend.api.errors import InvalidPayload

MOST_ROWS = 500


class ByKey(CursorPagination):
    """In the order in which rows were made."""

    page_size = 100
    max_page_size = MOST_ROWS
    page_size_query_param = "page_size"
    ordering = "pk"
    cursor_query_description = "As `next` and `previous` of a page have it."
    page_size_query_description = f"Rows on a page, at most {MOST_ROWS}."

    def decode_cursor(self, request: Request) -> Cursor | None:
        try:
            cursor = super().decode_cursor(request)
        except NotFound as error:
            raise no_cursor() from error
        if cursor is not None and cursor.position is not None and not _is_key(str(cursor.position)):
            raise no_cursor()
        return cursor

    def get_page_size(self, request: Request) -> int:
        return whole_number(request, "page_size", usual=self.page_size, most=self.max_page_size)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        address = {"type": "string", "nullable": True, "format": "uri"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {"next": address, "previous": address, "results": schema},
        }


class NewestFirst(ByKey):
    """The newest rows first."""

    ordering = "-pk"


def whole_number(request: Request, name: str, *, usual: int, most: int) -> int:
    """What an address asks for, from 1."""
    asked = request.query_params.get(name)
    if asked is None:
        return usual
    if not asked.isascii() or not asked.isdecimal() or not 1 <= int(asked[:9]) <= most:
        raise InvalidPayload({name: [_("Write a whole number from 1 to %(most)d.") % {"most": most}]})
    return int(asked)


def _is_key(position: str) -> bool:
    return position.isascii() and position.isdecimal() and int(position[:20]) <= HIGHEST_KEY


def no_cursor() -> InvalidPayload:
    return InvalidPayload({"cursor": [_("This is not the cursor of a page. Begin without one.")]})
