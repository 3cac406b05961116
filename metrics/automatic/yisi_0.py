"""YiSi-0: words compared by their longest common substring, weighed by how rare they are (Lo 2019)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import ClassVar

import numpy as np

from metrics.automatic.base import FloatArray, SegmentMean, own_signature
from metrics.automatic.compiled.flat import Numbers, bytes_of, groups
from metrics.automatic.phrases import LEARN, check_weights, matched, rarity


@dataclass(frozen=True)
class Yisi0(SegmentMean):
    """F of n-grams of words, of which each finds the most alike on the other side; `alpha` is the weight of precision.

    Alike are two words by twice their longest common substring by the sum of their lengths, in bytes. A word's weight
    is learnt from all references of the corpus: log2(1 + (N+1)/(c+1)), c of N lines have it; with `weights`
    "uniform" it is 1. The corpus value is the mean of segments, of several references the best.
    Source: Lo 2019, "YiSi: a unified semantic MT quality evaluation and estimation metric for languages with different
    levels of available resources", WMT; settings of the author's program.
    """

    ngram_size: int = 3
    alpha: float = 0.8
    weights: str = LEARN

    name: ClassVar[str] = "yisi_0"
    title: ClassVar[str] = "YiSi-0"
    value_columns: ClassVar[tuple[str, ...]] = ("precision", "recall", "f")
    has_kernel: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_weights(self.weights)

    @property
    def learns_from_corpus(self) -> bool:
        return self.weights == LEARN

    def counted_plainly(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> FloatArray:
        weights = self._learnt(references)
        rows = []
        for hypothesis, texts in zip(hypotheses, references, strict=True):
            compared = [self.compare(hypothesis, text, weights) for text in texts]
            rows.append([*max(compared, key=lambda row: row[-1]), 1.0])
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.columns))

    def compare(self, hypothesis: str, reference: str, weights: "LearnedWeights | None" = None) -> Sequence[float]:
        words, others = _words(hypothesis), _words(reference)
        if not words or not others:
            return 0.0, 0.0, 0.0
        alike = np.array([[likeness(word, other) for other in others] for word in words])
        weigh = weights.of if weights is not None else _one
        sides = (np.array([weigh(word) for word in side]) for side in (words, others))
        return matched(alike, *sides, ngram_size=self.ngram_size, alpha=self.alpha)

    def counted_by_kernel(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> FloatArray:
        from metrics.automatic.compiled.substrings import likenesses  # noqa: PLC0415 - loads the compiler

        numbers, weights = Numbers(), self._learnt(references)
        lists = groups(references)
        ours = numbers.flat([_words(text) for text in hypotheses])
        theirs = numbers.flat([_words(text) for texts in references for text in texts])
        every = [str(word) for word in numbers.known]
        written = bytes_of([_bytes(word) for word in every])
        worth = np.array([weights.of(word) if weights is not None else _one(word) for word in every])
        compared = np.zeros((int(lists[-1]), len(self.value_columns)))
        for text, (first, last) in enumerate(pairwise(lists.tolist())):
            words = ours.codes[ours.starts[text] : ours.starts[text + 1]]
            for place in range(first, last):
                others = theirs.codes[theirs.starts[place] : theirs.starts[place + 1]]
                if words.size and others.size:
                    compared[place] = matched(
                        likenesses(words, others, written),
                        worth[words],
                        worth[others],
                        ngram_size=self.ngram_size,
                        alpha=self.alpha,
                    )
        return self.best_of(compared, lists)

    def _learnt(self, references: Sequence[Sequence[str]]) -> "LearnedWeights | None":
        if not self.learns_from_corpus:
            return None
        return LearnedWeights([text for texts in references for text in texts])

    def signature(self, n_references: int | None) -> str:
        options = f"n:{self.ngram_size}|alpha:{self.alpha}|weights:{self.weights}"
        return own_signature(n_references, "case:mixed", "tok:blank", "lexsim:lcs-bytes", options)


class LearnedWeights:
    """How rare words are in a text of one segment a line."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = len(lines)
        self._holding = Counter(word for line in lines for word in set(_words(line)))

    def of(self, word: str) -> float:
        """An unknown word is looked up in lower case; as in the program, only ASCII letters are lowered."""
        holding = self._holding.get(word) or self._holding.get(_ascii_lower(word), 0)
        return rarity(self._lines, holding)


@lru_cache(100_000)
def likeness(first: str, second: str) -> float:
    """Twice the longest common substring by the sum of lengths, in bytes of UTF-8.

    >>> likeness("ferries", "ferry")
    0.6666666666666666
    """
    if first == second:
        return 1.0
    one, other = _bytes(first), _bytes(second)
    longest, row = 0, [0] * (len(other) + 1)
    for byte in one:
        following = [0] * (len(other) + 1)
        for place, their in enumerate(other):
            if byte == their:
                following[place + 1] = row[place] + 1
                longest = max(longest, following[place + 1])
        row = following
    return 2 * longest / (len(one) + len(other))


def _bytes(word: str) -> bytes:
    return word.encode("utf-8", "surrogatepass")


def _words(text: str) -> list[str]:
    return [word for word in text.split(" ") if word]


def _one(word: str) -> float:  # noqa: ARG001 - replaces a learned weight
    return 1.0


def _ascii_lower(word: str) -> str:
    return "".join(character.lower() if character.isascii() else character for character in word)
