"""Error spans and a score: what is kept, changed or deleted of what was suggested."""

from collections.abc import Mapping
from typing import Any

import pytest

from annotation.protocols import protocol_for
from annotation.protocols.base import MarkedSpan, ShownItem, ShownSlot
from campaigns.invalid_input import InvalidInput
from tests.annotation.protocols.battery import ProtocolAtWork, ProtocolContract

SUGGESTED = (
    MarkedSpan("A", "target", 0, 4, "", "minor", suggestion=1),
    MarkedSpan("A", "target", 5, 9, "", "major", suggestion=2),
    MarkedSpan("A", "target", 9, 9, "", "minor", suggestion=3),
)
ITEM = ShownItem("segment", "One two.", None, (ShownSlot("A", "Eins zwei.", SUGGESTED),))


class TestEsa(ProtocolContract):
    name = "esa"


class TestEsaAtWork(ProtocolAtWork):
    name = "esa"

    def good_for(self, item: Mapping[str, Any], *, variant: int = 0) -> dict[str, Any]:
        slots = {
            slot["slot"]: {
                "spans": [{"side": "target", "start": 1, "end": 1, "severity": "major", "note": ""}],
                "score": 60 + variant,
            }
            for slot in item["slots"]
        }
        return {"slots": slots, "comment": "", "cannot_judge": None}

    def noticing(self, item: Mapping[str, Any], bad: str | None) -> dict[str, Any]:
        slots: dict[str, Any] = {
            slot["slot"]: {"spans": [], "score": 9 if slot["slot"] == bad else 90} for slot in item["slots"]
        }
        return {"slots": slots, "comment": "", "cannot_judge": None}


def span(start: int, end: int, severity: str, **more: Any) -> dict[str, Any]:
    return {"side": "target", "start": start, "end": end, "severity": severity, "note": "", **more}


def judged(*spans: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    protocol = protocol_for("esa", {"suggestions": True})
    answer = protocol.parse_answer({"slots": {"A": {"spans": list(spans), "score": 50, **more}}}, ITEM)
    assert protocol.parse_answer(answer.as_json(), ITEM) == answer
    return dict(answer.slots["A"])


def outcomes(*spans: Mapping[str, Any], **more: Any) -> list[str]:
    recorded = judged(*spans, **more)["suggested"]
    assert [one["suggestion"] for one in recorded] == [1, 2, 3]
    return [one["outcome"] for one in recorded]


def test_outcomes_of_suggestions_are_found_by_comparing() -> None:
    unchanged = span(0, 4, "minor", suggestion=1)
    assert outcomes(unchanged) == ["kept", "deleted", "deleted"]
    assert outcomes(unchanged, span(5, 8, "major", suggestion=2)) == ["kept", "changed", "deleted"]
    assert outcomes(unchanged, span(5, 9, "minor", suggestion=2)) == ["kept", "changed", "deleted"]
    assert outcomes(span(9, 9, "minor", suggestion=3), span(0, 4, "minor")) == ["deleted", "deleted", "kept"]
    assert outcomes() == ["deleted", "deleted", "deleted"]


def test_what_a_page_says_became_of_them_does_not_count() -> None:
    assert outcomes(suggested=[{"suggestion": 1, "outcome": "kept"}]) == ["deleted"] * 3
    assert outcomes(suggested="nonsense") == ["deleted"] * 3


def test_a_note_on_a_suggestion_leaves_it_as_it_was() -> None:
    assert outcomes({**span(0, 4, "minor", suggestion=1), "note": "Yes."})[0] == "kept"


@pytest.mark.parametrize("number", [0, 4, "1", True, 1.0, [1]])
def test_no_span_comes_from_what_was_not_suggested(number: object) -> None:
    with pytest.raises(InvalidInput, match="Unknown suggestion"):
        judged(span(0, 4, "minor", suggestion=number))


def test_two_spans_do_not_come_from_one_suggestion() -> None:
    with pytest.raises(InvalidInput, match="one suggestion"):
        judged(span(0, 4, "minor", suggestion=1), span(1, 4, "minor", suggestion=1))


def test_missing_content_is_marked_only_where_the_campaign_allows_it() -> None:
    item = ShownItem("segment", "One.", None, (ShownSlot("A", "Eins."),))
    answer = {"slots": {"A": {"spans": [span(5, 5, "major")], "score": 50}}}
    assert protocol_for("esa", {}).parse_answer(answer, item)
    with pytest.raises(InvalidInput, match="at least one character"):
        protocol_for("esa", {"missing_content": False}).parse_answer(answer, item)


def test_rows_of_a_table_count_what_became_of_suggestions() -> None:
    protocol = protocol_for("esa", {"suggestions": True})
    slots = {"A": {"spans": [span(0, 4, "minor", suggestion=1)], "score": 50}}
    row = protocol.csv_row(protocol.parse_answer({"slots": slots}, ITEM))
    assert (row["errors_A"], row["kept_A"], row["changed_A"], row["deleted_A"]) == (1, 1, 0, 2)


def test_severities_fall_back_to_minor_and_major() -> None:
    assert protocol_for("esa", {}).options.severities == ("minor", "major")
    assert protocol_for("esa", {"severities": []}).options.severities == ("minor", "major")
    assert protocol_for("esa", {"severities": ["critical", "minor"]}).options.severities == ("minor", "critical")


def test_a_list_without_end_is_refused_before_it_is_read() -> None:
    with pytest.raises(InvalidInput, match="at most 500"):
        judged(*[span(0, 4, "minor")] * 501)
