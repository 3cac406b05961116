"""Whether a metric orders translations and systems as people do."""

from metrics.statistics.correlation.coefficients import Correlation, kendall, pearson, spearman
from metrics.statistics.correlation.comparing import MetricPermutation, Williams, permutation_test, williams_test
from metrics.statistics.correlation.grouped import GroupedCorrelation, grouped
from metrics.statistics.correlation.intervals import CorrelationInterval, correlation_interval
from metrics.statistics.correlation.kendall_like import KendallLike, kendall_like
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
    "CorrelationInterval",
    "GroupedCorrelation",
    "KendallLike",
    "MetricPermutation",
    "PairwiseAccuracy",
    "Williams",
    "correlation_interval",
    "grouped",
    "kendall",
    "kendall_like",
    "pairwise_accuracy",
    "pairwise_accuracy_with_ties",
    "pearson",
    "permutation_test",
    "soft_pairwise_accuracy",
    "spearman",
    "williams_test",
]
