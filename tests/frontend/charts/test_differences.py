"""The forest plot: one system against the others."""

from dataclasses import replace

from frontend.charts.differences import differences_figure
from frontend.charts.figure import Figure
from tests.frontend.charts.sample_ranking import PENALTY, SCORE, ranked, rows_of, system

SYSTEMS = system("Human", 90.0), system("Heron", 80.0), system("Rook", 60.0), system("Sparrow", 55.0)
WINS = frozenset({("Human", "Heron"), ("Heron", "Rook"), ("Heron", "Sparrow"), ("Human", "Rook"), ("Human", "Sparrow")})
RANKED = ranked(*SYSTEMS, wins=WINS)
HUMANS = frozenset({"Human"})


def figure(against: str = "") -> Figure:
    made = differences_figure(RANKED, SCORE, HUMANS, against)
    assert made is not None
    return made


def test_the_best_system_that_is_no_person_is_compared_at_first() -> None:
    assert figure().title == "Heron is significantly better than 2 of 3 other systems and worse than 1"
    assert rows_of(figure()) == [
        ["Human", "−10.0", "−11.0 to −9.0", "yes"],
        ["Rook", "+20.0", "19.0 to 21.0", "yes"],
        ["Sparrow", "+25.0", "24.0 to 26.0", "yes"],
    ]


def test_a_reader_chooses_which_system_is_compared() -> None:
    assert figure("Sparrow").title == "Sparrow is significantly worse than 2 of 3 other systems"
    assert rows_of(figure("Sparrow"))[1:] == [
        ["Heron", "−25.0", "−26.0 to −24.0", "yes"],
        ["Rook", "−5.0", "−6.0 to −4.0", "no"],
    ]
    assert figure("nobody").chosen == "Heron"
    assert list(figure().choices) == ["Human", "Heron", "Rook", "Sparrow"]


def test_without_significant_differences_the_title_finds_none() -> None:
    made = differences_figure(ranked(*SYSTEMS), SCORE, HUMANS)
    assert made is not None
    assert made.title == "Differences between Heron and the other systems"
    assert 'class="ci weak"' in made.drawing.for_page()


def test_the_page_draws_every_pair_with_its_ends_and_people_hollow() -> None:
    page = figure().drawing.for_page()
    assert page.count('class="ci"') == 3
    assert page.count('class="hum"') == 1
    assert "Human −10.0, Rook +20.0, Sparrow +25.0" in page
    assert "Heron better →" in page
    assert "← other system better" in page


def test_where_lower_is_better_the_sides_change() -> None:
    made = differences_figure(ranked(system("Heron", 2.0), system("Rook", 5.0)), PENALTY, frozenset())
    assert made is not None
    assert "← Heron better" in made.drawing.for_page()


def test_there_is_no_chart_without_differences() -> None:
    before = replace(
        RANKED, tests=tuple(replace(test, difference=None, difference_interval=None) for test in RANKED.tests)
    )
    assert differences_figure(before, SCORE, HUMANS) is None
    assert differences_figure(RANKED, None, HUMANS) is None
    assert differences_figure(ranked(), SCORE, HUMANS) is None
