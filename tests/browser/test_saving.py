"""A judgment is never lost, in a real browser: whatever happens, every answer arrives, once, with its value."""

from collections.abc import Callable
from statistics import median

import pytest
from playwright.sync_api import Error, Page, Route, expect

from campaigns.models import Campaign, Session
from tests.browser.accessibility import assert_accessible
from tests.browser.judging_page import API, JUDGMENTS, JudgingPage, cut_off_the_api, judgments_in, wait_until_judged
from tests.browser.watch import Watch
from tests.cast import PASSWORD, Cast, invite_annotators
from tests.planned_campaign import take
from tests.processes import wait_for

TEN = (31, 42, 53, 64, 75, 86, 97, 28, 39, 40)
OpenPage = Callable[..., Page]


def lose_network(watch: Watch, page: Page) -> None:
    watch.expect("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)


class TestWithoutANetwork:
    def test_ten_answers_are_stored_counted_and_sent_when_it_is_back(self, judging: JudgingPage, watch: Watch) -> None:
        lose_network(watch, judging.page)
        judging.judge(*TEN)
        judging.expect_state("Offline, 10 answers on this device")
        assert judgments_in(judging.assignment) == []
        judging.page.context.set_offline(False)
        judging.expect_state("Saved")
        wait_until_judged(judging.assignment, *TEN)
        judging.wait_until_all_is_sent()

    def test_loaded_items_can_be_judged_and_then_the_page_says_what_is_left(
        self, judging: JudgingPage, watch: Watch
    ) -> None:
        scores = tuple(range(20, 32))  # three texts of four: the current one and two ahead
        lose_network(watch, judging.page)
        judging.judge(*scores[:-1])
        judging.enter(scores[-1])
        judging.page.keyboard.press("Enter")
        alert = judging.page.locator("main [role=alert]")
        expect(alert).to_contain_text("You are offline")
        expect(alert).to_contain_text("12 answers are stored on this device and will be sent when you are online")
        judging.page.context.set_offline(False)
        judging.expect_place(12)
        wait_until_judged(judging.assignment, *scores)

    def test_a_reload_and_another_tab_lose_nothing(
        self, judging: JudgingPage, watch: Watch, dialogs: list[str]
    ) -> None:
        page = judging.page
        cut_off_the_api(watch, page)
        judging.judge(*TEN[:6])
        page.reload()
        expect(judging.state).to_contain_text("Not saved")
        page.context.unroute(API)
        page.reload()
        judging.expect_place(6)
        wait_until_judged(judging.assignment, *TEN[:6])
        assert dialogs == ["beforeunload"] * 2

    def test_an_answer_entered_before_a_failed_reload_is_sent_by_the_next_page(
        self, judging: JudgingPage, watch: Watch, dialogs: list[str]
    ) -> None:
        context = judging.page.context
        lose_network(watch, judging.page)
        judging.judge(*TEN)
        with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"):
            judging.page.reload()
        judging.page.close()
        context.set_offline(False)
        JudgingPage(context.new_page(), judging.assignment).open().expect_state("Saved")
        wait_until_judged(judging.assignment, *TEN)
        assert dialogs == ["beforeunload"]

    def test_answers_left_behind_are_sent_from_the_start_page(self, judging: JudgingPage, watch: Watch) -> None:
        context = judging.page.context
        lose_network(watch, judging.page)
        judging.judge(*TEN[:3])
        judging.page.close()
        context.set_offline(False)
        home = context.new_page()
        home.goto("/")
        expect(home.get_by_role("status")).to_contain_text("The answers stored on this device were sent.")
        wait_until_judged(judging.assignment, *TEN[:3])

    def test_a_change_of_an_unsent_answer_is_there_on_the_next_visit(self, judging: JudgingPage, watch: Watch) -> None:
        lose_network(watch, judging.page)
        judging.judge(31)
        judging.page.keyboard.press("Alt+ArrowLeft")
        judging.expect_place(0)
        judging.enter(64)
        wait_for(lambda: len(judging.stored()) == 2, what="the answer and its change on this device")
        judging.page.context.set_offline(False)
        judging.expect_state("Draft saved")
        wait_until_judged(judging.assignment, 31)
        judging.open().page.keyboard.press("Alt+ArrowLeft")
        expect(judging.page.locator(".dock input[type=range]")).to_have_attribute("aria-valuetext", "64 of 100")

    def test_two_tabs_that_hold_the_same_queue_send_it_once(self, judging: JudgingPage, watch: Watch) -> None:
        context = judging.page.context
        watch.expect("ERR_CONNECTION_REFUSED")
        context.route(JUDGMENTS, lambda route: route.abort("connectionrefused"))
        judging.judge(*TEN[:4])
        other = JudgingPage(context.new_page(), judging.assignment).open()
        expect(other.state).to_contain_text("Not saved")
        context.unroute(JUDGMENTS)
        for tab in (judging, other):
            tab.try_now()
            tab.expect_state("Saved")
        wait_until_judged(judging.assignment, *TEN[:4])
        other.wait_until_all_is_sent()

    def test_leaving_with_unsent_answers_asks_and_without_does_not(
        self, judging: JudgingPage, watch: Watch, dialogs: list[str]
    ) -> None:
        judging.judge(50)
        wait_until_judged(judging.assignment, 50)
        judging.expect_state("Saved")
        judging.open()
        assert dialogs == []
        cut_off_the_api(watch, judging.page)
        judging.judge(60)
        judging.page.goto("/settings/")
        assert dialogs == ["beforeunload"]


class TestASlowServer:
    def test_the_next_item_is_there_within_a_tenth_of_a_second(self, judging: JudgingPage) -> None:
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        judging.page.route(JUDGMENTS, hold)
        judging.page.evaluate("""() => {
          window.waits = [];
          const shown = () => document.querySelector(".doc [aria-current]")?.textContent;
          document.addEventListener("keydown", ({key}) => {
            if (key !== "Enter") return;
            const [begun, before] = [performance.now(), shown()];
            const look = () => {
              if (shown() === before) requestAnimationFrame(look);
              else window.waits.push(performance.now() - begun);
            };
            requestAnimationFrame(look);
          }, true);
        }""")
        judging.judge(*TEN[:9])  # two texts are finished on the way
        judging.expect_state("Saving")
        waits = judging.page.evaluate("window.waits")
        assert len(waits) == 9
        assert median(waits) < 100, waits
        for route in held:
            route.continue_()
        judging.page.unroute(JUDGMENTS)
        wait_until_judged(judging.assignment, *TEN[:9])

    def test_a_request_that_fails_is_repeated_and_the_page_says_when(self, judging: JudgingPage, watch: Watch) -> None:
        watch.expect("status of 503")
        judging.page.route(JUDGMENTS, lambda route: route.fulfill(status=503, json={"detail": "Busy."}))
        judging.judge(50)
        judging.judge(60)
        expect(judging.state).to_contain_text("Not saved, next try in 4 s")
        judging.page.unroute(JUDGMENTS)
        judging.try_now()
        wait_until_judged(judging.assignment, 50, 60)

    def test_a_receipt_that_is_lost_makes_no_second_judgment(self, judging: JudgingPage, watch: Watch) -> None:
        watch.expect("ERR_CONNECTION_RESET")

        def store_and_hang_up(route: Route) -> None:
            route.fetch()
            route.abort("connectionreset")

        judging.page.route(JUDGMENTS, store_and_hang_up, times=2)
        judging.judge(50, 60)
        expect(judging.state).to_contain_text("Not saved")
        expect(judging.state).to_have_text("Saved", timeout=15_000)
        wait_until_judged(judging.assignment, 50, 60)


class TestASessionThatEnded:
    def end_it_and_judge(self, judging: JudgingPage, watch: Watch) -> None:
        watch.expect("status of (401|403)")  # the second when the page's token is older than the new session
        Session.objects.all().delete()
        judging.judge(50)
        dialog = judging.page.get_by_role("dialog", name="You are signed out")
        expect(dialog).to_contain_text("Nothing is lost.")
        judging.page.keyboard.press("Escape")
        judging.judge(60)
        expect(judging.state).to_contain_text("Signed out, 2 answers on this device")
        judging.page.get_by_role("button", name="Try now").click()
        dialog.wait_for()

    def test_signing_in_with_the_password_sends_stored_answers(
        self, judging: JudgingPage, watch: Watch, cast: Cast
    ) -> None:
        self.end_it_and_judge(judging, watch)
        assert_accessible(judging.page)
        with judging.page.expect_popup() as opened:
            judging.page.get_by_role("link", name="Sign in again").click()
        tab = opened.value
        tab.get_by_label("Name", exact=False).first.fill(cast.annotator.username)
        tab.get_by_label("Password").fill(PASSWORD)
        tab.keyboard.press("Enter")
        tab.get_by_role("heading", name="My tasks").wait_for()
        judging.come_back()
        expect(judging.page.get_by_role("dialog")).to_have_count(0)
        wait_until_judged(judging.assignment, 50, 60)
        judging.judge(70)
        wait_until_judged(judging.assignment, 50, 60, 70)

    def test_signing_in_by_the_invitation_does_too(
        self, open_page: OpenPage, long_campaign: Campaign, cast: Cast, watch: Watch
    ) -> None:
        (issued,) = invite_annotators(campaign=long_campaign, count=1, by=cast.organiser)
        page = open_page()
        page.goto(issued.link)
        page.locator("main form button").click()
        page.get_by_role("button", name="Agree and begin").click()
        page.locator("#workbench .dock").wait_for()
        judging = JudgingPage(page, take(long_campaign, issued.invitation.account)).open()
        self.end_it_and_judge(judging, watch)
        tab = page.context.new_page()
        tab.goto(issued.link)
        tab.locator("main form button").click()
        tab.get_by_role("heading", name="My tasks").wait_for()
        judging.come_back()
        wait_until_judged(judging.assignment, 50, 60)
        expect(page.get_by_role("dialog")).to_have_count(0)
