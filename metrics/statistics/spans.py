"""Do two annotators mark the same characters? F1 and intersection over union, on sets of characters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from metrics.statistics.arrays import FloatArray, IntArray

Average = Literal["micro", "macro"]
Marks = Sequence[Sequence[Sequence[Any]]]
SEVERITIES = ("neutral", "minor", "major", "critical")
_OTHER_SEVERITY_COUNTS = 0.5


@dataclass(frozen=True)
class SpanAgreement:
    """`value` over `n` comparisons, in `both_empty` of which nobody marked anything; NaN without any comparison.

    `perfect` are the comparisons whose own value is 1, those in which nobody marked anything among them.
    """

    value: float
    n: int
    both_empty: int
    perfect: int
    reason: str = ""


def character_f1(
    first: Marks, second: Marks, *, average: Average = "macro", severity_aware: bool = False
) -> SpanAgreement:
    """How far two annotators mark the same characters: twice the shared ones over those of either, added up.

    Shape: `first` and `second`: one list of spans a comparison, paired by position; a span is (start, end) or (start,
        end, severity), half-open, in code points of the same text.
    Unit and range: 0 to 1.
    Missing data: Leave out comparisons of what one of them did not judge; an empty list says that nothing was wrong.
    Degenerate input: No comparison: NaN, reason `no_overlap`. Both empty: 1, one empty: 0 (macro); nobody marked
        anything at all: 1. Empty spans (omissions) have no characters. Unequal lengths raise ValueError.
    Method: A and B are sets of characters, overlapping spans of one annotator once. 2 |A and B| / (|A| + |B|): macro
        the mean over comparisons, micro of the sums. Severity-aware: a shared character counts one half where the two
        name different severities (of one annotator's the worst counts).
    Source: The word-level error span tasks of WMT quality estimation 2020 to 2023 (Zerva et al. 2022), on characters.

    Example:
        >>> first, second = [[(0, 4)], []], [[(2, 6)], []]
        >>> character_f1(first, second).value, character_f1(first, second, average="micro").value
        (0.75, 0.5)
        >>> character_f1([[(0, 4, "minor")]], [[(0, 4, "major")]], severity_aware=True).value
        0.5
    """
    shared, total, _either = _sizes(first, second, severity_aware=severity_aware)
    return _averaged(2 * shared, total, average)


def intersection_over_union(
    first: Marks, second: Marks, *, average: Average = "macro", severity_aware: bool = False
) -> SpanAgreement:
    """How far two annotators mark the same characters: the shared ones over all that either marked.

    Shape: As `character_f1`.
    Unit and range: 0 to 1, never above F1.
    Missing data: As `character_f1`.
    Degenerate input: As `character_f1`.
    Method: |A and B| / |A or B|, otherwise as `character_f1`.
    Source: Jaccard 1912, on sets of characters.

    Example:
        >>> first, second = [[(0, 4)], []], [[(2, 6)], []]
        >>> round(intersection_over_union(first, second).value, 4)
        0.6667
    """
    shared, _total, either = _sizes(first, second, severity_aware=severity_aware)
    return _averaged(shared, either, average)


def _averaged(parts: FloatArray, wholes: FloatArray, average: Average) -> SpanAgreement:
    if average not in ("micro", "macro"):
        raise ValueError(f"average must be micro or macro, not {average!r}")
    n, empty = wholes.size, wholes == 0
    if not n:
        return SpanAgreement(float("nan"), 0, 0, 0, reason="no_overlap")
    shares = np.where(empty, 1.0, parts / np.where(empty, 1.0, wholes))
    pooled = float(parts.sum() / wholes.sum()) if wholes.any() else 1.0
    value = float(shares.mean()) if average == "macro" else pooled
    return SpanAgreement(value, n, int(empty.sum()), int(np.count_nonzero(shares == 1)))


def _sizes(first: Marks, second: Marks, *, severity_aware: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Characters of each comparison: those both marked, those of one and of the other added up, those either marked."""
    if len(first) != len(second):
        raise ValueError(f"first and second must be paired, got {len(first)} and {len(second)} comparisons")
    n = len(first)
    furthest = max((int(span[1]) for marks in (*first, *second) for span in marks), default=0) + 1
    one, severity_one = _characters(first, furthest, severity_aware=severity_aware)
    other, severity_other = _characters(second, furthest, severity_aware=severity_aware)
    both, at_one, at_other = np.intersect1d(one, other, assume_unique=True, return_indices=True)
    credit = np.where(severity_one[at_one] == severity_other[at_other], 1.0, _OTHER_SEVERITY_COUNTS)
    of_first, of_second, together = (
        np.bincount(codes // furthest, minlength=n).astype(np.float64) for codes in (one, other, both)
    )
    shared = np.bincount(both // furthest, weights=credit, minlength=n).astype(np.float64, copy=False)
    return shared, of_first + of_second, of_first + of_second - together


def _characters(marks: Marks, furthest: int, *, severity_aware: bool) -> tuple[IntArray, IntArray]:
    """Each marked character once, as comparison * furthest + position, and its worst severity."""
    rows = [
        (place, int(span[0]), int(span[1]), _rank(span) if severity_aware else 0)
        for place, spans in enumerate(marks)
        for span in spans
    ]
    if not rows:
        empty = np.zeros(0, dtype=np.int64)
        return empty, empty
    place, start, end, severity = np.array(rows, dtype=np.int64).T
    lengths = np.maximum(end - start, 0)
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    codes = np.repeat(place * furthest + start, lengths) + within
    severity = np.repeat(severity, lengths)
    order = np.lexsort([-severity, codes])
    codes, severity = codes[order], severity[order]
    is_first = np.concatenate([[True], codes[1:] != codes[:-1]]) if codes.size else np.zeros(0, dtype=np.bool_)
    return codes[is_first], severity[is_first]


def _rank(span: Sequence[Any]) -> int:
    if len(span) < 3:
        raise ValueError("a span needs a severity where severities are compared")
    severity = str(span[2]).lower()
    return SEVERITIES.index(severity) if severity in SEVERITIES else len(SEVERITIES)
