"""Do two mark the same characters? F1, intersection over union, precision and recall, on sets of characters."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
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


@dataclass(frozen=True)
class SpanRows:
    """Marked spans in columns of one length: each one's `comparison`, `start`, `end`, and place in SEVERITIES."""

    comparison: IntArray
    start: IntArray
    end: IntArray
    severity: IntArray

    def with_severity(self, code: int) -> "SpanRows":
        """All of one severity."""
        return replace(self, severity=np.full_like(self.start, code))


@dataclass(frozen=True)
class CharacterAgreement:
    """What two marked alike, macro and micro; `f1_macro_severity` gives half credit where severities differ."""

    f1_macro: SpanAgreement
    f1_micro: SpanAgreement
    iou_macro: SpanAgreement
    iou_micro: SpanAgreement
    f1_macro_severity: SpanAgreement


@dataclass(frozen=True)
class CharacterMatches:
    """Characters: those `marked`, those of the `reference`, and those `shared`. A share without characters is NaN."""

    marked: int
    reference: int
    shared: int

    @property
    def precision(self) -> float:
        return self.shared / self.marked if self.marked else float("nan")

    @property
    def recall(self) -> float:
        return self.shared / self.reference if self.reference else float("nan")

    @property
    def f1(self) -> float:
        total = self.marked + self.reference
        return 2 * self.shared / total if total else float("nan")


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
    one, other, n = _paired(first, second, severity_aware=severity_aware)
    shared, total, _either = _sizes(one, other, n)
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
    one, other, n = _paired(first, second, severity_aware=severity_aware)
    shared, _total, either = _sizes(one, other, n)
    return _averaged(shared, either, average)


def character_agreement(first: SpanRows, second: SpanRows, comparisons: int) -> CharacterAgreement:
    """How far two annotators mark the same characters, by every measure at once.

    Shape: Two sets of spans in columns; the comparisons of both are numbered alike, from 0 to `comparisons` - 1.
    Unit and range: 0 to 1.
    Missing data: As `character_f1`.
    Degenerate input: As `character_f1`; a comparison without spans is one in which nobody marked anything.
    Method: `character_f1` and `intersection_over_union`, whose sets of characters are made once for all of them.
    Source: As `character_f1`.

    Example:
        >>> def one(start, end, severity):
        ...     return SpanRows(*(np.array([number]) for number in (0, start, end, severity)))
        >>> found = character_agreement(one(0, 4, 1), one(2, 6, 2), comparisons=2)
        >>> found.f1_macro.value, found.f1_micro.value, found.f1_macro_severity.value
        (0.75, 0.5, 0.625)
    """
    shared, total, either = _sizes(first.with_severity(0), second.with_severity(0), comparisons)
    of_severity = _sizes(first, second, comparisons)[0]
    return CharacterAgreement(
        f1_macro=_averaged(2 * shared, total, "macro"),
        f1_micro=_averaged(2 * shared, total, "micro"),
        iou_macro=_averaged(shared, either, "macro"),
        iou_micro=_averaged(shared, either, "micro"),
        f1_macro_severity=_averaged(2 * of_severity, total, "macro"),
    )


def character_matches(marked: SpanRows, reference: SpanRows, *, severity: int | None = None) -> CharacterMatches:
    """How much of what is marked does the reference mark, and how much of the reference is marked?

    Shape: Two sets of spans in columns; the comparisons of both are numbered alike.
    Unit and range: Characters; precision, recall and F1 are from 0 to 1.
    Missing data: Leave out comparisons of what one of the two did not look at.
    Degenerate input: Nothing marked: precision NaN; nothing in the reference: recall NaN; neither: F1 NaN. Empty spans
        (omissions) have no characters.
    Method: Sets of characters, added up over comparisons: precision |A and B| / |A|, recall |A and B| / |B|, F1 their
        harmonic mean, which is the micro mean of `character_f1`. With `severity` only characters that have it on
        their own side, where of overlapping spans the worst counts.
    Source: van Rijsbergen 1979 for the shares; on characters as in the span task of WMT's quality estimation 2023.

    Example:
        >>> def one(start, end):
        ...     return SpanRows(*(np.array([number]) for number in (0, start, end, 1)))
        >>> character_matches(one(0, 4), one(2, 8))
        CharacterMatches(marked=4, reference=6, shared=2)
    """
    furthest = max(int(rows.end.max(initial=0)) for rows in (marked, reference)) + 1
    sides = []
    for rows in (marked, reference):
        codes, severities = _characters(rows, furthest)
        sides.append(codes if severity is None else codes[severities == severity])
    one, other = sides
    return CharacterMatches(one.size, other.size, np.intersect1d(one, other, assume_unique=True).size)


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


def _paired(first: Marks, second: Marks, *, severity_aware: bool) -> tuple[SpanRows, SpanRows, int]:
    if len(first) != len(second):
        raise ValueError(f"first and second must be paired, got {len(first)} and {len(second)} comparisons")
    one, other = (_columns(marks, severity_aware=severity_aware) for marks in (first, second))
    return one, other, len(first)


def _sizes(first: SpanRows, second: SpanRows, n: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Characters of each comparison: those both marked, those of one and of the other added up, those either marked."""
    furthest = max(int(rows.end.max(initial=0)) for rows in (first, second)) + 1
    one, severity_one = _characters(first, furthest)
    other, severity_other = _characters(second, furthest)
    both, at_one, at_other = np.intersect1d(one, other, assume_unique=True, return_indices=True)
    credit = np.where(severity_one[at_one] == severity_other[at_other], 1.0, _OTHER_SEVERITY_COUNTS)
    of_first, of_second, together = (
        np.bincount(codes // furthest, minlength=n).astype(np.float64) for codes in (one, other, both)
    )
    shared = np.bincount(both // furthest, weights=credit, minlength=n).astype(np.float64, copy=False)
    return shared, of_first + of_second, of_first + of_second - together


def _columns(marks: Marks, *, severity_aware: bool) -> SpanRows:
    rows = [
        (place, int(span[0]), int(span[1]), _rank(span) if severity_aware else 0)
        for place, spans in enumerate(marks)
        for span in spans
    ]
    return SpanRows(*np.array(rows, dtype=np.int64).reshape(-1, 4).T)


def _characters(rows: SpanRows, furthest: int) -> tuple[IntArray, IntArray]:
    """Each marked character once, as comparison * furthest + position, and its worst severity."""
    lengths = np.maximum(rows.end - rows.start, 0)
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    codes = np.repeat(rows.comparison * furthest + rows.start, lengths) + within
    severity = np.repeat(rows.severity, lengths)
    order = np.lexsort([-severity, codes])
    codes, severity = codes[order], severity[order]
    is_first = np.concatenate([np.ones(min(codes.size, 1), dtype=np.bool_), codes[1:] != codes[:-1]])
    return codes[is_first], severity[is_first]


def _rank(span: Sequence[Any]) -> int:
    if len(span) < 3:
        raise ValueError("a span needs a severity where severities are compared")
    severity = str(span[2]).lower()
    return SEVERITIES.index(severity) if severity in SEVERITIES else len(SEVERITIES)
