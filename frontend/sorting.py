"""Tables that a reader sorts by links: `?sort=table:key` in the page's address, after a minus from the highest down.

What is not known comes last, either way. Tables of one page keep each other's order and all else in the address.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from django.core.paginator import Paginator
from django.http import QueryDict
from django.utils.translation import gettext as _

from metrics.results.tables import Cell

SORT = "sort"
COLUMN = "@"  # begins the key of a column that is named by the data, as by a system
PAGE = "page"  # in an address, of a table that goes on on further pages
ON_A_PAGE = 50
Line = TypeVar("Line")
Row = tuple[int, Sequence[Cell]]  # with its place as it came


@dataclass(frozen=True)
class SortKey:
    value: Callable[[Row], Any]
    is_down_first: bool = False


@dataclass(frozen=True)
class Heading:
    order: str
    address: str


@dataclass(frozen=True)
class Sorted:
    """The rows of one `table`; `usual` is the key they are sorted by, or empty for the order they come in."""

    unsorted: Sequence[Row]
    keys: Mapping[str, SortKey]
    query: QueryDict
    table: str
    usual: str = ""

    @cached_property
    def current(self) -> str:
        """The key rows are sorted by, with its minus."""
        requested = (self.requests[value] for value in reversed(self.query.getlist(SORT)) if value in self.requests)
        return next(requested, self.usual)

    @cached_property
    def requests(self) -> dict[str, str]:
        """The keys, with and without a minus, by what requests them: `table:key` or `table:-key`."""
        return {f"{self.table}:{sign}{name}": sign + name for name in self.keys for sign in ("", "-")}

    @property
    def is_usual(self) -> bool:
        return self.current == self.usual

    @cached_property
    def rows(self) -> list[Row]:
        key = self.keys.get(self.current.removeprefix("-"))
        if key is None:
            return list(self.unsorted)
        known = [row for row in self.unsorted if key.value(row) is not None]
        known.sort(key=key.value, reverse=self.current.startswith("-"))
        return known + [row for row in self.unsorted if key.value(row) is None]

    @cached_property
    def headings(self) -> dict[str, Heading]:
        """A second click on a heading turns the order round, a third takes it back."""
        return {name: self._heading(name, key) for name, key in self.keys.items()}

    def _heading(self, name: str, key: SortKey) -> Heading:
        first, turned = (f"-{name}", name) if key.is_down_first else (name, f"-{name}")
        order = {name: "ascending", f"-{name}": "descending"}.get(self.current, "")
        return Heading(order, self._address({first: turned, turned: ""}.get(self.current, first)))

    def _address(self, sort: str) -> str:
        changed = self.query.copy()
        others = [value for value in self.query.getlist(SORT) if not value.startswith(f"{self.table}:")]
        changed.setlist(SORT, [*others, f"{self.table}:{sort}"] if sort else others)
        return f"?{changed.urlencode()}#{self.table}"


def unknown_order(tables: Iterable[Sorted], query: QueryDict, *, to_come: str = "") -> str:
    """What is wrong with the orders in a page's address; empty if nothing is. One table may be still `to_come`."""
    listed = list(tables)
    known = ", ".join(f"{table.table}:{key}" for table in listed for key in table.keys)
    return "\n".join(
        _("Unknown order “%(name)s”. Allowed: %(known)s.") % {"name": value, "known": known}
        for value in query.getlist(SORT)
        if not any(value in table.requests for table in listed) and value.partition(":")[0] != (to_come or None)
    )


def changed(query: QueryDict, **changes: str) -> str:
    """The query with some changes; an empty value removes its name."""
    copy = query.copy()
    for name, value in changes.items():
        copy[name] = value
        if not value:
            del copy[name]
    return copy.urlencode()


def lines_on_page(
    lines: Sequence[Line],
    values: Mapping[str, Callable[[Line], Any]],
    query: QueryDict,
    table: str,
    *,
    usual: str = "",
    down_first: Collection[str] = (),
) -> dict[str, Any]:
    """For a template: the `page` of lines that the address names, in its order, and what headings and paging need.

    All lines are sorted by one of the `values`, those `down_first` from the highest at a first click.
    """

    def key(name: str, value: Callable[[Line], Any]) -> SortKey:
        return SortKey(lambda row: value(lines[row[0]]), name in down_first)

    first_page = query.copy()
    first_page.pop(PAGE, None)
    keys = {name: key(name, value) for name, value in values.items()}
    order = Sorted([(place, ()) for place in range(len(lines))], keys, first_page, table, usual)
    return {
        "page": Paginator([lines[place] for place, _cells in order.rows], ON_A_PAGE).get_page(query.get(PAGE)),
        "headings": order.headings,
        "unknown_order": unknown_order([order], query),
        "paged_query": changed(query, page=""),
    }
