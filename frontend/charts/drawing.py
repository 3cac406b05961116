"""What a chart consists of: lines, points, words and shapes, drawn once for a page and once for a file.

Places across are in percent of the plot, without the gutters for names and numbers; places down are in pixels. A page
takes colours from its style sheet, by class; a file is self-contained, with colours of its own on white.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from unicodedata import east_asian_width
from xml.sax.saxutils import escape

from django.utils.safestring import SafeString, mark_safe

PAPER, INK, QUIET, FAINT, EDGE, HAIR = "#ffffff", "#14171c", "#4b5563", "#6b7280", "#8a93a0", "#d5dae1"
BLUE, RUST, GREEN = "#0b57c2", "#b8500b", "#0a7360"
WIDTH, NAMES, SHORT, NUMBERS, MARGIN = 720, 170, 46, 90, 14
LEFT: Mapping[str, int] = {"names": NAMES, "numbers": SHORT, "": MARGIN}
_GUTTERS: Mapping[str, str] = {"names": " l-m", "numbers": " l-s", "": ""}
SHOWN_LETTERS = 14  # of a name in the gutter of a page
# Circle, square, triangle and diamond, each around its point.
SHAPES = ("M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0Z", "M-4-4H4V4H-4Z", "M0-5.2L5 3.8H-5Z", "M0-5.5L5 0L0 5.5L-5 0Z")
_FONT = "Helvetica, Arial, 'Noto Sans', 'Noto Sans Arabic', 'Noto Sans CJK SC', sans-serif"
_LOOKS: Mapping[str, Mapping[str, str]] = {
    "grid": {"stroke": HAIR},
    "axis": {"stroke": EDGE},
    "zero": {"stroke": QUIET},
    "cutl": {"stroke": INK},
    "ci": {"stroke": INK, "stroke-width": "1.5"},
    "thick": {"stroke-width": "2.5"},
    "pt": {"fill": INK},
    "hum": {"fill": PAPER, "stroke": INK, "stroke-width": "1.6"},
    "ci2": {"stroke": EDGE, "stroke-width": "5", "stroke-linecap": "round", "opacity": ".4"},
    "band": {"fill": BLUE, "opacity": ".16"},
    "rg": {"fill": "#dbe6f6", "opacity": ".9"},
    "rlow": {"fill": "#f0bd98"},
    "rl": {"fill": "none", "stroke": BLUE, "stroke-width": "1.3"},
    "hu": {"stroke": QUIET, "stroke-dasharray": "4 2"},
    "sdot": {"fill": BLUE},
    "sc": {"opacity": ".42"},
    "equal": {"fill": "none", "stroke": EDGE, "stroke-dasharray": "4 3"},
    "big": {"stroke": PAPER, "stroke-width": "1.5"},
    "halo": {"paint-order": "stroke", "stroke": PAPER, "stroke-width": "4"},
    "low": {"fill": RUST},
    "k1": {"fill": "#f0bd98", "stroke": PAPER},
    "k2": {"fill": "#f9e3d3", "stroke": PAPER},
    "k3": {"fill": HAIR, "stroke": PAPER},
    "k4": {"fill": "#dbe7f6", "stroke": PAPER},
    "k5": {"fill": "#a4c4ec", "stroke": PAPER},
    "in": {"fill": INK},
    "s1": {"fill": "#c9a667", "stroke": PAPER},
    "s2": {"fill": "#cd7a54", "stroke": PAPER},
    "s3": {"fill": "#8c1458", "stroke": PAPER},
    "c1": {"fill": "#0f478f", "stroke": PAPER},
    "c2": {"fill": "#2f6fbd", "stroke": PAPER},
    "c3": {"fill": "#7fabdf", "stroke": PAPER},
    "c4": {"fill": "#b3cdee", "stroke": PAPER},
    "c5": {"fill": "#dbe7f6", "stroke": EDGE},
    "c6": {"fill": HAIR, "stroke": PAPER},
    "h0": {"fill": "#dbe6f6"},
    "h1": {"fill": "#b3cdee"},
    "h2": {"fill": "#7fabdf"},
    "h3": {"fill": "#2f6fbd"},
    "h4": {"fill": "#0f478f"},
    "gap": {"stroke": PAPER, "stroke-width": "3"},
    "inv": {"fill": PAPER},
    "stk": {"stroke": PAPER, "stroke-width": "1.6"},
    "halo2": {"stroke": PAPER, "stroke-width": "5"},
    **{f"d{place}": {"stroke": colour} for place, colour in enumerate((BLUE, RUST, GREEN, INK), 1)},
    **{f"f{place}": {"fill": colour} for place, colour in enumerate((BLUE, RUST, GREEN, INK), 1)},
    **{f"t{place}": {"fill": colour, "font-weight": "600"} for place, colour in enumerate((BLUE, RUST, GREEN, INK), 1)},
    "lab": {"fill": INK, "font-weight": "600"},
    "dim": {"fill": FAINT},
}
_WEAK: Mapping[str, Mapping[str, str]] = {"ci": {"stroke": FAINT}, "pt": {"fill": FAINT}, "hum": {"stroke": FAINT}}


class Pen(Protocol):
    """How places and looks are written."""

    def across(self, share: float) -> str: ...

    def wide(self, share: float) -> str: ...

    def look(self, names: str) -> str: ...

    def path(self, points: Sequence[tuple[float, float]], names: str, *, is_closed: bool) -> str: ...

    def name(self, whole: str) -> str: ...


class Mark(Protocol):
    def drawn(self, pen: Pen) -> str: ...


@dataclass(frozen=True)
class Line:
    """From one place to another; `look` names classes of the style sheet, here and below."""

    x1: float
    y1: float
    x2: float
    y2: float
    look: str

    def drawn(self, pen: Pen) -> str:
        ends = f'x1="{pen.across(self.x1)}" y1="{self.y1:g}" x2="{pen.across(self.x2)}" y2="{self.y2:g}"'
        return f"<line {pen.look(self.look)} {ends}/>"


@dataclass(frozen=True)
class Dot:
    """A point; what it is `about` is read by who points at it."""

    x: float
    y: float
    look: str
    r: float = 4.5
    about: str = ""
    dx: float = 0

    def drawn(self, pen: Pen) -> str:
        aside = f' transform="translate({self.dx:g})"' if self.dx else ""
        place = f'cx="{pen.across(self.x)}" cy="{self.y:g}" r="{self.r:g}"{aside}'
        return f"<circle {pen.look(self.look)} {place}{_titled('circle', self.about)}"


@dataclass(frozen=True)
class Shape:
    """A point whose shape tells whose it is."""

    x: float
    y: float
    steps: str
    look: str
    about: str = ""

    def drawn(self, pen: Pen) -> str:
        path = f'<path {pen.look(self.look)} d="{self.steps}"{_titled("path", self.about)}'
        return f'<svg x="{pen.across(self.x)}" y="{self.y:g}" overflow="visible">{path}</svg>'


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float
    look: str
    about: str = ""

    def drawn(self, pen: Pen) -> str:
        size = f'width="{pen.wide(self.width)}" height="{self.height:g}"'
        place = f'x="{pen.across(self.x)}" y="{self.y:g}" {size}'
        return f"<rect {pen.look(self.look)} {place}{_titled('rect', self.about)}"


@dataclass(frozen=True)
class Words:
    """`dx` pixels beside their place; a name is shortened where a page has no room for it."""

    x: float
    y: float
    text: str
    look: str = ""
    anchor: str = "start"
    dx: float = 0
    is_name: bool = False

    def drawn(self, pen: Pen) -> str:
        shown = pen.name(self.text) if self.is_name else self.text
        aside = f' dx="{self.dx:g}"' if self.dx else ""
        place = f'x="{pen.across(self.x)}" y="{self.y:g}"{aside} text-anchor="{self.anchor}"'
        title = f"<title>{_xml(self.text)}</title>" if shown != self.text else ""
        return f"<text {pen.look(self.look)} {place}>{_xml(shown)}{title}</text>"


@dataclass(frozen=True)
class Curve:
    """A line through points, or the area inside."""

    points: Sequence[tuple[float, float]]
    look: str
    is_closed: bool = False

    def drawn(self, pen: Pen) -> str:
        return pen.path(self.points, self.look, is_closed=self.is_closed)


@dataclass(frozen=True)
class Drawing:
    """`finding` is what it shows, in words; gutters are left free for names or numbers on both sides."""

    finding: str
    height: int
    marks: Sequence[Mark]
    left: str = "names"
    has_numbers: bool = True
    has_names_after: bool = False

    def for_page(self) -> SafeString:
        after = " r-n" if self.has_names_after else " r-m" if self.has_numbers else ""
        gutters = f"{_GUTTERS[self.left]}{after}"
        head = f'<svg class="ch pl{gutters}" height="{self.height}" role="img" direction="ltr"'
        return mark_safe(  # noqa: S308 - every text and name is escaped where it is written
            f"{head}{_attribute('aria-label', self.finding)}>{self._marks(_PagePen(self.height))}</svg>"
        )

    def for_file(self, title: str) -> str:
        right = NAMES if self.has_names_after else NUMBERS if self.has_numbers else MARGIN
        pen = _FilePen(LEFT[self.left], WIDTH - LEFT[self.left] - right)
        top, height = 12, self.height + 20
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
            f'viewBox="0 {-top} {WIDTH} {height}" font-family="{_FONT}" font-size="12" fill="{QUIET}" role="img">'
            f"<title>{_xml(title)}</title><desc>{_xml(self.finding)}</desc>"
            f'<rect y="{-top}" width="{WIDTH}" height="{height}" fill="{PAPER}"/>{self._marks(pen)}</svg>\n'
        )

    def _marks(self, pen: Pen) -> str:
        return "".join(mark.drawn(pen) for mark in self.marks)


@dataclass(frozen=True)
class _PagePen:
    height: int

    def across(self, share: float) -> str:
        return f"{share:.2f}%"

    wide = across

    def look(self, names: str) -> str:
        return f'class="{names}"'

    def path(self, points: Sequence[tuple[float, float]], names: str, *, is_closed: bool) -> str:
        """Stretched to the width of the plot; its line is not."""
        box = f'width="100%" height="{self.height}" viewBox="0 0 100 {self.height}" preserveAspectRatio="none"'
        steps = _steps(points, is_closed=is_closed)
        path = f'<path {self.look(names)} vector-effect="non-scaling-stroke" d="{steps}"/>'
        return f'<svg x="0" y="0" {box} overflow="visible">{path}</svg>'

    def name(self, whole: str) -> str:
        """Names often differ at their ends alone."""
        wide = sum(1.0 if east_asian_width(letter) in "WF" else 0.35 for letter in whole if _is_wide(letter))
        shown = int(SHOWN_LETTERS * len(whole) / max(len(whole) + wide, 1))
        half = (shown - 1) // 2
        return whole if len(whole) <= shown else f"{whole[: half + 1]}…{whole[-half:]}"


@dataclass(frozen=True)
class _FilePen:
    left: float
    width: float

    def across(self, share: float) -> str:
        return f"{self.left + self._scaled(share):.1f}"

    def wide(self, share: float) -> str:
        return f"{self._scaled(share):.1f}"

    def look(self, names: str) -> str:
        attributes: dict[str, str] = {}
        for name in names.split():
            attributes |= _LOOKS.get(name, {})
            if "weak" in names.split():
                attributes |= _WEAK.get(name, {})
        return " ".join(f'{name}="{value}"' for name, value in attributes.items())

    def path(self, points: Sequence[tuple[float, float]], names: str, *, is_closed: bool) -> str:
        placed = [(self.left + self._scaled(x), y) for x, y in points]
        return f'<path {self.look(names)} d="{_steps(placed, is_closed=is_closed)}"/>'

    def name(self, whole: str) -> str:
        return whole

    def _scaled(self, share: float) -> float:
        return self.width * share / 100


def _is_wide(letter: str) -> bool:
    return letter.isupper() or east_asian_width(letter) in "WF"


def _steps(points: Sequence[tuple[float, float]], *, is_closed: bool) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points) + ("Z" if is_closed else "")


def _titled(tag: str, about: str) -> str:
    return f"><title>{_xml(about)}</title></{tag}>" if about else "/>"


def _attribute(name: str, text: str) -> str:
    quoted = _xml(text).replace('"', "&quot;")
    return f' {name}="{quoted}"'


def _xml(text: str) -> str:
    """Without characters that XML does not allow."""
    return escape("".join(sign for sign in text if sign >= " " and sign not in "\ufffe\uffff"))
