"""Practice from the organiser's file to the first item that counts: by keyboard, and on a phone."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Judgment, PracticeAnswer
from campaigns.models import Campaign, TestSet
from metrics.analyses import gather
from metrics.recipes import RECIPES
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign
from tests.processes import wait_for

AT = "/campaigns/planned-campaign/practice/"
ITEMS: tuple[dict[str, Any], ...] = (
    {
        "source": "Talks resume on Friday.",
        "translations": {"A": "Die Gespräche enden am Freitag."},
        "expected": {"A": {"score": [0, 40]}},
        "feedback": "Resume is not end: a changed meaning scores low.",
    },
    {
        "source": "The bridge is closed.",
        "translations": {"A": "Die Brücke ist gesperrt."},
        "expected": {"A": {"score": [80, 100]}},
        "feedback": "Nothing is missing and nothing added.",
    },
)
Opened = Callable[..., Page]


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


def set_practice_by_page(page: Page, axe: Callable[[Page], None]) -> None:
    page.goto("/campaigns/planned-campaign/practise/")
    lines = "\n".join(json.dumps(item) for item in ITEMS).encode()
    page.locator("[name=file]").set_input_files({"name": "p.jsonl", "mimeType": "text/plain", "buffer": lines})
    page.locator("[name=pass_mark]").fill("100")
    page.locator("[name=attempts]").fill("2")
    page.locator("[name=attempts]").press("Enter")
    expect(page.locator("main")).to_contain_text("Annotators now practise on 2 items.")
    axe(page)


def answer(page: Page, score: int, message: str) -> None:
    page.keyboard.type(str(score))
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text(message)


def press(page: Page, role: str, name: str) -> None:
    """As by Tab and Enter."""
    page.get_by_role(role, name=name, exact=True).press("Enter")  # type: ignore[arg-type]


def test_who_fails_practice_learns_tries_again_and_is_let_in(
    open_page: Opened, campaign: Campaign, cast: Cast, axe: Callable[[Page], None]
) -> None:
    set_practice_by_page(open_page(cast.organiser), axe)
    page = open_page(cast.annotator)
    page.goto("/")
    page.locator("main :is(a, button).go").first.press("Enter")
    page.wait_for_url(f"**{AT}")
    expect(page.locator(".dock")).to_be_visible()
    expect(page.get_by_role("button", name="Report a problem")).to_have_count(0)
    page.keyboard.press("f")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert not [item["feedback"] for item in ITEMS if item["feedback"] in page.content()]
    axe(page)

    answer(page, 90, "you answered 90, correct is 0 to 40")
    expect(page.get_by_role("dialog")).to_contain_text("Resume is not end")
    axe(page)
    press(page, "button", "Try again")
    expect(page.locator(".doc [aria-current]")).to_contain_text("Talks resume")
    answer(page, 20, "Correct")
    page.keyboard.press("Enter")
    expect(page.locator(".doc [aria-current]")).to_contain_text("The bridge is closed")
    answer(page, 95, "Nothing is missing")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Not passed yet")).to_be_visible()
    axe(page)
    press(page, "button", "Practise again")
    page.locator(".dock input[type=range]").wait_for()
    for score in (10, 100):
        answer(page, score, "Correct")
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Ready to begin")).to_be_visible()
    axe(page)
    press(page, "button", "Start")
    page.wait_for_url("**/assignments/*/")
    page.locator(".dock input[type=range]").wait_for()
    expect(page.get_by_role("button", name="Report a problem")).to_be_visible()
    page.keyboard.type("70")
    page.keyboard.press("Enter")
    wait_for(Judgment.objects.exists, what="the first judgment that counts", seconds=10)
    assert list(PracticeAnswer.objects.order_by("pk").values_list("is_right", flat=True)) == [False, True, True, True]
    assert Judgment.objects.count() == gather(campaign, RECIPES["assay"]).judgments == 1


@pytest.mark.usefixtures("campaign")
def test_on_a_phone_feedback_fits_and_is_touched_away(
    open_page: Opened, cast: Cast, axe: Callable[[Page], None]
) -> None:
    set_practice_by_page(open_page(cast.organiser), axe)
    page = open_page(cast.annotator, phone=True)
    page.goto(AT)
    slider = page.locator(".dock input[type=range]")
    slider.wait_for()
    box = slider.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2)
    page.locator("#submit").tap()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Look again")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    dialog.get_by_role("button", name="Continue").tap()
    expect(dialog).to_have_count(0)
    expect(page.locator(".doc [aria-current]")).to_contain_text("The bridge is closed")
