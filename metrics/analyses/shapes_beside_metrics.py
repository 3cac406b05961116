"""What results with automatic metrics look like; see `shapes.py`."""

from typing import Any, NotRequired, TypedDict

Number = float | None
Ends = tuple[float, float] | None


class CorrelatedMetric(TypedDict):
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
    systems: NotRequired[int]
    group: NotRequired[int | None]


class Comparison(TypedDict):
    first: str
    second: str
    level: str
    grouping: str
    difference: Number
    statistic: str
    p: Number
    test: str
    reason: str | None


class ComparedSystem(TypedDict):
    system: str
    human: Number
    interval: Ends
    scores: dict[str, Number]
    left_out: str | None


class Apart(TypedDict):
    metric: str
    system: str
    document: str
    segment: str
    segment_id: int
    human: Number
    score: Number
    human_standing: Number
    metric_standing: Number


class CorrelatedSlice(TypedDict):
    metrics: list[CorrelatedMetric]
    segments: int


class CorrelatedSlices(TypedDict):
    by: str | None
    slices: dict[str, CorrelatedSlice]


class Correlation(TypedDict):
    measure: str | None
    human: str | None
    reason: str | None
    metrics: list[CorrelatedMetric]
    comparisons: list[Comparison]
    disagreements: list[Apart]
    slices: CorrelatedSlices
    higher_is_better: NotRequired[bool]
    systems: NotRequired[list[ComparedSystem]]
    signatures: NotRequired[dict[str, str]]


class MetricScore(TypedDict):
    system: str
    is_human: bool
    metric: str
    score: Number
    interval: Ends
    segments: int
    signature: str
    details: dict[str, Any]


class ComparedScores(TypedDict):
    first: str
    second: str
    metric: str
    difference: float
    share: Number
    p_bootstrap: Number
    p_randomisation: Number


class ScoresOfSlice(TypedDict):
    scores: list[MetricScore]


class ScoreSlices(TypedDict):
    by: str
    slices: dict[str, ScoresOfSlice]


class MetricScores(TypedDict):
    test_set: str
    references: list[str]
    scores: list[MetricScore]
    comparisons: list[ComparedScores]
    signature: str
    slices: NotRequired[ScoreSlices]
