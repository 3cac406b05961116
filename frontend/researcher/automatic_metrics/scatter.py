"""Positions of the points in a scatter plot, and which of them have room for a name."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from frontend.charts.point_labels import Label, labels_for
from frontend.interval_chart import Axis, axis_for

TOP, BOTTOM, LEFT = 22.0, 250.0, 9.0
HEIGHT = 296


class Spot(NamedTuple):
    """A system with people's score, its interval, and the metric's score."""

    system: str
    human: float
    low: float | None
    high: float | None
    score: float
    is_hollow: bool = False


@dataclass(frozen=True)
class Point:
    spot: Spot
    x: str
    y: str
    low_y: str | None
    high_y: str | None
    label: Label | None


@dataclass(frozen=True)
class Line:
    text: str
    at: str
    text_at: str


@dataclass(frozen=True)
class Scatter:
    """Better is up: `is_turned` where people's lower scores are the better ones."""

    spots: Sequence[Spot]
    is_turned: bool = False

    @cached_property
    def across(self) -> Axis:
        return axis_for((spot.score for spot in self.spots), most_ticks=6)

    @cached_property
    def up(self) -> Axis:
        ends = (end for spot in self.spots for end in (spot.human, spot.low, spot.high) if end is not None)
        return axis_for(ends)

    @property
    def horizontals(self) -> list[Line]:
        ticks = _values(self.up)
        return [Line(text, f"{self._y(value):.1f}", f"{self._y(value) + 4:.1f}") for value, text in ticks]

    @property
    def verticals(self) -> list[Line]:
        return [Line(text, f"{_x(self.across, value):.2f}%", "") for value, text in _values(self.across)]

    @property
    def points(self) -> list[Point]:
        places = [(_x(self.across, spot.score), self._y(spot.human)) for spot in self.spots]
        labels = labels_for([spot.system for spot in self.spots], places, edge=LEFT, bottom=BOTTOM + 8)
        return [
            Point(
                spot=spot,
                x=f"{x:.2f}%",
                y=f"{y:.1f}",
                low_y=None if spot.low is None else f"{self._y(spot.low):.1f}",
                high_y=None if spot.high is None else f"{self._y(spot.high):.1f}",
                label=label,
            )
            for spot, (x, y), label in zip(self.spots, places, labels, strict=True)
        ]

    def _y(self, value: float) -> float:
        share = _share(self.up, value)
        return BOTTOM - (BOTTOM - TOP) * (1 - share if self.is_turned else share)


def _values(axis: Axis) -> list[tuple[float, str]]:
    count = round((axis.high - axis.low) / axis.step)
    return [
        (axis.low + axis.step * index, tick.label) for index, tick in zip(range(count + 1), axis.ticks, strict=True)
    ]


def _x(axis: Axis, value: float) -> float:
    return LEFT + (100 - LEFT) * _share(axis, value)


def _share(axis: Axis, value: float) -> float:
    share = (value - axis.low) / (axis.high - axis.low)
    return min(max(share, 0.0), 1.0) if math.isfinite(share) else 0.0
