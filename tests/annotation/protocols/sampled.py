"""The samples of a protocol, and JSON of any kind."""

import json
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import strategies as st

from annotation.protocols import PROTOCOLS, protocol_for
from annotation.protocols.base import Protocol, ShownItem, ShownQuestion, ShownSlot

SAMPLES = Path(__file__).parents[2] / "data" / "samples"

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@cache
def samples_of(name: str) -> dict[str, Any]:
    path = SAMPLES / f"{name}.json"
    if not path.exists():
        pytest.fail(f"tests/data/samples/{name}.json is missing: good and bad answers and options of {name}.")
    return dict(json.loads(path.read_text(encoding="utf-8")))


class Sampled:
    name: ClassVar[str]

    @property
    def samples(self) -> dict[str, Any]:
        return samples_of(self.name)

    @property
    def protocol(self) -> Protocol[Any]:
        if self.name not in PROTOCOLS:
            pytest.fail(f"{self.name} is not in PROTOCOLS (annotation/protocols/__init__.py): {', '.join(PROTOCOLS)}.")
        return protocol_for(self.name, self.samples["options"])

    def item(self, name: str) -> ShownItem:
        shown = dict(self.samples["items"][name])
        slots = tuple(ShownSlot(label, text) for label, text in shown.pop("slots").items())
        questions = tuple(
            ShownQuestion(each["name"], each["text"], tuple(each["choices"]), tuple(each["accepted"]))
            for each in shown.pop("questions", ())
        )
        return ShownItem(**shown, slots=slots, questions=questions)
