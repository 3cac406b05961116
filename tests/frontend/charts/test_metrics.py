"""Charts of automatic metrics."""

from dataclasses import replace

from frontend.charts.drawing import Box, Dot
from frontend.charts.figure import Figure
from frontend.charts.metrics import metric_charts
from metrics.analyses.correlation import Correlations, nothing_correlated
from metrics.analyses.metric_levels import CorrelatedMetric
from metrics.analyses.segment_scores import MetricPair, ScoredSegments
from metrics.results.values import Missing
from tests.frontend.charts.sample_ranking import rows_of

TITLES = {"bleu": "BLEU", "chrf": "chrF", "ter": "TER"}
NONE = Missing()


def correlated(metric: str, pearson: float, grouping: str) -> CorrelatedMetric:
    return CorrelatedMetric(
        metric=metric, level="segment", grouping=grouping, pearson=pearson, spearman=NONE, kendall_b=0.41,
        kendall_c=NONE, kendall_like=NONE, pairwise_accuracy=NONE, soft_pairwise_accuracy=NONE,
        accuracy_with_ties=NONE, epsilon=NONE, groups=1, intervals={},
    )  # fmt: skip


FEW = ScoredSegments("bleu", 2, (10.0, 90.0), (20.0, 80.0), ((0, 0, 1), (23, 19, 1)), ((10.0, 20.0), (90.0, 80.0)))
MANY = replace(FEW, metric="chrf", segments=400, grid=((0, 0, 3), (5, 5, 4), (23, 19, 393)), points=None)
RESULT: Correlations = replace(
    nothing_correlated("no_scores"),
    metrics=tuple(
        correlated(metric, 0.3 + 0.1 * place, grouping)
        for place, metric in enumerate(TITLES)
        for grouping in ("none", "item")
    ),
    scored_segments=(FEW, MANY),
    metric_pairs=(
        MetricPair("bleu", "chrf", 0.84, 400),
        MetricPair("bleu", "ter", 0.7, 9),
        MetricPair("chrf", "ter", -0.1, 9),
    ),
)


def figure(name: str) -> Figure:
    return next(each for each in metric_charts(RESULT, TITLES) if each.name == name)


def test_half_of_the_square_is_drawn_people_first() -> None:
    marks = figure("metric-pairs").drawing.marks
    shades = [mark.look for mark in marks if isinstance(mark, Box)]
    assert shades == ["h0 gap", "h1 gap", "h4 gap", "h2 gap", "h3 gap", "h0 gap"]
    page = figure("metric-pairs").drawing.for_page()
    assert [page.count(f">{number}</text>") for number in ("0.30", "0.84", "−0.10")] == [1, 1, 1]
    assert rows_of(figure("metric-pairs"))[0] == ["BLEU", "chrF", "0.84", "400"]


def test_few_translations_are_points_and_many_are_squares_with_single_ones_as_dots() -> None:
    few, many = figure("segments-bleu"), figure("segments-chrf")
    assert [len([mark for mark in each.drawing.marks if isinstance(mark, Dot)]) for each in (few, many)] == [2, 3]
    assert [mark.look for mark in many.drawing.marks if isinstance(mark, Box)] == ["h1", "h4"]
    assert "Kendall’s τ-b within segments: 0.41." in few.lead
    assert "squares" not in few.lead
    assert "in a square" in many.lead


def test_one_metric_is_chosen_by_its_name() -> None:
    assert [each.name for each in metric_charts(RESULT, TITLES, "chrf")] == ["metric-pairs", "segments-chrf"]


def test_runs_of_before_have_no_such_charts() -> None:
    assert metric_charts(replace(RESULT, scored_segments=None, metric_pairs=None), TITLES) == []
    assert metric_charts(nothing_correlated("no_scores"), TITLES) == []
