"""What a ranking's tests say of every two systems: one beats the other, or nothing tells them apart."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

ALPHA = 0.05
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


def is_win(test: Mapping[str, Any]) -> bool:
    """Whether the first system beats the second; runs of before say it by p alone."""
    p = test["p"] if test.get("p_corrected") is None else test["p_corrected"]
    return bool(test.get("is_win", p is not None and p < ALPHA))


def comparisons_of(ranking: Mapping[str, Any], measure: str) -> Comparisons:
    """Of one measure. What is ranked by expected wins is told apart by ranks that do not overlap.

    There, a pair that the test tells apart all the same is not called undecided either.
    """
    systems = [system for system in ranking["systems"] if system["measure"] == measure]
    names = tuple(system["system"] for system in systems)
    tests = [test for test in ranking["tests"] if test["measure"] == measure]
    tested = frozenset((test["first"], test["second"]) for test in tests if is_win(test))
    wins = tested
    if ranking.get("ordered_by", {}).get(measure) == "expected_wins":
        wins = frozenset(
            (one["system"], other["system"])
            for one in systems
            for other in systems
            if one["rank"] and other["rank"] and one["rank"][1] < other["rank"][0]
        )
    decided = {frozenset(pair) for pair in (*wins, *tested)}
    every = {frozenset(pair) for pair in combinations(names, 2)}
    return Comparisons(names, wins, frozenset(every - decided))
