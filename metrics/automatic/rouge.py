"""ROUGE-1, ROUGE-2 and ROUGE-L: words, pairs of words, and the longest common subsequence (Lin 2004)."""

import sys
import unicodedata
from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import ClassVar

import numpy as np

from metrics.automatic.base import FloatArray, IntArray, SegmentMean, divided, own_signature
from metrics.automatic.compiled.flat import Flat, characters, groups
from metrics.automatic.sequences import common_subsequence

_CACHED_BATCHES = 16
_UNSPACED = ("CJK UNIFIED", "CJK COMPATIBILITY", "HIRAGANA", "KATAKANA", "THAI", "LAO ", "KHMER", "MYANMAR", "TIBETAN")


def words_of(text: str) -> list[str]:
    """Runs of letters, marks and digits in lower case; where a script does not space words, single characters.

    >>> words_of("The ferry-boat, 2 h late: Fähre! 大海"), words_of("बंदरगाह है।")
    (['the', 'ferry', 'boat', '2', 'h', 'late', 'fähre', '大', '海'], ['बंदरगाह', 'है'])
    """
    words: list[str] = []
    is_open = may_extend = False  # a letter joins a word that is open; a mark, any word it follows at once
    for character in text.lower():
        kind = _kind(character)
        if kind == "mark" and may_extend:
            words[-1] += character
        elif kind == "word":
            words.append(character)
            is_open, may_extend = False, True
        elif kind == "letter":
            words[-1:] = [words[-1] + character] if is_open else [*words[-1:], character]
            is_open = may_extend = True
        else:
            is_open = may_extend = False
    return words


@cache
def _kind(character: str) -> str:
    """What it does to words: a "letter" or digit, a "mark", a "word" alone, or none of them."""
    category = unicodedata.category(character)[0]
    if category not in "LN":
        return "mark" if category == "M" else ""
    is_a_word = not character.isascii() and unicodedata.name(character, "").startswith(_UNSPACED)
    return "word" if is_a_word else "letter"


class _Rouge(SegmentMean):
    """The mean over segments of F, of several references the best. Source: Lin 2004, "ROUGE", ACL workshop."""

    value_columns: ClassVar[tuple[str, ...]] = ("precision", "recall", "f")
    has_kernel: ClassVar[bool] = True
    order: ClassVar[int] = 1  # how many words are counted as one

    @abstractmethod
    def matches(self, hypothesis: list[str], reference: list[str]) -> tuple[int, int, int]:
        """What both have, what the translation has, what the reference has."""

    @abstractmethod
    def all_matches(self, hypotheses: Flat, references: Flat) -> IntArray:
        """What each pair of texts has in common, of words by their numbers, counted by compiled code."""

    def compare(self, hypothesis: str, reference: str) -> Sequence[float]:
        both, ours, theirs = self.matches(words_of(hypothesis), words_of(reference))
        precision, recall = both / max(ours, 1), both / max(theirs, 1)
        return precision, recall, 2 * precision * recall / (precision + recall) if both else 0.0

    def counted_by_kernel(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> FloatArray:
        ours = tuple(text for text, some in zip(hypotheses, references, strict=True) for _each in some)
        words, others = numbered_words(ours, tuple(text for some in references for text in some))
        both = self.all_matches(words, others).astype(np.float64)
        lengths = (np.maximum(np.diff(side.starts) - (self.order - 1), 1) for side in (words, others))
        precision, recall = (both / length for length in lengths)
        f = divided(2 * precision * recall, precision + recall)
        return self.best_of(np.column_stack([precision, recall, f]), groups(references))

    def signature(self, n_references: int | None) -> str:
        return own_signature(n_references, "case:lc", "tok:unicode", "stem:no", "f:1")


class _RougeN(_Rouge):
    def matches(self, hypothesis: list[str], reference: list[str]) -> tuple[int, int, int]:
        ours, theirs = (_ngrams(words, self.order) for words in (hypothesis, reference))
        return (ours & theirs).total(), ours.total(), theirs.total()

    def all_matches(self, hypotheses: Flat, references: Flat) -> IntArray:
        from metrics.automatic.compiled.ngrams import shared_ngrams  # noqa: PLC0415 - loads the compiler

        return shared_ngrams(hypotheses, references, np.arange(hypotheses.starts.size), self.order)[:, -1]


@dataclass(frozen=True)
class Rouge1(_RougeN):
    """Single words. Source: Lin 2004, "ROUGE: a package for automatic evaluation of summaries"."""

    name: ClassVar[str] = "rouge_1"
    title: ClassVar[str] = "ROUGE-1"


@dataclass(frozen=True)
class Rouge2(_RougeN):
    """Pairs of words. Source: Lin 2004, "ROUGE: a package for automatic evaluation of summaries"."""

    name: ClassVar[str] = "rouge_2"
    title: ClassVar[str] = "ROUGE-2"
    order: ClassVar[int] = 2


@dataclass(frozen=True)
class RougeL(_Rouge):
    """The longest common subsequence of words. Source: Lin 2004, as above, section 3."""

    name: ClassVar[str] = "rouge_l"
    title: ClassVar[str] = "ROUGE-L"

    def matches(self, hypothesis: list[str], reference: list[str]) -> tuple[int, int, int]:
        return common_subsequence(hypothesis, reference), len(hypothesis), len(reference)

    def all_matches(self, hypotheses: Flat, references: Flat) -> IntArray:
        from metrics.automatic.compiled.substrings import common_subsequences  # noqa: PLC0415 - loads the compiler

        return common_subsequences(hypotheses, references)


def _ngrams(words: list[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[at : at + order]) for at in range(len(words) - order + 1))


@lru_cache(_CACHED_BATCHES)
def numbered_words(texts: tuple[str, ...], others: tuple[str, ...]) -> tuple[Flat, Flat]:
    """The words of all texts, and of the others, by numbers. Cached: the three metrics follow one another."""
    from metrics.automatic.compiled import splitting  # noqa: PLC0415 - loads the compiler

    written = characters([text.lower() for some in (texts, others) for text in some])
    codes = {"": splitting.SEPARATES, "letter": splitting.LETTER, "mark": splitting.MARK, "word": splitting.WORD}
    kinds = np.zeros(sys.maxunicode + 1, dtype=np.uint8)
    kinds[written.codes] = 1
    for code in np.flatnonzero(kinds).tolist():
        kinds[code] = codes[_kind(chr(code))]
    words, numbered = splitting.numbered_words(written, kinds, len(texts), len(others)).sides
    return words, numbered
