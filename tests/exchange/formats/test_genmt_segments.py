"""Documents of WMT's general task become segments, and nothing of them is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exchange.formats.genmt_segments import BLANK_LINES, JSON_VALUES, PARAGRAPHS, WHOLE, split_text, way_to_split

TEXT = st.lists(
    st.sampled_from(["<p>", "</p>", "\n", "\r\n", " ", "a1", '"', "\\", ":", ",", "{", "}", "```json", "\n\n", "ش"]),
    max_size=30,
).map("".join)


@given(TEXT, st.sampled_from([PARAGRAPHS, JSON_VALUES, BLANK_LINES, WHOLE]))
def test_the_segments_joined_are_the_text(text: str, way: str) -> None:
    assert "".join(split_text(text, way)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>a</p>\n<p>b</p>", ["<p>a</p>\n", "<p>b</p>"]),
        ("<p>a</p> \r\n\n  <p>b</p>\n", ["<p>a</p> \r\n\n", "  <p>b</p>\n"]),
        ("<p>a</p>\n---\n", ["<p>a</p>\n---\n"]),
        ("<p>a</p>\nand more", ["<p>a</p>\n", "and more"]),
        ("<p>a</p><p>😭</p>\n<p></p>", ["<p>a</p>", "<p>😭</p>\n", "<p></p>"]),
    ],
)
def test_a_paragraph_takes_the_newlines_behind_it(text: str, expected: list[str]) -> None:
    assert way_to_split(text) == PARAGRAPHS
    assert split_text(text, PARAGRAPHS) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('```json\n{\n  "a": "x",\n  "b": "y"\n}\n```', ['```json\n{\n  "a": "x",\n', '  "b": "y"\n}\n```']),
        (
            '```json\n{"a": 1, "b": "x\\", \\"y", "c": ["u", "v"]}```',
            ['```json\n{"a": 1, "b": "x\\", \\"y",', ' "c": ["u",', ' "v"]}```'],
        ),
        ('```json\n{"a": "x"}\n```\nThank you', ['```json\n{"a": "x"', "}\n```\nThank you"]),
        ('```json\n{"a" : "x", "b": "no end', ['```json\n{"a" : "x",', ' "b": "no end']),
    ],
)
def test_a_value_of_json_takes_its_key_and_its_comma(text: str, expected: list[str]) -> None:
    assert way_to_split(text) == JSON_VALUES
    assert split_text(text, JSON_VALUES) == expected


def test_a_translations_json_may_follow_a_sentence_with_quotes() -> None:
    assert split_text('The "file":\n```json\n{"a": "x", "b": "y"}', JSON_VALUES) == [
        'The "file":\n```json\n{"a": "x",',
        ' "b": "y"}',
    ]


def test_any_other_text_is_one_segment() -> None:
    text = "One line.\n\nAnother."
    assert way_to_split(text) == WHOLE
    assert split_text(text, WHOLE) == [text]


def test_blank_lines_divide_on_request() -> None:
    assert split_text("\n\na\nb\n \n\nc\n\n", BLANK_LINES) == ["\n\na\nb\n \n\n", "c\n\n"]


def test_an_empty_text_is_one_segment() -> None:
    assert [split_text("", way) for way in (PARAGRAPHS, JSON_VALUES, BLANK_LINES, WHOLE)] == [[""]] * 4
