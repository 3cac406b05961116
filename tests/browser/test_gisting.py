"""Comprehension in a real browser: to the completion code by keyboard; on a phone by touch, from memory."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Assignment, Judgment
from campaigns.models import Campaign, TestSet, TestSetStatus
from tests.browser.judging_page import JudgingPage
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign, take
from tests.processes import wait_for
from tests.sample_questions import RIGHT_CHOICE, WRONG_CHOICE, ask_questions


@pytest.fixture
def gisting(test_set: TestSet, cast: Cast) -> Callable[..., Campaign]:
    ask_questions(test_set)
    assert test_set.status == TestSetStatus.READY
    return lambda **parameters: make_planned_campaign(test_set, cast, protocol="gisting", **parameters)


def answers_of(assignment: Assignment) -> list[Any]:
    judgments = Judgment.objects.filter(item__assignment=assignment, is_current=True).order_by("item__position")
    return [judgment.answer["slots"]["A"]["answers"] for judgment in judgments]


def question(page: Page) -> str:
    return page.locator(".dock .gq .q").inner_text()


def test_a_campaign_by_keyboard_alone(
    open_page: Callable[..., Page], cast: Cast, gisting: Callable[..., Campaign], axe: Callable[[Page], None]
) -> None:
    page = open_page(cast.annotator)
    assignment = take(gisting(), cast.annotator)
    JudgingPage(page, assignment).open()
    expect(page.locator(".whole-text .read")).to_have_count(3)
    axe(page)
    keyboard = page.keyboard
    keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="Not answered yet: 1, 2.")).to_be_visible()
    keyboard.press("1")
    expect(page.locator("#typed")).to_be_focused()
    axe(page)
    keyboard.type("the letter f or G?")
    keyboard.press("Enter")
    expect(page.locator("#submit")).to_be_focused()
    keyboard.press("[")
    expect(page.locator(".dock .gq .q")).to_contain_text("Why")
    keyboard.press("2")
    keyboard.press("Control+z")
    expect(page.get_by_role("radio", name=WRONG_CHOICE)).to_be_checked()
    keyboard.press("2")
    title = page.locator(".doc-head h1").inner_text()
    keyboard.press("Enter")
    expect(page.locator(".doc-head h1")).not_to_have_text(title)
    page.reload()
    page.locator(".dock").wait_for()
    keyboard.press("3")
    expect(page.locator("#typed")).to_be_focused()
    keyboard.type("halb")
    wait_for(lambda: page.locator(".bar .save").inner_text() == "Draft saved", what="the draft")
    page.reload()
    expect(page.locator("#typed")).to_have_value("halb")
    page.locator("#typed").press("Control+Enter")
    page.locator("#completion-code").wait_for()
    assert Assignment.objects.get(pk=assignment.pk).completion_code in page.content()
    assert answers_of(assignment) == [
        {"why": RIGHT_CHOICE, "what": "the letter f or G?"},
        {"why": "The text does not say", "what": "halb"},
    ]


def test_on_a_phone_by_touch_from_memory(
    open_page: Callable[..., Page], cast: Cast, gisting: Callable[..., Campaign], axe: Callable[[Page], None]
) -> None:
    page = open_page(cast.annotator, phone=True)
    assignment = take(gisting(options={"when_asked": "after_reading"}), cast.annotator)
    JudgingPage(page, assignment).open()
    expect(page.locator(".whole-text .read")).to_have_count(3)
    for _ in range(2):
        title = page.locator(".doc-head h1").inner_text()
        page.get_by_role("button", name="I have read it").tap()
        expect(page.locator(".whole-text .read")).to_have_count(0)
        page.get_by_text(RIGHT_CHOICE).tap()
        page.locator("#typed").fill("Birnen")
        axe(page)
        page.get_by_role("button", name="Next question").tap()
        page.locator("#submit").tap()
        expect(page.locator(".doc-head h1")).not_to_have_text(title, timeout=5000) if _ == 0 else None
    page.locator("#completion-code").wait_for()
    assert answers_of(assignment) == [{"why": RIGHT_CHOICE, "what": "Birnen"}] * 2
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
