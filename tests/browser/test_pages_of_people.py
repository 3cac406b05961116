"""Every page that is neither the workbench nor an organiser's: axe finds nothing, nothing is wider than a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from campaigns.actions.links import revoke_invitation
from campaigns.actions.tokens import make_api_token
from campaigns.models import Campaign, Membership, TestSet
from tests.browser.watch import Watch
from tests.cast import Cast, invite_annotators
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

OpenPage = Callable[..., Page]
AxeCheck = Callable[[Page], None]


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast, guidelines="# Rules\n\nAsk **how much**.", consent="You agree.")


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_what_nobody_in_particular_sees(
    open_page: OpenPage, axe: AxeCheck, watch: Watch, campaign: Campaign, cast: Cast, phone: bool
) -> None:
    watch.expect("status of (404|410)")
    issued = invite_annotators(campaign=campaign, count=2, by=cast.organiser)
    revoke_invitation(invitation=issued[1].invitation, by=cast.organiser)
    page = open_page(phone=phone)
    for link in ("/sign-in/", issued[0].link, issued[1].link, "/invitations/nonsense/", "/nothing/here/"):
        page.goto(link)
        axe(page)
        assert fits(page), link


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_what_an_annotator_sees_beside_the_workbench(
    open_page: OpenPage, axe: AxeCheck, campaign: Campaign, cast: Cast, phone: bool
) -> None:
    Membership.objects.filter(account=cast.annotator).update(consented_at=None)
    assignment = take(campaign, cast.annotator)
    for item in items_to_judge(assignment):
        judge(item)
    make_api_token(account=cast.annotator, name="notebook", by=cast.annotator)
    page = open_page(cast.annotator, phone=phone)
    pages = ("/", f"/campaigns/{campaign.slug}/guidelines/", "/settings/", f"/assignments/{assignment.pk}/done/")
    for address in pages:
        page.goto(address)
        axe(page)
        assert fits(page), address


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_what_an_organiser_sees(
    open_page: OpenPage, axe: AxeCheck, campaign: Campaign, cast: Cast, phone: bool
) -> None:
    judge(items_to_judge(take(campaign, cast.annotator))[0])
    page = open_page(cast.organiser, phone=phone)
    member = campaign.memberships.get(account=cast.annotator).pk
    under = ("overview/", "people/", f"members/{member}/", "results/", "exports/")
    for address in ("/campaigns/", "/new-campaign/", *(f"/campaigns/{campaign.slug}/{name}" for name in under)):
        page.goto(address)
        axe(page)
        assert fits(page), address
