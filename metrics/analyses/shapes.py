"""What the result of each kind of run looks like, and where a result that came from elsewhere does not.

Every object may have `reasons` besides (see `why_missing`), and keys that are not named here are left alone.
"""

from dataclasses import dataclass
from typing import Any

from metrics.analyses.agreement import AnnotatorAgreement
from metrics.analyses.annotators import Annotator
from metrics.analyses.exclusion import Trial
from metrics.analyses.ranking import Ranking
from metrics.analyses.shapes_beside_metrics import Correlation, Ends, MetricScores, Number
from metrics.analyses.shared_ratings import SharedPairs
from metrics.analyses.slices import Slices


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    annotators: int
    judgments: int


@dataclass(frozen=True, kw_only=True)
class PerOutput:
    fewest: int
    mean: float
    most: int


@dataclass(frozen=True, kw_only=True)
class Controls:
    tested: int
    passed: int


@dataclass(frozen=True, kw_only=True)
class Scope:
    systems: int
    documents: int
    segments: int
    annotators: int
    judgments: dict[str, int]
    per_output: PerOutput | None
    left_out: dict[str, LeftOut]
    surplus: int
    controls: Controls


@dataclass(frozen=True, kw_only=True)
class ErrorsOfSystem:
    system: str
    penalty: Number
    points: Number
    words: Number
    per_word: Number
    quality_score: Number
    errors: int
    clean: Number
    judgments: int
    suggestions: dict[str, int] | None


@dataclass(frozen=True, kw_only=True)
class Category:
    system: str
    category: str
    severity: str
    count: int
    points: float


@dataclass(frozen=True, kw_only=True)
class ErrorsOfSegment:
    system: str
    document: str
    segment: str
    penalty: Number


@dataclass(frozen=True, kw_only=True)
class Errors:
    weights: str | None
    systems: list[ErrorsOfSystem]
    categories: list[Category]
    segments: list[ErrorsOfSegment] | None = None


@dataclass(frozen=True, kw_only=True)
class PostEdited:
    system: str
    hter: Number
    hter_capped: Number
    hter_corpus: Number
    words_per_hour: Number
    words_per_hour_interval: Ends
    seconds: Number
    seconds_dropped: Number
    source_words: Number
    unchanged: Number
    judgments: int


@dataclass(frozen=True, kw_only=True)
class PostEditing:
    systems: list[PostEdited]


@dataclass(frozen=True, kw_only=True)
class Understood:
    system: str
    correct: int
    asked: int
    share: Number
    interval: Ends
    readings: int
    documents: int


@dataclass(frozen=True, kw_only=True)
class Gisting:
    systems: list[Understood]


@dataclass(frozen=True, kw_only=True)
class AnalysisHead:
    campaign: str
    name: str
    signature: str
    recipe: str
    judgments: int


# by the kind of run, what stands in its own row; by name, what stands in a row of its own
RESULTS: dict[str, Any] = {"analysis": AnalysisHead, "metric_scores": MetricScores}
PARTS: dict[str, Any] = {
    "scope": Scope,
    "ranking": Ranking,
    "agreement": AnnotatorAgreement,
    "agreement.pairs": dict[str, SharedPairs],
    "annotators": tuple[Annotator, ...],
    "errors": Errors,
    "errors.segments": list[ErrorsOfSegment] | None,
    "post_editing": PostEditing,
    "gisting": Gisting,
    "slices": Slices,
    "correlation": Correlation,
    "exclusion": Trial,
}
