"""Tables of a result: columns that describe their values, and rows. Their writers know nothing about analyses."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from metrics.results.values import Ends, Missing, Number

Text = str | Promise
HUMAN = gettext_lazy("human")


@dataclass(frozen=True)
class Note:
    """Words for a page: a warning (`level` is `warn`), a tag (`tag`, `ok`, `bad`), or a link to `address`.

    `spoken` is what a link is called where its text is the same in every row.
    """

    text: Text
    level: str = ""
    address: str = ""
    spoken: Text = ""

    def __str__(self) -> str:
        return str(self.text)


@dataclass(frozen=True)
class Marked:
    """A value and how a page highlights it: the `shade` behind it, bold print, a `small_text` after it.

    `bold_means` and `words` say the same to people who do not see it.
    """

    value: str | float | None
    shade: str = ""
    is_bold: bool = False
    bold_means: Text = ""
    small_text: str = ""
    words: str = ""


PlainCell = str | int | Number | Ends | tuple[int, ...] | Note | list[Note] | None
Cell = PlainCell | Marked
FileCell = str | int | float | None
MadeCells = Mapping[str, Callable[[Any], Cell]]


class Form(Enum):
    """How the values of a column are read; `ENDS` and `RANKS` are pairs, each of their values a column in files."""

    NAME = "name"
    TEXT = "text"
    COUNT = "count"
    NUMBER = "number"
    SIGNED = "signed"
    SHARE = "share"  # from 0 to 1, for people in percent
    P = "p"
    YES_NO = "yes_no"
    ENDS = "ends"
    RANKS = "ranks"
    SECONDS = "seconds"  # for people in minutes and hours
    POINT = "point"  # of a short scale, or halfway between two


@dataclass(frozen=True)
class Column:
    """`keys` are its names in CSV and JSON, `title` what people read; `prefix` and `unit` enclose each number.

    `decimals` of None are as many as the values need to differ; what a page shows is `scale` times the value, and with
    `has_places` its place among those of the column, the highest first. `under` names the column shown below in
    the same cell. A missing number shows what `missing` says of its reason (of any reason under an empty name), or a
    dash. Of an interval, `of` names the column it is about; its axis covers `span`, `mark` is a line on it, `spoken` is
    its text, by its mean, low, high, and half its width. Where
    lower is better, a column `is_falling`; a `remark` is shown below its title. On a page, columns side by side with
    the same `group` share that heading above their own.
    """

    name: str
    title: Text = ""
    form: Form = Form.NUMBER
    decimals: int | None = 2
    unit: str = ""
    prefix: Text = ""
    keys: tuple[str, ...] = ()
    of: str = ""
    span: tuple[float, float] | None = None
    mark: float | None = None
    spoken: Text = ""
    under: str = ""
    missing: Mapping[str, Text] = field(default_factory=dict)
    is_falling: bool = False
    remark: Text = ""
    group: Text = ""
    highest_first: bool = False
    scale: float = 1.0
    has_places: bool = False
    paper_title: Text = ""
    is_in_files: bool = True

    @property
    def file_keys(self) -> tuple[str, ...]:
        return (self.keys or (self.name,)) if self.is_in_files else ()

    @property
    def is_number(self) -> bool:
        return self.form not in (Form.NAME, Form.TEXT, Form.RANKS, Form.YES_NO)


@dataclass(frozen=True)
class Table:
    """`columns` are in the order of files; `page`, `paper` and `terminal` name those that each shows, in its order.

    On a page `chart:interval` draws an interval, `half:interval` prints half its width, `ends:interval` both its ends,
    and `bars:counts` draws columns. `name` is that of its file, `part` tells tables of one file apart on their page,
    `paper_name` in a paper, where `caption` goes before the title. `about` is what its numbers measure. `main` is the
    column whose numbers stand out. A rule follows the rows whose places are in `cuts`, as they come. `sums` is a row
    that stays the last, `legend` explains marks by their number, a page shows no more than `most_rows`. A CSV for a
    paper has all columns, or only those of the paper. `order` names the column that rows are sorted by at first, after
    a minus from the highest down; without `is_sortable` they stay as they come. Where `main_row` is a name, that row
    alone stands out. Rows named in `dimmed` do not count. `few` are the columns of a long page shown until its reader
    asks for more; a cell that `has_one_line` has what is under it beside it.
    Where there are very many cells, `as_shown` marks those of a row that a page shows.
    """

    name: str
    title: Text
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    part: str = ""
    about: Text = ""
    caption: Text = ""
    paper_name: str = ""
    page: tuple[str, ...] = ()
    few: tuple[str, ...] = ()
    paper: tuple[str, ...] = ()
    terminal: tuple[str, ...] = ()
    cuts: frozenset[int] = frozenset()
    main: str = ""
    main_row: str = ""
    order: str = ""
    is_sortable: bool = True
    has_one_line: bool = False
    dimmed: frozenset[str] = frozenset()
    lead: Text = ""
    cuts_lead: Text = ""
    notes: tuple[str, ...] = ()
    tagged: frozenset[str] = frozenset()  # names of rows that have the `tag`
    tag: Text = HUMAN
    sums: tuple[Cell, ...] = ()
    legend: tuple[tuple[int, Text], ...] = ()
    most_rows: int | None = None
    as_shown: Callable[[Sequence[Cell]], tuple[Cell, ...]] | None = None
    paper_decimals: int = 2
    paper_csv_has_all: bool = True

    @cached_property
    def _places(self) -> dict[str, int]:
        """Of the first column of each name."""
        return {column.name: place for place, column in reversed(list(enumerate(self.columns)))}

    def place(self, name: str) -> int:
        return self._places[name]

    def has(self, name: str) -> bool:
        return name in self._places

    def column(self, name: str) -> Column:
        return self.columns[self.place(name)]

    def values(self, name: str) -> list[Cell]:
        place = self.place(name)
        return [row[place] for row in self.rows]

    @property
    def file_header(self) -> list[str]:
        return [key for column in self.columns for key in column.file_keys]

    def file_rows(self) -> Iterator[list[FileCell]]:
        """Numbers unrounded, None where one is missing."""
        for row in self.rows:
            yield [part for column, cell in zip(self.columns, row, strict=True) for part in _file_cells(column, cell)]


def rows_of(
    columns: Sequence[Column], results: Iterable[Any], others: MadeCells = MappingProxyType({})
) -> tuple[tuple[Cell, ...], ...]:
    """A row for each result: its attribute of each column's name, or what `others` make of it for that column."""
    of_columns = [others.get(column.name) or attrgetter(column.name) for column in columns]
    return tuple(tuple(cell(one) for cell in of_columns) for one in results)


def attributes_table(name: str, attributes: Sequence[str], results: Iterable[object], signature: str) -> Table:
    """For a file alone: the same attributes of each result, and the signature of them all."""
    columns = tuple(Column(each, "", Form.TEXT) for each in (*attributes, "signature"))
    return Table(name, "", columns, rows_of(columns, results, {"signature": lambda _one: signature}))


def rank_range(ranks: tuple[float, ...]) -> str:
    """For people: one rank, or the first and the last of a range."""
    return "–".join(str(rank) for rank in dict.fromkeys(ranks))


def _file_cells(column: Column, cell: Cell) -> Sequence[FileCell]:
    if not column.is_in_files or isinstance(cell, Note | list):
        return ()
    if cell is None or isinstance(cell, Missing):
        return [None] * len(column.file_keys)
    if isinstance(cell, Marked):
        return [cell.value]
    return cell if isinstance(cell, tuple) else [cell]


def one_file(tables: Iterable[Table], header: Sequence[str] = ()) -> tuple[list[str], list[list[FileCell]]]:
    """The rows of tables that go into one file; `header` is that of a file without any."""
    listed = list(tables)
    columns = listed[0].file_header if listed else list(header)
    return columns, [row for table in listed for row in table.file_rows()]
