"""Post-editing: the corrected text and how it came about."""

from collections.abc import Mapping
from typing import Any

import pytest

from annotation.protocols import protocol_for
from annotation.protocols.base import ShownItem, ShownSlot
from annotation.protocols.post_editing import MOST_INSERTED, MOST_STEPS, TEXT_LIMIT
from campaigns.invalid_input import InvalidInput
from tests.annotation.protocols.battery import ProtocolAtWork, ProtocolContract

SHOWN = ShownItem("segment", "Hello.", None, (ShownSlot("A", "Hallo."),))


class TestPostEditing(ProtocolContract):
    name = "post_editing"


class TestPostEditingAtWork(ProtocolAtWork):
    name = "post_editing"

    def good_for(self, item: Mapping[str, Any], *, variant: int = 0) -> dict[str, Any]:
        slots = {}
        for slot in item["slots"]:
            end = len(slot["text"])
            step = [1500 + variant, end, 0, f" {variant}"]
            slots[slot["slot"]] = {"text": f"{slot['text']} {variant}", "keystrokes": 2, "steps": [step]}
        return {"slots": slots, "comment": "", "cannot_judge": None}

    def noticing(self, item: Mapping[str, Any], bad: str | None) -> dict[str, Any]:
        [slot] = item["slots"]
        # as a program would, or who speaks instead of typing: without keystrokes
        corrected = {"text": "Besser.", "keystrokes": 0} if bad else {"text": slot["text"], "keystrokes": 0}
        return {"slots": {"A": {**corrected, "steps": []}}, "comment": "", "cannot_judge": None}


def errors_of(**values: Any) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        protocol_for("post_editing", {}).parse_answer({"slots": {"A": values}}, SHOWN)
    return sorted(caught.value.errors)


def test_the_source_can_be_hidden() -> None:
    assert protocol_for("post_editing", {}).shows_source
    assert not protocol_for("post_editing", {"show_source": False}).shows_source


def test_a_text_has_an_end() -> None:
    assert errors_of(text="a" * (TEXT_LIMIT + 1), keystrokes=0, steps=[]) == ["slots.A.text"]


@pytest.mark.parametrize("text", ["a\x00b", "a\ud800b"])
def test_what_no_database_can_hold_is_refused(text: str) -> None:
    assert errors_of(text=text, keystrokes=0, steps=[]) == ["slots.A.text"]
    assert errors_of(text="Hallo.", keystrokes=0, steps=[[0, 0, 0, text]]) == ["slots.A.steps"]


def test_steps_are_bounded_in_number_and_in_size() -> None:
    assert errors_of(text="Hallo.", keystrokes=0, steps=[[0, 0, 0, ""]] * (MOST_STEPS + 1)) == ["slots.A.steps"]
    assert errors_of(text="Hallo.", keystrokes=0, steps=[[0, 0, 0, "a" * (MOST_INSERTED + 1)]]) == ["slots.A.steps"]


def test_a_program_need_not_say_how_its_text_came_about() -> None:
    answer = protocol_for("post_editing", {}).parse_answer({"slots": {"A": {"text": "Guten Tag."}}}, SHOWN)
    assert answer.slots["A"] == {"text": "Guten Tag.", "keystrokes": 0, "steps": []}


def test_a_paste_of_most_of_the_text_is_flagged_in_the_table() -> None:
    protocol = protocol_for("post_editing", {})
    pasted = {"text": "Moin!", "keystrokes": 2, "steps": [[800, 0, 6, "Moin!", "pasted"]]}
    row = protocol.csv_row(protocol.parse_answer({"slots": {"A": pasted}}, SHOWN))
    assert row == {
        "text_A": "Moin!", "keystrokes_A": 2, "edit_steps_A": 1, "pasted_A": 1, "cannot_judge": None, "comment": "",
    }  # fmt: skip
    partly = {"text": "Hallo. Moin!", "keystrokes": 2, "steps": [[800, 6, 0, " Moin!", "pasted"]]}
    assert protocol.csv_row(protocol.parse_answer({"slots": {"A": partly}}, SHOWN))["pasted_A"] == 0
