"""A loud attention check on the screen of cESA: failed, disclosed, judged again and passed, by keyboard alone."""

import pytest
from playwright.sync_api import Page, expect

from annotation.models import CheckDraw, Slot
from tests.browser.accessibility import assert_accessible
from tests.browser.judged_by import OpenPage
from tests.browser.test_cesa import here, status
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign, take
from tests.processes import wait_for
from tests.sample_screens import SCREEN_SYSTEMS, make_screens

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(open_page: OpenPage, cast: Cast) -> Page:
    """One segment by two systems on a screen; the first screen is a check."""
    campaign = make_planned_campaign(
        make_screens(4, segments=1),
        cast,
        protocol="cesa",
        systems=SCREEN_SYSTEMS[:2],
        options={"systems_per_screen": 2},
        attention_checks=2,
        check_systems=",".join(SCREEN_SYSTEMS[:2]),
        check_share=1.0,
        check_kind="loud",
    )
    opened = open_page(cast.annotator)
    opened.goto(f"/assignments/{take(campaign, cast.annotator).pk}/")
    opened.locator("#workbench .dock").wait_for()
    return opened


def rotated_in(row: str) -> str:
    """Of the first item of the draw's first or last screen."""
    [draw] = CheckDraw.objects.filter(screen=1)
    return Slot.objects.exclude(damaged=None).get(item=getattr(draw, row)).label


def test_a_failed_check_is_disclosed_only_then_and_passed_by_keyboard(page: Page) -> None:
    notice = page.get_by_role("alert").filter(has_text="Please judge this screen again.")
    expect(here(page).get_by_role("option").first).to_be_focused()
    assert "attention" not in page.content().lower()
    for _cell in range(2):
        page.keyboard.press("u")
        page.keyboard.type("90")
    expect(status(page)).to_have_text("2 cells, all finished")
    page.keyboard.press("Control+Enter")
    expect(notice).to_be_visible()
    assert_accessible(page)
    expect(status(page)).to_have_text("2 cells, all finished")  # as they were answered
    expect(here(page).get_by_role("option").first).to_be_focused()
    if rotated_in("last_item") == "B":
        page.keyboard.press("Enter")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("2")
    page.keyboard.type("40")
    page.keyboard.press("Control+Enter")
    expect(notice).to_be_hidden()
    wait_for(lambda: CheckDraw.objects.filter(attempts=2).exists(), what="the check judged again")
    draw = CheckDraw.objects.get(attempts=2)
    assert (draw.first_passed, draw.is_passed) == (False, True)
    page.reload()
    page.locator("#workbench .dock").wait_for()
    expect(notice).to_be_hidden()
