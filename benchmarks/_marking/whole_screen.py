"""cESA: a document of 20 paragraphs by three systems on one screen, the last paragraph of 600 words."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from benchmarks._marking.made_up_site import MadeUpSite, made_up_item
from benchmarks._marking.timed_keys import timed

PARAGRAPHS, SYSTEMS, WORDS, LONG = 20, 3, 60, 600
FOCUSED = ".cell[aria-current] [role=option][tabindex='0']"
OPTIONS: dict[str, Any] = {
    "systems_per_screen": SYSTEMS,
    "order": "mark_then_score",
    "marks_below": 85,
    "tags": [{"name": "missing", "title": "missing"}, {"name": "instructions_fault", "title": "instructions fault"}],
    "mark_source": False,
}
# From the request for the page to the picture in which the first cell has its words, and to that of the last row.
WHEN_OPEN = """(() => {
  const shows = { opened: () => document.querySelector(".cell [role=option]"),
    whole: () => document.querySelectorAll(".crow").length === ROWS };
  globalThis.shownAt = {};
  new MutationObserver((_, watch) => {
    for (const name of Object.keys(shows).filter((name) => shows[name]())) {
      delete shows[name];
      requestAnimationFrame(() => setTimeout(() => {
        globalThis.shownAt[name] = performance.now();
        if (name === "whole") console.debug("whole");
      }));
    }
    if (!Object.keys(shows).length) watch.disconnect();
  }).observe(document, { childList: true, subtree: true });
})()""".replace("ROWS", str(PARAGRAPHS))


def _walk(page: Page) -> float:
    return timed(page, FOCUSED, "ArrowRight")


def _stretch(page: Page) -> float:
    return timed(page, FOCUSED, "ArrowRight", shiftKey=True)


def _mark(page: Page) -> float:
    page.locator(FOCUSED).press("Shift+ArrowRight")
    return timed(page, FOCUSED, "2")


def _undo(page: Page) -> float:
    return timed(page, FOCUSED, "z", ctrlKey=True)


def _redo(page: Page) -> float:
    return timed(page, FOCUSED, "z", ctrlKey=True, shiftKey=True)


def _next_mark(page: Page) -> float:
    return timed(page, FOCUSED, "]")


def _delete(page: Page) -> float:
    return timed(page, FOCUSED, "Delete")


def _score(page: Page) -> float:
    return timed(page, FOCUSED, "7")


def _next_cell(page: Page) -> float:
    return timed(page, FOCUSED, "Enter")


def _row_below(page: Page) -> float:
    took = timed(page, FOCUSED, "ArrowDown")
    timed(page, FOCUSED, "ArrowUp")
    return took


def _too_early(page: Page) -> float:
    """Submit leads to what is missing first: the beginning of the text."""
    took = timed(page, "#submit", "click")
    page.locator(".cell[aria-current]").first.wait_for()
    return took


ACTIONS: dict[str, Callable[[Page], float]] = {
    "screen: a word on": _walk,
    "screen: a word more": _stretch,
    "screen: mark": _mark,
    "screen: undo": _undo,
    "screen: redo": _redo,
    "screen: next mark": _next_mark,
    "screen: delete": _delete,
    "screen: score": _score,
    "screen: next cell": _next_cell,
    "screen: the row below": _row_below,
    "screen: submit too early": _too_early,
}


def site() -> MadeUpSite:
    items = [_item(place) for place in range(PARAGRAPHS)]
    return MadeUpSite("cesa", OPTIONS, items, ("protocols/cesa",))


def open_page(page: Page, address: str) -> None:
    """Says itself when it is whole: a search for elements from outside would take part of the time measured."""
    with page.expect_console_message(lambda message: message.text == "whole"):
        page.goto(address, wait_until="commit")
    page.locator(FOCUSED).wait_for()


def opened_ms(page: Page, what: str = "opened") -> float:
    return float(page.wait_for_function("(name) => globalThis.shownAt[name]", arg=what).json_value())


def elements(page: Page) -> int:
    return int(page.evaluate("document.body.querySelectorAll('*').length"))


def _item(place: int) -> dict[str, Any]:
    """The first is the one of 600 words, and each translation has a mark on its second words."""
    words = LONG if place == 0 else WORDS
    text = {letter: " ".join(f"{letter}ort{number}" for number in range(words)) + "." for letter in "ABC"[:SYSTEMS]}
    spans = [{"side": "target", "start": 6, "end": 12, "severity": "minor"}]
    slots = {letter: {"spans": spans, "tags": []} for letter in text}
    return made_up_item(
        place,
        " ".join(f"word{number}" for number in range(words)) + ".",
        [{"slot": letter, "text": text[letter], "columns": [column]} for column, letter in enumerate(text, start=1)],
        draft={"slots": slots, "comment": "", "cannot_judge": None},
    )
