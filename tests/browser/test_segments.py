"""The segments of a campaign in a browser: found, gone through, decided on and undone without a mouse."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import ErrorSpan
from campaigns.models import Campaign, Segment, TestSet
from metrics.segments import search
from tests.cast import Cast
from tests.metrics.marked_errors import GRAVE, SMALL, make_mqm, mark
from tests.metrics.segments.differing import find_disagreement, make_differing, segment_named
from tests.metrics.segments.stored_marks import store_marks
from tests.planned_campaign import items_to_judge, take
from tests.sample_test_set import HUMAN, WOMBAT

OpenPage = Callable[..., Page]
AxeCheck = Callable[[Page], None]
TITLE = "#segment-title"


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    made = make_differing(test_set, cast, {("harbour:3", WOMBAT): (20, 67), ("orchard:1", HUMAN): (90, 60)})
    find_disagreement(made)
    return made


@pytest.fixture
def marked_campaign(test_set: TestSet, cast: Cast) -> Campaign:
    """Both mark errors that overlap, and something missing."""
    made = make_mqm(test_set, cast, name="Marked", redundancy=2)
    errors = (({**GRAVE, "start": 2, "end": 9},), ({**SMALL, "start": 0, "end": 6}, {**GRAVE, "start": 4, "end": 4}))
    for annotator, own in zip(cast.annotators, errors, strict=True):
        for item in items_to_judge(take(made, annotator))[:9]:
            mark(item, *own)
    find_disagreement(made)
    return made


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_by_keyboard_alone_a_segment_is_opened_decided_on_and_undone(
    open_page: OpenPage, campaign: Campaign, cast: Cast
) -> None:
    page = open_page(cast.organiser)
    page.goto(f"/campaigns/{campaign.slug}/segments/")
    expect(page.locator(TITLE)).to_have_text("harbour, segment 3")
    page.keyboard.press("j")
    expect(page.locator(TITLE)).to_have_text("orchard, segment 1")
    page.keyboard.press("k")
    expect(page.locator(TITLE)).to_have_text("harbour, segment 3")
    page.locator("[data-found] [aria-current]").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(TITLE)).to_have_text("orchard, segment 1")
    expect(page.locator("[data-found] [aria-current]")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("bread")
    page.keyboard.press("Enter")
    expect(page.locator(".si")).to_have_count(1)
    expect(page.locator(TITLE)).to_have_text("harbour, segment 3")
    page.get_by_role("link", name="To adjudicate").press("Enter")
    expect(page.locator(".looked-for")).to_contain_text(WOMBAT)
    page.keyboard.press("a")
    page.keyboard.type("35")
    page.keyboard.press("Tab")
    page.keyboard.type("Jam is not bread.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    decision = page.get_by_role("group", name="Adjudicated")
    expect(decision).to_contain_text("Score 35")
    expect(decision).to_contain_text("Jam is not bread.")
    decision.get_by_role("button", name="Undo").press("Enter")
    expect(decision).to_have_count(0)
    expect(page.get_by_text("Earlier decisions")).to_be_visible()


def test_single_keys_do_nothing_where_somebody_switched_them_off(
    open_page: OpenPage, campaign: Campaign, cast: Cast
) -> None:
    cast.researcher.single_keys = False
    cast.researcher.save(update_fields=["single_keys"])
    page = open_page(cast.researcher)
    page.goto(f"/campaigns/{campaign.slug}/segments/")
    page.keyboard.press("j")
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator(TITLE)).to_have_text("harbour, segment 3")
    expect(page.get_by_text("Adjudicate", exact=True)).to_have_count(0)


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_every_state_reads_well_and_is_no_wider_than_the_window(
    open_page: OpenPage, axe: AxeCheck, campaign: Campaign, marked_campaign: Campaign, cast: Cast, phone: bool
) -> None:
    page = open_page(cast.organiser, phone=phone)
    marked = segment_named(marked_campaign, "harbour:1").pk
    for address in (
        f"{campaign.slug}/segments/?text=zebra",
        f"{marked_campaign.slug}/segments/?queue=on&segment={marked}&compare=system:{HUMAN}",
    ):
        page.goto(f"/campaigns/{address}")
        page.locator("details").evaluate_all("all => all.forEach((each) => (each.open = true))")
        axe(page)
        assert fits(page), address


def test_further_segments_are_loaded_in_place_and_each_filter_is_cleared_alone(
    open_page: OpenPage, axe: AxeCheck, campaign: Campaign, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "ON_A_PAGE", 4)
    count = Segment.objects.filter(document__test_set=campaign.test_set).count()
    page = open_page(cast.researcher)
    page.goto(f"/campaigns/{campaign.slug}/segments/?sort=text")
    expect(page.locator("[data-found-count]")).to_have_text(f"4 of {count}")
    page.get_by_role("link", name="Load more").press("Enter")
    expect(page.locator("[data-found-count]")).to_have_text(f"{min(8, count)} of {count}")
    expect(page.locator(".si")).to_have_count(min(8, count))
    expect(page.locator(".si").nth(4)).to_be_focused()
    expect(page.locator(".si[aria-current]")).to_have_count(1)
    page.get_by_label("Text").fill("bread")
    page.locator("summary").filter(has_text="More").press("Enter")
    page.get_by_label("With problem reports").check()
    page.get_by_role("button", name="Show", exact=True).press("Enter")
    expect(page.get_by_role("heading", name="No segment matches")).to_be_visible()
    expect(page.locator("summary").filter(has_text="More")).to_have_text("More (1)")
    axe(page)
    page.get_by_role("link", name="Clear With problem reports").press("Enter")
    expect(page.locator(".si")).to_have_count(1)
    expect(page.get_by_role("list", name="Filters that are set")).to_have_text("Text: bread Clear Text")


def test_pointing_at_an_annotator_shows_their_errors_alone(
    open_page: OpenPage, marked_campaign: Campaign, cast: Cast
) -> None:
    page = open_page(cast.researcher)
    page.goto(f"/campaigns/{marked_campaign.slug}/segments/")
    output = page.locator(".sysb").filter(has=page.locator(".u")).first
    output.locator("tr[data-answer]").first.hover()
    expect(output.locator("[data-strokes]")).to_have_class(re.compile("one-alone"))
    page.mouse.move(0, 0)
    expect(output.locator("[data-strokes]")).not_to_have_class(re.compile("one-alone"))


def test_what_a_metric_marks_is_told_from_what_people_mark_without_colour_and_alone_when_pointed_at(
    open_page: OpenPage, marked_campaign: Campaign, cast: Cast, axe: AxeCheck
) -> None:
    span = ErrorSpan.objects.filter(start=0, side="target").select_related("translation__segment").earliest("pk")
    store_marks(span.translation, "comet:xcomet-xl", (0, 6, "minor"), (7, 9, "critical"))
    page = open_page(cast.researcher)
    page.goto(f"/campaigns/{marked_campaign.slug}/segments/?segment={span.translation.segment_id}")
    output = page.locator(f"#output-{span.translation_id}")
    ours, theirs = output.locator(".u[data-by=metric]").first, output.locator(".u:not([data-by])").first
    images = [stroke.evaluate("stroke => getComputedStyle(stroke).backgroundImage") for stroke in (ours, theirs)]
    assert ["repeating" in image for image in images] == [True, False]
    expect(page.locator(".marks-legend")).to_contain_text("M1 COMET (xcomet-xl)")
    output.locator("[data-answer=M1]").hover()
    expect(output.locator("[data-strokes]")).to_have_class(re.compile("one-alone"))
    expect(ours).to_have_class(re.compile("pointed-at"))
    expect(theirs).not_to_have_class(re.compile("pointed-at"))
    page.set_viewport_size({"width": 390, "height": 800})
    assert fits(page)
    axe(page)
