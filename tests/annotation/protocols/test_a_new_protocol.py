"""A protocol is a class and its samples: one that nobody has heard of is planned, judged, watched and exported at once.

What the checklist in CONTRIBUTING.md says is held here by walking it in small: yes or no, whether a translation can be
used.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import pytest

from annotation.protocols import PROTOCOLS
from annotation.protocols.answer_checks import Envelope, csv_columns, parse_slots
from annotation.protocols.base import (
    Answer,
    Measure,
    Observation,
    Protocol,
    ProtocolOptions,
    ShownItem,
    ShownSlot,
    SlotScore,
)
from tests.annotation.protocols.battery import ProtocolAtWork, ProtocolContract

YES: dict[str, Any] = {"slots": {"A": {"usable": True}}, "comment": "", "cannot_judge": None}
SAMPLES: dict[str, Any] = {
    "options": {},
    "bad_options": [{"options": {"colour": "red"}, "errors": ["colour"]}],
    "items": {"segment": {"level": "segment", "source": "Hello.", "reference": None, "slots": {"A": "Hallo."}}},
    "good": [{"item": "segment", "answer": YES, "scores": [["A", "usable", 1.0]]}],
    "bad": [
        {"item": "segment", "answer": {"slots": {"A": {"usable": 1}}}, "errors": ["slots.A.usable"]},
        {"item": "segment", "answer": {"slots": {}}, "errors": ["slots.A"]},
    ],
}


@dataclass(frozen=True)
class Usable(Protocol[ProtocolOptions]):
    name: ClassVar[str] = "usable"
    title: ClassVar = "Usable"
    description: ClassVar = "Yes or no: can the translation be used as it is?"
    seconds_per_item: ClassVar[int] = 15
    options_class: ClassVar = ProtocolOptions

    @property
    def measures(self) -> tuple[Measure, ...]:
        return (Measure("usable", "Usable", "share", 0, 1, higher_is_better=True),)

    def parse_answer(self, payload: object, item: ShownItem) -> Answer:
        def check(values: Mapping[str, Any], _slot: ShownSlot, at: str, envelope: Envelope) -> dict[str, Any]:
            if not isinstance(values.get("usable"), bool):
                envelope.refuse(f"{at}.usable", "Say yes or no.")
            return {"usable": values.get("usable")}

        return parse_slots(payload, item, ("usable",), check)

    def observe(self, answer: Answer, item: ShownItem) -> Observation:
        scores = [(label, float(values["usable"])) for label, values in answer.slots.items()]
        return Observation(scores=tuple(SlotScore(label, "usable", value) for label, value in scores))

    def csv_row(self, answer: Answer) -> dict[str, str | int | float | None]:
        return csv_columns(answer, lambda values: {"usable": int(values["usable"])})


@pytest.fixture(scope="module", autouse=True)
def _known() -> Iterator[None]:
    import_module("frontend.api.urls")  # its shapes list the protocols when they are first imported
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PROTOCOLS, Usable.name, Usable)
        yield


class TestUsable(ProtocolContract):
    name = "usable"
    samples = SAMPLES  # of a real protocol they are a file


class TestUsableAtWork(ProtocolAtWork):
    name = "usable"
    samples = SAMPLES

    def good_for(self, item: Mapping[str, Any], *, variant: int = 0) -> dict[str, Any]:
        return YES | {"slots": {slot["slot"]: {"usable": not variant} for slot in item["slots"]}}

    def noticing(self, item: Mapping[str, Any], bad: str | None) -> dict[str, Any]:
        return YES | {"slots": {slot["slot"]: {"usable": slot["slot"] != bad} for slot in item["slots"]}}
