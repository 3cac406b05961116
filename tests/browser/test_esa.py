"""Errors, then a score: ESA in a real browser, by keyboard alone, by mouse, by touch."""

import pytest
from playwright.sync_api import Page, expect

from campaigns.models import SuggestedSpan, Translation
from tests.browser.accessibility import assert_accessible
from tests.browser.judged_by import OpenPage, answers, begin, expect_end, expect_room_for_thumbs, go_on, reload
from tests.browser.marked_texts import EMOJI, FAMILY, HARBOUR, make_marked_texts
from tests.browser.test_mqm import cut, drag, spans, word, words
from tests.cast import Cast
from tests.processes import wait_for

pytestmark = pytest.mark.django_db

PAIRED = "[...(CSS.highlights.get('desk-pair') ?? [])].map(String)"


def use_the_desk(page: Page) -> None:
    """Where one is, a key of one's own, words that correspond: nothing of it changes what was entered."""
    page.locator("#count").click()
    expect(page.get_by_role("dialog", name="Where you are")).to_contain_text("0 of 3")
    assert_accessible(page)
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.get_by_role("button", name="Change the keys").click()
    page.get_by_role("button", name="Key for: Report a problem with this item, now F").click()
    page.keyboard.press("g")
    expect(page.locator(".said")).to_have_text("“G” already does something: Guidelines. Change that first.")
    page.keyboard.press("k")
    expect(page.get_by_role("button", name="Key for: Report a problem with this item, now K")).to_be_visible()
    assert_accessible(page)
    page.keyboard.press("Escape")
    page.keyboard.press("k")
    expect(page.get_by_role("dialog", name="Report a problem")).to_be_visible()
    page.keyboard.press("Escape")
    word(page, "Stunde").focus()
    wait_for(lambda: page.evaluate("CSS.highlights.get('desk-pair')?.size ?? 0") > 0, what="words of the source")
    page.keyboard.press("Alt+g")
    expect(page.get_by_role("dialog", name="Guidelines")).to_be_visible()
    page.keyboard.press("Escape")
    expect(word(page, "Stunde")).to_be_focused()


def test_keys_alone_from_the_first_item_to_the_code(open_page: OpenPage, cast: Cast) -> None:
    test_set = make_marked_texts(HARBOUR)
    Translation.objects.filter(text=HARBOUR[0][1]).update(alignment="1-1 11-4 0-0 12-4")
    page = begin(open_page, cast, test_set, "esa")
    word(page, "Stunde").focus()
    wait_for(lambda: page.evaluate(PAIRED) == ["knew", "why."], what="words that the alignment pairs")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("2")
    expect(word(page, "zu")).to_have_attribute("aria-description", "error 1, major")
    page.keyboard.press("o")
    page.keyboard.press("1")
    expect(page.locator(".errs li")).to_have_count(2)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".dock [role=alert]")).to_have_text("Choose a score first.")
    expect(page.locator("#score-A")).to_be_focused()
    assert_accessible(page)
    page.keyboard.type("41")
    expect(page.locator(".bar .save")).to_have_text("Draft saved")
    reload(page)
    expect(page.locator(".errs li")).to_have_count(2)
    use_the_desk(page)
    go_on(page, "Control+Enter")
    page.keyboard.type("30")
    page.keyboard.press("Control+Enter")  # low, and nothing marked: it asks, once
    expect(page.locator(".dock [role=alert]")).to_contain_text("A score of 30, but no error is marked.")
    go_on(page, "Control+Enter")
    page.keyboard.press("n")
    expect(page.locator("#score-A")).to_be_focused()
    page.keyboard.type("100")
    page.keyboard.press("Enter")
    expect_end(page)
    judged = answers(3)
    assert [slots["A"]["score"] for slots in judged] == [41, 30, 100]
    assert cut(HARBOUR[0][1], judged[0]) == ["Stunde zu früh", ""]


def test_a_drag_by_letters_and_a_gap_by_mouse_alone(open_page: OpenPage, cast: Cast) -> None:
    page = begin(open_page, cast, make_marked_texts(EMOJI), "esa")
    drag(page, word(page, "caf"), word(page, FAMILY))
    page.locator(".pop label", has_text="Minor").click()
    page.get_by_role("button", name="Mark single characters").click()
    word(page, "Bis").click(position={"x": 3, "y": 10})
    page.locator(".pop label", has_text="Major").click()
    page.get_by_role("button", name="Mark single characters").click()
    word(page, "heute").click()
    page.get_by_role("button", name="before it").click()
    page.locator(".pop label", has_text="Major").click()
    page.locator("#score-A").click()
    page.locator("#submit").click()
    (slots,) = answers()
    assert cut(EMOJI[0][1], slots) == [f"cafe\u0301 {FAMILY}", "B", ""]
    assert spans(slots)[2]["start"] == EMOJI[0][1].index("heute")


def test_by_touch(open_page: OpenPage, cast: Cast) -> None:
    page = begin(open_page, cast, make_marked_texts(HARBOUR[2:]), "esa", phone=True)
    word(page, "schließt").tap()
    word(page, "um").tap()
    expect_room_for_thumbs(page, ".pop label, .pop .btn")
    look = "word => getComputedStyle(word).backgroundColor"  # the word tapped last is selected like the others
    assert word(page, "um").evaluate(look) == word(page, "schließt").evaluate(look)
    page.locator(".pop label", has_text="Major").tap()
    expect(page.locator(".errs .quote")).to_have_text("schließt um")
    assert_accessible(page)
    page.locator("#score-A").tap()
    page.locator("#submit").tap()
    (slots,) = answers()
    assert cut(HARBOUR[2][1], slots) == ["schließt um"]


def test_two_systems_are_marked_and_scored_on_one_screen(open_page: OpenPage, cast: Cast) -> None:
    page = begin(open_page, cast, make_marked_texts(HARBOUR[:1], systems=2), "esa", systems_per_screen=2)
    words(page, slot="B").nth(1).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("1")
    page.keyboard.type("66")
    words(page).nth(1).focus()
    page.keyboard.type("80")
    assert_accessible(page)
    page.keyboard.press("Control+Enter")
    (slots,) = answers()
    assert [(slots[slot]["score"], len(spans(slots, slot))) for slot in "AB"] == [(80, 0), (66, 1)]


def test_what_became_of_suggested_errors_is_recorded(open_page: OpenPage, cast: Cast) -> None:
    output = HARBOUR[0][1]
    test_set = make_marked_texts(HARBOUR[:2])
    first, second = Translation.objects.order_by("pk")
    for text in ("Stunde", "früh", "Brücke", "warum"):
        start = output.index(text)
        SuggestedSpan.objects.create(translation=first, start=start, end=start + len(text), severity="minor")
    SuggestedSpan.objects.create(translation=second, start=0, end=3, severity="major")
    page = begin(open_page, cast, test_set, "esa", suggestions=True)
    expect(page.locator(".errs .quote")).to_have_text(["Stunde", "früh", "Brücke", "warum"])
    word(page, "früh").focus()
    page.keyboard.press("]")
    page.keyboard.press("]")
    page.keyboard.press("2")  # graver
    page.keyboard.press("]")
    page.keyboard.press("Shift+ArrowRight")  # longer
    page.get_by_role("button", name="Delete error 4").click()
    expect(page.locator(".errs .quote")).to_have_text(["Stunde", "früh", "Brücke wusste"])
    expect(page.locator(".bar .save")).to_have_text("Draft saved")
    reload(page)  # what was deleted is not suggested again
    expect(page.locator(".errs .quote")).to_have_text(["Stunde", "früh", "Brücke wusste"])
    page.keyboard.type("41")
    go_on(page, "Control+Enter")
    page.keyboard.type("80")  # the suggestion is taken as it is
    page.keyboard.press("Control+Enter")
    expect_end(page)
    changed, unchanged = answers(2)
    assert cut(output, changed) == ["Stunde", "früh", "Brücke wusste"]
    assert [one["outcome"] for one in changed["A"]["suggested"]] == ["kept", "changed", "changed", "deleted"]
    assert [one["outcome"] for one in unchanged["A"]["suggested"]] == ["kept"]
    assert [span["severity"] for span in spans(unchanged)] == ["major"]
