"""WMT16 Turkish to English: six models of the same 10,188 preferences, and the organisers' own."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from metrics.statistics.arrays import FloatArray, IntArray
from metrics.statistics.strengths import bradley_terry, davidson, plackett_luce, rao_kupper
from metrics.statistics.trueskill import trueskill_draws
from metrics.statistics.wins import clusters_from_ranges, expected_wins, rank_ranges
from tests.metrics.real_campaigns import expected_of
from tests.metrics.real_ratings import RANKING, ranked_pairs, ranked_screens, system_of
from tests.metrics.statistics.one_case import trueskill_of_one_pass

pytestmark = pytest.mark.real_data


@cache
def columns() -> tuple[tuple[str, ...], IntArray, IntArray, IntArray, tuple[str, ...]]:
    rows = ranked_pairs("wmt16")
    names = tuple(sorted({system_of(name) for row in rows for name in (row.first, row.second)}))
    first, second = (
        np.array([names.index(system_of(getattr(row, side))) for row in rows]) for side in ("first", "second")
    )
    return names, first, second, np.array([row.label for row in rows]), tuple(row.segment for row in rows)


def tables() -> tuple[FloatArray, FloatArray]:
    names, first, second, outcomes, _ = columns()
    wins, ties = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    np.add.at(wins, (first[outcomes > 0], second[outcomes > 0]), 1)
    np.add.at(wins, (second[outcomes < 0], first[outcomes < 0]), 1)
    for one, other in ((first, second), (second, first)):
        np.add.at(ties, (one[outcomes == 0], other[outcomes == 0]), 1)
    return wins, ties


def expected() -> dict[str, Any]:
    values: dict[str, Any] = expected_of(RANKING)["expanded"]
    return values


def close(values: FloatArray, published: dict[str, float], tolerance: float) -> None:
    assert dict(zip(columns()[0], values.tolist(), strict=True)) == pytest.approx(published, abs=tolerance)


def test_every_preference_is_there() -> None:
    names, _, _, outcomes, _ = columns()
    assert len(names) == expected()["systems"]
    assert (outcomes.size, int((outcomes == 0).sum())) == (expected()["pairs"], expected()["ties"])


def test_expected_wins_and_bradley_terry() -> None:
    wins, _ = tables()
    close(expected_wins(wins), expected()["expected_wins"], 1e-6)
    close(bradley_terry(wins).values, expected()["bradley_terry"], 1e-5)


@pytest.mark.parametrize(("model", "name", "tie"), [(davidson, "davidson", "nu"), (rao_kupper, "rao_kupper", "t")])
def test_models_with_ties(model: Any, name: str, tie: str) -> None:
    published = expected()[name]
    result = model(*tables())
    close(result.values, published["log_strength"], 1e-4)
    assert result.tie == pytest.approx(published[tie], abs=1e-4)
    assert -result.log_likelihood == pytest.approx(published["negative_log_likelihood"], abs=1e-3)


def test_strengths_from_whole_orders() -> None:
    """Systems with one output on a screen are tied there, as in the expanded file that the values are of."""
    outputs, names = ranked_screens(), columns()[0]
    screens = {key: place for place, key in enumerate(dict.fromkeys((one.screen, one.judge) for one in outputs))}
    result = plackett_luce(
        [names.index(system_of(one.system)) for one in outputs],
        [screens[one.screen, one.judge] for one in outputs],
        [one.rank for one in outputs],
        n_systems=len(names),
    )
    published = expected_of("statistics2")["plackett_luce"]
    assert (result.screens, result.screens + result.tied) == (published["screens_strict"], published["screens_all"])
    close(result.values, {system_of(name): value for name, value in published["log_strength_centred"].items()}, 1e-6)
    assert result.log_likelihood == pytest.approx(published["log_likelihood"], abs=1e-4)


def test_one_pass_of_trueskill() -> None:
    names, first, second, outcomes, _ = columns()
    mu, sigma, _beta = trueskill_of_one_pass(first, second, outcomes, n_systems=len(names))
    published = expected()["trueskill_one_pass"]
    close(mu, {name: one["mu"] for name, one in published.items()}, 1e-6)
    close(sigma, {name: one["sigma"] for name, one in published.items()}, 1e-6)


def test_resampled_runs_give_the_organisers_scores_ranges_and_clusters() -> None:
    names, first, second, outcomes, segments = columns()
    rng = np.random.default_rng(12345)
    draws = trueskill_draws(first, second, outcomes, segments, n_systems=len(names), resamples=250, rng=rng)
    published = expected_of(RANKING)["published_trueskill"]
    blocks = published.pop("clusters")
    close(draws.mean(axis=0), {name: one[0] for name, one in published.items()}, 0.02)
    ranges = rank_ranges(draws)
    for name, (_, first_rank, last_rank) in published.items():
        own = ranges[names.index(name)]
        assert np.abs(own - [first_rank, last_rank]).max() <= 1
    order = np.argsort(-draws.mean(axis=0))
    sizes = np.bincount(clusters_from_ranges(ranges[order]))[1:].tolist()
    assert sizes == [last - first + 1 for first, last in blocks]
