"""Where scores are drawn, on scales of any length."""

import pytest

from annotation.protocols.base import Measure
from frontend.spreads import Spread, spreads_of
from metrics.analyses.ranking import RankedMeasures, RankedSystem
from metrics.results.values import Missing, Number

ADEQUACY = Measure("adequacy", "Adequacy", "points", 1, 5, higher_is_better=True)


NOTHING = Missing("open_scale")


def heron(mean: Number, histogram: tuple[int, ...] | Missing) -> RankedSystem:
    none = NOTHING
    return RankedSystem("Heron", "adequacy", 3, 3, mean, none, none, none, (1, 1), 1, 0, 0, histogram, none)


def ranked(*systems: RankedSystem) -> RankedMeasures:
    return RankedMeasures(systems=systems, tests=(), ordered_by={}, without_z=(), notes=())


@pytest.mark.parametrize(
    ("low", "high", "mean", "at", "digits"),
    [(0, 100, 62.0, "62.0%", 0), (1, 5, 4.0, "75.0%", 1), (1, 5, 1.0, "0.0%", 1), (0, 6, 6.0, "100.0%", 1)],
)
def test_the_mean_is_drawn_where_the_scale_has_it(low: float, high: float, mean: float, at: str, digits: int) -> None:
    spread = Spread("Heron", mean, low, high, [])
    assert (spread.mean_at, spread.digits) == (at, digits)
    assert not (spread.shows_low and spread.place == 0)
    assert not (spread.shows_high and spread.place == 100)


def test_what_has_no_numbers_or_no_scale_is_not_drawn() -> None:
    measures = {"adequacy": ADEQUACY}
    assert spreads_of(ranked(heron(NOTHING, (1, 2)), heron(3.0, NOTHING)), measures) == []
    assert spreads_of(ranked(heron(3.0, (1, 2))), {}) == []
    [drawn] = spreads_of(ranked(heron(3.0, (1, 2))), measures)
    assert (drawn.low, drawn.high, drawn.mean_at) == (1, 5, "50.0%")
    assert len(drawn.columns) == 2
