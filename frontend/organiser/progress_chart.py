"""Positions of the lines in the overview's charts; only numbers, the template draws them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate

from django.utils.formats import date_format, number_format

from frontend.interval_chart import round_step
from frontend.templatetags.words import count

HEIGHT = 210
_LEFT, _RIGHT = 7.0, 100.0
_BOTTOM, _TOP = 170.0, 20.0
_MOST_TICKS = 4
_DAY_STEPS = (1, 2, 3, 7, 14, 28, 56, 91, 182, 364)
_LABEL_FROM, _LABEL_TO = 46.0, 86.0  # what a label in the middle needs at both ends of a phone
_LABELS = 14.0  # the goal's label and that of the end stand above its line: the label of now must not reach them
SPARK_HEIGHT, _SPARK_STEP, _SPARK_WIDTH = 19, 6, 4


@dataclass(frozen=True)
class Mark:
    """A tick or a label: `at` in percent of the width, or in pixels from the top."""

    label: str
    at: str
    anchor: str = "middle"


@dataclass(frozen=True)
class ProgressChart:
    """`path` and `wedge` are in a box of 100 by HEIGHT; `wedge` is empty without a forecast.

    The label of `now` is `now_dy` pixels below its point, or above it.
    """

    path: str
    wedge: str
    now: Mark
    now_y: str
    now_dy: int
    end: Mark | None
    amounts: tuple[Mark, ...]
    days: tuple[Mark, ...]


def progress_chart(
    per_day: Sequence[int],
    goal: int,
    *,
    first_day: date,
    today_share: float,
    ends: tuple[float, float] | None = None,
    end_label: str = "",
) -> ProgressChart:
    """`per_day` runs to today, of which `today_share` is over; `ends` are days from now, early and late."""
    now = len(per_day) - 1 + today_share
    length = max(now + (ends[1] if ends else 0), 1.0) * (1.02 if ends else 1.0)
    done = sum(per_day)
    highest = max(goal, done, 1)

    def x(days: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * days / length

    def y(amount: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * amount / highest

    points = [(x(0), y(0))]
    for index, reached in enumerate(accumulate(per_day)):
        points.append((x(min(index + 1, now)), y(reached)))
    wedge = [(x(now), y(done)), (x(now + ends[0]), y(goal)), (x(now + ends[1]), y(goal))] if ends else []
    at_now = x(now)
    anchor = "end" if at_now > _LABEL_FROM else "start"
    return ProgressChart(
        path=_path(points),
        wedge=f"{_path(wedge)} Z" if wedge else "",
        now=Mark(count(done), f"{at_now:.2f}%", anchor),
        now_y=f"{y(done):.1f}",
        now_dy=-8 if anchor == "end" and y(done) > _TOP + _LABELS else 18,
        end=_end_mark(x(now + (ends[0] + ends[1]) / 2), end_label) if ends else None,
        amounts=tuple(Mark(_short(amount), f"{y(amount):.1f}") for amount in _amounts(highest)),
        days=tuple(_day_marks(first_day, length, x)),
    )


def spark_paths(counts: Sequence[int], *, most: int) -> list[str]:
    """A column a day; a day without judgments is a line of one pixel."""
    columns = []
    for index, judged in enumerate(counts):
        height = max(1.0, (SPARK_HEIGHT - 3) * judged / most) if most else 1.0
        x, y = index * _SPARK_STEP, SPARK_HEIGHT - height
        columns.append(f"M{x} {y:.1f}h{_SPARK_WIDTH}v{height:.1f}h-{_SPARK_WIDTH}z")
    return columns


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + " L".join(f"{x:.2f},{y:.1f}" for x, y in points)


def _end_mark(middle: float, label: str) -> Mark:
    if middle > _LABEL_TO:
        return Mark(label, "100%", "end")
    return Mark(label, f"{max(middle, _LABEL_FROM):.2f}%")


def _amounts(highest: int) -> list[float]:
    """Round numbers from 0, as far as they leave room for the goal's line."""
    step = max(1.0, round_step(highest / _MOST_TICKS))
    return [step * place for place in range(_MOST_TICKS + 1) if step * place <= 0.97 * highest]


def _short(amount: float) -> str:
    if amount < 1000:
        return number_format(round(amount))
    thousands = amount / 1000
    return f"{number_format(thousands, decimal_pos=0 if thousands == round(thousands) else 1)}k"


def _day_marks(first: date, length: float, x: Callable[[float], float]) -> list[Mark]:
    """At most five, at equal distances; the month is named where it begins."""
    step = next((each for each in _DAY_STEPS if length / each <= _MOST_TICKS + 0.5), 728)
    marks, month = [], None
    for offset in range(0, math.floor(length) + 1, step):
        day = first + timedelta(days=offset)
        label = date_format(day, "j" if day.month == month else "j M")
        marks.append(Mark(label, f"{x(offset):.2f}%", "end" if x(offset) > _RIGHT - 4 else "middle"))
        month = day.month
    return marks
