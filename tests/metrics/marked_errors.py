"""Campaigns in which errors are marked, judged as a page judges."""

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.actions.submitting import Receipt
from annotation.models import Assignment, Item
from campaigns.models import Campaign, TestSet
from tests.cast import Cast
from tests.planned_campaign import judge, make_planned_campaign

CLEAN: Sequence[Mapping[str, Any]] = ()
GRAVE = {"category": "accuracy/mistranslation", "severity": "major"}
SMALL = {"category": "style/awkward", "severity": "minor"}
COMMA = {"category": "fluency/punctuation", "severity": "minor"}


def make_mqm(test_set: TestSet, cast: Cast, **parameters: Any) -> Campaign:
    return make_planned_campaign(test_set, cast, protocol="mqm", **parameters)


def marked(*errors: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each over the first three characters of the translation, unless it says otherwise."""
    whole = {"side": "target", "start": 0, "end": 3, "note": ""}
    return [{**whole, **error} for error in errors]


def mark(item: Item, *errors: Mapping[str, Any], base_revision: int = 0, **values: Any) -> Receipt:
    """The same errors in every slot."""
    labels = item.slots.values_list("label", flat=True)
    slots = {label: {"spans": marked(*errors), **values} for label in labels}
    payload = {"slots": slots, "comment": "", "cannot_judge": None}
    return judge(item, payload=payload, base_revision=base_revision, elapsed_ms=20_000)


def mark_by_system(assignment: Assignment, errors: Mapping[str, Sequence[Mapping[str, Any]]], **values: Any) -> None:
    """Whatever stands for the system whose output the item shows; nothing for the others."""
    for item in assignment.items.exclude(level="context").order_by("position"):
        slot = item.slots.select_related("system").get()
        mark(item, *errors.get(slot.system.name, CLEAN), **values)
