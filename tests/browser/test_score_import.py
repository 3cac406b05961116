"""Scores from elsewhere, dropped on their page: looked through, corrected and stored; by keyboard, on a phone too."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from campaigns.models import Campaign
from metrics.models import SegmentScore
from metrics.scoring.reading import read_metric_scores
from tests.browser.watch import Watch
from tests.cast import Cast
from tests.sample_test_set import WOMBAT

OpenPage = Callable[..., Page]
AxeCheck = Callable[[Page], None]


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_scores_are_dropped_looked_through_and_stored(
    open_page: OpenPage,
    axe: AxeCheck,
    watch: Watch,
    campaign: Campaign,
    cast: Cast,
    settings: Settings,
    tmp_path: Path,
    phone: bool,
) -> None:
    settings.UPLOAD_DIR = tmp_path / "uploads"
    watch.expect("status of 422")
    lines = [f"{system}\t{at / 10}" for system in (WOMBAT, "quokka") for at in range(6)]
    file = tmp_path / "Sage-refA.seg.score"
    file.write_text("\n".join(lines))
    page = open_page(cast.organiser, phone=phone)
    page.goto(f"/campaigns/{campaign.slug}/metrics/")
    page.get_by_role("link", name="Import metric scores").click()
    page.locator("#files").set_input_files(file)
    expect(page.get_by_role("alert")).to_contain_text("6 lines do not fit the test set.")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    name = page.get_by_label("Metric", exact=True)
    expect(name).to_have_value("Sage-refA")
    name.fill("Sage")
    page.get_by_role("alert").evaluate("said => said.dataset.old = 'yes'")
    page.get_by_role("button", name="Read again").press("Enter")
    expect(page.locator("[data-old]")).to_have_count(0)
    expect(page.get_by_role("alert")).to_contain_text("6 lines")
    page.get_by_role("button", name="Store these scores").press("Enter")
    expect(page.get_by_text("Nothing was stored.")).to_be_visible()
    page.get_by_label("Skip these lines").press("Space")
    page.get_by_role("button", name="Store these scores").press("Enter")
    expect(page.get_by_text("Stored: Sage.")).to_be_visible()
    axe(page)
    assert SegmentScore.objects.count() == 6
    assert read_metric_scores(campaign.test_set)["Sage"].references == ("A",)
    page.get_by_role("button", name="Remove Sage from Sage-refA.seg.score").press("Enter")
    expect(page.get_by_text("No imported scores yet")).to_be_visible()
