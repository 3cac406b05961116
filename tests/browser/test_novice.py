"""A novice finishes every protocol by clicks alone, following the reasons the page gives, and writes only where the
protocol asks for a text."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.protocols import PROTOCOLS
from campaigns.models import TestSet
from tests.annotation.protocols.sampled import samples_of
from tests.browser.judged_by import CODE
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign, take
from tests.sample_questions import ask_questions

MOST_CLICKS = 400
MOST_SECONDS = 40
QUOTED = re.compile("“([^”]+)”")
WRITTEN = frozenset({"gisting", "post_editing"})  # their answers are texts
ON_THE_TRACK = 0.9


class Novice:
    """Presses the main button; where that is refused, does what the reason says at the place in focus."""

    def __init__(self, page: Page, *, may_write: bool) -> None:
        self.page = page
        self.may_write = may_write
        self.clicks = 0
        self.refused = 0

    def click(self, control: Locator) -> None:
        assert self.clicks < MOST_CLICKS, "stuck"
        self.clicks += 1
        control.click()

    def finish(self) -> None:
        end = time.monotonic() + MOST_SECONDS
        while not self.page.get_by_text(CODE).count():
            assert time.monotonic() < end, self.page.locator("body").inner_text()
            if not self.page.locator("#submit").count():
                self.page.wait_for_timeout(50)
                continue
            self.click(self.page.locator("#submit"))
            if self.page.locator(".dock .complaint").count() and (why := self.reason()):
                self.refused += 1
                self.do(why)

    def reason(self) -> str:
        return self.page.locator(".dock .complaint").inner_text()

    def do(self, why: str) -> None:
        if quoted := QUOTED.search(why):
            named = self.page.locator(".dock button").filter(has_text=quoted[1]).filter(visible=True)
            if named.count():
                self.click(named.first)
                return
        expect(self.page.locator(":focus"), why).to_have_count(1)
        focused = self.page.locator(":focus")
        kind = focused.evaluate("e => e.inputMode === 'numeric' ? 'number' : e.type ?? e.localName")
        if kind == "number":
            self.click_on_the_track(focused)
        elif kind in ("text", "textarea"):
            assert self.may_write, why
            self.clicks += 1
            focused.fill("The ferry left late.")
        elif kind == "radio":
            self.click(self.page.locator("label").filter(has=focused).first)
        else:
            self.click(focused)

    def click_on_the_track(self, field: Locator) -> None:
        """Of the slider beside a number."""
        track = self.page.locator("div").filter(has=field).last.locator("input[type=range]")
        box = track.bounding_box()
        assert box
        self.clicks += 1
        track.click(position={"x": box["width"] * ON_THE_TRACK, "y": box["height"] / 2})


@pytest.mark.drawn(4)
@pytest.mark.parametrize("name", sorted(PROTOCOLS))
def test_who_only_follows_the_page_finishes_every_protocol(
    open_page: Callable[..., Page],
    test_set: TestSet,
    cast: Cast,
    record_property: Callable[[str, object], None],
    name: str,
) -> None:
    ask_questions(test_set)
    campaign = make_planned_campaign(test_set, cast, protocol=name, options=samples_of(name)["options"])
    page = open_page(cast.annotator)
    page.set_default_timeout(15_000)
    page.goto(f"/assignments/{take(campaign, cast.annotator).pk}/")
    page.locator("#workbench .dock").wait_for()
    began, novice = time.monotonic(), Novice(page, may_write=name in WRITTEN)
    novice.finish()
    record_property("novice", f"{novice.clicks} clicks, refused {novice.refused}, {time.monotonic() - began:.1f} s")
    assert novice.refused, "nothing was missing at the beginning"
