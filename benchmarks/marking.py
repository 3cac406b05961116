"""How soon a page answers while errors are marked: a text of 40 segments with 60 errors, from the key to the picture.

The page's own script and style sheets run in a real Chromium; what the server would say is made up here.
"""

import json
import statistics
import sys
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route, expect, sync_playwright

from bootstrap.browser import find_browser
from bootstrap.places import FRONTEND

SEGMENTS, ERRORS, WORDS = 40, 60, 30
PROMISED_MS = 50.0
TIMES = 15
SITE = "http://bench.test"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
# From the event to the task after the picture that shows it. Waiting for the picture counts: up to 17 ms.
TIMED = """([what, key, init]) => new Promise((resolve) => {
  const on = what === "document" ? document.body : document.querySelector(what) ?? document.activeElement;
  if (what.includes("option")) on.focus();
  const begun = performance.now();
  if (key === "click") on.click();
  else on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init }));
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve(performance.now() - begun);
    channel.port2.postMessage(0);
  });
})"""


def main() -> int:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800}, locale="en-US")
        page.route(f"{SITE}/**", _answer)
        page.goto(f"{SITE}/")
        page.locator("[data-side=target] [role=option]").first.wait_for()
        expect(page.locator(".doc > .seg")).to_have_count(SEGMENTS)
        expect(page.locator(".u b")).to_have_count(ERRORS)
        measured = {name: [action(page) for _ in range(TIMES)][3:] for name, action in ACTIONS.items()}
        browser.close()
    for name, times in measured.items():
        sys.stdout.write(f"{name}: median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms\n")
    slowest = max(statistics.median(times) for times in measured.values())
    sys.stdout.write(f"the slowest of {len(measured)}: {slowest:.1f} ms (promised: under {PROMISED_MS:.0f} ms)\n")
    return 0 if slowest < PROMISED_MS else 1


def _timed(page: Page, what: str, key: str, **held: bool) -> float:
    return float(page.evaluate(TIMED, [what, key, held]))


FOCUSED = "[data-side=target] [role=option]:focus, [data-side=target] [role=option][tabindex='0']"


def _walk(page: Page) -> float:
    return _timed(page, FOCUSED, "ArrowRight")


def _stretch(page: Page) -> float:
    return _timed(page, FOCUSED, "ArrowRight", shiftKey=True)


def _open(page: Page) -> float:
    page.keyboard.press("Escape")
    page.locator(FOCUSED).first.focus()
    return _timed(page, FOCUSED, "Enter")


def _mark(page: Page) -> float:
    if not page.locator(".pop").count():
        _open(page)
    page.keyboard.type("1mistr")
    took = _timed(page, "#category", "Enter")
    page.locator(".pop").wait_for(state="detached")
    return took


def _undo(page: Page) -> float:
    return _timed(page, "document", "z", ctrlKey=True)


def _redo(page: Page) -> float:
    return _timed(page, "document", "z", ctrlKey=True, shiftKey=True)


def _next(page: Page) -> float:
    return _timed(page, FOCUSED, "]")


def _move_edge(page: Page) -> float:
    return _timed(page, FOCUSED, "ArrowRight", shiftKey=True)


def _delete(page: Page) -> float:
    page.locator(FOCUSED).first.focus()
    page.keyboard.press("]")
    return _timed(page, FOCUSED, "Delete")


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


def _answer(route: Route) -> None:
    path = route.request.url.removeprefix(SITE)
    if path == "/":
        return route.fulfill(content_type="text/html", body=_page())
    if path.startswith("/static/"):
        return route.fulfill(path=FRONTEND / path.lstrip("/"))
    if "/items" in path and route.request.method == "GET":
        items = [] if "after=" in path and "after=&" not in path and not path.endswith("after=") else _items()
        return route.fulfill(json={"items": items, "context": [], "done": SEGMENTS - 1, "total": SEGMENTS} | AT_WORK)
    return route.fulfill(status=204, body="")


AT_WORK: dict[str, Any] = {"completion_code": None, "is_withdrawn": False, "has_more": False}


def _page() -> str:
    sheets = "".join(f'<link rel="stylesheet" href="/static/css/{name}.css">' for name in ("assay", "judging"))
    data = json.dumps(_page_data()).replace("<", "\\u003c")
    return (
        f'<!doctype html><html lang="en"><head><title>Marking</title>{sheets}</head><body>'
        f'<input type="hidden" name="csrfmiddlewaretoken" value="x"><div id="workbench"></div>'
        f'<script id="workbench-data" type="application/json">{data}</script>'
        f'<script src="/static/build/workbench-mqm.js" defer></script></body></html>'
    )


def _page_data() -> dict[str, Any]:
    options = {
        "typology": {
            "categories": [
                _category(title, ("Mistranslation", "Omission", "Other")) for title in ("Accuracy", "Fluency", "Style")
            ]
        },
        "severities": ["neutral", "minor", "major"],
        "mark_source": True,
        "most_errors": 0,
        "systems_per_screen": 1,
    }
    campaign = {"name": "Bench", "slug": "bench", "planning": "static", "protocol": "mqm", "title": "MQM"}
    return {
        "assignment": "1",
        "account": "1",
        "campaign": campaign | {"options": options},
        "source": {"language": "en", "name": "English", "direction": "ltr"},
        "target": {"language": "de", "name": "German", "direction": "ltr"},
        "guidelines": "",
        "review": False,
        "single_keys": True,
        "idle_seconds": 60,
        "urls": {"api": "/api/v1/", "home": "/", "sign_in": "/", "settings": "/"},
        "reasons": {"cannot_judge": {}, "report": {}},
        "catalogue": {},
    }


def _category(title: str, below: tuple[str, ...] = ()) -> dict[str, Any]:
    rules = {"description": "", "severity": "", "needs_note": False, "annuls_others": False, "side": ""}
    return {
        "name": title.lower(),
        "title": title,
        "can_be_chosen": not below,
        "subcategories": [_category(name) for name in below],
    } | rules


def _items() -> list[dict[str, Any]]:
    """Each is answered but the first, which has a draft: the page begins there."""
    return [_item(place) for place in range(SEGMENTS)]


def _item(place: int) -> dict[str, Any]:
    text = " ".join(f"Wort{number}" for number in range(WORDS)) + "."
    count = ERRORS - (SEGMENTS - 1) if place == 0 else 1  # the one being marked has many that overlap
    spans = [
        {"side": "target", "start": 6 * number, "end": 6 * number + 40, "severity": "minor", "note": ""}
        | {"category": "accuracy/mistranslation"}
        for number in range(count)
    ]
    answer = {"slots": {"A": {"spans": spans}}, "comment": "", "cannot_judge": None}
    return {
        "id": f"item-{place}",
        "document": "one",
        "title": "One long text",
        "level": "segment",
        "position": place,
        "source": " ".join(f"word{number}" for number in range(WORDS)) + ".",
        "reference": None,
        "slots": [{"slot": "A", "text": text}],
        "questions": [],
        "suggested": [],
        "draft": answer if place == 0 else None,
        "answer": None if place == 0 else answer,
        "revision": int(place > 0),
    }


if __name__ == "__main__":
    sys.exit(main())
