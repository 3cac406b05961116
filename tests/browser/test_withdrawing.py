"""Consent is withdrawn on one device; the other learns of it, and keeps nothing."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Judgment
from campaigns.models import Account, Campaign, TestSet
from metrics.actions.forgetting import withdraw_consent
from tests.browser.judging_page import API, JudgingPage, cut_off_the_api, wait_until_judged
from tests.browser.watch import Watch
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign, take
from tests.processes import wait_for

OpenPage = Callable[..., Page]
Axe = Callable[[Page], None]


@pytest.mark.parametrize("how", ["erased", "pseudonymised"])
def test_answers_on_another_device_are_removed_and_the_page_says_so(
    judging: JudgingPage, open_page: OpenPage, watch: Watch, cast: Cast, axe: Axe, how: str, dialogs: list[str]
) -> None:
    Campaign.objects.update(on_withdrawal=how)
    judging.judge(31, 42)
    wait_until_judged(judging.assignment, 31, 42)
    cut_off_the_api(watch, judging.page)
    judging.judge(53)
    assert len(judging.stored()) > 0
    phone = open_page(cast.annotator, phone=True)
    phone.goto("/settings/")
    phone.get_by_role("link", name="Show what is stored").click()
    axe(phone)
    phone.get_by_role("link", name="Withdraw consent to").click()
    expect(phone.locator("main")).to_contain_text("are erased" if how == "erased" else "a random number")
    axe(phone)
    phone.get_by_role("button", name="Withdraw consent").click()
    expect(phone.get_by_role("heading", name="You have withdrawn your consent")).to_be_visible()
    axe(phone)
    watch.expect("status of 410")
    judging.page.context.unroute(API)
    judging.try_now()
    page = judging.page
    expect(page.get_by_role("heading", name="You have withdrawn your consent")).to_be_visible()
    expect(page.get_by_text("the answers stored on this device were removed")).to_be_visible()
    assert judging.stored() == []
    assert Judgment.objects.filter(annotator=cast.annotator).count() == 0
    assert Judgment.objects.count() == (0 if how == "erased" else 2)
    assert dialogs == [], "nobody is held back by what cannot be sent any more"


def test_an_answer_for_it_that_waits_on_the_device_leads_nobody_away_from_another_campaign(
    judging: JudgingPage, watch: Watch, test_set: TestSet, cast: Cast, dialogs: list[str]
) -> None:
    cut_off_the_api(watch, judging.page)
    judging.judge(31)
    withdraw_consent(membership=judging.assignment.campaign.memberships.get(account=cast.annotator))
    judging.page.goto("about:blank")  # else that page learns of it by itself, and leaves while the other one opens
    judging.page.context.unroute(API)
    watch.expect("status of 410")
    other = JudgingPage(judging.page, take(make_planned_campaign(test_set, cast), cast.annotator))
    with judging.page.expect_response(lambda answer: answer.status == 410):
        other.open()
    other.judge(*range(50, 62))
    wait_for(lambda: Judgment.objects.filter(item__assignment=other.assignment).count() == 12, what="12 judgments")
    expect(other.page.locator("#workbench .dock")).to_be_visible()


def test_an_organiser_forgets_somebody(
    judging: JudgingPage, open_page: OpenPage, watch: Watch, cast: Cast, axe: Axe
) -> None:
    judging.judge(31, 42)
    wait_until_judged(judging.assignment, 31, 42)
    campaign = judging.assignment.campaign
    page = open_page(cast.organiser)
    page.goto(f"/campaigns/{campaign.slug}/people/")
    axe(page)
    page.get_by_role("link", name=f"Forget {cast.annotator}").click()
    axe(page)
    page.get_by_label("Keep the answers under a random number").check()
    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_role("status")).to_contain_text("The answers are kept as person-")
    watch.expect("status of 404")  # the page one comes from is of somebody who is not there any more
    page.go_back()
    page.go_forward()
    expect(page.locator("#members")).to_be_visible()
    axe(page)
    page.goto(f"/campaigns/{campaign.slug}/overview/")
    expect(page.locator("main")).to_contain_text("person-")
    expect(page.locator("main")).not_to_contain_text(cast.annotator.name)


def test_an_account_is_closed_after_its_holder_was_removed(
    long_campaign: Campaign, open_page: OpenPage, cast: Cast, axe: Axe
) -> None:
    Account.objects.filter(pk=cast.annotator.pk).update(made_for=long_campaign)
    page = open_page(cast.organiser, phone=True)
    page.goto(f"/campaigns/{long_campaign.slug}/people/")
    page.get_by_role("link", name=f"Access of {cast.annotator}").click()
    page.get_by_role("button", name="Remove from campaign").click()
    expect(page.get_by_role("heading", name="Removed")).to_be_visible()
    axe(page)
    page.get_by_role("link", name=f"Access of {cast.annotator}").click()
    axe(page)
    page.get_by_role("button", name="Close account").click()
    expect(page.get_by_role("row", name=f"{cast.annotator} closed")).to_be_visible()
    cast.annotator.refresh_from_db()
    assert not cast.annotator.is_active
