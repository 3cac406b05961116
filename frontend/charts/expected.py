"""What to expect of a budget: how many pairs of systems a choice of segments orders as all segments do."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from django.utils.translation import gettext as _

from frontend.charts.drawing import SHAPES, Drawing, Line, Mark, Shape, Words
from frontend.charts.figure import Figure
from frontend.charts.plane import HEIGHT, TOP, Plane
from frontend.interval_chart import axis_for
from frontend.shown_table import ShownTable
from metrics.item_expectation import Expected, curve_table
from metrics.results.values import Missing, Number

CHOSEN, RANDOM = 1, 2  # looks


def expected_figure(curve: Sequence[Expected], budget: int, unit: str) -> Figure | None:
    """None where no metric says how systems would be ordered."""
    drawn = [one for one in curve if not isinstance(one.pairwise_accuracy, Missing)]
    if len(drawn) < 2:
        return None
    values = [value for one in drawn for value in (one.pairwise_accuracy, one.random) if isinstance(value, float)]
    across = axis_for([0.0, *(float(one.budget) for one in drawn)], most_ticks=5)
    upwards = axis_for([], most_ticks=5, scale=[min(90.0, *(100 * value for value in values)), 100.0])
    plane = Plane(across, upwards)
    plain = _("Pairs of systems ordered as by all segments, by budget")
    marks = list(plane.marks(unit, _("% of pairs")))
    if across.low <= budget <= across.high:
        marks.append(Line(plane.x(budget), TOP, plane.x(budget), plane.y(plane.up.low), "cutl"))
    marks += _curve(plane, [(one.budget, one.random) for one in drawn], RANDOM, _("at random"))
    marks += _curve(plane, [(one.budget, one.pairwise_accuracy) for one in drawn], CHOSEN, _("chosen"))
    spoken = "; ".join(
        _("%(budget)d: chosen %(chosen)s, at random %(random)s")
        % {"budget": one.budget, "chosen": _percent(one.pairwise_accuracy), "random": _percent(one.random)}
        for one in drawn
    )
    return Figure(
        name="expected",
        plain=plain,
        title=_title(drawn, budget) or plain,
        lead=_("By the metric’s own scores. The line down is the budget."),
        drawing=Drawing(f"{plain}. {spoken}", HEIGHT, marks, left="numbers", has_names_after=True),
        table=ShownTable(curve_table(curve)),
    )


def _title(drawn: Sequence[Expected], budget: int) -> str:
    """For the largest drawn budget that is not above the one chosen."""
    within = [one for one in drawn if one.budget <= budget]
    if not within:
        return ""
    return _(
        "Pairs ordered as by all: %(chosen)s (segments: %(segments)d); by a random choice of as much %(random)s"
    ) % {
        "segments": within[-1].segments,
        "chosen": _percent(within[-1].pairwise_accuracy),
        "random": _percent(within[-1].random),
    }


def _percent(value: Number) -> str:
    return "–" if isinstance(value, Missing) else f"{100 * value:.0f}%"


def _curve(plane: Plane, values: Sequence[tuple[int, Number]], look: int, name: str) -> Iterator[Mark]:
    points = [(plane.x(at), plane.y(100 * value), value) for at, value in values if not isinstance(value, Missing)]
    for (x1, y1, _first), (x2, y2, _second) in pairwise(points):
        yield Line(x1, y1, x2, y2, f"ci d{look}")
    for (x, y, value), (at, _value) in zip(points, values, strict=False):
        yield Shape(x, y, SHAPES[look - 1], f"f{look}", f"{name}, {at}: {_percent(value)}")
    if points:
        x, y, _last = points[min(2, len(points) - 1)]
        below = look == RANDOM
        yield Words(x, y + (18 if below else -10), name, f"t{look} halo", "start", 8)
