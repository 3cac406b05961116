"""Rules of attention checks: bounds of a score, a score above another, expected marks."""

from typing import Any

import pytest

from annotation.protocols.check_rules import CheckRule, unmet
from annotation.protocols.expected_marks import ExpectedMark


def answered(score: int | None, *spans: tuple[int, int, str], tags: tuple[tuple[str, str], ...] = ()) -> dict[str, Any]:
    return {
        "score": score,
        "spans": [{"side": "target", "start": start, "end": end, "severity": each} for start, end, each in spans],
        "tags": [{"tag": name, "severity": severity} for name, severity in tags],
    }


def test_bounds_of_a_score_are_included() -> None:
    rule = CheckRule(row=0, system="a", score=(10, 40))
    assert [rule.is_met({(0, "a"): answered(score)}) for score in (5, 10, 40, 45)] == [False, True, True, False]


def test_above_means_strictly_above() -> None:
    rule = CheckRule(row=1, system="clean", above="rotated")
    outcomes = [rule.is_met({(1, "clean"): answered(clean), (1, "rotated"): answered(50)}) for clean in (45, 50, 55)]
    assert outcomes == [False, False, True]


@pytest.mark.parametrize("cells", [{}, {(0, "a"): answered(None)}, {(0, "b"): answered(80)}])
def test_what_was_not_judged_meets_nothing(cells: dict[tuple[int, str], dict[str, Any]]) -> None:
    assert not CheckRule(row=0, system="a", score=(0, 100)).is_met(cells)
    assert not CheckRule(row=0, system="a", above="b").is_met(cells)


def test_a_mark_may_begin_and_end_within_bounds() -> None:
    rule = CheckRule(row=0, system="a", marks=(ExpectedMark((0, 2), (5, 8), "major"),))
    spans = [(0, 5, "major"), (2, 8, "major"), (3, 8, "major"), (0, 9, "major"), (1, 6, "minor")]
    assert [rule.is_met({(0, "a"): answered(20, span)}) for span in spans] == [True, True, False, False, False]


def test_a_tag_is_an_expected_mark_without_a_place() -> None:
    mark = ExpectedMark(tag="missing")
    assert mark.is_in(answered(10, tags=(("missing", "minor"),)))
    assert not mark.is_in(answered(10, (0, 1, "minor")))
    assert not ExpectedMark(tag="missing", severity="major").is_in(answered(10, tags=(("missing", "minor"),)))


def test_all_unmet_rules_are_named() -> None:
    rules = [CheckRule(row=0, system="a", score=(0, 20)), CheckRule(row=0, system="b", score=(0, 20))]
    assert unmet(rules, {(0, "a"): answered(30), (0, "b"): answered(10)}) == [0]


def test_rules_read_what_they_write() -> None:
    marks = (ExpectedMark((1, 2), (5, 6), "minor"), ExpectedMark(tag="missing"))
    rule = CheckRule(row=2, system="a", score=(0, 40), above="b", marks=marks)
    assert CheckRule.from_json(rule.as_json()) == rule
    assert ExpectedMark.from_json({"start": 3, "end": [5, 6]}) == ExpectedMark((3, 3), (5, 6))
