"""The answers that are given on two pages, and the table of what they took."""

from benchmarks._marking.counted import Effort
from benchmarks._marking.same_answers import ANSWERS
from benchmarks._marking.side_by_side import OURS, THEIRS, has_fewer, table


def test_marks_cover_whole_words_without_the_stops_after_them() -> None:
    marked = [each.text[start:end] for each in ANSWERS for start, end, _severity in each.spans]
    assert "Fähre" in marked
    assert "Zimmer" in marked
    assert all(text == text.strip(" ,.") for text in marked)


def test_as_many_clicks_as_elsewhere_are_not_fewer() -> None:
    theirs = Effort(clicks=30, travel=8000), Effort(clicks=24)
    fewer = {OURS: (Effort(clicks=20, keys=8, travel=9000.4), Effort(clicks=16)), THEIRS: theirs}
    assert "| Assay, mouse | 28 | 2.0 | 20 | 8 | 9,000 | 0 |" in table(fewer)
    assert has_fewer(fewer)
    assert not has_fewer({OURS: (Effort(clicks=29), Effort(keys=24)), THEIRS: theirs})
