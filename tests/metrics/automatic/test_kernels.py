"""Compiled code counts what the plain form of a metric counts, which is the definition, to the last count."""

import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.automatic import METRICS
from metrics.automatic.base import Metric
from metrics.automatic.compiled.distances import edit_distances
from metrics.automatic.compiled.flat import WORTH_COMPILED_CODE, Numbers
from metrics.automatic.compiled.splitting import words_at_blanks
from metrics.automatic.meteor import Meteor
from metrics.automatic.sequences import edit_distance
from tests.metrics.automatic.mixed_scripts import mixed_pairs

WITH_KERNEL = [name for name in METRICS if METRICS[name].has_kernel]
SQUARE = ("eed", "character", "beer", "yisi_0", "meteor")  # time grows with the square of the characters
LENGTHS = (0, 1, 5, 63, 64, 65, 127, 128, 129, 200)  # words; blocks have 64
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "bleu": [{"lowercase": True}, {"tokenize": "char", "max_ngram_order": 6}, {"max_ngram_order": 1}],
    "chrf": [{"lowercase": True, "whitespace": True}, {"char_order": 2, "word_order": 2}, {"eps_smoothing": True}],
    "chrf++": [{"word_order": 3, "beta": 3}, {"lowercase": True}],
    "ter": [{"normalized": True, "asian_support": True}, {"no_punct": True}, {"case_sensitive": True}],
    "hter": [{"normalized": True}],
    "eed": [{"alpha": 0.5, "rho": 0.1}, {"deletion": 0.5, "insertion": 0.7}, {"preparation": "ja"}],
    "character": [],
    "beer": [],
    "meteor": [{"variant": "1.5"}, {"variant": "1.5-de", "stemmer": "german"}, {"stemmer": "none"}],
    "rouge_1": [],
    "rouge_2": [],
    "rouge_l": [],
    "wer": [{"lowercase": True}],
    "yisi_0": [{"weights": "uniform"}, {"ngram_size": 1, "alpha": 0.5}],
}


def assert_alike(metric: Metric, hypotheses: list[str], lists: list[list[str]]) -> None:
    plain = metric.counted_plainly(hypotheses, lists)
    np.testing.assert_array_equal(metric.counted_by_kernel(hypotheses, lists), plain)


@st.composite
def invented_pairs(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    """A few segments of any characters but surrogates, each with one to three references that share some of them."""
    text = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("ab "), max_size=40)
    hypotheses = draw(st.lists(text, min_size=1, max_size=4))
    others = st.lists(text | st.sampled_from(hypotheses), min_size=1, max_size=3)
    return hypotheses, [draw(others) for _ in hypotheses]


@pytest.mark.drawn(5)
@pytest.mark.parametrize("name", WITH_KERNEL)
@pytest.mark.parametrize("references", [1, 3])
def test_texts_of_several_scripts_with_one_or_more_references(name: str, references: int) -> None:
    hypotheses, lists = mixed_pairs(300, seed=21, references=references)
    assert_alike(METRICS[name](), hypotheses, lists)
    assert_alike(METRICS[name](), hypotheses, [texts[: 1 + at % references] for at, texts in enumerate(lists)])


@pytest.mark.drawn(2)
@pytest.mark.parametrize("name", WITH_KERNEL)
@settings(max_examples=15)
@given(invented_pairs())
def test_any_characters(name: str, pairs: tuple[list[str], list[list[str]]]) -> None:
    assert_alike(METRICS[name](), *pairs)


@pytest.mark.parametrize("name", WITH_KERNEL)
def test_other_options(name: str) -> None:
    hypotheses, lists = mixed_pairs(60, seed=22, references=2)
    for options in OPTIONS[name]:
        assert_alike(METRICS[name](**options), hypotheses, lists)


@pytest.mark.parametrize("name", WITH_KERNEL)
@pytest.mark.parametrize(
    ("hypothesis", "reference"), [("", ""), ("", "a"), ("a", ""), ("\ud800 a", "a \ud800"), (" ", "　")]
)
def test_empty_texts_and_halves_of_surrogate_pairs(name: str, hypothesis: str, reference: str) -> None:
    assert_alike(METRICS[name](), [hypothesis], [[reference, reference]])


@pytest.mark.parametrize("name", WITH_KERNEL)
def test_long_segments(name: str) -> None:
    count = 150 if name in SQUARE else 3_000
    words = [f"{at % (count // 2 + 1)}w" for at in range(count)]
    changed = [*words[: count // 4], "other", *words[count // 4 + 1 : -100], *words[-97:], *words[-100:-97]]
    assert_alike(METRICS[name](), [" ".join(changed), "a " * 60], [[" ".join(words)], ["a b " * 30]])


@pytest.mark.parametrize("name", WITH_KERNEL)
def test_ten_thousand_words_take_little_memory(name: str) -> None:
    text = " ".join(f"{at}w" for at in range(1_000 if name in SQUARE else 10_000))
    (row,) = METRICS[name]().counted_by_kernel([text.replace("77w", "x", 1)], [[text]])
    assert np.isfinite(row).all()


@pytest.mark.parametrize("name", WITH_KERNEL)
def test_much_is_counted_by_the_kernel_and_little_is_not(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []
    monkeypatch.setattr(METRICS[name], "counted_by_kernel", lambda _self, texts, _lists: counted.append(texts))
    METRICS[name]().counted(["a" * (WORTH_COMPILED_CODE - 1)], [["a"]])
    assert counted == []
    METRICS[name]().counted(["a" * WORTH_COMPILED_CODE], [["a"]])
    assert len(counted) == 1


def assert_split_alike(*sides: list[str]) -> None:
    """Words between blanks are those of Python, numbered as they appear."""
    words, numbers = words_at_blanks(*sides), Numbers()
    for flat, side in zip(words.sides, sides, strict=True):
        expected = numbers.flat([text.split() for text in side])
        np.testing.assert_array_equal(flat.codes, expected.codes)
        np.testing.assert_array_equal(flat.starts, expected.starts)
    assert words.written() == list(numbers.known)


@settings(max_examples=40)
@given(st.lists(st.lists(st.text(st.characters() | st.sampled_from("ab \u3000\n")))))
def test_texts_are_split_into_the_words_that_python_splits_them_into(sides: list[list[str]]) -> None:
    assert_split_alike(*sides)


def test_every_character_is_a_blank_or_not_as_in_python() -> None:
    assert_split_alike([f"a{chr(code)}b" for code in range(sys.maxunicode + 1)])


def test_odd_texts_are_split_as_by_python() -> None:
    assert_split_alike([], ["", " \t\u2003", "a a", "aa"], ["\0a", "a\0", "\ud800 \udfff"], ["w" * 10_000, "w" * 9_999])
    assert_split_alike([" ".join(f"{at}w" for at in range(20_000)) + " 7w" * 20_000])


def test_edit_distances_of_long_and_short_texts() -> None:
    rng = random.Random(5)
    texts, others = ([rng.choices("abcde", k=rng.choice(LENGTHS)) for _ in range(200)] for _side in range(2))
    numbers = Numbers()
    edits = edit_distances(numbers.flat(texts), numbers.flat(others), np.arange(201))
    assert edits.tolist() == [edit_distance(text, other) for text, other in zip(texts, others, strict=True)]


@pytest.mark.parametrize("variant", ["2005", "1.5"])
def test_words_repeated_more_often_than_the_beam_is_wide_are_aligned_alike(variant: str) -> None:
    rng = random.Random(9)
    texts, others = (
        [
            " ".join(rng.choices(("a", "b", "cats", "cat", "dogs"), (6, 3, 1, 1, 1), k=rng.randint(8, 24)))
            for _ in range(12)
        ]
        for _side in range(2)
    )
    assert_alike(Meteor(variant=variant), texts, [[other] for other in others])


def test_little_does_not_load_the_compiler() -> None:
    program = (
        "import sys; from metrics.automatic import METRICS\n"
        "for name in METRICS: METRICS[name]() if METRICS[name].has_kernel else None\n"
        "METRICS['ter']().score(['a b'], ['b a']); sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
