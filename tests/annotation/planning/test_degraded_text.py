"""Degraded text: how much is replaced, where, and by what."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotation.planning.degraded_text import degrade, words_to_replace
from annotation.planning.text_units import character_ranges, word_ranges

often = settings(deadline=None)  # a busy machine is no failure

FAMILY = "👩‍👩‍👧"

words = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=6).filter(lambda word: word == word.strip())
sentences = st.lists(words, min_size=1, max_size=40).map(" ".join)
signs = st.sampled_from(["今", "天", "好", "か\u3099", "คำ", "ខ្មែ", FAMILY, "🇩🇪", "👍🏽", "မြ", " "])
lines = st.lists(signs, min_size=1, max_size=40).map("".join)
seeds = st.integers(0, 1000).map(Random)


def pieces(text: str, language: str) -> list[str]:
    ranges = word_ranges(text) if language == "en" else character_ranges(text)
    return [text[start:end] for start, end in ranges]


def without_common_edges(one: list[str], other: list[str]) -> tuple[int, int]:
    """How many pieces come before the first and after the last difference."""
    length = min(len(one), len(other))
    before = next((place for place in range(length) if one[place] != other[place]), length)
    after = next((place for place in range(length) if one[-1 - place] != other[-1 - place]), length)
    return before, after


@pytest.mark.parametrize(
    ("length", "replaced"),
    [(1, 1), (2, 2), (5, 2), (6, 3), (8, 3), (9, 4), (15, 4), (16, 5), (20, 5), (21, 5), (24, 6), (40, 10), (103, 25)],
)
def test_the_table_of_the_findings(length: int, replaced: int) -> None:
    assert words_to_replace(length) == replaced


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 6, 9, 16, 21, 30])
def test_as_many_words_are_replaced_as_the_table_says(length: int) -> None:
    text = [f"a{place}" for place in range(length)]
    donors = [" ".join(f"b{place}" for place in range(60))]
    for seed in range(20):
        damaged = degrade(" ".join(text), donors, Random(seed), language="en")
        assert damaged is not None
        changed = [place for place, word in enumerate(damaged.split(" ")) if word != text[place]]
        assert len(changed) == words_to_replace(length)
        assert changed == list(range(changed[0], changed[0] + len(changed)))
        if length >= 4:
            assert changed[0] > 0
            assert changed[-1] < length - 1


@often
@given(sentences, st.lists(sentences, max_size=5), seeds)
def test_damaged_words_are_a_run_in_the_middle_and_come_from_the_donors(
    text: str, donors: list[str], rng: Random
) -> None:
    damaged = degrade(text, donors, rng, language="en")
    assume(damaged is not None)
    assert damaged is not None
    one, other = pieces(text, "en"), pieces(damaged, "en")
    assert damaged != text
    assert len(one) == len(other)
    before, after = without_common_edges(one, other)
    assert len(one) - before - after <= words_to_replace(len(one))
    assert len(one) < 4 or min(before, after) >= 1
    assert set(other[before : len(other) - after]) <= {word for donor in donors for word in pieces(donor, "en")}


@often
@given(lines, st.lists(lines, max_size=5), seeds, st.sampled_from(["zh", "ja", "th", "km", "lo", "my"]))
def test_damaged_characters_are_never_cut_nor_joined(text: str, donors: list[str], rng: Random, language: str) -> None:
    damaged = degrade(text, donors, rng, language=language)
    assume(damaged is not None)
    assert damaged is not None
    one, other = pieces(text, language), pieces(damaged, language)
    assert one != other
    assert len(one) == len(other)
    known = set(one) | {sign for donor in donors for sign in pieces(donor, language)}
    assert set(other) <= known
    before, after = without_common_edges(one, other)
    assert len(one) - before - after <= words_to_replace(len(one))


@often
@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=4), seeds, st.sampled_from(["en", "zh", "ko"]))
def test_any_text_is_changed_or_refused(text: str, donors: list[str], rng: Random, language: str) -> None:
    damaged = degrade(text, donors, rng, language=language)
    assert damaged is None or damaged != text


@often
@given(sentences, sentences, seeds)
def test_a_donor_with_other_words_is_always_enough(text: str, donor: str, rng: Random) -> None:
    other = " ".join(f"x{place}{word}" for place, word in enumerate(donor.split(" ")))
    assume(not set(text.split(" ")) & set(other.split(" ")))
    assert degrade(text, [other], rng, language="en") is not None


def test_space_around_and_between_stays_as_it_was() -> None:
    damaged = degrade("  one two\nthree four  five ", ["six seven eight nine"], Random(2), language="en")
    assert damaged is not None
    assert damaged.startswith("  one ")
    assert damaged.endswith("  five ")


def test_the_phrase_comes_from_inside_a_donor_that_is_long_enough() -> None:
    donor = "First second third last"
    for seed in range(20):
        damaged = degrade("a b c d", [donor], Random(seed), language="en")
        assert damaged == "a second third d"


def test_of_several_phrases_the_one_with_least_in_common_is_taken() -> None:
    donors = ["x the green Boat y", "x slow brown rivers y"]
    for seed in range(20):
        damaged = degrade("See the green, boat here now", donors, Random(seed), language="en")
        assert damaged is not None
        assert "green Boat" not in damaged


def test_another_case_or_comma_is_no_damage() -> None:
    assert degrade("one two", ["One, TWO."], Random(1), language="en") is None


def test_a_phrase_that_is_the_same_here_is_tried_elsewhere() -> None:
    for seed in range(10):
        assert degrade("a a a a a b a", ["a a a"], Random(seed), language="en") in ("a a a a a a a",)


def test_short_donors_are_run_together() -> None:
    damaged = degrade(" ".join("abcdefghijklmnopqrstuvwxyz"), ["1 2", "3", "4 5 6"], Random(4), language="en")
    assert damaged is not None
    assert sum(word.isdigit() for word in damaged.split()) == 6


@pytest.mark.parametrize("text", ["", "  ", "\u3000\n"])
def test_an_empty_text_cannot_be_damaged(text: str) -> None:
    assert degrade(text, ["something else"], Random(1), language="en") is None
    assert degrade(text, ["别的"], Random(1), language="zh") is None


@pytest.mark.parametrize("donors", [[], [""], ["the text itself"], ["  ", "the text itself"]])
def test_without_a_usable_donor_there_is_no_damage(donors: list[str]) -> None:
    assert degrade("the text itself", donors, Random(1), language="en") is None


def test_a_flag_is_not_made_of_two_halves() -> None:
    half = "\U0001f1e9"
    assert degrade(f"{half}好好{half}", [f"{half}天"], Random(1), language="zh") is None
    assert degrade(f"{half}好好{half}", [f"{half}天地"], Random(1), language="zh") == f"{half}天地{half}"


def test_chinese_is_damaged_by_characters() -> None:
    damaged = degrade("今天天气很好我们去公园", ["市场价格大幅上涨"], Random(1), language="zh-Hans")
    assert damaged is not None
    assert len(damaged) == 11
    assert sum(sign in "市场价格大幅上涨" for sign in damaged) == 4
    assert (damaged[0], damaged[-1]) == ("今", "园")


def test_the_same_seed_damages_alike() -> None:
    donors = ["one two three four five six", "seven eight nine ten eleven"]
    texts = [degrade("a b c d e f g h", donors, Random(5), language="en") for _ in range(2)]
    assert texts[0] == texts[1]


def test_many_donors_cost_no_more_than_few() -> None:
    class Counted(Sequence[str]):
        draws = 0

        def __len__(self) -> int:
            return 10_000

        def __getitem__(self, place: object) -> Any:
            self.draws += 1
            return "one two three four five six"

    donors = Counted()
    assert degrade("a b c d e f", donors, Random(1), language="en") is not None
    assert donors.draws < 100
