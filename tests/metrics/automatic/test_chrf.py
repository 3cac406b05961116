"""chrF and chrF++ are sacreBLEU's, count by count."""

from typing import Any, ClassVar

import numpy as np
import pytest
from sacrebleu.metrics.chrf import CHRF

from metrics.automatic.chrf import Chrf, ChrfPlusPlus
from tests.metrics.automatic import oracles
from tests.metrics.automatic.contract import MetricContract
from tests.metrics.automatic.mixed_scripts import mixed_pairs

SETTINGS: dict[str, dict[str, Any]] = {
    "chrF2": {},
    "chrF2++": {"word_order": 2},
    "chrF2+": {"word_order": 1},
    "chrF2.space": {"whitespace": True},
    "chrF2.lc": {"lowercase": True},
    "chrF2.eps": {"eps_smoothing": True},
    "chrF2++.eps": {"word_order": 2, "eps_smoothing": True},
    "chrF2.order2": {"char_order": 2},
    "chrF1": {"beta": 1},
    "chrF3": {"beta": 3},
}
OTHERS: dict[str, Any] = {
    "char_order": 2,
    "word_order": 1,
    "beta": 1,
    "lowercase": True,
    "whitespace": True,
    "eps_smoothing": True,
}


class TestChrf(MetricContract):
    name = "chrf"
    other_options: ClassVar[dict[str, Any]] = OTHERS


class TestChrfPlusPlus(MetricContract):
    name = "chrf++"
    other_options: ClassVar[dict[str, Any]] = OTHERS


@pytest.mark.parametrize(("hypothesis", "score"), [("witness of the past,", 0.86), ("past witness", 0.62)])
def test_the_textbooks_example(hypothesis: str, score: float) -> None:
    metric = Chrf(char_order=2, beta=2)
    assert metric.score([hypothesis], ["witness for the past,"]).value / 100 == pytest.approx(score, abs=0.005)


@pytest.mark.parametrize("ours", [Chrf(), ChrfPlusPlus()])
@pytest.mark.parametrize("references", [1, 3])
def test_counts_and_scores_are_those_of_sacrebleu(ours: Chrf, references: int) -> None:
    hypotheses, lists = mixed_pairs(2_000 if references == 1 else 300, seed=13, references=references)
    theirs = CHRF(word_order=ours.word_order)
    streams = [list(stream) for stream in zip(*lists, strict=True)]
    counted = ours.statistics(hypotheses, lists)
    assert counted.tolist() == theirs._extract_corpus_statistics(hypotheses, streams)
    scored = ours.scored(counted, n_references=references)
    assert scored.value == theirs.corpus_score(hypotheses, streams).score
    assert scored.signature == str(theirs.get_signature())
    for at in range(0, len(hypotheses), 40):
        assert scored.segments[at] == theirs.sentence_score(hypotheses[at], lists[at]).score


def test_the_mean_of_segments_differs_from_the_score_of_the_corpus() -> None:
    result = Chrf().score(["a long enough text", "x"], ["a long enough text", "y"])
    assert result.parts["mean_of_segments"] == 50
    assert result.value > 90


@pytest.mark.real_data
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("suffix", ["", ".two-references"])
def test_the_oracles_values(setting: str, suffix: str) -> None:
    metric, file = Chrf(**SETTINGS[setting]), f"sacrebleu-chrf{suffix}"
    counts = oracles.statistics(file, setting)
    pairs = [oracles.pairs()[key] for key in counts]
    references = [list(pair.references if suffix else pair.references[:1]) for pair in pairs]
    counted = metric.statistics([pair.hypothesis for pair in pairs], references)
    np.testing.assert_array_equal(counted, np.array(list(counts.values())))
    assert oracles.difference(metric, file, setting) < 1e-9


@pytest.mark.real_data
def test_smoothed_by_epsilon_it_is_the_original_program() -> None:
    other_blanks = ("xx023", "xx040")  # kept as characters there
    for column, word_order, beta in (("c6+w2-F2", 2, 2), ("c6+w0-F2", 0, 2), ("c6+w2-F1", 2, 1)):
        metric = Chrf(word_order=word_order, beta=beta, eps_smoothing=True)
        assert oracles.difference(metric, "chrf-original", column, without=other_blanks) < 1e-9
