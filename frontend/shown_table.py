"""A table of a result as a page shows it: sorted as its reader asks, numbers as people read them, intervals drawn."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.http import QueryDict
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from frontend.column_choice import ColumnChoice
from frontend.drawn_interval import DrawnInterval
from frontend.interval_chart import Axis, axis_for, bars_for
from frontend.shown_cells import ShownCell, ShownHeading, ShownRow, rows_written
from frontend.sorting import COLUMN, PAGE, Row, Sorted, SortKey, changed
from frontend.templatetags.numbers import decimals, decimals_writer, p_value, point, signed
from frontend.templatetags.words import duration
from metrics.results.tables import Cell, Column, Form, Marked, Note, PlainCell, Table, rank_range
from metrics.results.values import Missing

CHART, HALF, ENDS, BARS = DRAWINGS = ("chart:", "half:", "ends:", "bars:")
BARS_HEIGHT = 26
_WRITTEN: Mapping[Form, Callable[[float], str]] = {
    Form.COUNT: lambda value: number_format(value, force_grouping=True),
    Form.P: p_value,
    Form.SECONDS: duration,
    Form.POINT: point,
}
Address = Callable[[str, str], tuple[str, str]]  # of a row and a column by their names, and in words
_UNMARKED = Marked(None)


class _Look(NamedTuple):
    """What all cells of a column share; `by_data` is its name where the data give it, `number` writes one.

    A cell of one that `is_plain` is its text, unless it is marked or has notes.
    """

    column: Column
    place: int
    is_plain: bool
    is_main: bool
    is_flush_right: bool
    is_quiet: bool
    by_data: str | None
    number: Callable[[float], str]


@dataclass(frozen=True)
class ShownTable:
    """`query` is the address of the page, which says how rows are sorted; as they come by default.

    `address_of` leads from cells whose column is named by the data. A table with so many rows `on_a_page` goes on on
    further pages.
    """

    table: Table
    query: QueryDict = field(default_factory=QueryDict)
    address_of: Address | None = None
    on_a_page: int | None = None

    @cached_property
    def sorted(self) -> Sorted:
        rows = list(enumerate(self.table.rows))
        keys = {
            name: SortKey(_sorting(self.table.place(name)), column.highest_first)
            for name, column in self._sortable_columns
        }
        usual = self.table.order or ("" if self.is_name_first else self.table.page[0])
        if usual in self.table.page:
            keys[usual] = SortKey(lambda row: row[0])
        query = self.query
        if self.on_a_page:  # another order begins at its first page
            query = query.copy()
            query.pop(PAGE, None)
        return Sorted(rows, keys, query, table=self.table.part, usual=usual)

    @cached_property
    def page(self) -> "Page[Row] | None":
        return Paginator(self.sorted.rows, self.on_a_page).get_page(self.query.get(PAGE)) if self.on_a_page else None

    @property
    def paged_query(self) -> str:
        return changed(self.query, page="")

    @cached_property
    def choice(self) -> ColumnChoice:
        return ColumnChoice(self.table, self.query, self.sorted.current.removeprefix("-"))

    @property
    def can_choose(self) -> bool:
        """Squares of shaded cells stay whole."""
        return self.choice.is_offered and not self.style.startswith("heat")

    @cached_property
    def headings(self) -> list[ShownHeading]:
        return [self._heading(name) for name in self.choice.page]

    @cached_property
    def groups(self) -> list[tuple[str, int]]:
        """The headings above those of columns, each with how many columns it has; none without groups."""
        groups = [str(heading.column.group) if heading.column else "" for heading in self.headings]
        return [(title, len(list(own))) for title, own in groupby(groups)] if any(groups) else []

    @cached_property
    def rows(self) -> list[ShownRow]:
        return [self._row(row, ends_cluster=at in self.table.cuts) for at, row in self._shown]

    @property
    def rows_written(self) -> SafeString:
        return rows_written(self.rows)

    @cached_property
    def _shown(self) -> Sequence[Row]:
        rows = list(self.page.object_list) if self.page else self.sorted.rows[: self.table.most_rows]
        as_shown = self.table.as_shown
        return [(at, as_shown(row)) for at, row in rows] if as_shown else rows

    @property
    def sums(self) -> ShownRow | None:
        """A row that stays the last, however the others are sorted."""
        return self._row(self.table.sums, ends_cluster=False) if self.table.sums else None

    @cached_property
    def style(self) -> str:
        """Shaded cells make a square; a "full" one has texts beside its numbers."""
        rows = [row for _at, row in self._shown] if self.table.as_shown else self.table.rows
        marked = [cell for row in rows for cell in row[1:] if isinstance(cell, Marked)]
        if not any(cell.shade for cell in marked):
            return "tight" if marked else ""
        return "heat full" if any(cell.small_text for cell in marked) else "heat"

    @property
    def axes(self) -> list[Axis | None]:
        """Under each chart column its axis; empty where no column has a chart."""
        if not any(name.startswith(CHART) for name in self.choice.page):
            return []
        return [self._axes.get(name.removeprefix(CHART)) for name in self.choice.page]

    @property
    def is_name_first(self) -> bool:
        """Otherwise ranks come first, and rows stay in their own order."""
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
    def has_z(self) -> bool:
        """Whether a reader may choose between raw means and z means."""
        return "z_mean" in self.table.page

    @property
    def lead(self) -> str:
        usual = self.table.cuts_lead if self.sorted.is_usual else ""
        return " ".join(str(sentence) for sentence in (self.table.lead, usual) if sentence)

    @property
    def notes(self) -> list[str]:
        is_hollow = self.axes and any(row.name in self.table.tagged for row in self.rows)
        outside = [_("* The value lies outside its interval.")] if self._has_outside else []
        return [*self.table.notes, *outside, *([_("Hollow: human.")] if is_hollow else [])]

    @property
    def _has_outside(self) -> bool:
        cells = (each for row in self.rows for cell in row.cells for each in (cell, cell.under) if each)
        return any(cell.text.endswith(" *") for cell in cells)

    @cached_property
    def _name_at(self) -> int:
        return next(place for place, column in enumerate(self.table.columns) if column.form == Form.NAME)

    @property
    def _sortable_columns(self) -> Iterator[tuple[str, Column]]:
        return ((name, self.table.column(name)) for name in self.table.page if not name.startswith(DRAWINGS))

    def _heading(self, name: str) -> ShownHeading:
        if name.startswith(CHART):
            return ShownHeading(str(self.table.column(name.removeprefix(CHART)).title))
        if name.startswith((HALF, BARS)):
            title = _("Half the width of the interval") if name.startswith(HALF) else _("Drawn")
            return ShownHeading(title, is_hidden=True, is_for_wide=name.startswith(BARS))
        column = self.table.column(name.removeprefix(ENDS))
        heading = self.sorted.headings.get(name) if self.table.is_sortable else None
        return ShownHeading(str(column.title), heading, self._is_flush_right(column), column=column)

    def _is_flush_right(self, column: Column) -> bool:
        return (column.is_number or column.form == Form.RANKS or bool(column.group)) and "heat" not in self.style

    def _row(self, row: Sequence[Cell], *, ends_cluster: bool) -> ShownRow:
        name = str(_unmarked(row[self._name_at]))
        cells = tuple([self._cell(each, row, name) for each in self.choice.page])
        is_main, is_dimmed = self.table.main_row in ("", name), name in self.table.dimmed
        chart = "small-chart" if self.is_name_first else "iv"
        return ShownRow(name, cells, ends_cluster, is_main, is_dimmed, self.table.tag, chart)

    def _cell(self, name: str, row: Sequence[Cell], row_name: str) -> ShownCell:
        """A page may have ten thousand."""
        look = self._looks.get(name)
        if look is None:
            return self._drawing(name, row, row_name)
        column, cell = look.column, row[look.place]
        marked, value = (cell, cell.value) if isinstance(cell, Marked) else (_UNMARKED, cell)
        text = look.number(value) if type(value) is float else self._text(look, value)
        if look.is_plain and marked is _UNMARKED and not isinstance(value, Note | list):
            return ShownCell(text, is_number=look.is_flush_right, is_quiet=look.is_quiet)
        under = self._under(column, row, row_name) if column.under else None
        notes = value if isinstance(value, list) else (value,) if isinstance(value, Note) else ()
        if column.form is Form.NAME:
            is_tagged = row_name in self.table.tagged
            return ShownCell(
                row_name, is_name=True, is_tagged=is_tagged, small_text=marked.small_text, notes=notes, under=under
            )
        place = self._place_of(column, value) if column.has_places else None
        by_data, address = look.by_data, None
        if by_data is not None and self.address_of is not None and value is not None:
            address = self.address_of(row_name, by_data)
        return ShownCell(
            text,
            is_number=look.is_flush_right,
            is_bold=marked.is_bold or (look.is_main and self.table.main_row in ("", row_name)),
            is_quiet=look.is_quiet or (bool(column.missing) and _is_missing(value)),
            is_own=by_data == row_name,
            bold_means=str(marked.bold_means),
            small_text=str(place) if place else marked.small_text,
            words=f"{_('place')} {place}" if place else marked.words,
            shade=marked.shade,
            address=address,
            notes=notes,
            under=under,
        )

    def _under(self, column: Column, row: Sequence[Cell], row_name: str) -> ShownCell | None:
        """Nothing below a missing number, nor a missing number below another."""
        below = column.under.removeprefix(HALF)
        if not below or not self.table.has(below):
            return None
        is_missing = any(_is_missing(row[self.table.place(name)]) for name in (column.name, below))
        return None if is_missing else self._cell(column.under, row, row_name)

    def _drawing(self, name: str, row: Sequence[Cell], row_name: str) -> ShownCell:
        if name.startswith(BARS):
            counts = row[self.table.place(name.removeprefix(BARS))]
            numbers = map(int, counts) if isinstance(counts, tuple) else ()
            return ShownCell(bars=bars_for(list(numbers), height=BARS_HEIGHT))
        if name.startswith(ENDS):
            interval = self.table.column(name.removeprefix(ENDS))
            about, ends = self._looks[interval.of], row[self.table.place(interval.name)]
            shown = [self._text(about, end) for end in ends] if isinstance(ends, tuple) else ["–"]
            return ShownCell("–".join(shown), is_number=True)
        drawn = self._drawn(name, row)
        if name.startswith(CHART):
            return ShownCell(drawn=drawn)
        under = self._under(self.table.column(name.removeprefix(HALF)), row, row_name)
        return ShownCell(drawn.half_words, is_number=True, is_quiet=True, under=under)

    def _place_of(self, column: Column, cell: Cell) -> int | None:
        if not isinstance(cell, float):
            return None
        return 1 + sum(isinstance(value, float) and value > cell for value in self.table.values(column.name))

    @cached_property
    def _looks(self) -> dict[str, _Look]:
        """By column; the first of a name, as everywhere."""
        return {column.name: self._look(column) for column in reversed(self.table.columns)}

    def _look(self, column: Column) -> _Look:
        is_last = column.form == Form.COUNT and column.name == self.table.page[-1]
        is_main = column.name == self.table.main
        is_special = column.under or column.has_places or column.missing or column.name.startswith(COLUMN)
        return _Look(
            column,
            self.table.place(column.name),
            not (is_main or is_special or column.form is Form.NAME),
            is_main,
            self._is_flush_right(column),
            is_last and bool(self.table.main or column.name == "n"),
            column.name.removeprefix(COLUMN) if column.name.startswith(COLUMN) else None,
            self._number_of(column),
        )

    def _number_of(self, column: Column) -> Callable[[float], str]:
        """How a number is written; without the table, which would not go before the next collection of garbage."""
        if column.form in _WRITTEN:
            return _WRITTEN[column.form]
        places, before = self.decimals_of(column), str(column.prefix)
        if column.form == Form.SIGNED:
            return lambda value: f"{before}{signed(value, places)}{column.unit}"
        after = "%" if column.form == Form.SHARE else column.unit
        write, scale = decimals_writer(places), _scaled(column, 1)
        return lambda value: f"{before}{write(scale * value)}{after}"

    def _text(self, look: _Look, cell: PlainCell) -> str:
        column = look.column
        if cell is None or isinstance(cell, Missing):
            reason = "" if cell is None else cell.reason
            return str(column.missing.get(reason, column.missing.get("", "–")))
        if isinstance(cell, tuple):
            return self._ends(column, cell) if column.form == Form.ENDS else rank_range(cell)
        if isinstance(cell, str | Note | list):
            return cell if isinstance(cell, str) else ""
        return look.number(cell)

    @cached_property
    def _between(self) -> str:
        return f" {pgettext('from one number to another', 'to')} "

    def _ends(self, interval: Column, ends: tuple[float, ...]) -> str:
        about, places = self.table.column(interval.of), self.decimals_of(interval)
        return self._between.join(decimals(_scaled(about, end), places) for end in ends)

    def _drawn(self, name: str, row: Sequence[Cell]) -> DrawnInterval:
        interval = self.table.column(name.partition(":")[2])
        about = self.table.column(interval.of)
        point, ends = _unmarked(row[self.table.place(about.name)]), row[self.table.place(interval.name)]
        low, high = ends if isinstance(ends, tuple) else (None, None)
        return DrawnInterval(
            point=_scaled(about, point) if isinstance(point, int | float) else None,
            low=None if low is None else _scaled(about, low),
            high=None if high is None else _scaled(about, high),
            decimals=self.decimals_of(interval),
            axis=self._axes[interval.name],
            is_human=str(row[self._name_at]) in self.table.tagged,
            mark=interval.mark,
            spoken=interval.spoken,
        )

    def decimals_of(self, column: Column) -> int:
        if column.decimals is not None:
            return column.decimals
        interval = column if column.of else next((each for each in self.table.columns if each.of == column.name), None)
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
        values = (_scaled(about, value) for value in (*points, *ends))
        return axis_for(values, most_ticks=ticks, scale=[_scaled(about, end) for end in interval.span or ()])


def _sorting(place: int) -> Callable[[Row], Any]:
    def value(row: Row) -> Any:
        cell = _unmarked(row[1][place])
        if isinstance(cell, Missing):
            return None
        if isinstance(cell, list):
            return sum(note.level == "warn" for note in cell), len(cell)
        return str(cell).casefold() if isinstance(cell, str | Note) else cell

    return value


def _is_missing(cell: Cell) -> bool:
    return cell is None or isinstance(cell, Missing)


def _unmarked(cell: Cell) -> PlainCell:
    return cell.value if isinstance(cell, Marked) else cell


def _scaled(column: Column, value: float) -> float:
    return (100 if column.form == Form.SHARE else column.scale) * value
