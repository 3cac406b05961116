"""An organiser tries what annotators will see, from the first item to the end; nothing of it is stored."""

from playwright.sync_api import expect

from annotation.models import Draft, Judgment
from campaigns.models import TestSet
from tests.browser.accessibility import assert_accessible
from tests.browser.judged_by import OpenPage, go_on
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign


def test_a_campaign_is_tried_and_nothing_is_stored(open_page: OpenPage, cast: Cast, test_set: TestSet) -> None:
    campaign = make_planned_campaign(test_set, cast, open=False)
    page = open_page(cast.organiser)
    page.goto(f"/campaigns/{campaign.slug}/preview/")
    expect(page.locator(".notices")).to_contain_text("Nothing you enter here is stored.")
    assert_accessible(page)
    count = int(page.evaluate("JSON.parse(document.getElementById('workbench-data').textContent).preview.items.length"))
    for _ in range(count):
        page.keyboard.type("73")
        page.keyboard.press("Enter")
        go_on(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("End of the preview.")
    assert_accessible(page)
    page.get_by_role("link", name="Back to the campaign").first.click()
    expect(page).to_have_url(f"{page.url.split('/campaigns')[0]}/campaigns/{campaign.slug}/overview/")
    assert not Judgment.objects.exists()
    assert not Draft.objects.exists()
