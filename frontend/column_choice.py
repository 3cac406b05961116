"""Which columns of a long table a page shows: `?columns=table:name` in its address, once for each, or `table:all`.

The columns up to the name of a row are always shown, and so is the one that rows are sorted by.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.http import QueryDict

from metrics.results.tables import Form, Table

COLUMNS = "columns"
ALL = "all"
MOST_UNASKED = 6  # a table with more columns can be made narrower
ALONG = ("half:", "bars:")  # drawn beside the column before them, without a title of their own


class Choice(NamedTuple):
    value: str
    title: str
    is_shown: bool


@dataclass(frozen=True)
class ColumnChoice:
    """Of one table, by the `query` of its page; `sorted_by` is the column that rows are sorted by."""

    table: Table
    query: QueryDict
    sorted_by: str = ""

    @cached_property
    def page(self) -> tuple[str, ...]:
        """The columns that are shown, in the table's order."""
        if not self.requested and not self.table.few:
            return self.table.page
        wanted = self.requested or set(self.table.few)
        shown = {name for unit in self._units if wanted & {ALL, unit[0]} for name in unit}
        return tuple(name for name in self.table.page if name in {*self._fixed, *shown, self.sorted_by})

    @cached_property
    def requested(self) -> set[str]:
        """The names in the address that the table has; empty for the usual columns."""
        entries = (value.partition(":")[2] for value in self.query.getlist(COLUMNS) if value.startswith(self._part))
        return {name for name in entries if name == ALL or any(name == unit[0] for unit in self._units)}

    @property
    def is_offered(self) -> bool:
        table = self.table
        return bool(table.part) and table.is_sortable and (bool(table.few) or len(table.page) > MOST_UNASKED)

    @property
    def count(self) -> int:
        """Of columns with a title."""
        return len(self._fixed) + len(self._units)

    @property
    def shows_all(self) -> bool:
        return len(self.page) == len(self.table.page)

    @property
    def can_be_switched(self) -> bool:
        """Between the usual columns and all."""
        return bool(self.table.few) or bool(self.requested)

    @property
    def choices(self) -> list[Choice]:
        return [Choice(self._part + unit[0], self._title(unit[0]), unit[0] in self.page) for unit in self._units]

    @property
    def all_address(self) -> str:
        return self._address(f"{self._part}{ALL}" if self.table.few else "")

    @property
    def few_address(self) -> str:
        return self._address("")

    @property
    def other_fields(self) -> list[tuple[str, str]]:
        """Everything else in the address, for the form that changes the columns."""
        others = ((name, value) for name in self.query for value in self.query.getlist(name))
        return [(name, value) for name, value in others if name != COLUMNS or not value.startswith(self._part)]

    @property
    def _part(self) -> str:
        return f"{self.table.part}:"

    @cached_property
    def _fixed(self) -> tuple[str, ...]:
        names = [column.name for column in self.table.columns if column.form == Form.NAME]
        last = next((place for place, name in enumerate(self.table.page) if name in names), 0)
        return self.table.page[: last + 1]

    @cached_property
    def _units(self) -> Sequence[tuple[str, ...]]:
        """Columns that are chosen together, each with what is drawn along with it."""
        return list(self._grouped())

    def _grouped(self) -> Iterator[tuple[str, ...]]:
        unit: list[str] = []
        for name in self.table.page[len(self._fixed) :]:
            if unit and not name.startswith(ALONG):
                yield tuple(unit)
                unit = []
            unit.append(name)
        if unit:
            yield tuple(unit)

    def _title(self, name: str) -> str:
        column = self.table.column(name.rpartition(":")[2] if name.startswith(("chart:", "ends:", *ALONG)) else name)
        return f"{column.group}: {column.title}" if column.group else str(column.title)

    def _address(self, value: str) -> str:
        changed = self.query.copy()
        others = [each for each in self.query.getlist(COLUMNS) if not each.startswith(self._part)]
        changed.setlist(COLUMNS, [*others, value] if value else others)
        return f"?{changed.urlencode()}#{self.table.part}"
