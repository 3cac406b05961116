"""ROUGE-1, ROUGE-2 and ROUGE-L: words, pairs of words, and the longest common subsequence (Lin 2004)."""

import unicodedata
from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from metrics.automatic.base import SegmentMean, own_signature
from metrics.automatic.sequences import common_subsequence

_UNSPACED = ("CJK UNIFIED", "CJK COMPATIBILITY", "HIRAGANA", "KATAKANA", "THAI", "LAO ", "KHMER", "MYANMAR", "TIBETAN")


def words_of(text: str) -> list[str]:
    """Runs of letters, marks and digits in lower case; where a script does not space words, single characters.

    >>> words_of("The ferry-boat, 2 h late: Fähre! 大海"), words_of("बंदरगाह है।")
    (['the', 'ferry', 'boat', '2', 'h', 'late', 'fähre', '大', '海'], ['बंदरगाह', 'है'])
    """
    words: list[str] = []
    is_open = may_extend = False  # a letter joins a word that is open; a mark, any word it follows at once
    for character in text.lower():
        kind = unicodedata.category(character)[0]
        if kind == "M" and may_extend:
            words[-1] += character
        elif kind in "LN" and _is_a_word(character):
            words.append(character)
            is_open, may_extend = False, True
        elif kind in "LN":
            words[-1:] = [words[-1] + character] if is_open else [*words[-1:], character]
            is_open = may_extend = True
        else:
            is_open = may_extend = False
    return words


def _is_a_word(character: str) -> bool:
    return not character.isascii() and unicodedata.name(character, "").startswith(_UNSPACED)


class _Rouge(SegmentMean):
    """The mean over segments of F, of several references the best. Source: Lin 2004, "ROUGE", ACL workshop."""

    value_columns: ClassVar[tuple[str, ...]] = ("precision", "recall", "f")

    @abstractmethod
    def matches(self, hypothesis: list[str], reference: list[str]) -> tuple[int, int, int]:
        """What both have, what the translation has, what the reference has."""

    def compare(self, hypothesis: str, reference: str) -> Sequence[float]:
        both, ours, theirs = self.matches(words_of(hypothesis), words_of(reference))
        precision, recall = both / max(ours, 1), both / max(theirs, 1)
        return precision, recall, 2 * precision * recall / (precision + recall) if both else 0.0

    def signature(self, n_references: int | None) -> str:
        return own_signature(n_references, "case:lc", "tok:unicode", "stem:no", "f:1")


class _RougeN(_Rouge):
    order: ClassVar[int]

    def matches(self, hypothesis: list[str], reference: list[str]) -> tuple[int, int, int]:
        ours, theirs = (_ngrams(words, self.order) for words in (hypothesis, reference))
        return (ours & theirs).total(), ours.total(), theirs.total()


@dataclass(frozen=True)
class Rouge1(_RougeN):
    """Single words. Source: Lin 2004, "ROUGE: a package for automatic evaluation of summaries"."""

    name: ClassVar[str] = "rouge_1"
    title: ClassVar[str] = "ROUGE-1"
    order: ClassVar[int] = 1


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


def _ngrams(words: list[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[at : at + order]) for at in range(len(words) - order + 1))
