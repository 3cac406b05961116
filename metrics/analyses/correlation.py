"""The analysis `correlation`: whether automatic metrics order systems and segments as people do."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from django.utils.translation import gettext_lazy as _

import numpy as np

from metrics.analyses.ceiling import HumanCeiling, ceiling
from metrics.analyses.evidence import Evidence
from metrics.analyses.metric_levels import (
    STATISTICS,
    Comparison,
    CorrelatedMetric,
    Draws,
    compare_on_segments,
    compare_on_systems,
    segment_entries,
    system_entry,
)
from metrics.analyses.metric_spans import MetricSpans, metric_spans
from metrics.analyses.people_and_metrics import People, SideBySide, left_out, people_of, side_by_side
from metrics.analyses.segment_scores import MetricPair, ScoredSegments, metric_pairs, scored_segments
from metrics.analyses.system_values import mean_interval, places_by_part
from metrics.coefficient_names import CORRELATIONS
from metrics.results.tables import Cell, Column, Form, Table, Text, attributes_table
from metrics.results.values import Ends, Missing, Number, interval_ends, listed, number
from metrics.scoring.reading import TestSetScores
from metrics.statistics.arrays import FloatArray, midranks

FEWEST_SYSTEMS = 2
SHOWN_EACH_WAY = 10
GROUPINGS = ("item", "none", "system")
_RESAMPLED = tuple(name for name in STATISTICS if name not in ("soft_pairwise_accuracy", "epsilon", "kendall_like"))
_INTERVAL = "%s_interval"
_TITLES: Mapping[str, Text] = {
    **CORRELATIONS,
    "pairwise_accuracy": _("Pairwise accuracy"),
    "soft_pairwise_accuracy": _("Soft pairwise accuracy"),
    "accuracy_with_ties": _("Accuracy with ties"),
}
_INTERVAL_TITLES: Mapping[str, Text] = {
    "pearson": _("Pearson’s r, 95% interval"),
    "accuracy_with_ties": _("Accuracy with ties, 95% interval"),
}
_COEFFICIENTS = ("pearson", "spearman", "kendall_b")


@dataclass(frozen=True)
class ComparedSystem:
    """People's score and every metric's, in natural units; `left_out`: why it is not correlated, None where it is."""

    system: str
    human: Number
    interval: Ends
    scores: Mapping[str, Number]
    left_out: str | None


@dataclass(frozen=True)
class DisputedTranslation:
    """One that a metric and people place far apart; scores in natural units, standings from 0 to 1, 1 the best."""

    metric: str
    system: str
    document: str
    segment: str
    segment_id: int
    human: float
    score: float
    human_standing: float
    metric_standing: float

    @property
    def is_metric_higher(self) -> bool:
        return self.metric_standing > self.human_standing


@dataclass(frozen=True)
class CorrelatedSlice:
    metrics: tuple[CorrelatedMetric, ...]
    segments: int


@dataclass(frozen=True)
class CorrelatedSlices:
    """The same metrics of each domain, tag or document."""

    by: str | None
    slices: Mapping[str, CorrelatedSlice] = listed(empty="one_part")


@dataclass(frozen=True, kw_only=True)
class Correlations:
    """`metrics`: each by level and grouping; `comparisons`: every two of them, the one closer to people first.

    `measure` is the campaign's first, `human` says which human score is used (mean, z or expected_wins). `systems` are
    in people's order. `disagreements` are the translations on which a metric and people lie furthest apart,
    `scored_segments` all of them for a picture, `metric_pairs` every two metrics; None of runs from before they were
    computed. `spans` compare the errors that metrics and people mark, where both do; `ceiling` is
    what one person reaches against the others. `reason` is None, or why nothing
    could be correlated; fields that are None then were not made.
    """

    measure: str | Missing
    human: str | Missing
    higher_is_better: bool | None = None
    reason: str | None
    systems: tuple[ComparedSystem, ...] | None = None
    signatures: Mapping[str, str] | None = None
    metrics: tuple[CorrelatedMetric, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    disagreements: tuple[DisputedTranslation, ...] = ()
    scored_segments: tuple[ScoredSegments, ...] | None = None
    metric_pairs: tuple[MetricPair, ...] | None = None
    slices: CorrelatedSlices
    spans: MetricSpans | None = None
    ceiling: HumanCeiling | None = None


def nothing_correlated(reason: str) -> Correlations:
    missing, no_slices = Missing(reason), CorrelatedSlices(None, {})
    return Correlations(measure=missing, human=missing, reason=reason, slices=no_slices)


def correlation(evidence: Evidence) -> Correlations:
    result = replace(_correlated(evidence), spans=metric_spans(evidence))
    return result if evidence.metrics is None else replace(result, ceiling=ceiling(evidence))


def _correlated(evidence: Evidence) -> Correlations:
    people, scores = people_of(evidence), evidence.metrics
    if people is None or scores is None or not scores.metrics:
        return nothing_correlated("no_judgments" if people is None else "no_scores")
    side = side_by_side(people, scores)
    out = left_out(side, evidence, scores)
    staying = side.of_systems(np.array([name not in out for name in side.systems], dtype=np.bool_))
    result = Correlations(
        measure=people.table.measure,
        human=people.by,
        higher_is_better=people.by != "mean" or people.table.higher_is_better,
        reason=None if len(staying.systems) >= FEWEST_SYSTEMS else "too_few_systems",
        systems=tuple(_systems(evidence, people, side, scores, out)),
        signatures={metric.name: metric.signature for metric in scores.metrics},
        slices=CorrelatedSlices(evidence.recipe.by_text, {}),
    )
    if result.reason is not None:
        return result
    on_systems, system_groups = compare_on_systems(staying, evidence.recipe)
    on_segments, segment_groups = compare_on_segments(staying, evidence.recipe)
    groups = {("system", "none"): system_groups, ("segment", "item"): segment_groups}
    return replace(
        result,
        metrics=tuple(
            replace(one, group=groups.get((one.level, one.grouping), {}).get(one.metric, Missing("not_compared")))
            for one in _metrics(evidence, staying)
        ),
        comparisons=(*on_systems, *on_segments),
        disagreements=tuple(_disagreements(staying, scores, turned=not result.higher_is_better)),
        scored_segments=tuple(scored_segments(staying, scores, turned=not result.higher_is_better)),
        metric_pairs=tuple(metric_pairs(staying)),
        slices=CorrelatedSlices(evidence.recipe.by_text, _slices(evidence, people, staying)),
    )


def _metrics(evidence: Evidence, side: SideBySide) -> list[CorrelatedMetric]:
    draws = Draws.of(side, evidence.recipe)
    return [
        entry
        for metric in side.metrics
        for entry in (
            system_entry(side, metric, draws, evidence.recipe),
            *segment_entries(side, metric, draws, evidence.recipe),
        )
    ]


def _slices(evidence: Evidence, people: People, side: SideBySide) -> dict[str, CorrelatedSlice]:
    """Where there are several; in a slice a system's score is the mean of its segments, people's and metrics' alike."""
    places = places_by_part(evidence.recipe.by_text, people.table, people.values.units)
    if len(places) < 2:
        return {}
    parts = {name: side.of_segments(inside) for name, inside in places.items() if inside.size}
    return {name: CorrelatedSlice(tuple(_metrics(evidence, part)), part.segment.size) for name, part in parts.items()}


def _systems(
    evidence: Evidence, people: People, side: SideBySide, scores: TestSetScores, out: Mapping[str, str]
) -> list[ComparedSystem]:
    """With all that the scatter of a metric against people needs."""
    turned = people.by == "mean" and not people.table.higher_is_better
    order = np.argsort(np.where(np.isnan(side.means), np.inf, -side.means), kind="stable")
    entries = []
    for place in order.tolist():
        human = number((-1 if turned else 1) * float(side.means[place]) + 0.0, "never_decided")
        interval: Ends = Missing("in_ranking")
        if people.by != "expected_wins":
            of_mean = mean_interval(side.cells[place], people.values.units, evidence.recipe)
            interval = interval_ends(of_mean, human, is_turned=turned)
        entries.append(
            ComparedSystem(
                system=side.systems[place],
                human=human,
                interval=interval,
                scores={
                    metric.name: number(scores[metric.name].sign * float(metric.systems[place]) + 0.0, "no_score")
                    for metric in side.metrics
                },
                left_out=out.get(side.systems[place]),
            )
        )
    return entries


def _disagreements(side: SideBySide, scores: TestSetScores, *, turned: bool) -> list[DisputedTranslation]:
    """For each metric the translations on which it and people lie furthest apart, both ways.

    A standing is the share of all judged translations that are placed below one, half of those placed alike counted:
    from 0 to 1. `turned` says whether people's scores were turned round.
    """
    places = {key: place for place, key in enumerate(scores.segment_ids)}
    columns = [places.get(key, -1) for key in side.segment.tolist()]
    entries = []
    for metric in side.metrics:
        sign = scores[metric.name].sign
        system, column = np.nonzero(~(np.isnan(side.cells) | np.isnan(metric.cells)))
        people, scored = side.cells[system, column], metric.cells[system, column]
        of_people, of_metric = _standing(people), _standing(scored)
        apart = of_metric - of_people
        for place in _furthest(apart):
            at = columns[column[place]]
            entries.append(
                DisputedTranslation(
                    metric=metric.name,
                    system=side.systems[system[place]],
                    document=scores.documents[at],
                    segment=scores.segment_names[at],
                    segment_id=scores.segment_ids[at],
                    human=float((-1 if turned else 1) * people[place] + 0.0),
                    score=float(sign * scored[place] + 0.0),
                    human_standing=float(of_people[place]),
                    metric_standing=float(of_metric[place]),
                )
            )
    return entries


def _standing(values: FloatArray) -> FloatArray:
    return (midranks(values)[0] - 0.5) / max(1, values.size)


def _furthest(apart: FloatArray) -> Iterable[int]:
    """First those that the metric places higher than people, then the reverse; none where both agree."""
    order = np.argsort(-apart, kind="stable")
    high = [place for place in order[:SHOWN_EACH_WAY].tolist() if apart[place] > 0]
    low = [place for place in order[::-1][:SHOWN_EACH_WAY].tolist() if apart[place] < 0]
    return [*high, *low]


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
