"""The parameters under which ratings in bands are likeliest, and how sure they are."""

from dataclasses import dataclass, replace

import numpy as np
import scipy

from metrics.statistics.arrays import FloatArray
from metrics.statistics.ordinal.likelihood import Likelihood, Parameters, Point

_ROUNDS = 4
_SMALLEST, _LARGEST = np.log(1e-3), np.log(30.0)
_WIDEST_GAP = 6.0  # of logarithms: far beyond any that is reported
_NEARLY_ZERO = 2e-2
_GAIN = 1e-5


@dataclass(frozen=True)
class Fit:
    """The likeliest point, and the covariance of thresholds and of systems but the first."""

    point: Point
    covariance: FloatArray


def fitted(likelihood: Likelihood) -> Fit:
    point = _likeliest(likelihood, _start(likelihood))
    for place in np.flatnonzero(np.exp(point.parameters.log_sd) < _NEARLY_ZERO):
        without = np.array(point.parameters.log_sd)
        without[place] = -np.inf
        point = likelihood.at(replace(point.parameters, log_sd=without))
    return Fit(point, _covariance(likelihood, point))


def _start(likelihood: Likelihood) -> Parameters:
    """All systems equal, each random term as wide as the error's scale."""
    n_terms = len(likelihood.names)
    thresholds = likelihood.bands.first_thresholds() * np.sqrt(1 + 0.3 * n_terms)
    return Parameters(thresholds, np.zeros(len(likelihood.design.systems)), np.zeros(n_terms))


def _likeliest(likelihood: Likelihood, start: Parameters) -> Point:
    """L-BFGS-B on thresholds (the first, and logarithms of the gaps), systems and logarithms of deviations.

    The scales of a round are the curvature where the one before ended, so that its steps are nearly Newton's.
    """
    point = likelihood.at(start)
    for _ in range(_ROUNDS):
        walk = _Walk(likelihood, point)
        n_fixed = likelihood.n_fixed - 1
        bounds = [(None, None)] * n_fixed + [
            ((_SMALLEST - at) / scale, (_LARGEST - at) / scale)
            for at, scale in zip(point.parameters.log_sd, walk.scale, strict=True)
        ]
        first = np.zeros(len(bounds))
        result = scipy.optimize.minimize(
            walk,
            first,
            jac=True,
            method="L-BFGS-B",
            bounds=bounds,
            options={"maxiter": 25, "ftol": 1e-12, "gtol": 1e-6},
        )
        before, point = point.log_likelihood, likelihood.at(walk.parameters(result.x))
        if point.log_likelihood - before < _GAIN:
            break
    return point


class _Walk:
    """-log L and its slope in coordinates about a point in which its curvature is nearly 1 in every direction."""

    def __init__(self, likelihood: Likelihood, point: Point) -> None:
        self._likelihood, self._centre = likelihood, point.parameters
        n = likelihood.bands.n_thresholds
        self._logs = _logs_of_gaps(point.parameters.thresholds)
        curve, _ = likelihood.information(point)
        turned = scipy.linalg.block_diag(_by_logs(self._logs), np.eye(curve.shape[0] - n))
        factor = np.linalg.cholesky(turned.T @ curve @ turned)
        self._back = scipy.linalg.solve_triangular(factor, np.eye(factor.shape[0]), lower=True).T
        self.scale = 1 / np.sqrt(np.maximum(likelihood.determined(point), 0.5) * 2)

    def parameters(self, x: FloatArray) -> Parameters:
        n, n_fixed = self._logs.size, self._back.shape[0]
        moved = self._back @ x[:n_fixed]
        thresholds = _thresholds_of(self._logs + moved[:n])
        systems = self._centre.systems + np.append(0.0, moved[n:])
        return Parameters(thresholds, systems, self._centre.log_sd + self.scale * x[n_fixed:])

    def __call__(self, x: FloatArray) -> tuple[float, FloatArray]:
        parameters = self.parameters(x)
        point = self._likelihood.at(parameters)
        slope = self._likelihood.slope(point)
        n, n_fixed = self._logs.size, self._back.shape[0]
        by_logs = slope[:n] @ _by_logs(_logs_of_gaps(parameters.thresholds))
        fixed = self._back.T @ np.append(by_logs, slope[n:n_fixed])
        return -point.log_likelihood, -np.append(fixed, self.scale * slope[n_fixed:])


def _logs_of_gaps(thresholds: FloatArray) -> FloatArray:
    """The first threshold, and the logarithm of how far each other is above the one before."""
    return np.append(thresholds[0], np.log(np.diff(thresholds)))


def _thresholds_of(logs: FloatArray) -> FloatArray:
    steps: FloatArray = np.append(logs[0], np.exp(np.minimum(logs[1:], _WIDEST_GAP)))
    return np.cumsum(steps)


def _by_logs(logs: FloatArray) -> FloatArray:
    """How the thresholds follow them: (thresholds, logs)."""
    steps = np.append(1.0, np.exp(logs[1:]))
    by_logs: FloatArray = np.tril(np.ones((logs.size, logs.size))) * steps
    return by_logs


def _covariance(likelihood: Likelihood, point: Point) -> FloatArray:
    """Of thresholds and systems, the doubt about the terms' sizes included: the inverse of the whole curvature.

    Differences of slopes on both sides, a hundredth of a standard error away.
    """
    at = point.parameters
    curve, _ = likelihood.information(point)
    inverse: FloatArray = np.linalg.inv(curve).astype(np.float64, copy=False)
    free = np.isfinite(at.log_sd) & (at.log_sd > _SMALLEST) & (at.log_sd < _LARGEST)
    steps = 0.01 * np.append(np.sqrt(np.diag(inverse)), 1 / np.sqrt(2 * np.maximum(likelihood.determined(point), 0.5)))
    gaps = np.diff(at.thresholds, prepend=-np.inf, append=np.inf)
    n_thresholds = at.thresholds.size
    steps[:n_thresholds] = np.minimum(steps[:n_thresholds], np.minimum(gaps[:-1], gaps[1:]) / 10)
    moving = np.flatnonzero(np.append(np.ones(curve.shape[0], dtype=np.bool_), free))
    rows = []
    for place in moving:
        ends = []
        for sign in (1, -1):
            vector = at.vector
            vector[place] += sign * steps[place]
            ends.append(likelihood.slope(likelihood.at(at.at(vector))))
        rows.append((ends[1] - ends[0])[moving] / (2 * steps[place]))
    whole = np.array(rows)
    whole = (whole + whole.T) / 2
    n = curve.shape[0]
    if not np.isfinite(whole).all() or np.linalg.eigvalsh(whole).min() <= 0:
        return inverse
    covariance: FloatArray = np.linalg.inv(whole)[:n, :n].astype(np.float64, copy=False)
    return covariance
