"""The sentence over the results never says more than the tests do, whatever they say."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.protocols.base import Measure
from metrics.analyses.ranked_systems import PairTest, RankedSystem
from metrics.analyses.ranking import RankedMeasures, Ranking
from metrics.findings.ranking import Comparisons, comparisons_of, finding_of, finding_of_ranking
from metrics.results.values import Missing

NAMES = ("Heron", "Kite", "Rook", "Wren", "Swift", "Crane")
HUMAN = "Human"
WORDS_OF_EQUALITY = re.compile(r"\b(equal|level|same|tie[sd]?|identical|no difference|as good as)\b", re.IGNORECASE)


def compared(names: tuple[str, ...], *wins: tuple[str, str]) -> Comparisons:
    decided = {frozenset(pair) for pair in wins}
    every = {frozenset(pair) for pair in combinations(names, 2)}
    return Comparisons(names, frozenset(wins), frozenset(every - decided))


def sentence_of(names: tuple[str, ...], *wins: tuple[str, str], humans: tuple[str, ...] = ()) -> str | None:
    return finding_of(compared(names, *wins), frozenset(humans))


def test_one_system_ahead_is_named() -> None:
    assert sentence_of(("Heron", "Kite"), ("Heron", "Kite")) == "Heron is ahead of all others"


def test_leaders_that_nothing_tells_apart_are_named_together() -> None:
    names = ("Heron", "Kite", "Rook")
    wins = [("Heron", "Rook"), ("Kite", "Rook")]
    assert sentence_of(names, *wins) == "Heron and Kite are ahead of all others and do not differ significantly"


def test_leaders_of_whom_some_differ_are_not_called_undecided() -> None:
    names = ("Heron", "Kite", "Rook", "Wren")
    wins = [(leader, "Wren") for leader in names[:3]]
    expected = "Heron, Kite and Rook are ahead of all others; some of them do not differ significantly"
    assert sentence_of(names, *wins, ("Heron", "Rook")) == expected


def test_many_leaders_are_counted_not_listed() -> None:
    wins = [(name, "Crane") for name in NAMES[:5]]
    assert sentence_of(NAMES, *wins) == "5 systems are ahead of all others and do not differ significantly"


def test_a_system_beside_the_human_is_not_called_as_good() -> None:
    names = (HUMAN, "Heron", "Rook")
    sentence = sentence_of(names, (HUMAN, "Rook"), ("Heron", "Rook"), humans=(HUMAN,))
    assert sentence == "Heron does not differ significantly from the human translation"


def test_a_system_that_beats_the_human_is_named() -> None:
    names = ("Heron", "Kite", HUMAN, "Rook")
    wins = [("Heron", HUMAN), *((name, "Rook") for name in names[:3])]
    assert sentence_of(names, *wins, humans=(HUMAN,)) == "Heron is ahead of the human translation"


def test_a_human_alone_in_front_is_ahead_of_every_system() -> None:
    assert (
        sentence_of((HUMAN, "Heron"), (HUMAN, "Heron"), humans=(HUMAN,))
        == "The human translation is ahead of every system"
    )


def test_where_no_test_decides_no_system_differs() -> None:
    assert sentence_of(("Heron", "Kite", "Rook")) == "No two systems differ significantly"


def test_a_win_among_systems_of_one_group_is_mentioned() -> None:
    sentence = sentence_of(("Heron", "Kite", "Rook"), ("Heron", "Rook"))
    assert sentence == "Some systems differ significantly, but none is ahead of all others"


def test_one_system_or_none_has_no_finding() -> None:
    assert sentence_of(("Heron",)) is None
    assert sentence_of(()) is None


def test_a_human_that_was_not_judged_is_not_spoken_of() -> None:
    assert sentence_of(("Heron", "Kite"), ("Heron", "Kite"), humans=(HUMAN,)) == "Heron is ahead of all others"


@st.composite
def rankings(draw: st.DrawFn) -> tuple[Comparisons, frozenset[str]]:
    """Any outcome of tests between up to six systems in rank order, one or two of them human, or none."""
    names = draw(st.permutations([*NAMES[:5], HUMAN]))[: draw(st.integers(1, 6))]
    outcomes = {pair: draw(st.sampled_from(["win", "open", "neither"])) for pair in combinations(names, 2)}
    wins = frozenset(pair for pair, outcome in outcomes.items() if outcome == "win")
    undecided = frozenset(frozenset(pair) for pair, outcome in outcomes.items() if outcome == "open")
    humans = draw(st.sampled_from([frozenset(), frozenset({HUMAN}), frozenset({HUMAN, NAMES[0]})]))
    return Comparisons(tuple(names), wins, undecided), humans


@given(rankings())
def test_every_sentence_is_borne_by_every_pair_it_speaks_of(ranking: tuple[Comparisons, frozenset[str]]) -> None:
    facts, humans = ranking
    sentence = finding_of(facts, humans)
    if sentence is None:
        return
    assert not WORDS_OF_EQUALITY.search(sentence)
    assert is_true(sentence, facts, humans), f"{sentence}: {facts}"


@given(rankings())
def test_decided_tests_are_never_called_open(ranking: tuple[Comparisons, frozenset[str]]) -> None:
    facts, humans = ranking
    if facts.wins:
        assert finding_of(facts, humans) != "No two systems differ significantly"


def is_true(sentence: str, facts: Comparisons, humans: frozenset[str]) -> bool:
    """The sentence read by itself, word for word, and held against the tests; what is not known here is not allowed."""
    reading = Reading(facts, humans & set(facts.names))
    for pattern, condition in READINGS.items():
        if match := re.fullmatch(pattern, sentence):
            return condition(reading, *match.groups())
    return False


@dataclass(frozen=True)
class Reading:
    facts: Comparisons
    humans: frozenset[str]

    @property
    def names(self) -> set[str]:
        return set(self.facts.names)

    @property
    def human(self) -> str:
        (human,) = self.humans
        return human

    def beat(self, winners: set[str], losers: set[str]) -> bool:
        return all((winner, loser) in self.facts.wins for winner in winners for loser in losers)

    def are_open(self, some: set[str]) -> bool:
        return {frozenset(pair) for pair in combinations(some, 2)} <= self.facts.undecided

    def some_are_open(self, some: set[str]) -> bool:
        return bool({frozenset(pair) for pair in combinations(some, 2)} & self.facts.undecided)

    def open_beside(self, human: str) -> set[str]:
        return {name for name in self.names - {human} if frozenset((name, human)) in self.facts.undecided}

    def leaders(self, named: str) -> set[str]:
        counted = re.fullmatch(r"(\d+) systems", named)
        return set(self.facts.names[: int(counted[1])]) if counted else read(named)

    def lead(self, leaders: set[str]) -> bool:
        return self.beat(leaders, self.names - leaders)


READINGS: dict[str, Callable[..., bool]] = {
    "No two systems differ significantly": lambda reading: reading.are_open(reading.names),
    "The human translation is ahead of every system": lambda reading: reading.lead({reading.human}),
    "Some systems differ significantly, but none is ahead of all others": lambda reading: (
        bool(reading.facts.wins) and not any(reading.lead({name}) for name in reading.names)
    ),
    r"(.+) (?:is|are) ahead of the human translation": lambda reading, named: reading.beat(
        read(named), {reading.human}
    ),
    r"(\d+) systems do not differ significantly from the human translation": lambda reading, named: (
        len(reading.open_beside(reading.human)) == int(named)
    ),
    r"(.+) do(?:es)? not differ significantly from the human translation": lambda reading, named: (
        read(named) <= reading.open_beside(reading.human)
    ),
    r"(.+) is ahead of all others": lambda reading, named: reading.lead({named}),
    r"(.+) are ahead of all others and do not differ significantly": lambda reading, named: (
        reading.lead(reading.leaders(named)) and reading.are_open(reading.leaders(named))
    ),
    r"(.+) are ahead of all others; some of them do not differ significantly": lambda reading, named: (
        reading.lead(reading.leaders(named)) and reading.some_are_open(reading.leaders(named))
    ),
}


def read(listed: str) -> set[str]:
    return set(re.split(r", | and ", listed))


def system(name: str, first: int, last: int, measure: str = "rank") -> RankedSystem:
    nothing = Missing("never_decided")
    return RankedSystem(
        name, measure, 9, 9, 0.5, nothing, nothing, nothing, (first, last), 1, 0, 0, nothing, nothing
    )  # fmt: skip


def pair(first: str, second: str, *, p: float, is_win: bool, measure: str = "rank") -> PairTest:
    return PairTest(first, second, measure, p, p, 0.6, 9, is_win)


def ranked(systems: list[RankedSystem], tests: list[PairTest], ordered_by: dict[str, str]) -> RankedMeasures:
    return RankedMeasures(systems=tuple(systems), tests=tuple(tests), ordered_by=ordered_by, without_z=(), notes=())


def test_a_small_p_against_the_means_is_no_win() -> None:
    systems = [system("Heron", 1, 2, "score"), system("Kite", 1, 2, "score")]
    tests = [pair("Heron", "Kite", p=0.001, is_win=False, measure="score")]
    facts = comparisons_of(ranked(systems, tests, {"score": "mean"}))
    assert not facts.wins
    assert facts.undecided == {frozenset(("Heron", "Kite"))}


def test_expected_wins_are_grouped_by_ranks_unless_the_test_objects() -> None:
    systems = [system("Heron", 1, 1), system("Kite", 2, 3), system("Rook", 2, 3)]
    tests = [pair("Heron", "Kite", p=0.4, is_win=False), pair("Kite", "Rook", p=0.01, is_win=True)]
    facts = comparisons_of(ranked(systems, tests, {"rank": "expected_wins"}))
    assert facts.wins == {("Heron", "Kite"), ("Heron", "Rook")}
    assert not facts.undecided


def nothing_decided(**evidence: Any) -> Ranking:
    """Three systems that no test tells apart, on a scale from 0 to 100."""
    names = NAMES[:3]
    systems = tuple(system(name, 1, 3, "score") for name in names)
    tests = tuple(pair(*both, p=0.4, is_win=False, measure="score") for both in combinations(names, 2))
    facts: dict[str, Any] = {"ordered_by": {"score": "mean"}, "without_z": (), "notes": ()} | evidence
    return Ranking(systems=systems, tests=tests, too_early=None, **facts)


SCORE = Measure("score", "Score", "points", 0, 100, higher_is_better=True)


@pytest.mark.parametrize(
    ("evidence", "sentence"),
    [
        (
            {"notes": ("few_documents",), "documents_judged": 3, "documents_needed": 7},
            "Too few documents to rank: 3 of at least 7",
        ),
        (
            {"detectable": {"score": 4.24}},
            "No two systems differ significantly; a difference of 4.2 points would probably have shown",
        ),
        (
            {"detectable": {"score": 0.31}, "ordered_by": {"score": "z"}},
            "No two systems differ significantly; a difference of 0.31 standard deviations would probably have shown",
        ),
        (
            {"detectable": {"score": 0.07}, "ordered_by": {"score": "expected_wins"}},
            "No two systems differ significantly; a difference of 7.0 percentage points would probably have shown",
        ),
        (
            {"detectable": {"score": 61.0}},
            "Too few judgments to rank: only a difference of 61 points would probably have shown",
        ),
        ({}, "No two systems differ significantly"),  # a run from before this was stored
    ],
)
def test_where_nothing_differs_the_sentence_says_what_could_have_shown(evidence: dict[str, Any], sentence: str) -> None:
    assert finding_of_ranking(nothing_decided(**evidence), {"score": SCORE}, frozenset()) == sentence
