"""Campaigns where no system is better than another: the noise of real ones, and who judges what by design.

`docs/statistics.md` has a heading for what these campaigns are for.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from metrics.statistics.arrays import BoolArray, FloatArray, IntArray

SYSTEMS, DOCUMENTS, SCREENS, LONGEST = 6, 60, 120, 5
ANNOTATORS, FEW_ANNOTATORS = 12, 8
DOMAINS = 4  # equal ones, which only rules with a test for each domain look at

# Middles of 101 equal parts of the residuals of each mixed model, standardised: real scores have a long tail.
# fmt: off
ESA_RESIDUALS = (
    -4.324, -3.301, -2.675, -2.277, -2.042, -1.81, -1.633, -1.464, -1.335, -1.236, -1.138, -1.07, -0.987, -0.922,
    -0.854, -0.786, -0.693, -0.628, -0.577, -0.525, -0.48, -0.433, -0.39, -0.355, -0.333, -0.308, -0.29, -0.268,
    -0.247, -0.235, -0.213, -0.188, -0.174, -0.154, -0.135, -0.121, -0.103, -0.088, -0.069, -0.055, -0.034, -0.017,
    0.003, 0.016, 0.037, 0.05, 0.068, 0.088, 0.103, 0.119, 0.131, 0.147, 0.156, 0.174, 0.188, 0.201, 0.215, 0.228,
    0.245, 0.26, 0.278, 0.292, 0.306, 0.316, 0.339, 0.355, 0.377, 0.394, 0.41, 0.43, 0.442, 0.463, 0.485, 0.504,
    0.53, 0.543, 0.568, 0.587, 0.607, 0.629, 0.66, 0.689, 0.725, 0.746, 0.774, 0.799, 0.833, 0.872, 0.913, 0.943,
    0.992, 1.069, 1.116, 1.166, 1.245, 1.33, 1.423, 1.537, 1.679, 1.905, 2.268,
)
DA_RESIDUALS = (
    -4.085, -2.975, -2.363, -2.034, -1.803, -1.625, -1.488, -1.39, -1.282, -1.183, -1.099, -1.022, -0.958, -0.9,
    -0.85, -0.802, -0.757, -0.712, -0.669, -0.634, -0.596, -0.558, -0.525, -0.495, -0.465, -0.437, -0.412, -0.389,
    -0.365, -0.342, -0.322, -0.298, -0.277, -0.255, -0.235, -0.216, -0.197, -0.176, -0.158, -0.142, -0.123, -0.105,
    -0.087, -0.067, -0.049, -0.033, -0.019, -0.001, 0.017, 0.036, 0.055, 0.07, 0.086, 0.103, 0.119, 0.136, 0.153,
    0.17, 0.186, 0.206, 0.225, 0.242, 0.262, 0.283, 0.302, 0.319, 0.339, 0.359, 0.38, 0.405, 0.427, 0.449, 0.474,
    0.495, 0.519, 0.543, 0.569, 0.598, 0.624, 0.653, 0.682, 0.714, 0.748, 0.782, 0.817, 0.855, 0.894, 0.94, 0.984,
    1.034, 1.083, 1.136, 1.201, 1.284, 1.367, 1.468, 1.572, 1.745, 1.918, 2.15, 2.804,
)
MQM_RESIDUALS = (
    -2.863, -2.076, -1.726, -1.58, -1.433, -1.355, -1.281, -1.211, -1.154, -1.08, -1.032, -0.972, -0.931, -0.89,
    -0.844, -0.816, -0.787, -0.757, -0.725, -0.693, -0.662, -0.638, -0.604, -0.582, -0.556, -0.534, -0.507, -0.474,
    -0.452, -0.434, -0.418, -0.401, -0.384, -0.363, -0.348, -0.331, -0.313, -0.3, -0.278, -0.253, -0.235, -0.219,
    -0.202, -0.183, -0.166, -0.148, -0.128, -0.111, -0.094, -0.076, -0.062, -0.049, -0.029, -0.008, 0.011, 0.025,
    0.039, 0.052, 0.067, 0.08, 0.097, 0.114, 0.133, 0.152, 0.169, 0.184, 0.201, 0.218, 0.237, 0.256, 0.277, 0.301,
    0.319, 0.339, 0.364, 0.394, 0.423, 0.444, 0.469, 0.492, 0.525, 0.563, 0.598, 0.654, 0.693, 0.726, 0.778, 0.835,
    0.881, 0.963, 1.049, 1.14, 1.235, 1.336, 1.416, 1.591, 1.772, 1.973, 2.496, 2.92, 4.746,
)
# fmt: on


@dataclass(frozen=True)
class World:
    """Variances of the parts of one score, and quantiles of what is left of it (mean 0, variance 1)."""

    annotator: float
    document: float
    document_system: float
    segment: float
    residual: float
    residuals: tuple[float, ...]


# The models of `mixed` in docs/statistics.md: ESA, WMT23 English to German; DA of the crowd, WMT22 Czech to English,
# whose files have no documents; MQM by three raters, WMT23 English to German.
WORLDS: Mapping[str, World] = {
    "esa": World(29.6, 18.9, 39.4, 28.1, 165.9, ESA_RESIDUALS),
    "da": World(270.1, 0.0, 0.0, 36.4, 301.9, DA_RESIDUALS),
    "mqm": World(12.9, 0.0, 1.8, 23.7, 29.3, MQM_RESIDUALS),
}


@dataclass(frozen=True)
class Judged:
    """Who judged which system on which document: (n_tasks,) codes. `spread` makes severities differ more, `noise`
    (n_annotators,) what is left of each annotator's scores.
    """

    document: IntArray
    system: IntArray
    annotator: IntArray
    n_documents: int
    n_annotators: int
    spread: float = 1.0
    noise: FloatArray | None = None


@dataclass(frozen=True)
class Simulated:
    """One score a row, with the `annotator_effects` in it. All systems are equal, their mean is 0."""

    values: FloatArray
    annotator: IntArray
    system: IntArray
    document: IntArray
    segment: IntArray
    annotator_effects: FloatArray

    @property
    def mean_of_these_annotators(self) -> float:
        """What every system would get on other documents, were its judgments spread as those of all systems are."""
        return float(self.annotator_effects[self.annotator].mean())


def simulated_campaign(design: str, world: World, rng: np.random.Generator) -> Simulated:
    """Every task is a document of one system, whose one to five segments are all judged."""
    judged = DESIGNS[design](rng)
    lengths = rng.integers(1, LONGEST + 1, judged.n_documents)
    starts = np.cumsum(lengths) - lengths
    size = lengths[judged.document]
    task = np.repeat(np.arange(size.size), size)
    segment = starts[judged.document][task] + np.arange(task.size) - np.repeat(np.cumsum(size) - size, size)
    document, system, annotator = judged.document[task], judged.system[task], judged.annotator[task]
    effects = rng.normal(0, np.sqrt(world.annotator) * judged.spread, judged.n_annotators)
    cells = rng.normal(0, np.sqrt(world.document_system), (judged.n_documents, SYSTEMS))
    left = rng.choice(np.array(world.residuals), task.size) * np.sqrt(world.residual)
    if judged.noise is not None:
        left *= judged.noise[annotator]
    values = (
        effects[annotator]
        + rng.normal(0, np.sqrt(world.document), judged.n_documents)[document]
        + cells[document, system]
        + rng.normal(0, np.sqrt(world.segment), int(lengths.sum()))[segment]
        + left
    )
    return Simulated(values, annotator, system, document, segment, effects)


def _tasks(n_documents: int = DOCUMENTS) -> tuple[IntArray, IntArray]:
    """Every document of every system."""
    tasks = np.arange(n_documents * SYSTEMS)
    return tasks // SYSTEMS, tasks % SYSTEMS


def _full(_rng: np.random.Generator) -> Judged:
    """A Latin square: nobody sees a document twice, and everybody has as many documents of each system."""
    document, system = _tasks()
    return Judged(document, system, (document + 2 * system) % ANNOTATORS, DOCUMENTS, ANNOTATORS)


def _pool(rng: np.random.Generator) -> Judged:
    """Whoever comes takes the next task, and few do most; the campaign ends when 70 % of the tasks are done."""
    document, system = _tasks()
    done = rng.permutation(document.size)[: round(0.7 * document.size)]
    return Judged(document[done], system[done], _whoever_comes(rng, ANNOTATORS, done.size), DOCUMENTS, ANNOTATORS)


def _whoever_comes(rng: np.random.Generator, n_annotators: int, n_tasks: int) -> IntArray:
    """The second annotator does half as much as the first, the third a third."""
    weights = 1 / np.arange(1, n_annotators + 1)
    return rng.choice(n_annotators, n_tasks, p=weights / weights.sum())


def _dynamic(rng: np.random.Generator) -> Judged:
    """A pool that shows systems that look better more often: with probability 3 / rank so far, at most 1.

    What ranks them is a noise of the same kind as the campaign's own, for the order in which equal systems stand.
    """
    document, system = _tasks()
    standing = np.cumsum(rng.normal(size=(DOCUMENTS, SYSTEMS)), axis=0) / np.arange(1, DOCUMENTS + 1)[:, None]
    rank = np.argsort(np.argsort(-standing, axis=1), axis=1) + 1
    is_shown: BoolArray = rng.random(rank.shape) < np.minimum(1, 3 / np.vstack([np.ones(SYSTEMS), rank[:-1]]))
    shown = np.flatnonzero(is_shown.ravel())
    return Judged(document[shown], system[shown], rng.integers(0, ANNOTATORS, shown.size), DOCUMENTS, ANNOTATORS)


def _screens(rng: np.random.Generator) -> Judged:
    """Three systems of a document side by side, before one annotator."""
    three = np.argsort(rng.random((SCREENS, SYSTEMS)), axis=1)[:, :3]
    who = _whoever_comes(rng, ANNOTATORS, SCREENS)
    return Judged(np.repeat(np.arange(SCREENS), 3), three.ravel(), np.repeat(who, 3), SCREENS, ANNOTATORS)


def _unequal(rng: np.random.Generator) -> Judged:
    """Few annotators, twice as unlike in severity as elsewhere, some with half and some with twice the noise."""
    document, system = _tasks()
    return _by_unequal(rng, document, system, _whoever_comes(rng, FEW_ANNOTATORS, document.size))


def _confounded(rng: np.random.Generator) -> Judged:
    """The same, and three in ten tasks of a system go to an annotator of its own."""
    document, system = _tasks()
    anybody = _whoever_comes(rng, FEW_ANNOTATORS, document.size)
    own = rng.permutation(FEW_ANNOTATORS)[:SYSTEMS][system]
    return _by_unequal(rng, document, system, np.where(rng.random(document.size) < 0.3, own, anybody))


def _by_unequal(rng: np.random.Generator, document: IntArray, system: IntArray, annotator: IntArray) -> Judged:
    noise = rng.uniform(0.5, 2, FEW_ANNOTATORS)
    return Judged(document, system, annotator, DOCUMENTS, FEW_ANNOTATORS, spread=2.0, noise=noise)


DESIGNS: Mapping[str, Callable[[np.random.Generator], Judged]] = {
    "full": _full,
    "pool": _pool,
    "dynamic": _dynamic,
    "screens": _screens,
    "unequal": _unequal,
    "confounded": _confounded,
}
