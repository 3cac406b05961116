"""Rows in the order a page's address asks for, and where its headings lead."""

from urllib.parse import parse_qs, urlsplit

from django.http import QueryDict

import pytest

from frontend.sorting import Sorted, SortKey, unknown_order
from metrics.results.tables import Cell

ROWS: list[tuple[int, tuple[Cell, ...]]] = [(0, ("Heron", 3.0)), (1, ("Kestrel", None)), (2, ("Rook", 5.0))]
KEYS = {
    "system": SortKey(lambda row: row[1][0]),
    "@A: b": SortKey(lambda row: row[1][1], is_down_first=True),
}


def sorted_by(query: str, usual: str = "") -> Sorted:
    return Sorted(ROWS, KEYS, QueryDict(query), table="errors", usual=usual)


@pytest.mark.parametrize(
    ("query", "first", "last"),
    [
        ("", "Heron", "Rook"),
        ("sort=errors:-system", "Rook", "Heron"),
        ("sort=errors:@A%3A+b", "Heron", "Kestrel"),
        ("sort=errors:-@A%3A+b", "Rook", "Kestrel"),
        ("sort=errors:nonsense&sort=systems:-system", "Heron", "Rook"),
    ],
)
def test_rows_come_as_requested_and_unknown_values_come_last(query: str, first: str, last: str) -> None:
    rows = sorted_by(query).rows
    assert (rows[0][1][0], rows[-1][1][0]) == (first, last)


def test_a_heading_turns_the_order_round_then_takes_it_back_and_keeps_all_else() -> None:
    query, orders = "recipe=wmt24&sort=systems:-n", []
    for _click in range(3):
        heading = sorted_by(query).headings["@A: b"]
        parts = urlsplit(heading.address)
        assert parts.fragment == "errors"
        assert parse_qs(parts.query)["recipe"] == ["wmt24"]
        query = parts.query
        orders.append(parse_qs(query)["sort"])
    assert orders == [["systems:-n", "errors:-@A: b"], ["systems:-n", "errors:@A: b"], ["systems:-n"]]


def test_an_order_that_no_table_of_the_page_has_is_named() -> None:
    known = "errors:system, errors:@A: b"
    assert unknown_order([sorted_by("")], QueryDict("sort=errors:-system&sort=errors:@A: b")) == ""
    assert unknown_order([sorted_by("")], QueryDict("sort=errors:nonsense&sort=others:system")).splitlines() == [
        f"Unknown order “errors:nonsense”. Allowed: {known}.",
        f"Unknown order “others:system”. Allowed: {known}.",
    ]


def test_the_usual_order_is_shown_without_a_request() -> None:
    headings = sorted_by("", usual="system").headings
    assert headings["system"].order == "ascending"
    assert headings["@A: b"].order == ""
