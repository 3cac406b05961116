import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.statistics.wins import (
    clusters_from_ranges,
    clusters_from_wins,
    neighbour_lines,
    rank_ranges,
    rank_ranges_by_neighbours,
    rank_ranges_from_wins,
)

# Rows beat columns. The first two are level, both beat all below; the third beats the last only; the fourth nobody.
WINS = [
    [0, 0, 1, 1, 1],
    [0, 0, 1, 1, 1],
    [0, 0, 0, 0, 1],
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
]


def test_a_boundary_is_where_all_above_beat_all_below() -> None:
    assert clusters_from_wins(WINS).tolist() == [1, 1, 2, 2, 2]


def test_one_missing_win_joins_a_cluster() -> None:
    wins = np.array(WINS)
    wins[0, 4] = 0
    assert clusters_from_wins(wins).tolist() == [1, 1, 1, 1, 1]


def test_after_a_boundary_only_the_new_cluster_has_to_win() -> None:
    assert clusters_from_wins([[0, 1, 1], [0, 0, 1], [0, 0, 0]]).tolist() == [1, 2, 3]


def test_rank_ranges_count_losses_and_wins() -> None:
    assert rank_ranges_from_wins(WINS).tolist() == [[1, 2], [1, 2], [3, 4], [3, 5], [4, 5]]


def test_a_range_ends_at_the_first_neighbour_that_is_better() -> None:
    """The ranks of WMT 2025 on a real campaign (`expected_of`) are in tests/metrics/analyses/test_wmt_recipes.py."""
    assert rank_ranges_by_neighbours(WINS).tolist() == [[1, 2], [1, 2], [3, 4], [3, 5], [4, 5]]


def test_a_gap_between_wins_ends_the_walk() -> None:
    """The first beats the second, but not the third: the third's walk up passes the second, then the first."""
    assert rank_ranges_by_neighbours([[0, 1, 0], [0, 0, 0], [0, 0, 0]]).tolist() == [[1, 1], [2, 3], [1, 3]]


def test_a_line_is_where_the_next_system_is_beaten() -> None:
    assert neighbour_lines(WINS).tolist() == [False, True, False, False, False]
    assert neighbour_lines([[0, 1, 0], [0, 0, 0], [0, 0, 0]]).tolist() == [True, False, False]


def test_no_system_and_one_system() -> None:
    assert clusters_from_wins([]).size == 0
    assert rank_ranges_from_wins([]).shape == (0, 2)
    assert clusters_from_wins([[0]]).tolist() == [1]
    assert rank_ranges_from_wins([[0]]).tolist() == [[1, 1]]
    assert rank_ranges_by_neighbours([]).shape == (0, 2)
    assert rank_ranges_by_neighbours([[0]]).tolist() == [[1, 1]]
    assert neighbour_lines([]).tolist() == []
    assert neighbour_lines([[0]]).tolist() == [False]


@given(st.lists(st.booleans(), min_size=15, max_size=15))
@settings(max_examples=50, deadline=None)
def test_ranks_are_ranks_and_clusters_never_fall(above: list[bool]) -> None:
    wins = np.zeros((6, 6), dtype=bool)
    wins[np.triu_indices(6, k=1)] = above
    ranges, clusters = rank_ranges_from_wins(wins), clusters_from_wins(wins)
    assert ((ranges >= 1) & (ranges <= 6)).all()
    assert (ranges[:, 0] <= ranges[:, 1]).all()
    assert set(np.diff(clusters).tolist()) <= {0, 1}


def test_a_matrix_that_is_not_square_is_refused() -> None:
    with pytest.raises(ValueError, match="square"):
        clusters_from_wins([[0, 1]])


def test_ranges_drop_the_rarest_ranks_at_either_end() -> None:
    """Of a hundred resamples three are dropped at each end: two odd ones do not show, four do."""
    usual, odd = [3.0, 2.0, 1.0], [1.0, 2.0, 3.0]
    assert rank_ranges([usual] * 98 + [odd] * 2).tolist() == [[1, 1], [2, 2], [3, 3]]
    assert rank_ranges([usual] * 96 + [odd] * 4).tolist() == [[1, 3], [2, 2], [1, 3]]


def test_ranges_of_nothing_and_of_missing_values() -> None:
    assert rank_ranges(np.empty((0, 3))).tolist() == [[1, 3]] * 3
    assert rank_ranges([[np.nan, 1.0, 2.0]]).tolist() == [[3, 3], [2, 2], [1, 1]]


def test_ranges_that_touch_hold_a_cluster_together() -> None:
    assert clusters_from_ranges([[1, 2], [2, 3], [2, 3], [4, 4]]).tolist() == [1, 1, 1, 2]
    assert clusters_from_ranges([[1, 1], [2, 4], [2, 4], [2, 4]]).tolist() == [1, 2, 2, 2]
    assert clusters_from_ranges(np.empty((0, 2))).size == 0
    assert clusters_from_ranges([[1, 1]]).tolist() == [1]
