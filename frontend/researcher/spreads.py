"""How the scores of each system are spread over the scale of a measure that has two ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.protocols.base import Measure
from frontend.researcher.interval_chart import Column, columns_for

CROWDED = 12  # percent of the axis that a label takes
LONG_SCALE = 20  # from here on whole numbers tell enough of a mean


@dataclass(frozen=True)
class Spread:
    """`place` is where the mean stands, in percent of the axis from `low` to `high`."""

    system: str
    mean: float
    low: float
    high: float
    columns: list[Column]

    @property
    def place(self) -> float:
        return min(max(100 * (self.mean - self.low) / (self.high - self.low), 0.0), 100.0)

    @property
    def mean_at(self) -> str:
        return f"{self.place:.1f}%"

    @property
    def digits(self) -> int:
        return 0 if self.high - self.low >= LONG_SCALE else 1

    @property
    def shows_low(self) -> bool:
        """The ends of the axis give way where the mean's own label stands."""
        return self.place > CROWDED

    @property
    def shows_high(self) -> bool:
        return self.place < 100 - 1.5 * CROWDED


def spreads_of(systems: Sequence[Mapping[str, Any]], measure: Measure | None) -> list[Spread]:
    """Of the systems with a histogram; none for a measure that is not known any more."""
    if measure is None:
        return []
    return [
        Spread(system["system"], system["mean"], measure.low, measure.high, columns_for(system["histogram"]))
        for system in systems
        if system.get("histogram") and system["mean"] is not None
    ]
