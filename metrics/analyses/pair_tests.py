"""Every pair of systems tested as the recipe says: better system first, systems in rank order."""

import math
from dataclasses import dataclass
from statistics import median

import numpy as np

from metrics.analyses.system_values import Units
from metrics.recipes import Recipe
from metrics.statistics.arrays import BoolArray, FloatArray, IntArray
from metrics.statistics.better import Better, better
from metrics.statistics.bootstrap import paired_bootstrap
from metrics.statistics.permutation import paired_permutation_all
from metrics.statistics.power import detectable_in
from metrics.statistics.significance import holm, rank_sum, signed_rank, stouffer

# Values that were averaged differ by rounding alone where they should tie; ranks are taken after rounding that away.
_TIE_DECIMALS = 9
_Tested = tuple[FloatArray, BoolArray]  # p of each pair, and whether it speaks for the first


@dataclass(frozen=True)
class PairTests:
    """One entry a pair (first before second in rank order); `wins[i, j]` is whether system i beats system j.

    Where bounds decide, there are no p but `bounds`.
    """

    first: IntArray
    second: IntArray
    p: FloatArray
    p_corrected: FloatArray
    wins: BoolArray
    bounds: tuple[Better, ...] = ()


def compare_pairs(
    values: FloatArray, means: FloatArray, units: Units, recipe: Recipe, pairs: tuple[IntArray, IntArray] | None = None
) -> PairTests:
    """`values` (n_systems, n_units) and `means` (n_systems,) in rank order, best first; NaN = not judged.

    A win needs p below alpha (corrected where the recipe corrects) and the higher mean, and for a two-sided test that
    the difference in what was tested points the same way. Only these `pairs` are tested, where they are named.
    """
    n_systems = len(values)
    first, second = pairs or np.triu_indices(n_systems, k=1)
    if recipe.test == "bca":
        return _bounded(values, recipe, first, second)
    if recipe.test == "permutation":
        p, leans = _permuted(values, units, recipe, first, second)
    elif recipe.test == "bootstrap":
        p, leans = _bootstrapped(values, units, recipe, first, second)
    else:
        p, leans = _ranked(np.round(values, _TIE_DECIMALS), units, recipe, first, second)
    corrected = holm(p) if recipe.correction == "holm" else p
    wins = np.zeros((n_systems, n_systems), dtype=np.bool_)
    wins[first, second] = (corrected < recipe.alpha) & leans & (means[first] > means[second])
    return PairTests(first, second, p, corrected, wins)


def _bounded(values: FloatArray, recipe: Recipe, first: IntArray, second: IntArray) -> PairTests:
    """Documents and domains are set aside: WMT 2026 draws single segments."""
    level, resamples = 1 - recipe.alpha, recipe.resamples
    bounds = tuple(
        better(values[one], values[two], level=level, resamples=resamples, rng=recipe.rng)
        for one, two in zip(first, second, strict=True)
    )
    wins = np.zeros((len(values), len(values)), dtype=np.bool_)
    wins[first, second] = [one.is_better for one in bounds]
    no_p = np.full(first.size, np.nan)
    return PairTests(first, second, no_p, no_p, wins, bounds)


def _permuted(values: FloatArray, units: Units, recipe: Recipe, first: IntArray, second: IntArray) -> _Tested:
    compared = np.count_nonzero(~np.isnan(values), axis=0) > 1  # other units belong to no pair of systems
    test = paired_permutation_all(
        values[:, compared], groups=units.document[compared], resamples=recipe.resamples, rng=recipe.rng
    )
    return test.p[first, second], test.difference[first, second] > 0


def _bootstrapped(values: FloatArray, units: Units, recipe: Recipe, first: IntArray, second: IntArray) -> _Tested:
    """The share of document draws in which the better system is not ahead; the observed sample counts as one."""
    tests = [
        paired_bootstrap(values[one], values[two], groups=units.document, resamples=recipe.resamples, rng=recipe.rng)
        for one, two in zip(first, second, strict=True)
    ]
    p = [((1 - test.share) * recipe.resamples + 1) / (recipe.resamples + 1) for test in tests]
    return np.array(p, dtype=np.float64), np.ones(first.size, dtype=np.bool_)


def _ranked(values: FloatArray, units: Units, recipe: Recipe, first: IntArray, second: IntArray) -> _Tested:
    domains = units.domain if recipe.average == "domain" else np.zeros_like(units.domain)
    parts = [values[:, domains == domain] for domain in np.unique(domains)]
    tested = [
        _pair_p([(part[one], part[two]) for part in parts], recipe) for one, two in zip(first, second, strict=True)
    ]
    p = np.array([p for p, _ in tested], dtype=np.float64)
    return p, np.array([leans for _, leans in tested], dtype=np.bool_)


def _pair_p(parts: list[tuple[FloatArray, FloatArray]], recipe: Recipe) -> tuple[float, bool]:
    """One p for the pair, from each domain's where there are several, and whether it speaks for the first."""
    tested = [_one_sided(x, y, recipe) if recipe.one_sided else _two_sided(x, y) for x, y in parts]
    p, signs = [p for p, _ in tested], [sign for _, sign in tested]
    if len(tested) == 1:
        return p[0], signs[0] > 0
    if recipe.one_sided or recipe.combination == "wmt24":  # WMT24's own two-sided p-values have no direction
        return stouffer(p).p, True
    combined = stouffer(p, signs=signs)
    return combined.p, combined.statistic > 0


def _one_sided(x: FloatArray, y: FloatArray, recipe: Recipe) -> tuple[float, float]:
    if recipe.test == "signed-rank-greater":
        differences = np.round(x - y, _TIE_DECIMALS)
        return signed_rank(differences, np.zeros_like(differences), alternative="greater").p, 1.0
    if recipe.shared_segments:
        shared = ~(np.isnan(x) | np.isnan(y))
        x, y = x[shared], y[shared]
    return rank_sum(x, y, alternative="greater").p, 1.0


def _two_sided(x: FloatArray, y: FloatArray) -> tuple[float, float]:
    differences = np.round(x - y, _TIE_DECIMALS)
    test = signed_rank(differences, np.zeros_like(differences))
    return test.p, float(np.sign(test.statistic - test.n * (test.n + 1) / 4)) if test.n else 0.0


def detectable(values: FloatArray, tests: PairTests, units: Units, recipe: Recipe) -> float | None:
    """The difference that half of the pairs would have shown with power 0.8; None where some pair did show one.

    In the unit of `values`; Holm's correction asks of the first pair to be significant what Bonferroni's asks of all.
    """
    if not tests.p.size or tests.bounds or tests.wins.any():
        return None
    alpha = recipe.alpha / (tests.p.size if recipe.correction == "holm" else 1)
    each = [
        detectable_in(values[one] - values[two], units.document, alpha=alpha)
        for one, two in zip(tests.first, tests.second, strict=True)
    ]
    known = [difference for difference in each if math.isfinite(difference)]
    return median(known) if known else None


def documents_needed(n_pairs: int, recipe: Recipe) -> int | None:
    """The fewest documents of which all pointing the same way are rare enough, or None where none are flipped.

    Of all 2^n ways of flipping n documents two are as extreme as that, so that p is at least 2^(1-n); Holm's correction
    asks of the smallest of all p to be below alpha by their number.
    """
    if recipe.test != "permutation" or n_pairs < 1:
        return None
    threshold = recipe.alpha / (n_pairs if recipe.correction == "holm" else 1)
    return math.floor(1 - math.log2(threshold)) + 1
