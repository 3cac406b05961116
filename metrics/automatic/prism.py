"""Prism: how probable a translation is for a model that translates or paraphrases (Thompson and Post 2020)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from metrics.automatic.bleurt import BEST
from metrics.automatic.operator_metric import OperatorMetric


@dataclass(frozen=True, kw_only=True)
class Prism(OperatorMetric):
    """The mean, over pieces, of the base-2 logarithm of their probability, both ways: given the other text.

    The mean of the translation given the reference and the reference given the translation; of several references the
    best. Computed with an M2M100 model, not with Prism's own: compare scores of the same signature only. The corpus
    value is the mean of segments. Source: Thompson and Post 2020, "Automatic machine translation evaluation in many
    languages via zero-shot paraphrasing", EMNLP, section 3.
    """

    name: ClassVar[str] = "prism"
    title: ClassVar[str] = "Prism"

    @property
    def options(self) -> Mapping[str, Any]:
        return {}

    @property
    def option_cells(self) -> Sequence[str]:
        return f"refs:{BEST}", "log:2", f"language:{self.target_language}"


@dataclass(frozen=True, kw_only=True)
class PrismSource(Prism):
    """As Prism, of the translation given its source alone; it needs no reference.

    Source: Thompson and Post 2020, "Automatic machine translation evaluation in many languages via zero-shot
    paraphrasing", EMNLP, section 3, "QE as a metric".
    """

    name: ClassVar[str] = "prism_src"
    title: ClassVar[str] = "Prism-src"
    compares_with_source: ClassVar[bool] = True

    @property
    def option_cells(self) -> Sequence[str]:
        return "log:2", f"languages:{self.source_language}-{self.target_language}"
