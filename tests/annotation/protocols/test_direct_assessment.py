"""Direct Assessment: a score from 0 to 100."""

from collections.abc import Mapping
from typing import Any

import pytest

from annotation.protocols import protocol_for
from tests.annotation.protocols.battery import ProtocolAtWork, ProtocolContract


class TestDirectAssessment(ProtocolContract):
    name = "direct_assessment"


class TestDirectAssessmentAtWork(ProtocolAtWork):
    name = "direct_assessment"

    def good_for(self, item: Mapping[str, Any], *, variant: int = 0) -> dict[str, Any]:
        slots = {slot["slot"]: {"score": 40 + 10 * variant} for slot in item["slots"]}
        return {"slots": slots, "comment": "", "cannot_judge": None}

    def noticing(self, item: Mapping[str, Any], bad: str | None) -> dict[str, Any]:
        slots = {slot["slot"]: {"score": 11 if slot["slot"] == bad else 88} for slot in item["slots"]}
        return {"slots": slots, "comment": "", "cannot_judge": None}


def test_without_document_scores_there_is_one_measure() -> None:
    assert [measure.name for measure in protocol_for("direct_assessment", {}).measures] == ["score"]
    assert not protocol_for("direct_assessment", {}).asks_documents


@pytest.mark.parametrize(
    ("judge_against", "shows_source", "shows_reference"),
    [("source", True, False), ("reference", False, True), ("both", True, True)],
)
def test_what_is_judged_against_is_what_is_shown(judge_against: str, shows_source: bool, shows_reference: bool) -> None:
    protocol = protocol_for("direct_assessment", {"judge_against": judge_against})
    assert (protocol.shows_source, protocol.shows_reference) == (shows_source, shows_reference)


def test_an_unknown_protocol_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        protocol_for("guessing", {})
