"""WER, word error rate: insertions, deletions and substitutions of words, by the words of the reference."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrics.automatic.base import FloatArray, Metric, divided, own_signature
from metrics.automatic.compiled.flat import groups
from metrics.automatic.sequences import edit_distance


@dataclass(frozen=True)
class Wer(Metric):
    """As a fraction; above 1 is possible. The nearest of several references counts; words are never moved.

    Words are separated by blanks of any kind. An empty reference is 1, or 0 where the translation is empty too. Source:
    Levenshtein 1966; in machine translation since Nießen, Och, Leusch & Ney 2000, "An evaluation tool for machine
    translation", LREC.
    """

    lowercase: bool = False

    name: ClassVar[str] = "wer"
    title: ClassVar[str] = "WER"
    higher_is_better: ClassVar[bool] = False
    has_kernel: ClassVar[bool] = True

    @property
    def columns(self) -> tuple[str, ...]:
        return ("edits", "reference_words")

    def words(self, text: str) -> list[str]:
        return (text.lower() if self.lowercase else text).split()

    def segment_statistics(self, hypothesis: str, references: Sequence[str]) -> Sequence[float]:
        words = self.words(hypothesis)
        compared = [(edit_distance(reference, words), len(reference)) for reference in map(self.words, references)]
        return min(compared, key=lambda one: one[0] / one[1] if one[1] else float(one[0] > 0))

    def counted_by_kernel(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> FloatArray:
        from metrics.automatic.compiled.distances import edit_distances  # noqa: PLC0415 - loads the compiler
        from metrics.automatic.compiled.splitting import words_at_blanks  # noqa: PLC0415

        ours, theirs, starts = hypotheses, [text for texts in references for text in texts], groups(references)
        if self.lowercase:
            ours, theirs = [text.lower() for text in ours], [text.lower() for text in theirs]
        words, others = words_at_blanks(ours, theirs).sides
        edits = edit_distances(words, others, starts)
        return self.best_of(np.column_stack([edits, np.diff(others.starts)]).astype(np.float64), starts)

    def values(self, sums: FloatArray) -> FloatArray:
        edits, words = sums[..., 0], sums[..., 1]
        return divided(edits, words, otherwise=np.where(edits > 0, 1.0, 0.0))

    def signature(self, n_references: int | None) -> str:
        return own_signature(n_references, f"case:{'lc' if self.lowercase else 'mixed'}", "tok:blanks")
