"""BLEU is sacreBLEU's, count by count."""

import hashlib
import math
import re
import shutil
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
import sentencepiece
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.tokenizers import tokenizer_spm

from metrics.automatic import tokenizers
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


def train_pieces(path: Path, size: int) -> str:
    """A small model of SentencePiece, in the format of those that sacreBLEU downloads."""
    texts = [text for side in (*JAPANESE, *KOREAN, list(NSA)) for text in side]
    with path.open("wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(texts),
            model_writer=file,
            vocab_size=size,
            model_type="bpe",
            hard_vocab_limit=False,
            minloglevel=2,
        )
    return str(path)


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
        "model": "",
    }

    def test_every_option_is_in_the_signature(self, tmp_path: Path) -> None:  # type: ignore[override]
        """Without such a method a smoothing value changes nothing; without such a tokenizer, a model."""
        first, second = (train_pieces(tmp_path / name, size) for name, size in (("a.model", 160), ("b.model", 170)))
        signed = [Bleu(tokenize="flores200", model=model).signature(1) for model in (first, second)]
        assert all(re.search(r"\|tok:flores200-[0-9a-f]{8}\|", signature) for signature in signed)
        assert signed[0] != signed[1]
        assert Bleu(smooth_method="floor", smooth_value=0.5).signature(1) != Bleu(smooth_method="floor").signature(1)
        for option, value in self.other_options.items():
            if option not in ("smooth_value", "model"):
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
    ("language", "tokenizer"),
    [
        ("de", "13a"), ("zh-Hant", "zh"), ("ja", "ja-mecab-0.996-IPA"), ("ko-KR", "ko-mecab-0.996/ko-0.9.2-KO"),
        ("th_TH", "char"), ("", "13a"),
    ],
)  # fmt: skip
def test_the_tokenizer_follows_the_target_language(language: str, tokenizer: str) -> None:
    assert f"|tok:{tokenizer}|" in Bleu(target_language=language).signature(1)
    assert "|tok:none|" in Bleu(target_language=language, tokenize="none").signature(1)


def test_chinese_is_compared_by_characters() -> None:
    hypotheses, references = ["港口的雾很大。", "渡轮晚了"], ["港口雾大。", "渡轮晚点了"]
    ours = Bleu(target_language="zh").score(hypotheses, references)
    assert ours.value == BLEU(trg_lang="zh").corpus_score(hypotheses, [references]).score


JAPANESE = (
    ["霧が深くて港が見えない。", "渡し船は遅れています。", "図書館は九時に開きます。"],
    ["港は霧が深くて見えません。", "渡し船が遅れている。", "図書館は朝九時に開く。"],
)
KOREAN = (
    ["안개가 짙어서 항구가 보이지 않는다.", "나룻배가 늦어지고 있습니다.", "도서관은 아홉 시에 문을 엽니다."],
    ["항구는 안개가 짙어 보이지 않습니다.", "나룻배가 늦어지고 있다.", "도서관은 아침 아홉 시에 문을 연다."],
)


@pytest.mark.parametrize(("language", "texts", "score"), [("ja", JAPANESE, 22.63), ("ko", KOREAN, 47.96)])
def test_japanese_and_korean_are_scored_as_sacrebleu_scores_them(
    language: str, texts: tuple[list[str], list[str]], score: float
) -> None:
    """sacreBLEU chooses by the language as we do; rounded, what `sacrebleu -l en-ja` prints."""
    hypotheses, references = texts
    theirs, alone = BLEU(trg_lang=language), BLEU(trg_lang=language, effective_order=True)
    ours = Bleu(target_language=language).score(hypotheses, references)
    assert round(ours.value, 2) == score
    assert ours.value == theirs.corpus_score(hypotheses, [references]).score
    assert ours.signature == str(theirs.get_signature())
    counted = Bleu(target_language=language).statistics(hypotheses, references)
    assert counted.tolist() == theirs._extract_corpus_statistics(hypotheses, [references])
    for at, (hypothesis, reference) in enumerate(zip(hypotheses, references, strict=True)):
        assert ours.segments[at] == alone.sentence_score(hypothesis, [reference]).score
    assert ours.segment_signature == str(alone.get_signature())


@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
def test_texts_of_all_scripts_are_split_as_sacrebleu_splits_them(name: str) -> None:
    hypotheses, lists = mixed_pairs(300, seed=21, references=2)
    theirs = BLEU(tokenize=name)
    streams = [list(stream) for stream in zip(*lists, strict=True)]
    counted = Bleu(tokenize=name).statistics(hypotheses, lists)
    assert counted.tolist() == theirs._extract_corpus_statistics(hypotheses, streams)


@pytest.mark.parametrize(("name", "alias"), [("flores200", "flores200"), ("flores101", "spm")])
def test_pieces_of_words_are_those_sacrebleu_makes_with_the_same_model(
    name: str, alias: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """sacreBLEU downloads the model; here it finds ours where it would have put its own."""
    model = train_pieces(tmp_path / "own.model", 160)
    stored = tmp_path / "models" / Path(tokenizer_spm.SPM_MODELS[name]["url"]).name
    stored.parent.mkdir()
    shutil.copy(model, stored)
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    theirs = BLEU(tokenize=name)
    hypotheses, references = (JAPANESE[side] + KOREAN[side] + [NSA[side]] for side in (0, 1))
    ours = Bleu(tokenize=alias, model=model).score(hypotheses, references)
    assert 0 < ours.value == theirs.corpus_score(hypotheses, [references]).score
    of_file = hashlib.sha256(Path(model).read_bytes()).hexdigest()[:8]
    assert ours.signature == str(theirs.get_signature()).replace(f"tok:{name}|", f"tok:{name}-{of_file}|")


def test_without_the_packages_the_nearest_tokenizer_is_taken_and_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizers, "is_installed", lambda name: name not in ("ja-mecab", "ko-mecab", "flores200"))
    assert "|tok:char|" in Bleu(target_language="ja").signature(1)
    assert "|tok:13a|" in Bleu(target_language="ko").signature(1)
    with pytest.raises(ValueError, match=r"ja-mecab is not installed here: \./assay install tokenizers"):
        Bleu(tokenize="ja-mecab").signature(1)
    with pytest.raises(ValueError, match="flores200 is not installed here"):
        Bleu(tokenize="flores200", model="a").signature(1)


def test_a_model_has_to_be_named_there_and_one_of_sentencepiece(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"which Assay does not download: .* ASSAY_FLORES200_MODEL"):
        Bleu(tokenize="flores200").equipped({})
    with pytest.raises(ValueError, match=r"The model /nowhere cannot be read \(No such file"):
        Bleu().equipped({"tokenizer": "flores200", "flores200_model": "/nowhere"})
    wrong = tmp_path / "wrong.model"
    wrong.write_text("this is a text")
    with pytest.raises(ValueError, match=r"wrong\.model is not a model of SentencePiece"):
        Bleu().equipped({"tokenizer": "flores200", "flores200_model": str(wrong)})
    model = train_pieces(tmp_path / "own.model", 160)
    equipped = Bleu().equipped({"tokenizer": "spm", "flores101_model": model})
    assert "|tok:flores101-" in equipped.signature(1)


def test_counts_are_read_as_they_were_signed_whatever_is_installed_now(monkeypatch: pytest.MonkeyPatch) -> None:
    signed = Bleu(target_language="ja").signature(1)
    monkeypatch.setattr(tokenizers, "is_installed", tokenizers.is_plain)
    today = Bleu.for_language("ja")
    assert today.signature(1) != signed
    assert today.as_signed(signed).signature(1) == signed
    assert today.as_signed("nrefs:1|tok:of-tomorrow") == today
    with pytest.raises(ValueError, match="not installed"):
        today.as_signed(signed).score(["雨"], ["雨"])


def test_another_version_than_was_signed_is_not_counted_with() -> None:
    earlier = Bleu(tokenize="ja-mecab-0.900-IPA")
    assert "|tok:ja-mecab-0.900-IPA|" in earlier.signature(1)
    with pytest.raises(ValueError, match=r"ja-mecab-0\.900-IPA is not installed here, but ja-mecab-0\.996-IPA"):
        earlier.score(["雨"], ["雨"])


def test_an_unknown_tokenizer_or_smoothing_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"no tokenizer 'moses'\. Known: 13a, intl, .* ko-mecab, flores101, flores200"):
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
