"""How the scores of each system are spread: all systems one below the other on one axis."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols.base import Measure
from frontend.charts.drawing import Curve, Dot, Drawing, Line, Mark, Words
from frontend.charts.figure import Figure, axis_marks, directions
from frontend.interval_chart import Axis, axis_for
from frontend.shown_table import ShownTable
from frontend.templatetags.numbers import decimals
from metrics.analyses.ranking import RankedMeasures
from metrics.analyses.ranking_tables import histogram_ends, lower_edges
from metrics.results.tables import Column, Form, Table
from metrics.results.values import Ends, Missing

ROW, TALL, TOP = 34, 40, 14
FEWEST_FOR_A_CURVE = 60  # segments; of fewer each one is drawn
MANY_LOW = 0.1  # a share that is worth saying


@dataclass(frozen=True)
class Spread:
    """`counts` are of segments in equal bands from `low` to `high`; `is_open`: some scores are beyond `high`."""

    system: str
    mean: float
    interval: Ends
    low: float
    high: float
    counts: Sequence[int]
    is_open: bool = False
    is_human: bool = False

    @property
    def segments(self) -> int:
        return sum(self.counts)

    @property
    def shares(self) -> list[float]:
        """Of the bands, each evened out with its neighbours, at both ends within the scale."""
        own = [self.counts[0], *self.counts, self.counts[-1]]
        return [(own[at - 1] + 2 * own[at] + own[at + 1]) / 4 / max(self.segments, 1) for at in range(1, len(own) - 1)]

    @property
    def low_share(self) -> float:
        """Below the middle of the scale."""
        return sum(self.counts[: len(self.counts) // 2]) / max(self.segments, 1)

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2


def spreads_of(
    ranked: RankedMeasures, measures: Mapping[str, Measure], humans: frozenset[str] = frozenset()
) -> list[Spread]:
    """By the main measure, systems with a histogram; none for a measure that does not exist any more."""
    measure = measures.get(ranked.main_measure)
    if measure is None:
        return []
    return [
        Spread(
            system.system, system.mean, system.interval, low, high, counts, high < measure.high, system.system in humans
        )
        for system in ranked.compared
        if not isinstance(counts := system.histogram, Missing) and not isinstance(system.mean, Missing)
        for low, high in [histogram_ends(system, measure)]
    ]


def spread_figure(ranked: RankedMeasures, measures: Mapping[str, Measure], humans: frozenset[str]) -> Figure | None:
    spreads = [spread for spread in spreads_of(ranked, measures, humans) if spread.segments]
    if not spreads:
        return None
    measure = measures[ranked.main_measure]
    has_half = measure.higher_is_better and not spreads[0].is_open
    finding = _finding(spreads) if has_half else ""
    return Figure(
        name="spread",
        plain=_("Score distribution"),
        title=finding or _("Score distribution"),
        lead=" ".join(_lead(spreads, has_half=has_half)),
        drawing=_drawing(spreads, measure, finding, has_half=has_half),
        table=ShownTable(_table(spreads)),
    )


def _lead(spreads: Sequence[Spread], *, has_half: bool) -> Iterator[str]:
    yield _("Segments of each system by their score. Point: mean with its 95% interval.")
    if any(spread.segments < FEWEST_FOR_A_CURVE for spread in spreads):
        yield _("Small dots: single segments.")
    if has_half:
        yield _("Rust, with its share on the right: below %(middle)s.") % {"middle": f"{spreads[0].middle:g}"}


def _finding(spreads: Sequence[Spread]) -> str:
    """Where one system has many bad segments; else empty."""
    worst = max((spread for spread in spreads if not spread.is_human), key=lambda one: one.low_share, default=None)
    if worst is None or worst.low_share < MANY_LOW:
        return ""
    return _("%(share)s%% of the segments of %(name)s score below %(middle)s") % {
        "share": decimals(100 * worst.low_share, 0),
        "name": worst.system,
        "middle": f"{worst.middle:g}",
    }


def _drawing(spreads: Sequence[Spread], measure: Measure, finding: str, *, has_half: bool) -> Drawing:
    low, high = spreads[0].low, spreads[0].high
    axis = axis_for([], scale=[low, high])
    most = max(max(spread.shares) for spread in spreads)
    bottom = TOP + ROW * len(spreads) + 6
    marks = list(axis_marks(axis, bottom))
    if has_half:
        marks.append(Words(100, 4, f"< {spreads[0].middle:g}", "dim", dx=10))
    for place, spread in enumerate(spreads):
        marks += _row(spread, axis, TOP + ROW * (place + 1), TALL / most, has_half=has_half)
    end = _("the last band has all higher values") if spreads[0].is_open else ""
    marks += directions(str(measure.title), end, bottom + 33)
    means = ", ".join(f"{spread.system} {decimals(spread.mean, 1)}" for spread in spreads)
    return Drawing(f"{finding or _('Score distribution')}. {_('Means')}: {means}", bottom + 40, marks)


def _row(spread: Spread, axis: Axis, base: float, scale: float, *, has_half: bool) -> Iterator[Mark]:
    is_low = has_half and spread.low_share >= MANY_LOW
    if spread.segments >= FEWEST_FOR_A_CURVE:
        yield from _curves(spread, axis, base, scale, has_half=has_half)
    else:
        yield from _dots(spread, axis, base, has_half=has_half)
    if not isinstance(spread.interval, Missing):
        yield Line(axis.share(spread.interval[0]), base, axis.share(spread.interval[1]), base, "ci thick")
    yield Dot(axis.share(spread.mean), base, "hum" if spread.is_human else "pt", 3.6)
    yield Words(0, base - 3, spread.system, "lab", "end", -10, is_name=True)
    if has_half:
        yield Words(100, base - 3, f"{decimals(100 * spread.low_share, 0)}%", "lab" if is_low else "", dx=10)
    else:
        yield Words(100, base - 3, decimals(spread.mean, max(1, axis.decimals)), dx=10)


def _curves(spread: Spread, axis: Axis, base: float, scale: float, *, has_half: bool) -> Iterator[Mark]:
    """Through the middles of the bands, all systems on one scale of heights; it ends with the scale."""
    shares = spread.shares
    edges = lower_edges(spread.low, spread.high, len(shares))
    half_band = (spread.high - spread.low) / len(shares) / 2
    tops = [base - scale * share for share in shares]
    line = [(axis.share(edge + half_band), top) for edge, top in zip(edges, tops, strict=True)]
    line = [(axis.share(spread.low), tops[0]), *line, (axis.share(spread.high), tops[-1])]
    yield Curve([(line[0][0], base), *line, (line[-1][0], base)], "rg", is_closed=True)
    if has_half:
        middle = axis.share(spread.middle)
        below = [(x, y) for x, y in line if x <= middle]
        first_above = next((x, y) for x, y in line if x > middle)
        at_middle = (below[-1][1] + first_above[1]) / 2
        yield Curve([(below[0][0], base), *below, (middle, at_middle), (middle, base)], "rlow", is_closed=True)
    yield Curve(line, "rl hu" if spread.is_human else "rl")


def _dots(spread: Spread, axis: Axis, base: float, *, has_half: bool) -> Iterator[Mark]:
    """One for each segment, at the middle of its band."""
    yield Line(axis.share(spread.low), base, axis.share(spread.high), base, "grid")
    step = min(5.0, (ROW - 10) / max(spread.counts))
    half_band = (spread.high - spread.low) / len(spread.counts) / 2
    for edge, count in zip(lower_edges(spread.low, spread.high, len(spread.counts)), spread.counts, strict=True):
        look = "sdot low" if has_half and edge + half_band < spread.middle else "sdot"
        for place in range(count):
            yield Dot(axis.share(edge + half_band), base - 6 - step * place, look, 2)


def _table(spreads: Sequence[Spread]) -> Table:
    first = spreads[0]
    edges = lower_edges(first.low, first.high, len(first.counts))
    width = edges[1] - edges[0] if len(edges) > 1 else 1.0
    places = 0 if width >= 1 else 1 if width >= 0.1 else 2
    bands = [Column(f"@{place}", decimals(edge, places), Form.COUNT) for place, edge in enumerate(edges)]
    return Table(
        "spread",
        _("Score distribution"),
        columns=(Column("system", gettext_lazy("System"), Form.NAME), *bands),
        rows=tuple((spread.system, *spread.counts) for spread in spreads),
        part="spread",
        page=("system", *(band.name for band in bands)),
        notes=(_("Segments in bands of the scale, each named by its lower end."),),
        is_sortable=False,
    )
