"""Exports and shared results in a browser: what is taken away arrives, what is shared is read by who has the link."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from campaigns.models import Campaign, TestSet
from tests.browser.watch import Watch
from tests.cast import Cast
from tests.frontend.researcher.judged import compute, make_judged

OpenPage = Callable[..., Page]
AxeCheck = Callable[[Page], None]


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_judged(test_set, cast)
    compute(campaign)
    return campaign


@pytest.fixture
def exports(campaign: Campaign) -> str:
    return f"/campaigns/{campaign.slug}/exports/"


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def saved(page: Page, button: str, folder: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("link", name=button).or_(page.get_by_role("button", name=button)).first.click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_the_page_reads_well_and_is_no_wider_than_the_window(
    open_page: OpenPage, cast: Cast, exports: str, axe: AxeCheck, phone: bool
) -> None:
    page = open_page(cast.organiser, phone=phone)
    page.goto(exports)
    page.locator("details > summary").click()
    expect(page.get_by_role("heading", name="For a paper")).to_be_visible()
    assert fits(page)
    axe(page)


def test_figures_and_the_archive_are_saved(open_page: OpenPage, cast: Cast, exports: str, tmp_path: Path) -> None:
    page = open_page(cast.researcher, accept_downloads=True)
    page.goto(exports)
    picture = saved(page, "Score with its intervals, PNG", tmp_path)
    assert picture.read_bytes().startswith(b"\x89PNG\r\n")
    assert picture.stat().st_size > 5_000, "more than an empty sheet"
    assert saved(page, "Systems, LaTeX", tmp_path).read_text().startswith("% needs \\usepackage{booktabs}")
    archive = saved(page, "ZIP", tmp_path)
    assert zipfile.is_zipfile(archive)


def test_a_link_is_made_by_keyboard_read_without_an_account_and_ended(
    open_page: OpenPage, cast: Cast, exports: str, axe: AxeCheck, watch: Watch
) -> None:
    page = open_page(cast.organiser)
    page.goto(exports)
    page.get_by_label("For whom or for what").focus()
    page.keyboard.type("Reviewers")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    address = page.locator("#share").inner_text()
    reader = open_page()
    reader.goto(address)
    expect(reader.get_by_role("heading", name="Head to head")).to_be_visible()
    axe(reader)
    reader.get_by_role("link", name="Texts").click()
    expect(reader.get_by_text("Nobody on the quay knew why.").first).to_be_visible()
    axe(reader)
    page.get_by_role("button", name="Revoke Reviewers").click()
    expect(page.get_by_text("is revoked")).to_be_visible()
    watch.expect("status of 404")
    gone = reader.goto(address)
    assert gone is not None
    assert gone.status == 404


def test_printed_there_is_nothing_to_press_and_paper_is_white(
    open_page: OpenPage, cast: Cast, campaign: Campaign
) -> None:
    page = open_page(cast.researcher)
    page.goto(f"/campaigns/{campaign.slug}/results/")
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.get_by_role("heading", name="Head to head")).to_be_visible()
    for gone in (page.get_by_role("navigation", name="Campaign"), page.get_by_role("button", name="Compute again")):
        expect(gone).to_be_hidden()
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")  # after its transition
    for words in (campaign.name, "Recipe: Assay", "Computed on", "As of"):
        expect(page.locator(".print-head")).to_contain_text(words)
    page.goto(f"/campaigns/{campaign.slug}/segments/")
    page.set_viewport_size({"width": 673, "height": 971})  # what a sheet of A4 has within its margins
    expect(page.locator("#segment-title")).to_be_visible()
