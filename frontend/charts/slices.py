"""Dot plot of slices: the best systems in each part of the campaign."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotation.protocols.base import Measure
from frontend.charts.drawing import SHAPES, Drawing, Line, Mark, Shape, Words
from frontend.charts.figure import Figure, axis_marks
from frontend.interval_chart import Axis, axis_for
from frontend.templatetags.numbers import decimals
from metrics.analyses.pair_tables import EXPECTED_WINS
from metrics.analyses.ranking import RankedMeasures
from metrics.analyses.ranking_tables import MODELS
from metrics.analyses.slices import ListedSystem, Slices
from metrics.results.tables import Text
from metrics.results.values import Missing

MOST_SYSTEMS, MOST_PARTS = 4, 12
LINE, GAP = 13, 18
FAR_LEFT = 35  # percent: a name has no room before its point


@dataclass(frozen=True)
class Row:
    """One part of the campaign: its systems by name, and how many segments were judged of one of them."""

    name: str
    segments: int
    systems: Mapping[str, ListedSystem]


def slices_figure(
    result: Slices, main: RankedMeasures, measure: Measure | None, humans: frozenset[str]
) -> Figure | None:
    """Of the best systems that are not people, in the largest parts. None of a single part."""
    if measure is None:
        return None
    shown = [one.system for one in main.compared if one.system not in humans][:MOST_SYSTEMS]
    segments = {
        name: max(part.measures[measure.name].segments, default=0)
        for name, part in result.brief.items()
        if measure.name in part.measures
    }
    largest = sorted((name for name in segments if segments[name]), key=lambda name: -segments[name])[:MOST_PARTS]
    rows = [
        Row(name, segments[name], {one.system: one for one in part.by(measure.name)})
        for name, part in result.brief.items()
        if name in largest
    ]
    is_share = main.ordered_by.get(measure.name) == EXPECTED_WINS
    about = MODELS[EXPECTED_WINS] if is_share else measure.title
    plain = _("%(measure)s of the best systems in each part") % {"measure": about}
    drawing = _drawing(rows, shown, about, 100.0 if is_share else 1.0)
    if drawing is None:
        return None
    lead = _("Means with 95% intervals, and how many segments were judged. Many parts mean many comparisons.")
    if len(result.slices) > len(rows):
        lead += " " + _("The largest %(shown)d of %(all)d parts.") % {"shown": len(rows), "all": len(result.slices)}
    return Figure("slices", plain, plain, lead, drawing)


def _drawing(rows: Sequence[Row], shown: Sequence[str], about: Text, scale: float) -> Drawing | None:
    """None where nothing has a mean."""
    ones = [row.systems[name] for row in rows for name in shown if name in row.systems]
    ends = [scale * end for one in ones if not isinstance(one.interval, Missing) for end in one.interval]
    means = [scale * one.mean for one in ones if not isinstance(one.mean, Missing)]
    if not means:
        return None
    axis = axis_for([*ends, *means])
    tall = LINE * len(shown) + GAP
    bottom = tall * len(rows)
    marks = list(axis_marks(axis, bottom))
    for place, row in enumerate(rows):
        marks += _row(row, shown, axis, scale, tall * place, is_first=place == 0)
        if place:
            marks.append(Line(0, tall * place, 100, tall * place, "grid"))
    marks.append(Words(0, bottom + 33, str(about), dx=-94))
    spoken = "; ".join(f"{row.name}: {', '.join(name for name in shown if name in row.systems)}" for row in rows)
    return Drawing(f"{about}. {spoken}", bottom + 40, marks)


def _row(row: Row, shown: Sequence[str], axis: Axis, scale: float, top: float, *, is_first: bool) -> Iterator[Mark]:
    middle = top + (LINE * len(shown) + GAP) / 2
    yield Words(0, middle - 2, row.name, "lab", "end", -10, is_name=True)
    yield Words(0, middle + 12, _("%(count)s seg.") % {"count": row.segments}, "dim", "end", -10)
    for place, name in enumerate(shown):
        one = row.systems.get(name)
        if one is None or isinstance(one.mean, Missing):
            continue
        y, at = top + GAP / 2 + LINE * place + LINE / 2, axis.share(scale * one.mean)
        low, high = at, at
        if not isinstance(one.interval, Missing):
            low, high = (axis.share(scale * end) for end in one.interval)
            yield Line(low, y, high, y, f"ci d{place + 1}")
        yield Shape(at, y, SHAPES[place], f"f{place + 1}", f"{row.name}, {name}: {decimals(scale * one.mean, 2)}")
        if is_first:
            is_left = low > FAR_LEFT
            anchor, x, dx = ("end", low, -8) if is_left else ("start", high, 8)
            yield Words(x, y + 4, name, f"t{place + 1}", anchor, dx, is_name=True)
