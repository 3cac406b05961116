"""What the result of each kind of run looks like, and where a result that came from elsewhere does not.

Every object may have `reasons` besides (see `why_missing`), and keys that are not named here are left alone.
"""

from dataclasses import dataclass
from typing import Any

from metrics.analyses.exclusion import Trial
from metrics.analyses.ranking import Ranking
from metrics.analyses.shapes_beside_metrics import Correlation, Ends, MetricScores, Number
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
class Everybody:
    annotators: int
    alpha: Number
    interval: Ends


@dataclass(frozen=True, kw_only=True)
class AnnotatorPair:
    annotators: tuple[str, str]
    n: int
    kappa: Number
    pearson: Number | None = None
    kappa_linear: Number | None = None
    kappa_quadratic: Number | None = None
    spearman: Number | None = None
    kendall_b: Number | None = None


@dataclass(frozen=True, kw_only=True)
class FewShared:
    annotators: tuple[str, str]
    n: int


@dataclass(frozen=True, kw_only=True)
class PairsOfAll:
    pairs: list[AnnotatorPair]
    few_shared: list[FewShared] | None = None


@dataclass(frozen=True, kw_only=True)
class Intra:
    annotator: str
    n: int
    difference: Number
    pearson: Number


@dataclass(frozen=True, kw_only=True)
class Repeats:
    n: int
    alpha: Number
    interval: Ends
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class Bands:
    bands: int
    alpha: dict[str, Number]


@dataclass(frozen=True, kw_only=True)
class Pooled:
    n: int
    pearson: Number
    kendall_b: Number
    difference: Number
    identical: Number
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class Cut:
    alpha: dict[str, Number]
    fleiss: Number


@dataclass(frozen=True, kw_only=True)
class Kappa:
    agreed: float
    comparable: float
    ties: float
    total: float
    observed: Number
    expected: Number
    kappa: Number
    interval: Ends
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class AgreedMeasure:
    measure: str
    level: str
    is_cut: bool
    ratings: int
    items: int
    annotators: int
    alpha: dict[str, Number]
    alpha_interval: dict[str, Ends]
    fleiss: Number
    fleiss_interval: Ends
    fleiss_items: int
    gwet_ac1: Number
    gwet_ac1_interval: Ends
    pairs: list[AnnotatorPair]
    few_shared: list[FewShared]
    intra: list[Intra]
    repeats: Repeats | None
    bands: Bands | None
    pooled: Pooled
    cuts: dict[str, Cut] | None
    preference: Kappa | None
    everybody: Everybody | None
    sharing: int | None = None


@dataclass(frozen=True, kw_only=True)
class AgreedSpans:
    f1_micro: Number
    f1_macro: Number
    iou_micro: Number
    iou_macro: Number
    f1_macro_severity: Number
    comparisons: int
    both_empty: int
    identical: int


@dataclass(frozen=True, kw_only=True)
class AgreedPreference:
    inter: Kappa
    intra: Kappa
    pairs: list[AnnotatorPair]
    few_shared: list[FewShared] | None = None
    sharing: int | None = None


@dataclass(frozen=True, kw_only=True)
class AgreementParts:
    measures: list[AgreedMeasure]
    spans: AgreedSpans | None
    preference: AgreedPreference | None


@dataclass(frozen=True, kw_only=True)
class Annotator:
    annotator: str
    judgments: int
    mean: Number
    deviation: Number
    seconds_median: Number
    control_n: int
    control_p: Number
    control_difference: Number
    control_state: str
    repeat_n: int
    repeat_difference: Number
    repeat_pearson: Number
    uniform_share: Number
    others_n: int
    others_pearson: Number
    others_interval: Ends
    others_difference: Number
    included: bool
    flags: list[str]


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
    "agreement": AgreementParts,
    "agreement.pairs": dict[str, PairsOfAll],
    "annotators": list[Annotator],
    "errors": Errors,
    "errors.segments": list[ErrorsOfSegment] | None,
    "post_editing": PostEditing,
    "gisting": Gisting,
    "slices": Slices,
    "correlation": Correlation,
    "exclusion": Trial,
}
