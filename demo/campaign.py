"""The parts of demo campaigns: test sets, people, plans, and simulated answers."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from annotation.campaign_spec import CampaignSpec
from annotation.protocols.base import MarkedSpan, ShownQuestion
from demo.annotators import Manner, score_of, seconds_for

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class DemoTestSet:
    """`file` is in the same folder."""

    name: str
    file: str
    target_language: str
    source_language: str = "en"


HARBOUR = DemoTestSet("Harbour news", "harbour.en-de.jsonl", "de")
ISLAND = DemoTestSet("Island notes", "island.en-de.jsonl", "de")
LIBRARY = DemoTestSet("Library cat", "library.en-he.jsonl", "he")
MARKET = DemoTestSet("Night market", "market.zh-en.jsonl", "en", source_language="zh")
VILLAGE = DemoTestSet("Village stories", "village.en-ar.jsonl", "ar")
# Automatic metrics score this one: a test set with a reference, in many campaigns.
SCORED = (HARBOUR,)
ANNOTATORS = (
    "Ada Brandt",
    "Bela Castellan",
    "Cleo Drummond",
    "Dario Ekwueme",
    "Edda Falk",
    "Femi Grant",
    "Gesa Holm",
    "Hugo Ishii",
    "Ines Jansen",
    "Jonah Kerr",
    "Kaja Lindgren",
    "Leon Moreau",
)
CONSENT = """
Your answers are stored with a number, not with your name, and may be published as research data. You can stop at any
time; the judgments you made until then are kept.
"""


@dataclass(frozen=True)
class SeenText:
    """One translation on the screen. `quality` is the truth behind it, `reference` how a person translated."""

    label: str
    text: str
    quality: float
    is_damaged: bool
    reference: str
    suggested: tuple[MarkedSpan, ...] = ()


@dataclass(frozen=True)
class Look:
    """A simulated annotator before one item."""

    texts: tuple[SeenText, ...]
    words: int
    manner: Manner
    pace: float
    rng: random.Random
    questions: tuple[ShownQuestion, ...] = ()

    @cached_property
    def seconds(self) -> float:
        """The seconds spent on the item, drawn on first use."""
        return self.pace * seconds_for(self.manner, self.words, self.rng)

    def score(self, text: SeenText, *, better: float = 0.0) -> int:
        """From 0 to 100: what this annotator thinks of a translation that much better than it is."""
        return score_of(self.manner, text.quality + better, self.rng, damaged=text.is_damaged)


Slots = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class DemoCampaign:
    """One campaign of the demo. `answer` gives the slots of an answer, as the protocol's page would send them.

    `annotators` are places among the demo's annotators; all have judged an assignment to its end, the last of them
    `last_share` of it. `pace` stretches the time a look takes.
    """

    spec: CampaignSpec
    test_set: DemoTestSet
    answer: Callable[[Look], Slots]
    annotators: range = range(3)
    last_share: float = 1.0
    began: timedelta = timedelta(hours=26)
    apart: timedelta = timedelta(hours=8)
    pace: float = 1.0
    is_closed: bool = False
