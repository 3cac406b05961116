"""MQM: a text of 40 segments with 60 errors, 21 of which overlap in the segment that is being marked."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from benchmarks._marking.made_up_site import MadeUpSite, made_up_item
from benchmarks._marking.timed_keys import timed

SEGMENTS, ERRORS, WORDS = 40, 60, 30
WHEN_OPEN = ""  # not measured

FOCUSED = "[data-side=target] [role=option]:focus, [data-side=target] [role=option][tabindex='0']"


def _walk(page: Page) -> float:
    return timed(page, FOCUSED, "ArrowRight")


def _stretch(page: Page) -> float:
    return timed(page, FOCUSED, "ArrowRight", shiftKey=True)


def _open(page: Page) -> float:
    page.keyboard.press("Escape")
    page.locator(FOCUSED).first.focus()
    return timed(page, FOCUSED, "Enter")


def _mark(page: Page) -> float:
    if not page.locator(".pop").count():
        _open(page)
    page.keyboard.type("1mistr")
    took = timed(page, "#category", "Enter")
    page.locator(".pop").wait_for(state="detached")
    return took


def _undo(page: Page) -> float:
    return timed(page, "document", "z", ctrlKey=True)


def _redo(page: Page) -> float:
    return timed(page, "document", "z", ctrlKey=True, shiftKey=True)


def _next(page: Page) -> float:
    return timed(page, FOCUSED, "]")


def _move_edge(page: Page) -> float:
    return timed(page, FOCUSED, "ArrowRight", shiftKey=True)


def _delete(page: Page) -> float:
    page.locator(FOCUSED).first.focus()
    page.keyboard.press("]")
    return timed(page, FOCUSED, "Delete")


ACTIONS: dict[str, Callable[[Page], float]] = {
    "a word on": _walk,
    "a word more": _stretch,
    "open the dialog": _open,
    "mark": _mark,
    "undo": _undo,
    "redo": _redo,
    "next error": _next,
    "move an edge": _move_edge,
    "delete": _delete,
}


def site() -> MadeUpSite:
    """Each segment is answered but the first, which has a draft: the page begins there."""
    titles = ("Accuracy", "Fluency", "Style")
    options = {
        "typology": {"categories": [_category(title, ("Mistranslation", "Omission", "Other")) for title in titles]},
        "severities": ["neutral", "minor", "major"],
        "mark_source": True,
        "most_errors": 0,
        "systems_per_screen": 1,
    }
    items = [_item(place) for place in range(SEGMENTS)]
    return MadeUpSite("mqm", options, items, ("judging_rows",), done=SEGMENTS - 1)


def open_page(page: Page, address: str) -> None:
    page.goto(address)
    page.locator("[data-side=target] [role=option]").first.wait_for()
    expect(page.locator(".doc > .seg")).to_have_count(SEGMENTS)
    expect(page.locator(".u b")).to_have_count(ERRORS)


def _category(title: str, below: tuple[str, ...] = ()) -> dict[str, Any]:
    rules = {"description": "", "severity": "", "needs_note": False, "annuls_others": False, "side": ""}
    return {
        "name": title.lower(),
        "title": title,
        "can_be_chosen": not below,
        "subcategories": [_category(name) for name in below],
    } | rules


def _item(place: int) -> dict[str, Any]:
    text = " ".join(f"Wort{number}" for number in range(WORDS)) + "."
    count = ERRORS - (SEGMENTS - 1) if place == 0 else 1  # the one being marked has many that overlap
    spans = [
        {"side": "target", "start": 6 * number, "end": 6 * number + 40, "severity": "minor", "note": ""}
        | {"category": "accuracy/mistranslation"}
        for number in range(count)
    ]
    answer = {"slots": {"A": {"spans": spans}}, "comment": "", "cannot_judge": None}
    source = " ".join(f"word{number}" for number in range(WORDS)) + "."
    entered = {"draft": answer} if place == 0 else {"answer": answer, "revision": 1}
    return made_up_item(place, source, [{"slot": "A", "text": text}], **entered)
