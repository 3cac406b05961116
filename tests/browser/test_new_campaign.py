"""A new campaign in a browser: a column named, people listed, and one of them signed in."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, expect
from pytest_django import Settings

from campaigns.models import CampaignDraft
from jobs.actions import claim_run, perform_run
from jobs.models import Run, RunStatus
from tests.browser.watch import Watch
from tests.cast import Cast

OpenPage = Callable[..., Page]
AxeCheck = Callable[[Page], None]
TABLE = "document,segment,Quelle,Heron,Rook\n" + "".join(f"d{n},1,Source {n},Gut {n},Schlecht {n}\n" for n in range(4))
PASSWORD = "nine patient otters"
LIST = f"name,username,password\nAna Duarte,ana,{PASSWORD}\nBen Ito,,\n"


@pytest.fixture(autouse=True)
def _uploads(settings: Settings, tmp_path: Path) -> None:
    settings.UPLOAD_DIR = tmp_path / "uploads"


def work() -> None:
    """What a worker does with the run that waits."""
    run = claim_run(Run.objects.get(status=RunStatus.QUEUED).pk)
    assert run is not None
    perform_run(run)


def goes_on_elsewhere(another: Page, axe: AxeCheck) -> None:
    """Another device, that has nothing of what was typed."""
    another.goto("/campaigns/")
    axe(another)
    another.get_by_role("link", name="Continue Ferry news").click()
    expect(another.locator("#findings")).to_contain_text("csv: 2 systems, 0 references, 4 documents, 4 segments")
    expect(another.get_by_label("Target language")).to_have_value("de-AT")
    expect(another.get_by_label("Meaning of Quelle")).to_have_value("source")
    another.close()


def signs_in(annotator: Page, name: str, password: str) -> None:
    annotator.goto("/sign-in/")
    annotator.locator("[name=username]").fill(name)
    annotator.locator("[name=password]").fill(password)
    annotator.keyboard.press("Enter")
    expect(annotator.locator("main")).to_contain_text("Ferry news")


def test_a_column_is_named_people_are_listed_and_one_signs_in(
    open_page: OpenPage, axe: AxeCheck, watch: Watch, cast: Cast
) -> None:
    page = open_page(cast.organiser)
    page.goto("/new-campaign/")
    page.get_by_label("Name", exact=True).fill("Ferry news")
    page.get_by_text("More settings").click()
    page.get_by_text("I have a list of names").click()
    table: FilePayload = {"name": "set.csv", "mimeType": "text/csv", "buffer": TABLE.encode()}
    with page.expect_response("**/new-campaign/uploads/"):
        page.locator("#files").set_input_files(table)
    work()
    expect(page.locator("#findings")).to_contain_text("no column source")
    page.get_by_label("Meaning of Quelle").select_option("source")
    with page.expect_response("**/new-campaign/uploads/*/"):
        page.get_by_role("button", name="Read again").press("Enter")
    work()
    expect(page.locator("#findings")).to_contain_text("csv: 2 systems, 0 references, 4 documents, 4 segments")
    expect(page.locator("#checks")).to_contain_text("The languages are guessed")
    expect(page.locator(".pick.out")).to_contain_text("Your files have no questions")
    page.get_by_label("Source language").fill("en")
    page.get_by_label("Target language").fill("de")
    page.get_by_label("Or paste a list of people").fill("name,username,password\nAna,ana,short\n")
    page.get_by_text("Names and passwords", exact=True).click()
    page.get_by_label("Open for judging immediately").check()
    axe(page)
    watch.expect("status of 422")
    page.get_by_role("button", name="Create campaign").click()
    expect(page.locator(".people-list")).to_contain_text("too short")
    stored = page.evaluate("JSON.stringify(localStorage)")
    assert "Ferry news" in stored
    assert "short" not in stored
    axe(page)

    with page.expect_response("**/api/v1/campaign-drafts**"):
        page.get_by_label("Target language").fill("de-AT")
    goes_on_elsewhere(open_page(cast.organiser), axe)

    page.get_by_label("Or paste a list of people").fill(LIST)
    expect(page.get_by_label("Number of annotators")).to_have_value("2")
    page.get_by_role("button", name="Create campaign").click()
    page.wait_for_url("**/runs/**")
    work()
    page.wait_for_url("**/created/")
    assert not CampaignDraft.objects.exists()
    axe(page)
    expect(page.locator(".made-password")).to_have_count(1)
    password, username = page.locator(".made-password").inner_text(), page.locator(".user-name").inner_text()

    for name, secret in (("ana", PASSWORD), (username, password)):
        signs_in(open_page(), name, secret)
