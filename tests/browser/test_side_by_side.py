"""Several systems of a segment on one screen, of each protocol that scores: by keyboard, by mouse, on a phone."""

import pytest
from playwright.sync_api import Page, expect

from campaigns.models import TestSet
from tests.browser.accessibility import assert_accessible
from tests.browser.judged_by import OpenPage, answers, begin, expect_room_for_thumbs, number
from tests.cast import Cast

PROTOCOLS = ("direct_assessment", "likert")


def slots_of(page: Page) -> list[str]:
    return [str(row.get_attribute("data-slot")) for row in page.locator(".sides .rank").all()]


def test_scores_by_keyboard_translation_after_translation(open_page: OpenPage, cast: Cast, test_set: TestSet) -> None:
    page = begin(open_page, cast, test_set, "direct_assessment", systems_per_screen=3)
    slots = slots_of(page)
    assert len(slots) > 1
    scores = {slot: 30 + 20 * place for place, slot in enumerate(slots)}
    page.locator(f"#score-{slots[0]}").focus()
    for slot, score in scores.items():
        expect(page.locator(f"#score-{slot}")).to_be_focused()
        page.keyboard.type(str(score))
        if slot != slots[-1]:
            page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    expect(page.locator(f"#score-{slots[-2]}")).to_be_focused()
    page.keyboard.press("ArrowRight")
    scores[slots[-2]] += 1
    assert_accessible(page)
    before = number(page)
    page.keyboard.press("Enter")
    expect(page.locator(".doc-head")).not_to_have_text(before)
    assert answers() == [{slot: {"score": score} for slot, score in scores.items()}]


def test_points_by_keyboard_go_through_all_translations(open_page: OpenPage, cast: Cast, test_set: TestSet) -> None:
    page = begin(open_page, cast, test_set, "likert", systems_per_screen=3)
    slots = slots_of(page)
    page.keyboard.type("45" * len(slots))
    expect(page.locator("#submit")).to_be_focused()
    page.set_viewport_size({"width": 1280, "height": 560})
    page.keyboard.press("Enter")
    expect(page.locator("[data-first]")).to_be_focused()
    expect(page.locator("[data-first]")).to_be_in_viewport()
    assert answers() == [{slot: {"adequacy": 4, "fluency": 5} for slot in slots}]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_on_a_phone_each_translation_has_its_controls_below_it(
    open_page: OpenPage, cast: Cast, test_set: TestSet, protocol: str
) -> None:
    page = begin(open_page, cast, test_set, protocol, phone=True, systems_per_screen=2)
    expect_room_for_thumbs(page, ".sides .opt-b, #submit")
    for row in page.locator(".sides .rank").all():
        text, control = row.locator(".read").bounding_box(), row.locator(".controls").bounding_box()
        assert text
        assert control
        assert control["y"] >= text["y"] + text["height"]
        for scale in row.locator(".scale, .slide").all():
            scale.locator("label.opt-b, input[type=range]").last.tap()
    if protocol == "likert":
        assert_accessible(page)
    page.locator("#submit").tap()
    assert len(answers()) == 1
