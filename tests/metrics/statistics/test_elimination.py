"""Elimination: bounds, looks, and the published campaigns drawn again as the reference simulation draws them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from metrics.statistics.arrays import FloatArray
from metrics.statistics.elimination import corrected_alpha, look_at, looks_of, sequence_bound, weighted_mean
from tests.metrics.published_documents import document_means
from tests.metrics.real_campaigns import HOME, expected_of

RUNS = 80


def apart(gaps: Sequence[float], documents: int, *, scatter: float = 3, seed: int = 1) -> FloatArray:
    noise = np.random.default_rng(seed).normal(0, scatter, (len(gaps), documents))
    return np.array(gaps, dtype=np.float64)[:, None] + noise


def test_the_bound_by_hand() -> None:
    """n = 16 and ρ = 1/4: nρ² + 1 = 2, n²ρ² = 16, so h = sd·sqrt(4/16·log(sqrt(2)/0.05))."""
    expected = 3 * np.sqrt(0.25 * np.log(np.sqrt(2) / 0.05))
    assert sequence_bound([3], [16], alpha=0.05)[0] == pytest.approx(expected, abs=1e-12)


def test_the_bound_needs_two_documents_and_a_deviation() -> None:
    assert np.isinf(sequence_bound([3, 0, 2], [1, 40, 0], alpha=0.05)).all()
    with pytest.raises(ValueError, match="level"):
        sequence_bound([1], [10], alpha=0)


def test_alpha_is_divided_among_the_comparisons_that_matter() -> None:
    assert corrected_alpha(0.06, 4, question="best") == pytest.approx(0.02)
    assert corrected_alpha(0.06, 4, question="top", top=2) == pytest.approx(0.015)
    assert corrected_alpha(0.06, 4, question="ranking") == pytest.approx(0.01)
    assert corrected_alpha(0.06, 1, question="best") == 0.06


def test_fewer_documents_than_the_first_look_decide_nothing() -> None:
    look = look_at(apart([90, 10], 19), [True, True], question="best")
    assert (look.states, look.reason, look.documents) == (("in", "in"), "few_documents", 19)


def test_a_difference_without_scatter_waits() -> None:
    values = apart([90], 40)
    look = look_at(np.vstack([values, values - 7]), [True, True], question="best")
    assert look.states == ("leads", "in")
    assert np.isnan(look.bound).all()


def test_equal_leaders_are_all_named_and_none_is_dropped() -> None:
    values = apart([80], 60)
    look = look_at(np.vstack([values, values, apart([40], 60, seed=2)]), [True] * 3, question="best")
    assert look.states == ("leads", "leads", "dropped")
    assert not look.is_over


def test_the_top_two_are_named_and_the_others_fall() -> None:
    look = look_at(apart([80, 79, 50, 49], 60), [True] * 4, question="top", top=2)
    assert look.states == ("leads", "leads", "dropped", "dropped")
    assert look.is_over


def test_a_ranking_drops_only_who_is_decided_against_all() -> None:
    look = look_at(apart([80, 79.9, 50], 60), [True] * 3, question="ranking")
    assert look.states == ("leads", "in", "dropped")
    assert not look.is_over
    assert look_at(apart([90, 70, 50], 60), [True] * 3, question="ranking").is_over


def test_who_is_out_stays_out_and_is_not_compared_again() -> None:
    look = look_at(apart([80, 79, 90], 60), [True, True, False], question="best")
    assert look.states == ("leads", "in", "dropped")


def test_a_protected_system_stays() -> None:
    look = look_at(apart([80, 20], 60), [True, True], question="best", protected=[1])
    assert look.states == ("leads", "in")
    assert look.behind[1] > look.bound[1]


def test_one_system_or_none_is_no_race() -> None:
    assert look_at(apart([80], 30), [True], question="best").is_over
    assert look_at(np.full((2, 0), np.nan), [True, True], question="best").reason == "few_documents"
    assert look_at(np.full((2, 30), np.nan), [True, True], question="ranking").reason == "few_documents"


def test_documents_that_one_system_lacks_are_not_compared() -> None:
    values = apart([80, 20], 60)
    values[1, ::2] = np.nan
    look = look_at(values, [True, True], question="best")
    assert (look.documents, look.counts.tolist()) == (30, [60, 30])
    values[1, 19:] = np.nan
    assert look_at(values, [True, True], question="best").reason == "few_documents"


def test_adding_a_number_or_another_order_of_documents_changes_no_state() -> None:
    values, racing = apart([80, 78, 60], 40), [True] * 3
    look = look_at(values, racing, question="best")
    for other in (values + 12, values[:, ::-1], values * 3):
        assert look_at(other, racing, question="best").states == look.states


def test_weights_by_hand() -> None:
    """Means 2 and 5 on two documents, the second with half the chance: (2·1 + 5·2)/3 = 4."""
    result = weighted_mean([1, 3, 5], [1, 1, 0.5], ["a", "a", "b"])
    assert result.mean == pytest.approx((1 + 3 + 10) / 4)
    one = weighted_mean([1, 3], [1, 1], ["a", "a"])
    assert (one.mean, np.isnan(one.se), one.interval.reason) == (2, True, "too_few_items")
    assert np.isnan(weighted_mean([np.nan], [1], ["a"]).mean)
    with pytest.raises(ValueError, match="propensities"):
        weighted_mean([1], [0], ["a"])


def test_weighted_means_cover_the_truth_where_documents_are_drawn_unequally() -> None:
    """Documents with high values have a lower chance: the plain mean is biased, this one covers 93 to 97 %."""
    rng = np.random.default_rng(3)
    population = rng.normal(50, 10, 4000)
    chance = np.where(population > 50, 0.02, 0.05)
    covered = []
    for _ in range(800):
        drawn = rng.random(population.size) < chance
        ends = weighted_mean(population[drawn], chance[drawn], np.flatnonzero(drawn)).interval
        covered.append(ends.low <= population.mean() <= ends.high)
    assert 0.93 <= np.mean(covered) <= 0.97


def race(values: FloatArray, rng: np.random.Generator) -> tuple[float, ...]:
    """Whether the best was lost, systems left, documents, regret, regret of 100 documents of every system."""
    truth = values.mean(axis=1)
    budget, documents, used = 100 * len(values), 0, 0
    drawn = values[:, rng.integers(0, values.shape[1], 600)]
    racing = np.ones(len(values), dtype=np.bool_)
    ends = [20, *range(25, 600, 5)]
    looks = iter(looks_of(drawn, question="best"))
    for end in ends:
        more = min(end - documents, (budget - used) // int(racing.sum()))
        used, documents = used + more * int(racing.sum()), documents + more
        if documents < end:
            break
        racing = next(looks).in_race
        if racing.sum() == 1:
            break
    shown = np.where(racing, drawn[:, :documents].mean(axis=1), -np.inf)
    regrets = (float(truth.max() - truth[choice.argmax()]) for choice in (shown, drawn[:, :100].mean(axis=1)))
    return (not racing[truth.argmax()], int(racing.sum()), documents, *regrets)


@pytest.mark.drawn(2)
@pytest.mark.real_data
@pytest.mark.parametrize("name", ["esa-ende", "mqm-ende"])
def test_the_best_system_of_a_real_campaign_is_found_with_fewer_judgments(name: str) -> None:
    """Within three standard errors of both simulations; with the same judgments the choice is better."""
    expected: dict[str, Any] = expected_of("statistics2")["allocation"]["best_system_by_elimination"][name]
    rng = np.random.default_rng(5)
    lost, left, _documents, regret, uniform = np.array([race(document_means(name, HOME), rng) for _ in range(RUNS)]).T
    assert lost.mean() == expected["best_lost"] == 0
    for drawn, value in ((left, "systems_left"), (regret, "regret_elimination"), (uniform, "regret_uniform")):
        error = drawn.std() * np.sqrt(1 / RUNS + 1 / 400)
        assert abs(drawn.mean() - expected[value]) <= 3 * error, value
    assert regret.mean() < uniform.mean()


@pytest.mark.real_data
@pytest.mark.parametrize(("name", "added_up"), [("esa-ende", False), ("mqm-ende", True)])
def test_pairs_of_a_real_campaign_are_decided_after_as_many_documents(name: str, *, added_up: bool) -> None:
    """The published values of MQM are met by sums of documents (69 of 200; means of documents need 78)."""
    expected = expected_of("statistics2")["allocation"]["whole_ranking_ipw"][name]
    values, rng = document_means(name, HOME, added_up=added_up), np.random.default_rng(6)
    first, second = np.triu_indices(len(values), 1)
    numbers = np.arange(1, 201)
    needed: list[float] = []
    decided: list[float] = []
    false: list[float] = []
    for _ in range(40):
        drawn = values[:, rng.integers(0, values.shape[1], 200)]
        differences = drawn[first] - drawn[second]
        for each, stops in ((differences, decided), (differences * rng.choice([-1, 1], 200), false)):
            mean = np.cumsum(each, axis=1) / numbers
            spread = (np.cumsum(each**2, axis=1) - numbers * mean**2) / np.maximum(numbers - 1, 1)
            deviation = np.sqrt(np.maximum(spread, 0))
            over = (np.abs(mean) > sequence_bound(deviation, numbers, alpha=0.05))[:, 19:]
            stops.append(over.any(axis=1).mean())
            if stops is decided:
                needed.append(np.where(over.any(axis=1), over.argmax(axis=1) + 20, 200).mean())
    documents = expected["documents_until_decision_of_200"]
    assert np.mean(needed) == pytest.approx(documents["cs_mean"], abs=4)
    assert np.mean(decided) == pytest.approx(documents["cs_power"], abs=0.02)
    assert np.mean(false) < 0.05
    assert np.mean(false) == pytest.approx(expected["false_stop"]["confidence sequence"], abs=0.01)
