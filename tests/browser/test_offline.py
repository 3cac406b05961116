"""Judging goes on without a network, through reloads and with the page closed, by a real service worker."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Error, Page, expect
from pytest_django import Settings

from campaigns.actions.endings import close_account, remove_member
from campaigns.models import Campaign, Membership
from tests.browser.judging_page import JudgingPage, stored_for, wait_until_judged
from tests.browser.watch import Watch
from tests.cast import Cast
from tests.planned_campaign import take
from tests.processes import wait_for

OpenPage = Callable[..., Page]
READ_STORED = """async () => {
  const addresses = async (name) => (await (await caches.open(name)).keys()).map(({url}) => url);
  return Promise.all((await caches.keys()).map(async (name) => [name, ...await addresses(name)]));
}"""


def stored_pages(page: Page) -> list[list[str]]:
    """By cache: its name, and what lies in it."""
    stored: list[list[str]] = page.evaluate(READ_STORED)
    return stored


def assert_installable(page: Page) -> None:
    """By Chromium's own rules."""
    browser = page.context.new_cdp_session(page)
    manifest = browser.send("Page.getAppManifest")
    assert (manifest["errors"], json.loads(manifest["data"])["start_url"]) == ([], "/assignments/")
    errors = [each["errorId"] for each in browser.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert [each for each in errors if each != "in-incognito"] == []


def go_offline(watch: Watch, context: BrowserContext) -> None:
    watch.expect("ERR_INTERNET_DISCONNECTED")
    context.set_offline(True)


@pytest.fixture
def judging(open_page: OpenPage, cast: Cast, long_campaign: Campaign) -> JudgingPage:
    """Anna before her first item, with all of it kept."""
    page = open_page(cast.annotator, service_workers="allow")
    judging = JudgingPage(page, take(long_campaign, cast.annotator)).open()
    page.on("dialog", lambda dialog: dialog.accept())
    wait_for(
        lambda: any(url.endswith("/texts") for stored in stored_pages(page) for url in stored), what="texts to be kept"
    )
    return judging


def test_judging_goes_on_through_reloads_and_closing_and_all_is_sent_once(
    judging: JudgingPage, watch: Watch, open_page: OpenPage, cast: Cast
) -> None:
    page, context = judging.page, judging.page.context
    judging.judge(31, 42)
    wait_until_judged(judging.assignment, 31, 42)
    judging.expect_state("Saved")
    go_offline(watch, context)
    judging.judge(53, 64)
    page.reload()
    judging.expect_place(4)
    judging.expect_state("Offline, 2 answers on this device")
    judging.judge(75)
    page.close()
    again = JudgingPage(context.new_page(), judging.assignment)
    again.page.goto("/assignments/")  # as the installed app begins
    again.page.locator("#workbench .dock").wait_for()
    again.expect_place(5)
    again.page.keyboard.press("?")  # what is loaded after the texts is stored with the page, too
    expect(again.page.get_by_role("dialog", name="Keys and text size")).to_be_visible()
    again.page.keyboard.press("Escape")
    again.judge(86)
    context.set_offline(False)
    again.expect_state("Saved")
    wait_until_judged(judging.assignment, 31, 42, 53, 64, 75, 86)
    again.wait_until_all_is_sent()
    assert_installable(again.page)


def test_nothing_of_it_is_there_for_another_account_nor_after_signing_out(
    judging: JudgingPage, watch: Watch, open_page: OpenPage, cast: Cast
) -> None:
    page, context = judging.page, judging.page.context
    address = page.url
    annas = context.cookies()
    sign_in_as(context, open_page(cast.second_annotator))
    page.goto("/")
    wait_for(lambda: not stored_pages(page), what="the page of the account before to go")
    go_offline(watch, context)
    with pytest.raises(Error, match="ERR_FAILED"):
        page.goto(address)
    context.set_offline(False)
    context.add_cookies(annas)  # type: ignore[arg-type] # what one call gives the other takes
    judging.open()
    wait_for(lambda: stored_pages(page), what="the page to be kept again")
    page.goto("/settings/")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("heading", name="Sign in").wait_for()
    assert stored_pages(page) == []
    assert judging.stored() == []
    go_offline(watch, context)
    with pytest.raises(Error, match="ERR_FAILED"):
        page.goto(address)


def test_nothing_of_it_is_there_once_the_sign_in_page_was_open(judging: JudgingPage, watch: Watch) -> None:
    page, context = judging.page, judging.page.context
    address = page.url
    context.clear_cookies()  # the session is gone, and nobody signed out
    page.goto("/sign-in/")
    wait_for(lambda: not stored_pages(page), what="the page of whoever was signed in to go")
    go_offline(watch, context)
    with pytest.raises(Error, match="ERR_FAILED"):
        page.goto(address)


def test_a_judging_page_that_is_not_stored_deletes_what_another_account_stored(
    judging: JudgingPage, open_page: OpenPage, cast: Cast, settings: Settings
) -> None:
    page = judging.page
    others = take(judging.assignment.campaign, cast.second_annotator)
    sign_in_as(page.context, open_page(cast.second_annotator))
    settings.OFFLINE_DAYS = 0
    page.goto(f"/assignments/{others.pk}/")
    wait_for(lambda: not stored_pages(page), what="the page of the account before to go")


def test_without_access_pages_stored_for_another_account_are_not_shown(
    judging: JudgingPage, watch: Watch, open_page: OpenPage, cast: Cast
) -> None:
    page = judging.page
    address = page.url
    sign_in_as(page.context, open_page(cast.second_annotator))
    close_account(account=cast.second_annotator, by=cast.organiser)
    watch.expect("status of 40[134]")
    page.goto(address)
    page.get_by_role("heading", name="Sign in").wait_for()
    expect(page.locator("#workbench")).to_have_count(0)
    wait_for(lambda: not stored_pages(page), what="the page of the account before to go")


def end(judging: JudgingPage, cast: Cast, ending: str) -> None:
    account, campaign = cast.annotator, judging.assignment.campaign
    if ending == "closed":
        close_account(account=account, by=cast.organiser)
    else:
        remove_member(membership=Membership.objects.get(account=account, campaign=campaign), by=cast.organiser)


def sign_in_as(context: BrowserContext, other: Page) -> None:
    context.add_cookies(other.context.cookies())  # type: ignore[arg-type]


@pytest.mark.parametrize("ending", ["removed", "closed"])
def test_after_access_ended_the_page_says_so_and_offers_the_unsent_answers(
    judging: JudgingPage, watch: Watch, cast: Cast, ending: str
) -> None:
    page, context = judging.page, judging.page.context
    go_offline(watch, context)
    judging.judge(31)
    page.close()
    end(judging, cast, ending)
    watch.expect("status of 40[134]")
    context.set_offline(False)
    again = context.new_page()
    again.goto(f"/assignments/{judging.assignment.pk}/")
    again.get_by_role("heading", name="Your access has ended").wait_for()
    with again.expect_download() as saved:
        again.get_by_role("button", name="Save as a file").click()
    [answer] = json.loads(saved.value.path().read_text())
    assert answer["answer"]["slots"]["A"]["score"] == 31
    again.get_by_role("button", name="Remove from this device").click()
    again.get_by_role("button", name="Save as a file").wait_for(state="detached")
    wait_for(lambda: not stored_pages(again), what="the page to go")
    assert stored_for(again, judging.assignment.annotator_id) == []
    again.goto(f"/assignments/{judging.assignment.pk}/")
    expect(again.locator("h1")).to_be_visible()
    expect(again.locator("#workbench")).to_have_count(0)
