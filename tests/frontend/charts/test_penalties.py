"""Stacked penalties, by severity and by category."""

import pytest

from frontend.charts.drawing import Box, Shape
from frontend.charts.figure import Figure
from frontend.charts.penalties import penalty_figures
from metrics.analyses.errors import CategoryErrors, Errors, SystemErrors
from metrics.analyses.ranked_systems import RankedSystem
from metrics.analyses.ranking import RankedMeasures
from metrics.results.values import Missing
from tests.frontend.charts.sample_ranking import rows_of

NOTHING = Missing()
TITLES = {f"accuracy/kind-{place}": f"Accuracy/Kind {place}" for place in range(9)}


def system(name: str, penalty: float) -> SystemErrors:
    return SystemErrors(name, penalty, NOTHING, NOTHING, NOTHING, NOTHING, 3, NOTHING, 10, NOTHING)


def errors(*categories: CategoryErrors) -> Errors:
    return Errors(weights="wmt2021", systems=(system("Heron", 1.0), system("Rook", 3.0)), categories=categories)


def entry(name: str, place: int, severity: str, points: float) -> CategoryErrors:
    return CategoryErrors(name, f"accuracy/kind-{place}", severity, 1, points)


def ranked() -> RankedMeasures:
    rook = RankedSystem("Rook", "penalty", 3, 3, 3.0, (2.0, 4.0), NOTHING, NOTHING, (2, 2), 1, 0, 0, NOTHING, NOTHING)
    return RankedMeasures(systems=(rook,), tests=(), ordered_by={}, without_z=(), notes=())


def figures(result: Errors) -> list[Figure]:
    return list(penalty_figures(result, ranked(), TITLES, frozenset()))


def boxes(figure: Figure) -> list[tuple[str, str]]:
    return [(mark.look, mark.about) for mark in figure.drawing.marks if isinstance(mark, Box)]


TWO = errors(entry("Rook", 0, "Major", 10), entry("Rook", 1, "minor", 5), entry("Heron", 1, "minor", 2))


def test_the_parts_add_up_to_the_mean_penalty() -> None:
    by_severity, by_category = figures(TWO)
    assert boxes(by_severity) == [
        ("s1", "Heron, Minor: 1.00"),
        ("s1", "Rook, Minor: 1.00"),
        ("s2", "Rook, Major: 2.00"),
    ]
    assert boxes(by_category)[1:] == [("c1", "Rook, Accuracy, kind 0: 2.00"), ("c2", "Rook, Accuracy, kind 1: 1.00")]
    assert by_severity.title == "Rook: 67% of the penalty comes from “Major”"
    assert rows_of(by_severity) == [
        ["Heron", "1.00", "0.00", "1.00", "–"],
        ["Rook", "1.00", "2.00", "3.00", "2.00 to 4.00"],
    ]


def test_severity_is_repeated_by_strokes() -> None:
    strokes = [mark.steps.count("M") for mark in figures(TWO)[0].drawing.marks if isinstance(mark, Shape)]
    assert strokes == [1, 1, 2]


def test_only_the_heaviest_categories_have_colours_of_their_own() -> None:
    [by_category] = figures(errors(*(entry("Rook", place, "major", 9 - place) for place in range(7))))
    assert [look for look, _about in boxes(by_category)] == ["c1", "c2", "c3", "c4", "c6"]
    assert "All others" in by_category.drawing.for_page()


@pytest.mark.parametrize("points", [0.0, -1.0])
def test_errors_without_points_have_no_charts(points: float) -> None:
    assert figures(errors(entry("Rook", 0, "neutral", points))) == []
    assert figures(errors()) == []
