"""The list of campaigns as an organiser meets it: what needs a look first, and a menu beside each line."""

from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone

import pytest
from playwright.sync_api import Page, expect

from campaigns.models import Invitation, TestSet
from tests.cast import Cast, invite_annotators
from tests.planned_campaign import make_planned_campaign


@pytest.mark.parametrize("width", [1280, 390])
def test_what_needs_a_look_stands_first_and_a_line_has_a_menu(
    test_set: TestSet, cast: Cast, open_page: Callable[..., Page], axe: Callable[[Page], None], width: int
) -> None:
    campaigns = [make_planned_campaign(test_set, cast, name=f"Harbour {number}") for number in range(5)]
    for campaign in campaigns:
        invite_annotators(campaign=campaign, count=1, by=cast.organiser)
    Invitation.objects.update(created_at=timezone.now() - timedelta(days=4))
    page = open_page(cast.organiser)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/campaigns/")
    looks = page.get_by_role("region", name="Need a look")
    expect(looks.get_by_role("listitem").filter(visible=True)).to_have_count(3)
    looks.get_by_text("2 more").click()
    expect(looks.get_by_role("listitem").filter(visible=True)).to_have_count(5)
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_label("More for Harbour 3").press("Enter")
    expect(page.get_by_role("link", name="Copy campaign").filter(visible=True)).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Pause").filter(visible=True).click()
    expect(page.get_by_role("row").filter(has_text="Harbour 3")).to_contain_text("Paused")
    expect(looks.get_by_role("listitem").filter(visible=True)).to_have_count(3)
    page.get_by_role("navigation", name="State").get_by_role("link", name="Collecting").click()
    expect(page.get_by_role("link", name="Harbour 3")).to_have_count(0)
    expect(page.get_by_role("link", name="Harbour 2", exact=True).first).to_be_visible()
