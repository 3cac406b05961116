"""MMS: the largest matching, with a premium on words in a row."""

import random
from functools import cache
from typing import Any, ClassVar

import pytest

from metrics.automatic.mms import Mms, maximum_matching_size
from metrics.automatic.unigram_f import UnigramF
from tests.metrics.automatic.contract import HYPOTHESES, REFERENCES, MetricContract

# translation, reference, matching size with exponent 1, and squared with exponent 2; worked out by hand
BY_HAND = [
    ("the cat sat on the mat", "the cat sat on the mat", 6, 36),
    ("on the mat sat the cat", "the cat sat on the mat", 6, 14),
    ("the dog bit the man", "the man bit the dog", 5, 9),
    ("the the the the the the the", "the cat is on the mat", 2, 2),
    ("a b c d", "a x b c d e", 4, 10),
    ("a b c d e f g h", "b c d e f x a b c d y e f g h", 8, 32),
]


class TestMms(MetricContract):
    name = "mms"
    other_options: ClassVar[dict[str, Any]] = {"exponent": 1.0, "lowercase": True}


@pytest.mark.parametrize(("hypothesis", "reference", "plain", "squared"), BY_HAND)
def test_matchings_worked_out_by_hand(hypothesis: str, reference: str, plain: int, squared: int) -> None:
    words, others = hypothesis.split(), reference.split()
    assert maximum_matching_size(words, others, exponent=1) == plain
    assert maximum_matching_size(words, others, exponent=2) == pytest.approx(squared**0.5)
    result = Mms(exponent=2).score([hypothesis], [reference])
    assert result.value == pytest.approx(2 * squared**0.5 / (len(words) + len(others)))
    assert result.parts["precision"] == pytest.approx(squared**0.5 / len(words))


def test_with_exponent_one_it_is_the_f_of_single_words() -> None:
    segments = Mms(exponent=1).score(HYPOTHESES, REFERENCES).segments
    assert segments.tolist() == pytest.approx(UnigramF().score(HYPOTHESES, REFERENCES).segments.tolist())


def by_trying(words: tuple[str, ...], others: tuple[str, ...], exponent: float) -> float:
    """The largest of all matchings: each word of the translation with every equal word that is free, or with none."""

    @cache
    def largest(place: int, used: int, before: int, run: int) -> float:
        ended = run**exponent if run else 0.0
        if place == len(words):
            return ended
        best = ended + largest(place + 1, used, -1, 0)
        for target, other in enumerate(others):
            if other == words[place] and not used >> target & 1:
                follows = target == before + 1 and run > 0
                rest = largest(place + 1, used | 1 << target, target, run + 1 if follows else 1)
                best = max(best, rest if follows else ended + rest)
        return best

    return float(largest(0, 0, -1, 0) ** (1 / exponent))


def test_short_texts_get_the_largest_of_all_matchings() -> None:
    rng = random.Random(5)
    for _ in range(150):
        words, others = (tuple(rng.choices("abcd", k=rng.randint(1, 7))) for _side in range(2))
        assert maximum_matching_size(words, others, exponent=2) == pytest.approx(by_trying(words, others, 2))


def test_long_texts_end_in_time() -> None:
    words = ["a", "b"] * 150
    assert 0 < maximum_matching_size(words, words[::-1], exponent=2) <= 300


def test_an_exponent_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Mms(exponent=0.5)
