"""Models of comparison: how strong each system must be for these wins, ties and orders to come about."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import ArrayLike

from metrics.statistics.arrays import BoolArray, FloatArray, IntArray
from metrics.statistics.wins import square_counts

WEAK_PRIOR = 0.5
_STEPS = 200
_NEARLY_ZERO = 1e-11
_ENDLESS = 25.0


@dataclass(frozen=True)
class Strengths:
    """`values` are log-strengths, their mean 0; NaN, with a `reason`, where they do not exist.

    `tie` is nu of Davidson and t of Rao and Kupper, NaN for a model without ties. `prior` is how many virtual wins
    either system of every pair that met was added: 0 unless requested, or needed to make strengths finite.
    `log_likelihood` is that of the comparisons without the virtual ones. Reasons: `no_comparisons` and
    `not_connected` (systems fall into groups that never met).
    """

    values: FloatArray
    tie: float
    log_likelihood: float
    prior: float
    reason: str = ""


def bradley_terry(wins: ArrayLike, *, prior: float = 0.0) -> Strengths:
    """How strong each system is, if the chance of winning is its share of both strengths; ties are dropped.

    Shape: `wins`: (n_systems, n_systems) counts, `wins[i, j]` how often i was preferred to j.
    Unit and range: Natural logarithms of strengths, centred on 0: a difference d is odds of e^d.
    Missing data: Pairs that never met are compared through other systems.
    Degenerate input: A system that only won (or lost), or a group of systems that did against all others, would be
        infinitely strong: every pair that met then gets half a virtual win on either side, and `prior` says so. Groups
        that never met, and no comparison at all: NaN with the reason. A negative prior raises ValueError.
    Method: P(i beats j) = p_i / (p_i + p_j), maximum likelihood by Newton's method. Half a win per tie is not a model
        of ties: use `davidson` or `rao_kupper`.
    Source: Bradley & Terry 1952; Ford 1957 for when the maximum is finite.

    Example:
        Two systems: the difference is the logarithm of the odds.

        >>> strengths = bradley_terry([[0, 30], [10, 0]])
        >>> strengths.values.round(4).tolist(), strengths.prior
        ([0.5493, -0.5493], 0.0)
    """
    counts = square_counts(wins, "wins")
    return _fitted(counts, np.zeros_like(counts), prior, _davidson_parts, without_ties=float("nan"))


def davidson(wins: ArrayLike, ties: ArrayLike, *, prior: float = 0.0) -> Strengths:
    """How strong each system is, ties being likeliest between equals: the chance of one goes with the geometric mean.

    Shape: `wins` as `bradley_terry`; `ties`: the same shape, symmetric (or on one side of the diagonal), each tie once.
    Unit and range: As `bradley_terry`; `tie` is nu, 0 without ties: equals tie with chance nu / (2 + nu).
    Missing data: As `bradley_terry`.
    Degenerate input: As `bradley_terry`, a tie connecting both ways. Without any win: all 0, nu infinite.
    Method: Win p_i / D, tie nu sqrt(p_i p_j) / D, D = p_i + p_j + nu sqrt(p_i p_j); maximum likelihood by Newton's
        method. Compare models by `log_likelihood`.
    Source: Davidson 1970, "On extending the Bradley-Terry model to accommodate ties in paired comparison experiments".

    Example:
        >>> strengths = davidson([[0, 4], [1, 0]], [[0, 4], [4, 0]])
        >>> (strengths.values[0] - strengths.values[1]).round(4).item(), round(strengths.tie, 4)
        (1.3863, 2.0)
    """
    counts = square_counts(wins, "wins")
    return _fitted(counts, _square_ties(ties, counts), prior, _davidson_parts, without_ties=0.0)


def rao_kupper(wins: ArrayLike, ties: ArrayLike, *, prior: float = 0.0) -> Strengths:
    """How strong each system is, ties being differences too small to be seen: a threshold on the difference.

    Shape: As `davidson`.
    Unit and range: As `bradley_terry`; `tie` is t, 1 without ties: log t is the smallest difference seen.
    Missing data: As `bradley_terry`.
    Degenerate input: As `davidson`; without any win t is infinite.
    Method: Win p_i / (p_i + t p_j), tie (t^2 - 1) p_i p_j / ((p_i + t p_j)(p_j + t p_i)), t >= 1; maximum likelihood by
        Newton's method.
    Source: Rao & Kupper 1967, "Ties in paired-comparison experiments: a generalization of the Bradley-Terry model".

    Example:
        Equals that tie half of the time: (t - 1) / (t + 1) is one half.

        >>> strengths = rao_kupper([[0, 5], [5, 0]], [[0, 10], [10, 0]])
        >>> strengths.values.round(4).tolist(), round(strengths.tie, 4)
        ([0.0, 0.0], 3.0)
    """
    counts = square_counts(wins, "wins")
    return _fitted(counts, _square_ties(ties, counts), prior, _rao_kupper_parts, without_ties=1.0)


@dataclass(frozen=True)
class OrderStrengths:
    """`values` are log-strengths, their mean 0; NaN, with a `reason`, where they do not exist.

    They follow from the orders of `screens`; `tied` more are left out. Reasons: `no_comparisons` (no order without a
    tie), `not_connected` (in these orders systems fall into groups that never met) and `never_lost_or_won` (a system,
    or a group of systems against all others, only won or only lost).
    """

    values: FloatArray
    log_likelihood: float
    screens: int
    tied: int
    reason: str = ""


def plackett_luce(systems: ArrayLike, screens: ArrayLike, ranks: ArrayLike, *, n_systems: int) -> OrderStrengths:
    """How strong each system is, if a screen is ordered by choosing the best of what is left, again and again.

    Shape: `systems`, `screens`, `ranks`: (n,), one entry for each output on a screen: its system's code from 0, the
        number of its screen, and its rank there, lower = better.
    Unit and range: Natural logarithms of strengths, centred on 0: a difference d is odds of e^d, whatever else is on
        the screen.
    Missing data: Screens may have any number of outputs and any systems; one of a single output says nothing and is
        not counted.
    Degenerate input: A screen with a tie has no order: it is left out, and counted in `tied`. Strengths are finite only
        if in the orders that remain every system beats every other, directly or through others; otherwise, and without
        any order, NaN with the reason. Codes outside 0 to n_systems - 1 and missing ranks raise ValueError.
    Method: P(order) is the product over places of p_i / (sum of p over what is not yet placed); maximum likelihood by
        Newton's method. With two outputs a screen it is Bradley-Terry.
    Source: Luce 1959, "Individual Choice Behavior"; Plackett 1975, "The Analysis of Permutations"; Hunter 2004, "MM
        algorithms for generalized Bradley-Terry models", for when the maximum is finite.

    Example:
        Two systems, of whose screens the first wins three quarters: the difference is the logarithm of the odds.

        >>> result = plackett_luce([0, 1] * 4, [0, 0, 1, 1, 2, 2, 3, 3], [1, 2, 1, 2, 1, 2, 2, 1], n_systems=2)
        >>> result.values.round(4).tolist(), result.screens
        ([0.5493, -0.5493], 4)
    """
    orders, tied = _orders(np.asarray(systems), np.asarray(screens), np.asarray(ranks, dtype=np.float64), n_systems)
    n_orders, longest = orders.shape
    nothing = OrderStrengths(np.full(n_systems, np.nan), float("nan"), n_orders, tied)
    if n_orders == 0:
        return replace(nothing, reason="no_comparisons")
    beaten = np.zeros((n_systems + 1, n_systems + 1), dtype=np.bool_)
    for place in range(longest - 1):
        beaten[orders[:, place], orders[:, place + 1]] = True
    beaten = beaten[:n_systems, :n_systems]
    if not _is_strongly_connected(beaten):
        has_met = _is_strongly_connected(beaten | beaten.T)
        return replace(nothing, reason="never_lost_or_won" if has_met else "not_connected")
    values, likelihood = _most_likely_orders(orders, n_systems)
    if np.abs(values).max() > _ENDLESS:
        return replace(nothing, reason="never_lost_or_won")
    return OrderStrengths(values, likelihood, n_orders, tied)


def _orders(systems: IntArray, screens: IntArray, ranks: FloatArray, n_systems: int) -> tuple[IntArray, int]:
    """Systems of each screen without ties, the best first, filled up with `n_systems`; and how many have ties."""
    if not systems.shape == screens.shape == ranks.shape or systems.ndim != 1:
        raise ValueError(f"columns of one length are needed, got {systems.shape}, {screens.shape}, {ranks.shape}")
    if np.isnan(ranks).any():
        raise ValueError("every output on a screen needs a rank")
    if systems.size == 0:
        return np.zeros((0, 0), dtype=np.int64), 0
    if systems.min() < 0 or systems.max() >= n_systems:
        raise ValueError(f"systems must be coded from 0 to {n_systems - 1}")
    order = np.lexsort([ranks, screens])
    systems, ranks = systems[order], ranks[order]
    _, screen, sizes = np.unique(screens[order], return_inverse=True, return_counts=True)
    place = np.arange(systems.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    has_tie = np.zeros(sizes.size, dtype=np.bool_)
    has_tie[screen[1:][(np.diff(screen) == 0) & (np.diff(ranks) == 0)]] = True
    table = np.full((sizes.size, int(sizes.max())), n_systems, dtype=np.int64)
    table[screen, place] = systems
    return table[~has_tie & (sizes > 1)], int(has_tie.sum())


def _most_likely_orders(orders: IntArray, n: int) -> tuple[FloatArray, float]:
    """Newton's steps, halved when too long; each place of a screen is a choice of one of those that follow."""
    longest = orders.shape[1]
    is_real = orders < n
    shown = np.bincount(orders[is_real], minlength=n).astype(np.float64)

    def weights(values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Of each output, and of each place all that are left; beyond the end of a screen 0 and infinite."""
        each = np.append(np.exp(values - values.max()), 0.0)[orders]
        left = np.cumsum(each[:, ::-1], axis=1)[:, ::-1]
        return each, np.where(is_real, left, np.inf)

    def height(values: FloatArray) -> float:
        each, left = weights(values)
        return float(np.log(each[is_real] / left[is_real]).sum())

    values = np.zeros(n)
    for _ in range(_STEPS):
        each, left = weights(values)
        reached = height(values)
        expected = each * np.cumsum(1 / left, axis=1)
        by_system = np.bincount(orders.ravel(), expected.ravel(), minlength=n + 1)[:n]
        together = np.cumsum(left**-2.0, axis=1)
        bend = np.zeros((n + 1) ** 2)
        for one in range(longest):
            for other in range(longest):
                both = each[:, one] * each[:, other] * together[:, min(one, other)]
                bend += np.bincount(orders[:, one] * (n + 1) + orders[:, other], both, minlength=bend.size)
        curve = np.diag(by_system) - bend.reshape(n + 1, n + 1)[:n, :n]
        step = np.linalg.solve(curve + np.ones((n, n)) * (np.trace(curve) / n**2), shown - by_system)
        length = 1.0
        while length > 1e-8 and height(values + length * step) < reached:
            length /= 2
        values = values + length * step
        if np.abs(length * step).max() < _NEARLY_ZERO or np.abs(values).max() > 2 * _ENDLESS:
            break
    return values - values.mean(), height(values)


@dataclass(frozen=True)
class _Comparisons:
    """Pairs of systems that met: how often the first won, the second won, and neither.

    `design` (n_pairs, n_systems) is 1 for the first and -1 for the second, so that strengths become differences.
    """

    design: FloatArray
    won: FloatArray
    lost: FloatArray
    tied: FloatArray


# Log-likelihood, and its first and second derivatives by each pair's difference d and by the tie's logarithm.
_Parts = Callable[[_Comparisons, FloatArray, float], tuple[float, FloatArray, float, FloatArray, FloatArray, float]]


def _fitted(wins: FloatArray, ties: FloatArray, prior: float, parts: _Parts, *, without_ties: float) -> Strengths:
    if prior < 0:
        raise ValueError(f"a prior is a number of virtual wins from 0, not {prior}")
    met = (wins + wins.T + ties) > 0
    n_systems = len(wins)
    none = np.full(n_systems, np.nan)
    if not met.any():
        return Strengths(none, float("nan"), float("nan"), prior, reason="no_comparisons")
    if not _is_strongly_connected(met):
        return Strengths(none, float("nan"), float("nan"), prior, reason="not_connected")
    if not wins.any():
        return Strengths(np.zeros(n_systems), float("inf"), 0.0, prior)
    if prior == 0 and not _is_strongly_connected((wins + ties) > 0):
        prior = WEAK_PRIOR
    with_tie = bool(ties.any())
    fitted = _maximum(_comparisons(wins + prior * met, ties), parts, with_tie=with_tie)
    if prior == 0 and np.abs(fitted[:-1]).max() > _ENDLESS:
        prior = WEAK_PRIOR
        fitted = _maximum(_comparisons(wins + prior * met, ties), parts, with_tie=with_tie)
    values, tie = fitted[:-1], float(fitted[-1])
    pairs = _comparisons(wins, ties)
    likelihood = parts(pairs, pairs.design @ values, tie if with_tie else float("-inf"))[0]
    return Strengths(values, float(np.exp(tie)) if with_tie else without_ties, likelihood, prior)


def _square_ties(ties: ArrayLike, wins: FloatArray) -> FloatArray:
    """Ties as a symmetric matrix; if only one side of the diagonal is set, they are mirrored."""
    matrix = square_counts(ties, "ties")
    if matrix.shape != wins.shape:
        raise ValueError(f"wins and ties must have one shape, got {wins.shape} and {matrix.shape}")
    if (matrix == matrix.T).all():
        return matrix
    if ((matrix > 0) & (matrix.T > 0)).any():
        raise ValueError("ties must be symmetric, or stand on one side of the diagonal")
    return matrix + matrix.T


def _is_strongly_connected(edges: BoolArray) -> bool:
    """Whether every system leads to every other along edges."""
    return bool(scipy.sparse.csgraph.connected_components(edges, connection="strong", return_labels=False) == 1)


def _comparisons(wins: FloatArray, ties: FloatArray) -> _Comparisons:
    first, second = np.nonzero(np.triu((wins + wins.T + ties) > 0, k=1))
    each = np.eye(len(wins))
    return _Comparisons(each[first] - each[second], wins[first, second], wins[second, first], ties[first, second])


def _maximum(pairs: _Comparisons, parts: _Parts, *, with_tie: bool) -> FloatArray:
    """Strengths and the tie's logarithm; the likelihood is concave, so Newton's steps, halved when too long, arrive."""
    design, n = pairs.design, pairs.design.shape[1]
    place = np.zeros(n + 1)
    place[-1] = 0.5 if with_tie else -np.inf
    height = parts(pairs, design @ place[:-1], place[-1])[0]
    for _ in range(_STEPS):
        _, by_difference, by_tie, curve, across, curve_tie = parts(pairs, design @ place[:-1], place[-1])
        slope = design.T @ by_difference
        bend = design.T @ (curve[:, None] * design) + np.ones((n, n)) * curve.sum() / n**2
        if with_tie:
            bend = np.block(
                [[bend, (design.T @ across)[:, None]], [(design.T @ across)[None, :], np.array([[curve_tie]])]]
            )
            slope = np.append(slope, by_tie)
        step = np.linalg.solve(bend, -slope)
        place, height, moved = _walked(pairs, parts, place, height, step)
        if moved < _NEARLY_ZERO or np.abs(place[:-1]).max() > 2 * _ENDLESS:
            break
    place[:-1] -= place[:-1].mean()
    return place


def _walked(
    pairs: _Comparisons, parts: _Parts, place: FloatArray, height: float, step: FloatArray
) -> tuple[FloatArray, float, float]:
    length = 1.0
    while length > 1e-8:
        there = place.copy()
        there[: step.size] += length * step
        higher = parts(pairs, pairs.design @ there[:-1], there[-1])[0]
        if higher >= height:
            return there, higher, float(np.abs(length * step).max())
        length /= 2
    return place, height, 0.0


def _davidson_parts(
    pairs: _Comparisons, d: FloatArray, tie: float
) -> tuple[float, FloatArray, float, FloatArray, FloatArray, float]:
    """Outcomes have the weights e^(d/2), e^(-d/2) and nu."""
    total = pairs.won + pairs.lost + pairs.tied
    top = np.maximum(np.abs(d) / 2, tie)
    won, lost, tied = np.exp(d / 2 - top), np.exp(-d / 2 - top), np.exp(tie - top)
    whole = won + lost + tied
    won, lost, tied = won / whole, lost / whole, tied / whole
    height = (pairs.won - pairs.lost) @ d / 2 - total @ (top + np.log(whole))
    by_tie = 0.0
    if pairs.tied.any():
        height += pairs.tied.sum() * tie
        by_tie = float((pairs.tied - total * tied).sum())
    lean = (won - lost) / 2
    by_difference = (pairs.won - pairs.lost) / 2 - total * lean
    curve = -total * ((won + lost) / 4 - lean**2)
    return float(height), by_difference, by_tie, curve, total * lean * tied, float(-(total * tied * (1 - tied)).sum())


def _rao_kupper_parts(
    pairs: _Comparisons, d: FloatArray, tie: float
) -> tuple[float, FloatArray, float, FloatArray, FloatArray, float]:
    """Two logistic curves, log t to either side of the middle; a tie reaches neither end."""
    threshold = max(tie, 0.0)
    up, down = pairs.won + pairs.tied, pairs.lost + pairs.tied
    above, below = _log_logistic(d - threshold), _log_logistic(-d - threshold)
    height = float(up @ above + down @ below)
    above, below = np.exp(above), np.exp(below)
    by_tie = -float((up * (1 - above) + down * (1 - below)).sum())
    bends, falls = up * above * (1 - above), down * below * (1 - below)
    bend_tie = -float((bends + falls).sum())
    tied = float(pairs.tied.sum())
    if tied and tie <= 0:
        height = -np.inf  # with a threshold of 0 there are no ties
    elif tied:
        edge = 2 / -np.expm1(-2 * threshold)
        height += tied * (2 * threshold + np.log(-np.expm1(-2 * threshold)))
        by_tie += tied * edge
        bend_tie -= tied * edge**2 * np.exp(-2 * threshold)
    return height, up * (1 - above) - down * (1 - below), by_tie, -(bends + falls), bends - falls, bend_tie


def _log_logistic(x: FloatArray) -> FloatArray:
    return -np.logaddexp(0.0, -x)
