"""YiSi-2: YiSi-1 with the source text in place of a reference (Lo 2019)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from metrics.automatic.yisi_1 import PieceWeights, Yisi1
from metrics.neural.encoded import TextEncoder


@dataclass(frozen=True, kw_only=True)
class Yisi2(Yisi1):
    """As YiSi-1, of a translation and its source text; it needs no reference, and an encoder of both languages.

    Weights of the source's pieces are learnt from the sources, those of the translation's from the translations scored
    with it: those of one system. It estimates quality, and does not order systems: see docs/metrics.md.
    Source: Lo 2019, "YiSi: a unified semantic MT quality evaluation and estimation metric for languages with different
    levels of available resources", WMT, section 2.3.
    """

    name: ClassVar[str] = "yisi_2"
    title: ClassVar[str] = "YiSi-2"
    compares_with_source: ClassVar[bool] = True

    @staticmethod
    def _learnt(
        encoder: TextEncoder, hypotheses: Sequence[str], references: Sequence[str]
    ) -> tuple[PieceWeights, PieceWeights]:
        return PieceWeights.learnt(encoder, hypotheses), PieceWeights.learnt(encoder, references)

    def signature(self, n_references: int | None) -> str:  # noqa: ARG002 - there is none
        return super().signature(0)
