"""How much a corpus score could vary: resamples of segments, drawn once for all systems and metrics."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics import VERSION
from metrics.automatic.base import FloatArray, Metric
from metrics.statistics.resampling import FEWEST_RESAMPLES, counted_draws

SEED = 12345
RESAMPLES = 1_000
_CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class Draw:
    """Resamples of `n_segments` segments with replacement, the same that sacreBLEU draws with the same seed.

    Only the number of times each segment was drawn is stored: a resample's sums are then one product of matrices, and
    one draw serves all systems and metrics.
    """

    n_segments: int
    resamples: int = RESAMPLES
    seed: int = SEED

    @property
    def signature(self) -> str:
        """Everything that can change an interval, beside what can change the score."""
        drawn = f"method:bootstrap|unit:segments|resamples:{self.resamples}|level:0.95|seed:{self.seed}"
        return f"{drawn}|version:assay-{VERSION}"

    def sums(self, statistics: FloatArray) -> FloatArray:
        """The summed counts of each resample. Shape: (n_segments, n_columns) to (resamples, n_columns)."""
        return np.concatenate([counts @ statistics for counts in self._counts])

    def sums_of_swapped(self, statistics: FloatArray) -> FloatArray:
        """The summed counts of the segments that coins, as sacreBLEU throws them, say to swap; a row a trial."""
        return np.concatenate([coins @ statistics for coins in self._coins])

    @cached_property
    def _counts(self) -> list[NDArray[np.float64]]:
        """How often each segment is in each resample."""
        rng = np.random.default_rng(self.seed)
        drawn = rng.choice(self.n_segments, size=(self.resamples, self.n_segments), replace=True)
        return [counted_draws(drawn[rows], self.n_segments) for rows in self._parts]

    @cached_property
    def _coins(self) -> list[NDArray[np.float64]]:
        rng = np.random.default_rng(self.seed)
        coins = rng.integers(2, size=(self.resamples, self.n_segments), dtype=np.bool_)
        return [coins[rows].astype(np.float64) for rows in self._parts]

    @property
    def _parts(self) -> list[slice]:
        """Some resamples at a time."""
        step = max(1, _CELLS_AT_ONCE // max(self.n_segments, 1))
        return [slice(start, start + step) for start in range(0, self.resamples, step)]


def interval_entry(score: float, ends: Sequence[float] | None, draw: Draw) -> dict[str, Any]:
    """What is shown beside a score: `interval`, `interval_signature`, and `interval_note`, which explains it.

    The note is `one_segment` or `few_resamples` where there is no interval, and `misses_score` where the score lies
    outside: with few segments, resamples may miss it.
    """
    if draw.n_segments < 2 or ends is None:
        return {"interval": None, "interval_signature": None, "interval_note": "one_segment"}
    if draw.resamples < FEWEST_RESAMPLES:
        return {"interval": None, "interval_signature": None, "interval_note": "few_resamples"}
    note = None if ends[0] <= score <= ends[1] else "misses_score"
    return {"interval": (ends[0], ends[1]), "interval_signature": draw.signature, "interval_note": note}


def interval_of(scores: FloatArray) -> tuple[float, float]:
    """The ends of the middle 95 % of resampled scores."""
    ordered = np.sort(scores)
    dropped = ordered.size // 40
    return float(ordered[dropped]), float(ordered[ordered.size - dropped - 1])


@dataclass(frozen=True)
class Comparison:
    """`difference`: first minus second; `share`: of resamples in which the first is better; `p` of the bootstrap."""

    difference: float
    share: float
    p: float


def shares_and_p(
    metric: Metric, first: FloatArray, second: FloatArray, first_drawn: FloatArray, second_drawn: FloatArray
) -> Comparison:
    """Two systems by the same resamples: counts of each, and scores of the resamples of each.

    `share` is the textbook's form, evidence above 0.95 (Koehn 2004, EMNLP). `p` is sacreBLEU's: absolute differences
    of the resamples, less their mean, that exceed the real one; one is added above and below.
    """
    real = metric.value(first.sum(axis=0)) - metric.value(second.sum(axis=0))
    drawn = first_drawn - second_drawn
    apart = np.abs(drawn)
    better = drawn > 0 if metric.higher_is_better else drawn < 0
    return Comparison(difference=real, share=float(np.mean(better)), p=_p(apart - apart.mean() > abs(real)))


def randomised_p(
    metric: Metric, first: FloatArray, second: FloatArray, first_swapped: FloatArray, second_swapped: FloatArray
) -> float:
    """How often systems whose translations were swapped by a coin, segment by segment, differ more than they do.

    Counts of each, and their sums over the swapped segments of each trial. Source: Riezler & Maxwell 2005, "On some
    pitfalls in automatic evaluation and significance testing for MT", ACL workshop; as sacreBLEU computes it.
    """
    whole, other = first.sum(axis=0), second.sum(axis=0)
    moved = second_swapped - first_swapped
    apart = np.abs(metric.values(whole + moved) - metric.values(other - moved))
    return _p(apart > abs(metric.value(whole) - metric.value(other)))


def _p(extreme: NDArray[np.bool_]) -> float:
    return float((np.count_nonzero(extreme) + 1) / (extreme.size + 1))
