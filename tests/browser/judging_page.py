"""The workbench as an annotator uses it, and what of it lies on the device and at the server."""

import re
from contextlib import suppress
from typing import Any

from playwright.sync_api import Error, Locator, Page, expect

from annotation.models import Assignment, Judgment
from tests.browser.watch import Watch
from tests.processes import wait_for

API = "**/api/v1/**"
JUDGMENTS = re.compile(r"/api/v1/.+/judgments(\?|$)")  # with and without the request for the next texts
DRAFTS = "**/api/v1/**/draft"

READ_STORED = """(account) => new Promise((resolve, reject) => {
  const opening = indexedDB.open(`assay:${account}`);
  opening.onerror = () => reject(opening.error);
  opening.onupgradeneeded = () => opening.transaction.abort();
  opening.onsuccess = () => {
    const reading = opening.result.transaction("kept").objectStore("kept").getAll();
    reading.onsuccess = () => { opening.result.close(); resolve(reading.result); };
    reading.onerror = () => reject(reading.error);
  };
})"""


class JudgingPage:
    def __init__(self, page: Page, assignment: Assignment) -> None:
        self.page = page
        self.assignment = assignment

    @property
    def state(self) -> Locator:
        return self.page.locator(".bar .save")

    @property
    def current(self) -> Locator:
        return self.page.locator(".doc [aria-current]")

    def open(self) -> "JudgingPage":
        self.page.goto(f"/assignments/{self.assignment.pk}/")
        self.page.locator("#workbench .dock").wait_for()
        return self

    def expect_place(self, place: int) -> None:
        """Which item is asked; the first has place 0."""
        item = self.assignment.items.select_related("segment").order_by("position")[place]
        assert item.segment is not None
        assert item.segment.source is not None
        expect(self.current).to_contain_text(item.segment.source)

    def enter(self, score: int) -> None:
        self.page.keyboard.type(str(score))
        expect(self.page.locator(".dock input[type=range]")).to_have_attribute("aria-valuetext", f"{score} of 100")

    def judge(self, *scores: int) -> None:
        """By keyboard, one item after the other."""
        for score in scores:
            before = self.current.inner_text()
            self.enter(score)
            self.page.keyboard.press("Enter")
            expect(self.current).not_to_have_text(before)

    def try_now(self) -> None:
        with suppress(Error):  # it may be trying by itself just now
            self.page.get_by_role("button", name="Try now").click(timeout=1000)

    def come_back(self) -> None:
        """From another tab. Without a screen every tab has the focus, so that none is told of getting it."""
        self.page.bring_to_front()
        self.page.evaluate("window.dispatchEvent(new Event('focus'))")

    def expect_state(self, words: str) -> None:
        expect(self.state).to_have_text(words)

    def stored(self) -> list[dict[str, Any]]:
        """What lies in this browser for the assignment's annotator."""
        return stored_for(self.page, self.assignment.annotator_id)

    def wait_until_all_is_sent(self) -> None:
        wait_for(lambda: not self.stored(), what="this browser to keep nothing", seconds=10)


def stored_for(page: Page, account: int | None) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = page.evaluate(READ_STORED, account)
    return entries


def judgments_in(assignment: Assignment) -> list[tuple[int, int, int]]:
    """What the database holds: place in the assignment, revision, score, all revisions there are."""
    rows = Judgment.objects.filter(item__assignment=assignment).order_by("item__position", "revision")
    places = {
        item: place for place, item in enumerate(assignment.items.order_by("position").values_list("pk", flat=True))
    }
    return [(places[row.item_id], row.revision, row.answer["slots"]["A"]["score"]) for row in rows]


def wait_until_judged(assignment: Assignment, *scores: int) -> None:
    """Each arrived, once, with its value, by the annotator whose it is."""
    wait_for(lambda: len(judgments_in(assignment)) >= len(scores), what=f"{len(scores)} judgments", seconds=15)
    assert judgments_in(assignment) == [(place, 1, score) for place, score in enumerate(scores)]
    judges = Judgment.objects.filter(item__assignment=assignment).values_list("annotator", flat=True)
    assert set(judges) == {assignment.annotator_id}


def cut_off_the_api(watch: Watch, page: Page) -> None:
    """Pages come, but no request of a script arrives."""
    watch.expect("ERR_CONNECTION_REFUSED")
    page.context.route(API, lambda route: route.abort("connectionrefused"))
