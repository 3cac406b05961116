"""Tests, intervals and corrections: whether a difference between systems, or the fall of a damaged item, is real."""

from metrics.statistics.resampling import Interval
from metrics.statistics.significance.bootstrap import bootstrap_interval, bootstrap_means
from metrics.statistics.significance.combining import Combined, holm, stouffer
from metrics.statistics.significance.paired import PairedT, paired_t
from metrics.statistics.significance.permutation import (
    PairwisePermutation,
    Permutation,
    paired_permutation,
    paired_permutation_all,
)
from metrics.statistics.significance.rank_tests import RankSum, SignedRank, rank_sum, signed_rank
from metrics.statistics.significance.shared_draws import (
    PairedBootstrap,
    Randomisation,
    approximate_randomisation,
    paired_bootstrap,
)

__all__ = [
    "Combined",
    "Interval",
    "PairedBootstrap",
    "PairedT",
    "PairwisePermutation",
    "Permutation",
    "Randomisation",
    "RankSum",
    "SignedRank",
    "approximate_randomisation",
    "bootstrap_interval",
    "bootstrap_means",
    "holm",
    "paired_bootstrap",
    "paired_permutation",
    "paired_permutation_all",
    "paired_t",
    "rank_sum",
    "signed_rank",
    "stouffer",
]
