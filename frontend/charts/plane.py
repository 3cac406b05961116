"""The ground of a scatter: two axes with their numbers and titles."""

from collections.abc import Iterator
from dataclasses import dataclass

from frontend.charts.drawing import Line, Mark, Words
from frontend.interval_chart import Axis
from frontend.templatetags.numbers import decimals

PLOT, TOP = 228, 18
HEIGHT = TOP + PLOT + 40


@dataclass(frozen=True)
class Plane:
    """Higher values of `up` are above."""

    across: Axis
    up: Axis

    def x(self, value: float) -> float:
        return self.across.share(value)

    def y(self, value: float) -> float:
        return TOP + PLOT * (1 - self.up.share(value) / 100)

    def marks(self, across: str, up: str) -> Iterator[Mark]:
        yield Words(0, TOP - 8, up, dx=-30)
        for value in self.up.values:
            yield Line(0, self.y(value), 100, self.y(value), "grid")
            yield Words(0, self.y(value) + 4, decimals(value, self.up.decimals), "dim", "end", -6)
        last = self.across.values[-1]
        for value in self.across.values:
            yield Line(self.x(value), TOP, self.x(value), TOP + PLOT, "grid")
            anchor = "end" if value == last else "middle"
            yield Words(self.x(value), TOP + PLOT + 15, decimals(value, self.across.decimals), "dim", anchor)
        yield Words(100, TOP + PLOT + 33, f"{across} →", anchor="end")
