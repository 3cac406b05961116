import pytest

from exchange.formats.wmt_mqm_tsv import moved_place, read_marks


@pytest.mark.parametrize(
    ("marked", "text", "start", "end", "is_regular"),
    [
        ("plain", "plain", None, None, True),
        ("a <v>bad</v> word", "a bad word", 2, 5, True),
        ("🙂🙂 <v>é</v>", "🙂🙂 é", 3, 4, True),
        ("<v>all</v>", "all", 0, 3, True),
        ("left<v></v> out", "left out", 4, 4, True),
        ("to the <v>end", "to the end", 7, 10, False),
        ("the start</v> of it", "the start of it", 0, 9, False),
        ("<v>one</v> and <v>two</v>", "one and two", 0, 11, False),
        ("</v>turned<v>", "turned", 6, 6, False),
    ],
)
def test_marks_are_taken_out_and_their_places_counted_in_code_points(
    marked: str, text: str, start: int | None, end: int | None, is_regular: bool
) -> None:
    assert read_marks(marked) == (text, start, end, is_regular)


@pytest.mark.parametrize(
    ("old", "new", "span", "moved"),
    [
        ("a bad word", "a bad word", (2, 5), (2, 5)),
        ("a  bad word", "a bad word", (3, 6), (2, 5)),
        ('"a" bad word', "“a” bad word", (4, 7), (4, 7)),
        ("a bad word", "my bad word", (2, 5), (3, 6)),
        ("a bed word", "a bad word", (2, 5), (2, 5)),
        ("a word more", "a word", (7, 11), (6, 6)),
    ],
)
def test_a_span_is_moved_into_a_text_written_a_little_differently(
    old: str, new: str, span: tuple[int, int], moved: tuple[int, int]
) -> None:
    start, end = span
    assert (moved_place(start, old, new, is_end=False), moved_place(end, old, new, is_end=True)) == moved
