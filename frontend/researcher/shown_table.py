"""A table of a result as a page shows it: sorted as its reader asks, numbers as people read them, intervals drawn."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.http import QueryDict
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from frontend.researcher.interval_chart import Axis, axis_for
from frontend.researcher.sorting import Heading, Sorted, SortKey, nothing_asked
from frontend.templatetags.numbers import decimals, p_value, signed
from metrics.results.tables import Cell, Column, Form, Table, rank_range
from metrics.results.values import Missing

CHART, HALF = "chart:", "half:"


@dataclass(frozen=True)
class DrawnInterval:
    """A point with its whiskers; places are percentages of the chart's width, absent where there is no number."""

    point: float | None
    low: float | None
    high: float | None
    decimals: int
    axis: Axis
    is_human: bool

    @property
    def point_at(self) -> str | None:
        return None if self.point is None else self.axis.place(self.point)

    @property
    def low_at(self) -> str | None:
        return None if self.low is None else self.axis.place(self.low)

    @property
    def high_at(self) -> str | None:
        return None if self.high is None else self.axis.place(self.high)

    @property
    def half_width(self) -> float | None:
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    @property
    def words(self) -> str:
        """For who cannot see it."""
        point, low, high = (decimals(value, self.decimals) for value in (self.point, self.low, self.high))
        if self.low is None:
            return _("%(mean)s, no interval") % {"mean": point}
        return _("%(mean)s, 95%% interval %(low)s to %(high)s") % {"mean": point, "low": low, "high": high}


@dataclass(frozen=True)
class ShownCell:
    text: str = ""
    is_name: bool = False
    is_number: bool = False
    is_main: bool = False
    is_quiet: bool = False
    is_human: bool = False
    place: int | None = None
    drawn: DrawnInterval | None = None


@dataclass(frozen=True)
class ShownHeading:
    """`heading` where the column can be sorted by; a title `is_hidden` where what stands below speaks for itself."""

    title: str
    heading: Heading | None = None
    is_number: bool = False
    is_hidden: bool = False


@dataclass(frozen=True)
class ShownRow:
    name: str
    cells: tuple[ShownCell, ...]
    ends_cluster: bool


@dataclass(frozen=True)
class ShownTable:
    """`query` is the address of the page, which says how rows are sorted; as they come by default."""

    table: Table
    query: QueryDict = field(default_factory=nothing_asked)

    @cached_property
    def sorted(self) -> "Sorted[tuple[int, Sequence[Cell]]]":
        rows = list(enumerate(self.table.rows))
        keys = {
            name: SortKey(column.title, _sorting(self.table.place(name)), column.highest_first)
            for name, column in self._plain_columns
        }
        usual = "" if self.is_name_first else self.table.page[0]
        if usual:
            keys[usual] = SortKey(self.table.column(usual).title, lambda row: row[0])
        return Sorted(rows, keys, self.query, table=self.table.part, usual=usual)

    @property
    def headings(self) -> list[ShownHeading]:
        return [self._heading(name) for name in self.table.page]

    @cached_property
    def rows(self) -> list[ShownRow]:
        return [
            ShownRow(
                str(row[self._name_at]), tuple(self._cell(name, row) for name in self.table.page), at in self.table.cuts
            )
            for at, row in self.sorted.rows
        ]

    @property
    def axes(self) -> list[Axis | None]:
        """Under each column the axis of what it draws; none where nothing is drawn."""
        if not any(name.startswith(CHART) for name in self.table.page):
            return []
        return [self._axes.get(name.removeprefix(CHART)) for name in self.table.page]

    @property
    def is_name_first(self) -> bool:
        """Or else ranks come first; by these, rows stand as they come."""
        return self.table.page[0] == self.table.columns[self._name_at].name

    @cached_property
    def drawn(self) -> list[DrawnInterval]:
        """Of every row, in the table's own order."""
        return [self._drawn(self._chart, row) for row in self.table.rows]

    @property
    def axis(self) -> Axis:
        return self._axes[self._chart.removeprefix(CHART)]

    @property
    def _chart(self) -> str:
        return next(name for name in self.table.page if name.startswith(CHART))

    @property
    def title(self) -> str:
        return str(self.table.title)

    @property
    def has_z(self) -> bool:
        """Whether a reader may choose between raw means and z means."""
        return "z_mean" in self.table.page

    @property
    def lead(self) -> str:
        usual = self.table.cuts_lead if self.sorted.is_usual else ""
        return " ".join(str(sentence) for sentence in (self.table.lead, usual) if sentence)

    @property
    def notes(self) -> list[str]:
        hollow = [_("Hollow: human.")] if any(row.name in self.table.tagged for row in self.rows) else []
        return [*self.table.notes, *hollow]

    @cached_property
    def _name_at(self) -> int:
        return next(place for place, column in enumerate(self.table.columns) if column.form == Form.NAME)

    @property
    def _plain_columns(self) -> Iterator[tuple[str, Column]]:
        return ((name, self.table.column(name)) for name in self.table.page if ":" not in name)

    def _heading(self, name: str) -> ShownHeading:
        if name.startswith(CHART):
            return ShownHeading(str(self.table.column(name.removeprefix(CHART)).title))
        if name.startswith(HALF):
            return ShownHeading(_("Half the width of the interval"), is_hidden=True)
        column = self.table.column(name)
        is_number = column.is_number or column.form == Form.RANKS
        return ShownHeading(str(column.title), self.sorted.headings[name], is_number)

    def _cell(self, name: str, row: Sequence[Cell]) -> ShownCell:
        if name.startswith((CHART, HALF)):
            drawn = self._drawn(name, row)
            if name.startswith(CHART):
                return ShownCell(drawn=drawn)
            text = "" if drawn.half_width is None else f"± {decimals(drawn.half_width, drawn.decimals)}"
            return ShownCell(text, is_number=True, is_quiet=True)
        column, cell = self.table.column(name), row[self.table.place(name)]
        if column.form == Form.NAME:
            return ShownCell(str(cell), is_name=True, is_human=str(cell) in self.table.tagged)
        is_number = column.is_number or column.form == Form.RANKS
        is_quiet = column.form == Form.COUNT and name == self.table.page[-1]
        return ShownCell(
            self._text(column, cell),
            is_number=is_number,
            is_main=name == self.table.main,
            is_quiet=is_quiet,
            place=self._place_of(column, cell) if column.has_places else None,
        )

    def _place_of(self, column: Column, cell: Cell) -> int | None:
        if not isinstance(cell, float):
            return None
        return 1 + sum(isinstance(value, float) and value > cell for value in self.table.values(column.name))

    def _text(self, column: Column, cell: Cell) -> str:
        if cell is None or isinstance(cell, Missing):
            return "–"
        if isinstance(cell, tuple):
            return rank_range(cell)
        if isinstance(cell, str):
            return cell
        if column.form == Form.COUNT:
            return number_format(cell, force_grouping=True)
        if column.form == Form.P:
            return p_value(cell)
        places = self.decimals_of(column)
        shown = signed(cell, places) if column.form == Form.SIGNED else decimals(_scaled(column, cell), places)
        return f"{shown}{'%' if column.form == Form.SHARE else column.unit}"

    def _drawn(self, name: str, row: Sequence[Cell]) -> DrawnInterval:
        interval = self.table.column(name.partition(":")[2])
        about = self.table.column(interval.of)
        point, ends = row[self.table.place(about.name)], row[self.table.place(interval.name)]
        low, high = ends if isinstance(ends, tuple) else (None, None)
        return DrawnInterval(
            point=None if point is None or isinstance(point, Missing | str | tuple) else _scaled(about, point),
            low=None if low is None else _scaled(about, low),
            high=None if high is None else _scaled(about, high),
            decimals=self._by_axis(interval) if interval.decimals is None else interval.decimals,
            axis=self._axes[interval.name],
            is_human=str(row[self._name_at]) in self.table.tagged,
        )

    def decimals_of(self, column: Column) -> int:
        if column.decimals is not None:
            return column.decimals
        interval = next((each for each in self.table.columns if each.of == column.name), None)
        return 2 if interval is None else self._by_axis(interval)

    def _by_axis(self, interval: Column) -> int:
        """So many that two ends of the axis differ clearly, at least one."""
        axis = self._axes[interval.name]
        return max(1, 1 - math.floor(math.log10(axis.high - axis.low)))

    @cached_property
    def _axes(self) -> dict[str, Axis]:
        """By the name of the interval."""
        return {column.name: self._axis_for(column) for column in self.table.columns if column.of}

    def _axis_for(self, interval: Column) -> Axis:
        about = self.table.column(interval.of)
        ends = (end for cell in self.table.values(interval.name) if isinstance(cell, tuple) for end in cell)
        points = (cell for cell in self.table.values(about.name) if isinstance(cell, float))
        ticks = 4 if self.is_name_first else 5  # beside a name first there are more columns
        return axis_for((_scaled(about, value) for value in (*points, *ends)), most_ticks=ticks)


def _sorting(place: int) -> Callable[[tuple[int, Sequence[Cell]]], Cell]:
    def value(row: tuple[int, Sequence[Cell]]) -> Cell:
        cell = row[1][place]
        if isinstance(cell, Missing):
            return None
        return cell.casefold() if isinstance(cell, str) else cell

    return value


def _scaled(column: Column, value: float) -> float:
    return (100 if column.form == Form.SHARE else column.scale) * value
