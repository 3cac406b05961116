"""How the scores of each system are spread: small histograms on one scale."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.protocols.base import Measure
from frontend.interval_chart import Bar, bars_for
from metrics.analyses.ranking import RankedMeasures
from metrics.analyses.ranking_tables import histogram_ends, lower_edges
from metrics.results.values import Missing

CROWDED = 12  # percent of the axis that a label takes
LONG_SCALE = 50  # from here on means are shown as whole numbers


@dataclass(frozen=True)
class Spread:
    """`place` is the mean, in percent of the axis; `is_open`: some scores are beyond `high`."""

    system: str
    mean: float
    low: float
    high: float
    counts: Sequence[int]
    is_open: bool = False

    @property
    def columns(self) -> list[Bar]:
        return bars_for(self.counts)

    @property
    def edges(self) -> list[float]:
        return lower_edges(self.low, self.high, len(self.counts))

    @property
    def edge_digits(self) -> int:
        width = (self.high - self.low) / max(len(self.counts), 1)
        return 0 if width >= 1 else 1 if width >= 0.1 else 2

    @property
    def place(self) -> float:
        return min(max(100 * (self.mean - self.low) / (self.high - self.low), 0.0), 100.0)

    @property
    def mean_at(self) -> str:
        return f"{self.place:.1f}%"

    @property
    def digits(self) -> int:
        if self.high - self.low < 2:
            return 2
        return 0 if self.high - self.low >= LONG_SCALE else 1

    @property
    def end_digits(self) -> int:
        return 0 if float(self.high).is_integer() else 1

    @property
    def shows_low(self) -> bool:
        """The labels of the axis ends are hidden where the mean's own label is."""
        return self.place > CROWDED

    @property
    def shows_high(self) -> bool:
        return self.place < 100 - 1.5 * CROWDED


def spreads_of(ranked: RankedMeasures, measures: Mapping[str, Measure]) -> list[Spread]:
    """By the main measure, systems with a histogram; none for a measure that does not exist any more."""
    measure = measures.get(ranked.main_measure)
    if measure is None:
        return []
    return [
        Spread(system.system, system.mean, low, high, counts, is_open=high < measure.high)
        for system in ranked.compared
        if not isinstance(counts := system.histogram, Missing) and not isinstance(system.mean, Missing)
        for low, high in [histogram_ends(system, measure)]
    ]
