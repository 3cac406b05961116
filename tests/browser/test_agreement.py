"""Agreement in a browser: who disagrees is seen, followed to the segments, and decided on with the effect in view."""

import re
from collections.abc import Callable

from django.urls import reverse

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Exclusion
from campaigns.models import Campaign, TestSet
from jobs.actions import claim_run, perform_now, perform_run
from jobs.models import Run
from tests.cast import Cast, make_person
from tests.planned_campaign import add_annotator, items_to_judge, judge, make_planned_campaign, take

OpenPage = Callable[..., Page]
AxeCheck = Callable[[Page], None]


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    """Anna and Ben agree; Carl turns everything round. All is computed."""
    made = make_planned_campaign(test_set, cast, redundancy=3)
    carl = make_person("carl", "Carl Ostrander")
    add_annotator(made, carl)
    for annotator in (*cast.annotators, carl):
        items = sorted(
            items_to_judge(take(made, annotator)), key=lambda item: (item.segment_id, item.slots.get().system_id)
        )
        for number, item in enumerate(items):
            judge(item, 90 - 5 * number if annotator == carl else 5 + 5 * number, active_ms=20_000)
    perform_now(kind="analysis", campaign=made, arguments={})
    return made


@pytest.fixture
def address(campaign: Campaign) -> str:
    return reverse("researcher-agreement", args=[campaign.slug])


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_every_page_reads_well_and_is_no_wider_than_the_window(
    open_page: OpenPage, axe: AxeCheck, campaign: Campaign, cast: Cast, address: str, phone: bool
) -> None:
    trial = {"analyses": ["exclusion"], "options": {"without": ["carl"]}}
    perform_now(kind="analysis", campaign=campaign, arguments=trial)
    page = open_page(cast.organiser, phone=phone)
    leave_out = reverse("organiser-leave-out", args=[campaign.slug, "carl"])
    for place in (address, f"{address}pair/?first=anna&second=carl", leave_out):
        page.goto(place)
        axe(page)
        assert fits(page), place


def test_columns_of_annotators_are_switched_and_chosen_by_keyboard(
    open_page: OpenPage, axe: AxeCheck, cast: Cast, address: str
) -> None:
    page = open_page(cast.organiser)
    page.goto(f"{address}?sort=annotators:name")
    table = page.get_by_role("region", name="Annotators")
    headings = table.get_by_role("columnheader")
    expect(headings).to_have_count(6)
    heights = table.locator("tbody tr").evaluate_all("rows => rows.map((row) => row.offsetHeight)")
    assert max(heights) < 50, "one line a row"
    page.get_by_role("link", name=re.compile(r"All \d+ columns")).press("Enter")
    expect(page.get_by_role("link", name="Fewer columns")).to_be_visible()
    expect(headings.filter(has_text="Same answer")).to_be_visible()
    page.get_by_role("link", name="Fewer columns").press("Enter")
    expect(headings).to_have_count(6)
    page.locator("summary").filter(has_text="Choose columns").press("Enter")
    page.get_by_role("checkbox", name="Same answer").press("Space")
    axe(page)
    page.get_by_role("button", name="Show", exact=True).press("Enter")
    expect(headings).to_have_count(7)
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("Annotator")


def test_from_the_pairs_to_the_segments_they_quarrel_about(open_page: OpenPage, cast: Cast, address: str) -> None:
    page = open_page(cast.researcher)
    page.goto(address)
    cell = page.get_by_role("link", name="Anna Weidner and Carl Ostrander: −").first
    cell.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Where Anna Weidner and Carl Ostrander disagree most")
    first = page.locator("article.difference").first
    expect(first).to_contain_text("85 points apart")
    expect(first.get_by_role("columnheader", name="Carl Ostrander")).to_be_visible()
    expect(page.get_by_role("link", name="Exclude")).to_have_count(0)


def test_an_annotator_is_left_out_with_the_effect_in_view_and_counts_again(
    open_page: OpenPage, campaign: Campaign, cast: Cast, address: str
) -> None:
    page = open_page(cast.organiser)
    page.goto(address)
    page.get_by_role("link", name="With others, r").click()
    expect(page.get_by_role("row", name="Carl Ostrander").last).to_contain_text("agrees unusually little")
    page.get_by_role("link", name="Exclude Carl Ostrander").click()
    page.get_by_role("button", name="Compute the effect").click()
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    run = claim_run(Run.objects.get(status="queued").pk)
    assert run is not None
    perform_run(run)
    expect(page.get_by_text("17 of 51 judgments leave the results.")).to_be_visible()
    expect(page.get_by_text("Score: agreement (alpha) goes from −")).to_contain_text("to 1.00")
    assert not Exclusion.objects.exists()
    page.get_by_label("Reason").fill("Took the scale the other way round.")
    page.get_by_role("button", name="Exclude").click()
    expect(page.get_by_text("Carl Ostrander is excluded from all results computed from now on.")).to_be_visible()
    page.goto(address)
    row = page.get_by_role("row", name="Carl Ostrander").filter(has=page.get_by_role("link", name="Include"))
    expect(row).to_contain_text("excluded")
    expect(page.get_by_role("row", name="Took the scale the other way round.")).to_contain_text("Olive Okafor")
    expect(page.get_by_text("Judgments have been added or excluded since")).to_be_visible()
    row.get_by_role("link", name="Include Carl Ostrander again").click()
    page.get_by_role("button", name="Include again").click()
    expect(page.get_by_text("Carl Ostrander is included again")).to_be_visible()
