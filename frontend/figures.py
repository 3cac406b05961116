"""Figures of a finished run for a paper: self-contained SVG with its own colours on white, drawn as on the page."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from xml.sax.saxutils import escape

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _

from frontend.downloads import text_file
from frontend.shown_table import DrawnInterval, ShownTable
from frontend.spreads import Spread, spreads_of
from metrics.analyses.gisting import Gisting
from metrics.analyses.ranking import Ranking
from metrics.analyses.ranking_tables import system_tables
from metrics.analysis_runs import AnalysisRuns

INK, QUIET, HAIR, BLUE, SOFT = "#14171c", "#4b5563", "#d5dae1", "#1f5fbf", "#9db8e0"
WIDTH, NAMES, NUMBERS, ROW, TOP = 720, 170, 150, 28, 16
_FONT = "Helvetica, Arial, 'Noto Sans', 'Noto Sans Arabic', 'Noto Sans CJK SC', sans-serif"


def figures_of(runs: AnalysisRuns) -> dict[str, tuple[str, Callable[[], str]]]:
    """By name, what each shows and how it is drawn."""
    ranking, gisting = runs.result_of(Ranking, "ranking"), runs.result_of(Gisting, "gisting")
    if ranking is None or ranking.too_early:
        return {}
    figures: dict[str, tuple[str, Callable[[], str]]] = {}
    tables = system_tables(ranking, replace(runs.read_with, humans=runs.humans)).main
    for table in () if gisting and gisting.systems else tables:  # a page shows comprehension in a table of its own
        title = _("%(measure)s with its intervals") % {"measure": table.about}
        figures[f"systems-{table.values('measure')[0]}"] = title, partial(intervals_svg, ShownTable(table), title)
    if spreads := spreads_of(ranking.main, runs.measures):
        title = _("Score distribution")
        figures["spread"] = title, partial(spreads_svg, spreads, title)
    return figures


def figure_file(runs: AnalysisRuns, name: str) -> HttpResponse:
    figures = figures_of(runs)
    if name not in figures:
        raise Http404
    return text_file(figures[name][1](), "image/svg+xml", f"{runs.campaign.slug}-{name}.svg")


def intervals_svg(table: ShownTable, title: str) -> str:
    """Systems in rank order, each mean with its interval; a line where a cluster ends, a hollow point for a person."""
    height = TOP + ROW * len(table.table.rows) + 34
    return _drawing(title, height, _interval_parts(table, height))


def _interval_parts(table: ShownTable, height: int) -> Iterator[str]:
    bottom = TOP + ROW * len(table.table.rows)
    for tick in table.axis.ticks:
        x = _across(tick.at)
        yield _line(x, TOP - 6, x, bottom, HAIR)
        yield _text(x, bottom + 18, tick.label, QUIET, "middle", 12)
    for place, (name, drawn) in enumerate(zip(table.table.values("system"), table.drawn, strict=True)):
        yield from _interval_row(str(name), drawn, TOP + ROW * place + ROW / 2)
        if place in table.table.cuts:
            yield _line(0, TOP + ROW * (place + 1), WIDTH, TOP + ROW * (place + 1), INK)
    yield _text(_across("50%"), height - 2, str(table.table.about), QUIET, "middle", 12)


def _interval_row(name: str, drawn: DrawnInterval, y: float) -> Iterator[str]:
    yield _text(0, y + 4.5, name, INK, "start", 14)
    if "low" in drawn.at:
        yield _line(_across(drawn.at["low"]), y, _across(drawn.at["high"]), y, BLUE, width=2)
    if drawn.point is not None:
        fill = "#ffffff" if drawn.is_human else BLUE
        x = _across(drawn.at["point"])
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{fill}" stroke="{BLUE}" stroke-width="2"/>'
        half = f" ± {drawn.half_width:.{drawn.decimals}f}" if drawn.half_width is not None else ""
        yield _text(WIDTH, y + 4.5, f"{drawn.point:.{drawn.decimals}f}{half}", QUIET, "end", 13)


def spreads_svg(spreads: Sequence[Spread], title: str) -> str:
    """A small histogram a system, one below the other on one axis."""
    return _drawing(title, TOP + 74 * len(spreads) + 22, _spread_parts(spreads))


def _spread_parts(spreads: Sequence[Spread]) -> Iterator[str]:
    for place, spread in enumerate(spreads):
        top = TOP + 74 * place
        for column in spread.columns:
            x, width = _across(column.x), _across(column.width) - NAMES
            y = top + float(column.y)
            yield f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{column.height}" fill="{SOFT}"/>'
        yield _line(NAMES, top + 58, WIDTH - NUMBERS, top + 58, QUIET)
        yield _line(_across(spread.mean_at), top, _across(spread.mean_at), top + 58, BLUE, width=2)
        yield _text(0, top + 54, spread.system, INK, "start", 14)
        yield _text(WIDTH, top + 54, f"{spread.mean:.{spread.digits}f}", QUIET, "end", 13)
    bottom = TOP + 74 * len(spreads)
    if spreads:
        yield _text(NAMES, bottom + 6, f"{spreads[0].low:g}", QUIET, "start", 12)
        yield _text(WIDTH - NUMBERS, bottom + 6, f"{spreads[0].high:g}", QUIET, "end", 12)


def _drawing(title: str, height: float, parts: Iterator[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:.0f}" '
        f'viewBox="-12 0 {WIDTH + 24} {height:.0f}" font-family="{_FONT}" role="img">'
        f"<title>{_xml(title)}</title>"
        f'<rect x="-12" width="{WIDTH + 24}" height="{height:.0f}" fill="#ffffff"/>{"".join(parts)}</svg>\n'
    )


def _across(share: str) -> float:
    """The position of a share of the axis, between the names and the numbers."""
    return NAMES + (WIDTH - NAMES - NUMBERS) * float(share.rstrip("%")) / 100


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, *, width: float = 1) -> str:
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width:g}"/>'


def _text(x: float, y: float, text: str, colour: str, anchor: str, size: int) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"'
    return f'<text {place} fill="{colour}" unicode-bidi="plaintext">{_xml(text)}</text>'


def _xml(text: str) -> str:
    """Without characters that XML does not allow."""
    return escape("".join(sign for sign in text if sign >= " " and sign not in "\ufffe\uffff"))
