"""BLEURT: BERT trained on judgments by people reads reference and translation (Sellam and others 2020)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from metrics.automatic.operator_metric import OperatorMetric

BEST = "best"


@dataclass(frozen=True, kw_only=True)
class Bleurt(OperatorMetric):
    """The score that the model gives to a segment, of several references the best.

    The corpus value is the mean of segments. Computed by the port to PyTorch. Source: Sellam, Das and Parikh 2020,
    "BLEURT: learning robust metrics for text generation", ACL; Pu and others 2021, "Learning compact metrics for MT",
    EMNLP.
    """

    name: ClassVar[str] = "bleurt"
    title: ClassVar[str] = "BLEURT"
    libraries_named: ClassVar[tuple[str, ...]] = ("torch", "transformers", "bleurt-pytorch")

    @property
    def options(self) -> Mapping[str, Any]:
        return {}

    @property
    def option_cells(self) -> Sequence[str]:
        return (f"refs:{BEST}",)
