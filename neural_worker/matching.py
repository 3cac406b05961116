"""How BERTScore, YiSi-1 and YiSi-2 compare the pieces of two texts by their vectors; as in the light metrics.

Sources: Zhang and others 2020, "BERTScore: evaluating text generation with BERT", ICLR; Lo 2019, "YiSi: a unified
semantic MT quality evaluation and estimation metric for languages with different levels of available resources", WMT.
"""

import csv
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from neural_worker.conversation import FAILED, Request, RequestError
from neural_worker.model_folder import ModelFolder

Numbers = NDArray[np.int64]
Vectors = NDArray[np.float32]
Weights = NDArray[np.float64]
Values = tuple[float, float, float]
Pieces = Callable[[str], Sequence[int]]


class Matching(ABC):
    @abstractmethod
    def values(self, pieces: Numbers, vectors: Vectors, others: Numbers, their: Vectors) -> Values:
        """Precision, recall and F. Both texts have the marks of begin and end, and a piece between them at least."""


def matching_of(request: Request, pieces: Pieces, folder: ModelFolder, layer: int) -> Matching:
    """`layer` is the one in use."""
    options, corpus = request.options, request.corpus
    if request.metric == "bertscore":
        baseline = baseline_of(folder, options.target_language, layer) if options.rescale else None
        return BertScore(Rarity.learnt(corpus.references, pieces) if options.idf else None, baseline)
    if options.weights != "learn":
        return Yisi(None, options.ngram_size, options.alpha)
    if request.metric == "yisi_2":
        sides = (Rarity.learnt(corpus.translations, pieces), Rarity.learnt(corpus.sources, pieces))
    else:
        sides = (Rarity.learnt(corpus.references, pieces),) * 2
    return Yisi(sides, options.ngram_size, options.alpha)


@dataclass(frozen=True)
class Rarity:
    """Of `texts`, `holding` have a piece."""

    texts: int
    holding: Mapping[int, int]

    @classmethod
    def learnt(cls, texts: Sequence[str], pieces: Pieces) -> "Rarity":
        if not texts:
            raise RequestError(FAILED, "Weights are learnt from all texts, and “corpus” has none of them.")
        return cls(len(texts), Counter(piece for text in texts for piece in set(pieces(text))))

    def of_bertscore(self, pieces: Numbers) -> Weights:
        return np.array([math.log((self.texts + 1) / (self.holding.get(piece, 0) + 1)) for piece in pieces.tolist()])

    def of_yisi(self, pieces: Numbers) -> Weights:
        counts = (self.holding.get(piece, 0) for piece in pieces.tolist())
        return np.array([math.log2(1 + (self.texts + 1) / (count + 1)) for count in counts])


@dataclass(frozen=True)
class BertScore(Matching):
    """The marks of begin and end can be matched but do not count themselves. `baseline`: what unrelated texts have."""

    rarity: Rarity | None
    baseline: Values | None

    def values(self, pieces: Numbers, vectors: Vectors, others: Numbers, their: Vectors) -> Values:
        if np.array_equal(pieces, others):
            return self._rescaled((1.0, 1.0, 1.0))
        alike = np.minimum(vectors @ their.T, 1.0).astype(np.float64)
        precision, recall = self._mean(alike.max(axis=1), pieces), self._mean(alike.max(axis=0), others)
        f = 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
        return self._rescaled((precision, recall, f))

    def _mean(self, largest: Weights, pieces: Numbers) -> float:
        """Where no piece has weight, all weigh alike."""
        weights = None if self.rarity is None else self.rarity.of_bertscore(pieces[1:-1])
        return float(np.average(largest[1:-1], weights=weights if weights is not None and weights.any() else None))

    def _rescaled(self, values: Values) -> Values:
        if self.baseline is None:
            return values
        p, r, f = ((value - base) / (1 - base) for value, base in zip(values, self.baseline, strict=True))
        return p, r, f


@dataclass(frozen=True)
class Yisi(Matching):
    """`sides` are the weights of the translation's pieces and of the other text's. Without the marks of the ends."""

    sides: tuple[Rarity, Rarity] | None
    ngram_size: int
    alpha: float

    def values(self, pieces: Numbers, vectors: Vectors, others: Numbers, their: Vectors) -> Values:
        alike = np.minimum((vectors[1:-1] @ their[1:-1].T).astype(np.float64), 1.0)
        if self.sides is None:
            weights, their_weights = np.ones(len(pieces) - 2), np.ones(len(others) - 2)
        else:
            weights, their_weights = self.sides[0].of_yisi(pieces[1:-1]), self.sides[1].of_yisi(others[1:-1])
        size = min(self.ngram_size, *alike.shape)
        precision, recall = _covered(alike, weights, size), _covered(alike.T, their_weights, size)
        below = self.alpha * precision + (1 - self.alpha) * recall
        return precision, recall, precision * recall / below if below else 0.0


def _covered(alike: Weights, weights: Weights, size: int) -> float:
    """The weighted likeness of each n-gram to the one most like it, by the weight of all."""
    rows, columns = alike.shape[0] - size + 1, alike.shape[1] - size + 1
    weighted = alike * weights[:, None]
    summed = sum((weighted[at : at + rows, at : at + columns] for at in range(size)), np.zeros((rows, columns)))
    total = sum(float(weights[at : at + rows].sum()) for at in range(size))
    return float(summed.max(axis=1).sum()) / total if total else 0.0


def baseline_of(folder: ModelFolder, language: str, layer: int) -> Values:
    """As bert-score publishes them, by language, model and layer."""
    package = find_spec("bert_score")
    home = Path(package.origin).parent / "rescale_baseline" / language if package and package.origin else Path()
    source = str(folder.manifest.get("source", ""))
    for name in (source, source.rpartition("/")[2], folder.name):
        path = home / f"{name}.tsv"
        if name and path.is_file():
            with path.open(encoding="utf-8", newline="") as lines:
                for row in csv.DictReader(lines):
                    if int(row["LAYER"]) == layer:
                        return float(row["P"]), float(row["R"]), float(row["F"])
    message = f"bert-score has no baseline for layer {layer} of {source or folder.name} in “{language}”."
    raise RequestError(FAILED, f"{message} Score without rescaling.")
