"""Words, and characters as readers see them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.planning.text_units import character_ranges, has_spaced_words, word_ranges

often = settings(deadline=None)  # a busy machine is no failure

FAMILY = "👩‍👩‍👧"


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in word_ranges(text)]


def characters(text: str) -> list[str]:
    return [text[start:end] for start, end in character_ranges(text)]


@pytest.mark.parametrize("language", ["zh", "zh-Hant-TW", "ja", "th_TH", "km", "lo", "MY", "yue"])
def test_languages_written_without_spaces(language: str) -> None:
    assert not has_spaced_words(language)


@pytest.mark.parametrize("language", ["en", "de-AT", "ko", "vi", "ar", "hi", "zh-Latn-pinyin", "ja-Latn", ""])
def test_languages_written_with_spaces(language: str) -> None:
    assert has_spaced_words(language)


def test_words_are_separated_by_spaces_of_any_kind() -> None:
    assert words("  one,\u00a0two\n three\u3000four ") == ["one,", "two", "three", "four"]


def test_a_space_that_carries_a_mark_is_no_gap() -> None:
    assert words("a \u0301b c") == ["a \u0301b", "c"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("今天 好。", ["今", "天", "好", "。"]),
        ("か\u3099く", ["か\u3099", "く"]),
        ("นี้คำ", ["นี้", "คำ"]),
        ("ខ្មែរ", ["ខ្មែ", "រ"]),
        ("မြန်မာ", ["မြ", "န်", "မာ"]),
        (f"好{FAMILY}好", ["好", FAMILY, "好"]),
        ("👍🏽❤️", ["👍🏽", "❤️"]),
        ("🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]),
        ("🏴\U000e0067\U000e0062\U000e007f好", ["🏴\U000e0067\U000e0062\U000e007f", "好"]),
        ("\u1112\u1161\u11ab字", ["\u1112\u1161\u11ab", "字"]),
        ("ក\u200bខ", ["ក", "ខ"]),
        ("", []),
        (" \u3000\n", []),
    ],
)
def test_characters_are_never_taken_apart(text: str, expected: list[str]) -> None:
    assert characters(text) == expected


@often
@given(st.text())
def test_units_are_in_order_without_overlap_and_nothing_but_space_is_left_out(text: str) -> None:
    for ranges in (word_ranges(text), character_ranges(text)):
        ends = [0, *(end for _, end in ranges)]
        starts = [*(start for start, _ in ranges), len(text)]
        assert all(end <= start for end, start in zip(ends, starts, strict=True))
        assert all(start < end for start, end in ranges)
        left_out = "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
        assert not left_out.replace("\u200b", "").strip()
