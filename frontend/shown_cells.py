"""The cells, rows and headings of a table on a page; plain cells are written here, others by their template."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from operator import attrgetter

from django.utils.safestring import SafeString, mark_safe

from frontend.drawn_interval import DrawnInterval
from frontend.interval_chart import Bar
from frontend.sorting import Heading
from metrics.results.tables import Column, Note


@dataclass(frozen=True)
class ShownCell:
    """`words` repeat `small_text` for screen readers, as `bold_means` repeats bold print."""

    text: str = ""
    is_name: bool = False
    is_number: bool = False
    is_bold: bool = False
    is_quiet: bool = False
    is_tagged: bool = False
    is_own: bool = False
    bold_means: str = ""
    small_text: str = ""
    words: str = ""
    shade: str = ""
    address: tuple[str, str] | None = None
    drawn: DrawnInterval | None = None
    bars: list[Bar] | None = None
    notes: Sequence[Note] = ()
    under: "ShownCell | None" = None

    @property
    def is_plain(self) -> bool:
        """Words alone, as most cells are: written without the template of all that a cell may have."""
        has_more = self.notes or self.under or self.drawn or self.bars is not None
        return not (has_more or self.is_own or (self.is_name and (self.is_tagged or self.small_text)))

    @property
    def content(self) -> SafeString:
        """The words, bold where they are, with what stands beside them, as a link where they lead somewhere."""
        return mark_safe(self._words)  # noqa: S308 - of pieces that are escaped one by one

    @property
    def _words(self) -> str:
        words = escape(str(self.text))
        if self.is_bold:
            words = f"<b>{words}</b>{_hidden(self.bold_means)}"
        if self.small_text:
            beside = f'<small class="small muted place" aria-hidden="true">{escape(str(self.small_text))}</small>'
            words = f"{words} {beside}{_hidden(f' {self.words}')}"
        if self.address:
            words = f'<a href="{escape(self.address[0])}">{words}{_hidden(self.address[1])}</a>'
        return words

    def plainly(self, *, is_main: bool) -> str:
        """As `shown_cell.html` writes it where it is plain, in a tenth of the time."""
        if self.is_name:
            weight = "" if is_main else ' class="plain-weight"'
            return f'<th scope="row"{weight}><bdi>{escape(str(self.text))}</bdi></th>'
        shade = f' data-q="{escape(str(self.shade))}"' if self.shade else ""
        return f'<td class="{self.style}"{shade}>{self._words}</td>'

    @property
    def style(self) -> str:
        return " ".join(["num"] * self.is_number + ["small muted"] * self.is_quiet)


def _hidden(words: str) -> str:
    """For screen readers."""
    return f'<span class="vh">{escape(str(words))}</span>' if words else ""


@dataclass(frozen=True)
class ShownHeading:
    """`heading` where rows can be sorted by the column; a title that `is_hidden` is for people who do not see it.

    A column that `is_for_wide` is hidden on narrow screens.
    """

    title: str
    heading: Heading | None = None
    is_number: bool = False
    is_hidden: bool = False
    is_for_wide: bool = False
    column: Column | None = None


@dataclass(frozen=True)
class ShownRow:
    name: str
    cells: tuple[ShownCell, ...]
    ends_cluster: bool
    is_main: bool = True
    is_dimmed: bool = False

    @property
    def pieces(self) -> Iterator["SafeString | ShownCell"]:
        """Plain cells that follow one another as they are written, and the cells between them."""
        for is_plain, cells in groupby(self.cells, key=attrgetter("is_plain")):
            if is_plain:
                yield mark_safe("".join(each.plainly(is_main=self.is_main) for each in cells))  # noqa: S308 - escaped
            else:
                yield from cells
