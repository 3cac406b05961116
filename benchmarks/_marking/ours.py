"""The screen of cESA answered by mouse and by keyboard."""

from typing import Any

from playwright.sync_api import Browser, Locator, Page

from benchmarks._marking.counted import Effort, Hands, box_of
from benchmarks._marking.made_up_site import SITE, MadeUpSite, made_up_item
from benchmarks._marking.same_answers import ANSWERS, SOURCES, SYSTEMS, Judged, Mark
from benchmarks._marking.whole_screen import FOCUSED, OPTIONS

THUMB_PX, SMALL_THUMB_PX = 20, 12
KEYS = {"minor": "1", "major": "2"}
Efforts = tuple[Effort, Effort]


def by_mouse(browser: Browser) -> Efforts:
    page = _opened(browser)
    hands = Hands(page)
    with page.expect_request("**/screens") as sent, hands.timed():
        for judged in ANSWERS:
            _judge_by_mouse(hands, _cell(page, judged), judged)
        hands.click_on(page.locator("#submit"))
    _compare(sent.value.post_data_json)
    page.close()
    return hands.all, hands.marking


def by_keyboard(browser: Browser) -> Efforts:
    page = _opened(browser)
    hands = Hands(page)
    with page.expect_request("**/screens") as sent, hands.timed():
        for judged in ANSWERS:
            _judge_by_keyboard(hands, judged)
            if judged is not ANSWERS[-1]:
                hands.press("Enter")
        hands.press("Control+Enter")
    _compare(sent.value.post_data_json)
    page.close()
    return hands.all, hands.marking


def _judge_by_mouse(hands: Hands, cell: Locator, judged: Judged) -> None:
    for start, end, severity in judged.spans:
        with hands.a_mark():
            hands.drag(*box_of(cell.locator(".t"), start, end))
            hands.click_on(cell.locator(".tools label", has_text=severity.capitalize()))
    thumb = THUMB_PX if judged.marks else SMALL_THUMB_PX  # larger in the cell in focus, as it is after a mark
    hands.click_within(cell.locator("input[type=range]"), judged.score / 100, edge=thumb / 2)
    if judged.missing:  # the score has opened the tools of the cell
        hands.click_on(cell.locator(".tools .add").first)
        hands.click_on(cell.locator(".tools label", has_text=judged.missing.capitalize()))


def _judge_by_keyboard(hands: Hands, judged: Judged) -> None:
    at = 0
    for mark in judged.marks:
        with hands.a_mark():
            at = _mark_by_keyboard(hands, judged, mark, at)
    if judged.missing:
        hands.press("m", KEYS[judged.missing])
    hands.press(*str(judged.score))


def _mark_by_keyboard(hands: Hands, judged: Judged, mark: Mark, at: int) -> int:
    """Where the focus is then: stops are words of their own for the keys, and count."""
    before = judged.text.split(" ")
    first, last = (sum(1 + word.endswith((",", ".")) for word in before[:place]) for place in (mark.first, mark.last))
    hands.press(*["ArrowRight"] * (first - at))
    hands.press(*(["Shift+ArrowRight"] * (last - first) if last > first else ["Space"]))
    hands.press(KEYS[mark.severity])
    return last


def _opened(browser: Browser) -> Page:
    page = browser.new_page(viewport={"width": 1600, "height": 1200}, locale="en-US")
    page.route(f"{SITE}/**", _site().answer)
    page.goto(f"{SITE}/")
    page.locator(FOCUSED).wait_for()
    return page


def _cell(page: Page, judged: Judged) -> Locator:
    return page.locator(".crow").nth(judged.segment).locator(".cell").nth(SYSTEMS.index(judged.system))


def _site() -> MadeUpSite:
    cells = {segment: [judged for judged in ANSWERS if judged.segment == segment] for segment in range(len(SOURCES))}
    items = [
        made_up_item(
            segment,
            SOURCES[segment],
            [{"slot": "ABC"[place], "text": judged.text, "columns": [place + 1]} for place, judged in enumerate(row)],
        )
        for segment, row in cells.items()
    ]
    return MadeUpSite("cesa", OPTIONS, items, ("protocols/cesa",))


def _compare(sent: Any) -> None:
    for judged in ANSWERS:
        slot = sent["judgments"][judged.segment]["answer"]["slots"]["ABC"[SYSTEMS.index(judged.system)]]
        spans = [(span["start"], span["end"], span["severity"]) for span in slot["spans"]]
        tags = [tag["severity"] for tag in slot["tags"]]
        expected = (judged.spans, [judged.missing] if judged.missing else [], judged.score)
        if (spans, tags, slot["score"]) != expected:
            raise AssertionError(f"Sent {spans}, {tags}, {slot['score']} instead of {expected}.")
