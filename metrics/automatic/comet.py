"""COMET: a model trained on judgments by people reads source, translation and reference (Rei and others 2020)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from metrics.automatic.operator_metric import OperatorMetric

BY_MEAN = "mean"


@dataclass(frozen=True, kw_only=True)
class Comet(OperatorMetric):
    """The score that the model gives to a segment; with several references the mean of one score for each.

    Models differ: those that need no reference (CometKiwi, COMET-QE) read the source and the translation alone, XCOMET
    takes a reference where there is one. Which reading was used is in the signature. The corpus value is the mean of
    segments. Source: Rei, Stewart, Farinha and Lavie 2020, "COMET: a neural framework for MT evaluation", EMNLP; Rei
    and others 2022, "CometKiwi", WMT; Guerreiro and others 2024, "xCOMET", TACL.
    """

    name: ClassVar[str] = "comet"
    title: ClassVar[str] = "COMET"
    libraries_named: ClassVar[tuple[str, ...]] = ("torch", "transformers", "unbabel-comet")

    @property
    def needs_reference(self) -> bool:
        if self.model is None:
            return self.has_references
        return self.model.needs_reference or (self.model.takes_reference and self.has_references)

    @property
    def reads_source(self) -> bool:
        return self.needs_reference

    @property
    def options(self) -> Mapping[str, Any]:
        return {}

    @property
    def option_cells(self) -> Sequence[str]:
        return (f"refs:{BY_MEAN}",) if self.needs_reference else ()
