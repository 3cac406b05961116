"""Paragraphs of a translation brought to the number of its source's: nothing is lost, and the lengths fit best."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exchange.formats.paragraph_alignment import (
    AS_IS,
    MERGED,
    SPLIT,
    TooManyParagraphsError,
    align,
    cheapest_ends,
    sentences,
    visible_length,
)

TEXT = st.text(alphabet='ab1 .!?\n。」"é', min_size=1, max_size=30)
LENGTHS = st.lists(st.integers(0, 20), min_size=1, max_size=7)


def cost(lengths: Sequence[int], targets: Sequence[int], ends: Sequence[int]) -> int:
    """The sum of |length × ratio − target|, times the whole length so that it is a whole number."""
    whole, wanted = sum(lengths), sum(targets)
    starts = [0, *ends[:-1]]
    runs = [sum(lengths[start:end]) for start, end in zip(starts, ends, strict=True)]
    return sum(abs(run * wanted - target * whole) for run, target in zip(runs, targets, strict=True))


def every_grouping(count: int, groups: int, cuts: set[int]) -> Iterator[list[int]]:
    """By trying all: the ends of runs of one piece or more, none over a cut."""
    for inner in combinations(range(1, count), groups - 1):
        if cuts - {count} <= set(inner):
            yield [*inner, count]


@given(LENGTHS, LENGTHS)
def test_no_other_way_to_merge_costs_less(lengths: list[int], targets: list[int]) -> None:
    if len(lengths) < len(targets):
        lengths, targets = targets, lengths
    ends = cheapest_ends(lengths, targets, set())
    assert ends[-1] == len(lengths)
    assert all(start < end for start, end in zip([0, *ends], ends, strict=False))
    least = min(cost(lengths, targets, other) for other in every_grouping(len(lengths), len(targets), set()))
    assert cost(lengths, targets, ends) == least


@given(LENGTHS, st.sets(st.integers(1, 6)), st.data())
def test_no_other_way_to_split_within_paragraphs_costs_less(
    lengths: list[int], cuts: set[int], data: st.DataObject
) -> None:
    cuts = {cut for cut in cuts if cut < len(lengths)} | {len(lengths)}
    targets = data.draw(st.lists(st.integers(0, 20), min_size=len(cuts), max_size=len(lengths)))
    ends = cheapest_ends(lengths, targets, cuts)
    assert cuts <= set(ends)
    least = min(cost(lengths, targets, other) for other in every_grouping(len(lengths), len(targets), cuts))
    assert cost(lengths, targets, ends) == least


@given(LENGTHS, LENGTHS)
def test_with_too_few_pieces_the_least_costly_segments_stay_empty(lengths: list[int], targets: list[int]) -> None:
    targets = targets + [5] * (len(lengths) + 1 - len(targets))
    ends = cheapest_ends(lengths, targets, set(range(len(lengths) + 1)))
    sizes = [end - start for start, end in zip([0, *ends], ends, strict=False)]
    assert set(sizes) <= {0, 1}
    assert sum(sizes) == len(lengths)
    others = []
    for filled in combinations(range(len(targets)), len(lengths)):
        taken = 0
        others.append([taken := taken + (place in filled) for place in range(len(targets))])
    assert cost(lengths, targets, ends) == min(cost(lengths, targets, other) for other in others)


@given(st.lists(TEXT, min_size=1, max_size=8), st.lists(TEXT, min_size=1, max_size=8), st.booleans())
def test_the_parts_joined_are_the_translation(blocks: list[str], sources: list[str], has_sentences: bool) -> None:
    aligned = align(blocks, sources, has_sentences=has_sentences)
    assert "".join(aligned.parts) == "".join(blocks)
    assert len(aligned.parts) == len(sources)
    ways = {len(blocks) == len(sources): AS_IS, len(blocks) > len(sources): MERGED, len(blocks) < len(sources): SPLIT}
    assert aligned.how == ways[True]


@given(TEXT)
def test_sentences_joined_are_the_text(text: str) -> None:
    assert "".join(sentences(text)) == text
    assert all(sentences(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Eins. Zwei!  Drei? 4", ["Eins. ", "Zwei!  ", "Drei? ", "4"]),
        ("„Eins.“ Zwei", ["„Eins.“ ", "Zwei"]),
        ("「行く。」と言った。終わり。", ["「行く。」", "と言った。", "終わり。"]),
        ("Eins\nZwei", ["Eins\n", "Zwei"]),
        ("3.5 Meter … und 2. Mai", ["3.5 Meter … ", "und 2. ", "Mai"]),
        ("<p>Eins. </p>\n", ["<p>Eins. </p>\n"]),
        ("... !!! Eins.", ["... !!! Eins."]),
    ],
)
def test_a_text_is_split_at_the_ends_of_its_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_equal_numbers_of_paragraphs_are_left_alone() -> None:
    assert align(["a", "b. c"], ["aaaa", "b"]).parts == ("a", "b. c")


def test_more_paragraphs_are_merged_where_the_lengths_fit() -> None:
    blocks = ["<p>one two</p>\n", "<p>three</p>\n", "<p>four five six</p>"]
    assert align(blocks, ["one two three", "four five six"]).parts == ("<p>one two</p>\n<p>three</p>\n", blocks[2])
    assert align(blocks, ["one two", "three four five six"]).parts == (blocks[0], "<p>three</p>\n<p>four five six</p>")


def test_fewer_paragraphs_are_split_within_a_paragraph() -> None:
    aligned = align(["Kurz.\n", "Ein Satz. Noch ein Satz."], ["Short.", "One sentence.", "Another sentence."])
    assert aligned.parts == ("Kurz.\n", "Ein Satz. ", "Noch ein Satz.")


def test_what_cannot_be_split_leaves_a_segment_empty() -> None:
    assert align(["Ein langes Stück ohne Ende"], ["x", "a long piece without an end"]).parts == (
        "",
        "Ein langes Stück ohne Ende",
    )


def test_markup_and_outer_blanks_have_no_length() -> None:
    assert visible_length("<p> abc </p>\n") == 3


def test_texts_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(TooManyParagraphsError):
        align(["a"] * 2_000, ["b"] * 1_999)


@pytest.mark.parametrize("pattern", [".", " ", '"', "\n", ". ", "。", '." '])
def test_a_long_run_of_marks_takes_no_long_time(pattern: str) -> None:
    text = pattern * 300_000
    assert sentences(text) == [text]
