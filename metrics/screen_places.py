"""Where outputs stood on screens of whole documents: beside how many others, and at which place."""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from annotation.models import Credit, Slot
from annotation.protocols import PROTOCOLS
from annotation.protocols.base import column_of
from campaigns.models import Campaign, Translation


class ScreenPlace(NamedTuple):
    """`width`: how many outputs a row of the screen had; `place`: from 1, in reading order of the columns."""

    width: int
    place: int


Places = Mapping[tuple[int, str], ScreenPlace]  # by judgment and system


def read_output_texts(campaign: Campaign) -> dict[tuple[int, str], str]:
    """By segment and system; empty where screens are no documents. One query."""
    if not PROTOCOLS[campaign.protocol].shows_whole_documents:
        return {}
    outputs = Translation.objects.filter(system__test_set=campaign.test_set_id, text__isnull=False).order_by()
    rows = outputs.values_list("segment", "system__name", "text").iterator()
    return {(segment, system): text or "" for segment, system, text in rows}


def read_places(campaign: Campaign) -> Places | None:
    """Of the current judgments; None where screens are no documents. Two queries."""
    if not PROTOCOLS[campaign.protocol].shows_whole_documents:
        return None
    judged = {"item__assignment__campaign": campaign, "item__judgments__is_current": True}
    slots = Slot.objects.filter(**judged).order_by()
    names = ("pk", "item__judgments", "item__assignment", "item__block", "label", "columns", "system__name")
    credits = Credit.objects.filter(**{f"slot__{name}": value for name, value in judged.items()}).order_by("pk")
    others: dict[int, list[str]] = defaultdict(list)
    for slot, system in credits.values_list("slot", "system__name").iterator():
        others[slot].append(system)
    columns_of: dict[tuple[int, int], set[int]] = defaultdict(set)
    found: list[tuple[int, str, tuple[int, int], int]] = []
    for slot, judgment, assignment, block, label, columns, system in slots.values_list(*names).iterator():
        places = [int(digit) for digit in columns] or [column_of(label)]
        for place, name in zip(places, [system, *others[slot]], strict=False):
            columns_of[assignment, block].add(place)
            found.append((judgment, name, (assignment, block), place))
    widths = {screen: len(columns) for screen, columns in columns_of.items()}
    return {(judgment, name): ScreenPlace(widths[screen], place) for judgment, name, screen, place in found}
