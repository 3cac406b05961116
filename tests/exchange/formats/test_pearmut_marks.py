"""Marks in UTF-16 units with inclusive bounds, read by hand."""

from typing import Any

import pytest

from exchange.formats.pearmut_marks import read_marks

TAGS = ("missing", "instructions_fault")
TEXT = "Ja 🥐🥐 gut"  # units: J0 a1 _2 🥐3-4 🥐5-6 _7 g8 u9 t10; characters: 🥐3 🥐4 _5 g6


def mark(start: Any, end: Any, severity: Any = "minor") -> dict[str, Any]:
    return {"start_i": start, "end_i": end, "category": None, "severity": severity}


@pytest.mark.parametrize(
    ("start", "end", "read", "is_widened"),
    [
        (0, 1, (0, 2), False),
        (3, 4, (3, 4), False),
        (3, 6, (3, 5), False),
        (8, 10, (6, 9), False),
        (4, 5, (3, 5), True),
        (3, 3, (3, 4), True),
        (6, 7, (4, 6), True),
        (10, 10, (8, 9), False),
    ],
)
def test_bounds_become_whole_characters(start: int, end: int, read: tuple[int, int], *, is_widened: bool) -> None:
    marks = read_marks([mark(start, end, "MAJOR")], TEXT, TAGS)
    assert marks.spans == [{"side": "target", "start": read[0], "end": read[1], "severity": "major"}]
    assert dict(+marks.kept) == ({"spans_widened_to_whole_characters": 1} if is_widened else {})


def test_what_begins_after_the_text_is_a_tag_by_its_number() -> None:
    marks = read_marks([mark(11, 11), mark(12, 12, "major")], TEXT, TAGS)
    assert marks.tags == [{"tag": "missing", "severity": "minor"}, {"tag": "instructions_fault", "severity": "major"}]
    assert read_marks([mark(0, 0)], "", TAGS).tags == [{"tag": "missing", "severity": "minor"}]


@pytest.mark.parametrize(
    ("wrong", "case"),
    [
        (mark(13, 13), "spans_outside"),
        (mark(8, 11), "spans_outside"),
        (mark(-1, 2), "spans_outside"),
        (mark(None, 2), "spans_outside"),
        (mark(True, 2), "spans_outside"),
        (7, "spans_outside"),
        (mark(5, 4), "spans_reversed"),
        (mark(0, 1, None), "spans_without_severity"),
        (mark(0, 1, "huge"), "spans_without_severity"),
        (mark(11, 11, None), "spans_without_severity"),
    ],
)
def test_what_cannot_be_true_is_left_out_and_counted(wrong: object, case: str) -> None:
    marks = read_marks([wrong, mark(0, 1), mark(0, 1)], TEXT, TAGS)
    assert dict(marks.refused) == {case: 1}
    assert len(marks.spans) == 2
    assert not marks.tags


def test_no_marks_are_no_marks() -> None:
    assert read_marks(None, TEXT, TAGS).spans == []
