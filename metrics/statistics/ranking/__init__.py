"""Orders of systems: from preferences to strengths, from tests or resamples to ranks and clusters."""

from metrics.statistics.ranking.clusters import (
    clusters_from_ranges,
    clusters_from_wins,
    rank_ranges,
    rank_ranges_from_wins,
)
from metrics.statistics.ranking.expected_wins import expected_wins, expected_wins_draws
from metrics.statistics.ranking.strengths import Strengths, bradley_terry, davidson, rao_kupper
from metrics.statistics.ranking.trueskill import trueskill_draws

__all__ = [
    "Strengths",
    "bradley_terry",
    "clusters_from_ranges",
    "clusters_from_wins",
    "davidson",
    "expected_wins",
    "expected_wins_draws",
    "rank_ranges",
    "rank_ranges_from_wins",
    "rao_kupper",
    "trueskill_draws",
]
