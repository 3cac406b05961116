import numpy as np
import pytest

from metrics.statistics.rater_fit import RaterFits, rater_fits
from tests.metrics.contrastive_campaign import CASE, ScoreLine, score_lines
from tests.metrics.real_campaigns import expected_of


def fits_of(lines: list[ScoreLine]) -> RaterFits:
    columns = zip(
        *((line.score, line.annotator, line.system, line.screen, f"{line.screen} {line.segment}") for line in lines),
        strict=True,
    )
    return rater_fits(*map(list, columns))


@pytest.mark.real_data
def test_the_fits_of_a_real_campaign() -> None:
    fits, case = fits_of(score_lines()), expected_of(CASE)["rater_filter"]
    assert fits.annotators == tuple(case["annotators"])
    for place, own in enumerate(case["annotators"].values()):
        assert (fits.screens[place], fits.pairs[place]) == (own["screens"], own["pairs"])
        assert fits.fit[place] == pytest.approx(own["fit"], abs=1e-8)
        assert fits.kept(case["threshold"])[place] == own["kept"]


@pytest.mark.real_data
def test_the_order_of_scores_does_not_matter() -> None:
    lines = score_lines()
    shuffled = [lines[place] for place in np.random.default_rng(1).permutation(len(lines))]
    assert fits_of(shuffled).fit == pytest.approx(fits_of(lines).fit)


def rows(annotator: str, a: float, b: float, *, first: int, count: int = 11) -> list[tuple[float, str, str, int, int]]:
    """Two systems side by side on so many screens."""
    return [
        (score, annotator, system, first + at, first + at)
        for at in range(count)
        for system, score in (("a", a), ("b", b))
    ]


def fitted(*scores: tuple[float, str, str, int, int]) -> RaterFits:
    return rater_fits(*map(list, zip(*scores, strict=True)))


def test_who_differs_as_everybody_does_fits_perfectly() -> None:
    fits = fitted(*rows("ann", 60, 40, first=0), *rows("bob", 70, 50, first=50))
    assert fits.fit.tolist() == [1.0, 1.0]


def test_two_screens_are_too_few_to_drop_anybody() -> None:
    fits = fitted(*rows("ann", 90, 10, first=0, count=20), *rows("bob", 10, 90, first=50, count=2))
    assert fits.fit[1] < 0.01
    assert fits.kept(0.75).tolist() == [True, True]
    three = fitted(*rows("ann", 90, 10, first=0, count=20), *rows("bob", 10, 90, first=50, count=3))
    assert three.kept(0.75).tolist() == [True, False]


def test_one_system_a_screen_gives_no_pair_and_drops_nobody() -> None:
    alone = [(float(at), "ann", "a" if at % 2 else "b", at, at) for at in range(30)]
    fits = fitted(*alone)
    assert (fits.screens.tolist(), fits.pairs.tolist()) == ([30], [0])
    assert np.isnan(fits.fit).all()
    assert fits.kept(1.0).tolist() == [True]


def test_a_system_with_ten_scores_is_not_compared() -> None:
    assert fitted(*rows("ann", 60, 40, first=0, count=10)).pairs.tolist() == [0]
    assert fitted(*rows("ann", 60, 40, first=0, count=11)).pairs.tolist() == [11]


def test_three_side_by_side_are_three_pairs() -> None:
    scores = [(float(at), "ann", system, at, at) for at in range(11) for system in "abc"]
    assert fitted(*scores).pairs.tolist() == [33]


def test_a_missing_score_is_left_out() -> None:
    scores = rows("ann", 60, 40, first=0, count=12)
    gone = [(np.nan, *scores[0][1:]), *scores[1:]]
    assert fitted(*gone).pairs.tolist() == [11]
