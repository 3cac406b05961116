import numpy as np
import pytest

from metrics.statistics.duplicates import DuplicateError, duplicate_mae
from tests.metrics.contrastive_campaign import CASE, score_lines
from tests.metrics.real_campaigns import expected_of


@pytest.mark.real_data
def test_two_people_of_a_real_campaign() -> None:
    regular = [line for line in score_lines() if line.kind == "regular"]
    result = duplicate_mae(
        [line.score for line in regular],
        [line.annotator for line in regular],
        [f"{line.segment} {line.system}" for line in regular],
    )
    case = expected_of(CASE)["agreement"]
    assert result == DuplicateError(case["duplicate_mae"], case["outputs_judged_by_both"])


def test_of_several_scores_the_mean_or_the_last_counts() -> None:
    columns = [50, 70, 90], ["ann", "ann", "bob"], ["x", "x", "x"]
    assert duplicate_mae(*columns) == DuplicateError(30, 1)
    assert duplicate_mae(*columns, of_each="last") == DuplicateError(20, 1)


def test_four_annotators_are_six_pairs() -> None:
    assert duplicate_mae([0, 10, 20, 30], list("abcd"), [1, 1, 1, 1]) == DuplicateError(100 / 6, 6)


def test_an_output_of_one_annotator_says_nothing() -> None:
    result = duplicate_mae([50, 60], ["ann", "bob"], ["x", "y"])
    assert np.isnan(result.value)
    assert result.pairs == 0
    assert duplicate_mae([], [], []).pairs == 0


def test_a_missing_score_is_left_out() -> None:
    assert duplicate_mae([50, np.nan, 70], ["ann", "bob", "cem"], [1, 1, 1]) == DuplicateError(20, 1)
