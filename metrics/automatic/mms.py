"""MMS, maximum matching size, known as GTM: words shared, with a premium on those in a row (Turian et al. 2003)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from metrics.automatic.base import SegmentMean, own_signature
from metrics.automatic.sequences import common_prefix

_MOST_STEPS = 500
_DEEPEST = 100
Run = tuple[int, int, int]  # where it starts in the translation, in the reference, and how long it is


@dataclass(frozen=True)
class Mms(SegmentMean):
    """F of the largest matching: the root of the sum of its runs' lengths, each raised to `exponent`.

    With exponent 1 it is the F of single words. With more, finding the largest matching is hard: the longest run first,
    as the original does, then by branch and bound for a bounded number of steps, which is exact for short texts and
    never worse than the original's. The corpus value is the mean of segments, of several references the best.
    Source: Turian, Shen & Melamed 2003, "Evaluation of machine translation and its evaluation", MT Summit IX.
    """

    exponent: float = 2.0
    lowercase: bool = False

    name: ClassVar[str] = "mms"
    title: ClassVar[str] = "MMS (GTM)"
    value_columns: ClassVar[tuple[str, ...]] = ("precision", "recall", "f")

    def __post_init__(self) -> None:
        if self.exponent < 1:
            raise ValueError(f"The exponent is at least 1, not {self.exponent}: below it, scattered words count more.")

    def words(self, text: str) -> list[str]:
        return (text.lower() if self.lowercase else text).split()

    def compare(self, hypothesis: str, reference: str) -> Sequence[float]:
        words, others = self.words(hypothesis), self.words(reference)
        if not words or not others:
            return (float(words == others),) * 3
        size = maximum_matching_size(words, others, exponent=self.exponent)
        return size / len(words), size / len(others), 2 * size / (len(words) + len(others))

    def signature(self, n_references: int | None) -> str:
        case = f"case:{'lc' if self.lowercase else 'mixed'}"
        search = f"search:bounded-{_MOST_STEPS}"
        return own_signature(n_references, case, "tok:blanks", f"exponent:{self.exponent}", search)


def maximum_matching_size(words: Sequence[str], others: Sequence[str], *, exponent: float) -> float:
    """The size of the largest matching that the search reaches.

    >>> maximum_matching_size("the dog bit the man".split(), "the man bit the dog".split(), exponent=2)
    3.0
    """
    if exponent == 1:
        return float((Counter(words) & Counter(others)).total())
    runs = _runs(words, others)
    search = _Search(exponent, _longest_first(runs, exponent))
    search.descend(runs, 0.0)
    return float(search.best ** (1 / exponent))


class _Search:
    """Matchings built run by run, beginning with one that is known."""

    def __init__(self, exponent: float, best: float) -> None:
        self.exponent = exponent
        self.best = best
        self.steps = 0

    def descend(self, runs: list[Run], size: float, depth: int = 0) -> None:
        """First uses the longest remaining run; then tries without it, or with part of it."""
        self.best = max(self.best, size)
        self.steps += 1
        hopeless = size + self._bound(runs) <= self.best + 1e-12
        if not runs or hopeless or self.steps > _MOST_STEPS or depth > _DEEPEST:
            return
        longest = _longest(runs)
        self.descend(_without(runs, longest), size + longest[2] ** self.exponent, depth + 1)
        start, target, length = longest
        rest = [run for run in runs if run != longest]
        if length > 1:  # every matching without the whole run is one of its two shorter ones
            rest += [(start, target, length - 1), (start + 1, target + 1, length - 1)]
        self.descend(sorted(set(rest)), size, depth + 1)

    def _bound(self, runs: list[Run]) -> float:
        """No matching can be larger: each word of the translation in the longest run it has."""
        reach: dict[int, int] = {}
        for start, _target, length in runs:
            for place in range(start, start + length):
                reach[place] = max(reach.get(place, 0), length)
        return float(sum(length ** (self.exponent - 1) for length in reach.values()))


def _longest(runs: list[Run]) -> Run:
    return max(runs, key=lambda run: (run[2], -run[0], -run[1]))


def _longest_first(runs: list[Run], exponent: float) -> float:
    """The size, not yet rooted, of the matching that takes the longest run that is left each time."""
    size = 0.0
    while runs:
        longest = _longest(runs)
        size += longest[2] ** exponent
        runs = _without(runs, longest)
    return size


def _runs(words: Sequence[str], others: Sequence[str]) -> list[Run]:
    """Every run of equal words that cannot be made longer."""
    runs = []
    for start, word in enumerate(words):
        for target, other in enumerate(others):
            if word != other or (start and target and words[start - 1] == others[target - 1]):
                continue
            runs.append((start, target, common_prefix(words[start:], others[target:])))
    return runs


def _without(runs: list[Run], taken: Run) -> list[Run]:
    """What is left of the runs when the words of one are used up in both texts."""
    left = set()
    for start, target, length in runs:
        free = [
            not (taken[0] <= start + at < taken[0] + taken[2] or taken[1] <= target + at < taken[1] + taken[2])
            for at in range(length)
        ]
        at = 0
        while at < length:
            end = at
            while end < length and free[end]:
                end += 1
            if end > at:
                left.add((start + at, target + at, end - at))
            at = end + 1
    return sorted(left)
