"""Precision, recall and F of single words, whatever their order."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metrics.automatic.base import FloatArray, Metric, divided, own_signature


@dataclass(frozen=True)
class UnigramF(Metric):
    """Words in both texts, each as often as in the text with fewer: by the words of the translation, of the reference,
    and the harmonic mean of both.

    Of several references the one with the best F counts. The corpus value is that of the sums; `parts` has precision
    and recall. Source: Melamed, Green & Turian 2003, "Precision and recall of machine translation", NAACL.
    """

    lowercase: bool = False

    name: ClassVar[str] = "unigram_f"
    title: ClassVar[str] = "Unigram F"

    @property
    def columns(self) -> tuple[str, ...]:
        return ("matches", "words", "reference_words")

    def words(self, text: str) -> list[str]:
        return (text.lower() if self.lowercase else text).split()

    def segment_statistics(self, hypothesis: str, references: Sequence[str]) -> Sequence[float]:
        words = Counter(self.words(hypothesis))
        rows = []
        for reference in references:
            others = Counter(self.words(reference))
            rows.append(((words & others).total(), words.total(), others.total()))
        return rows[int(np.argmax(self.values(np.array(rows, dtype=np.float64))))]

    def values(self, sums: FloatArray) -> FloatArray:
        return divided(2 * sums[..., 0], sums[..., 1] + sums[..., 2], otherwise=1.0)

    def parts(self, sums: FloatArray, segments: FloatArray) -> dict[str, Any]:
        matches, words, reference_words = sums.tolist()
        return super().parts(sums, segments) | {
            "precision": matches / words if words else None,
            "recall": matches / reference_words if reference_words else None,
            "f": self.value(sums),
        }

    def signature(self, n_references: int | None) -> str:
        return own_signature(n_references, f"case:{'lc' if self.lowercase else 'mixed'}", "tok:blanks")
