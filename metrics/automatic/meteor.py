"""METEOR: words aligned by form, stem and synonym, with a penalty on how often the order breaks (Lavie et al.)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from metrics.automatic.alignment import Alignment, align
from metrics.automatic.base import FloatArray, Metric, counted_references, divided
from metrics.automatic.porter import stem
from metrics.automatic.wordnet import WordNet
from metrics.version import VERSION


@dataclass(frozen=True)
class Parameters:
    """`alpha` weighs precision against recall, `beta` and `gamma` shape the penalty; what stems and synonyms are worth.

    `avoid`: which of the alignments with the most matches counts, the one with the fewest "crossings" or "chunks".
    """

    alpha: float
    beta: float
    gamma: float
    stem: float
    synonym: float
    avoid: str


VARIANTS: Mapping[str, Parameters] = {
    "2005": Parameters(alpha=0.9, beta=3.0, gamma=0.5, stem=1.0, synonym=1.0, avoid="crossings"),
    "1.5": Parameters(alpha=0.85, beta=0.2, gamma=0.6, stem=0.6, synonym=0.8, avoid="chunks"),
}


@dataclass(frozen=True)
class Meteor(Metric):
    """F of aligned words, lowered by how many chunks the alignment falls into. The variant is always named.

    2005: nine times as much weight on recall, penalty 0.5 * (chunks / matches)^3; of all alignments with the most
    matches the one with the fewest crossings. 1.5: the parameters of METEOR 1.5 for English, stems and synonyms worth
    less, the
    fewest chunks; without its lists of function words and paraphrases, which belong to that program. Synonyms are
    those of a WordNet directory the operator names; without one the signature says so. Of several references the best;
    the corpus score is that of the summed counts.
    Source: Banerjee & Lavie 2005, "METEOR: an automatic metric for MT evaluation with improved correlation with human
    judgments", ACL workshop; Denkowski & Lavie 2014, "Meteor universal", WMT.
    """

    variant: str = "2005"
    stemmer: str = "porter"
    wordnet: str = ""

    name: ClassVar[str] = "meteor"
    title: ClassVar[str] = "METEOR"

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise ValueError(f"There is no variant {self.variant!r}. Known: {', '.join(VARIANTS)}.")
        if self.stemmer not in ("porter", "none"):
            raise ValueError(f"stemmer is porter or none, not {self.stemmer!r}")

    @classmethod
    def for_language(cls, target_language: str) -> Self:
        """Stems are those of English; other languages are compared by form alone."""
        return cls(stemmer="porter" if target_language.lower().split("-")[0] == "en" else "none")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("words", "reference_words", "exact", "stems", "synonyms", "chunks")

    @cached_property
    def _wordnet(self) -> WordNet | None:
        return WordNet(self.wordnet) if self.wordnet else None

    @property
    def _parameters(self) -> Parameters:
        return VARIANTS[self.variant]

    def segment_statistics(self, hypothesis: str, references: Sequence[str]) -> Sequence[float]:
        words = hypothesis.lower().split()
        rows = [self._compared(words, reference.lower().split()) for reference in references]
        return rows[int(np.argmax(self.values(np.array(rows, dtype=np.float64))))]

    def _compared(self, words: list[str], others: list[str]) -> list[float]:
        found: Alignment = align(words, others, self._stages(), avoid=self._parameters.avoid)
        return [len(words), len(others), *found.matches, found.chunks]

    def _stages(self) -> list[Callable[[str, str], bool]]:
        """How two words may be one, each stage for what the stages before have left."""
        stages: list[Callable[[str, str], bool]] = [str.__eq__]
        stages.append(_same_stem if self.stemmer == "porter" else _never)
        stages.append(self._wordnet.are_synonyms if self._wordnet is not None else _never)
        return stages

    def values(self, sums: FloatArray) -> FloatArray:
        given = self._parameters
        words, others, exact, stems, synonyms, chunks = (sums[..., at] for at in range(6))
        weighted = exact + given.stem * stems + given.synonym * synonyms
        precision, recall = divided(weighted, words), divided(weighted, others)
        f = divided(precision * recall, given.alpha * precision + (1 - given.alpha) * recall)
        broken = divided(chunks, exact + stems + synonyms)
        return f * (1 - given.gamma * broken**given.beta)

    def parts(self, sums: FloatArray, segments: FloatArray) -> dict[str, Any]:
        words, others, *by_stage, chunks = sums.tolist()
        given, matches = self._parameters, sum(by_stage)
        return super().parts(sums, segments) | {
            "precision": matches / words if words else None,
            "recall": matches / others if others else None,
            "matches": int(matches),
            "penalty": given.gamma * (chunks / matches) ** given.beta if matches else None,
            "variant": self.variant,
        }

    def signature(self, n_references: int | None) -> str:
        modules = ["exact"] + ["stem"] * (self.stemmer == "porter") + ["synonym"] * bool(self.wordnet)
        known = f"|wordnet:{self._wordnet.version}" if self._wordnet is not None else ""
        return (
            f"{counted_references(n_references)}|case:lc|tok:blanks|variant:{self.variant}|modules:{'+'.join(modules)}"
            f"{known}|version:assay-{VERSION}"
        )


def _same_stem(word: str, other: str) -> bool:
    return stem(word) == stem(other)


def _never(word: str, other: str) -> bool:  # noqa: ARG001 - stands where a stage is not wanted
    return False
