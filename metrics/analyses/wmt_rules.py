"""What only the tables of WMT 2025 and 2026 have: two bounds for each pair, and the best system of each domain."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.system_values import SystemValues, system_values
from metrics.results.values import Number, listed, number
from metrics.statistics.arrays import BoolArray, FloatArray, group_means
from metrics.statistics.better import FEWEST_SHARED, Better

# Domains that WMT leaves out of the average of the best systems.
NOT_AVERAGED = ("factchecking", "edu")


@dataclass(frozen=True)
class PairedBound:
    """Of the differences on the `n` segments that both systems have: the mean and its one-sided lower bound."""

    n: int
    difference: Number
    low: Number


@dataclass(frozen=True)
class UnpairedBound:
    """Of the difference of the systems' means: the number and its one-sided lower bound."""

    difference: Number
    low: Number


@dataclass(frozen=True)
class Bounds:
    """The fields of a pair that bounds decide."""

    better: bool
    difference: Number
    paired: PairedBound
    unpaired: UnpairedBound


@dataclass(frozen=True, kw_only=True)
class DomainBests:
    """The highest mean of a system that is not a person in each domain; `average` without factchecking and edu."""

    best: Mapping[str, float] = listed(empty="no_domains")
    average: Number


def bounds_of(bound: Better, natural: Callable[[float], float]) -> Bounds:
    """In the unit of the answers: of a penalty the bound is an upper one."""
    difference = number(natural(bound.difference), "no_judgments")
    no_low = "no_bound" if bound.n >= FEWEST_SHARED else "too_few_items"
    paired = PairedBound(
        n=bound.n,
        difference=number(natural(bound.paired_difference), "no_shared_segments"),
        low=number(natural(bound.paired_low), no_low),
    )
    return Bounds(
        bound.is_better, difference, paired, UnpairedBound(difference, number(natural(bound.low), "no_bound"))
    )


def domain_bests(evidence: Evidence) -> DomainBests:
    """By what systems are compared by first; a domain without a name is none."""
    table = evidence.main_scores
    if table is None:
        return DomainBests(best={}, average=number(np.nan, "no_domains"))
    values = system_values(evidence, table, each_score=evidence.recipe.units == "score")
    machines = np.array([name not in evidence.humans for name in values.names], dtype=np.bool_)
    best = {table.domains[code]: best for code, best in _best_of_each(values, machines).items() if table.domains[code]}
    averaged = [value for name, value in best.items() if name not in NOT_AVERAGED]
    return DomainBests(
        best={name: table.natural(value) for name, value in sorted(best.items())},
        average=number(table.natural(float(np.mean(averaged))) if averaged else np.nan, "no_domains"),
    )


def _best_of_each(values: SystemValues, machines: BoolArray) -> dict[int, float]:
    """The highest mean by the domain's code; a domain in which no machine was judged has none."""
    best = {}
    for code in np.unique(values.units.domain).tolist():
        means = _means(values.raw[machines][:, values.units.domain == code])
        if not np.isnan(means).all():
            best[code] = float(np.nanmax(means))
    return best


def _means(values: FloatArray) -> FloatArray:
    """Of each row, without what is missing."""
    rows = np.repeat(np.arange(len(values)), values.shape[1])
    return group_means(values.ravel(), rows, len(values))


def differing(x: FloatArray, y: FloatArray) -> int:
    """How many differences are not 0, as a signed-rank test counts them."""
    gaps = np.round(x - y, 9)
    return int(np.count_nonzero(gaps[~np.isnan(gaps)]))
