"""The dot plot of slices."""

from dataclasses import replace

from frontend.charts.figure import Figure
from frontend.charts.slices import slices_figure
from metrics.analyses.ranking import RankedMeasures, Ranking
from metrics.analyses.slices import Slice, Slices
from tests.frontend.charts.sample_ranking import SCORE, ranked, system

NAMES = ("Human", "Heron", "Kite", "Rook", "Wren", "Sparrow")
MAIN = ranked(*(system(name, 90.0 - 10 * place) for place, name in enumerate(NAMES)))


def parts(**segments: int) -> Slices:
    def part(count: int) -> Slice:
        ranking = Ranking(**vars(MAIN), too_early=None)
        counted = tuple(replace(one, segments=count, interval=(10.0, 20.0)) for one in ranking.systems)
        return Slice(replace(ranking, systems=counted))

    return Slices("domain", {name: part(count) for name, count in segments.items()})


def figure(result: Slices, main: RankedMeasures = MAIN) -> Figure:
    made = slices_figure(result, main, SCORE, frozenset({"Human"}))
    assert made is not None
    return made


def test_at_most_four_systems_are_drawn_each_with_a_shape_of_its_own_and_people_are_not() -> None:
    page = figure(parts(news=40, speech=30)).drawing.for_page()
    assert [page.count(f'class="f{place}"') for place in range(1, 6)] == [2, 2, 2, 2, 0]
    assert page.count('class="ci d1"') == 2
    for name in NAMES[1:5]:
        assert f">{name}</text>" in page
    assert "Sparrow" not in page
    assert "Human" not in page
    assert "40 seg." in page


def test_many_parts_are_cut_to_the_largest_in_their_own_order() -> None:
    made = figure(parts(**{f"d{place:02}": place for place in range(1, 21)}))
    assert "The largest 12 of 20 parts." in made.lead
    page = made.drawing.for_page()
    assert ">d08</text>" not in page
    assert page.index(">d09</text>") < page.index(">d20</text>")


def test_a_part_without_judgments_is_no_row() -> None:
    assert ">speech</text>" not in figure(parts(news=40, speech=0)).drawing.for_page()
    assert slices_figure(parts(), MAIN, SCORE, frozenset()) is None
    assert slices_figure(parts(news=40), MAIN, None, frozenset()) is None
