"""Distributions of all systems on one axis."""

import re

from frontend.charts.distributions import Spread, spread_figure, spreads_of
from metrics.results.values import Missing
from tests.frontend.charts.sample_ranking import NOTHING, PENALTY, SCORE, ranked, system

MANY = (0, 0, 0, 0, 10, 20, 0, 0, 30, 40)


def test_what_has_no_numbers_or_no_scale_is_not_drawn() -> None:
    measures = {"score": SCORE}
    assert spreads_of(ranked(system("Heron", NOTHING, (1, 2)), system("Rook", 3.0)), measures) == []
    assert spreads_of(ranked(system("Heron", 3.0, (1, 2))), {}) == []
    [drawn] = spreads_of(ranked(system("Heron", 3.0, (1, 2))), measures)
    assert (drawn.low, drawn.high, drawn.counts) == (0, 100, (1, 2))
    assert spread_figure(ranked(system("Heron", 3.0, (0, 0))), measures, frozenset()) is None


def test_the_share_below_the_middle_is_the_finding_where_it_is_large() -> None:
    few_low = (0, 0, 0, 0, 9, 21, 0, 0, 30, 40)
    some = spread_figure(
        ranked(system("Heron", 80.0, few_low), system("Rook", 70.0, MANY)), {"score": SCORE}, frozenset()
    )
    assert some is not None
    assert some.title == "10% of the segments of Rook score below 50"
    none = spread_figure(ranked(system("Heron", 80.0, few_low)), {"score": SCORE}, frozenset())
    assert none is not None
    assert none.title == "Score distribution"


def test_few_segments_are_dots_and_many_are_a_curve_within_the_scale() -> None:
    few = spread_figure(ranked(system("Heron", 80.0, (1, 2, 3, 4))), {"score": SCORE}, frozenset())
    many = spread_figure(ranked(system("Heron", 80.0, MANY)), {"score": SCORE}, frozenset({"Heron"}))
    assert few is not None
    assert many is not None
    dotted, curved = few.drawing.for_page(), many.drawing.for_page()
    assert dotted.count('class="sdot low"') == 3
    assert dotted.count('class="sdot"') == 7
    assert "<path" not in dotted
    [line] = re.findall(r'class="rl hu"[^>]* d="M([^"]+)"', curved)
    across = [float(step.split()[0]) for step in line.split("L")]
    assert (across[0], across[-1]) == (0, 100)
    assert across == sorted(across)


def test_an_even_distribution_stays_even_to_its_ends() -> None:
    spread = Spread("Heron", 50.0, Missing(), 0, 100, (10, 10, 10, 10))
    assert spread.shares == [0.25] * 4
    assert spread.low_share == 0.5


def test_an_open_scale_has_no_middle() -> None:
    made = spread_figure(ranked(system("Heron", 3.0, MANY, (0.0, 20.0))), {"score": PENALTY}, frozenset())
    assert made is not None
    assert made.title == "Score distribution"
    assert 'class="rlow"' not in made.drawing.for_page()
    assert "the last band has all higher values" in made.drawing.for_page()
