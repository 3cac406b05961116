"""TER, translation edit rate: insertions, deletions, substitutions and shifts of words (Snover et al. 2006)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from sacrebleu.version import __version__ as sacrebleu_version

from metrics.automatic.base import FloatArray, Metric, counted_references, divided
from metrics.automatic.translation_edits import translation_edits


@dataclass(frozen=True)
class Ter(Metric):
    """sacreBLEU's TER, in percent: edits to the nearest reference, by the mean length of the references.

    Options are tercom's: `normalized` splits off punctuation, `no_punct` removes it, `asian_support` extends both to
    Chinese and Japanese. Source: Snover, Dorr, Schwartz, Micciulla & Makhoul 2006, "A study of translation edit rate
    with targeted human annotation", AMTA.
    """

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    name: ClassVar[str] = "ter"
    title: ClassVar[str] = "TER"
    higher_is_better: ClassVar[bool] = False
    scale: ClassVar[float] = 100.0

    @property
    def columns(self) -> tuple[str, ...]:
        return ("edits", "reference_words")

    @cached_property
    def _tokenizer(self) -> TercomTokenizer:
        return TercomTokenizer(
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
            case_sensitive=self.case_sensitive,
        )

    def words(self, text: str) -> list[str]:
        """The words that are compared."""
        return list(self._tokenizer(text.rstrip()).split())

    def segment_statistics(self, hypothesis: str, references: Sequence[str]) -> Sequence[float]:
        words = self.words(hypothesis)
        compared = [self.words(reference) for reference in references]
        edits = min(_edits(words, reference) for reference in compared)
        return edits, sum(map(len, compared)) / len(compared)

    def values(self, sums: FloatArray) -> FloatArray:
        edits, words = sums[..., 0], sums[..., 1]
        return self.scale * divided(edits, words, otherwise=np.where(edits > 0, 1.0, 0.0))

    def signature(self, n_references: int | None) -> str:
        return (
            f"{counted_references(n_references)}"
            f"|case:{'mixed' if self.case_sensitive else 'lc'}|tok:tercom"
            f"|norm:{_yes(self.normalized)}|punct:{_yes(not self.no_punct)}|asian:{_yes(self.asian_support)}"
            f"|version:{sacrebleu_version}"
        )


def _edits(words: list[str], reference: list[str]) -> int:
    return 0 if words == reference else translation_edits(words, reference)


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"
