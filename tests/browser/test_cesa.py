"""A whole document by several systems on one screen: cESA in a real browser, by keyboard alone, by mouse, by touch."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.models import Draft, Judgment
from campaigns.models import TestSet, Translation
from tests.browser.accessibility import assert_accessible
from tests.browser.judged_by import OpenPage, answers, begin, expect_end, expect_room_for_thumbs, reload
from tests.browser.marked_texts import ARABIC, CHINESE, HARBOUR, make_marked_texts
from tests.browser.watch import Watch
from tests.cast import Cast
from tests.processes import wait_for

pytestmark = pytest.mark.django_db

SYSTEMS = 3
CELLS = len(HARBOUR) * SYSTEMS


def begin_screen(open_page: OpenPage, cast: Cast, test_set: TestSet, *, phone: bool = False, **options: Any) -> Page:
    return begin(open_page, cast, test_set, "cesa", phone=phone, **{"systems_per_screen": SYSTEMS} | options)


@pytest.fixture
def harbour() -> TestSet:
    return make_marked_texts(HARBOUR, systems=SYSTEMS)


def here(page: Page) -> Locator:
    return page.locator(".cell[aria-current]")


def word(page: Page, text: str) -> Locator:
    return here(page).get_by_role("option", name=text, exact=True)


def status(page: Page) -> Locator:
    return page.locator(".dock .q")


def drag(page: Page, cell: Locator, first: str, last: str) -> None:
    """Over words that are no elements of their own."""
    boxes = [
        cell.locator(".t").evaluate(
            """(text, word) => {
              const walk = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
              for (let node = walk.nextNode(); node; node = walk.nextNode()) {
                const at = node.data.indexOf(word);
                if (at < 0) continue;
                const range = document.createRange();
                range.setStart(node, at);
                range.setEnd(node, at + word.length);
                const { left, top, width, height } = range.getBoundingClientRect();
                return { x: left + width / 2, y: top + height / 2 };
              }
            }""",
            text,
        )
        for text in (first, last)
    ]
    page.mouse.move(**boxes[0])
    page.mouse.down()
    page.mouse.move(**boxes[1], steps=4)
    page.mouse.up()


def score_all(page: Page, score: str = "90") -> None:
    """By keyboard: from one unfinished cell to the next."""
    left = int(status(page).inner_text().split()[0])
    for number in range(left, 0, -1):
        expect(status(page)).to_contain_text(f"{number} of {CELLS}")
        page.keyboard.press("u")
        page.keyboard.type(score)
    expect(status(page)).to_have_text(f"{CELLS} cells, all finished")


def test_keys_alone_from_the_first_word_to_the_code(open_page: OpenPage, cast: Cast, harbour: TestSet) -> None:
    page = begin_screen(open_page, cast, harbour)
    expect(here(page).get_by_role("option").first).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("2")
    expect(word(page, "fuhr")).to_have_attribute("aria-description", "major")
    page.keyboard.press("m")
    page.keyboard.press("1")
    page.keyboard.type("40")
    expect(here(page).locator(".b")).to_contain_text("borderline")
    assert_accessible(page)
    page.keyboard.press("Enter")
    expect(here(page)).to_have_attribute("aria-label", "Segment 1, translation B")
    page.keyboard.press("ArrowDown")
    expect(here(page)).to_have_attribute("aria-label", "Segment 2, translation B")
    page.keyboard.type("0")
    expect(here(page).locator(".why")).to_contain_text("Below 85 needs a mark or a tag.")
    page.keyboard.press("Control+z")
    score_all(page)
    page.keyboard.press("Control+Enter")
    expect_end(page)
    judged = answers(len(HARBOUR))
    marked = [slot for slot in judged[0].values() if slot["spans"]]
    text = next(slot for slot in judged[0].values() if slot["spans"])
    assert len(marked) == 1
    assert [(span["start"], span["end"], span["severity"]) for span in text["spans"]] == [(4, 14, "major")]
    assert text["tags"] == [{"tag": "missing", "severity": "minor"}]
    assert text["score"] == 40


def test_by_mouse_a_drag_marks_and_a_click_on_the_track_scores(
    open_page: OpenPage, cast: Cast, harbour: TestSet
) -> None:
    page = begin_screen(open_page, cast, harbour, marks_below=0)
    cell = page.get_by_role("gridcell", name="Segment 2, translation A", exact=True)
    drag(page, cell, "fragen", "nach")
    expect(here(page)).to_have_attribute("aria-label", "Segment 2, translation A")
    here(page).locator("label", has_text="Major").click()
    expect(word(page, "fragen")).to_have_attribute("aria-description", "major")
    drag(page, cell, "nicht", "nicht")  # too little of a way: a click, which opens the tools of the mark
    expect(here(page).locator(".micro")).to_contain_text("Mark 1 of 1")
    for place in page.locator(".cell:not(.none)").all():
        place.locator("input[type=range]").click(position={"x": 1, "y": 5})  # 0, where the hidden thumb is
        expect(place.locator(".v")).to_have_value("0")
    page.locator("#submit").click()
    expect_end(page)
    judged = answers(len(HARBOUR))
    assert {slot["score"] for slots in judged for slot in slots.values()} == {0}
    assert [span["end"] - span["start"] for slot in judged[1].values() for span in slot["spans"]] == [17]


@pytest.mark.parametrize("phone", [False, True])
def test_the_number_of_strokes_below_a_mark_is_its_severity(
    open_page: OpenPage, cast: Cast, harbour: TestSet, phone: bool
) -> None:
    page = begin_screen(open_page, cast, harbour, phone=phone)
    page.keyboard.press("Space")
    page.keyboard.press("Space")
    strokes = """mark => getComputedStyle(mark).backgroundImage.split("linear-gradient").slice(1)
        .filter((stroke) => !stroke.includes("rgba(0, 0, 0, 0)")).length"""
    for severity, count in (("1", 1), ("2", 2)):
        page.keyboard.press("[")
        page.keyboard.press(severity)
        expect(here(page).locator(f".m[data-a='{severity}']")).to_have_count(1)
        assert here(page).locator(".m").evaluate(strokes) == count


def test_in_a_long_paragraph_the_severity_is_at_hand_where_the_mark_is(open_page: OpenPage, cast: Cast) -> None:
    long = [("The ferry left late. " * 120, "Die Fähre fuhr zu spät ab. " * 120)]
    page = begin_screen(open_page, cast, make_marked_texts(long, systems=SYSTEMS))
    cell = page.get_by_role("gridcell", name="Segment 1, translation B", exact=True)
    page.mouse.wheel(0, 600)
    wait_for(lambda: page.evaluate("scrollY") == 600, what="the middle of the paragraph")
    left, upper, lower = cell.locator(".t").evaluate(
        """(text) => {
          const [one, next] = [...text.getClientRects()].filter(({ top }) => top > 300);
          return [one.left, one.bottom, next.top];
        }"""
    )
    between = (upper + lower) / 2
    page.mouse.move(left + 60, between)
    page.mouse.down()
    page.mouse.move(left + 160, between + 12, steps=3)
    page.mouse.up()
    expect(here(page).locator(".micro")).to_contain_text("Mark 1 of 1")
    expect(here(page).locator(".rate")).to_be_in_viewport(ratio=1)
    here(page).locator("label", has_text="Major").click()
    expect(here(page).locator(".m[data-a='2']").first).to_be_in_viewport()


def test_who_only_presses_submit_is_led_to_all_that_is_missing(
    open_page: OpenPage, cast: Cast, harbour: TestSet
) -> None:
    page = begin_screen(open_page, cast, harbour)
    for presses in range(3 * CELLS + 1):  # a score, a tag, its severity, and once more
        page.locator("#submit").click()
        if not page.locator(".dock [role=alert]").count() or not page.locator(".dock [role=alert]").inner_text():
            break
        if presses == 0:
            expect(page.locator(".dock [role=alert]")).to_contain_text("Segment 1. Translation A: Give a score")
        reason = here(page).locator(".why").inner_text()
        if "score" in reason.lower() and "Below" not in reason:
            expect(here(page).locator(".v")).to_be_focused()
            page.keyboard.type("50")
        elif "Below" in reason:
            expect(here(page).locator("[role=option]:focus")).to_have_count(1)
            page.keyboard.press("i")
        else:
            here(page).locator("label", has_text="Minor").click()
    expect_end(page)
    assert all(slot["tags"] for slots in answers(len(HARBOUR)) for slot in slots.values())


def test_on_a_phone_one_translation_at_a_time(open_page: OpenPage, cast: Cast, harbour: TestSet) -> None:
    page = begin_screen(open_page, cast, harbour, phone=True)
    expect(page.locator(".deck-src")).to_contain_text(HARBOUR[0][0])
    word(page, "Stunde").tap()
    word(page, "früh").tap()
    expect_room_for_thumbs(page, ".deck .tools label, .deck .tools .btn, .deck-dock .btn, .dots button")
    here(page).locator("label", has_text="Major").tap()
    here(page).get_by_role("button", name="5 more").tap()
    expect(here(page).locator("output")).to_have_text("55")
    assert_accessible(page)
    expect(page.get_by_role("button", name="Translation A, 55, acceptable")).to_be_visible()
    swipe = """(cell) => { const at = (x) => [new Touch({ identifier: 1, target: cell, clientX: x, clientY: 300 })];
      cell.dispatchEvent(new TouchEvent("touchstart", { touches: at(300), changedTouches: at(300), bubbles: true }));
      cell.dispatchEvent(new TouchEvent("touchend", { touches: [], changedTouches: at(100), bubbles: true })); }"""
    here(page).evaluate(swipe)
    expect(page.locator(".dots [aria-current]")).to_have_text("B")
    for left in range(CELLS - 1, 0, -1):
        expect(status(page)).to_contain_text(f"{left} of {CELLS}")
        here(page).locator("input[type=range]").fill("90")
        page.get_by_role("button", name="Next unfinished").tap()
    page.locator("#submit").tap()
    expect_end(page)
    assert sum(len(slot["spans"]) for slot in answers(len(HARBOUR))[0].values()) == 1


def test_drafts_a_reload_and_no_network_lose_nothing(
    open_page: OpenPage, cast: Cast, harbour: TestSet, watch: Watch
) -> None:
    watch.expect("ERR_INTERNET_DISCONNECTED")
    page = begin_screen(open_page, cast, harbour)
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("1")
    page.keyboard.press("ArrowDown")
    page.keyboard.type("70")
    wait_for(lambda: Draft.objects.count() == 2, what="a draft of each row that was changed")
    expect(page.locator(".bar .save")).to_have_text("Draft saved")
    reload(page)
    expect(page.locator(".m").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(here(page).locator(".v")).to_have_value("70")
    page.keyboard.press("i")
    page.keyboard.press("2")
    page.context.set_offline(True)
    score_all(page)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".bar .save")).to_have_text("Offline, 3 answers on this device")
    page.context.set_offline(False)
    expect_end(page)
    assert len(answers(len(HARBOUR))) == len(HARBOUR)
    assert list(Judgment.objects.values_list("revision", flat=True)) == [1, 1, 1]


def test_equal_translations_are_one_cell(open_page: OpenPage, cast: Cast, harbour: TestSet) -> None:
    Translation.objects.filter(segment__position=1).update(text="Alle gleich.")
    page = begin_screen(open_page, cast, harbour)
    expect(status(page)).to_contain_text(f"of {CELLS - 2}")
    expect(page.locator(".crow").first.locator(".cell")).to_have_count(1)
    expect(here(page)).to_contain_text("A, B and C are the same")


def test_arrows_move_as_seen_in_arabic(open_page: OpenPage, cast: Cast) -> None:
    page = begin_screen(open_page, cast, make_marked_texts(ARABIC, target="ar", systems=SYSTEMS))
    page.keyboard.press("ArrowLeft")
    expect(word(page, "العبّارة")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")  # beyond the right edge is the translation at the right
    expect(here(page)).to_have_attribute("aria-label", "Segment 1, translation B")
    assert_accessible(page)


def test_columns_keep_their_order_on_a_page_from_right_to_left(
    open_page: OpenPage, cast: Cast, harbour: TestSet
) -> None:
    page = begin_screen(open_page, cast, harbour)
    assignment = page.url
    page.goto("/")
    page.get_by_role("button", name="العربيّة").click()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.goto(assignment)
    page.locator("#workbench .dock").wait_for()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    row = page.locator(".crow").first
    places = row.locator(".src, .cell").evaluate_all("cells => cells.map(cell => cell.getBoundingClientRect().left)")
    assert len(places) == 1 + SYSTEMS
    assert places == sorted(places)
    for name in "BC":
        page.keyboard.press("End")
        page.keyboard.press("ArrowRight")
        expect(here(page)).to_have_attribute("aria-label", re.compile(name))
    page.keyboard.press("u")
    page.locator(".cell[aria-current] .sc input.v").fill("t7")
    expect(page.locator(".cell[aria-current] .sc input.v")).to_have_value("7")


def test_characters_are_marked_where_words_have_no_spaces(open_page: OpenPage, cast: Cast) -> None:
    test_set = make_marked_texts(CHINESE, target="zh", systems=2)
    Translation.objects.filter(system__name="system-1").update(text="港口九点关门。")
    page = begin_screen(open_page, cast, test_set, systems_per_screen=2, marks_below=0)
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("1")
    expect(page.locator(".bar .save")).to_have_text("Draft saved")
    (draft,) = Draft.objects.all()
    assert [span["end"] for slot in draft.answer["slots"].values() for span in slot["spans"]] == [2]


def test_undo_goes_through_all_changes_of_the_screen(open_page: OpenPage, cast: Cast, harbour: TestSet) -> None:
    page = begin_screen(open_page, cast, harbour)
    page.keyboard.type("95")
    page.keyboard.press("Enter")
    page.keyboard.type("90")
    page.keyboard.press("ArrowDown")
    page.keyboard.type("100")
    expect(status(page)).to_contain_text(f"{CELLS - 3} of")
    for left, place in ((2, "2, translation B"), (1, "1, translation B"), (0, "1, translation A")):
        page.keyboard.press("Control+z")
        expect(status(page)).to_contain_text(f"{CELLS - left} of")
        expect(here(page)).to_have_attribute("aria-label", f"Segment {place}")
    page.keyboard.press("Control+Shift+z")
    expect(status(page)).to_contain_text(f"{CELLS - 1} of")
