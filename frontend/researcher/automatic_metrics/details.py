"""What a metric shows beside its score, as columns of a table."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy

from frontend.templatetags.numbers import decimals

NAMES = {
    "precisions": gettext_lazy("Precisions"),
    "recalls": gettext_lazy("Recalls"),
    "brevity_penalty": gettext_lazy("Brevity penalty"),
    "words": gettext_lazy("Words"),
    "reference_words": gettext_lazy("Words of the reference"),
    "ratio": gettext_lazy("Length ratio"),
    "mean_of_segments": gettext_lazy("Mean of segments"),
    "edits": gettext_lazy("Edits"),
    "reference_length": gettext_lazy("Length of the reference"),
    "precision": gettext_lazy("Precision"),
    "recall": gettext_lazy("Recall"),
    "matches": gettext_lazy("Matches"),
    "chunks": gettext_lazy("Chunks"),
    "penalty": gettext_lazy("Fragmentation penalty"),
    "variant": gettext_lazy("Variant"),
}
SHOWN_ELSEWHERE = {"segments"}


def detail_names(details: Sequence[Mapping[str, Any] | None]) -> list[str]:
    """The keys of all systems' details, each once, in the order in which they come."""
    return [key for key in dict.fromkeys(key for each in details for key in each or ()) if key not in SHOWN_ELSEWHERE]


def detail_title(key: str) -> str:
    return str(NAMES.get(key, key.replace("_", " ").capitalize()))


def detail_text(value: Any) -> str:
    """Counts as they are, shares to three decimals, lists joined by strokes."""
    if value is None:
        return "–"
    if isinstance(value, list | tuple):
        return " / ".join(decimals(each, 1) for each in value)
    if isinstance(value, bool | str):
        return str(value)
    if isinstance(value, int):
        return number_format(value, force_grouping=True)
    return decimals(value, 3)
