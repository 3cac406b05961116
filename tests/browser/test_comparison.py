"""Two campaigns side by side, in a browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from campaigns.models import Campaign, TestSet
from tests.cast import Cast
from tests.frontend.researcher.test_comparison import make_pair

OpenPage = Callable[..., Page]
AxeCheck = Callable[[Page], None]


@pytest.fixture
def pair(test_set: TestSet, cast: Cast) -> tuple[Campaign, Campaign]:
    return make_pair(test_set, cast)


@pytest.mark.parametrize("phone", [False, True])
def test_another_campaign_is_chosen_by_keyboard_and_compared(
    open_page: OpenPage, axe: AxeCheck, pair: tuple[Campaign, Campaign], cast: Cast, phone: bool
) -> None:
    page = open_page(cast.researcher, phone=phone)
    page.goto("/campaigns/first/results/")
    page.get_by_role("link", name="Compare campaigns").press("Enter")
    expect(page.get_by_role("heading", name="Choose a campaign")).to_be_visible()
    page.get_by_label("Compare with").select_option("Second")
    page.get_by_role("button", name="Compare").press("Enter")
    expect(page.get_by_role("heading", name="Agreement of the two campaigns")).to_be_visible()
    charts = page.locator("svg[role=img]")
    expect(charts).to_have_count(3)
    for chart in charts.all():
        assert chart.get_attribute("aria-label")
    page.get_by_text("Table", exact=True).press("Enter")
    expect(page.get_by_role("columnheader", name="From")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    axe(page)
