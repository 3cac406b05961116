"""How soon a page answers while errors are marked, from the key to the picture: a text of MQM, a screen of cESA.
Beside Pearmut: how many clicks and keys the same answers take on both pages. There and back: a campaign of ours is
judged on Pearmut's page, and its answers come back in.

The page's own script and style sheets run in a real Chromium; what the server would say is made up here.
"""

import argparse
import statistics
import sys
from collections.abc import Callable
from types import ModuleType

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks._judging.contestant import BenchmarkFailed
from benchmarks._judging.machine import describe_machine
from benchmarks._judging.page_section import write_part
from benchmarks._marking import one_text, side_by_side, there_and_back, whole_screen
from benchmarks._marking.made_up_site import SITE
from bootstrap.browser import find_browser
from bootstrap.places import ROOT
from bootstrap.steps import say

PROMISED_MS, PROMISED_OPEN_MS, PROMISED_ELEMENTS = 50.0, 300.0, 3000
TIMES = 15
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


PAGE = ROOT / "docs" / "benchmarks.md"


def main() -> int:
    options = _options()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        if options.beside:
            return _compared(browser, is_written=options.write)
        if options.there_and_back:
            return _came_back(browser)
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


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./assay bench marking", description=__doc__)
    parser.add_argument("--beside", choices=["pearmut"], help="count clicks and keys on both pages instead")
    parser.add_argument("--there-and-back", choices=["pearmut"], help="judge a campaign of ours there, and read it in")
    parser.add_argument("--write", action="store_true", help=f"put what was counted into docs/{PAGE.name}")
    return parser.parse_args()


def _compared(browser: Browser, *, is_written: bool) -> int:
    try:
        counted = side_by_side.counted(browser)
    except BenchmarkFailed as error:
        say(str(error))
        return 1
    text = f"- Measured on {describe_machine()}\n\n{side_by_side.table(counted)}"
    sys.stdout.write(f"{text}\n")
    if is_written:
        write_part(PAGE, "marking", text)
    return 0 if side_by_side.has_fewer(counted) else 1


def _came_back(browser: Browser) -> int:
    try:
        say(there_and_back.check_there_and_back(browser))
    except BenchmarkFailed as error:
        say(str(error))
        return 1
    return 0


def _opened(browser: Browser, part: ModuleType) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, locale="en-US")
    page.route(f"{SITE}/**", part.site().answer)
    page.add_init_script(part.WHEN_OPEN)
    part.open_page(page, f"{SITE}/")
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
