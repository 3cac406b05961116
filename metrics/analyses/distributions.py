"""Scales of few points as they are: how often each point was given, its median and quartiles; no mean."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.matrices import ScoreTable
from metrics.statistics.scales import point_distribution

MOST_POINTS = 11


@dataclass(frozen=True)
class Points:
    """How often each point was given to a system, the lowest first; `top_share` is that of the best point."""

    system: str
    measure: str
    judgments: int
    counts: Mapping[str, int]
    median: float
    quartiles: tuple[float, float]
    top_share: float


def distributions(evidence: Evidence) -> tuple[Points, ...]:
    """One entry a system and measure, of the judgments that rank it.

    Only of measures whose scale has two ends and few points. Quartiles are points that were given or lie halfway
    between two (Hyndman & Fan 1996, method 2).
    """
    entries = []
    for table in evidence.tables:
        kept = table.where(evidence.usable(table) & evidence.by_included(table) & table.of_kinds(evidence.recipe.rows))
        if _has_points(kept):
            entries += [_entry(kept, int(code)) for code in np.unique(kept.system)]
    return tuple(entries)


def _has_points(table: ScoreTable) -> bool:
    if not len(table) or table.is_relative or not math.isfinite(table.high - table.low):
        return False
    return table.high - table.low < MOST_POINTS and bool((table.values == np.round(table.values)).all())


def _entry(table: ScoreTable, system: int) -> Points:
    values = table.values[table.system == system]
    found = point_distribution(
        values if table.higher_is_better else -values,
        low=int(table.low),
        high=int(table.high),
        higher_is_better=table.higher_is_better,
    )
    low, high = found.quartiles
    return Points(
        system=table.systems[system],
        measure=table.measure,
        judgments=found.n,
        counts=dict(zip(map(str, found.points.tolist()), found.counts.tolist(), strict=True)),
        median=float(found.median),
        quartiles=(low, high),
        top_share=found.top_share,
    )
