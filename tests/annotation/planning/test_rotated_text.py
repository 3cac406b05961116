"""Rotated text: all of the drawn places change, nothing that must stay moves."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.planning.rotated_text import movable_tokens, rotate, tokens_moved

ELEVEN = "one two three four five six seven eight nine ten eleven"


def moved(text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in movable_tokens(text, language)]


def test_five_words_change_and_each_gets_the_next_ones() -> None:
    for seed in range(50):
        words = (rotate(ELEVEN, Random(seed), language="en") or "").split()
        before = ELEVEN.split()
        places = [place for place, word in enumerate(words) if word != before[place]]
        assert len(places) == 5
        assert [words[place] for place in places] == [before[place] for place in (*places[1:], places[0])]


@pytest.mark.parametrize("language", ["ja", "zh", "zh-Hant-TW", "th"])
def test_ten_characters_change_where_words_are_not_spaced(language: str) -> None:
    text = "いろはにほへとちりぬるをわかよたれそつねならむ"
    rotated = rotate(text, Random(1), language=language) or ""
    assert tokens_moved(language) == 10
    assert sum(one != other for one, other in zip(text, rotated, strict=True)) == 10


@pytest.mark.parametrize("words", [0, 1, 9, 10])
def test_ten_words_or_fewer_are_too_few(words: int) -> None:
    assert rotate(" ".join(ELEVEN.split()[:words]), Random(1), language="en") is None


def test_twenty_characters_are_too_few_in_japanese() -> None:
    assert rotate("いろはにほへとちりぬるをわかよたれそつね"[:20], Random(1), language="ja") is None


def test_a_text_of_one_word_again_and_again_cannot_be_rotated() -> None:
    assert rotate("na " * 30, Random(1), language="en") is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("see https://example.org/a b", ["see", "b"]),
        ("ask @assay_mt or (@other) now", ["ask", "or", "now"]),
        ("to a.b@example.org today", ["to", "today"]),
        ("<p>Good day</p><br/>all", ["Good", "day", "all"]),
        ("one {} two [{ three {a}", ["one", "two", "three", "{a}"]),
        ("```json\na word\n```\nlast", ["a", "word", "last"]),
        ("2 < 3 and 4 > 1", ["2", "<", "3", "and", "4", ">", "1"]),
    ],
)
def test_what_must_stay_is_not_movable(text: str, words: list[str]) -> None:
    assert moved(text) == words


def test_in_japanese_addresses_markup_and_brackets_stay() -> None:
    assert moved("<p>見て{https://example.org/x}。</p>@neko猫", "ja") == ["見", "て", "。", "猫"]


@given(
    st.lists(st.sampled_from(["a", "b", "cc", "d", "e.", "{}", "<p>", "@you", "\n"]), max_size=60), st.integers(0, 99)
)
def test_white_space_and_all_words_are_still_there(words: list[str], seed: int) -> None:
    text = " ".join(words)
    rotated = rotate(text, Random(seed), language="de")
    if rotated is None:
        return
    assert Counter(rotated.split()) == Counter(text.split())
    assert [each for each in rotated if each.isspace()] == [each for each in text if each.isspace()]
    changed = sum(one != other for one, other in zip(text.split(), rotated.split(), strict=True))
    assert changed == 5
