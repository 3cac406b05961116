"""The cells, rows and headings of a table on a page.

Python writes them: a template of all that a cell may have takes ten times as long, and a page may have thousands.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from frontend.drawn_interval import DrawnInterval
from frontend.interval_chart import Bar
from frontend.sorting import Heading
from frontend.templatetags.icons import icon
from metrics.results.tables import Column, Note, Text


class ShownCell(NamedTuple):
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

    def written(self, row: "ShownRow") -> str:
        if self.is_name:
            return self._name(row)
        if self.drawn:
            return f'<td class="{row.chart}">{self.drawn.picture}</td>'
        if self.bars is not None:
            return f'<td class="hide-s tiny-chart">{_columns(self.bars)}</td>'
        if self.is_own:
            return '<td class="self"><span aria-hidden="true">·</span></td>'
        shade = f' data-q="{_escaped(self.shade)}"' if self.shade else ""
        beside = _beside(self.notes, self.under) if self.notes or self.under else ""
        return f'<td class="{self.style}"{shade}>{self._words}{beside}</td>'

    def _name(self, row: "ShownRow") -> str:
        weight = "" if row.is_main else ' class="plain-weight"'
        name = "" if self.notes else f"<bdi>{_escaped(self.text)}</bdi>"
        tag = f' <span class="tag">{_escaped(row.tag)}</span>' if self.is_tagged else ""
        after = f' <span class="faint plain-weight">{_escaped(self.small_text)}</span>' if self.small_text else ""
        return f'<th scope="row"{weight}>{name}{_beside(self.notes, self.under)}{tag}{after}</th>'

    @property
    def _words(self) -> str:
        """Bold where they are, with what stands beside them, as a link where they lead somewhere."""
        words = _escaped(self.text)
        if self.is_bold:
            words = f"<b>{words}</b>{_hidden(self.bold_means)}"
        if self.small_text:
            beside = f'<small class="small muted place" aria-hidden="true">{_escaped(self.small_text)}</small>'
            words = f"{words} {beside}{_hidden(f' {self.words}')}"
        if self.address:
            words = f'<a href="{_escaped(self.address[0])}">{words}{_hidden(self.address[1])}</a>'
        return words

    @property
    def style(self) -> str:
        if self.is_number:
            return "num small muted" if self.is_quiet else "num"
        return "small muted" if self.is_quiet else ""


def _escaped(text: Text) -> str:
    return escape(str(text))


def _hidden(words: str) -> str:
    """For screen readers."""
    return f'<span class="vh">{_escaped(words)}</span>' if words else ""


def _columns(bars: Sequence[Bar]) -> str:
    drawn = "".join(
        f'<rect class="col" x="{bar.x}" y="{bar.y}" width="{bar.width}" height="{bar.height}"/>' for bar in bars
    )
    base = '<line class="axis" x1="0" x2="100%" y1="26.5" y2="26.5"/>'
    return f'<svg class="ch" width="100%" height="28" aria-hidden="true">{drawn}{base}</svg>'


def _beside(notes: Sequence[Note], under: ShownCell | None) -> str:
    """The notes of a cell, and below them the cell under it."""
    if not notes and under is None:
        return ""
    below = ""
    if under is not None:
        words = f"{_escaped(under.text)}{_beside(under.notes, under.under)}"
        below = f'<div class="small muted plain-weight">{words}</div>'
    return f"\n{''.join(map(_note, notes))}\n{below}"


def _note(note: Note) -> str:
    text = _escaped(note.text)
    if note.address:
        spoken = f' aria-label="{_escaped(note.spoken)}"' if note.spoken else ""
        return f'<a href="{_escaped(note.address)}"{spoken}><bdi>{text}</bdi></a>'
    if note.level == "warn":
        return f'<div class="small">{icon("alert")} {text}</div>'
    return f'<span class="tag {note.level}">{text}</span>' if note.level else f'<div class="small muted">{text}</div>'


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

    @property
    def written(self) -> SafeString:
        if self.heading is None:
            return self.plain
        about = self.column
        words, remark = f"<bdi>{_escaped(self.title)}</bdi>", ""
        if about and about.is_falling:
            words += f' <span aria-hidden="true">↓</span>{_hidden(", " + _("lower is better"))}'
        if about and about.remark:
            remark = f'<div class="micro muted plain-weight">{_escaped(about.remark)}</div>'
        return self._cell(f'<a class="plain" href="{_escaped(self.heading.address)}">{words}</a>{remark}')

    @property
    def plain(self) -> SafeString:
        """Without a link, as in a file."""
        return self._cell(_hidden(self.title) if self.is_hidden else _escaped(self.title))

    def _cell(self, words: str) -> SafeString:
        look = ' class="r"' if self.is_number else ' class="hide-s"' if self.is_for_wide else ""
        order = f' aria-sort="{self.heading.order}"' if self.heading and self.heading.order else ""
        return mark_safe(f'<th scope="col"{look}{order}>{words}</th>')  # noqa: S308 - escaped piece by piece


@dataclass(frozen=True)
class ShownRow:
    """`tag` is the word after names that are tagged, `chart` the class of cells in which an interval is drawn."""

    name: str
    cells: tuple[ShownCell, ...]
    ends_cluster: bool
    is_main: bool = True
    is_dimmed: bool = False
    tag: Text = ""
    chart: str = "iv"

    @property
    def written(self) -> SafeString:
        return mark_safe("".join([cell.written(self) for cell in self.cells]))  # noqa: S308 - escaped piece by piece


def rows_written(rows: Iterable[ShownRow]) -> SafeString:
    return mark_safe("".join(map(_in_row, rows)))  # noqa: S308 - escaped piece by piece


def _in_row(row: ShownRow) -> str:
    look = 'class="cut"' if row.ends_cluster else 'class="off"' if row.is_dimmed else ""
    return f"<tr {look}>\n          {row.written}\n        </tr>\n      "
