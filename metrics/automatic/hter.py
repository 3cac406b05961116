"""HTER: how much of a translation its own post-edit changed. TER with that post-edit as the only reference."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metrics.automatic.base import FloatArray
from metrics.automatic.ter import Ter


@dataclass(frozen=True)
class PostEdited:
    """`values` edits by words of the post-edit, for each segment; `capped` no higher than 1; `corpus` of the sums.

    Above 1 are segments that were cut down to less than what was taken away. `edits` and `words` are the counts.
    """

    values: FloatArray
    capped: FloatArray
    corpus: float
    edits: FloatArray
    words: FloatArray
    signature: str


@dataclass(frozen=True)
class Hter(Ter):
    """Human-targeted TER as a fraction, case-insensitive unless asked otherwise.

    Source: Snover et al. 2006. An empty post-edit is 0 where the translation is empty too, else 1.
    """

    name: ClassVar[str] = "hter"
    title: ClassVar[str] = "HTER"
    scale: ClassVar[float] = 1.0

    def signature(self, n_references: int | None) -> str:
        return f"{super().signature(n_references)}|reference:post-edit"

    def parts(self, sums: FloatArray, segments: FloatArray) -> dict[str, Any]:
        parts = super().parts(sums, segments)
        if segments.size:
            parts |= {"mean": float(segments.mean()), "mean_capped": float(np.minimum(segments, 1).mean())}
        return parts


def hter(translations: Sequence[str], post_edits: Sequence[str], *, case_sensitive: bool = False) -> PostEdited:
    """HTER of each translation and of all together.

    >>> result = hter(
    ...     ["De minister kondigde de beslissing aan gisteren"], ["Gisteren kondigde de minister de beslissing aan"]
    ... )
    >>> result.edits.tolist(), result.words.tolist(), round(result.corpus, 4)
    ([2.0], [7.0], 0.2857)
    """
    metric = Hter(case_sensitive=case_sensitive)
    statistics = metric.statistics(translations, post_edits)
    values = metric.values(statistics)
    return PostEdited(
        values=values,
        capped=np.minimum(values, 1.0),
        corpus=metric.value(statistics.sum(axis=0)),
        edits=statistics[:, 0],
        words=statistics[:, 1],
        signature=metric.signature(1),
    )
