"""Expected marks beside given ones, in texts that one can count along."""

from typing import Any

import pytest

from annotation.protocols.expected_marks import ExpectedMark
from annotation.protocols.mark_verdicts import mark_verdicts

MAJOR = ExpectedMark((4, 6), (9, 11), "major")
MINOR = ExpectedMark((20, 20), (25, 25), "minor")


def span(start: int, end: int, severity: str = "major", **about: Any) -> dict[str, Any]:
    return {"side": "target", "start": start, "end": end, "severity": severity, **about}


def outcomes(expected: list[ExpectedMark], *spans: dict[str, Any], tags: Any = ()) -> list[str]:
    return [each.outcome for each in mark_verdicts("A", expected, {"spans": spans, "tags": tags})]


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        (span(4, 11), "found"),
        (span(6, 9), "found"),
        (span(5, 10, "minor"), "other_kind"),
        (span(3, 10), "other_place"),
        (span(5, 12), "other_place"),
        (span(0, 5), "other_place"),
    ],
)
def test_a_mark_within_both_ranges_is_found(given: dict[str, Any], outcome: str) -> None:
    assert outcomes([MAJOR], given) == [outcome]


@pytest.mark.parametrize("given", [span(0, 4), span(11, 14), span(7, 9, side="source")])
def test_a_mark_beside_it_or_in_the_source_finds_nothing(given: dict[str, Any]) -> None:
    assert outcomes([MAJOR], given)[0] == "missed"


def test_each_mark_answers_for_one_error() -> None:
    assert outcomes([MAJOR, MAJOR], span(5, 10)) == ["found", "missed"]
    assert outcomes([MAJOR], span(5, 10), span(5, 10)) == ["found", "extra"]


def test_a_mark_that_fits_two_errors_leaves_none_without_its_own() -> None:
    wide, narrow = ExpectedMark((0, 9), (10, 20)), ExpectedMark((5, 5), (15, 15))
    assert outcomes([wide, narrow], span(5, 15), span(0, 10)) == ["found", "found"]
    assert outcomes([narrow, wide], span(5, 15), span(0, 10)) == ["found", "found"]


def test_what_fits_best_goes_first() -> None:
    assert outcomes([MAJOR, ExpectedMark((4, 6), (9, 11), "minor")], span(5, 10, "minor"), span(5, 10)) == ["found"] * 2


def test_marks_too_many_are_wrong_only_where_there_are_no_errors() -> None:
    found, extra = mark_verdicts("A", [MINOR], {"spans": [span(20, 25, "minor"), span(0, 3)]})
    assert (found.is_right, extra.outcome, extra.is_right) == (True, "extra", True)
    (extra,) = mark_verdicts("A", [], {"spans": [span(0, 3)]})
    assert (extra.outcome, extra.is_right) == ("extra", False)
    assert mark_verdicts("A", [], {"spans": []}) == []


def test_a_tag_needs_its_name_and_its_severity() -> None:
    missing = ExpectedMark(tag="missing", severity="major")
    assert outcomes([missing], tags=[{"tag": "missing", "severity": "major"}]) == ["found"]
    assert outcomes([missing], tags=[{"tag": "missing", "severity": "minor"}]) == ["other_kind"]
    assert outcomes([missing], tags=[{"tag": "instructions_fault", "severity": "major"}]) == ["missed", "extra"]


def test_an_omission_in_the_text_is_missing_content() -> None:
    assert outcomes([ExpectedMark(tag="missing")], span(7, 7)) == ["found"]
    assert outcomes([ExpectedMark(tag="missing")], span(7, 8)) == ["missed", "extra"]


def test_a_category_contains_those_below_it() -> None:
    accuracy = ExpectedMark((0, 0), (3, 3), category="accuracy")
    assert outcomes([accuracy], span(0, 3, category="accuracy/addition")) == ["found"]
    assert outcomes([accuracy], span(0, 3, category="accuracy_else")) == ["other_kind"]


def test_an_expected_mark_is_the_same_after_json() -> None:
    for mark in (MAJOR, ExpectedMark(tag="missing", note="The date."), ExpectedMark((1, 1), (2, 3), category="style")):
        assert ExpectedMark.from_json(mark.as_json()) == mark
