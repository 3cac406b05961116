"""A practice screen of several segments and systems: judged by keyboard, told cell by cell, tried again, skipped."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from annotation.actions.practising import set_practice
from annotation.models import PracticeAnswer
from annotation.queries.practice import protocol_of
from campaigns.models import Campaign, TestSet
from exchange.formats.practice_lines import read_practice
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign

SECRET = "Resume is not end."
SCREEN: dict[str, Any] = {
    "instruction": "Keep the tone of the news.",
    "feedback": "Look at verbs first.",
    "segments": [
        {
            "source": "Talks resume on Friday.",
            "translations": {"A": "Die Gespräche enden am Freitag.", "B": "Am Freitag wird weiter gesprochen."},
            "marks": {"A": [{"text": "enden", "severity": "major", "note": SECRET}], "B": []},
            "better": {"B": ["A"]},
        },
        {
            "source": "The bridge is closed.",
            "translations": {"A": "Die Brücke ist gesperrt.", "B": "Die Brücke ist offen."},
            "marks": {"B": [{"text": "offen", "severity": "major"}, {"tag": "missing"}]},
            "expected": {"A": {"score": [85, 100]}},
        },
    ],
}
LAST: dict[str, Any] = {"source": "One.", "translations": {"A": "Eins.", "B": "Zwei."}, "better": {"A": ["B"]}}


def practised(test_set: TestSet, cast: Cast, folder: Path) -> Campaign:
    options = {"systems_per_screen": 2, "marks_below": 0}
    campaign = make_planned_campaign(test_set, cast, protocol="cesa", options=options)
    path = folder / "practice.jsonl"
    path.write_text("\n".join(map(json.dumps, (SCREEN, LAST))))
    items = read_practice(path, path.name, protocol_of(campaign))
    return set_practice(campaign=campaign, items=items, pass_mark=None, by=cast.organiser)


def score(page: Page, *numbers: str) -> None:
    for number in numbers:
        page.keyboard.type(number)
        page.keyboard.press("Enter")


def test_a_screen_is_told_cell_by_cell_tried_again_and_the_next_one_skipped(
    open_page: Callable[..., Page], cast: Cast, test_set: TestSet, axe: Callable[[Page], None], tmp_path: Path
) -> None:
    practised(test_set, cast, tmp_path)
    page = open_page(cast.annotator)
    page.goto("/campaigns/planned-campaign/practice/")
    expect(page.get_by_role("button", name="Skip this screen")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Keep the tone of the news.")
    assert SECRET not in page.content()
    axe(page)
    score(page, "40", "90", "90", "40")
    page.keyboard.press("Control+Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Look again")
    for told in ("Missed: “enden”, major", SECRET, "Missed: “offen”, major", "Look at verbs first."):
        expect(dialog).to_contain_text(told)
    axe(page)
    dialog.get_by_role("button", name="Try again").press("Enter")
    expect(dialog).to_have_count(0)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Control+Enter")
    page.keyboard.press("Escape")
    page.goto("/campaigns/planned-campaign/practice/")
    page.get_by_role("button", name="Skip this item").press("Enter")
    expect(page.get_by_role("heading", name="Ready to begin")).to_be_visible()
    page.get_by_role("link", name="Look at the practice again").press("Enter")
    expect(page.locator("main")).to_contain_text("Talks resume on Friday.")
    stored = PracticeAnswer.objects.order_by("item__position").values_list("is_right", "is_skipped")
    assert list(stored) == [(False, False), (False, False), (False, True)]


def test_an_organiser_tries_the_practice_and_reads_what_is_told(
    open_page: Callable[..., Page], cast: Cast, test_set: TestSet, axe: Callable[[Page], None], tmp_path: Path
) -> None:
    practised(test_set, cast, tmp_path)
    page = open_page(cast.organiser)
    page.goto("/campaigns/planned-campaign/overview/")
    page.get_by_role("link", name="Try as an annotator").click()
    expect(page.locator(".notices")).to_contain_text("Nothing you enter here is stored.")
    expect(page.locator("main")).to_contain_text("Keep the tone of the news.")
    expect(page.get_by_role("button", name="Skip this screen")).to_have_count(0)
    assert SECRET not in page.content()
    axe(page)
    score(page, "40", "90", "90", "40")
    page.keyboard.press("Control+Enter")
    dialog = page.get_by_role("dialog")
    for told in ("Look again", "Missed: “enden”, major", SECRET, "Missed: “offen”, major"):
        expect(dialog).to_contain_text(told)
    dialog.get_by_role("button", name="Continue").press("Enter")
    score(page, "90", "40")
    page.keyboard.press("Control+Enter")
    expect(dialog).to_contain_text("Correct")
    dialog.get_by_role("button", name="Continue").press("Enter")
    page.wait_for_url("**/preview/")
    expect(page.get_by_text("Practice: what you answer")).to_have_count(0)
    expect(page.locator(".notices")).to_contain_text("Nothing you enter here is stored.")
    assert not PracticeAnswer.objects.exists()
