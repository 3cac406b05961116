"""CharacTER: edits of characters after shifts of words, by the length of the translation (Wang et al. 2016)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from metrics.automatic.base import FloatArray, SegmentMean, own_signature
from metrics.automatic.compiled.flat import groups
from metrics.automatic.sequences import common_prefix, edit_distance

Words = list[str]


@dataclass(frozen=True)
class Character(SegmentMean):
    """Words are shifted as long as that saves word edits; then every run that is further right than before costs
    the mean length of its words (as in the authors' program; the paper charges each shift).

    What is left is counted in characters. Divided by the characters of the translation, at most 1. The corpus value is
    the mean of segments, of several references the nearest. An empty reference is 1, or 0 where both are empty.
    Source: Wang, Peter, Rosendahl & Ney 2016, "CharacTer: translation edit rate on character level", WMT.
    """

    name: ClassVar[str] = "character"
    title: ClassVar[str] = "CharacTER"
    higher_is_better: ClassVar[bool] = False
    has_kernel: ClassVar[bool] = True

    def compare(self, hypothesis: str, reference: str) -> Sequence[float]:
        return (_rate(hypothesis.split(), reference.split()),)

    def counted_by_kernel(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> FloatArray:
        from metrics.automatic.compiled.characters import character_rates  # noqa: PLC0415 - loads the compiler
        from metrics.automatic.compiled.splitting import words_at_blanks  # noqa: PLC0415

        starts = groups(references)
        words = words_at_blanks(hypotheses, [text for texts in references for text in texts])
        return self.best_of(character_rates(words, starts)[:, None], starts)

    def signature(self, n_references: int | None) -> str:
        return own_signature(n_references, "case:mixed", "tok:blanks", "cap:1")


def _rate(words: Words, reference: Words) -> float:
    if not words or not reference:
        return float(words != reference)
    shifted = _shifted(words, reference)
    edits = edit_distance(" ".join(shifted), " ".join(reference)) + _cost_of_shifts(words, shifted)
    return min(1.0, edits / len(" ".join(words)))


def _shifted(words: Words, reference: Words) -> Words:
    """The words after every shift that saved word edits, the greatest saving first; of equal ones the last by name."""
    edits = edit_distance(words, reference)
    while edits:
        shifted: dict[int, list[Words]] = defaultdict(list)
        for candidate in _shifts(words, reference):
            shifted[edit_distance(candidate, reference)].append(candidate)
        left = min(shifted, default=edits)
        if left >= edits:
            break
        edits, words = left, max(shifted[left])
    return words


def _shifts(words: Words, reference: Words) -> Iterator[Words]:
    """Each longest run of words both have, moved to where the reference has it."""
    for start, word in enumerate(words):
        for target, other in enumerate(reference):
            if word == other and start != target:
                length = common_prefix(words[start:], reference[target:])
                rest = words[:start] + words[start + length :]
                yield rest[:target] + words[start : start + length] + rest[target:]


def _cost_of_shifts(before: Words, after: Words) -> float:
    """The sum, over runs that are further right than before, of the mean length of their words."""
    cost, place = 0.0, 0
    while place < len(before):
        length = 1
        if before[place] != after[place]:
            runs = (common_prefix(before[place:], after[later:]) for later in range(place + 1, len(after)))
            moved = next((run for run in runs if run), 0)
            if moved:
                length = moved
                cost += sum(map(len, before[place : place + moved])) / moved
        place += length
    return cost
