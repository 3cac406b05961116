"""Tabs, browsers and servers that end without warning, and browsers without a place to keep anything."""

import csv
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from annotation.models import Draft
from bootstrap.browser import find_browser
from tests.browser.conftest import FLAGS
from tests.browser.judging_page import DRAFTS, JUDGMENTS, JudgingPage, wait_until_judged
from tests.browser.served import DESK
from tests.browser.watch import Watch
from tests.cast import PASSWORD
from tests.empty_databases import put_on_sqlite
from tests.processes import ROOT, embedded_environment, free_port, run_python, serving, wait_for

OpenPage = Callable[..., Page]
COMMENT = "The second half is missing."
DRAFT = {"slots": {"A": {"score": 74}}, "comment": COMMENT, "cannot_judge": None}


def begin_an_answer(judging: JudgingPage) -> None:
    """A score and a comment, kept on the device, which the server does not get to know."""
    judging.page.route(DRAFTS, lambda _route: None)
    judging.enter(74)
    judging.page.get_by_role("button", name="Comment").click()
    judging.page.get_by_role("textbox", name="Comment").fill(COMMENT)
    judging.page.keyboard.press("Escape")
    wait_for(lambda: DRAFT in [stored["answer"] for stored in judging.stored()], what="the draft on this device")
    assert not Draft.objects.exists()


def expect_it_goes_on(judging: JudgingPage) -> None:
    expect(judging.page.locator(".dock input[type=range]")).to_have_attribute("aria-valuetext", "74 of 100")
    wait_for(lambda: Draft.objects.filter(answer=DRAFT).exists(), what="the draft at the server")
    judging.page.get_by_role("button", name="Edit the comment").click()
    expect(judging.page.get_by_role("textbox", name="Comment")).to_have_value(COMMENT)
    judging.page.keyboard.press("Control+Enter")


def test_a_draft_survives_the_tab_it_was_written_in(judging: JudgingPage) -> None:
    begin_an_answer(judging)
    with judging.page.expect_event("crash"), suppress(Error):
        judging.page.goto("chrome://crash")
    again = JudgingPage(judging.page.context.new_page(), judging.assignment).open()
    expect_it_goes_on(again)
    wait_until_judged(again.assignment, 74)
    again.wait_until_all_is_sent()


def test_a_draft_reaches_the_server_when_the_page_is_left(judging: JudgingPage) -> None:
    judging.enter(74)
    judging.page.goto("/settings/")
    wait_for(lambda: Draft.objects.filter(answer__slots__A__score=74).exists(), what="the draft at the server")


class TestABrowserThatIsKilled:
    @pytest.fixture
    def start(
        self, browser: Browser, judging: JudgingPage, site: str, watch: Watch, tmp_path: Path
    ) -> Iterator[Callable[[], JudgingPage]]:
        """A browser with a profile that outlives it, for Anna."""
        cookies = judging.page.context.cookies()
        begun: list[BrowserContext] = []

        def started() -> JudgingPage:
            context = browser.browser_type.launch_persistent_context(
                tmp_path / "profile",
                executable_path=find_browser(),
                args=FLAGS,
                base_url=site,
                locale="en-US",
                viewport=DESK,
                reduced_motion="reduce",
            )
            begun.append(context)
            watch.look_at(context)
            context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": site} for cookie in cookies])
            return JudgingPage(context.new_page(), judging.assignment).open()

        yield started
        begun[-1].close()

    def test_its_stored_answers_are_sent_by_the_next(self, start: Callable[[], JudgingPage], tmp_path: Path) -> None:
        judging = start()
        judging.page.route(JUDGMENTS, lambda _route: None)
        judging.judge(61, 72, 83)
        begin_an_answer(judging)
        kill_browser(tmp_path / "profile")
        again = start()
        again.expect_place(3)
        expect_it_goes_on(again)
        wait_until_judged(again.assignment, 61, 72, 83, 74)
        again.wait_until_all_is_sent()


def kill_browser(profile: Path) -> None:
    """All processes of the browser that was started with this profile, at once."""
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            is_its = str(profile).encode() in process.read_bytes()
        except OSError:
            continue
        if is_its:
            os.kill(int(process.parent.name), signal.SIGKILL)


class TestNoPlaceToKeepAnything:
    def judge_all_the_same(self, judging: JudgingPage, watch: Watch, message: str) -> None:
        notice = judging.page.get_by_role("alert").filter(has_text=message)
        judging.judge(61)
        notice.wait_for()
        wait_until_judged(judging.assignment, 61)
        watch.expect("ERR_INTERNET_DISCONNECTED")
        judging.page.context.set_offline(True)
        judging.judge(72)
        judging.expect_state("Offline, 1 answer in this tab")
        judging.page.context.set_offline(False)
        wait_until_judged(judging.assignment, 61, 72)

    def test_without_a_database_the_page_says_so_and_goes_on(self, judging: JudgingPage, watch: Watch) -> None:
        judging.page.add_init_script("Object.defineProperty(window, 'indexedDB', {value: undefined})")
        self.judge_all_the_same(judging.open(), watch, "Your browser does not let this site store anything.")

    def test_on_a_full_disk_too(self, judging: JudgingPage, watch: Watch) -> None:
        full = "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }"
        judging.page.add_init_script(full)
        self.judge_all_the_same(judging.open(), watch, "The storage of this device is full.")


PREPARE = """
import json
from tests.browser.long_texts import make_long_campaign
from tests.cast import make_cast
from tests.planned_campaign import take
cast = make_cast()
print(take(make_long_campaign(cast), cast.annotator).pk)
"""


@pytest.mark.servers
def test_a_server_killed_and_started_again_gets_every_answer_once(browser: Browser, tmp_path: Path) -> None:
    scores = [31, 42, 53, 64, 75, 86, 97, 28, 39, 40]
    data = tmp_path / "data"
    put_on_sqlite(data)
    port, environment = free_port(), embedded_environment(data)
    watch = Watch(site=f"http://127.0.0.1:{port}")
    watch.expect("ERR_(CONNECTION_(REFUSED|RESET)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|CONTENT_LENGTH_MISMATCH)")
    context = browser.new_context(base_url=watch.site, locale="en-US", viewport=DESK, reduced_motion="reduce")
    watch.look_at(context)
    page = context.new_page()
    with serving(data, port=port) as server:
        assignment = int(run_python(PREPARE, environment=environment))
        page.goto(f"/sign-in/?next=/assignments/{assignment}/")
        page.locator("[name=username]").fill("anna")
        page.locator("[name=password]").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.locator("#workbench .dock").wait_for()
        judge(page, scores[:4])
        os.killpg(server.pid, signal.SIGKILL)
        judge(page, scores[4:])
        expect(page.locator(".bar .save")).to_contain_text("Not saved")
    with serving(data, port=port):
        with suppress(Error):  # it may try by itself just now
            page.get_by_role("button", name="Try now").click(timeout=1000)
        expect(page.locator(".bar .save")).to_have_text("Saved", timeout=15_000)
        rows = exported(environment)
    context.close()
    assert not watch.complaints(), "\n".join(watch.complaints())
    assert sorted(int(float(row["value"])) for row in rows) == sorted(scores)
    assert len({row["judgment"] for row in rows}) == len(scores)
    assert [int(float(row["value"])) for row in sorted(rows, key=lambda row: int(row["position"]))] == scores


def judge(page: Page, scores: list[int]) -> None:
    current = page.locator(".doc [aria-current]")
    for score in scores:
        before = current.inner_text()
        page.keyboard.type(str(score))
        page.keyboard.press("Enter")
        expect(current).not_to_have_text(before)


def exported(environment: dict[str, str]) -> list[dict[str, str]]:
    command = [sys.executable, "manage.py", "export", "Long campaign", "--format", "csv", "--output", "-"]
    done = subprocess.run(command, cwd=ROOT, env=environment, text=True, check=True, capture_output=True)
    return list(csv.DictReader(done.stdout.splitlines()))
