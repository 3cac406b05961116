"""The tables of the analysis `correlation`: metrics beside people, metrics beside each other, disputed translations."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from django.utils.translation import gettext_lazy as _

from metrics.analyses.correlation import Correlations
from metrics.analyses.metric_levels import STATISTICS, CorrelatedMetric
from metrics.results.tables import Cell, Column, Form, Table, Text, attributes_table
from metrics.results.values import Missing

GROUPINGS = ("item", "none", "system")
_RESAMPLED = tuple(name for name in STATISTICS if name not in ("soft_pairwise_accuracy", "epsilon", "kendall_like"))
_INTERVAL = "%s_interval"
_TITLES: Mapping[str, Text] = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall_b": "Kendall τ-b",
    "pairwise_accuracy": _("Pairwise accuracy"),
    "soft_pairwise_accuracy": _("Soft pairwise accuracy"),
    "accuracy_with_ties": _("Accuracy with ties"),
}
_INTERVAL_TITLES: Mapping[str, Text] = {
    "pearson": _("Pearson’s r, 95% interval"),
    "accuracy_with_ties": _("Accuracy with ties, 95% interval"),
}
_COEFFICIENTS = ("pearson", "spearman", "kendall_b")


def parts_of(result: Correlations) -> dict[str, Sequence[CorrelatedMetric]]:
    """All of the campaign under "", then each slice by name."""
    return {"": result.metrics, **{name: part.metrics for name, part in result.slices.slices.items()}}


def correlations_table(
    parts: Mapping[str, Sequence[CorrelatedMetric]],
    *,
    titles: Mapping[str, str] | None = None,
    signature: str = "",
) -> Table:
    """Metrics at every level and in every grouping, in each of the `parts`; `titles` are those of metrics by name."""
    columns = (
        Column("slice", "", Form.TEXT),
        Column("metric", "", Form.TEXT),
        Column("title", _("Metric"), Form.NAME, is_in_files=False),
        Column("level", "", Form.TEXT),
        Column("grouping", "", Form.TEXT),
        Column("group", _("Group"), Form.COUNT),
        Column("systems", _("Systems"), Form.COUNT, is_in_files=False),
        Column("groups", _("Segments"), Form.COUNT),
        *(Column(name, _TITLES.get(name, name), decimals=3, highest_first=True) for name in STATISTICS),
        *(
            Column(
                _INTERVAL % name, _INTERVAL_TITLES.get(name, name), Form.ENDS, 3, keys=(f"{name}_low", f"{name}_high"),
                of=name,
            )
            for name in _RESAMPLED
        ),
        Column("signature", "", Form.TEXT),
    )  # fmt: skip
    return Table(
        "correlations",
        _("Correlation with human judgments"),
        columns,
        tuple(_row(part, one, titles or {}, signature) for part, metrics in parts.items() for one in metrics),
        terminal=(
            "metric", "level", "grouping", "group", "pearson", _INTERVAL % "pearson", "spearman", "kendall_b",
            "pairwise_accuracy", "soft_pairwise_accuracy", "accuracy_with_ties", "groups",
        ),
    )  # fmt: skip


def _row(part: str, one: CorrelatedMetric, titles: Mapping[str, str], signature: str) -> tuple[Cell, ...]:
    return (
        part,
        one.metric,
        titles.get(one.metric, one.metric),
        one.level,
        one.grouping,
        one.group,
        one.groups if one.grouping == "system" else one.systems,
        one.groups,
        *(getattr(one, name) for name in STATISTICS),
        *(one.intervals.get(name) for name in _RESAMPLED),
        signature,
    )


def leading_statistic(level: str, grouping: str) -> str:
    """Ties count within a segment; elsewhere Pearson's r leads."""
    return "accuracy_with_ties" if (level, grouping) == ("segment", "item") else "pearson"


def of_level(metrics: Sequence[CorrelatedMetric], level: str, grouping: str) -> list[CorrelatedMetric]:
    """Closest to people first, metrics without a number last."""
    leading = leading_statistic(level, grouping)

    def place(one: CorrelatedMetric) -> tuple[float, str]:
        value = getattr(one, leading)
        return (2.0 if isinstance(value, Missing) else -value), one.metric

    return sorted((one for one in metrics if (one.level, one.grouping) == (level, grouping)), key=place)


def level_table(
    metrics: Sequence[CorrelatedMetric], level: str, grouping: str, titles: Mapping[str, str] | None = None
) -> Table:
    """For a page; lines separate groups of metrics that differ significantly."""
    rows = of_level(metrics, level, grouping)
    leading = leading_statistic(level, grouping)
    table = correlations_table({"": rows}, titles=titles)
    is_of_systems, is_by_item = level == "system", (level, grouping) == ("segment", "item")
    counted = "systems" if is_of_systems else {"item": "groups", "system": "systems"}.get(grouping)
    return replace(
        table,
        title=_("Systems") if is_of_systems else _("Segments"),
        part=f"correlated-{level}",
        page=(
            "title",
            "group",
            f"chart:{_INTERVAL % leading}",
            *(["accuracy_with_ties"] if is_by_item else []),
            *_COEFFICIENTS,
            *(["pairwise_accuracy"] if is_of_systems or is_by_item else []),
            *(["soft_pairwise_accuracy"] if is_of_systems else []),
            *([counted] if counted else []),  # else all cells are one group
        ),
        main=leading,
        cuts=frozenset(
            at
            for at, (one, below) in enumerate(pairwise(rows))
            if isinstance(below.group, int) and one.group != below.group
        ),
    )


def comparisons_table(result: Correlations, signature: str) -> Table:
    """Every two metrics, the one closer to people first."""
    columns = ("first", "second", "level", "grouping", "statistic", "difference", "p", "test")
    return attributes_table("comparisons", columns, result.comparisons, signature)


def disagreements_table(result: Correlations, signature: str) -> Table:
    """Translations on which a metric and people lie furthest apart."""
    columns = (
        "metric", "system", "document", "segment", "human", "score", "human_standing", "metric_standing",
    )  # fmt: skip
    return attributes_table("disagreements", columns, result.disagreements, signature)
