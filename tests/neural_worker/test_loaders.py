"""Every kind of model, loaded and called by the child: its numbers are those of the libraries called directly."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.automatic.yisi_1 import PieceWeights, Yisi1
from metrics.automatic.yisi_2 import Yisi2
from metrics.neural.encoded import EncodedText
from tests.neural_worker.child import Child
from tests.neural_worker.texts import LAYER, LONG, SAMPLES

NOT_LONG = [sample for sample in SAMPLES if sample.mt != LONG]
REFERENCES = [reference for sample in SAMPLES for reference in sample.refs]
WITH_REFERENCES = ("tiny-regression", "tiny-minilm", "tiny-ranking", "tiny-unified", "tiny-xcomet")
WITHOUT_REFERENCES = ("tiny-unified", "tiny-kiwi", "tiny-xcomet", "tiny-referenceless")


def same(values: Any) -> Any:
    """In float32, between batches of different shapes."""
    return pytest.approx(values, abs=1e-6, rel=5e-6)


@pytest.mark.parametrize("name", WITH_REFERENCES)
def test_comet_scores_as_its_library_and_takes_the_mean_of_references(
    child: Child, models: Path, expected: dict[str, Any], name: str
) -> None:
    answer = child.ask("comet", models / name)
    assert not answer.error
    means = [np.mean(scores) for scores in expected[name]["scores"]]
    assert answer.scores == same(means)
    assert len({round(score, 3) for score in answer.scores}) > 4


@pytest.mark.parametrize("name", WITHOUT_REFERENCES)
def test_comet_scores_without_references_as_its_library(
    child: Child, models: Path, expected: dict[str, Any], name: str
) -> None:
    values = expected[name].get("without references") or [scores[0] for scores in expected[name]["scores"]]
    answer = child.ask("comet", models / name, has_references=False)
    assert answer.scores == same(values)


def test_a_model_that_takes_no_references_is_not_given_any(child: Child, models: Path) -> None:
    folder = models / "tiny-kiwi"
    assert child.ask("comet", folder).scores == child.ask("comet", folder, has_references=False).scores


def test_a_model_that_needs_references_says_so(child: Child, models: Path) -> None:
    error = child.ask("comet", models / "tiny-regression", has_references=False).error
    assert error["code"] == "failed"
    assert "tiny-regression needs references" in error["message"]


@pytest.mark.parametrize("name", ["tiny-kiwi", "tiny-xcomet"])
def test_spans_are_those_of_the_library_in_characters_of_the_translation(
    child: Child, models: Path, expected: dict[str, Any], name: str
) -> None:
    scored = child.ask("comet", models / name).scored
    assert sum(len(line["spans"]) for line in scored) > 2
    for line, sample, theirs in zip(scored, SAMPLES, expected[name]["spans"], strict=True):
        spans = [(span["start"], span["end"], span["severity"]) for span in line["spans"]]
        marks = [(span["start"], min(span["end"], len(sample.mt)), span["severity"]) for span in theirs]
        assert spans == [mark for mark in marks if mark[0] < mark[1]]
        assert all(0 <= start < end <= len(sample.mt) for start, end, _severity in spans)


def test_models_that_do_not_mark_have_no_spans(child: Child, models: Path) -> None:
    assert all("spans" not in line for line in child.ask("comet", models / "tiny-regression").scored)


@pytest.mark.parametrize("name", ["tiny-regression", "tiny-xcomet", "tiny-kiwi"])
def test_a_text_that_does_not_fit_is_said_to_be_cut(child: Child, models: Path, name: str) -> None:
    cut = [line["id"] for line in child.ask("comet", models / name).scored if line.get("is_cut")]
    assert cut == [5]


def test_bleurt_scores_as_its_library_and_takes_the_best_reference(
    child: Child, models: Path, expected: dict[str, Any]
) -> None:
    answer = child.ask("bleurt", models / "tiny-bleurt", kind="bleurt")
    assert answer.scores == same([max(each) for each in expected["tiny-bleurt"]["scores"]])
    assert [line["id"] for line in answer.scored if line.get("is_cut")] == [5]


def test_prism_is_the_mean_of_both_directions(child: Child, models: Path, expected: dict[str, Any]) -> None:
    answer = child.ask("prism", models / "tiny-m2m100", NOT_LONG, kind="prism")
    best = [max(each) for each in expected["tiny-m2m100"]["scores"]]
    assert answer.scores == same(best)


def test_prism_scores_a_translation_given_its_source(child: Child, models: Path, expected: dict[str, Any]) -> None:
    answer = child.ask("prism_src", models / "tiny-m2m100", NOT_LONG, kind="prism", has_references=False)
    assert answer.scores == same(expected["tiny-m2m100"]["without references"])


def test_prism_cuts_what_does_not_fit(child: Child, models: Path) -> None:
    (line,) = child.ask("prism", models / "tiny-m2m100", [SAMPLES[5]], kind="prism").scored
    assert line["is_cut"]


def test_a_language_that_the_model_does_not_know_is_named(child: Child, models: Path) -> None:
    error = child.ask("prism", models / "tiny-m2m100", kind="prism", target_language="tlh").error
    assert error["code"] == "language"
    assert "target tlh" in error["message"]


@pytest.mark.parametrize("idf", [False, True])
def test_bertscore_is_that_of_its_library(child: Child, models: Path, expected: dict[str, Any], idf: bool) -> None:
    corpus = {"references": REFERENCES}
    answer = child.ask("bertscore", models / "tiny-encoder", kind="encoder", layer=LAYER, idf=idf, corpus=corpus)
    scored = [line for line, sample in zip(answer.scored, SAMPLES, strict=True) if sample.mt]
    theirs = expected["tiny-encoder"]["idf" if idf else "plain"]
    best = [max(values, key=lambda each: each[2]) for values in theirs]
    assert [line["values"] for line in scored] == [same(values) for values in best]
    assert [line["score"] for line in scored] == [line["values"][2] for line in scored]


def test_an_empty_translation_has_0_and_equal_texts_have_1(child: Child, models: Path) -> None:
    scored = child.ask("bertscore", models / "tiny-encoder", kind="encoder").scored
    assert scored[2]["values"] == [0, 0, 0]
    assert scored[3]["values"] == [1, 1, 1]
    assert [line["id"] for line in scored if line.get("is_cut")] == [5]


def test_layers_differ_and_no_other_than_those_of_the_model_is_taken(child: Child, models: Path) -> None:
    folder = models / "tiny-encoder"
    first, last, also_last = (
        child.ask("bertscore", folder, kind="encoder", layer=layer).scores for layer in (1, 3, None)
    )
    assert first != last == also_last
    error = child.ask("bertscore", folder, kind="encoder", layer=4).error
    assert "has layers 1 to 3, not 4" in error["message"]


def _encoded(states: dict[str, Any], text: str) -> EncodedText:
    vectors = np.array(states[text]["states"], dtype=np.float32)
    return EncodedText(np.array(states[text]["pieces"]), vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def _holding(states: dict[str, Any], texts: list[str]) -> PieceWeights:
    class Encoder:
        def pieces(self, text: str) -> list[int]:
            pieces: list[int] = states[text]["pieces"]
            return pieces

    return PieceWeights.learnt(Encoder(), texts)  # type: ignore[arg-type]


@pytest.mark.parametrize("ngram_size", [1, 2])
def test_yisi_1_is_that_of_the_light_metric_on_states_of_transformers(
    child: Child, models: Path, expected: dict[str, Any], ngram_size: int
) -> None:
    states, references = expected["states"], [reference for sample in NOT_LONG for reference in sample.refs]
    weights = _holding(states, references)
    metric = Yisi1(sides=(weights, weights), ngram_size=ngram_size)
    answer = child.ask(
        "yisi_1",
        models / "tiny-encoder",
        NOT_LONG,
        kind="encoder",
        layer=LAYER,
        ngram_size=ngram_size,
        corpus={"references": references},
    )
    for line, sample in zip(answer.scored, NOT_LONG, strict=True):
        texts = [(_encoded(states, sample.mt), _encoded(states, reference)) for reference in sample.refs]
        values = [metric.values_of(*pair) if sample.mt else (0, 0, 0) for pair in texts]
        assert line["values"] == same(max(values, key=lambda each: each[2]))


def test_yisi_2_compares_with_the_source_and_learns_from_both_sides(
    child: Child, models: Path, expected: dict[str, Any]
) -> None:
    states = expected["states"]
    sources, translations = [each.src for each in NOT_LONG], [each.mt for each in NOT_LONG]
    metric = Yisi2(sides=(_holding(states, translations), _holding(states, sources)))
    corpus = {"sources": sources, "translations": translations}
    folder = models / "tiny-encoder"
    answer = child.ask("yisi_2", folder, NOT_LONG, kind="encoder", layer=LAYER, has_references=False, corpus=corpus)
    for line, sample in zip(answer.scored, NOT_LONG, strict=True):
        values = metric.values_of(_encoded(states, sample.mt), _encoded(states, sample.src)) if sample.mt else (0, 0, 0)
        assert line["values"][:2] == same(values[:2])
        assert line["score"] == pytest.approx(values[2], rel=1e-5)  # here divided by a small number


def test_weights_need_a_corpus(child: Child, models: Path) -> None:
    error = child.ask("yisi_1", models / "tiny-encoder", kind="encoder").error
    assert "“corpus” has none" in error["message"]


def test_a_published_baseline_rescales_and_where_there_is_none_it_is_said(child: Child, models: Path) -> None:
    folder = models / "tiny-encoder"
    error = child.ask("bertscore", folder, kind="encoder", rescale=True).error
    assert "no baseline for layer 3" in error["message"]


def test_progress_and_the_libraries_in_use_are_told(child: Child, models: Path) -> None:
    many = [SAMPLES[0]] * 40
    lines = child.ask("comet", models / "tiny-regression", many).lines
    assert [line["progress"] for line in lines if "progress" in line] == [0, 16, 32, 40]
    assert lines[-1]["done"] == 40
    assert (lines[-1]["precision"], lines[-1]["device"]) == ("float32", "cpu")
    assert lines[-1]["libraries"].startswith("torch-2.13.0+transformers-4.57.6+comet-2.2.7")


def test_half_precision_is_taken_where_it_is_asked_for(child: Child, models: Path) -> None:
    folder = models / "tiny-regression"
    full, half = (child.ask("comet", folder, precision=each).scores for each in ("float32", "bfloat16"))
    assert full != half
    assert full == pytest.approx(half, abs=0.2)
