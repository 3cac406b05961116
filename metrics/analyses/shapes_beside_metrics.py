"""What results with automatic metrics look like; see `shapes.py`."""

from dataclasses import dataclass
from typing import Any

Number = float | None
Ends = tuple[float, float] | None


@dataclass(frozen=True, kw_only=True)
class CorrelatedMetric:
    metric: str
    level: str
    grouping: str
    pearson: Number
    spearman: Number
    kendall_b: Number
    kendall_c: Number
    kendall_like: Number
    pairwise_accuracy: Number
    soft_pairwise_accuracy: Number
    accuracy_with_ties: Number
    epsilon: Number
    groups: int
    intervals: dict[str, Ends]
    systems: int | None = None
    group: int | None = None


@dataclass(frozen=True, kw_only=True)
class Comparison:
    first: str
    second: str
    level: str
    grouping: str
    difference: Number
    statistic: str
    p: Number
    test: str
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class ComparedSystem:
    system: str
    human: Number
    interval: Ends
    scores: dict[str, Number]
    left_out: str | None


@dataclass(frozen=True, kw_only=True)
class Apart:
    metric: str
    system: str
    document: str
    segment: str
    segment_id: int
    human: Number
    score: Number
    human_standing: Number
    metric_standing: Number


@dataclass(frozen=True, kw_only=True)
class CorrelatedSlice:
    metrics: list[CorrelatedMetric]
    segments: int


@dataclass(frozen=True, kw_only=True)
class CorrelatedSlices:
    by: str | None
    slices: dict[str, CorrelatedSlice]


@dataclass(frozen=True, kw_only=True)
class Correlation:
    measure: str | None
    human: str | None
    reason: str | None
    metrics: list[CorrelatedMetric]
    comparisons: list[Comparison]
    disagreements: list[Apart]
    slices: CorrelatedSlices
    higher_is_better: bool | None = None
    systems: list[ComparedSystem] | None = None
    signatures: dict[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class MetricScore:
    system: str
    is_human: bool
    metric: str
    score: Number
    interval: Ends
    segments: int
    signature: str
    details: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class ComparedScores:
    first: str
    second: str
    metric: str
    difference: float
    share: Number
    p_bootstrap: Number
    p_randomisation: Number


@dataclass(frozen=True, kw_only=True)
class ScoresOfSlice:
    scores: list[MetricScore]


@dataclass(frozen=True, kw_only=True)
class ScoreSlices:
    by: str
    slices: dict[str, ScoresOfSlice]


@dataclass(frozen=True, kw_only=True)
class MetricScores:
    test_set: str
    references: list[str]
    scores: list[MetricScore]
    comparisons: list[ComparedScores]
    signature: str
    slices: ScoreSlices | None = None
