"""Laplace's approximation of the likelihood of ratings in bands, with random terms, and its slope."""

from dataclasses import dataclass

import numpy as np
import scipy

from metrics.statistics.arrays import FloatArray
from metrics.statistics.mixed.blocks import Blocks, CrossProducts, Eliminated
from metrics.statistics.mixed.design import Design
from metrics.statistics.ordinal.bands import Bands, Chances

ANNOTATOR = "annotator"
_STEPS = 100
_NEARLY_ZERO = 1e-8


@dataclass(frozen=True)
class Parameters:
    """`thresholds` (bands - 1,), `systems` (n_systems,), whose first stays 0, `log_sd` of each random term."""

    thresholds: FloatArray
    systems: FloatArray
    log_sd: FloatArray

    @property
    def vector(self) -> FloatArray:
        return np.concatenate([self.thresholds, self.systems[1:], self.log_sd])

    def at(self, vector: FloatArray) -> "Parameters":
        """The same kinds of parameters with other values."""
        n, p = self.thresholds.size, self.thresholds.size + self.systems.size - 1
        return Parameters(vector[:n], np.concatenate([[0.0], vector[n:p]]), vector[p:])


@dataclass(frozen=True)
class Point:
    """The likelihood at some parameters, what it is made of there, and the random terms that are likeliest there."""

    parameters: Parameters
    levels: dict[str, FloatArray]
    chances: Chances
    nested: Eliminated
    inverse: FloatArray
    log_likelihood: float


class Likelihood:
    """Of the ratings of a design. The levels found last are where the next search begins."""

    def __init__(self, design: Design) -> None:
        self.design, self.bands = design, Bands(design.values)
        self.names = tuple(design.codes)
        self.n_annotators = design.levels.get(ANNOTATOR, 0)
        nested = {name: codes for name, codes in design.codes.items() if name != ANNOTATOR}
        n = design.values.size
        coded = [design.annotator] if self.n_annotators else []
        self._columns = np.stack([*coded, np.full(n, self.n_annotators)], axis=1)
        self._blocks = Blocks(design.block, nested, self._columns, self.n_annotators + 1)
        system = self.n_annotators + design.system
        after = self.n_annotators + len(design.systems)
        upper, lower = after + self.bands.codes, after + self.bands.codes - 1
        self.n_fixed = len(design.systems) + self.bands.n_thresholds
        spare = self.n_annotators + self.n_fixed  # thresholds that a rating in the last or first band does not have
        self._fixed_columns = np.stack(
            [*coded, system, np.where(upper < spare, upper, spare), np.where(lower >= after, lower, spare)], axis=1
        )
        self._fixed_blocks = Blocks(design.block, nested, self._fixed_columns, spare + 1)
        self._levels = {name: np.zeros(design.levels[name]) for name in self.names}

    def at(self, parameters: Parameters) -> Point:
        """By Newton's steps to the likeliest levels, halved when too long: the height is concave."""
        sizes = dict(zip(self.names, np.exp(parameters.log_sd).tolist(), strict=True))
        place = parameters.systems[self.design.system]
        levels = self._levels
        height, chances = self._height(parameters, place, levels, sizes)
        for _ in range(_STEPS):
            random = self._random(levels, sizes)
            solved, nested, inverse = self._solved(chances.weight, chances.weight * random + chances.slope, sizes)
            step = {name: solved[name] - levels[name] for name in self.names}
            longest = max((float(np.abs(one).max()) for one in step.values()), default=0.0)
            length = 1.0
            while length > 1e-6:
                tried = {name: levels[name] + length * step[name] for name in self.names}
                reached, there = self._height(parameters, place, tried, sizes)
                if reached >= height - 1e-9 * (1 + abs(height)):
                    break
                length /= 2
            height, levels, chances = reached, tried, there
            if longest < 1e-4:
                break
        _, nested, inverse = self._solved(chances.weight, chances.slope, sizes)
        self._levels = levels
        log_determinant = nested.log_determinant - float(np.linalg.slogdet(inverse)[1])
        return Point(parameters, levels, chances, nested, inverse, height - log_determinant / 2)

    def slope(self, point: Point) -> FloatArray:
        """By each parameter, in the order of `Parameters.vector`."""
        bands, design, chances = self.bands, self.design, point.chances
        n_systems = len(design.systems)
        sizes = dict(zip(self.names, np.exp(point.parameters.log_sd).tolist(), strict=True))
        doubt = point.nested.leverages(self._around(point), design.values.size)
        moved = doubt * chances.weight_slope
        adjoint, _, _ = self._solved(chances.weight, moved, sizes)
        lever = self._random(adjoint, sizes)
        determined = self.determined(point)
        by_place = chances.slope - moved / 2 + chances.weight * lever / 2
        by_threshold = (
            bands.slope_of_thresholds(point.parameters.thresholds, chances)
            - bands.by_threshold(
                doubt * chances.bends_up + lever * chances.by_upper,
                doubt * chances.bends_down + lever * chances.by_lower,
            )
            / 2
        )
        by_system = np.bincount(design.system, by_place, minlength=n_systems)[1:]
        by_size = [
            float(by_place @ (sizes[name] * point.levels[name][design.codes[name]]))
            - determined[place]
            - float(chances.slope @ (sizes[name] * adjoint[name][design.codes[name]])) / 2
            for place, name in enumerate(self.names)
        ]
        return np.concatenate([by_threshold, by_system, by_size])

    def determined(self, point: Point) -> FloatArray:
        """How many levels of each term the ratings determine: their number minus the trace of H^-1."""
        determined = point.nested.freedom(self._around(point))
        if self.n_annotators:
            determined[ANNOTATOR] = self.n_annotators - float(np.trace(point.inverse))
        return np.array([determined[name] for name in self.names])

    def _around(self, point: Point) -> FloatArray:
        """The annotators' part of H^-1, scaled, and 0 for the column of a right-hand side."""
        if not self.n_annotators:
            return np.zeros((1, 1))
        return np.pad(np.exp(2 * point.parameters.log_sd[self.names.index(ANNOTATOR)]) * point.inverse, (0, 1))

    def information(self, point: Point) -> tuple[FloatArray, FloatArray]:
        """The curvature of the height by thresholds and systems but the first, the random terms eliminated; and how
        the annotators' levels, scaled, follow these parameters: (n_annotators, parameters).
        """
        chances, n_annotators, n_fixed = point.chances, self.n_annotators, self.n_fixed
        sizes = dict(zip(self.names, np.exp(point.parameters.log_sd).tolist(), strict=True))
        weight = chances.weight
        coded = [weight] if n_annotators else []
        values = np.stack([*coded, weight, -chances.by_upper, -chances.by_lower], axis=1)
        nested = CrossProducts(self._fixed_blocks, weight, values).at(sizes)
        n = n_annotators + n_fixed + 1
        whole = np.zeros(n * n)
        heads = range(len(coded) + 1)
        for one in heads:
            for other in range(self._fixed_columns.shape[1]):
                at = self._fixed_columns[:, one] * n + self._fixed_columns[:, other]
                whole += np.bincount(at, values[:, other] if other not in heads else weight, minlength=n * n)
        square = whole.reshape(n, n)
        after = n_annotators + len(self.design.systems)
        square[after:, :after] = square[:after, after:].T
        square[after:-1, after:-1] = self.bands.curvature_of_thresholds(point.parameters.thresholds, chances)
        left = (square - nested.explained())[:-1, :-1]
        scale = np.ones(n - 1)
        scale[:n_annotators] = sizes.get(ANNOTATOR, 0.0)
        left = scale[:, None] * left * scale
        across = left[:n_annotators, n_annotators:]
        follow = point.inverse @ across
        curve = left[n_annotators:, n_annotators:] - across.T @ follow
        n_systems = len(self.design.systems)
        order = np.concatenate([np.arange(n_systems, n_fixed), np.arange(1, n_systems)])
        return curve[np.ix_(order, order)], -scale[:n_annotators, None] * follow[:, order]

    def _height(
        self, parameters: Parameters, place: FloatArray, levels: dict[str, FloatArray], sizes: dict[str, float]
    ) -> tuple[float, Chances]:
        chances = self.bands.chances(parameters.thresholds, place + self._random(levels, sizes))
        penalty = sum(float(one @ one) for one in levels.values()) / 2
        return float(chances.log_p.sum()) - penalty, chances

    def _random(self, levels: dict[str, FloatArray], sizes: dict[str, float]) -> FloatArray:
        """What the levels add to the place of each rating."""
        total = np.zeros(self.design.values.size)
        for name, codes in self.design.codes.items():
            total += sizes[name] * levels[name][codes]
        return total

    def _solved(
        self, weight: FloatArray, right: FloatArray, sizes: dict[str, float]
    ) -> tuple[dict[str, FloatArray], Eliminated, FloatArray]:
        """H^-1 S Z' right, H = S Z' weight Z S + 1; the nested terms; and the annotators' part of H^-1."""
        n = self.n_annotators
        values = np.stack([weight, right] if n else [right], axis=1)
        nested = CrossProducts(self._blocks, weight, values).at(sizes)
        if not n:
            return nested.solution(np.ones(1)), nested, np.zeros((0, 0))
        annotator, scale = self.design.annotator, sizes[ANNOTATOR]
        explained = nested.explained()
        matrix = np.diag(np.bincount(annotator, weight, minlength=n)) - explained[:n, :n]
        inverse = scipy.linalg.cho_solve(scipy.linalg.cho_factor(np.eye(n) + scale**2 * matrix), np.eye(n))
        own = inverse @ (scale * (np.bincount(annotator, right, minlength=n) - explained[:n, n]))
        levels = nested.solution(np.append(-scale * own, 1.0))
        levels[ANNOTATOR] = own
        return {name: levels[name] for name in self.names}, nested, inverse
