"""The page of metrics in a browser: asked by keyboard, results arrive, and everybody can read it."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from campaigns.models import Campaign, TestSet
from jobs.actions import claim_run, perform_now, perform_run
from jobs.models import Run
from tests.cast import Cast
from tests.metrics.scoring.neural_site import NeuralSite, neural_site
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

__all__ = ["neural_site"]

OpenPage = Callable[..., Page]
AxeCheck = Callable[[Page], None]


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_planned_campaign(test_set, cast)
    worth = {WOMBAT: 70, QUOKKA: 30, HUMAN: 90}
    for number, item in enumerate(items_to_judge(take(campaign, cast.annotator))):
        translation = item.slots.get().translation
        judge(item, worth[translation.system.name if translation else HUMAN] + number % 7)
    return campaign


def perform_what_waits() -> None:
    claimed = claim_run(Run.objects.order_by("-pk")[0].pk)
    assert claimed is not None
    perform_run(claimed)


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_it_reads_well_and_is_no_wider_than_the_window(
    open_page: OpenPage, axe: AxeCheck, campaign: Campaign, cast: Cast, phone: bool
) -> None:
    perform_now(kind="metric_scores", test_set=campaign.test_set, arguments={"metrics": ["bleu", "ter"]})
    perform_now(kind="analysis", campaign=campaign, arguments={"analyses": ["correlation"]})
    page = open_page(cast.researcher, phone=phone)
    page.goto(f"/campaigns/{campaign.slug}/metrics/?baseline={QUOKKA}")
    page.locator("summary").filter(has_text="Signatures").click()
    page.locator("summary").filter(has_text="Compute scores").click()
    expect(page.get_by_role("heading", name="Correlation with human judgments")).to_be_visible()
    expect(page.get_by_role("img", name="Human score against BLEU for 2 systems")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    axe(page)
    for axis in page.locator(".axisrow svg").all():
        boxes = [box for text in axis.locator("text").all() if (box := text.bounding_box())]
        assert len(boxes) > 1
        assert all(left["x"] + left["width"] < right["x"] for left, right in pairwise(boxes))


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_models_that_cannot_be_used_say_why_beside_their_name(
    open_page: OpenPage, axe: AxeCheck, campaign: Campaign, cast: Cast, neural_site: NeuralSite, phone: bool
) -> None:
    neural_site.has_environment()
    neural_site.has_model("wmt22-cometkiwi-da", licence="CC-BY-NC-SA-4.0", needs_reference=False, takes_reference=False)
    neural_site.has_model("french-comet", languages=("en", "fr"))
    neural_site.has_model("BLEURT-20-D12", kind="bleurt")
    (neural_site.models / "BLEURT-20-D12" / "weights.bin").unlink()
    page = open_page(cast.researcher, phone=phone)
    page.goto(f"/campaigns/{campaign.slug}/metrics/")
    choices = page.locator(".neural-choice > .check")
    for name, words in (
        ("french-comet", "was not trained on German"),
        ("BLEURT-20-D12", "Install it again"),
        ("wmt22-cometkiwi-da", "not for commercial use"),
    ):
        expect(choices.filter(has_text=name)).to_contain_text(words)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    axe(page)


def test_scores_are_requested_by_keyboard_and_arrive_while_the_page_is_open(
    open_page: OpenPage, axe: AxeCheck, campaign: Campaign, cast: Cast
) -> None:
    page = open_page(cast.researcher)
    page.goto(f"/campaigns/{campaign.slug}/metrics/")
    axe(page)
    for name in ("chrF", "chrF++"):
        box = page.get_by_role("checkbox", name=name, exact=True)
        box.focus()
        page.keyboard.press("Space")
    page.get_by_role("button", name="Compute scores").press("Enter")
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    perform_what_waits()
    scores = page.get_by_role("region", name="All metrics, all systems")
    expect(scores.get_by_role("columnheader", name="BLEU")).to_be_visible()
    expect(scores.get_by_role("columnheader", name="chrF")).to_have_count(0)
    page.get_by_role("button", name="Compute correlations").press("Enter")
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    perform_what_waits()
    expect(page.locator("#correlated-segment")).to_be_visible()
    page.get_by_role("link", name="within systems").press("Enter")
    expect(page.get_by_role("link", name="within systems")).to_have_attribute("aria-current", "true")
    page.get_by_label("Compare with", exact=True).select_option(WOMBAT)
    page.get_by_role("button", name="Compare", exact=True).press("Enter")
    expect(page.get_by_role("columnheader", name="Difference from the baseline")).to_be_visible()
    expect(page.get_by_role("link", name="within systems")).to_have_attribute("aria-current", "true")
