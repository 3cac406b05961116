"""YiSi-1: phrases of the translation and the reference, compared by vectors of their pieces (Lo 2019)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from metrics.automatic.base import NOT_AN_OPTION, FloatArray
from metrics.automatic.encoded_metric import EncodedMetric, Values
from metrics.automatic.phrases import LEARN, check_weights, matched, rarity
from metrics.neural.encoded import STATIC, EncodedText, TextEncoder

CONTEXTUAL, BY_TABLE = "contextual", "static"


@dataclass(frozen=True)
class PieceWeights:
    """log2(1 + (N+1)/(c+1)), where c of N texts have the piece."""

    texts: int
    holding: Counter[int]

    @classmethod
    def learnt(cls, encoder: TextEncoder, texts: Sequence[str]) -> Self:
        return cls(len(texts), Counter(piece for text in texts for piece in set(encoder.pieces(text))))

    def of(self, pieces: Sequence[int]) -> FloatArray:
        return np.array([rarity(self.texts, self.holding[piece]) for piece in pieces])


@dataclass(frozen=True, kw_only=True)
class Yisi1(EncodedMetric):
    """F of n-grams of pieces, of which each finds the most similar on the other side; `alpha` weighs precision.

    Similar are two pieces by the cosine of their vectors: those of `layer` in context, or with `embeddings` "static"
    the rows of the model's table of words. A piece's weight is learnt from all references scored together:
    log2(1 + (N+1)/(c+1)), c of N have it; with `weights` "uniform" it is 1. The corpus value is the mean of segments,
    of several references the best.
    Source: Lo 2019, "YiSi: a unified semantic MT quality evaluation and estimation metric for languages with different
    levels of available resources", WMT, section 2.2 and equations 1 to 3.
    """

    ngram_size: int = 1
    alpha: float = 0.8
    weights: str = LEARN
    embeddings: str = CONTEXTUAL
    sides: tuple[PieceWeights, PieceWeights] | None = field(default=None, repr=False, metadata=NOT_AN_OPTION)

    name: ClassVar[str] = "yisi_1"
    title: ClassVar[str] = "YiSi-1"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_weights(self.weights)
        if self.embeddings not in (CONTEXTUAL, BY_TABLE):
            raise ValueError(f"embeddings are contextual or static, not {self.embeddings!r}")

    @property
    def learns_from_corpus(self) -> bool:
        return self.weights == LEARN

    @property
    def layer_in_use(self) -> int:
        return STATIC if self.embeddings == BY_TABLE else self.layer

    def taught(self, encoder: TextEncoder, hypotheses: Sequence[str], references: Sequence[str]) -> Self:
        return replace(self, sides=self._learnt(encoder, hypotheses, references)) if self.learns_from_corpus else self

    @staticmethod
    def _learnt(
        encoder: TextEncoder,
        hypotheses: Sequence[str],  # noqa: ARG004 - YiSi-2 learns from them
        references: Sequence[str],
    ) -> tuple[PieceWeights, PieceWeights]:
        """Of both sides from the references, as the author's program does."""
        weights = PieceWeights.learnt(encoder, references)
        return weights, weights

    def values_of(self, hypothesis: EncodedText, reference: EncodedText) -> Values:
        """Without the marks of begin and end."""
        alike = (hypothesis.vectors[1:-1] @ reference.vectors[1:-1].T).astype(np.float64)
        pieces = [text.pieces[1:-1].tolist() for text in (hypothesis, reference)]
        if self.sides is None:
            weights = [np.ones(len(each)) for each in pieces]
        else:
            weights = [side.of(each) for side, each in zip(self.sides, pieces, strict=True)]
        return matched(np.minimum(alike, 1.0), *weights, ngram_size=self.ngram_size, alpha=self.alpha)

    @property
    def option_cells(self) -> Sequence[str]:
        return (
            f"embeddings:{self.embeddings}",
            f"n:{self.ngram_size}",
            f"alpha:{self.alpha}",
            f"weights:{self.weights}",
        )
