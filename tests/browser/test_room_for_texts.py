"""The text under judgment has room in windows of any size: the dock takes a quarter of them at most."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.protocols import PROTOCOLS
from campaigns.models import Campaign, TestSet
from tests.annotation.protocols.sampled import samples_of
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign, take
from tests.sample_questions import ask_questions

LAPTOP = (1280, 800)
PHONE = (390, 844)
ENLARGED = (640, 400)  # a laptop at 200 %


@pytest.fixture
def campaign_of(test_set: TestSet, cast: Cast) -> Callable[..., Campaign]:
    def made(protocol: str, **changes: Any) -> Campaign:
        ask_questions(test_set)
        options = samples_of(protocol)["options"] | changes
        return make_planned_campaign(test_set, cast, protocol=protocol, options=options)

    return made


def open_at(page: Page, size: tuple[int, int], campaign: Campaign, cast: Cast) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"/assignments/{take(campaign, cast.annotator).pk}/")
    page.locator("#workbench .dock").wait_for()


def expect_room(page: Page) -> None:
    """The dock at its place and not too high, the current segment in view above it, nothing wider than the window."""
    page.wait_for_function(
        """() => {
            const dock = document.querySelector(".dock").getBoundingClientRect();
            const now = ".seg[aria-current], .whole-text, .cell[aria-current], .deck .cell";
            const current = document.querySelector(now).getBoundingClientRect();
            return dock.height <= innerHeight / 4 + 1 && Math.abs(dock.bottom - innerHeight) <= 1
                && current.top >= 0 && current.top < dock.top
                && document.documentElement.scrollWidth <= innerWidth;
        }""",
        timeout=5000,
    )


@pytest.mark.parametrize("protocol", sorted(PROTOCOLS))
def test_the_dock_takes_a_quarter_of_the_window_at_most_and_the_first_control_has_the_focus(
    open_page: Callable[..., Page],
    campaign_of: Callable[..., Campaign],
    cast: Cast,
    axe: Callable[[Page], None],
    protocol: str,
) -> None:
    campaign = campaign_of(protocol)
    desk, phone = open_page(cast.annotator), open_page(cast.annotator, phone=True)
    for page, size in ((desk, LAPTOP), (desk, ENLARGED), (phone, PHONE)):
        open_at(page, size, campaign, cast)
        expect_room(page)
        expect(page.locator("[data-first]:focus, .btn.go:focus, .cell [role=option]:focus")).to_have_count(1)
    phone.get_by_role("button", name="More", exact=True).tap()
    expect(phone.get_by_role("button", name="Cannot judge")).to_be_visible()
    axe(phone)
    phone.get_by_role("button", name="Comment", exact=True).tap()
    expect(phone.get_by_role("dialog", name="Comment")).to_be_visible()
    expect(phone.locator(".more")).to_be_hidden()


def test_tab_leads_from_the_translation_to_the_source(
    open_page: Callable[..., Page], campaign_of: Callable[..., Campaign], cast: Cast
) -> None:
    page = open_page(cast.annotator)
    open_at(page, LAPTOP, campaign_of("mqm", systems_per_screen=1), cast)
    focused = page.locator("[role=listbox]:has(:focus)")
    expect(focused).to_have_attribute("data-side", "target")
    page.keyboard.press("Tab")
    expect(focused).to_have_attribute("data-side", "source")


@pytest.mark.parametrize("protocol", ["mqm", "esa"])
def test_a_row_keeps_its_layout_and_leading_when_it_becomes_current(
    open_page: Callable[..., Page], campaign_of: Callable[..., Campaign], cast: Cast, protocol: str
) -> None:
    page = open_page(cast.annotator)
    open_at(page, LAPTOP, campaign_of(protocol, systems_per_screen=1), cast)
    lines = page.locator(".seg:not(.quiet) .read").evaluate_all(
        "texts => texts.map(text => [Math.round(text.getBoundingClientRect().left), getComputedStyle(text).lineHeight])"
    )
    assert len(lines) > 2
    assert len({tuple(line) for line in lines}) == 2, lines  # source and translation, current or not
    assert len({leading for _, leading in lines}) == 1


def test_a_finger_hits_words_44_px_high(
    open_page: Callable[..., Page], campaign_of: Callable[..., Campaign], cast: Cast
) -> None:
    page = open_page(cast.annotator, phone=True, is_mobile=True)
    open_at(page, PHONE, campaign_of("mqm", systems_per_screen=1), cast)
    hit = page.locator("[data-side=target] [role=option]").evaluate_all(
        """words => words.map(word => {
            const { left, width, top, height } = word.getBoundingClientRect();
            const hits = (y) => document.elementFromPoint(left + width / 2, top + height / 2 + y) === word;
            return hits(-21) && hits(21);
        })"""
    )
    assert hit
    assert all(hit), hit
