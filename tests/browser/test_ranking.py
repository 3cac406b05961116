"""Ranking in a real browser: by keyboard alone, by mouse, on a phone, in scripts of either direction."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.models import Assignment
from campaigns.models import TestSet
from tests.browser.accessibility import assert_accessible
from tests.browser.judged_by import (
    OpenPage,
    answers,
    begin,
    expect_end,
    expect_room_for_thumbs,
    go_on,
    make_arabic_to_chinese,
    reload,
)
from tests.cast import Cast


def begin_ranking(open_page: OpenPage, cast: Cast, test_set: TestSet, *, phone: bool = False, **options: Any) -> Page:
    return begin(open_page, cast, test_set, "ranking", phone=phone, **options)


def rows(page: Page) -> Locator:
    return page.locator("[aria-current] .rank")


def ranks_of(count: int) -> list[list[int]]:
    """The ranks of each item in the order of its slots."""
    return [[values["rank"] for _, values in sorted(slots.items())] for slots in answers(count)]


def test_a_ranking_is_entered_by_keyboard_alone(open_page: OpenPage, cast: Cast, test_set: TestSet) -> None:
    page = begin_ranking(open_page, cast, test_set, systems_per_item=3)
    assert_accessible(page)
    for place in range(6):
        if place == 2:
            reload(page)
        count = rows(page).count()
        for rank in range(count, 0, -1):
            page.keyboard.press(str(rank))
        expect(page.locator(".dock .order")).to_have_text(" better than ".join("CBA"[3 - count :]))
        if place:
            expect(page.locator("#submit")).to_be_focused()
        go_on(page)
    expect_end(page)
    assert sorted(ranks_of(6)) == sorted([[3, 2, 1]] * 5 + [[2, 1]])
    assert Assignment.objects.get(done=6).completion_code


def test_ties_gaps_arrows_undo_and_differences_by_keyboard(open_page: OpenPage, cast: Cast, test_set: TestSet) -> None:
    page = begin_ranking(open_page, cast, test_set, systems_per_item=3)
    while rows(page).count() < 3:
        page.keyboard.press("1")
        page.keyboard.press("1")
        go_on(page)
    order = page.locator(".dock .order")
    page.keyboard.type("113")
    expect(order).to_have_text("A = B better than C")
    page.keyboard.press("Control+z")
    expect(page.locator("#rank-C-3")).not_to_be_checked()
    page.keyboard.press("Control+Shift+Z")
    expect(page.locator("#rank-C-3")).to_be_checked()
    expect(page.locator(".showdiff mark").first).to_be_visible()
    page.keyboard.press("d")
    expect(page.locator(".showdiff")).to_have_count(0)
    page.keyboard.press("D")
    expect(page.locator(".showdiff")).to_have_count(1)
    go_on(page)
    page.reload()
    expect(page.locator("[aria-current] input:focus")).to_have_count(1)
    page.keyboard.press("Control+z")
    expect(order).to_have_text("A = B better than C")
    expect(page.locator("#rank-C-2")).to_be_checked()
    page.locator("#rank-C-2").focus()
    page.keyboard.press("ArrowLeft")
    expect(order).to_have_text("A = B = C")
    page.keyboard.press("Enter")
    expect(order).to_have_text("to rank: A, B, C")


def test_a_click_on_a_card_chooses_its_translation(open_page: OpenPage, cast: Cast, test_set: TestSet) -> None:
    page = begin_ranking(open_page, cast, test_set, systems_per_item=2)
    page.locator(".cand").nth(1).click()
    expect(page.get_by_role("radio", name="B better")).to_be_checked()
    expect(page.locator("#submit")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name="B better")).not_to_be_checked()


def test_two_are_compared_by_keyboard_in_scripts_of_either_direction(open_page: OpenPage, cast: Cast) -> None:
    page = begin_ranking(open_page, cast, make_arabic_to_chinese(), systems_per_item=2)
    assert_accessible(page)
    expect(page.locator("[aria-current] .src")).to_have_attribute("dir", "rtl")
    expect(page.locator(".cand .read").first).to_have_attribute("lang", "zh")
    page.keyboard.press("2")
    expect(page.get_by_role("radio", name="About equal")).to_be_checked()
    page.keyboard.press("3")
    expect(page.locator(".cand.picked header b")).to_have_text("B")
    go_on(page)
    expect(page.get_by_role("radio", name="A better")).to_be_focused()
    expect(page.locator("[type=radio]:checked")).to_have_count(0)
    page.keyboard.press("1")
    go_on(page)
    expect_end(page)
    assert ranks_of(2) == [[2, 1], [1, 2]]


def test_by_mouse_a_ranking_is_a_click_a_row(open_page: OpenPage, cast: Cast, test_set: TestSet) -> None:
    page = begin_ranking(open_page, cast, test_set, systems_per_item=3)
    for row in rows(page).all():
        row.locator("label", has_text="1").click()
    page.get_by_role("switch", name="Show differences").or_(page.get_by_label("Show differences")).uncheck()
    expect(page.locator(".showdiff")).to_have_count(0)
    page.locator("#submit").click()
    assert set(ranks_of(1)[0]) == {1}
    expect(page.locator(".showdiff")).to_have_count(0)


@pytest.mark.parametrize("systems", [2, 3])
def test_on_a_phone_everything_is_within_a_thumbs_reach(
    open_page: OpenPage, cast: Cast, test_set: TestSet, systems: int
) -> None:
    page = begin_ranking(open_page, cast, test_set, phone=True, systems_per_item=systems)
    expect_room_for_thumbs(page, ":is(.dock, .rank) .opt-b, #submit")
    if systems == 2:
        page.locator("label", has_text="About equal").tap()
    else:
        for row in rows(page).all():
            row.locator("label", has_text="1").tap()
    page.locator("#submit").tap()
    assert set(ranks_of(1)[0]) == {1}
