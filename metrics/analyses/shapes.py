"""What the result of each kind of run looks like, and where a result that came from elsewhere does not.

Every object may have `reasons` besides (see `why_missing`), and keys that are not named here are left alone.
"""

from typing import Any, NotRequired, TypedDict

from metrics.analyses.shapes_beside_metrics import Correlation, Ends, MetricScores, Number


class LeftOut(TypedDict):
    annotators: int
    judgments: int


class PerOutput(TypedDict):
    fewest: int
    mean: float
    most: int


class Controls(TypedDict):
    tested: int
    passed: int


class Scope(TypedDict):
    systems: int
    documents: int
    segments: int
    annotators: int
    judgments: dict[str, int]
    per_output: PerOutput | None
    left_out: dict[str, LeftOut]
    surplus: int
    controls: Controls


class RankedSystem(TypedDict):
    system: str
    measure: str
    judgments: int
    segments: int
    mean: Number
    interval: Ends
    z_mean: Number
    z_interval: Ends
    rank: tuple[int, int]
    cluster: int
    wins: int
    losses: int
    histogram: list[int] | None
    histogram_range: Ends


class PairTest(TypedDict):
    first: str
    second: str
    measure: str
    p: Number
    p_corrected: Number
    share: Number
    shared: int
    is_win: bool


class Points(TypedDict):
    system: str
    measure: str
    judgments: int
    counts: dict[str, int]
    median: Number
    quartiles: tuple[float, float]
    top_share: float


class Fit(TypedDict):
    prior: float
    log_likelihood: Number
    reason: str | None
    tie: NotRequired[Number]


class Runs(TypedDict):
    ranks: dict[str, tuple[int, int]]
    clusters: dict[str, int]


class Fits(TypedDict):
    pairs: int
    ties: int
    bradley_terry: NotRequired[Fit]
    davidson: NotRequired[Fit]
    rao_kupper: NotRequired[Fit]
    trueskill: NotRequired[Runs]


class RankedMeasures(TypedDict):
    systems: list[RankedSystem]
    tests: list[PairTest]
    ordered_by: dict[str, str]
    without_z: list[str]
    notes: list[str]
    documents_needed: NotRequired[int]
    models: NotRequired[dict[str, dict[str, Number]]]
    fits: NotRequired[Fits]


class Early(TypedDict):
    reason: str
    judgments: int
    needed: int


class Ranking(RankedMeasures):
    distributions: NotRequired[list[Points]]
    documents: NotRequired[RankedMeasures]
    too_early: Early | None


class Slice(TypedDict):
    ranking: Ranking


class Slices(TypedDict):
    by: str
    slices: dict[str, Slice]


class Everybody(TypedDict):
    annotators: int
    alpha: Number
    interval: Ends


class AnnotatorPair(TypedDict):
    annotators: tuple[str, str]
    n: int
    kappa: Number
    pearson: NotRequired[Number]
    kappa_linear: NotRequired[Number]
    kappa_quadratic: NotRequired[Number]
    spearman: NotRequired[Number]
    kendall_b: NotRequired[Number]


class FewShared(TypedDict):
    annotators: tuple[str, str]
    n: int


class PairsOfAll(TypedDict):
    pairs: list[AnnotatorPair]
    few_shared: NotRequired[list[FewShared]]


class Intra(TypedDict):
    annotator: str
    n: int
    difference: Number
    pearson: Number


class Repeats(TypedDict):
    n: int
    alpha: Number
    interval: Ends
    reason: str | None


class Bands(TypedDict):
    bands: int
    alpha: dict[str, Number]


class Pooled(TypedDict):
    n: int
    pearson: Number
    kendall_b: Number
    difference: Number
    identical: Number
    reason: str | None


class Cut(TypedDict):
    alpha: dict[str, Number]
    fleiss: Number


class Kappa(TypedDict):
    agreed: float
    comparable: float
    ties: float
    total: float
    observed: Number
    expected: Number
    kappa: Number
    interval: Ends
    reason: str | None


class AgreedMeasure(TypedDict):
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
    sharing: NotRequired[int]


class AgreedSpans(TypedDict):
    f1_micro: Number
    f1_macro: Number
    iou_micro: Number
    iou_macro: Number
    f1_macro_severity: Number
    comparisons: int
    both_empty: int
    identical: int


class AgreedPreference(TypedDict):
    inter: Kappa
    intra: Kappa
    pairs: list[AnnotatorPair]
    few_shared: NotRequired[list[FewShared]]
    sharing: NotRequired[int]


class AgreementParts(TypedDict):
    measures: list[AgreedMeasure]
    spans: AgreedSpans | None
    preference: AgreedPreference | None


class Annotator(TypedDict):
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


class ErrorsOfSystem(TypedDict):
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


class Category(TypedDict):
    system: str
    category: str
    severity: str
    count: int
    points: float


class ErrorsOfSegment(TypedDict):
    system: str
    document: str
    segment: str
    penalty: Number


class Errors(TypedDict):
    weights: str | None
    systems: list[ErrorsOfSystem]
    categories: list[Category]
    segments: NotRequired[list[ErrorsOfSegment]]


class PostEdited(TypedDict):
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


class PostEditing(TypedDict):
    systems: list[PostEdited]


class Understood(TypedDict):
    system: str
    correct: int
    asked: int
    share: Number
    interval: Ends
    readings: int
    documents: int


class Gisting(TypedDict):
    systems: list[Understood]


class AgreementTwice(TypedDict):
    measure: str
    coefficient: str
    value: tuple[Number, Number]
    interval: tuple[Ends, Ends]


class SystemTwice(TypedDict):
    system: str
    measure: str
    mean: tuple[Number, Number]
    interval: tuple[Ends, Ends]
    z_mean: tuple[Number, Number]
    rank: tuple[tuple[int, int] | None, tuple[int, int] | None]
    cluster: tuple[int | None, int | None]
    judgments: tuple[int | None, int | None]
    place: tuple[int | None, int | None]


class Exclusion(TypedDict):
    without: list[str]
    readmitted: list[str]
    judgments: tuple[int, int]
    annotators: tuple[int, int]
    too_early: tuple[bool, bool]
    agreement: list[AgreementTwice]
    systems: list[SystemTwice]


class AnalysisHead(TypedDict):
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
    "exclusion": Exclusion,
}
