"""Marking errors by MQM in a real browser: by keyboard alone, by mouse, by touch; in scripts that are hard to cut."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import assert_accessible
from tests.browser.judged_by import (
    OpenPage,
    answers,
    begin,
    expect_end,
    expect_room_for_thumbs,
    go_on,
    reload,
)
from tests.browser.marked_texts import ARABIC, CAFE, CHINESE, EMOJI, FAMILY, HARBOUR, make_marked_texts
from tests.cast import Cast

pytestmark = pytest.mark.django_db


def words(page: Page, side: str = "target", slot: str = "A") -> Locator:
    return page.locator(f"[data-side={side}][data-slot={slot}] [role=option]")


def word(page: Page, text: str, side: str = "target", slot: str = "A") -> Locator:
    return words(page, side, slot).filter(has_text=text).first


def drag(page: Page, first: Locator, last: Locator, key: str = "") -> None:
    """From the middle of one to the middle of another."""
    begun, ended = first.bounding_box(), last.bounding_box()
    assert begun
    assert ended
    if key:
        page.keyboard.down(key)
    page.mouse.move(begun["x"] + begun["width"] / 2, begun["y"] + begun["height"] / 2)
    page.mouse.down()
    page.mouse.move(ended["x"] + ended["width"] / 2, ended["y"] + ended["height"] / 2, steps=5)
    page.mouse.up()
    if key:
        page.keyboard.up(key)


def mark(page: Page, severity: str = "2", category: str = "mistrans") -> None:
    """What is selected, in the dialog that is open."""
    expect(page.locator("#category")).to_be_focused()
    page.keyboard.type(severity + category)
    page.keyboard.press("Enter")
    expect(page.locator(".pop")).to_have_count(0)


def spans(slots: dict[str, Any], slot: str = "A") -> list[dict[str, Any]]:
    stored: list[dict[str, Any]] = slots[slot]["spans"]
    return stored


def cut(text: str, slots: dict[str, Any], slot: str = "A") -> list[str]:
    """What the stored offsets cut out of the text as stored."""
    return [text[span["start"] : span["end"]] for span in spans(slots, slot)]


def test_keys_alone_from_the_first_item_to_the_code(open_page: OpenPage, cast: Cast) -> None:
    page = begin(open_page, cast, make_marked_texts(HARBOUR), "mqm")
    page.keyboard.press("Control+Enter")  # nothing is said yet: it says so, and leads there
    expect(page.locator(".dock [role=alert]")).to_have_text("Mark the errors, or choose “No errors”.")
    expect(word(page, "Die")).to_be_focused()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    for _ in range(2):
        page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    assert_accessible(page)
    mark(page)
    expect(word(page, "Stunde")).to_be_focused()
    expect(word(page, "früh")).to_have_attribute("aria-description", "error 1, major, mistranslation")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")
    page.keyboard.type("awk")
    page.keyboard.press("Enter")
    page.keyboard.press("o")
    mark(page, "1", "omis")
    expect(page.locator(".errs li")).to_have_count(3)
    page.keyboard.press("Control+z")
    expect(page.locator(".errs li")).to_have_count(2)
    page.keyboard.press("Control+Shift+Z")
    page.keyboard.press("]")
    expect(page.locator(".errs [aria-current] .k")).to_have_text("1")
    page.keyboard.press("Shift+ArrowRight")
    expect(word(page, "ab")).to_have_attribute("aria-description", "error 1, major, mistranslation")
    expect(page.locator(".bar .save")).to_have_text("Draft saved")
    reload(page)
    expect(page.locator(".errs li")).to_have_count(3)
    assert_accessible(page)
    go_on(page, "Control+Enter")
    expect(word(page, "Wir")).to_be_focused()
    page.keyboard.press("n")
    go_on(page)
    page.keyboard.press("Alt+n")
    expect(page.locator("#submit")).to_be_focused()
    page.keyboard.press("Enter")
    expect_end(page)
    first, second, third = answers(3)
    assert cut(HARBOUR[0][1], first) == ["Stunde zu früh ab", "zu", ""]
    assert spans(first)[2] == {
        "side": "target",
        "start": HARBOUR[0][1].index("zu"),
        "end": HARBOUR[0][1].index("zu"),
        "category": "accuracy/omission",
        "severity": "minor",
        "note": "",
    }
    assert (spans(second), spans(third)) == ([], [])


def test_a_drag_two_clicks_and_the_source_by_mouse_alone(open_page: OpenPage, cast: Cast) -> None:
    page = begin(open_page, cast, make_marked_texts(HARBOUR), "mqm")
    drag(page, word(page, "Stunde"), word(page, "früh"))
    page.locator(".pop label", has_text="Major").click()
    page.locator("#categories [role=option]", has_text="Mistranslation").click()
    expect(page.locator(".errs .quote")).to_have_text("Stunde zu früh")
    word(page, "niemand").click()
    word(page, "Brücke").click()
    page.locator("#categories [role=option]", has_text="Awkward").click()
    page.locator(".pop label", has_text="Minor").click()
    word(page, "pier", "source").click()
    page.locator(".pop label", has_text="Minor").click()
    page.locator("#categories [role=option]", has_text="Omission").click()
    page.get_by_role("button", name="Edit error 2, minor, awkward").click()
    word(page, "wusste").click()
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Delete error 1").click()
    page.get_by_role("button", name="Undo").click()
    page.locator("#submit").click()
    (slots,) = answers()
    assert [(span["side"], span["severity"], span["category"]) for span in spans(slots)] == [
        ("target", "major", "accuracy/mistranslation"),
        ("target", "minor", "style/awkward"),
        ("source", "minor", "accuracy/omission"),
    ]
    assert cut(HARBOUR[0][1], slots)[:2] == ["Stunde zu früh", "niemand auf der Brücke wusste"]
    assert HARBOUR[0][0][spans(slots)[2]["start"] : spans(slots)[2]["end"]] == "pier"


@pytest.mark.parametrize("way", ["keyboard", "mouse"])
def test_emoji_and_letters_with_marks_are_cut_where_they_were_marked(open_page: OpenPage, cast: Cast, way: str) -> None:
    page = begin(open_page, cast, make_marked_texts(EMOJI), "mqm")
    if way == "mouse":
        drag(page, word(page, "caf"), word(page, FAMILY))
        mark(page)
        word(page, "ja").click()
        mark(page)
    else:
        word(page, "caf").focus()
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Enter")
        mark(page)
        page.keyboard.press("End")
        page.keyboard.press("Enter")
        mark(page)
    word(page, "caf").focus()  # the last letter alone: four letters of five code points
    page.keyboard.press("c")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    mark(page, "1", "spell")
    page.keyboard.press("Control+Enter")
    (slots,) = answers()
    assert cut(EMOJI[0][1], slots) == [f"{CAFE} {FAMILY}", "ja", "e\u0301"]


@pytest.mark.parametrize("way", ["keyboard", "mouse"])
def test_from_right_to_left_arrows_go_as_seen(open_page: OpenPage, cast: Cast, way: str) -> None:
    page = begin(open_page, cast, make_marked_texts(ARABIC, target="ar"), "mqm")
    if way == "mouse":
        drag(page, words(page).nth(1), words(page).nth(2))
    else:
        words(page).first.focus()
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Shift+ArrowLeft")
        page.keyboard.press("Enter")
    mark(page)
    page.keyboard.press("Control+Enter")
    (slots,) = answers()
    assert cut(ARABIC[0][1], slots) == ["العبّارة متأخرة"]


def test_by_touch_two_taps_and_a_sheet(open_page: OpenPage, cast: Cast) -> None:
    page = begin(open_page, cast, make_marked_texts(CHINESE, target="zh"), "mqm", phone=True)
    words(page).nth(2).tap()
    words(page).nth(3).tap()
    expect_room_for_thumbs(page, ".pop label, .pop [role=option]:visible, .pop .btn")
    assert_accessible(page)
    page.locator(".pop label", has_text="Major").tap()
    page.locator("#categories [role=option]", has_text="Mistranslation").tap()
    page.locator("#submit").tap()
    (slots,) = answers()
    assert cut(CHINESE[0][1], slots) == ["九点"]


def test_four_systems_of_a_segment_are_marked_on_one_screen(open_page: OpenPage, cast: Cast) -> None:
    page = begin(open_page, cast, make_marked_texts(HARBOUR[:1], systems=4), "mqm", systems_per_screen=4)
    widths = [box["width"] for card in page.locator(".beside .cand").all() if (box := card.bounding_box())]
    assert len(widths) == 4
    assert min(widths) > 380
    words(page, slot="C").nth(1).click()
    mark(page)
    assert_accessible(page)
    words(page, "source", "C").nth(1).click()  # the source is read for the translation one is at
    mark(page, "1", "omis")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".dock [role=alert]")).to_contain_text("Not marked yet: A, B, D.")
    for _ in range(3):
        page.keyboard.press("n")
    page.keyboard.press("Enter")
    (slots,) = answers()
    assert [len(spans(slots, slot)) for slot in "ABCD"] == [0, 0, 2, 0]
    assert [span["side"] for span in spans(slots, "C")] == ["target", "source"]
