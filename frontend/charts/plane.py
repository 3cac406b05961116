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
    """Higher values are on the right and above, lower ones where an axis is turned."""

    across: Axis
    up: Axis
    is_across_turned: bool = False
    is_up_turned: bool = False

    def x(self, value: float) -> float:
        share = self.across.share(value)
        return 100 - share if self.is_across_turned else share

    def y(self, value: float) -> float:
        share = self.up.share(value) / 100
        return TOP + PLOT * (share if self.is_up_turned else 1 - share)

    def marks(self, across: str, up: str) -> Iterator[Mark]:
        yield Words(0, TOP - 8, up, dx=-30)
        for value in self.up.values:
            yield Line(0, self.y(value), 100, self.y(value), "grid")
            yield Words(0, self.y(value) + 4, decimals(value, self.up.decimals), "dim", "end", -6)
        last = self.across.values[0 if self.is_across_turned else -1]
        for value in self.across.values:
            yield Line(self.x(value), TOP, self.x(value), TOP + PLOT, "grid")
            anchor = "end" if value == last else "middle"
            yield Words(self.x(value), TOP + PLOT + 15, decimals(value, self.across.decimals), "dim", anchor)
        yield Words(100, TOP + PLOT + 33, f"{across} →", anchor="end")
