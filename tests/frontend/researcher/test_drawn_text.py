"""Errors drawn in a text: whole words, letters where words are not spaced, joined letters never apart."""

from typing import Any

from annotation.models import ErrorSpan
from frontend.researcher.drawn_text import MetricMarks, drawn, lanes_of, strokes_of
from metrics.segments.metric_marks import MarkedByMetric
from metrics.segments.sheet import MarkedError


def marked(*spans: tuple[int, int, str], **more: Any) -> list[MarkedError]:
    return [
        MarkedError(number, ErrorSpan(judgment_id=number, start=start, end=end, severity=severity, **more), "")
        for number, (start, end, severity) in enumerate(spans, start=1)
    ]


def test_a_word_has_a_stroke_for_each_error_and_the_first_tells_the_numbers() -> None:
    html = drawn("Die Fähre fuhr.", strokes_of(marked((4, 9, "major"), (4, 14, "minor"))), "de")
    assert '<span class="tk" data-w="2">Fähre' in html
    assert html.count("<b>1, 2</b>") == html.count("<b>") == 1
    assert '<span class="tk" data-w="1"> <i' in html
    assert html.startswith("Die ")


def test_errors_that_overlap_hang_below_each_other_and_others_share_a_lane() -> None:
    strokes = strokes_of(marked((0, 5, "minor"), (3, 8, "minor"), (6, 9, "minor")))
    assert [stroke.lane for stroke in strokes] == [0, 1, 0]
    assert lanes_of(strokes) == 1


def test_a_word_is_cut_only_where_an_error_ends_inside_it() -> None:
    html = drawn("Birnen", strokes_of(marked((0, 3, "major"))), "de")
    assert '<span class="tk"><span class="pc" data-w="2">Bir' in html
    assert '<span class="pc">nen</span></span>' in html
    assert "pc" not in drawn("كتاب جديد", strokes_of(marked((0, 4, "major"))), "ar")


def test_chinese_is_marked_letter_by_letter() -> None:
    html = drawn("能见度", strokes_of(marked((1, 2, "critical"))), "zh")
    assert html.startswith('能<span class="tk" data-w="3">见')
    assert html.endswith("度")


def test_what_is_missing_has_a_sign_where_it_is_and_takes_no_lane() -> None:
    strokes = strokes_of(marked((4, 4, "major"), (9, 9, "minor")))
    assert drawn("Die Fähre", strokes, "de").count('class="miss"') == 2
    assert lanes_of(strokes) == 0


def test_texts_are_written_as_texts() -> None:
    assert "<b>x" not in drawn("<b>x</b>", strokes_of(marked((0, 3, "minor"))), "en").replace("<b>1</b>", "")


def test_errors_in_the_source_are_not_drawn_in_the_translation() -> None:
    assert strokes_of(marked((0, 3, "minor"), side="source")) == []


def by_metric(number: int, *marks: tuple[int, int, str]) -> MetricMarks:
    return MetricMarks(number, "COMET", [MarkedByMetric(start, end, severity, "") for start, end, severity in marks])


def test_errors_that_metrics_mark_hang_below_all_of_the_annotators() -> None:
    people = marked((0, 5, "minor"), (3, 8, "minor"))
    strokes = strokes_of(people, [by_metric(1, (20, 24, "major"), (0, 3, "minor")), by_metric(2, (0, 9, "critical"))])
    lanes = [(stroke.sign, stroke.start, stroke.lane) for stroke in strokes]
    assert lanes == [("1", 0, 0), ("2", 3, 1), ("M1", 0, 2), ("M1", 20, 2), ("M2", 0, 3)]
    assert lanes_of(strokes) == 3


def test_the_sign_of_a_metric_follows_the_numbers_and_nothing_colours_its_words() -> None:
    strokes = strokes_of(marked((4, 9, "minor")), [by_metric(1, (4, 9, "critical"), (10, 14, "major"))])
    html = drawn("Die Fähre fuhr.", strokes, "de")
    assert '<span class="tk" data-w="1">Fähre' in html, "the colour is of what people mark"
    assert "<b>1, M1</b>" in html
    assert '<span class="pc">fuhr<i class="u" aria-hidden="true" data-s="2" data-lane="1" data-of="M1" ' in html
    assert html.count('data-by="metric"') == 2
