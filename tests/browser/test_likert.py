"""Adequacy and fluency in a real browser: by keyboard alone, by mouse, on a phone, fluency before the source."""

from typing import Any

import pytest
from playwright.sync_api import expect

from campaigns.models import TestSet
from tests.browser.accessibility import assert_accessible
from tests.browser.judged_by import (
    SOURCES,
    OpenPage,
    answers,
    begin,
    current,
    expect_end,
    expect_room_for_thumbs,
    go_on,
    make_arabic_to_chinese,
    reload,
)
from tests.cast import Cast


def test_a_digit_a_question_and_enter_from_the_first_item_to_the_code(
    open_page: OpenPage, cast: Cast, test_set: TestSet
) -> None:
    page = begin(open_page, cast, test_set, "likert")
    expect(page.locator(".scale.now legend")).to_contain_text("Adequacy")
    page.keyboard.type("4")
    page.keyboard.press("Enter")  # one question is open yet
    expect(page.get_by_role("alert")).to_have_text("Not answered yet: Fluency.")
    assert_accessible(page)
    page.keyboard.type("5")
    expect(page.locator("#submit")).to_be_focused()
    page.keyboard.press("Control+z")
    expect(page.locator("#scale-A-fluency-5")).not_to_be_checked()
    page.keyboard.press("Control+Shift+Z")
    go_on(page)
    page.keyboard.type("1")
    expect(page.locator(".bar .save")).to_have_text("Draft saved")
    reload(page)
    expect(page.locator("#scale-A-adequacy-1")).to_be_checked()
    page.keyboard.type("2")
    go_on(page)
    page.keyboard.press("Alt+ArrowLeft")
    expect(page.locator("#scale-A-fluency-2")).to_be_checked()
    go_on(page)
    for _ in range(4):
        page.keyboard.type("35")
        go_on(page)
    expect_end(page)
    points = [(slots["A"]["adequacy"], slots["A"]["fluency"]) for slots in answers(6)]
    assert sorted(points) == [(1, 2), (3, 5), (3, 5), (3, 5), (3, 5), (4, 5)]


def test_fluency_first_keeps_the_source_from_eyes_and_ears(open_page: OpenPage, cast: Cast) -> None:
    page = begin(open_page, cast, make_arabic_to_chinese(), "likert", fluency_first=True)
    source = SOURCES[0]
    assert source not in page.locator("body").inner_html()
    expect(current(page).locator(".withheld")).to_have_text("The source is shown once fluency is answered.")
    expect(page.locator("#scale-A-adequacy-1")).to_be_disabled()
    assert_accessible(page)
    page.keyboard.type("3")
    expect(current(page).locator(".src")).to_have_text(source)
    expect(current(page).locator(".src")).to_have_attribute("dir", "rtl")
    expect(current(page).locator(".tgt")).to_have_attribute("lang", "zh")
    expect(page.locator(".scale.now legend")).to_contain_text("Adequacy")
    page.keyboard.type("5")
    go_on(page)
    assert answers() == [{"A": {"adequacy": 5, "fluency": 3}}]


@pytest.mark.parametrize(
    ("options", "points", "words"),
    [
        ({"preset": "psqm"}, {"psqm": 0}, "nothing kept"),
        (
            {"scales": "Terms: As the glossary has them\n0 none\n2 all\nTone\n1 wrong\n9 right"},
            {"terms": 0, "tone": 9},
            "all",
        ),
    ],
)
def test_other_scales_by_mouse_alone(
    open_page: OpenPage, cast: Cast, test_set: TestSet, options: dict[str, Any], points: dict[str, int], words: str
) -> None:
    page = begin(open_page, cast, test_set, "likert", **options)
    expect(page.locator(".dock .opt-b", has_text=words)).to_be_visible()
    for name, point in points.items():
        page.locator(f"label:has(#scale-A-{name}-{point})").click()
    page.locator("#submit").click()
    assert answers() == [{"A": points}]


def test_on_a_phone_every_point_is_within_a_thumbs_reach(open_page: OpenPage, cast: Cast, test_set: TestSet) -> None:
    page = begin(open_page, cast, test_set, "likert", phone=True)
    expect_room_for_thumbs(page, ".dock .opt-b, #submit")
    page.locator("label:has(#scale-A-adequacy-2)").tap()
    page.locator("label:has(#scale-A-fluency-3)").tap()
    page.locator("#submit").tap()
    assert answers() == [{"A": {"adequacy": 2, "fluency": 3}}]
