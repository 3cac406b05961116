"""BERTScore: every piece of one text with the most similar piece of the other, by vectors in context."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from metrics.automatic.base import NOT_AN_OPTION, FloatArray
from metrics.automatic.encoded_metric import EncodedMetric, Values
from metrics.neural.encoded import EncodedText, TextEncoder
from metrics.neural.light_model import LIGHT

BASELINE = 0.51  # mean P, R and F of 120 German references of WMT23, each against every other (.511, .511, .510)


@dataclass(frozen=True)
class _Rarity:
    """ln((N+1)/(c+1)), where c of N references have the piece."""

    references: int
    holding: Mapping[int, int]

    def of(self, piece: int) -> float:
        return math.log((self.references + 1) / (self.holding.get(piece, 0) + 1))


@dataclass(frozen=True, kw_only=True)
class BertScore(EncodedMetric):
    """P is the mean, over pieces of the translation, of the largest cosine to a piece of the reference; R the reverse.

    The marks of begin and end can be matched but do not count themselves. With `idf` pieces weigh by how rare they are
    in all references scored together: ln((N+1)/(c+1)); where no piece of a text has weight, all weigh alike. With
    `rescale` values are (x-b)/(1-b), where b is what unrelated texts have: easier to read, in the same order. Equal
    texts have 1. The corpus value is the mean of F over segments, of several references the best.
    Source: Zhang, Kishore, Wu, Weinberger and Artzi 2020, "BERTScore: evaluating text generation with BERT", ICLR,
    sections 3 (equations of P, R and F) and 3 "importance weighting", "baseline rescaling".
    """

    idf: bool = False
    rescale: bool = False
    rarity: _Rarity | None = field(default=None, repr=False, metadata=NOT_AN_OPTION)

    name: ClassVar[str] = "bertscore"
    title: ClassVar[str] = "BERTScore"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rescale and (self.model, self.layer) != (LIGHT.name, LIGHT.layer):
            raise ValueError(f"Only layer {LIGHT.layer} of {LIGHT.name} can be rescaled: others were not measured.")

    @property
    def learns_from_corpus(self) -> bool:
        return self.idf

    def taught(self, encoder: TextEncoder, hypotheses: Sequence[str], references: Sequence[str]) -> Self:  # noqa: ARG002
        if not self.idf:
            return self
        holding = Counter(piece for text in references for piece in set(encoder.pieces(text)))
        return replace(self, rarity=_Rarity(len(references), holding))

    def values_of(self, hypothesis: EncodedText, reference: EncodedText) -> Values:
        if np.array_equal(hypothesis.pieces, reference.pieces):
            return 1.0, 1.0, 1.0
        alike = np.minimum(hypothesis.vectors @ reference.vectors.T, 1.0)
        precision = self._mean(alike.max(axis=1), hypothesis)
        recall = self._mean(alike.max(axis=0), reference)
        f = 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
        return self._rescaled(precision), self._rescaled(recall), self._rescaled(f)

    def _mean(self, largest: FloatArray, text: EncodedText) -> float:
        """Between the marks of begin and end."""
        values = largest[1:-1].astype(np.float64)
        weights = [self.rarity.of(piece) for piece in text.pieces[1:-1].tolist()] if self.rarity else None
        return float(np.average(values, weights=weights if weights and any(weights) else None))

    def _rescaled(self, value: float) -> float:
        return (value - BASELINE) / (1 - BASELINE) if self.rescale else value

    @property
    def option_cells(self) -> Sequence[str]:
        rescaled = f"wmt23-de-references-{BASELINE}" if self.rescale else "no"
        return f"idf:{'yes' if self.idf else 'no'}", f"rescale:{rescaled}"
