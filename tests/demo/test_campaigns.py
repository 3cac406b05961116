"""Each demo campaign: its simulated annotators answer as its protocol's page would, and it is told of in the docs."""

import random
import re
from collections.abc import Mapping
from pathlib import Path
from statistics import mean

import pytest

from annotation.protocols import protocol_for
from annotation.protocols.base import Answer, ShownItem, ShownQuestion, ShownSlot
from demo.annotators import QUALITY, Manner
from demo.campaign import DemoCampaign, Look, SeenText
from demo.campaigns import DEMO_CAMPAIGNS
from demo.post_editing import CAMPAIGNS as POST_EDITING

DOCS = Path(__file__).resolve().parents[2] / "docs" / "protocols.md"
WANTED = "Die alte Drehbrücke im Hafen bleibt bis Ende August geschlossen."
OUTPUTS = {
    "Human": WANTED,
    "Heron": "Die alte Drehbrücke am Hafen bleibt bis Ende August geschlossen.",
    "Kestrel": "Die alte Schwingbrücke am Hafen wird bis Ende August zu bleiben.",
    "Rook": "Die alte Schaukelbrücke in Hafen will bleiben zu bis das Ende August.",
    "Sparrow": "Alt Schaukel Brücke Hafen Ende August.",
}
QUESTIONS = (
    ShownQuestion("1", "Welche Brücke?", ("Die neue", "Die alte"), ("Die alte",)),
    ShownQuestion("2", "Wie lange?", (), ("bis Ende August",)),
)
STEADY = Manner("Ada", bias=0, scale=1, noise=5, seconds=20)
BY_NAME = pytest.mark.parametrize("demo", DEMO_CAMPAIGNS, ids=lambda demo: demo.spec.name)


def seen(systems: Mapping[str, str]) -> tuple[SeenText, ...]:
    return tuple(
        SeenText(label, text, QUALITY[system], is_damaged=False, reference=WANTED)
        for label, (system, text) in zip("ABCDE", systems.items(), strict=False)
    )


def answered(demo: DemoCampaign, texts: tuple[SeenText, ...], seed: int = 1) -> Answer:
    look = Look(texts, words=9, manner=STEADY, pace=demo.pace, rng=random.Random(seed), questions=QUESTIONS)
    slots = tuple(ShownSlot(text.label, text.text) for text in texts)
    shown = ShownItem("segment", "source", WANTED, slots, questions=QUESTIONS)
    payload = {"slots": demo.answer(look), "comment": "", "cannot_judge": None}
    return protocol_for(demo.spec.protocol, demo.spec.options).parse_answer(payload, shown)


@BY_NAME
def test_every_answer_is_valid(demo: DemoCampaign) -> None:
    slots = protocol_for(demo.spec.protocol, demo.spec.options).slots_per_item
    systems = list(OUTPUTS.items())
    for seed in range(20):
        shown = dict(systems[:slots] if slots > 1 else [systems[seed % len(systems)]])
        answered(demo, seen(shown), seed)


@BY_NAME
def test_the_docs_name_it_under_its_protocol(demo: DemoCampaign) -> None:
    section = re.split(rf"(?m)^## {demo.spec.protocol}\n", DOCS.read_text(encoding="utf-8"))[1].split("\n## ")[0]
    assert demo.spec.name in section


def test_campaigns_have_names_of_their_own() -> None:
    assert len({demo.spec.name for demo in DEMO_CAMPAIGNS}) == len(DEMO_CAMPAIGNS)


def test_the_worse_a_translation_the_more_is_corrected() -> None:
    (demo,) = POST_EDITING
    efforts = [
        mean(answered(demo, seen({system: OUTPUTS[system]}), seed).slots["A"]["keystrokes"] for seed in range(50))
        for system in demo.spec.systems or ()
    ]
    assert efforts == sorted(efforts)
    assert 0 < efforts[0] < efforts[-1] / 2
