"""From measurements to the figures that are reported."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import NamedTuple

from benchmarks._judging.concurrent_annotators import Measurement


class Cell(NamedTuple):
    """What a measurement is a measurement of."""

    contestant: str
    stored: int
    annotators: int


@dataclass(frozen=True)
class Spread:
    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Figures:
    """Times in milliseconds, those of processors per loop."""

    rounds: int
    loops: int
    loops_per_second: Spread
    p50: Spread
    p95: Spread
    p99: Spread
    server: Spread
    database: Spread | None
    client: Spread


def percentile(values: Sequence[float], percent: int) -> float:
    """Interpolated between neighbours, the least value being 0 % and the greatest 100 %."""
    if len(values) == 1:
        return values[0]
    return quantiles(values, n=100, method="inclusive")[percent - 1]


def spread(values: Sequence[float]) -> Spread:
    return Spread(median(values), min(values), max(values))


def figures(measurements: Sequence[Measurement]) -> Figures:
    """Each is taken of every measurement by itself, then the middle of these: one bad moment cannot move it."""
    databases = [(m.database_seconds, m.loops) for m in measurements]
    known = [_per_loop(seconds, loops) for seconds, loops in databases if seconds is not None]
    return Figures(
        rounds=len(measurements),
        loops=sum(m.loops for m in measurements),
        loops_per_second=spread([m.loops / m.seconds for m in measurements]),
        p50=spread([_milliseconds(m, 50) for m in measurements]),
        p95=spread([_milliseconds(m, 95) for m in measurements]),
        p99=spread([_milliseconds(m, 99) for m in measurements]),
        server=spread([_per_loop(m.server_seconds, m.loops) for m in measurements]),
        database=spread(known) if known else None,
        client=spread([_per_loop(m.client_seconds, m.loops) for m in measurements]),
    )


def _milliseconds(measurement: Measurement, percent: int) -> float:
    return percentile(measurement.loop_seconds, percent) * 1000


def _per_loop(seconds: float, loops: int) -> float:
    return seconds * 1000 / loops
