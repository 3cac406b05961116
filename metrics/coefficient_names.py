"""The names of correlation coefficients, the same wherever people read them; files name them by their keys."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy

from metrics.results.tables import Text

CORRELATIONS: Mapping[str, Text] = {
    "pearson": gettext_lazy("Pearson’s r"),
    "spearman": gettext_lazy("Spearman’s ρ"),
    "kendall_b": gettext_lazy("Kendall’s τ-b"),
}
