"""Metrics whose corpus score is the mean of their segments: each counts its values, and 1."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from metrics.automatic.base import FloatArray, Metric, divided


class SegmentMean(Metric):
    """`value_columns` names what is counted beside the segments, the score itself last."""

    value_columns: ClassVar[tuple[str, ...]] = ("score",)

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.value_columns, "segments")

    @abstractmethod
    def compare(self, hypothesis: str, reference: str) -> Sequence[float]:
        """The values of one translation and one reference, in the order of `value_columns`."""

    def segment_statistics(self, hypothesis: str, references: Sequence[str]) -> Sequence[float]:
        rows = [self.compare(hypothesis, reference) for reference in references]
        best = (max if self.higher_is_better else min)(rows, key=lambda row: row[-1])
        return [*best, 1.0]

    def values(self, sums: FloatArray) -> FloatArray:
        return divided(sums[..., -2], sums[..., -1])

    def parts(self, sums: FloatArray, segments: FloatArray) -> dict[str, Any]:  # noqa: ARG002 - all is in the sums
        count = float(sums[-1])
        means = sums[:-1] / count if count else np.zeros(sums.size - 1)
        return dict(zip(self.value_columns, means.tolist(), strict=True)) | {"segments": int(count)}
