"""What metrics over vectors of pieces share: the model and its layer, the folder it is in, and the texts encoded."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from os import environ
from typing import Any, ClassVar, Self

import numpy as np

from metrics.automatic.base import NOT_AN_OPTION, FloatArray, SegmentMean, cells_of, own_signature
from metrics.neural.encoded import EncodedText, TextEncoder, text_encoder
from metrics.neural.light_model import LIGHT, LIGHT_MODELS, LightModel
from metrics.neural.tokenizer import MOST_PIECES

_AT_ONCE = 64  # segments: so many texts are encoded together, whether or not there is room to remember them
_DECIMALS = 6  # beyond these, float32 depends on what else is multiplied
Values = tuple[float, float, float]
NOTHING: Values = (0.0, 0.0, 0.0)


def libraries_in_use() -> str:
    return "+".join(f"{name}-{version(name)}" for name in ("numpy", "scipy"))


@dataclass(frozen=True, kw_only=True)
class EncodedMetric(SegmentMean):
    """Precision, recall and F of a translation's and a reference's pieces, compared by the cosine of their vectors.

    `model` is one of LIGHT_MODELS, `layer` that of its layers whose states are the vectors. `models_folder` is where
    this installation has models (otherwise where ASSAY_MODELS_DIR says); `libraries` computed the vectors. Where a text
    is empty all three are 0, whatever the other is. Of several references the one with the best F.
    """

    model: str = LIGHT.name
    layer: int = LIGHT.layer
    models_folder: str = field(default="", metadata=NOT_AN_OPTION)
    libraries: str = field(default_factory=libraries_in_use, metadata=NOT_AN_OPTION)

    uses_model: ClassVar[bool] = True
    value_columns: ClassVar[tuple[str, ...]] = ("precision", "recall", "f")

    def __post_init__(self) -> None:
        if self.model not in LIGHT_MODELS:
            raise ValueError(f"There is no model {self.model!r}. Known: {', '.join(LIGHT_MODELS)}.")
        if not 1 <= self.layer <= self.light_model.layers:
            raise ValueError(f"{self.model} has layers 1 to {self.light_model.layers}, not {self.layer}.")

    @property
    def columns(self) -> tuple[str, ...]:
        """`cut`: whether a text was longer than the model reads."""
        return ("cut", *self.value_columns, "segments")

    @property
    def light_model(self) -> LightModel:
        return LIGHT_MODELS[self.model]

    @property
    def _folder(self) -> str:
        return self.models_folder or environ.get("ASSAY_MODELS_DIR", "")

    def demand(self) -> None:
        self.light_model.check(self.light_model.path(self._folder))

    def equipped(self, resources: Mapping[str, str]) -> Self:
        """Takes the folder of `models`; the model need not be there for reading counts."""
        return replace(self, models_folder=resources.get("models", self.models_folder))

    def as_signed(self, signature: str) -> Self:
        return replace(self, libraries=cells_of(signature).get("libraries", self.libraries))

    @abstractmethod
    def values_of(self, hypothesis: EncodedText, reference: EncodedText) -> Values:
        """Of two texts that are not empty."""

    def taught(self, encoder: TextEncoder, hypotheses: Sequence[str], references: Sequence[str]) -> Self:  # noqa: ARG002
        """The metric with what it learns from the corpus; `references` are all of them, one after the other."""
        return self

    def counted(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> FloatArray:
        rows: list[list[float]] = []
        if hypotheses:
            encoder = text_encoder(self.model, self._folder, self.layer_in_use)
            taught = self.taught(encoder, hypotheses, [text for texts in references for text in texts])
            for start in range(0, len(hypotheses), _AT_ONCE):
                part = slice(start, start + _AT_ONCE)
                rows += taught.rows_of(encoder, hypotheses[part], references[part])
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.columns))

    def rows_of(
        self, encoder: TextEncoder, hypotheses: Sequence[str], references: Sequence[Sequence[str]]
    ) -> list[list[float]]:
        texts = encoder.encode([*hypotheses, *(text for those in references for text in those)])
        rows = []
        for hypothesis, those in zip(hypotheses, references, strict=True):
            values = [self._compared(texts[hypothesis], texts[text]) for text in those]
            best = max(values, key=lambda each: each[-1])
            is_cut = any(texts[text].is_cut for text in (hypothesis, *those))
            rows.append([float(is_cut), *(round(value, _DECIMALS) for value in best), 1.0])
        return rows

    def compare(self, hypothesis: str, reference: str) -> Sequence[float]:
        row: Sequence[float] = self.counted([hypothesis], [[reference]])[0, 1:-1].tolist()
        return row

    def parts(self, sums: FloatArray, segments: FloatArray) -> dict[str, Any]:
        return {**super().parts(sums[1:], segments), "cut": int(np.round(sums[0]))}

    def _compared(self, hypothesis: EncodedText, reference: EncodedText) -> Values:
        """The two marks of the ends are not text."""
        return self.values_of(hypothesis, reference) if min(map(_length, (hypothesis, reference))) > 2 else NOTHING

    @property
    def layer_in_use(self) -> int:
        return self.layer

    def signature(self, n_references: int | None) -> str:
        model = self.light_model
        return own_signature(
            n_references,
            f"model:{model.name}",
            f"sha:{model.short_sha}",
            f"layer:{self.layer}",
            *self.option_cells,
            f"max:{MOST_PIECES}",
            "dtype:float32",
            f"libraries:{self.libraries}",
        )

    @property
    @abstractmethod
    def option_cells(self) -> Sequence[str]:
        """The metric's other options as its signature has them."""


def _length(text: EncodedText) -> int:
    return len(text.pieces)
