"""Which segments of a test set are judged, where a campaign does not judge all: requests, and what answers them.

What answers a request may know metrics' scores, so it is in a room that this one does not import: settings name it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol as Interface

from django.conf import settings
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy

from annotation.protocols.base import Text
from campaigns.models import TestSet

ALL = "all"
SELECTION_SIGNATURE = "selection_signature"  # of a campaign's plan options: what decided
SELECTION_HINT = gettext_lazy(
    "All, or those worth most for a budget. Whatever a metric chose shows which systems differ with fewer judgments, "
    "but the means are those of the chosen segments, not of the test set."
)
METHODS: Mapping[str, Text] = {
    ALL: gettext_lazy("All"),
    "random": gettext_lazy("At random"),
    "variance": gettext_lazy("Where a metric’s scores differ most between systems"),
    "average": gettext_lazy("What a metric finds hardest"),
    "consistency": gettext_lazy("Where a metric orders systems as over the whole test set"),
    "diversity-unigram": gettext_lazy("Where translations share the fewest words"),
    "diversity-chrf": gettext_lazy("Where translations share the fewest characters (chrF)"),
}
NO_METRIC = gettext_lazy("Name the metric whose scores choose, or let something else choose.")
BY_SCORES = ("variance", "average", "consistency")
UNITS: Mapping[str, Text] = {
    "segments": gettext_lazy("Segments"),
    "words": gettext_lazy("Words of the source"),
    "seconds": gettext_lazy("Seconds of work"),
}
WHOLES: Mapping[str, Text] = {
    "documents": gettext_lazy("Whole documents"),
    "segments": gettext_lazy("Single segments"),
}


@dataclass(frozen=True)
class ItemRequest:
    """A budget in `unit`; seconds are those that all outputs of `systems` take, `seconds_per_output` on average.

    Only documents with questions count where `needs_questions`. The seed decides where chance does.
    """

    test_set: TestSet
    method: str
    budget: int
    unit: str = "segments"
    whole: str = "documents"
    metric: str = ""
    systems: tuple[str, ...] = ()
    seconds_per_output: int = 0
    needs_questions: bool = False
    seed: int = 0


@dataclass(frozen=True)
class ItemChoice:
    """By key of a chosen segment: what it promises (None where chance chose) and how probable its choice was.

    `signature` names everything that decided.
    """

    utilities: Mapping[int, float | None]
    probabilities: Mapping[int, float]
    signature: str


class Chooser(Interface):
    """What settings name as ITEM_CHOOSER."""

    def problems(self, request: ItemRequest) -> dict[str, str]:
        """What is wrong with a request, by field of the spec, as far as it is known at once."""

    def choose(self, request: ItemRequest) -> ItemChoice:
        """Raises `InvalidInput` where it cannot be met."""


def item_chooser() -> Chooser:
    chooser: Chooser = import_string(settings.ITEM_CHOOSER)
    return chooser
