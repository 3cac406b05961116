"""Which items are worth judging: a real campaign's utilities as another program has them, and choices by hand."""

from collections.abc import Mapping
from functools import cache
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.item_choice import _chrf_diversity
from metrics.statistics.arrays import FloatArray
from metrics.statistics.correlation.pairwise import pairwise_accuracy
from metrics.statistics.item_selection import ByScores, select_items, unigram_diversity, utilities_of_scores
from tests.metrics.real_campaigns import expected_of, real_case

PRINTED = 1e-9  # the digits that the goldens have


@cache
def golden() -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", expected_of("statistics2")["item_selection"])


@cache
def wmt23_scores(metric: str) -> FloatArray:
    """(systems, 460 segments with human scores)."""
    path = real_case("metrics-wmt23-ende") / "wmt23" / "metric-scores" / "en-de" / f"{metric}-refA.seg.score"
    return _of_systems(path.read_text(encoding="utf-8").splitlines())


@cache
def wmt23_human() -> FloatArray:
    path = real_case("metrics-wmt23-ende") / "wmt23" / "human-scores" / "en-de.mqm.seg.score"
    return _of_systems(path.read_text(encoding="utf-8").splitlines())


def _of_systems(lines: list[str]) -> FloatArray:
    values: dict[str, list[float]] = {}
    for line in lines:
        system, value = line.split()
        values.setdefault(system, []).append(np.nan if value == "None" else float(value))
    return np.array([values[name] for name in golden()["systems"]])[:, golden()["segments"]]


def outputs(count: int | None = None) -> list[list[str]]:
    folder = real_case("metrics-wmt23-ende") / "wmt23" / "system-outputs" / "en-de"
    lines = [(folder / f"{name}.txt").read_text(encoding="utf-8").split("\n") for name in golden()["systems"]]
    return [[text[segment] for text in lines] for segment in golden()["segments"][:count]]


def check(name: str, utilities: FloatArray) -> None:
    expected, lines = golden()[name], golden()["segments"]
    assert utilities[:20] == pytest.approx(expected["utility_first_20_segments"], rel=1e-8, abs=PRINTED)
    assert utilities.sum() == pytest.approx(expected["utility_sum"], rel=1e-8)
    assert [lines[place] for place in np.argsort(-utilities, kind="stable")[:30]] == expected["top_30"]
    chosen = select_items(utilities, budget=100)
    assert sum(np.array(lines)[chosen]) == expected["top_100_sum_of_lines"]


@pytest.mark.parametrize(
    ("method", "metric"), [("variance", "COMET"), ("average", "COMET"), ("consistency", "COMET"), ("variance", "chrF")]
)
def test_utilities_of_a_real_campaign_are_those_of_another_program(method: ByScores, metric: str) -> None:
    check(f"{method}_{metric}", utilities_of_scores(wmt23_scores(metric), method=method))


def test_the_overlap_of_real_outputs_is_that_of_another_program() -> None:
    check("diversity_unigram", unigram_diversity([[text.split() for text in texts] for texts in outputs()]))
    expected = golden()["diversity_chrF"]["first_40_segments_utility"]
    assert [_chrf_diversity(texts) for texts in outputs(8)] == pytest.approx(expected[:8], rel=1e-8)


@pytest.mark.parametrize("method", ["variance", "consistency", "average"])
@pytest.mark.parametrize("budget", [25, 50, 100])
def test_the_chosen_segments_order_systems_as_well_as_counted_elsewhere(method: ByScores, budget: int) -> None:
    human = wmt23_human()
    chosen = select_items(utilities_of_scores(wmt23_scores("COMET"), method=method), budget=budget)
    accuracy = pairwise_accuracy(human.mean(axis=1), human[:, chosen].mean(axis=1)).value
    expected = golden()["pairwise_accuracy_of_subset"][str(budget)][f"{method}_COMET"]
    assert accuracy == pytest.approx(expected, abs=1e-9)


def test_whole_documents_are_chosen_by_the_mean_of_their_segments() -> None:
    documents = ["a", "a", "b", "c", "c"]
    assert select_items([9, 1, 6, 2, 2], budget=2, groups=documents).tolist() == [False, False, True, False, False]
    assert select_items([9, 1, 6, 2, 2], budget=3, groups=documents).tolist() == [True, True, True, False, False]


def test_a_budget_in_words_buys_what_is_worth_most_for_its_words() -> None:
    assert select_items([4, 3, 2], budget=10, costs=[10, 5, 5]).tolist() == [False, True, True]
    assert select_items([-1, -2, -3], budget=5, costs=[5, 1, 5]).tolist() == [False, True, False]


def test_domains_keep_their_shares() -> None:
    domains = ["news"] * 6 + ["speech"] * 3
    chosen = select_items([9, 8, 7, 6, 5, 4, 3, 2, 1], budget=3, domains=domains)
    assert (int(chosen[:6].sum()), int(chosen[6:].sum())) == (2, 1)
    assert chosen[[0, 1, 6]].all()


def test_what_has_no_utility_is_not_chosen_and_a_small_budget_buys_nothing() -> None:
    assert select_items([np.nan, 1.0], budget=2).tolist() == [False, True]
    assert select_items([np.nan, np.nan], budget=2).tolist() == [False, False]
    assert select_items([1.0, 2.0], budget=0).tolist() == [False, False]
    assert select_items([1.0, 2.0], budget=1, groups=["a", "a"]).tolist() == [False, False]
    assert select_items([], budget=3).tolist() == []
    assert select_items([np.nan, 2.0, 1.0], budget=2, groups=["a", "a", "b"]).tolist() == [True, True, False]
    with pytest.raises(ValueError, match="cost above 0"):
        select_items([1.0], budget=1, costs=[0.0])


def test_degenerate_scores_have_a_utility_or_none() -> None:
    alone = np.array([[0.5, np.nan, 0.2]])
    assert np.isnan(utilities_of_scores(alone, method="variance")).all()
    assert np.isnan(utilities_of_scores(alone, method="consistency")).all()
    assert utilities_of_scores(alone, method="average").tolist() == pytest.approx([-0.5, np.nan, -0.2], nan_ok=True)
    equal = np.full((3, 2), 0.4)
    assert utilities_of_scores(equal, method="consistency").tolist() == [0, 0]
    assert utilities_of_scores(equal, method="variance").tolist() == pytest.approx([0, 0])
    assert utilities_of_scores(np.empty((2, 0)), method="variance").tolist() == []
    assert np.isnan(unigram_diversity([[["a"]], []])).all()
    assert unigram_diversity([[["a"], []], [[], []]]).tolist() == [-1, -1]


@given(
    st.lists(st.tuples(st.floats(-5, 5), st.integers(1, 9), st.sampled_from("abc")), min_size=1, max_size=20),
    st.integers(0, 60),
)
def test_a_choice_never_costs_more_than_its_budget(rows: list[tuple[float, int, str]], budget: int) -> None:
    utilities, costs, domains = map(list, zip(*rows, strict=True))
    chosen = select_items(utilities, budget=budget, costs=costs, domains=domains)
    spent = float(np.array(costs)[chosen].sum())
    assert spent <= budget + 1e-6
    left_out = np.array(costs)[~chosen]
    assert not (left_out <= budget - spent).any(), "something that fits was left out"
