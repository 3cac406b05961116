"""BLEU is sacreBLEU's, count by count."""

import math
from typing import Any, ClassVar

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from metrics.automatic.bleu import Bleu
from tests.metrics.automatic import oracles
from tests.metrics.automatic.contract import MetricContract
from tests.metrics.automatic.mixed_scripts import mixed_pairs

NSA = (
    "Did France profit from information supplied by the NSA ?",
    "Has France benefited from information provided by the NSA ?",
)
SETTINGS: dict[str, dict[str, Any]] = {
    "13a": {},
    "intl": {"tokenize": "intl"},
    "zh": {"tokenize": "zh"},
    "char": {"tokenize": "char"},
    "none": {"tokenize": "none"},
    "13a.lc": {"lowercase": True},
    "13a.floor": {"smooth_method": "floor"},
    "13a.add-k": {"smooth_method": "add-k"},
    "13a.none": {"smooth_method": "none"},
    "13a.order2": {"max_ngram_order": 2},
}


class TestBleu(MetricContract):
    name = "bleu"
    other_options: ClassVar[dict[str, Any]] = {
        "tokenize": "char",
        "target_language": "zh",
        "lowercase": True,
        "smooth_method": "none",
        "smooth_value": 0.5,
        "max_ngram_order": 2,
        "effective_order": True,
    }

    def test_every_option_is_in_the_signature(self) -> None:
        """A value for smoothing says nothing where the method takes none."""
        assert Bleu(smooth_method="floor", smooth_value=0.5).signature(1) != Bleu(smooth_method="floor").signature(1)
        for option, value in self.other_options.items():
            if option != "smooth_value":
                assert Bleu(**{option: value}).signature(1) != Bleu().signature(1), option


def test_the_textbooks_example_has_its_counts() -> None:
    counted = Bleu().statistics([NSA[0]], [NSA[1]])
    assert counted.tolist() == [[10, 10, 7, 4, 2, 1, 10, 9, 8, 7]]
    result = Bleu().score([NSA[0]], [NSA[1]])
    assert result.value == pytest.approx(100 * math.exp(sum(map(math.log, (7 / 10, 4 / 9, 2 / 8, 1 / 7))) / 4))
    assert result.value == pytest.approx(32.47, abs=0.005)
    assert result.parts["precisions"] == pytest.approx([70, 400 / 9, 25, 100 / 7])
    assert (result.parts["brevity_penalty"], result.parts["ratio"]) == (1, 1)


@pytest.mark.parametrize("references", [1, 3])
def test_counts_and_scores_are_those_of_sacrebleu(references: int) -> None:
    hypotheses, lists = mixed_pairs(2_000 if references == 1 else 300, seed=12, references=references)
    theirs, alone = BLEU(), BLEU(effective_order=True)
    streams = [list(stream) for stream in zip(*lists, strict=True)]
    ours = Bleu().score(hypotheses, lists)
    assert Bleu().statistics(hypotheses, lists).tolist() == theirs._extract_corpus_statistics(hypotheses, streams)
    assert ours.value == theirs.corpus_score(hypotheses, streams).score
    assert ours.signature == str(theirs.get_signature())
    for at in range(0, len(hypotheses), 20):
        assert ours.segments[at] == alone.sentence_score(hypotheses[at], lists[at]).score
    assert ours.segment_signature == str(alone.get_signature())


@pytest.mark.parametrize(
    ("language", "tokenizer"), [("de", "13a"), ("zh-Hant", "zh"), ("ja", "char"), ("th_TH", "char"), ("", "13a")]
)
def test_the_tokenizer_follows_the_target_language(language: str, tokenizer: str) -> None:
    assert f"|tok:{tokenizer}|" in Bleu(target_language=language).signature(1)
    assert "|tok:none|" in Bleu(target_language=language, tokenize="none").signature(1)


def test_chinese_is_compared_by_characters() -> None:
    hypotheses, references = ["港口的雾很大。", "渡轮晚了"], ["港口雾大。", "渡轮晚点了"]
    ours = Bleu(target_language="zh").score(hypotheses, references)
    assert ours.value == BLEU(trg_lang="zh").corpus_score(hypotheses, [references]).score


def test_an_unknown_tokenizer_or_smoothing_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"no tokenizer 'moses'\. Known: none, 13a"):
        Bleu(tokenize="moses")
    with pytest.raises(ValueError, match=r"no smoothing 'kind'\. Known: none, floor"):
        Bleu(smooth_method="kind")


@pytest.mark.real_data
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("suffix", ["", ".two-references"])
def test_the_oracles_values(setting: str, suffix: str) -> None:
    metric, file = Bleu(**SETTINGS[setting]), f"sacrebleu-bleu{suffix}"
    counts = oracles.statistics(file, setting)
    pairs = [oracles.pairs()[key] for key in counts]
    references = [list(pair.references if suffix else pair.references[:1]) for pair in pairs]
    counted = metric.statistics([pair.hypothesis for pair in pairs], references)
    np.testing.assert_array_equal(counted, np.array(list(counts.values())))
    assert oracles.difference(metric, file, setting) < 1e-9
