"""The line that filters the judgments of the results, in a browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from campaigns.models import Campaign, TestSet
from jobs.actions import perform_now
from jobs.models import RunPart
from tests.cast import Cast
from tests.frontend.researcher.judged import make_judged

OpenPage = Callable[..., Page]
AxeCheck = Callable[[Page], None]
FILTER = "document = harbour and length > 20"


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_judged(test_set, cast)
    for options in ({}, {"where": FILTER}):
        run = perform_now(kind="analysis", campaign=campaign, arguments={"options": options})
        part = RunPart.objects.get(run=run, name="ranking")
        part.result["too_early"] = None
        part.save()
    return campaign


@pytest.mark.parametrize("phone", [False, True])
def test_judgments_are_filtered_by_keyboard(
    open_page: OpenPage, axe: AxeCheck, campaign: Campaign, cast: Cast, phone: bool
) -> None:
    page = open_page(cast.researcher, phone=phone)
    page.goto(f"/campaigns/{campaign.slug}/results/")
    line = page.get_by_label("Only judgments where")
    line.fill("document=harbour and lenght > 20")
    line.press("Enter")
    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("At character 22: Unknown field “lenght”. Allowed: domain, tag, document, length")
    expect(line).to_have_attribute("aria-invalid", "true")
    line.fill("length > 20 and document=harbour")
    line.press("Enter")
    expect(page.get_by_role("note")).to_contain_text(f"Only judgments where {FILTER}.")
    expect(page.locator("#signature")).to_contain_text(f"exploratory:{FILTER}|recipe:assay")
    expect(line).to_have_value(FILTER)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    axe(page)
    page.get_by_role("link", name="Agreement in these judgments").click()
    expect(page.get_by_role("note")).to_contain_text(f"Only judgments where {FILTER}.")
    page.go_back()
    page.get_by_role("link", name="All judgments").click()
    expect(page.get_by_role("note")).to_have_count(0)
