"""What was kept waits for a decision, or for its own account: conflicts, refusals, signing out, a shared device."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from annotation.models import Assignment, Judgment
from campaigns.models import Account
from tests.browser.accessibility import assert_accessible
from tests.browser.judging_page import (
    JUDGMENTS,
    JudgingPage,
    cut_off_the_api,
    judgments_in,
    stored_for,
    wait_until_judged,
)
from tests.browser.watch import Watch
from tests.cast import PASSWORD, Cast
from tests.planned_campaign import take
from tests.processes import wait_for

OpenPage = Callable[..., Page]


def sign_in(page: Page, account: Account) -> None:
    page.goto("/sign-in/")
    page.locator("[name=username]").fill(account.username)
    page.locator("[name=password]").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="My tasks").wait_for()


class TestTwoTabs:
    @pytest.fixture
    def second(self, judging: JudgingPage, watch: Watch) -> JudgingPage:
        """The first item was judged 61 in one tab and then 47 in this one."""
        watch.expect("status of 409")
        second = JudgingPage(judging.page.context.new_page(), judging.assignment).open()
        judging.judge(61)
        wait_until_judged(judging.assignment, 61)
        second.judge(47)
        dialog = second.page.get_by_role("dialog", name="Changed elsewhere")
        expect(dialog).to_contain_text("The other answer is 61, this one is 47.")
        expect(second.state).to_have_text("1 answer needs your decision")
        return second

    def test_choosing_the_answer_on_the_server_adds_nothing(self, second: JudgingPage) -> None:
        assert_accessible(second.page)
        second.page.get_by_role("button", name="Keep 61").click()
        second.expect_state("Saved")
        second.judge(70)
        wait_until_judged(second.assignment, 61, 70)
        second.wait_until_all_is_sent()

    def test_choosing_the_answer_on_this_device_is_the_next_revision(self, second: JudgingPage) -> None:
        second.page.get_by_role("button", name="Keep 47").click()
        wait_for(lambda: len(judgments_in(second.assignment)) == 2, what="the second revision")
        assert judgments_in(second.assignment) == [(0, 1, 61), (0, 2, 47)]
        assert Judgment.objects.get(is_current=True).answer["slots"]["A"]["score"] == 47
        second.expect_state("Saved")
        second.wait_until_all_is_sent()


class TestARefusal:
    def test_refused_answers_stay_stored_with_the_reason(
        self, judging: JudgingPage, watch: Watch, tmp_path: Path
    ) -> None:
        watch.expect("status of 422")

        held: list[Route] = []  # until the next one is judged: a refusal opens its segment again
        judging.page.route(JUDGMENTS, lambda route: held.append(route), times=1)  # noqa: PLW0108 - Playwright marks it
        judging.judge(61, 72)
        (spoiled,) = held
        sent = json.loads(spoiled.request.post_data or "")
        sent["answer"]["slots"]["A"]["score"] = 400
        spoiled.continue_(post_data=json.dumps(sent))
        notice = judging.page.get_by_role("alert").filter(has_text="Could not be sent.")
        expect(notice).to_contain_text("1 answer is stored on this device.")
        expect(notice).to_contain_text("100")  # the reason: how high a score may be
        assert_accessible(judging.page)
        with judging.page.expect_download() as download:
            notice.get_by_role("button", name="Download").click()
        download.value.save_as(tmp_path / "kept.json")
        (stored,) = json.loads((tmp_path / "kept.json").read_text())
        assert stored["answer"]["slots"]["A"]["score"] == 61
        notice.get_by_role("button", name="Send again").click()
        judging.expect_state("Saved")
        wait_until_judged(judging.assignment, 61, 72)

    def test_an_assignment_taken_away_keeps_the_answers_here(
        self, judging: JudgingPage, watch: Watch, cast: Cast
    ) -> None:
        watch.expect("status of 404")
        Assignment.objects.filter(pk=judging.assignment.pk).update(annotator=cast.stranger)
        judging.judge(61)
        notice = judging.page.get_by_role("alert").filter(has_text="Could not be sent.")
        expect(notice).to_contain_text("1 answer is stored on this device.")
        assert [stored["answer"]["slots"]["A"]["score"] for stored in judging.stored()] == [61]
        Assignment.objects.filter(pk=judging.assignment.pk).update(annotator=cast.annotator)
        notice.get_by_role("button", name="Send again").click()
        wait_until_judged(judging.assignment, 61)


class TestSigningOut:
    @pytest.fixture
    def settings_page(self, judging: JudgingPage, watch: Watch, dialogs: list[str]) -> Page:
        """With three answers kept on the device."""
        cut_off_the_api(watch, judging.page)
        judging.judge(61, 72, 83)
        judging.page.goto("/settings/")
        assert dialogs == ["beforeunload"]
        assert len(judging.stored()) == 3
        return judging.page

    def test_it_is_held_back_until_everything_was_sent(
        self, settings_page: Page, judging: JudgingPage, watch: Watch
    ) -> None:
        button = settings_page.get_by_role("button", name="Sign out")
        for _ in range(2):
            button.click()
            expect(settings_page.get_by_role("alert")).to_contain_text("could not be sent yet")
        assert judgments_in(judging.assignment) == []
        settings_page.context.unroute_all()
        button.click()
        settings_page.get_by_role("heading", name="Sign in").wait_for()
        wait_until_judged(judging.assignment, 61, 72, 83)
        assert stored_for(settings_page, judging.assignment.annotator_id) == []

    def test_what_the_server_refuses_can_be_taken_along(
        self, settings_page: Page, judging: JudgingPage, watch: Watch, cast: Cast, tmp_path: Path
    ) -> None:
        watch.expect("status of 404")
        settings_page.context.unroute_all()
        Assignment.objects.filter(pk=judging.assignment.pk).update(annotator=cast.stranger)
        button = settings_page.get_by_role("button", name="Sign out")
        button.click()
        expect(settings_page.get_by_role("alert")).to_contain_text("the server did not accept them")
        assert_accessible(settings_page)
        with settings_page.expect_download() as download:
            settings_page.get_by_role("button", name="Download").click()
        download.value.save_as(tmp_path / "kept.json")
        stored = json.loads((tmp_path / "kept.json").read_text())
        assert [entry["answer"]["slots"]["A"]["score"] for entry in stored] == [61, 72, 83]
        button.click()
        settings_page.get_by_role("heading", name="Sign in").wait_for()
        assert stored_for(settings_page, cast.annotator.pk) == []


class TestASharedDevice:
    def test_nobody_sees_or_sends_answers_stored_for_another_account(
        self, judging: JudgingPage, watch: Watch, cast: Cast
    ) -> None:
        """Anna's tab stays open while Ben signs in beside it, judges, and leaves."""
        watch.expect("status of (401|403|404)")
        anna, ben = judging, take(judging.assignment.campaign, cast.second_annotator)
        context = anna.page.context
        context.route(JUDGMENTS, lambda route: route.abort("connectionrefused"))
        watch.expect("ERR_CONNECTION_REFUSED")
        anna.judge(61, 72)
        context.clear_cookies(name="sessionid")
        tab = context.new_page()
        sign_in(tab, cast.second_annotator)
        context.unroute_all()

        anna.try_now()
        dialog = anna.page.get_by_role("dialog", name="Somebody else is signed in")
        expect(dialog).to_contain_text("Nothing is lost.")
        his = JudgingPage(tab, ben).open()
        his.expect_state("Saved")
        his.expect_place(0)
        his.judge(20)
        wait_until_judged(ben, 20)
        assert judgments_in(anna.assignment) == []
        tab.goto("/settings/")
        tab.get_by_role("button", name="Sign out").click()
        tab.get_by_role("heading", name="Sign in").wait_for()
        assert len(anna.stored()) == 2

        sign_in(tab, cast.annotator)
        anna.come_back()
        expect(anna.page.get_by_role("dialog")).to_have_count(0)
        wait_until_judged(anna.assignment, 61, 72)
        wait_until_judged(ben, 20)
