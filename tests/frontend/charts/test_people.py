"""Charts about annotators."""

from dataclasses import replace

from frontend.charts.drawing import Line
from frontend.charts.people import drift_figure, severity_figure
from metrics.analyses.annotator_table import AnnotatorContext
from metrics.analyses.annotators import Annotator
from metrics.analyses.drift import Drift, Tenth
from metrics.results.values import Ends, Missing
from tests.frontend.charts.sample_ranking import SCORE, rows_of

NONE = Missing("no_times")
CONTEXT = AnnotatorContext(SCORE, {"ana": "Ana Ng", "bo": "Bo Li", "cleo": "Cleo Fox"})


def annotator(name: str, amount: float, interval: Ends, *, n: int = 30, middle: Ends = (-20.0, 10.0)) -> Annotator:
    return Annotator(
        name, 30, 50.0, 10.0, NONE, 0, NONE, NONE, "none", 0, NONE, NONE, NONE, n, 0.5, (0.1, 0.9), amount,
        included=True, flags=(), others_difference_interval=interval, middle=middle,
    )  # fmt: skip


ANA, BO, CLEO = (
    annotator("ana", 3.0, (-1.0, 7.0)),
    annotator("bo", -9.0, (-12.0, -6.0)),
    annotator("cleo", 8.0, (4.0, 12.0)),
)


def test_everybody_is_on_one_axis_the_strictest_first() -> None:
    figure = severity_figure([ANA, BO, CLEO], CONTEXT)
    assert figure is not None
    assert figure.title == "Bo Li is stricter than the others by 9.0"
    assert [row[0] for row in rows_of(figure)] == ["Bo Li", "Ana Ng", "Cleo Fox"]
    page = figure.drawing.for_page()
    assert page.count('class="ci2"') == 3
    assert page.count('class="lab"') == 4, "the names and numbers of two"


def test_the_pale_bar_lies_about_the_severity() -> None:
    figure = severity_figure([annotator("ana", 0.0, (-1.0, 1.0), middle=(-20.0, 20.0)), BO], CONTEXT)
    assert figure is not None
    bar, zero = (next(mark for mark in reversed(figure.drawing.marks) if isinstance(mark, Line) and mark.look == look)
                 for look in ("ci2", "axis zero"))  # fmt: skip
    assert bar.x1 < zero.x1 < bar.x2


def test_who_shares_little_is_not_compared_and_one_alone_is_no_chart() -> None:
    few = annotator("cleo", 8.0, (4.0, 12.0), n=9)
    assert severity_figure([few, BO], CONTEXT) is None
    assert severity_figure([replace(ANA, others_difference=NONE), BO], CONTEXT) is None
    assert severity_figure([replace(ANA, others_difference_interval=None), BO], CONTEXT) is None
    nobody = severity_figure([ANA, annotator("bo", -1.0, (-3.0, 1.0))], CONTEXT)
    assert nobody is not None
    assert nobody.title == "Annotators’ severity and spread"


def drift(first: float, last: float) -> Drift:
    seconds = [first] * 5 + [last] * 5
    return Drift(
        "score",
        3,
        tuple(Tenth(part, 30, 0.5, (-1.0, 2.0), one, (one - 2, one + 2)) for part, one in enumerate(seconds, 1)),
    )


def test_the_title_of_drift_is_about_time_where_the_intervals_do_not_meet() -> None:
    titles = [
        figure.title for pair in ((40.0, 20.0), (20.0, 30.0), (20.0, 21.0)) if (figure := drift_figure(drift(*pair)))
    ]
    assert titles == [
        "The last judgments take 50% less time than the first",
        "The last judgments take 50% more time than the first",
        "Scores and time by order",
    ]


def test_without_times_or_scores_there_is_only_the_other_plot() -> None:
    both = drift(40.0, 20.0)
    timeless = replace(both, tenths=tuple(replace(one, seconds=NONE, seconds_interval=NONE) for one in both.tenths))
    neither = replace(timeless, tenths=tuple(replace(one, score=NONE, score_interval=NONE) for one in timeless.tenths))
    whole, half = drift_figure(both), drift_figure(timeless)
    assert whole is not None
    assert half is not None
    assert (whole.drawing.for_page().count('class="rl"'), half.drawing.for_page().count('class="rl"')) == (2, 1)
    assert drift_figure(neither) is None
    assert drift_figure(Drift("score", 0, ())) is None
