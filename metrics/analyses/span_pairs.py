"""Every two annotators who judged the same output, and the characters each of them marked."""

from itertools import combinations
from typing import Any

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.json_numbers import number
from metrics.matrices import ScoreTable
from metrics.statistics.spans import character_f1, intersection_over_union

COUNTED = ("minor", "major", "critical")
Span = tuple[int, int, str]


def span_agreement(evidence: Evidence) -> dict[str, Any] | None:
    """On the translation's side, minor and worse; None where no output was judged twice."""
    marked = evidence.marked
    table = next((each for each in evidence.tables if each.weight is not None and each.measure == "penalty"), None)
    if marked is None or table is None:
        return None
    spans: dict[int, list[Span]] = {}
    for row, start, end, label, is_target in zip(
        marked.row.tolist(),
        marked.start.tolist(),
        marked.end.tolist(),
        marked.label.tolist(),
        marked.is_target.tolist(),
        strict=True,
    ):
        if is_target and marked.severities[label] in COUNTED:
            spans.setdefault(row, []).append((start, end, marked.severities[label]))
    first, second = [], []
    for rows in _judged_together(evidence, table):
        for one, other in combinations(rows, 2):
            first.append(spans.get(one, []))
            second.append(spans.get(other, []))
    if not first:
        return None
    macro, micro = character_f1(first, second), character_f1(first, second, average="micro")
    return {
        "f1_micro": number(micro.value),
        "f1_macro": number(macro.value),
        "iou_micro": number(intersection_over_union(first, second, average="micro").value),
        "iou_macro": number(intersection_over_union(first, second).value),
        "f1_macro_severity": number(character_f1(first, second, severity_aware=True).value),
        "comparisons": macro.n,
        "both_empty": macro.both_empty,
        "identical": macro.perfect,
    }


def _judged_together(evidence: Evidence, table: ScoreTable) -> list[list[int]]:
    """Rows of the table by output, one an annotator (the last), of outputs with two or more."""
    rows = np.flatnonzero(
        evidence.usable(table) & evidence.by_included(table) & table.of_kinds(["regular"]) & table.is_own
    )
    by_output: dict[int, dict[int, int]] = {}
    outputs = table.unit[rows] * (len(table.systems) + 1) + table.system[rows]
    for output, annotator, row in zip(outputs.tolist(), table.annotator[rows].tolist(), rows.tolist(), strict=True):
        by_output.setdefault(output, {})[annotator] = row
    return [list(of_output.values()) for of_output in by_output.values() if len(of_output) > 1]
