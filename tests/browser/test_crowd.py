"""A crowd worker's day: by a site's link into the campaign, through the work, and back to the site."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from annotation.models import Assignment
from campaigns.models import CrowdPlace, TestSet
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign
from tests.sample_crowd import make_crowd


def test_a_crowd_workers_day(
    open_page: Callable[..., Page], axe: Callable[[Page], None], test_set: TestSet, cast: Cast
) -> None:
    campaign = make_planned_campaign(test_set, cast, guidelines="# Rules\n\nAsk **how much**.", consent="You agree.")
    link = f"/join/{make_crowd(campaign).key}/?PROLIFIC_PID=5f1c0affee&STUDY_ID=s1&SESSION_ID=x9"
    page = open_page(phone=True)

    def look() -> None:
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), page.url

    page.goto(link)
    look()
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", name="Keep your personal link")).to_be_visible()
    look()
    personal = page.locator("#personal-link").inner_text()
    page.get_by_role("link", name="Continue").click()
    page.get_by_role("button", name="Agree and begin").click()
    page.wait_for_url("**/assignments/**")
    place = CrowdPlace.objects.get()
    work = Assignment.objects.get(annotator=place.membership.account)
    for item in items_to_judge(work):
        judge(item)
    again = open_page(phone=True)
    again.goto(personal)
    again.get_by_role("button", name="Continue").click()
    again.goto(f"/assignments/{work.pk}/done/")
    work.refresh_from_db()
    back = f"https://crowd.example/done?pid=5f1c0affee&code={work.completion_code}"
    expect(again.get_by_role("link", name="Return to crowd.example")).to_have_attribute("href", back)
    page = again
    look()
    page = open_page(cast.organiser, phone=True)
    page.goto(f"/campaigns/{campaign.slug}/people/crowd/")
    expect(page.get_by_role("cell", name="5f1c0affee")).to_be_visible()
    look()
