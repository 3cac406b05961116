"""HTER: how much of a translation its own post-edit changed. TER with that post-edit as the only reference."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metrics.automatic.base import FloatArray
from metrics.automatic.ter import Ter


@dataclass(frozen=True)
class Hter(Ter):
    """Human-targeted TER as a fraction, case-insensitive by default.

    Values are above 1 where more words were deleted than are left; `parts` has the mean of segments, and the mean with
    values capped at 1. An empty post-edit is 0 where the translation is empty too, else 1.
    Source: Snover et al. 2006.

    >>> score = Hter().score(
    ...     ["De minister kondigde de beslissing aan gisteren"], ["Gisteren kondigde de minister de beslissing aan"]
    ... )
    >>> score.parts["edits"], score.parts["reference_words"], round(score.value, 4)
    (2, 7, 0.2857)
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
