"""The scatter of two annotators."""

from frontend.charts.annotator_pair import pair_figure
from frontend.charts.drawing import Dot
from metrics.pair_disagreements import PairDisagreements
from tests.frontend.charts.sample_ranking import PENALTY, SCORE, rows_of


def test_equal_pairs_of_numbers_are_one_larger_dot() -> None:
    numbers = [(50.0, 60.0)] * 5 + [(80.0, 80.0)]
    figure = pair_figure(PairDisagreements(SCORE, 6, 1, [], numbers), "Ana", "Bo")
    assert figure is not None
    dots = [mark for mark in figure.drawing.marks if isinstance(mark, Dot)]
    assert [(dot.x, dot.about) for dot in dots] == [(50.0, "50, 60: 5"), (80.0, "80, 80: 1")]
    assert dots[0].r > dots[1].r
    assert rows_of(figure) == [["50", "60.0", "5"], ["80", "80.0", "1"]]
    assert figure.title == "Ana and Bo on the same outputs"


def test_both_axes_are_the_same_on_a_scale_without_an_end() -> None:
    figure = pair_figure(PairDisagreements(PENALTY, 1, 0, [], [(0.0, 30.0)]), "Ana", "Bo")
    assert figure is not None
    assert figure.drawing.for_page().count(">30</text>") == 2


def test_nothing_shared_is_no_chart() -> None:
    assert pair_figure(PairDisagreements(SCORE, 0, 0, []), "Ana", "Bo") is None
