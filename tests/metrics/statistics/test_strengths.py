from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.statistics.arrays import FloatArray
from metrics.statistics.strengths import bradley_terry, davidson, plackett_luce, rao_kupper
from metrics.statistics.trueskill import trueskill_draws
from metrics.statistics.wins import expected_wins, expected_wins_draws
from tests.metrics.statistics.one_case import trueskill_of_one_pass
from tests.metrics.statistics.reference_values import (
    FOUR_PLAYERS_DAVIDSON,
    FOUR_PLAYERS_RAO_KUPPER,
    FOUR_PLAYERS_SKILLS,
    FOUR_PLAYERS_STRENGTHS,
    FOUR_PLAYERS_TIES,
    FOUR_PLAYERS_WINS,
    SIXTY_GAMES,
)

RNG = np.random.default_rng
TIES = np.array([[0, 3, 2, 1], [3, 0, 0, 2], [2, 0, 0, 4], [1, 2, 4, 0]])
STRENGTHS = np.array([0.9, 0.3, -0.2, -1.0])


def played(chances: Any, seed: int) -> tuple[FloatArray, FloatArray]:
    """Wins and ties of a thousand games of each pair, by a function of the difference: win, tie, loss."""
    rng = RNG(seed)
    wins, ties = np.zeros((4, 4)), np.zeros((4, 4))
    for first in range(4):
        for second in range(first + 1, 4):
            won, tied, lost = rng.multinomial(1_000, chances(STRENGTHS[first] - STRENGTHS[second]))
            wins[first, second], wins[second, first], ties[first, second] = won, lost, tied
    return wins, ties


def test_strengths_are_those_of_others() -> None:
    result = bradley_terry(FOUR_PLAYERS_WINS)
    assert result.prior == 0
    for value, foreign in zip(result.values, FOUR_PLAYERS_STRENGTHS, strict=True):
        assert value == pytest.approx(foreign.value, abs=foreign.tolerance)


@pytest.mark.parametrize(
    ("model", "foreign"), [(davidson, FOUR_PLAYERS_DAVIDSON), (rao_kupper, FOUR_PLAYERS_RAO_KUPPER)]
)
def test_strengths_with_ties_are_those_of_others(model: Any, foreign: Any) -> None:
    result = model(FOUR_PLAYERS_WINS, FOUR_PLAYERS_TIES)
    for value, of_others in zip((*result.values, result.tie), foreign, strict=True):
        assert value == pytest.approx(of_others.value, abs=of_others.tolerance)


def test_bradley_terry_finds_known_strengths() -> None:
    def chances(d: float) -> list[float]:
        won = 1 / (1 + np.exp(-d))
        return [won, 0.0, 1 - won]

    assert bradley_terry(played(chances, 1)[0]).values == pytest.approx(STRENGTHS, abs=0.1)


def test_davidson_finds_known_strengths_and_nu() -> None:
    def chances(d: float) -> list[float]:
        weights = np.array([np.exp(d / 2), 0.7, np.exp(-d / 2)])
        return list(weights / weights.sum())

    wins, ties = played(chances, 2)
    result = davidson(wins, ties)
    assert result.values == pytest.approx(STRENGTHS, abs=0.12)
    assert result.tie == pytest.approx(0.7, abs=0.06)
    assert result.log_likelihood > rao_kupper(wins, ties).log_likelihood


def test_rao_and_kupper_find_known_strengths_and_t() -> None:
    def chances(d: float) -> list[float]:
        won, lost = 1 / (1 + 1.8 * np.exp(-d)), 1 / (1 + 1.8 * np.exp(d))
        return [won, 1 - won - lost, lost]

    wins, ties = played(chances, 3)
    result = rao_kupper(wins, ties)
    assert result.values == pytest.approx(STRENGTHS, abs=0.1)
    assert result.tie == pytest.approx(1.8, abs=0.06)
    assert result.log_likelihood > davidson(wins, ties).log_likelihood


@pytest.mark.parametrize("model", [davidson, rao_kupper])
def test_without_ties_they_are_bradley_terry(model: Any) -> None:
    plain = bradley_terry(FOUR_PLAYERS_WINS)
    result = model(FOUR_PLAYERS_WINS, np.zeros((4, 4)))
    assert result.values == pytest.approx(plain.values, abs=1e-9)
    assert result.log_likelihood == pytest.approx(plain.log_likelihood, abs=1e-9)
    assert result.tie == {davidson: 0.0, rao_kupper: 1.0}[model]


@given(st.permutations(range(4)))
@settings(max_examples=20, deadline=None)
def test_the_order_of_systems_changes_nothing(order: list[int]) -> None:
    wins = np.array(FOUR_PLAYERS_WINS)
    turned, ties = wins[order][:, order], TIES[order][:, order]
    assert expected_wins(turned) == pytest.approx(expected_wins(wins)[order], abs=1e-12)
    assert bradley_terry(turned).values == pytest.approx(bradley_terry(wins).values[order], abs=1e-9)
    for model in (davidson, rao_kupper):
        before = model(wins, TIES)
        assert model(turned, ties).values == pytest.approx(before.values[order], abs=1e-8)


def test_a_reported_prior_makes_the_strength_of_a_constant_winner_finite() -> None:
    for result in (
        bradley_terry([[0, 5, 5], [0, 0, 3], [0, 2, 0]]),
        davidson([[0, 5, 5], [0, 0, 3], [0, 2, 0]], np.zeros((3, 3))),
        rao_kupper([[0, 5, 5], [0, 0, 3], [0, 2, 0]], [[0, 0, 0], [0, 0, 1], [0, 1, 0]]),
    ):
        assert result.prior == 0.5
        assert np.isfinite(result.values).all()
        assert result.values[0] == result.values.max()


def test_what_does_not_exist_says_why() -> None:
    for size in (0, 1, 3):
        assert bradley_terry(np.zeros((size, size))).reason == "no_comparisons"
        assert davidson(np.zeros((size, size)), np.zeros((size, size))).reason == "no_comparisons"
    apart = [[0, 3, 0, 0], [2, 0, 0, 0], [0, 0, 0, 4], [0, 0, 1, 0]]
    assert bradley_terry(apart).reason == "not_connected"
    assert np.isnan(bradley_terry(apart).values).all()
    ties_only = davidson(np.zeros((2, 2)), [[0, 4], [4, 0]])
    assert ties_only.values.tolist() == [0, 0]
    assert ties_only.tie == np.inf
    assert np.isnan(expected_wins([[0, 2, 0], [1, 0, 0], [0, 0, 0]])[2])
    with pytest.raises(ValueError, match="square"):
        bradley_terry([[0, 1]])
    with pytest.raises(ValueError, match="counts"):
        bradley_terry([[0, -1], [1, 0]])
    with pytest.raises(ValueError, match="prior"):
        bradley_terry([[0, 1], [1, 0]], prior=-1)


# Four screens of three systems and one of two, the best first.
ORDERS = ((0, 1, 2), (1, 0, 2), (0, 2, 1), (2, 0, 1), (1, 2))


def ordered(orders: Any) -> tuple[list[int], list[int], list[int]]:
    """Systems, screens and ranks of orders, the best first."""
    rows = [(system, screen, rank) for screen, order in enumerate(orders) for rank, system in enumerate(order)]
    systems, screens, ranks = (list(column) for column in zip(*rows, strict=True))
    return systems, screens, ranks


def test_screens_of_two_are_compared_as_by_bradley_and_terry() -> None:
    wins = np.array(FOUR_PLAYERS_WINS)
    games = [(int(i), int(j)) for i, j in np.argwhere(wins > 0) for _ in range(int(wins[i, j]))]
    result, plain = plackett_luce(*ordered(games), n_systems=4), bradley_terry(wins)
    assert result.values == pytest.approx(plain.values, abs=1e-9)
    assert result.log_likelihood == pytest.approx(plain.log_likelihood, abs=1e-9)


def test_every_place_of_a_screen_is_a_choice_among_what_is_left() -> None:
    result = plackett_luce(*ordered(ORDERS), n_systems=3)
    p = np.exp(result.values)
    by_hand = sum(np.log(p[order[at]] / p[list(order[at:])].sum()) for order in ORDERS for at in range(len(order)))
    assert result.log_likelihood == pytest.approx(by_hand, abs=1e-12)
    for nudge in np.vstack([np.eye(3), -np.eye(3)]) * 1e-3:
        p = np.exp(result.values + nudge)
        near = sum(np.log(p[order[at]] / p[list(order[at:])].sum()) for order in ORDERS for at in range(len(order)))
        assert near < result.log_likelihood


@given(st.permutations(range(3)), st.permutations(range(5)), st.integers(-3, 3), st.integers(1, 4))
@settings(max_examples=20, deadline=None)
def test_names_order_and_unit_of_ranks_change_nothing(names: list[int], order: list[int], shift: int, by: int) -> None:
    before = plackett_luce(*ordered(ORDERS), n_systems=3)
    systems, screens, ranks = ordered([[names[system] for system in ORDERS[place]] for place in order])
    turned = plackett_luce(systems, screens, [shift + by * rank for rank in ranks], n_systems=3)
    assert turned.values[names] == pytest.approx(before.values, abs=1e-9)


def test_a_screen_with_a_tie_is_left_out_and_counted_and_one_of_a_single_output_says_nothing() -> None:
    systems, screens, ranks = ordered([*ORDERS, (0,)])
    tied = ([*systems, 0, 1, 2], [*screens, 9, 9, 9], [*ranks, 1, 2, 2])
    result, before = plackett_luce(*tied, n_systems=3), plackett_luce(*ordered(ORDERS), n_systems=3)
    assert (result.screens, result.tied, before.screens, before.tied) == (5, 1, 5, 0)
    assert result.values.tolist() == before.values.tolist()


def test_orders_without_finite_strengths_say_why() -> None:
    nothing = plackett_luce([], [], [], n_systems=3)
    assert (nothing.reason, nothing.screens) == ("no_comparisons", 0)
    assert np.isnan(nothing.values).all()
    assert plackett_luce([0, 1], [0, 0], [1, 1], n_systems=2).reason == "no_comparisons"
    assert plackett_luce(*ordered([(0, 1, 2), (0, 2, 1)]), n_systems=3).reason == "never_lost_or_won"
    assert plackett_luce(*ordered([(0, 1), (1, 0), (2, 3), (3, 2)]), n_systems=4).reason == "not_connected"
    assert plackett_luce(*ordered(ORDERS), n_systems=4).reason == "not_connected"
    with pytest.raises(ValueError, match="coded"):
        plackett_luce([0, 3], [0, 0], [1, 2], n_systems=3)
    with pytest.raises(ValueError, match="rank"):
        plackett_luce([0, 1], [0, 0], [1, np.nan], n_systems=2)
    with pytest.raises(ValueError, match="length"):
        plackett_luce([0, 1], [0], [1, 2], n_systems=2)


def test_skills_are_those_of_others() -> None:
    means, deviations, beta = trueskill_of_one_pass(*zip(*SIXTY_GAMES, strict=True), n_systems=4)
    assert beta == 0.75
    for system, (mu, sigma) in enumerate(FOUR_PLAYERS_SKILLS):
        assert means[system] == pytest.approx(mu.value, abs=mu.tolerance)
        assert deviations[system] == pytest.approx(sigma.value, abs=sigma.tolerance)


def test_a_system_that_never_met_another_stays_where_it_was() -> None:
    draws = trueskill_draws([0, 1, 0], [1, 0, 1], [1, 0, 1], n_systems=3, resamples=20, rng=RNG(1))
    assert (draws[:, 2] == 0).all()
    assert draws[:, 0].mean() > draws[:, 1].mean()
    assert not trueskill_draws([], [], [], n_systems=3, resamples=2, rng=RNG(1)).any()
    with pytest.raises(ValueError, match="coded"):
        trueskill_draws([0], [3], [1], n_systems=3, rng=RNG(1))


def test_draws_of_expected_wins_scatter_about_the_value() -> None:
    first, second, outcomes = (np.array(column) for column in zip(*SIXTY_GAMES, strict=True))
    wins = np.zeros((4, 4))
    np.add.at(wins, (first[outcomes > 0], second[outcomes > 0]), 1)
    np.add.at(wins, (second[outcomes < 0], first[outcomes < 0]), 1)
    draws = expected_wins_draws(first, second, outcomes, np.arange(60), n_systems=4, resamples=400, rng=RNG(1))
    assert draws.mean(axis=0) == pytest.approx(expected_wins(wins), abs=0.03)
    one_group = expected_wins_draws(first, second, outcomes, np.zeros(60), n_systems=4, resamples=5, rng=RNG(1))
    assert one_group == pytest.approx(np.tile(expected_wins(wins), (5, 1)))
