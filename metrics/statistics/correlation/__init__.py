"""Whether a metric orders translations and systems as people do."""

from metrics.statistics.correlation.coefficients import Correlation, kendall, pearson, spearman
from metrics.statistics.correlation.comparing import MetricPermutation, Williams, permutation_test, williams_test
from metrics.statistics.correlation.grouped import GroupedCorrelation, grouped
from metrics.statistics.correlation.pairwise import (
    AccuracyWithTies,
    PairwiseAccuracy,
    pairwise_accuracy,
    pairwise_accuracy_with_ties,
    soft_pairwise_accuracy,
)

__all__ = [
    "AccuracyWithTies",
    "Correlation",
    "GroupedCorrelation",
    "MetricPermutation",
    "PairwiseAccuracy",
    "Williams",
    "grouped",
    "kendall",
    "pairwise_accuracy",
    "pairwise_accuracy_with_ties",
    "pearson",
    "permutation_test",
    "soft_pairwise_accuracy",
    "spearman",
    "williams_test",
]
