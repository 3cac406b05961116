"""The analysis `correlation`: whether automatic metrics order systems and segments as people do."""

from typing import Any

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.json_numbers import interval_ends, number
from metrics.analyses.metric_comparisons import compare_on_segments, compare_on_systems
from metrics.analyses.metric_levels import Draws, segment_entries, system_entry
from metrics.analyses.metric_standings import disagreements
from metrics.analyses.people_and_metrics import People, SideBySide, left_out, people_of, side_by_side
from metrics.scoring.reading import TestSetScores
from metrics.statistics.arrays import BoolArray
from metrics.statistics.significance import bootstrap_interval

FEWEST_SYSTEMS = 2


def correlation(evidence: Evidence) -> dict[str, Any]:
    """`metrics`: each by level and grouping; `comparisons`: every two of them, the one closer to people first.

    `measure` is the campaign's first, `human` what stands for people's view of a system (mean, z or expected_wins);
    `systems` have people's score, those of all metrics, and why a system is left out (reference, human, outlier).
    `disagreements` are the translations on which a metric and people lie furthest apart, `slices` the same `metrics`
    of each domain, tag or document. `reason` is None, or why nothing could be correlated.
    """
    people, scores = people_of(evidence), evidence.metrics
    if people is None or scores is None or not scores.metrics:
        reason = "no_judgments" if people is None else "no_scores"
        return {"measure": None, "human": None, "reason": reason, **_nothing()}
    side = side_by_side(people, scores)
    out = left_out(side, evidence, scores)
    staying = side.of_systems(np.array([name not in out for name in side.systems], dtype=np.bool_))
    result: dict[str, Any] = {
        "measure": people.table.measure,
        "human": people.by,
        "higher_is_better": people.by != "mean" or people.table.higher_is_better,
        "reason": None if len(staying.systems) >= FEWEST_SYSTEMS else "too_few_systems",
        "systems": _systems(evidence, people, side, scores, out),
        "signatures": {metric.name: metric.signature for metric in scores.metrics},
        **_nothing(),
    }
    if result["reason"] is None:
        on_systems, system_groups = compare_on_systems(staying, evidence.recipe)
        on_segments, segment_groups = compare_on_segments(staying, evidence.recipe)
        groups = {("system", "none"): system_groups, ("segment", "item"): segment_groups}
        result["metrics"] = _metrics(evidence, staying)
        for entry in result["metrics"]:
            entry["group"] = groups.get((entry["level"], entry["grouping"]), {}).get(entry["metric"])
        result["comparisons"] = [*on_systems, *on_segments]
        result["disagreements"] = disagreements(staying, scores, turned=not result["higher_is_better"])
        result["slices"]["slices"] = _slices(evidence, people, staying)
    result["slices"]["by"] = evidence.recipe.by
    return result


def _nothing() -> dict[str, Any]:
    return {"metrics": [], "comparisons": [], "disagreements": [], "slices": {"by": None, "slices": {}}}


def _metrics(evidence: Evidence, side: SideBySide) -> list[dict[str, Any]]:
    draws = Draws.of(side, evidence.recipe)
    return [
        entry
        for metric in side.metrics
        for entry in (
            system_entry(side, metric, draws, evidence.recipe),
            *segment_entries(side, metric, draws, evidence.recipe),
        )
    ]


def _slices(evidence: Evidence, people: People, side: SideBySide) -> dict[str, Any]:
    """Where there are several; in a slice a system's score is the mean of its segments, people's and metrics' alike."""
    labels = _labels(evidence, people)
    if len(labels) < 2:
        return {}
    parts = {name: side.of_segments(inside) for name, inside in labels.items() if inside.any()}
    return {name: {"metrics": _metrics(evidence, part), "segments": part.segment.size} for name, part in parts.items()}


def _labels(evidence: Evidence, people: People) -> dict[str, BoolArray]:
    """Which columns of the cells each slice has."""
    table, units, by = people.table, people.values.units, evidence.recipe.by
    if by == "tag":
        return {tag: np.isin(units.code, places) for tag, places in table.tags.items()}
    codes, names = (units.domain, table.domains) if by == "domain" else (units.document, table.documents)
    found: dict[str, BoolArray] = {}
    for code in np.unique(codes).tolist():
        if names[code]:
            found[names[code]] = found.get(names[code], np.zeros(codes.size, dtype=np.bool_)) | (codes == code)
    return found


def _systems(
    evidence: Evidence, people: People, side: SideBySide, scores: TestSetScores, out: Any
) -> list[dict[str, Any]]:
    """Best first by people, with all that the scatter of a metric against people needs, in natural units."""
    turned = people.by == "mean" and not people.table.higher_is_better
    sign = -1 if turned else 1
    order = np.argsort(np.where(np.isnan(side.means), np.inf, -side.means), kind="stable")
    return [
        {
            "system": side.systems[place],
            "human": number(sign * float(side.means[place]) + 0.0),
            "interval": _interval(evidence, people, side, place, is_turned=turned),
            "scores": {
                metric.name: number(scores[metric.name].sign * float(metric.systems[place]) + 0.0)
                for metric in side.metrics
            },
            "left_out": out.get(side.systems[place]),
        }
        for place in order.tolist()
    ]


def _interval(
    evidence: Evidence, people: People, side: SideBySide, place: int, *, is_turned: bool
) -> list[float] | None:
    if people.by == "expected_wins":
        return None
    recipe, units = evidence.recipe, people.values.units
    found = bootstrap_interval(
        side.cells[place],
        groups=units.document,
        strata=units.domain if recipe.average == "domain" else None,
        resamples=recipe.interval_resamples,
        level=recipe.interval_level,
        rng=np.random.default_rng(recipe.seed),
    )
    return interval_ends(found, is_turned=is_turned)
