"""Anchors: labelled marks under a slider from 0 to 100, as protocols with one offer them."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols.base import option


def anchors_option(default: tuple[tuple[int, str], ...]) -> Any:
    """The field `anchors` of a protocol's options."""
    return option(
        default,
        label=gettext_lazy("Labels under the slider"),
        hint=gettext_lazy("One per line: a number from 0 to 100, a space, a short label."),
    )


def wrong_anchors(anchors: object) -> dict[str, list[str]]:
    """What is wrong with the option, as `errors` tells it; empty when nothing is."""
    if anchors_fit(anchors):
        return {}
    return {"anchors": [_("Each anchor needs a whole number from 0 to 100 and a label. List them in rising order.")]}


def anchors_fit(anchors: object) -> bool:
    """Whether these are pairs of a whole number from 0 to 100 and a label, in rising order."""
    if not isinstance(anchors, tuple):
        return False
    for anchor in anchors:
        if not (isinstance(anchor, tuple) and len(anchor) == 2 and isinstance(anchor[1], str)):
            return False
        if isinstance(anchor[0], bool) or not isinstance(anchor[0], int) or not 0 <= anchor[0] <= 100:
            return False
    places = [anchor[0] for anchor in anchors]
    return places == sorted(set(places))
