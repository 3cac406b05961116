"""A campaign rebuilt from its archive in a browser: a file that is none, then one that is."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect
from pytest_django import Settings

from campaigns.models import Campaign
from exchange.archive.writing import write_archive
from jobs.actions import claim_run, perform_run
from jobs.models import Run, RunStatus
from tests.cast import Cast

OpenPage = Callable[..., Page]
AxeCheck = Callable[[Page], None]


def perform_waiting() -> None:
    """What a worker would do."""
    claimed = claim_run(Run.objects.get(status=RunStatus.QUEUED).pk)
    assert claimed is not None
    perform_run(claimed)


def test_a_file_that_is_not_an_archive_is_refused_and_a_good_one_becomes_a_campaign(
    open_page: OpenPage, axe: AxeCheck, campaign: Campaign, cast: Cast, settings: Settings, tmp_path: Path
) -> None:
    settings.UPLOAD_DIR = tmp_path / "uploads"
    good, bad = tmp_path / "harbour.assay.zip", tmp_path / "holiday.zip"
    good.write_bytes(b"".join(write_archive(campaign, pseudonymised=True)))
    bad.write_bytes(b"no archive at all")
    page = open_page(cast.stranger)
    page.goto("/rebuild-campaign/")
    axe(page)
    _hand_in(page, bad)
    axe(page)
    perform_waiting()
    expect(page.get_by_role("alert")).to_contain_text("nothing was stored")
    axe(page)
    page.goto("/rebuild-campaign/")
    _hand_in(page, good)
    perform_waiting()
    expect(page).to_have_url("/campaigns/rebuilt/overview/", timeout=15_000)


def _hand_in(page: Page, file: Path) -> None:
    page.get_by_label("Name").fill("Rebuilt")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Rebuild").click()
