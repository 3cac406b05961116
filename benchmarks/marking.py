"""How soon a page answers while errors are marked, from the key to the picture: a text of MQM, a screen of cESA.

The page's own script and style sheets run in a real Chromium; what the server would say is made up here.
"""

import statistics
import sys
from collections.abc import Callable
from types import ModuleType

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks._marking import one_text, whole_screen
from benchmarks._marking.made_up_site import SITE
from bootstrap.browser import find_browser

PROMISED_MS, PROMISED_OPEN_MS, PROMISED_ELEMENTS = 50.0, 300.0, 3000
TIMES = 15
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def main() -> int:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        measured: dict[str, list[float]] = {}
        for part in (one_text, whole_screen):
            page = _opened(browser, part)
            measured |= _measured(page, part.ACTIONS)
            page.close()
        is_light = _opens_soon(browser)
        browser.close()
    for name, times in measured.items():
        sys.stdout.write(f"{name}: median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms\n")
    slowest = max(statistics.median(times) for times in measured.values())
    sys.stdout.write(f"the slowest of {len(measured)}: {slowest:.1f} ms (promised: under {PROMISED_MS:.0f} ms)\n")
    return 0 if slowest < PROMISED_MS and is_light else 1


def _opened(browser: Browser, part: ModuleType) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, locale="en-US")
    page.route(f"{SITE}/**", part.site().answer)
    page.add_init_script(part.WHEN_OPEN)
    page.goto(f"{SITE}/")
    part.wait_until_open(page)
    return page


def _measured(page: Page, actions: dict[str, Callable[[Page], float]]) -> dict[str, list[float]]:
    return {name: [action(page) for _ in range(TIMES)][3:] for name, action in actions.items()}


def _opens_soon(browser: Browser) -> bool:
    """The screen of cESA, from the request to the picture; each time in a page without anything stored."""
    times, wholes, counts = [], [], []
    for _ in range(TIMES):
        page = _opened(browser, whole_screen)
        times.append(whole_screen.opened_ms(page))
        wholes.append(whole_screen.opened_ms(page, "whole"))
        counts.append(whole_screen.elements(page))
        page.close()
    took, count = statistics.median(times), max(counts)
    sys.stdout.write(f"screen: opens in {took:.0f} ms (promised: under {PROMISED_OPEN_MS:.0f} ms), ")
    sys.stdout.write(f"with its last row in {statistics.median(wholes):.0f} ms\n")
    sys.stdout.write(f"screen: {count} elements (promised: under {PROMISED_ELEMENTS})\n")
    return took < PROMISED_OPEN_MS and count < PROMISED_ELEMENTS


if __name__ == "__main__":
    sys.exit(main())
