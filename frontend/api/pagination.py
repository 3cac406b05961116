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
            raise _no_cursor() from error
        if cursor is not None and cursor.position is not None and not _is_key(str(cursor.position)):
            raise _no_cursor()
        return cursor

    def get_page_size(self, request: Request) -> int:
        asked = request.query_params.get("page_size")
        if asked is None:
            return self.page_size
        if not asked.isascii() or not asked.isdecimal() or not 1 <= int(asked[:9]) <= MOST_ROWS:
            raise InvalidPayload({"page_size": [_("Write a whole number from 1 to %(most)d.") % {"most": MOST_ROWS}]})
        return int(asked)

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


def _is_key(position: str) -> bool:
    return position.isascii() and position.isdecimal() and int(position[:20]) <= HIGHEST_KEY


def _no_cursor() -> InvalidPayload:
    return InvalidPayload({"cursor": [_("This is not the cursor of a page. Begin without one.")]})
