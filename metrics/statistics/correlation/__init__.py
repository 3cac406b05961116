"""Whether a metric orders translations and systems as people do."""

from metrics.statistics.correlation.coefficients import Correlation, kendall, pearson, spearman

__all__ = ["Correlation", "kendall", "pearson", "spearman"]
