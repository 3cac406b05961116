"""Post-editing in a real browser: by keyboard alone, by mouse, on a phone, in scripts without spaces."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from campaigns.models import TestSet
from tests.browser.accessibility import assert_accessible
from tests.browser.judged_by import (
    OUTPUTS,
    SOURCES,
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

PASTED = "Ganz anders gesagt, und anderswo geschrieben."


def editor(page: Page) -> Locator:
    return page.locator("#edit-A")


def fact(page: Page, name: str) -> Locator:
    return page.locator(".dock .facts div", has_text=name).locator("dd")


def test_corrected_by_keyboard_alone_from_the_first_item_to_the_code(
    open_page: OpenPage, cast: Cast, test_set: TestSet
) -> None:
    page = begin(open_page, cast, test_set, "post_editing")
    shown = editor(page).input_value()
    while not page.locator("#edit-A:focus").count():
        page.keyboard.press("Tab")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("alert")).to_have_text("Edit the translation, or choose “No edit needed”.")
    page.keyboard.press("Control+End")
    page.keyboard.type(" Noch etwas.")
    expect(page.locator("#changes ins")).to_have_text("Noch etwas.")
    expect(fact(page, "edited words")).to_have_text("3")
    assert_accessible(page)
    page.keyboard.press("Alt+r")
    expect(editor(page)).to_have_value(shown)
    page.keyboard.press("Control+z")
    expect(editor(page)).to_have_value(f"{shown} Noch etwas.")
    expect(page.locator(".bar .save")).to_have_text("Draft saved")
    reload(page)
    expect(editor(page)).to_have_value(f"{shown} Noch etwas.")
    go_on(page, "Control+Enter")
    expect(editor(page)).to_be_focused()
    page.keyboard.press("Alt+ArrowLeft")
    expect(editor(page)).to_have_value(f"{shown} Noch etwas.")
    go_on(page, "Control+Enter")
    for _ in range(5):
        page.keyboard.press("Alt+n")
        go_on(page, "Control+Enter")
    expect_end(page)
    (edited,) = [slots["A"] for slots in answers(6) if slots["A"]["keystrokes"]]
    assert edited["text"] == f"{shown} Noch etwas."
    assert edited["keystrokes"] >= len(" Noch etwas.")
    assert [step[4] for step in edited["steps"] if len(step) > 4] == ["reset"]


def test_by_mouse_reset_put_back_paste_and_no_edit_needed(open_page: OpenPage, cast: Cast, test_set: TestSet) -> None:
    page = begin(open_page, cast, test_set, "post_editing")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown = editor(page).input_value()
    page.evaluate("text => navigator.clipboard.writeText(text)", PASTED)
    editor(page).select_text()
    page.keyboard.press("Control+v")
    page.get_by_role("button", name="Reset to the translation").click()
    expect(editor(page)).to_have_value(shown)
    expect(fact(page, "HTER, estimated")).to_have_text("0.00")
    page.get_by_role("button", name="Restore my edits").click()
    expect(editor(page)).to_have_value(PASTED)
    page.locator("#submit").click()
    ((step, *_),) = [[step for step in slots["A"]["steps"] if "pasted" in step] for slots in answers()]
    assert step[1:] == [0, len(shown), PASTED, "pasted"]
    shown = editor(page).input_value()
    page.get_by_role("button", name="No edit needed", exact=True).click()
    expect(page.get_by_role("button", name="No edit needed", exact=True)).to_have_attribute("aria-pressed", "true")
    page.locator("#submit").click()
    assert answers(2)[1] == {"A": {"text": shown, "keystrokes": 0, "steps": []}}


@pytest.mark.parametrize("shows_source", [True, False])
def test_on_a_phone_in_scripts_of_either_direction(open_page: OpenPage, cast: Cast, shows_source: bool) -> None:
    test_set = make_arabic_to_chinese()
    page = begin(open_page, cast, test_set, "post_editing", phone=True, show_source=shows_source)
    assert (SOURCES[0] in page.content()) == shows_source
    expect(editor(page)).to_have_attribute("lang", "zh")
    expect_room_for_thumbs(page, "#edit-A, .dock .btn")
    editor(page).tap()
    editor(page).fill(OUTPUTS[0][0].replace("一个", "两个"))
    expect(page.locator("#changes ins")).to_have_text("两")
    expect(fact(page, "edited words")).to_have_text("1")
    page.locator("#submit").tap()
    assert answers()[0]["A"]["text"] == "渡轮晚开了两个小时。"


def test_time_stops_while_hidden_or_idle_and_goes_on_after_a_reload(
    open_page: OpenPage, cast: Cast, test_set: TestSet
) -> None:
    page = begin(open_page, cast, test_set, "post_editing")
    page.clock.install()
    reload(page)
    shown = page.locator(".dock .facts div").last.locator("dd")
    page.clock.run_for(20_000)
    expect(shown).to_have_text(re.compile(r"0:2\d"))
    show(page, hidden=True)
    page.clock.run_for(600_000)
    expect(page.locator(".dock .facts")).to_contain_text("paused, no input")
    expect(shown).to_have_text(re.compile(r"0:2\d"))
    show(page, hidden=False)
    cover = page.get_by_role("dialog", name="Still there?")
    expect(cover).to_be_visible()
    page.mouse.move(50, 50)
    page.clock.run_for(20_000)
    expect(shown).to_have_text(re.compile(r"0:2\d"))  # it is stopped until a key or a click
    written = editor(page).input_value()
    page.keyboard.press("z")
    expect(cover).to_be_hidden()
    expect(editor(page)).to_have_value(written)  # the key did nothing else
    page.clock.run_for(900_000)  # a pause beyond what its words take to read: the cover asks, and half of it counts
    expect(cover).to_be_visible()
    page.mouse.click(300, 300)
    expect(cover).to_be_hidden()
    expect(shown).to_have_text(re.compile(r"[01]:\d\d"))
    counted = shown.inner_text()
    reload(page)
    minutes, seconds = map(int, counted.split(":"))
    expect(shown).to_have_text(re.compile("|".join(_clock(60 * minutes + seconds + later) for later in range(20))))


def _clock(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"


def show(page: Page, *, hidden: bool) -> None:
    page.evaluate(
        "hidden => { Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});"
        " document.dispatchEvent(new Event('visibilitychange')); }",
        hidden,
    )
