"""A campaign of corrected translations, judged as a page judges, with numbers small enough to redo by hand."""

from collections.abc import Mapping
from typing import Any

from annotation.actions.submitting import Receipt
from annotation.models import Assignment, Item
from campaigns.models import Campaign, TestSet
from tests.cast import Cast
from tests.planned_campaign import judge, make_planned_campaign

SECONDS = 30


def make_post_editing(test_set: TestSet, cast: Cast, **parameters: Any) -> Campaign:
    return make_planned_campaign(test_set, cast, name="Corrections", protocol="post_editing", **parameters)


def correct(item: Item, text: str | None = None, *, base_revision: int = 0, **more: Any) -> Receipt:
    """The text as it is left; as it was shown without `text`."""
    slot = item.slots.select_related("translation").get()
    shown = slot.damaged if slot.damaged is not None else slot.translation.text if slot.translation else ""
    answer: Mapping[str, Any] = {"text": shown if text is None else text, "keystrokes": 5, "steps": []}
    payload = {"slots": {"A": answer}, "comment": "", "cannot_judge": None}
    times = {"elapsed_ms": 2_000 * SECONDS, "active_ms": 1_000 * SECONDS}
    return judge(item, payload=payload, base_revision=base_revision, **(times | more))


def shown_to(assignment: Assignment) -> list[tuple[Item, str]]:
    """The judged items, each with the text it shows."""
    items = assignment.items.exclude(level="context").order_by("position").prefetch_related("slots__translation")
    slots = [(item, slot.translation) for item in items for slot in item.slots.all()]
    return [(item, translation.text or "") for item, translation in slots if translation is not None]


def without_last_word(text: str) -> str:
    return text.rsplit(" ", 1)[0]


def correct_all(assignment: Assignment) -> None:
    """Every translation loses its last word."""
    for item, text in shown_to(assignment):
        correct(item, without_last_word(text))
