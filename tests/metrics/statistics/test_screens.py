"""Effects of screens on invented scores: slopes of clustered rows against statsmodels' formula, places by hand."""

import numpy as np
import pytest

from metrics.statistics.screens import clustered_slope, place_effects
from tests.metrics.statistics.reference_values import CLUSTERED_ERROR

RNG = np.random.default_rng


def test_one_row_a_document_is_the_robust_error_of_a_textbook() -> None:
    """Three points: slope 1/2; residuals -1/3, 2/3, -1/3; D/(D-1) times the sum of squares over Sxx squared."""
    made = clustered_slope([1.0, 2.5, 2.0], [0.0, 1.0, 2.0], documents=[1, 2, 3])
    assert made.slope == pytest.approx(0.5)
    error = (made.high - made.slope) / 4.302652729749464
    assert error == pytest.approx(CLUSTERED_ERROR.value, abs=CLUSTERED_ERROR.tolerance)


def test_a_planted_slope_is_found_and_none_is_not() -> None:
    rng = RNG(1)
    x, documents = rng.normal(size=400), np.repeat(np.arange(40), 10)
    noise = rng.normal(size=400) + np.repeat(rng.normal(size=40), 10)
    found = clustered_slope(0.5 * x + noise, x, documents=documents)
    assert found.low < 0.5 < found.high
    assert found.p < 0.001
    assert clustered_slope(noise, x, documents=documents).p > 0.05


def test_a_rate_of_false_alarms_of_5_in_100() -> None:
    rng, alarms = RNG(2), 0
    for _campaign in range(400):
        documents = np.repeat(np.arange(30), 5)
        x = np.repeat(rng.normal(size=30), 5) + rng.normal(size=150)
        y = np.repeat(rng.normal(size=30), 5) + rng.normal(size=150)
        alarms += clustered_slope(y, x, documents=documents).p < 0.05
    assert 8 <= alarms <= 36, "2 to 9 in 100"


def test_what_has_no_slope_says_why() -> None:
    assert clustered_slope([], [], documents=[]).reason == "few_documents"
    assert clustered_slope([1, 2], [1, 2], documents=[1, 1]).reason == "few_documents"
    flat = clustered_slope([1, 2, 3], [5, 5, 5], documents=[1, 2, 3])
    assert (flat.reason, flat.n, np.isnan(flat.slope)) == ("no_variation", 3, True)
    assert clustered_slope([1, np.nan, 3, 4], [1, 2, 3, np.nan], documents=[1, 2, 3, 4]).n == 2


def screens(rng: np.random.Generator, effect: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sixty screens of three outputs with four scores each."""
    screen, place = np.repeat(np.arange(60), 12), np.tile(np.repeat([1, 2, 3], 4), 60)
    outputs = np.repeat(rng.normal(size=180), 4)
    return outputs + rng.normal(size=720) + effect * (place == 1), place, screen


def test_a_planted_effect_of_the_first_place_is_found() -> None:
    residuals, place, screen = screens(RNG(3), 1.0)
    made = place_effects(residuals, place, screen, place, documents=screen, resamples=300, rng=RNG(4))
    assert made.places == (1, 2, 3)
    assert made.p == pytest.approx(1 / 301)
    assert made.low[0] < 1.0 < made.high[0]
    assert made.effects == pytest.approx([residuals[place == one].mean() for one in (1, 2, 3)])


def test_without_an_effect_p_is_like_any_other_number() -> None:
    p = []
    for seed in range(60):
        residuals, place, screen = screens(RNG(seed), 0.0)
        p.append(place_effects(residuals, place, screen, place, documents=screen, resamples=99, rng=RNG(seed)).p)
    assert 0.35 < float(np.mean(p)) < 0.65
    assert sum(one <= 0.05 for one in p) <= 9


def test_without_scores_there_are_no_places() -> None:
    nothing = place_effects([], [], [], [], documents=[], rng=RNG(1))
    assert (nothing.places, np.isnan(nothing.p)) == ((), True)
    one = place_effects([1.0, 2.0], [1, 2], [1, 1], [1, 2], documents=[1, 1], resamples=9, rng=RNG(1))
    assert np.isnan(one.low).all()
