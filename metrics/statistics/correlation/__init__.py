"""Whether a metric orders translations and systems as people do."""

from metrics.statistics.correlation.coefficients import Correlation, kendall, pearson, spearman
from metrics.statistics.correlation.comparing import MetricPermutation, Williams, permutation_test, williams_test
from metrics.statistics.correlation.comparing_all import AccuraciesCompared, compare_accuracies, significance_groups
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
from metrics.statistics.correlation.rows import RowCoefficients, coefficients_of_rows

__all__ = [
    "AccuraciesCompared",
    "AccuracyWithTies",
    "Correlation",
    "CorrelationInterval",
    "GroupedCorrelation",
    "KendallLike",
    "MetricPermutation",
    "PairwiseAccuracy",
    "RowCoefficients",
    "Williams",
    "coefficients_of_rows",
    "compare_accuracies",
    "correlation_interval",
    "grouped",
    "kendall",
    "kendall_like",
    "pairwise_accuracy",
    "pairwise_accuracy_with_ties",
    "pearson",
    "permutation_test",
    "significance_groups",
    "soft_pairwise_accuracy",
    "spearman",
    "williams_test",
]
