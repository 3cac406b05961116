"""What a ranking's tests say of every two systems: one beats the other, or nothing tells them apart."""

from dataclasses import dataclass
from itertools import combinations

from metrics.analyses.ranking import RankedMeasures
from metrics.analyses.ranking_tables import EXPECTED_WINS

Pair = frozenset[str]


@dataclass(frozen=True)
class Comparisons:
    """`names` in rank order; a pair may be in neither set, where ranks and tests say different things."""

    names: tuple[str, ...]
    wins: frozenset[tuple[str, str]]
    undecided: frozenset[Pair]

    def beats_all(self, winners: tuple[str, ...], losers: tuple[str, ...]) -> bool:
        return all((winner, loser) in self.wins for winner in winners for loser in losers)

    def pairs_of(self, names: tuple[str, ...]) -> list[Pair]:
        return [frozenset(pair) for pair in combinations(names, 2)]


def comparisons_of(ranked: RankedMeasures, measure: str) -> Comparisons:
    """Of one measure. What is ranked by expected wins is told apart by ranks that do not overlap.

    There, a pair that the test tells apart all the same is not called undecided either.
    """
    systems = [system for system in ranked.systems if system.measure == measure]
    names = tuple(system.system for system in systems)
    tested = frozenset((test.first, test.second) for test in ranked.tests if test.measure == measure and test.is_win)
    wins = tested
    if ranked.ordered_by.get(measure) == EXPECTED_WINS:
        wins = frozenset(
            (one.system, other.system) for one in systems for other in systems if one.rank[1] < other.rank[0]
        )
    decided = {frozenset(pair) for pair in (*wins, *tested)}
    every = {frozenset(pair) for pair in combinations(names, 2)}
    return Comparisons(names, wins, frozenset(every - decided))
