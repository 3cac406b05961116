"""Whole documents with several systems side by side: marks, tags and scores."""

from collections.abc import Mapping
from typing import Any

import pytest

from annotation.protocols import protocol_for
from annotation.protocols.base import MarkedSpan, ShownItem, ShownSlot
from campaigns.invalid_input import InvalidInput
from tests.annotation.protocols.battery import ProtocolAtWork, ProtocolContract

ITEM = ShownItem("segment", "One two.", None, (ShownSlot("A", "Eins zwei."),))
WORSE = [{"side": "target", "start": 0, "end": 1, "severity": "major"}]


def cell(score: int, **more: Any) -> dict[str, Any]:
    return {"spans": [], "tags": [], "score": score, "comment": ""} | more


class TestCesa(ProtocolContract):
    name = "cesa"


class TestCesaAtWork(ProtocolAtWork):
    name = "cesa"

    def good_for(self, item: Mapping[str, Any], *, variant: int = 0) -> dict[str, Any]:
        tags = [{"tag": "missing", "severity": "minor"}]
        slots = {slot["slot"]: cell(60 + 5 * variant, spans=WORSE, tags=tags) for slot in item["slots"]}
        return {"slots": slots, "comment": "", "cannot_judge": None}

    def noticing(self, item: Mapping[str, Any], bad: str | None) -> dict[str, Any]:
        slots = {slot["slot"]: cell(10, spans=WORSE) if slot["slot"] == bad else cell(90) for slot in item["slots"]}
        return {"slots": slots, "comment": "", "cannot_judge": None}


def parsed(slot: Mapping[str, Any], **options: Any) -> dict[str, Any]:
    protocol = protocol_for("cesa", options)
    answer = protocol.parse_answer({"slots": {"A": slot}}, ITEM)
    assert protocol.parse_answer(answer.as_json(), ITEM) == answer
    return dict(answer.slots["A"])


def test_a_tag_is_an_empty_mark_of_its_own_category_at_the_start() -> None:
    protocol = protocol_for("cesa", {})
    slot = cell(40, tags=[{"tag": "missing", "severity": "major"}, {"tag": "missing", "severity": "minor"}])
    observed = protocol.observe(protocol.parse_answer({"slots": {"A": slot}}, ITEM), ITEM)
    assert observed.spans == (
        MarkedSpan("A", "target", 0, 0, "missing", "major"),
        MarkedSpan("A", "target", 0, 0, "missing", "minor"),
    )


def test_no_range_is_empty_so_that_none_can_be_taken_for_a_tag() -> None:
    with pytest.raises(InvalidInput, match="at least one character"):
        parsed(cell(40, spans=[{"side": "target", "start": 0, "end": 0, "severity": "major"}]))


def test_a_low_score_needs_a_mark_or_a_tag_unless_the_rule_is_off() -> None:
    with pytest.raises(InvalidInput) as caught:
        parsed(cell(80))
    assert list(caught.value.errors) == ["slots.A.score"]
    assert "below 85" in str(caught.value.errors)
    assert parsed(cell(80), marks_below=0)["score"] == 80
    assert parsed(cell(80), marks_below=80)["score"] == 80


def test_tags_are_lines_with_a_name_and_a_title() -> None:
    protocol = protocol_for("cesa", {"tags": "missing: Something is left out\nWrong tone of voice\n"})
    assert [(tag.name, tag.title) for tag in protocol.options.tags] == [
        ("missing", "Something is left out"),
        ("wrong_tone_of_voice", "Wrong tone of voice"),
    ]
    assert protocol.category_titles["wrong_tone_of_voice"] == "Wrong tone of voice"
    assert protocol_for("cesa", {"tags": protocol.options.as_typed()["tags"]}) == protocol


def test_tags_by_default_are_missing_content_and_instructions_not_followed() -> None:
    assert [tag.name for tag in protocol_for("cesa", {}).options.tags] == ["missing", "instructions_fault"]
    assert protocol_for("cesa", {}).options.as_typed()["tags"] == ""


def test_source_is_marked_only_where_the_campaign_allows_it() -> None:
    in_source = cell(60, spans=[{"side": "source", "start": 0, "end": 3, "severity": "minor"}])
    assert parsed(in_source, mark_source=True)["spans"][0]["side"] == "source"
    with pytest.raises(InvalidInput, match="only be marked in the translation"):
        parsed(in_source)


def test_a_list_of_tags_without_end_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at most 50"):
        parsed(cell(40, tags=[{"tag": "missing", "severity": "major"}] * 51))


@pytest.mark.parametrize(("systems", "beside"), [(1, 1), (2, 2), (3, 3), (9, 3)])
def test_fewer_systems_than_columns_are_shown_all(systems: int, beside: int) -> None:
    assert protocol_for("cesa", {}).slots_among(systems) == beside
