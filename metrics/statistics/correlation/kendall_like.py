"""WMT's own coefficient of 2017 to 2020: does a metric order the pairs that people told clearly apart?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.correlation.pairwise import outcome_pairs


@dataclass(frozen=True)
class KendallLike:
    """`value` over `concordant` and `discordant` pairs; NaN, reason `no_clear_pairs`, without any."""

    value: float
    concordant: int
    discordant: int
    reason: str = ""


def kendall_like(human: ArrayLike, metric: ArrayLike, *, threshold: float = 25.0) -> KendallLike:
    """Of pairs of translations that people told clearly apart, how many more does a metric order alike than not?

    Shape: `human` and `metric`: (n_systems, n_segments); pairs are of one segment.
    Unit and range: Higher is better in both; `threshold` in the unit of `human` (raw points of 0 to 100); -1 to 1.
    Missing data: A cell in which either is NaN is left out.
    Degenerate input: No pair so far apart: NaN, reason `no_clear_pairs`. A threshold of 0 or less raises ValueError:
        then equals would have to be ordered.
    Method: (C - D) / (C + D) over all pairs of all segments whose human difference is at least the threshold; C are
        those the metric orders alike, D all others: a tie of the metric counts against it.
    Source: "daRR" of Bojar, Graham & Kamran 2017 and the metrics tasks of WMT up to Mathur et al. 2020; given up in
        2021. It is no Kendall's tau: ties of the metric have no place of their own.

    Example:
        Two clear pairs in order, one tied by the metric; the fourth is too close to count.

        >>> kendall_like([[90, 80], [60, 70], [30, 70]], [[3, 2], [2, 1], [2, 1]])
        KendallLike(value=0.3333333333333333, concordant=2, discordant=1, reason='')
    """
    if threshold <= 0:
        raise ValueError(f"the threshold must be above 0, not {threshold}")
    pairs = outcome_pairs(human, metric, by="item")
    clear = pairs.distance >= threshold - 1e-9
    concordant = int(np.count_nonzero(clear & (np.sign(pairs.metric) == pairs.human)))
    discordant = int(np.count_nonzero(clear)) - concordant
    if not clear.any():
        return KendallLike(float("nan"), 0, 0, reason="no_clear_pairs")
    return KendallLike((concordant - discordant) / (concordant + discordant), concordant, discordant)
