"""Errors of the demo: each stands where its file says, and simulated annotators mark them as a page could."""

import json
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from annotation.protocols import protocol_for
from annotation.protocols.base import Answer, MarkedSpan, ShownItem, ShownSlot
from demo.annotators import QUALITY, Manner
from demo.campaign import FOLDER, DemoCampaign, Look, SeenText
from demo.esa import CAMPAIGNS as ESA
from demo.marking import planted_in
from demo.mqm import CAMPAIGNS as MQM

STEADY = Manner("Ada", bias=0, scale=1, noise=5, seconds=20)
BOTH = pytest.mark.parametrize("demo", [*MQM, *ESA], ids=lambda demo: demo.spec.protocol)
SEEDS = range(12)


def segments(demo: DemoCampaign) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / demo.test_set.file).read_text(encoding="utf-8").splitlines()]


def answers(demo: DemoCampaign, system: str, *, manner: Manner = STEADY) -> list[Answer]:
    """To every text of the system, as each seed would have it; the protocol refuses what is not valid."""
    answers = []
    for segment in segments(demo):
        text = segment["translations"][system]
        suggested = tuple(
            MarkedSpan("A", "target", span["start"], span["end"], "", span["severity"], suggestion=number)
            for number, span in enumerate(segment.get("suggested", {}).get(system, ()), start=1)
        )
        shown = ShownItem("segment", segment["source"], None, (ShownSlot("A", text, suggested),))
        seen = SeenText("A", text, QUALITY[system], is_damaged=False, reference="", suggested=suggested)
        for seed in SEEDS:
            look = Look((seen,), words=9, manner=manner, pace=1, rng=random.Random(seed))
            payload = {"slots": demo.answer(look), "comment": "", "cannot_judge": None}
            answers.append(protocol_for(demo.spec.protocol, demo.spec.options).parse_answer(payload, shown))
    return answers


def systems(demo: DemoCampaign) -> list[str]:
    return list(segments(demo)[0]["translations"])


@BOTH
def test_every_planted_error_is_in_its_text(demo: DemoCampaign) -> None:
    lines = (FOLDER / demo.test_set.file).with_suffix(".errors.jsonl").read_text(encoding="utf-8").splitlines()
    assert sum(map(len, planted_in(demo.test_set).values())) == len(lines)


@BOTH
def test_the_better_a_system_the_fewer_errors_are_marked(demo: DemoCampaign) -> None:
    counts = [
        sum(len(answer.slots["A"]["spans"]) for answer in answers(demo, system)) / len(SEEDS)
        for system in systems(demo)
    ]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1] / 4


@BOTH
def test_who_does_not_read_marks_nothing_of_their_own(demo: DemoCampaign) -> None:
    careless = replace(STEADY, is_careless=True)
    spans = [
        span
        for system in systems(demo)
        for answer in answers(demo, system, manner=careless)
        for span in answer.slots["A"]["spans"]
    ]
    assert all("suggestion" in span for span in spans)


def test_suggestions_are_accepted_changed_and_deleted() -> None:
    (demo,) = ESA
    outcomes = Counter(
        one["outcome"]
        for system in systems(demo)
        for answer in answers(demo, system)
        for one in answer.slots["A"].get("suggested", ())
    )
    assert min(outcomes[outcome] for outcome in ("kept", "changed", "deleted")) >= 10


def test_nobody_gives_full_points_to_a_text_with_errors() -> None:
    (demo,) = ESA
    generous = replace(STEADY, bias=30)
    for system in systems(demo):
        for answer in answers(demo, system, manner=generous):
            assert answer.slots["A"]["score"] < 100 or not answer.slots["A"]["spans"]


def test_a_text_that_is_no_translation_is_one_error_from_end_to_end() -> None:
    (demo,) = MQM
    (text,) = [
        text
        for text, errors in planted_in(demo.test_set).items()
        if any(error.category == "non-translation" for error in errors)
    ]
    (error,) = planted_in(demo.test_set)[text]
    assert (error.start, error.end) == (0, len(text))
