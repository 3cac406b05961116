"""What metrics share that an operator's model computes: which model it is, and what is asked of it and answered."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from metrics.automatic.base import NOT_AN_OPTION, FloatArray, SegmentMean, cells_of, own_signature
from metrics.neural.light_model import ModelMissing
from metrics.neural.operator_models import OperatorModel, check_files

FULL = "float32"


@dataclass(frozen=True, kw_only=True)
class OperatorMetric(SegmentMean):
    """A metric whose scores come from a process in the environment of the neural libraries.

    `model` is None where it is not installed; scores that are stored can be read without it. `sha`, `libraries` and
    `precision` are those that computed, or will compute, the scores. `has_references`: of the test set. Nothing is
    counted in this process: `request` says what the other one is asked.
    """

    model: OperatorModel | None = field(default=None, repr=False, metadata=NOT_AN_OPTION)
    sha: str = field(default="", metadata=NOT_AN_OPTION)
    libraries: str = field(default="", metadata=NOT_AN_OPTION)
    precision: str = field(default=FULL, metadata=NOT_AN_OPTION)
    source_language: str = field(default="", metadata=NOT_AN_OPTION)
    target_language: str = field(default="", metadata=NOT_AN_OPTION)
    has_references: bool = field(default=True, metadata=NOT_AN_OPTION)

    runs_apart: ClassVar[bool] = True
    libraries_named: ClassVar[tuple[str, ...]] = ("torch", "transformers")

    @property
    def family(self) -> str:
        return self.name.partition(":")[0]

    @property
    def model_name(self) -> str:
        return self.name.partition(":")[2]

    @property
    def columns(self) -> tuple[str, ...]:
        """`cut`: whether a text was longer than the model reads."""
        return ("cut", *self.value_columns, "segments")

    @property
    def covered(self) -> tuple[str, ...]:
        """The languages (tags) that the model must know."""
        reads_source = self.reads_source or not self.needs_reference
        tags = (self.source_language, self.target_language) if reads_source else (self.target_language,)
        return tuple(tag for tag in tags if tag)

    def demand(self) -> None:
        """ModelMissing or ModelDamaged. Reads whole files only where their size or time has changed."""
        if self.model is None:
            raise ModelMissing(f"The model {self.model_name} is not installed.")
        check_files(self.model)

    def installed_as(self, model: OperatorModel | None, *, libraries: Mapping[str, str]) -> Self:
        """With the model, and the versions of the libraries that will compute it."""
        versions = {name: libraries[name].partition("+")[0] for name in self.libraries_named if name in libraries}
        named = "+".join(f"{name}-{version}" for name, version in versions.items())
        return replace(self, model=model, sha=model.sha if model else "", libraries=named)

    def about(self, *, source_language: str, target_language: str, has_references: bool, precision: str = FULL) -> Self:
        """For a test set, in the precision that the operator wants."""
        return replace(
            self,
            source_language=source_language,
            target_language=target_language,
            has_references=has_references,
            precision=precision,
        )

    def as_signed(self, signature: str) -> Self:
        cells = cells_of(signature)
        if not signature:
            return self
        names = ("sha", "libraries", "precision")
        signed = replace(self, **{name: cells.get(name, getattr(self, name)) for name in names})
        return replace(signed, has_references=self.has_references and cells.get("nrefs") != "0")

    @property
    @abstractmethod
    def options(self) -> Mapping[str, Any]:
        """What the process needs to know beside texts and languages."""

    @property
    def option_cells(self) -> Sequence[str]:
        """The same as signatures have it, where it can change a score."""
        return ()

    def corpus(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Mapping[str, Sequence[str]]:
        """What a metric that learns from the corpus learns from."""
        if not self.learns_from_corpus:
            return {}
        others = [text for texts in references for text in texts]
        return {"references": others} if self.needs_reference else {"sources": others, "translations": list(hypotheses)}

    def row_of(self, score: float, values: Sequence[float], *, is_cut: bool) -> list[float]:
        """The counts of a segment from an answer; ValueError where it does not have what it must."""
        shown = list(values) if len(self.value_columns) > 1 else [score]
        if len(shown) != len(self.value_columns):
            raise ValueError(f"{len(shown)} values in place of {len(self.value_columns)}")
        return [float(is_cut), *shown, 1.0]

    def counted(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> FloatArray:  # noqa: ARG002
        raise ModelMissing(f"{self.title} is computed in the environment of the neural libraries, not here.")

    def compare(self, hypothesis: str, reference: str) -> Sequence[float]:
        row: Sequence[float] = self.counted([hypothesis], [[reference]])[0, :-1].tolist()
        return row

    def parts(self, sums: FloatArray, segments: FloatArray) -> dict[str, Any]:
        return {**super().parts(sums[1:], segments), "cut": int(np.round(sums[0]))}

    def signature(self, n_references: int | None) -> str:
        return own_signature(
            n_references if self.needs_reference else 0,
            f"model:{self.model_name}",
            f"sha:{self.sha}",
            *self.option_cells,
            f"precision:{self.precision}",
            f"libraries:{self.libraries}",
        )
