"""Diverging bars: how often each step of a short scale was given, the middle one on both sides of zero."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _

from annotation.protocols.base import Measure
from frontend.charts.drawing import Box, Drawing, Line, Mark, Words
from frontend.charts.figure import Figure, directions
from frontend.interval_chart import Axis, axis_for
from frontend.templatetags.numbers import decimals
from metrics.analyses.distributions import Points

ROW, TALL, TOP = 34, 22, 34
FEWEST_STEPS, MOST_STEPS = 3, 7
READABLE = 9  # percent of the ratings: a number fits into the bar
# From the worst step to the best; the middle one is grey.
_LOOKS: Mapping[int, Sequence[str]] = {
    3: ("k1", "k3", "k5"),
    4: ("k1", "k2", "k4", "k5"),
    5: ("k1", "k2", "k3", "k4", "k5"),
    6: ("k1", "k1", "k2", "k4", "k5", "k5"),
    7: ("k1", "k1", "k2", "k3", "k4", "k5", "k5"),
}


def ratings_figure(points: Sequence[Points], measure: Measure) -> Figure | None:
    """None for scales of other lengths."""
    judged = [one for one in points if one.judgments]
    steps = _steps(judged[0], measure) if judged else []
    if not FEWEST_STEPS <= len(steps) <= MOST_STEPS:
        return None
    best = _best_steps(steps)
    first, last = judged[0], judged[-1]
    finding = _("%(first)s: %(share)s%% of the ratings are %(steps)s; %(last)s: %(other)s%%") % {
        "first": first.system,
        "share": decimals(_share(first, best), 0),
        "steps": _named(best),
        "last": last.system,
        "other": decimals(_share(last, best), 0),
    }
    plain = _("%(name)s: distribution of ratings") % {"name": measure.title}
    return Figure(
        name=f"points-{judged[0].measure}",
        plain=plain,
        title=finding if len(judged) > 1 else plain,
        lead=_("%(name)s, percent of the ratings of each step; worse ones on the left.") % {"name": measure.title},
        drawing=_drawing(judged, steps, best, finding),
        csv=("researcher-results-table", "points"),
    )


def _steps(one: Points, measure: Measure) -> list[str]:
    """From the worst to the best."""
    return list(one.counts) if measure.higher_is_better else list(one.counts)[::-1]


def _best_steps(steps: Sequence[str]) -> Sequence[str]:
    return steps[-2:] if len(steps) >= 5 else steps[-1:]


def _named(steps: Sequence[str]) -> str:
    return "–".join(sorted({steps[0], steps[-1]}, key=int))


def _share(one: Points, steps: Sequence[str]) -> float:
    return 100 * sum(one.counts[step] for step in steps) / one.judgments


def _below_zero(one: Points, steps: Sequence[str]) -> float:
    half = len(steps) // 2
    middle = _share(one, steps[half : half + 1]) / 2 if len(steps) % 2 else 0.0
    return _share(one, steps[:half]) + middle


def _drawing(points: Sequence[Points], steps: Sequence[str], best: Sequence[str], finding: str) -> Drawing:
    lefts = [_below_zero(one, steps) for one in points]
    axis = axis_for([-max(lefts), 100 - min(lefts), 0.0])
    bottom = TOP + ROW * len(points)
    marks: list[Mark] = [*_legend(steps)]
    for value in axis.values:
        at = axis.share(value)
        marks.append(Line(at, TOP - 4, at, bottom, "grid"))
        marks.append(Words(at, bottom + 15, f"{abs(value):.{axis.decimals}f}%", "dim", "middle"))
    marks.append(Words(100, TOP - 8, _named(best), "dim", dx=10))
    for place, (one, left) in enumerate(zip(points, lefts, strict=True)):
        marks += _bars(one, steps, best, axis, left, TOP + ROW * place)
    marks.append(Line(axis.share(0), TOP - 6, axis.share(0), bottom + 3, "axis zero"))
    return Drawing(finding, bottom + 40, [*marks, *directions(_("← worse"), _("better →"), bottom + 34)])


def _legend(steps: Sequence[str]) -> Iterator[Mark]:
    for place, (step, look) in enumerate(zip(steps, _LOOKS[len(steps)], strict=True)):
        yield Box(10 * place, 0, 4, 11, look)
        yield Words(10 * place + 4.8, 10, step)


def _bars(one: Points, steps: Sequence[str], best: Sequence[str], axis: Axis, left: float, y: float) -> Iterator[Mark]:
    yield Words(0, y + TALL / 2 + 4, one.system, "lab", "end", -10, is_name=True)
    start = -left
    for step, look in zip(steps, _LOOKS[len(steps)], strict=True):
        share = _share(one, [step])
        if share:
            at = axis.share(start)
            yield Box(at, y, axis.share(start + share) - at, TALL, look, f"{one.system}, {step}: {one.counts[step]}")
        if share >= READABLE:
            yield Words(axis.share(start + share / 2), y + TALL / 2 + 4, decimals(share, 0), "in", "middle")
        start += share
    yield Words(100, y + TALL / 2 + 4, f"{decimals(_share(one, best), 0)}%", "lab", dx=10)
