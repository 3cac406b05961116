"""BERTScore and YiSi with an encoder of the operator's, such as roberta-large; without one they use the light model."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from metrics.automatic.base import NOT_AN_OPTION, cells_of
from metrics.automatic.operator_metric import OperatorMetric
from metrics.automatic.phrases import LEARN
from metrics.neural.operator_models import OperatorModel

# As bert-score chooses them. Source: Zhang and others 2020, "BERTScore", ICLR, appendix B and the package's table.
LAYERS = {"roberta-large": 17, "xlm-roberta-large": 17, "bert-base-multilingual-cased": 9}
_SHARE = 0.75  # of the layers, where nobody has measured it: as for the light model


def layer_of(folder: Path, name: str) -> int:
    """The layer whose states are compared; 0 where the model's description cannot be read."""
    if name in LAYERS:
        return LAYERS[name]
    with suppress(OSError, ValueError, KeyError, AttributeError, TypeError):
        described = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        return max(1, round(_SHARE * int(described.get("num_hidden_layers") or described["num_layers"])))
    return 0


@dataclass(frozen=True, kw_only=True)
class OfEncoder(OperatorMetric):
    """Precision, recall and F of pieces compared by the cosine of their vectors after `layer`; the best reference."""

    layer: int = field(default=0, metadata=NOT_AN_OPTION)

    value_columns: ClassVar[tuple[str, ...]] = ("precision", "recall", "f")
    libraries_named: ClassVar[tuple[str, ...]] = ("torch", "transformers", "bert-score")

    def installed_as(self, model: OperatorModel | None, *, libraries: Mapping[str, str]) -> Self:
        metric = super().installed_as(model, libraries=libraries)
        return replace(metric, layer=layer_of(model.folder, model.name)) if model else metric

    def as_signed(self, signature: str) -> Self:
        layer = cells_of(signature).get("layer", "")
        metric = super().as_signed(signature)
        return replace(metric, layer=int(layer)) if layer.isdecimal() else metric

    @property
    def options(self) -> Mapping[str, Any]:
        return {"layer": self.layer or None}

    @property
    def option_cells(self) -> Sequence[str]:
        return (f"layer:{self.layer}",)


@dataclass(frozen=True, kw_only=True)
class BertScoreOfModel(OfEncoder):
    """BERTScore as with the light model, without weights by rarity. The corpus value is the mean of F over segments.

    Source: Zhang, Kishore, Wu, Weinberger and Artzi 2020, "BERTScore: evaluating text generation with BERT", ICLR.
    """

    name: ClassVar[str] = "bertscore"
    title: ClassVar[str] = "BERTScore"

    @property
    def options(self) -> Mapping[str, Any]:
        return {**super().options, "idf": False}

    @property
    def option_cells(self) -> Sequence[str]:
        return *super().option_cells, "idf:no", "rescale:no"


@dataclass(frozen=True, kw_only=True)
class Yisi1OfModel(OfEncoder):
    """YiSi-1 as with the light model: pieces weigh by how rare they are in all references, alpha is 0.8.

    Source: Lo 2019, "YiSi: a unified semantic MT quality evaluation and estimation metric", WMT, section 2.2.
    """

    alpha: float = field(default=0.8, metadata=NOT_AN_OPTION)

    name: ClassVar[str] = "yisi_1"
    title: ClassVar[str] = "YiSi-1"

    @property
    def learns_from_corpus(self) -> bool:
        return True

    @property
    def options(self) -> Mapping[str, Any]:
        return {
            **super().options,
            "weights": LEARN,
            "embeddings": "contextual",
            "ngram_size": 1,
            "alpha": self.alpha,
        }

    @property
    def option_cells(self) -> Sequence[str]:
        return *super().option_cells, "embeddings:contextual", "n:1", f"alpha:{self.alpha}", f"weights:{LEARN}"


@dataclass(frozen=True, kw_only=True)
class Yisi2OfModel(Yisi1OfModel):
    """As YiSi-1, of a translation and its source text; it needs no reference.

    Source: Lo 2019, "YiSi: a unified semantic MT quality evaluation and estimation metric", WMT, section 2.3.
    """

    name: ClassVar[str] = "yisi_2"
    title: ClassVar[str] = "YiSi-2"
    compares_with_source: ClassVar[bool] = True
