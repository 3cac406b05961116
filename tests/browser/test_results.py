"""The results in a browser: they keep themselves fresh, are drawn as chosen, and follow the weights."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from campaigns.models import Campaign, TestSet
from jobs.actions import claim_run, perform_now, perform_run
from jobs.models import Run, RunPart
from tests.cast import Cast
from tests.metrics.marked_errors import COMMA, GRAVE, SMALL, make_mqm, mark_by_system
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

OpenPage = Callable[..., Page]
AxeCheck = Callable[[Page], None]


@pytest.fixture
def scored(test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_planned_campaign(test_set, cast)
    for number, item in enumerate(items_to_judge(take(campaign, cast.annotator))):
        judge(item, 40 + number)
    return campaign


@pytest.fixture
def marked(test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_mqm(test_set, cast)
    first, second, *_rest = campaign.systems.order_by("name").values_list("name", flat=True)
    mark_by_system(take(campaign, cast.annotator), {first: [GRAVE], second: [SMALL, COMMA]})
    return campaign


def not_early(run: Run) -> None:
    for part in RunPart.objects.filter(run=run, name="ranking"):
        part.result["too_early"] = None
        part.save()


def perform_waiting() -> None:
    """What a worker would do."""
    for run in Run.objects.filter(status="queued"):
        claimed = claim_run(run.pk)
        assert claimed is not None
        not_early(perform_run(claimed))


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


@pytest.mark.parametrize(("protocol", "phone"), [("scored", False), ("marked", True)])
def test_results_read_well_open_and_closed(
    request: pytest.FixtureRequest, open_page: OpenPage, axe: AxeCheck, cast: Cast, protocol: str, phone: bool
) -> None:
    campaign: Campaign = request.getfixturevalue(protocol)
    not_early(perform_now(kind="analysis", campaign=campaign, arguments={}))
    page = open_page(cast.researcher, phone=phone)
    page.goto(f"/campaigns/{campaign.slug}/results/")
    for details in page.locator("main details > summary").all():
        details.click()
    axe(page)
    assert fits(page)


def test_a_page_without_numbers_asks_for_them_and_shows_them(open_page: OpenPage, scored: Campaign, cast: Cast) -> None:
    page = open_page(cast.researcher)
    page.goto(f"/campaigns/{scored.slug}/results/")
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    perform_waiting()
    expect(page.get_by_role("heading", name="Systems", exact=True)).to_be_visible()


def test_newer_numbers_are_offered_and_do_not_take_the_page_away(
    open_page: OpenPage, scored: Campaign, cast: Cast
) -> None:
    not_early(perform_now(kind="analysis", campaign=scored, arguments={}))
    Run.objects.update(created_at="2026-11-01T00:00:00Z")
    _judge_again(scored)
    page = open_page(cast.researcher)
    page.goto(f"/campaigns/{scored.slug}/results/")
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    page.evaluate("window.stillHere = true")
    perform_waiting()
    link = page.get_by_role("link", name="Show them")
    expect(link).to_be_visible()
    assert page.evaluate("window.stillHere") is True
    link.click()
    expect(page.get_by_text("Newer results are ready")).to_have_count(0)


def _judge_again(campaign: Campaign) -> None:
    assignment = campaign.assignments.exclude(annotator=None)[0]
    judge(items_to_judge(assignment)[0], 90, base_revision=1)


def test_what_is_under_way_is_cancelled_by_keyboard(open_page: OpenPage, scored: Campaign, cast: Cast) -> None:
    page = open_page(cast.researcher)
    page.goto(f"/campaigns/{scored.slug}/results/")
    cancel = page.get_by_role("button", name="Cancel")
    cancel.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The computation was cancelled.")).to_be_visible()
    assert Run.objects.get().status == "cancelled"


def test_the_ranking_follows_the_weights(open_page: OpenPage, marked: Campaign, cast: Cast) -> None:
    not_early(perform_now(kind="analysis", campaign=marked, arguments={}))
    page = open_page(cast.researcher)
    page.goto(f"/campaigns/{marked.slug}/results/")
    systems = page.locator("[aria-labelledby=systems] tbody th")
    first = systems.nth(1).inner_text()
    page.get_by_text("Change the weights").click()
    page.get_by_label("Minor", exact=True).fill("9")
    page.get_by_label("Major", exact=True).fill("1")
    page.get_by_role("button", name="Apply these weights").click()
    expect(page).to_have_url(re.compile("weights=neutral%3D0%2Cminor%3D9%2Cmajor%3D1"))
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    perform_waiting()
    expect(page.get_by_role("link", name="Own")).to_have_attribute("aria-current", "true")
    assert systems.nth(2).inner_text() == first


def test_a_chart_compares_another_system_by_keyboard_and_is_saved_as_a_picture(
    open_page: OpenPage, axe: AxeCheck, scored: Campaign, cast: Cast, tmp_path: Path
) -> None:
    not_early(perform_now(kind="analysis", campaign=scored, arguments={}))
    page = open_page(cast.researcher, accept_downloads=True)
    page.goto(f"/campaigns/{scored.slug}/results/")
    choice = page.get_by_role("combobox", name="System compared with the others")
    choice.focus()
    page.keyboard.press("End")
    chosen = choice.input_value()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"against={chosen}"))
    chart = page.locator("article").filter(has=page.locator("#differences"))
    expect(chart.locator("svg")).to_contain_text(f"{chosen} better")
    chart.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(chart.get_by_role("columnheader", name="95% interval")).to_be_visible()
    axe(page)
    with page.expect_download() as download:
        chart.get_by_role("button", name="Differences between systems, PNG").click()
    download.value.save_as(tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG\r\n")


def test_means_are_drawn_as_z_at_a_click(open_page: OpenPage, scored: Campaign, cast: Cast) -> None:
    not_early(perform_now(kind="analysis", campaign=scored, arguments={}))
    page = open_page(cast.researcher)
    page.goto(f"/campaigns/{scored.slug}/results/")
    page.get_by_role("group", name="Means drawn").get_by_role("link", name="z-score").click()
    expect(page.get_by_role("columnheader", name="Mean z-score, 95% interval")).to_be_visible()
