"""TER is sacreBLEU's, count by count."""

import random
from typing import Any, ClassVar

import pytest
from sacrebleu.metrics.lib_ter import translation_edit_rate
from sacrebleu.metrics.ter import TER

from metrics.automatic.ter import Ter, translation_edits
from tests.metrics.automatic import oracles
from tests.metrics.automatic.contract import MetricContract
from tests.metrics.automatic.mixed_scripts import mixed_pairs

SETTINGS: dict[str, dict[str, bool]] = {
    "default": {},
    "cs": {"case_sensitive": True},
    "norm": {"normalized": True},
    "norm.asian": {"normalized": True, "asian_support": True},
    "nopunct": {"no_punct": True},
    "norm.nopunct.asian": {"normalized": True, "no_punct": True, "asian_support": True},
}


class TestTer(MetricContract):
    name = "ter"
    other_options: ClassVar[dict[str, Any]] = dict.fromkeys(
        ("normalized", "no_punct", "asian_support", "case_sensitive"), True
    )


def test_the_textbooks_example_takes_four_edits_of_thirteen_words() -> None:
    result = Ter().score(
        ["this week the saudis denied information published in the new york times"],
        ["saudi arabia denied this week information published in the american new york times"],
    )
    assert result.parts == {"edits": 4, "reference_words": 13}
    assert result.value == pytest.approx(100 * 4 / 13)


@pytest.mark.parametrize("references", [1, 3])
def test_counts_and_scores_are_those_of_sacrebleu(references: int) -> None:
    hypotheses, lists = mixed_pairs(2_000 if references == 1 else 150, seed=11, references=references)
    theirs = TER()
    streams = [list(stream) for stream in zip(*lists, strict=True)]
    ours = Ter().score(hypotheses, lists)
    assert Ter().statistics(hypotheses, lists).tolist() == theirs._extract_corpus_statistics(hypotheses, streams)
    assert ours.value == theirs.corpus_score(hypotheses, streams).score
    assert ours.signature == str(theirs.get_signature())
    for at in range(0, len(hypotheses), 50):
        assert ours.segments[at] == theirs.sentence_score(hypotheses[at], lists[at]).score


@pytest.mark.parametrize("words", [3, 8])
@pytest.mark.parametrize(("short", "long"), [(30, 30), (6, 90), (90, 6)])
def test_edits_of_texts_that_repeat_words_or_differ_much_in_length(words: int, short: int, long: int) -> None:
    rng = random.Random(words + short)
    for _ in range(10):
        ours, theirs = (rng.choices("abcdefgh"[:words], k=rng.randint(length // 3, length)) for length in (short, long))
        assert translation_edits(ours, theirs) == translation_edit_rate(ours, theirs)[0]


def test_more_shifts_than_are_tried_are_not_made() -> None:
    words = [str(number % 7) for number in range(60)]
    assert translation_edits(words, words[::-1]) == translation_edit_rate(words, words[::-1])[0]


@pytest.mark.real_data
@pytest.mark.parametrize(("setting", "suffix"), [*((name, "") for name in SETTINGS), ("default", ".two-references")])
def test_the_oracles_values(setting: str, suffix: str) -> None:
    metric = Ter(**SETTINGS[setting])
    scores, counts = (read(f"sacrebleu-ter{suffix}", setting) for read in (oracles.values, oracles.statistics))
    pairs = [oracles.pairs()[key] for key in scores]
    references = [list(pair.references if suffix else pair.references[:1]) for pair in pairs]
    counted = metric.statistics([pair.hypothesis for pair in pairs], references)
    assert counted.tolist() == [counts[pair.id] for pair in pairs]
    assert metric.segment_values(counted).tolist() == pytest.approx(list(scores.values()), abs=1e-9)
    level = "sentence, two references" if suffix else "sentence"
    assert metric.signature(2 if suffix else 1) == oracles.signatures("sacrebleu-ter")[level, setting]


@pytest.mark.real_data
@pytest.mark.parametrize("setting", ["default", "cs", "norm", "nopunct"])
def test_counts_are_those_of_tercom_but_for_its_blanks(setting: str) -> None:
    """It splits at ASCII blanks alone, and without punctuation counts an empty word at the beginning."""
    expected = {"xx023", "xx040"} | ({"de0335", "de0375", "en052"} if setting == "nopunct" else set())
    counts, metric = oracles.statistics("ter-tercom", setting), Ter(**SETTINGS[setting])
    pairs = [oracles.pairs()[key] for key in counts]
    counted = metric.statistics([pair.hypothesis for pair in pairs], [pair.reference for pair in pairs])
    differing = {pair.id for pair, row in zip(pairs, counted.tolist(), strict=True) if row != counts[pair.id]}
    assert (len(counts), differing) == (200, expected)
