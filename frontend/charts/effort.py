"""Edits against time: each judgment a point, and of each system the means with their intervals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

import numpy as np

from frontend.charts.drawing import SHAPES, Dot, Drawing, Line, Mark, Shape, Words
from frontend.charts.figure import Figure
from frontend.charts.plane import HEIGHT, Plane
from frontend.interval_chart import axis_for
from frontend.shown_table import ShownTable
from frontend.templatetags.numbers import decimals
from metrics.analyses.post_editing import MEASURE, PostEditedSystem, PostEditing
from metrics.analyses.ranking import RankedMeasures
from metrics.results.tables import Column, Form, Table
from metrics.results.values import Ends, Missing

LOOKS = 4
DRAWN = 0.97  # of the points; a few farther out would press all others together
HOUR = 3600


@dataclass(frozen=True)
class Effort:
    """Of one system, HTER and seconds for a source word, with intervals; `points` are single judgments."""

    system: str
    hter: float
    hter_ends: Ends
    pace: float
    pace_ends: Ends
    points: Sequence[tuple[float, float]]


def effort_figure(result: PostEditing, ranked: RankedMeasures) -> Figure | None:
    """None without times, or without words to count."""
    intervals = {one.system: one.interval for one in ranked.systems if one.measure == MEASURE}
    efforts = [effort for one in result.systems if (effort := _effort(one, intervals.get(one.system, Missing())))]
    if not efforts:
        return None
    plain = _("Edits and time")
    plane = _plane(efforts)
    beyond = sum(_is_beyond(plane, point) for effort in efforts for point in effort.points)
    lead = _("Small: single judgments; large: means of the systems with 95% intervals. Editors differ in speed.")
    if beyond:
        lead += " " + ngettext(
            "%(count)d judgment lies beyond the axes.", "%(count)d judgments lie beyond the axes.", beyond
        ) % {"count": beyond}
    first, last = efforts[0], efforts[-1]
    title = _("%(first)s: HTER %(hter)s, %(pace)s seconds a word; %(last)s: %(last_hter)s, %(last_pace)s seconds") % {
        "first": first.system,
        "hter": decimals(first.hter, 2),
        "pace": decimals(first.pace, 1),
        "last": last.system,
        "last_hter": decimals(last.hter, 2),
        "last_pace": decimals(last.pace, 1),
    }
    return Figure(
        name="effort",
        plain=plain,
        title=title if len(efforts) > 1 else plain,
        lead=lead,
        drawing=_drawing(efforts, plane, plain),
        table=ShownTable(_table(efforts, plain)),
    )


def _effort(one: PostEditedSystem, interval: Ends) -> Effort | None:
    if one.edits_and_pace is None or isinstance(one.words_per_hour, Missing) or isinstance(one.hter, Missing):
        return None
    rates = one.words_per_hour_interval
    return Effort(
        one.system,
        one.hter,
        interval,
        HOUR / one.words_per_hour,
        rates if isinstance(rates, Missing) or not rates[0] else (HOUR / rates[1], HOUR / rates[0]),
        one.edits_and_pace,
    )


def _plane(efforts: Sequence[Effort]) -> Plane:
    means = [(one.hter, one.pace) for one in efforts]
    ends = [(one.hter_ends, one.pace_ends) for one in efforts]
    axes = []
    for side in (0, 1):
        points = [point[side] for effort in efforts for point in effort.points]
        needed = [0.0, *(mean[side] for mean in means), *([float(np.quantile(points, DRAWN))] if points else [])]
        for each in ends:
            own = each[side]
            needed += [] if isinstance(own, Missing) else own
        axes.append(axis_for(needed, most_ticks=6))
    return Plane(axes[0], axes[1])


def _is_beyond(plane: Plane, point: tuple[float, float]) -> bool:
    return point[0] > plane.across.high or point[1] > plane.up.high


def _drawing(efforts: Sequence[Effort], plane: Plane, plain: str) -> Drawing:
    marks = list(plane.marks(_("HTER"), _("Seconds for a source word")))
    for place, effort in enumerate(efforts):
        for point in effort.points:
            if not _is_beyond(plane, point):
                marks.append(Dot(plane.x(point[0]), plane.y(point[1]), f"f{place % LOOKS + 1} sc", 2.4))
    for place, effort in enumerate(efforts):
        marks += _mean(effort, plane, place % LOOKS)
    marks += [_name(effort, plane) for effort in efforts]  # over everything else
    spoken = ", ".join(f"{one.system} {decimals(one.hter, 2)}, {decimals(one.pace, 1)}" for one in efforts)
    return Drawing(f"{plain}: {spoken}", HEIGHT, marks, left="numbers", has_numbers=False)


def _mean(one: Effort, plane: Plane, look: int) -> Iterator[Mark]:
    x, y = plane.x(one.hter), plane.y(one.pace)
    if not isinstance(one.hter_ends, Missing):
        yield Line(plane.x(one.hter_ends[0]), y, plane.x(one.hter_ends[1]), y, "ci")
    if not isinstance(one.pace_ends, Missing):
        yield Line(x, plane.y(one.pace_ends[0]), x, plane.y(one.pace_ends[1]), "ci")
    yield Shape(x, y, SHAPES[look], f"f{look + 1} big")


def _name(one: Effort, plane: Plane) -> Words:
    x, y = plane.x(one.hter), plane.y(one.pace) - 8
    anchor, dx = ("end", -8) if x > 80 else ("start", 8)
    return Words(x, y, one.system, "lab halo", anchor, dx, is_name=True)


def _table(efforts: Sequence[Effort], plain: str) -> Table:
    return Table(
        "effort",
        plain,
        columns=(
            Column("system", gettext_lazy("System"), Form.NAME),
            Column("hter", "HTER", decimals=3),
            Column("hter_ends", gettext_lazy("95% interval"), Form.ENDS, 3, of="hter"),
            Column("pace", gettext_lazy("Seconds for a source word"), decimals=1),
            Column("pace_ends", gettext_lazy("95% interval"), Form.ENDS, 1, of="pace"),
        ),
        rows=tuple((one.system, one.hter, one.hter_ends, one.pace, one.pace_ends) for one in efforts),
        part="effort",
        page=("system", "hter", "hter_ends", "pace", "pace_ends"),
        is_sortable=False,
    )
