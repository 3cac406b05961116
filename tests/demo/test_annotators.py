import random
from statistics import mean, stdev

from demo.annotators import Manner, make_manners, score_of, seconds_for

STEADY = Manner("Ada", bias=0, scale=1, noise=5, seconds=20)
CARELESS = Manner("Bo", bias=0, scale=1, noise=5, seconds=4, is_careless=True)


def scores(manner: Manner, quality: float, *, damaged: bool = False) -> list[int]:
    rng = random.Random(1)
    return [score_of(manner, quality, rng, damaged=damaged) for _ in range(400)]


def test_scores_scatter_around_the_quality_by_the_stated_noise() -> None:
    values = scores(STEADY, 60)
    assert abs(mean(values) - 60) < 1
    assert abs(stdev(values) - 5) < 0.7


def test_an_attentive_annotator_scores_damaged_items_lower() -> None:
    assert mean(scores(STEADY, 80)) - mean(scores(STEADY, 80, damaged=True)) > 25


def test_a_careless_annotator_does_not_see_the_damage() -> None:
    assert scores(CARELESS, 80) == scores(CARELESS, 80, damaged=True)


def test_scores_stay_on_the_scale() -> None:
    assert min(scores(STEADY, -50)) == 0
    assert max(scores(STEADY, 150)) == 100


def test_the_last_ones_are_careless() -> None:
    manners = make_manners(["a", "b", "c"], random.Random(2), careless=1)
    assert [manner.is_careless for manner in manners] == [False, False, True]


def test_longer_texts_take_longer() -> None:
    rng = random.Random(3)
    assert mean(seconds_for(STEADY, 40, rng) for _ in range(200)) > mean(
        seconds_for(STEADY, 5, rng) for _ in range(200)
    )
