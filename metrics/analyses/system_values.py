"""From judgments to what a system is worth: the mean of its judgments on each unit, and the mean over units."""

from dataclasses import dataclass, replace

import numpy as np

from metrics.analyses.evidence import REGULAR_AND_REPEAT, Evidence
from metrics.matrices import ScoreTable
from metrics.recipes import Recipe
from metrics.statistics.arrays import BoolArray, FloatArray, IntArray, group_means, joint_codes, place_in_group
from metrics.statistics.bootstrap import bootstrap_interval
from metrics.statistics.resampling import Interval

# z orders the systems only where annotators with enough judgments made nearly all of them: a newcomer does not turn
# a whole ranking back to raw means, and a ranking does not rest on means and deviations of a few judgments.
Z_COVERS_AT_LEAST = 0.9
_PER_SYSTEM = ("raw", "z", "raw_means", "z_means", "averaged", "judgments")


@dataclass(frozen=True)
class Units:
    """What each column of the systems' values is about; `code` is the table's `unit`, of several scores repeated."""

    document: IntArray
    domain: IntArray
    code: IntArray


@dataclass(frozen=True)
class SystemValues:
    """Per system (rows) the mean of its judgments on each segment or document (columns); NaN = not judged.

    `averaged` is how many judgments a cell is the mean of. `judgments` counts regular and repeat rows; `without_z`
    names annotators whose rows have no z.
    """

    names: tuple[str, ...]
    raw: FloatArray
    z: FloatArray
    raw_means: FloatArray
    z_means: FloatArray
    averaged: IntArray
    judgments: IntArray
    units: Units
    by_z: bool
    without_z: frozenset[str]

    @property
    def ordering(self) -> FloatArray:
        return self.z if self.by_z else self.raw

    @property
    def ordering_means(self) -> FloatArray:
        return self.z_means if self.by_z else self.raw_means

    def in_rank_order(self) -> "SystemValues":
        """Best first; systems of equal value by name."""
        return self.in_order_of(self.ordering_means)

    def in_order_of(self, means: FloatArray) -> "SystemValues":
        """Ordered by other numbers, the highest first; systems without one come last."""
        worth = np.where(np.isnan(means), -np.inf, means)
        order = sorted(range(len(self.names)), key=lambda place: (-worth[place], self.names[place]))
        per_system = {name: getattr(self, name)[order] for name in _PER_SYSTEM}
        return replace(self, names=tuple(self.names[place] for place in order), **per_system)


def places_by_part(by: str, table: ScoreTable, units: Units) -> dict[str, IntArray]:
    """Where each domain, tag or document is among the units, by name."""
    if by == "tag":
        return {tag: np.flatnonzero(np.isin(units.code, codes)) for tag, codes in table.tags.items()}
    codes, names = (units.domain, table.domains) if by == "domain" else (units.document, table.documents)
    return {names[code]: np.flatnonzero(codes == code) for code in np.unique(codes).tolist() if names[code]}


def system_values(evidence: Evidence, table: ScoreTable, *, each_score: bool = False) -> SystemValues:
    """The values of every system that has any, by name; of each judgment, where `each_score` is a column of its own.

    Then a system's first score on a unit by time is beside the other systems' first, its second beside their second.
    """
    recipe = evidence.recipe
    normalised = evidence.normalised(table)
    rows = evidence.of_systems(table)
    used = table.where(rows)
    z = np.full(len(used), np.nan) if recipe.normalisation == "none" else normalised.values[rows]
    enough: BoolArray = normalised.counts[np.searchsorted(normalised.annotators, used.annotator)] >= recipe.z_from
    systems, system = np.unique(used.system, return_inverse=True)
    in_time = np.argsort(np.lexsort([used.judgment, used.submitted]))
    place = place_in_group(in_time, used.unit, used.system) if each_score else np.zeros_like(used.unit)
    _, of_unit, unit = np.unique(joint_codes(used.unit, place), return_index=True, return_inverse=True)
    units = Units(used.document[of_unit], used.domain[of_unit], used.unit[of_unit])
    shape = (systems.size, of_unit.size)
    raw_cells = _cell_means(used.values, system, unit, shape)
    z_cells = _cell_means(z, system, unit, shape)
    z_means = means_over_units(z_cells, units, recipe)
    judged = table.system[evidence.counted(table) & table.of_kinds(REGULAR_AND_REPEAT)]
    return SystemValues(
        names=tuple(table.systems[code] for code in systems),
        raw=raw_cells,
        z=z_cells,
        raw_means=means_over_units(raw_cells, units, recipe),
        z_means=z_means,
        averaged=np.bincount(system * shape[1] + unit, minlength=shape[0] * shape[1]).reshape(shape),
        judgments=np.bincount(judged, minlength=len(table.systems))[systems],
        units=units,
        by_z=not np.isnan(z_means).any() and _share(enough[~np.isnan(z)]) >= Z_COVERS_AT_LEAST,
        without_z=_without_z(used, z) if recipe.normalisation != "none" else frozenset(),
    )


def _cell_means(values: FloatArray, system: IntArray, unit: IntArray, shape: tuple[int, int]) -> FloatArray:
    return group_means(values, system * shape[1] + unit, shape[0] * shape[1]).reshape(shape)


def means_over_units(values: FloatArray, units: Units, recipe: Recipe) -> FloatArray:
    """Of each row; or over the units of each domain and then over domains, where the recipe asks it."""
    n_systems = len(values)
    if recipe.average == "domain" and values.size:
        domains, domain = np.unique(units.domain, return_inverse=True)
        values = _cell_means(
            values.ravel(),
            np.repeat(np.arange(n_systems), values.shape[1]),
            np.tile(domain, n_systems),
            (n_systems, domains.size),
        )
    places = np.repeat(np.arange(n_systems), values.shape[1])
    return group_means(values.ravel(), places, n_systems)


def mean_interval(values: FloatArray, units: Units, recipe: Recipe) -> Interval:
    """Of one system's mean, over documents."""
    strata = units.domain if recipe.average == "domain" else None
    return bootstrap_interval(values, groups=units.document, strata=strata, **recipe.bootstrap)


def _share(flags: BoolArray) -> float:
    return float(np.mean(flags)) if flags.size else 0.0


def _without_z(table: ScoreTable, z: FloatArray) -> frozenset[str]:
    having = set(table.annotator[~np.isnan(z)].tolist())
    return frozenset(table.annotators[code] for code in set(table.annotator.tolist()) - having)
