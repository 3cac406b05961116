"""Tests, intervals and corrections: whether a difference between systems, or the fall of a damaged item, is real."""

from metrics.statistics.resampling import Interval
from metrics.statistics.significance.bootstrap import bootstrap_interval, bootstrap_means
from metrics.statistics.significance.combining import Combined, holm, stouffer
from metrics.statistics.significance.paired import PairedT, paired_t
from metrics.statistics.significance.permutation import PairwisePermutation, paired_permutation_all
from metrics.statistics.significance.rank_tests import RankSum, SignedRank, rank_sum, signed_rank
from metrics.statistics.significance.shared_draws import PairedBootstrap, paired_bootstrap

__all__ = [
    "Combined",
    "Interval",
    "PairedBootstrap",
    "PairedT",
    "PairwisePermutation",
    "RankSum",
    "SignedRank",
    "bootstrap_interval",
    "bootstrap_means",
    "holm",
    "paired_bootstrap",
    "paired_permutation_all",
    "paired_t",
    "rank_sum",
    "signed_rank",
    "stouffer",
]
