"""Strengths with whiskers."""

from dataclasses import replace

from frontend.charts.drawing import Dot
from frontend.charts.strengths import strengths_figure
from tests.frontend.charts.sample_ranking import ranked, rows_of, system

RANKED = replace(
    ranked(
        replace(system("Heron", 0.75), interval=(0.5, 0.9)),
        replace(system("Rook", 0.5), interval=(0.4, 0.6)),
        replace(system("Sparrow", 0.0), interval=(0.0, 0.1), cluster=2),
    ),
    ordered_by={"score": "expected_wins"},
)


def test_strength_is_the_log_odds_of_winning() -> None:
    figure = strengths_figure(RANKED, frozenset({"Rook"}))
    assert figure is not None
    assert figure.title == "Heron wins 75% of its comparisons"
    assert rows_of(figure)[:2] == [
        ["Heron", "75.0%", "50.0 to 90.0", "+1.10"],
        ["Rook", "50.0%", "40.0 to 60.0", "0.00"],
    ]
    page = figure.drawing.for_page()
    assert page.count('class="cutl"') == 1
    assert page.count('class="hum"') == 1
    assert page.count('class="ci"') == 6, "an interval and its two ends, for two systems"


def test_who_never_wins_has_words_instead_of_a_point() -> None:
    figure = strengths_figure(RANKED, frozenset())
    assert figure is not None
    assert len([mark for mark in figure.drawing.marks if isinstance(mark, Dot)]) == 2
    assert "wins hardly ever" in figure.drawing.for_page()
    assert rows_of(figure)[2][-1] == "–"


def test_means_are_no_strengths() -> None:
    assert strengths_figure(replace(RANKED, ordered_by={"score": "mean"}), frozenset()) is None
    assert strengths_figure(replace(RANKED, systems=()), frozenset()) is None
