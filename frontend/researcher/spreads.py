"""How the scores of each system are spread: small histograms on one scale."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.protocols.base import Measure
from frontend.interval_chart import Bar, bars_for
from metrics.analyses.ranking import RankedSystem
from metrics.results.values import Missing

CROWDED = 12  # percent of the axis that a label takes
LONG_SCALE = 50  # from here on means are shown as whole numbers
COLUMNS = ("system", "measure", "from", "to", "segments")


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
        return _edges(self.low, self.high, len(self.counts))

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


def spreads_of(systems: Sequence[RankedSystem], measure: Measure | None) -> list[Spread]:
    """Systems with a histogram; none for a measure that does not exist any more."""
    if measure is None:
        return []
    return [
        Spread(system.system, system.mean, low, high, counts, is_open=high < measure.high)
        for system in systems
        if not isinstance(counts := system.histogram, Missing) and not isinstance(system.mean, Missing)
        for low, high in [_ends(system, measure)]
    ]


def spread_csv_rows(systems: Sequence[RankedSystem], measures: Mapping[str, Measure]) -> Iterator[list[Any]]:
    """A row a band; the last band of a scale without an end has none either."""
    for system in systems:
        measure = measures.get(system.measure)
        if isinstance(system.histogram, Missing) or measure is None:
            continue
        low, high = _ends(system, measure)
        edges = [round(edge, 10) for edge in _edges(low, high, len(system.histogram))]
        ends: list[float | None] = [*edges[1:], high if high == measure.high else None]
        for start, end, count in zip(edges, ends, system.histogram, strict=True):
            yield [system.system, system.measure, start, end, count]


def _edges(low: float, high: float, bands: int) -> list[float]:
    """The lower end of each band."""
    return [low + (high - low) * place / bands for place in range(bands)]


def _ends(system: RankedSystem, measure: Measure) -> tuple[float, float]:
    return (measure.low, measure.high) if isinstance(system.histogram_range, Missing) else system.histogram_range
