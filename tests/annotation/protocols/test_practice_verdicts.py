"""What is right in practice: numbers within bounds, preferences, corrections."""

from typing import Any

import pytest

from annotation.protocols import protocol_for
from annotation.protocols.base import ShownItem, ShownSlot
from annotation.protocols.practice_verdicts import Verdicts, verdicts_on, words_of


def graded(protocol: str, options: dict[str, Any], answer: dict[str, Any], **right: Any) -> Verdicts:
    made = protocol_for(protocol, options)
    labels = sorted(answer.get("slots") or "AB")
    shown = ShownItem("segment", "A source.", None, tuple(ShownSlot(label, "Ein Text.") for label in labels))
    nothing: dict[str, Any] = {"expected": {}, "better": {}, "accepted": {}, "marks": {}}
    return verdicts_on(made.parse_answer(answer, shown), shown, made, **(nothing | right))


def ranked(*ranks: int) -> dict[str, Any]:
    return {"slots": {label: {"rank": rank} for label, rank in zip("ABC", ranks, strict=False)}}


@pytest.mark.parametrize(("fluency", "is_right"), [(4, True), (2, False)])
def test_every_scale_named_has_to_be_within_its_bounds(fluency: int, is_right: bool) -> None:
    expected = {"A": {"adequacy": [1, 2], "fluency": [4, 5]}}
    verdicts = graded("likert", {}, {"slots": {"A": {"adequacy": 2, "fluency": fluency}}}, expected=expected)
    assert [verdict.measure for verdict in verdicts.numbers] == ["Adequacy", "Fluency"]
    assert verdicts.is_right == is_right


@pytest.mark.parametrize(
    ("ranks", "right"), [((2, 1, 3), [True, True]), ((1, 1, 2), [False, True]), ((1, 3, 2), [False, False])]
)
def test_preferences_are_graded_and_a_tie_is_none(ranks: tuple[int, ...], right: list[bool]) -> None:
    verdicts = graded("ranking", {"systems_per_item": 3}, ranked(*ranks), better={"B": ["A", "C"]})
    assert [order.is_right for order in verdicts.orders] == right
    assert verdicts.is_right == all(right)


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("Die Gespräche gehen weiter.", True),
        ("  die Gespra\u0308che gehen weiter ", True),
        ("Die Gespräche enden.", False),
    ],
)
def test_a_correction_is_right_but_for_case_punctuation_and_spaces(text: str, is_right: bool) -> None:
    answer = {"slots": {"A": {"text": text, "keystrokes": 3, "steps": []}}}
    accepted = {"A": ["Man spricht weiter.", "Die Gespräche gehen weiter."]}
    verdicts = graded("post_editing", {}, answer, accepted=accepted)
    assert (verdicts.is_right, [verdict.text for verdict in verdicts.texts]) == (is_right, [text])


def test_without_anything_to_be_right_about_nothing_is_wrong() -> None:
    assert graded("ranking", {"systems_per_item": 3}, ranked(1, 2)).is_right


def test_what_cannot_be_judged_is_not_right() -> None:
    withheld = {"slots": {}, "cannot_judge": "other"}
    assert not graded("ranking", {"systems_per_item": 2}, withheld, better={"B": ["A"]}).is_right
    assert not graded("post_editing", {}, withheld, accepted={"A": ["Gut."]}).is_right


def test_words_keep_their_letters_and_their_order() -> None:
    assert words_of("„Ja“, sagte Ilse-Marie") == ["ja", "sagte", "ilse", "marie"]
    assert words_of("会谈，继续。") == ["会谈", "继续"]


def test_where_nothing_is_ranked_the_better_one_has_the_better_score() -> None:
    def scored(score: int) -> dict[str, Any]:
        return {"score": score, "spans": [], "tags": [{"tag": "missing", "severity": "minor"}]}

    answer = {"slots": {"A": scored(80), "B": scored(60), "C": scored(80)}}
    verdicts = graded("cesa", {}, answer, better={"A": ["B", "C"], "B": ["C"]})
    assert [order.is_right for order in verdicts.orders] == [True, False, False]
