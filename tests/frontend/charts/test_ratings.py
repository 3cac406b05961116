"""Diverging bars of short scales."""

import pytest

from annotation.protocols.base import Measure
from frontend.charts.drawing import Box
from frontend.charts.ratings import ratings_figure
from metrics.analyses.distributions import Points

ADEQUACY = Measure("adequacy", "Adequacy", "points", 1, 5, higher_is_better=True)


def points(system: str, *counts: int) -> Points:
    by_step = {str(step): count for step, count in enumerate(counts, 1)}
    return Points(system, "adequacy", sum(counts), by_step, 3.0, (2.0, 4.0), 0.1)


def boxes(*points: Points, measure: Measure = ADEQUACY) -> list[Box]:
    made = ratings_figure(points, measure)
    assert made is not None
    return [mark for mark in made.drawing.marks if isinstance(mark, Box) and mark.about]


def test_the_middle_step_lies_on_both_sides_of_zero() -> None:
    heron = points("Heron", 0, 10, 20, 30, 40)
    drawn = boxes(heron)
    assert [box.look for box in drawn] == ["k2", "k3", "k4", "k5"]
    assert sum(box.width for box in drawn) == pytest.approx(100 * 100 / 125)  # of an axis from -25 to 100
    middle = drawn[1]
    assert middle.x + middle.width / 2 == pytest.approx(100 * 25 / 125)


def test_a_scale_without_a_middle_has_zero_between_its_halves() -> None:
    drawn = boxes(points("Heron", 25, 25, 25, 25))
    assert drawn[2].x == pytest.approx(50)


def test_where_lower_is_better_the_worst_is_still_left() -> None:
    falling = Measure("adequacy", "Errors", "points", 1, 5, higher_is_better=False)
    assert [box.about for box in boxes(points("Heron", 9, 1, 0, 0, 0), measure=falling)] == [
        "Heron, 2: 1",
        "Heron, 1: 9",
    ]


def test_the_best_two_of_five_steps_are_the_finding() -> None:
    made = ratings_figure([points("Heron", 0, 0, 1, 3, 6), points("Rook", 4, 4, 1, 1, 0)], ADEQUACY)
    assert made is not None
    assert made.title == "Heron: 90% of the ratings are 4–5; Rook: 10%"


@pytest.mark.parametrize("steps", [2, 8, 11])
def test_other_scales_have_no_bars(steps: int) -> None:
    assert ratings_figure([points("Heron", *[3] * steps)], ADEQUACY) is None
    assert ratings_figure([], ADEQUACY) is None
