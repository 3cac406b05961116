"""YiSi-1: the author's program on word vectors, and real translations by the real model."""

import gzip
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pytest

from metrics.automatic.phrases import matched
from metrics.automatic.yisi_0 import LearnedWeights
from metrics.automatic.yisi_1 import Yisi1
from tests.metrics.automatic.encoded_contract import EncodedContract
from tests.metrics.neural.light_model_files import expected, models_folder, wmt23
from tests.metrics.real_campaigns import real_case

SETTINGS: dict[str, dict[str, Any]] = {
    "yisi_1": {},
    "yisi_1 ngram_size=3": {"ngram_size": 3},
    "yisi_1 weights=uniform": {"weights": "uniform"},
    "yisi_1 embeddings=static": {"embeddings": "static"},
    "yisi_1 embeddings=static ngram_size=3": {"embeddings": "static", "ngram_size": 3},
    "yisi_1 embeddings=static weights=uniform": {"embeddings": "static", "weights": "uniform"},
}
OPTIONS = {"ngram_size": 3, "alpha": 0.5, "weights": "uniform", "embeddings": "static"}


class TestYisi1(EncodedContract):
    name = "yisi_1"
    other_options: ClassVar[dict[str, Any]] = {**EncodedContract.other_options, **OPTIONS}
    not_learning: ClassVar[dict[str, Any]] = {"weights": "uniform"}


def test_other_weights_and_vectors_are_refused() -> None:
    with pytest.raises(ValueError, match="learn or uniform"):
        Yisi1(weights="guess")
    with pytest.raises(ValueError, match="contextual or static"):
        Yisi1(embeddings="guess")


@pytest.mark.real_data
@pytest.mark.parametrize("setting", SETTINGS)
def test_segments_and_systems_have_the_expected_values(setting: str, encoded_systems: Sequence[str]) -> None:
    case = expected()
    stored, means, tolerance = case["segments"], case["systems_mean"], case["tolerance"]["scores"]
    texts = wmt23(*encoded_systems)
    metric = Yisi1(models_folder=models_folder(), **SETTINGS[setting])
    for system in encoded_systems:
        scores = metric.score(texts.systems[system], texts.references)
        assert scores.segments[:8] == pytest.approx(stored["values"][setting][system], abs=tolerance)
        assert scores.value == pytest.approx(means[setting][system], abs=tolerance)


@pytest.mark.real_data
def test_phrases_are_matched_as_by_the_authors_program() -> None:
    """Its own test: 500 word vectors, words at blanks, three words at a time, weights learnt from the references."""
    folder = real_case("oracles") / "yisi"
    with gzip.open(folder / "mini.d300.en.gz", "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split(" ") for line in lines]
    vectors = {row[0]: np.array(row[1:301], dtype=float) for row in rows if len(row) > 300}
    hypotheses, references = (
        (folder / name).read_text(encoding="utf-8").splitlines() for name in ("test_hyp.en", "test_ref.en")
    )
    weights = LearnedWeights(references)
    stored = (folder / "full-precision.tsv").read_text(encoding="utf-8").splitlines()[1:-1]
    for hypothesis, reference, row in zip(hypotheses, references, stored, strict=True):
        words, others = hypothesis.split(), reference.split()
        alike = np.array([[_likeness(vectors, word, other) for other in others] for word in words])
        sides = [np.array([weights.of(word) for word in side]) for side in (words, others)]
        f = matched(alike, *sides, ngram_size=3, alpha=0.8)[-1]
        assert f == pytest.approx(float(row.split("\t")[2]), abs=1e-9)


def _likeness(vectors: dict[str, Any], word: str, other: str) -> float:
    if word.lower() == other.lower():
        return 1.0
    if word not in vectors or other not in vectors:
        return 0.0
    first, second = vectors[word], vectors[other]
    return float(first @ second / np.linalg.norm(first) / np.linalg.norm(second))
