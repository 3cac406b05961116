"""Positions of points and whiskers in a results table: percentages of a column's width, ready for an SVG."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from frontend.templatetags.numbers import decimals

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Tick:
    label: str
    at: str


@dataclass(frozen=True)
class Axis:
    """A linear axis over [low, high] whose ends and ticks are round numbers."""

    low: float
    high: float
    step: float

    def share(self, value: float) -> float:
        """In percent of the axis."""
        return 100 * min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)

    def place(self, value: float) -> str:
        return f"{self.share(value):.2f}%"

    @property
    def values(self) -> list[float]:
        """Of the ticks."""
        return [self.low + self.step * index for index in range(round((self.high - self.low) / self.step) + 1)]

    @cached_property
    def grid(self) -> str:
        """Hairlines at the ticks, behind what is drawn in a cell; each of its column has the same."""
        places = map(self.place, self.values)
        return "".join(f'<line class="grid" x1="{at}" x2="{at}" y1="-7" y2="35"/>' for at in places)

    @property
    def decimals(self) -> int:
        """So many that ticks differ."""
        decimals: int = max(0, -math.floor(math.log10(self.step)))
        has_more = abs(self.step * 10**decimals - round(self.step * 10**decimals)) > 1e-6  # a step of 2.5
        return decimals + 1 if has_more else decimals

    @property
    def ticks(self) -> list[Tick]:
        return [Tick(decimals(value, self.decimals), self.place(value)) for value in self.values]


def axis_for(values: Iterable[float], *, most_ticks: int = 5, scale: Sequence[float] = ()) -> Axis:
    """
    The tightest round axis that contains all values and the scale; a unit-wide one for equal values or none.

    Where no value lies outside the scale and a round step divides it, the axis is the scale: 1, 3, 5 and not 0 to 6.
    """
    finite = [value for value in (*values, *scale) if math.isfinite(value)]
    if scale and (min(finite), max(finite)) == tuple(scale):
        step = round_step((scale[1] - scale[0]) / (most_ticks - 1))
        if ((scale[1] - scale[0]) / step).is_integer():
            return Axis(scale[0], scale[1], step)
    low, high = (min(finite), max(finite)) if finite else (0.0, 1.0)
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    step = round_step((high - low) / (most_ticks - 1))
    first, last = _whole_steps(low / step, high / step)
    while last - first > most_ticks:
        step = round_step(step * 1.01)
        first, last = _whole_steps(low / step, high / step)
    return Axis(first * step, last * step, step)


def _whole_steps(low: float, high: float) -> tuple[int, int]:
    """A value that misses a tick only by rounding is on it."""
    return math.floor(low + 1e-9), math.ceil(high - 1e-9)


def round_step(step: float) -> float:
    """The next round number."""
    magnitude = 10.0 ** math.floor(math.log10(step))
    return next(factor * magnitude for factor in _STEPS if factor * magnitude >= step - 1e-12)


@dataclass(frozen=True)
class Bar:
    x: str
    y: str
    height: str
    width: str


def bars_for(counts: Sequence[int], *, height: float = 58.0, least: float = 0.0) -> list[Bar]:
    """A small histogram: one column a bin, the fullest as high as the chart; an empty one has the `least` height."""
    most = max(counts, default=0)
    if most == 0:
        return []
    width, heights = 100 / len(counts), [max(least, height * count / most) for count in counts]
    return [
        Bar(x=f"{width * index:.2f}%", y=f"{height - own:.1f}", height=f"{own:.1f}", width=f"{width * 0.92:.2f}%")
        for index, own in enumerate(heights)
    ]
