"""Whose differences between systems are those of everybody else: the filter of annotators of WMT 2026."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import BoolArray, FloatArray, IntArray, as_codes, as_floats, group_means, group_sums

MORE_SCORES_THAN = 10
FEWEST_SCREENS = 3
_NEVER_ZERO = 1e-6


@dataclass(frozen=True)
class RaterFits:
    """One entry per annotator, sorted by label; `fit` is NaN without a pair."""

    annotators: tuple[str, ...]
    screens: IntArray
    pairs: IntArray
    fit: FloatArray

    def kept(self, lowest: float) -> BoolArray:
        """Whose scores count: three screens and a fit below `lowest` drop an annotator; without pairs nobody falls."""
        return ~((self.screens >= FEWEST_SCREENS) & (self.fit < lowest))


def rater_fits(
    values: ArrayLike, annotators: ArrayLike, systems: ArrayLike, screens: ArrayLike, rows: ArrayLike
) -> RaterFits:
    """How well the differences between systems in each annotator's rows match those between the systems' means.

    Shape: all (n_scores,): the score, and labels of its annotator, system, screen, and row (one segment on one
        screen). A row belongs to one annotator.
    Unit and range: A fit from 0 to 1; 1 is exactly the expected difference in every pair.
    Missing data: A NaN score is left out. A system with 10 scores or fewer has no mean to compare with: its pairs are
        left out.
    Degenerate input: An annotator without a pair (one system on every screen): fit NaN, and kept. Arrays of different
        lengths raise ValueError.
    Method: For scores x of systems a and b in one row, 2^(-d^2 / (2 (v_a + v_b) + 1e-6)) with d = (x_a - x_b) - (m_a -
        m_b), m and v being mean and variance (ddof = 1) of all scores of a system; the fit is the mean over pairs.
        `kept` drops an annotator with three screens or more whose fit is below the limit.
    Source: The scripts of the organisers of WMT 2026, limit 0.75. "Everybody" includes the annotator in question.

    Example:
        Ann puts a 20 above b in eleven rows, Bob 5 below it: the means differ by 7.5, so each is 12.5 away.

        >>> rows = [row for row in range(22) for _ in "ab"]
        >>> scores = [60, 40] * 11 + [40, 45] * 11
        >>> fits = rater_fits(scores, ["ann"] * 22 + ["bob"] * 22, ["a", "b"] * 22, rows, rows)
        >>> fits.pairs.tolist(), fits.fit.round(3).tolist(), fits.kept(0.75).tolist()
        ([11, 11], [0.615, 0.615], [False, False])
    """
    scores = as_floats(values)
    present = ~np.isnan(scores)
    names, annotator = as_codes(annotators, scores.size)
    (_, system), (_, screen), (_, row) = (as_codes(labels, scores.size) for labels in (systems, screens, rows))
    of_annotator = np.unique(np.stack([annotator, screen])[:, present], axis=1)[0]
    scores, annotator, system, row = scores[present], annotator[present], system[present], row[present]
    means, variances = _means_and_variances(scores, system)
    first, second = _pairs_in_rows(row)
    compared = ~(np.isnan(means[system[first]]) | np.isnan(means[system[second]]))
    first, second = first[compared], second[compared]
    a, b = system[first], system[second]
    distance = (scores[first] - scores[second]) - (means[a] - means[b])
    alike = 2.0 ** (-(distance**2) / (2 * (variances[a] + variances[b]) + _NEVER_ZERO))
    judges = annotator[first]
    return RaterFits(
        annotators=tuple(str(name) for name in names),
        screens=np.bincount(of_annotator, minlength=names.size).astype(np.int64),
        pairs=np.bincount(judges, minlength=names.size).astype(np.int64),
        fit=group_means(alike, judges, names.size),
    )


def _means_and_variances(scores: FloatArray, system: IntArray) -> tuple[FloatArray, FloatArray]:
    """Of each system; NaN for those with few scores."""
    n_systems = int(system.max(initial=-1)) + 1
    counts = np.bincount(system, minlength=n_systems)
    means = np.where(counts > MORE_SCORES_THAN, group_means(scores, system, n_systems), np.nan)
    squares = group_sums((scores - means[system]) ** 2, system, n_systems)
    return means, squares / np.maximum(1, counts - 1)


def _pairs_in_rows(row: IntArray) -> tuple[IntArray, IntArray]:
    """Every two places with the same row code, each pair once."""
    order = np.argsort(row, kind="stable")
    sizes = np.bincount(row)
    sizes = sizes[sizes > 0]
    left = np.repeat(sizes, sizes) - _places_within(sizes) - 1  # how many follow each place in its own row
    first = np.repeat(np.arange(row.size), left)
    return order[first], order[first + 1 + _places_within(left)]


def _places_within(sizes: IntArray) -> IntArray:
    """0, 1, … for each of these sizes, one after another."""
    starts = np.cumsum(sizes) - sizes
    return np.arange(int(sizes.sum())) - np.repeat(starts, sizes)
