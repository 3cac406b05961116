"""What was simulated of campaigns like this one: which design and noise it has, and whether its recipe holds there.

The figures are those of `./assay bench calibration`, which writes the file beside this one and docs/statistics.md.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypedDict

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.mixed import Modelled, modelled
from metrics.analyses.uneven import unevenness
from metrics.matrices import ScoreTable
from metrics.recipes import MIXED
from metrics.statistics.arrays import FloatArray, IntArray, group_sums
from metrics.statistics.mixed import MixedModel

FILE = Path(__file__).with_suffix(".json")
FULL, POOL, DYNAMIC, SCREENS, UNEQUAL, TIED = "full", "pool", "dynamic", "screens", "unequal", "confounded"
RAW, BY_Z, BY_MODEL = "assay-raw", "assay-z", "incomplete"
RECIPES_BY_ORDER = {"mean": RAW, "z": BY_Z, "model": BY_MODEL}
PROMISED_RATE = {FULL: (0.02, 0.06)}  # raw means may be timid in a Latin square
USUAL_RATE, COVERED = (0.04, 0.06), (0.93, 0.97)

# Variances of annotators and of texts by that of the rest, in the worlds of `metrics/calibration/worlds.py`.
NOISES: Mapping[str, tuple[float, float]] = {"esa": (0.18, 0.52), "da": (0.89, 0.12), "mqm": (0.44, 0.87)}
_ERRORS = np.array([0.45, 0.2])  # of their logarithms, as a dozen annotators and a few hundred texts leave them
_NEARLY_NOTHING = 0.01

_COMPLETE, _EVEN, _MORE_OFTEN, _NOISIER, _MOST = 0.99, 0.1, 1.5, 0.19, 0.5
_FEWEST_SCORES, _FEWEST_ANNOTATORS = 30, 4


@dataclass(frozen=True)
class CalibratedAs:
    """The simulated campaigns that a campaign is most like: `design`, `noise`, and the `recipe` that ranked it."""

    design: str
    noise: str
    recipe: str


@dataclass(frozen=True)
class Measured:
    """A share of simulated pairs or intervals, with its Monte-Carlo interval."""

    share: float
    low: float
    high: float

    def meets(self, allowed: tuple[float, float]) -> bool:
        return self.low <= allowed[1] and self.high >= allowed[0]


@dataclass(frozen=True)
class Cell:
    """What `campaigns` said of a recipe: the `rate` of equal pairs called different, and how many intervals have the
    truth: of means, for the population that the page names, and of differences.
    """

    campaigns: int
    design: str
    rate: Measured
    mean: Measured
    difference: Measured

    @property
    def promised(self) -> tuple[float, float]:
        return PROMISED_RATE.get(self.design, USUAL_RATE)

    @property
    def decides(self) -> bool:
        return self.rate.meets(self.promised) and self.difference.meets(COVERED)


class _Stored(TypedDict):
    noise: str
    design: str
    recipe: str
    campaigns: int
    figures: dict[str, tuple[float, float, float]]


def calibrated_as(evidence: Evidence, ordered_by: str | None) -> CalibratedAs | None:
    """By the main measure; None for other tests than were simulated, and where there is nothing to compare."""
    table, recipe = evidence.main_scores, RECIPES_BY_ORDER.get(ordered_by or "")
    if table is None or table.is_relative or recipe is None or evidence.recipe.test not in ("permutation", MIXED):
        return None
    used = table.where(evidence.of_systems(table))
    if np.unique(used.annotator).size < 2 or np.unique(used.system).size < 2:
        return None
    result = modelled(evidence, table)
    if result.model.reason or result.notes:  # systems that no chain of annotators connects were not simulated
        return None
    uneven = unevenness(evidence, table)
    design = TIED if uneven is not None and uneven.is_uneven else design_of(used, result)
    return CalibratedAs(design, noise_of(result.model.shares), recipe)


def design_of(used: ScoreTable, result: Modelled) -> str:
    """Of scores whose annotators are not tied to systems."""
    systems, system = np.unique(used.system, return_inverse=True)
    units, unit = np.unique(used.unit, return_inverse=True)
    annotator = np.unique(used.annotator, return_inverse=True)[1]
    if isinstance(result.model, MixedModel) and _is_unequal(result.model.residuals, annotator):
        return UNEQUAL
    on_screen = np.unique(np.stack([used.screen, used.system]), axis=1)[0]
    if np.mean(np.unique(on_screen, return_counts=True)[1] > 1) > _MOST:  # a single output may be that of two systems
        return SCREENS
    judged = np.zeros((systems.size, units.size), dtype=np.bool_)
    judged[system, unit] = True
    per_system = judged.sum(axis=1)
    if per_system.max() >= _MORE_OFTEN * per_system.min():
        return DYNAMIC
    tasks = np.unique(np.stack([system, annotator, used.document]), axis=1)
    counts = np.zeros((systems.size, int(annotator.max()) + 1))
    np.add.at(counts, (tasks[0], tasks[1]), 1)
    shares = counts / counts.sum(axis=1, keepdims=True)
    apart = np.sqrt(((shares[:, None] - shares[None]) ** 2).sum(axis=2)).max()
    return FULL if judged.mean() >= _COMPLETE and apart <= _EVEN else POOL


def _is_unequal(residuals: FloatArray, annotator: IntArray) -> bool:
    """Whether some annotators leave much more noise than others: by how far the logarithms of it are spread.

    Where all leave as much, that is 0.1 to 0.15 in simulated campaigns of a dozen; from half to twice, 0.2 to 0.35.
    """
    n = int(annotator.max()) + 1
    counts = np.bincount(annotator, minlength=n)
    deviations = np.sqrt(group_sums(residuals**2, annotator, n) / np.maximum(counts, 1))[counts >= _FEWEST_SCORES]
    if deviations.size < _FEWEST_ANNOTATORS:
        return False
    return bool(deviations.min() > 0 and np.log(deviations).std() > _NOISIER)


def noise_of(shares: Mapping[str, float]) -> str:
    """The simulated noise that is nearest, where annotators and texts are so much of a score."""
    annotator, rest = shares.get("annotator", 0.0), max(shares.get("residual", 0.0), _NEARLY_NOTHING)
    own = np.log(np.maximum(np.array([annotator, 1 - annotator - rest]) / rest, _NEARLY_NOTHING))
    return min(NOISES, key=lambda name: float((((own - np.log(NOISES[name])) / _ERRORS) ** 2).sum()))


@lru_cache(maxsize=1)
def _cells() -> Mapping[tuple[str, str, str], Cell]:
    stored: list[_Stored] = json.loads(FILE.read_text(encoding="utf-8"))
    return {(one["noise"], one["design"], one["recipe"]): _cell(one) for one in stored}


def _cell(one: "_Stored") -> Cell:
    figures = {name: Measured(*ends) for name, ends in one["figures"].items()}
    return Cell(one["campaigns"], one["design"], figures["rate"], figures["mean"], figures["difference"])


def cell_of(found: CalibratedAs) -> Cell | None:
    return _cells().get((found.noise, found.design, found.recipe))


def deciding_instead(found: CalibratedAs) -> str | None:
    """The first recipe that decides in this design with this noise, other than the one that ranked."""
    for recipe in (BY_MODEL, BY_Z, RAW):
        cell = _cells().get((found.noise, found.design, recipe))
        if recipe != found.recipe and cell is not None and cell.decides:
            return recipe
    return None
