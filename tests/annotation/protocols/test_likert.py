"""Adequacy and fluency, presets, and scales of an organiser's own."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import pytest

from annotation.protocols import protocol_for
from annotation.protocols.base import ShownItem, ShownSlot
from annotation.protocols.likert import PRESETS, Likert
from campaigns.invalid_input import InvalidInput
from tests.annotation.protocols.battery import ProtocolAtWork, ProtocolContract

TERMS = """
Terminology: Terms as the glossary has them
2 all
1 some

0 none
Tone of voice
1 wrong
2. right: as one would say it
"""


class TestLikert(ProtocolContract):
    name = "likert"


class TestLikertAtWork(ProtocolAtWork):
    name = "likert"

    def good_for(self, item: Mapping[str, Any], *, variant: int = 0) -> dict[str, Any]:
        slots = {slot["slot"]: {"adequacy": 4, "fluency": 2 + variant} for slot in item["slots"]}
        return {"slots": slots, "comment": "", "cannot_judge": None}

    def noticing(self, item: Mapping[str, Any], bad: str | None) -> dict[str, Any]:
        """Damage shows in the meaning; what is left of the sentence may be fluent."""
        slots = {slot["slot"]: {"adequacy": 1 if slot["slot"] == bad else 5, "fluency": 4} for slot in item["slots"]}
        return {"slots": slots, "comment": "", "cannot_judge": None}


def measured(options: Mapping[str, Any]) -> list[tuple[str, float, float]]:
    return [(measure.name, measure.low, measure.high) for measure in protocol_for("likert", options).measures]


@pytest.mark.parametrize(
    ("preset", "measures"),
    [
        ("adequacy_fluency", [("adequacy", 1, 5), ("fluency", 1, 5)]),
        ("psqm", [("psqm", 0, 6)]),
        ("xsts", [("xsts", 1, 5)]),
    ],
)
def test_each_preset_has_its_measures(preset: str, measures: list[tuple[str, float, float]]) -> None:
    assert measured({"preset": preset}) == measures


def test_adequacy_and_fluency_are_worded_as_the_field_words_them() -> None:
    adequacy, fluency = PRESETS["adequacy_fluency"]
    assert dict(adequacy.points) == {
        5: "all meaning",
        4: "most meaning",
        3: "much meaning",
        2: "little meaning",
        1: "none",
    }
    assert dict(fluency.points) == {5: "flawless", 4: "good", 3: "non-native", 2: "disfluent", 1: "incomprehensible"}
    assert "{language}" in fluency.question


def test_a_preset_is_stored_with_its_words_so_that_later_words_change_no_campaign() -> None:
    stored = asdict(protocol_for("likert", {"preset": "xsts"}).options)
    assert [scale["name"] for scale in stored["scales"]] == ["xsts"]
    assert protocol_for("likert", stored | {"preset": "psqm"}).measures[0].name == "xsts"


def test_scales_can_be_written_as_text() -> None:
    scales = asdict(protocol_for("likert", {"scales": TERMS}).options)["scales"]
    assert [(scale["name"], scale["title"], scale["question"]) for scale in scales] == [
        ("terminology", "Terminology", "Terms as the glossary has them"),
        ("tone_of_voice", "Tone of voice", ""),
    ]
    assert [scale["points"] for scale in scales] == [
        ((0, "none"), (1, "some"), (2, "all")),
        ((1, "wrong"), (2, "right: as one would say it")),
    ]
    assert measured({"scales": TERMS}) == [("terminology", 0, 2), ("tone_of_voice", 1, 2)]


def test_all_errors_in_scales_are_reported_at_once() -> None:
    with pytest.raises(InvalidInput) as caught:
        protocol_for("likert", {"scales": [{"name": "7"}, "tone"]})
    assert len(caught.value.errors["scales"]) == 3
    nine = [{"name": f"scale_{number}", "points": [[0, ""], [1, ""]]} for number in range(9)]
    with pytest.raises(InvalidInput, match="At most 8"):
        protocol_for("likert", {"scales": nine})


def test_a_point_between_two_need_not_exist() -> None:
    protocol = protocol_for("likert", {"scales": [{"name": "gist", "points": [[0, "no"], [9, "yes"]]}]})
    item = ShownItem("segment", "One.", None, (ShownSlot("A", "Eins."),))
    assert protocol.parse_answer({"slots": {"A": {"gist": 9}}}, item).slots["A"] == {"gist": 9}
    with pytest.raises(InvalidInput, match="0, 9"):
        protocol.parse_answer({"slots": {"A": {"gist": 5}}}, item)


@pytest.mark.parametrize(
    ("judge_against", "shows_source", "shows_reference"),
    [("source", True, False), ("reference", False, True), ("both", True, True)],
)
def test_what_is_judged_against_is_what_is_shown(judge_against: str, shows_source: bool, shows_reference: bool) -> None:
    protocol = protocol_for("likert", {"judge_against": judge_against})
    assert (protocol.shows_source, protocol.shows_reference) == (shows_source, shows_reference)


def test_alone_or_side_by_side() -> None:
    assert protocol_for("likert", {}).slots_per_item == 1
    assert protocol_for("likert", {"systems_per_screen": 5}).slots_per_item == 5
    assert isinstance(protocol_for("likert", {}), Likert)
