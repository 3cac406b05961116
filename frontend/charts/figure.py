"""A chart on a page: its finding as the title, the drawing, its numbers as a table, and the names of its files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from frontend.charts.drawing import Drawing, Line, Mark, Words
from frontend.interval_chart import Axis
from frontend.shown_table import ShownTable
from frontend.templatetags.numbers import decimals, signed


@dataclass(frozen=True)
class Figure:
    """`name` is that of its SVG, `plain` what it shows in a few words; the table's name is that of the CSV.

    The title is the finding, or the plain name where none holds. Without a table, one stands beside it on the page.
    `csv` is the route of its CSV, with arguments, where it is not one of the results page; `more` an address with
    words, of what is behind the chart. `choices` are what a reader may choose instead of `chosen`, as `choice` in the
    page's address.
    """

    name: str
    plain: str
    title: str
    lead: str
    drawing: Drawing
    table: ShownTable | None = None
    csv: tuple[str, ...] = ()
    more: tuple[str, str] | None = None
    choice: str = ""
    chosen: str = ""
    choices: Sequence[str] = ()

    @property
    def heading(self) -> str:
        """Its id on the page, which names its table as well."""
        return self.table.table.part if self.table else f"{self.name}-chart"


def axis_marks(axis: Axis, bottom: float, *, top: float = 0, is_signed: bool = False, unit: str = "") -> Iterator[Mark]:
    """Hairlines with their numbers below."""
    for value in axis.values:
        at = axis.share(value)
        shown = signed(value, axis.decimals) if is_signed else decimals(value, axis.decimals)
        yield Line(at, top, at, bottom, "grid")
        yield Words(at, bottom + 15, f"{shown}{unit}", "dim", "middle")


def directions(left: str, right: str, y: float) -> Iterator[Mark]:
    """What the ends of an axis mean; both fit side by side on a phone where they begin in the gutters."""
    yield Words(0, y, left, dx=-94)
    yield Words(100, y, right, anchor="end", dx=54)
