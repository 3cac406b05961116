"""What each protocol's answers go through: draft, reload, no network, another device. Nothing is lost or doubled."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Draft, Judgment
from annotation.protocols import PROTOCOLS
from campaigns.models import Segment, TestSet
from tests.browser.judged_by import OpenPage, answers, begin, reload
from tests.browser.watch import Watch
from tests.cast import Cast
from tests.processes import wait_for
from tests.sample_questions import ask_questions

Slots = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Case:
    """`enter` answers the item on the screen by keyboard, without submitting it; `other` answers it differently."""

    enter: Callable[[Page], None]
    other: Callable[[Page], None]
    is_entered: Callable[[Slots], bool]
    options: dict[str, Any] = field(default_factory=dict)
    prepare: Callable[[TestSet], object] = lambda _test_set: None


def typed(text: str) -> Callable[[Page], None]:
    return lambda page: page.keyboard.type(text)


def typed_in(text: str) -> Callable[[Page], None]:
    def enter(page: Page) -> None:
        page.locator("#edit-A").focus()
        page.keyboard.press("Control+End")
        page.keyboard.type(text)

    return enter


def chosen_and_typed(choice: str, text: str) -> Callable[[Page], None]:
    def enter(page: Page) -> None:
        page.keyboard.press(choice)
        expect(page.locator("#typed")).to_be_focused()
        page.keyboard.type(text)

    return enter


def marked_and_typed(severity: str, rest: str) -> Callable[[Page], None]:
    """An error over the first word, then what more is asked: its category, or the score of the whole."""

    def enter(page: Page) -> None:
        page.locator("[data-side=target] [role=option]").first.focus()
        page.keyboard.press("Enter")
        page.locator(".pop").wait_for()
        page.keyboard.type(severity + rest)
        if rest.isalpha():
            page.keyboard.press("Enter")
        expect(page.locator(".errs li")).to_have_count(1)

    return enter


def marked_and_scored(page: Page) -> None:
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("2")
    page.keyboard.type("40")


def leave_one_segment(test_set: TestSet) -> None:
    """A screen is a document: it is one answer then."""
    Segment.objects.filter(document__test_set=test_set, position__gt=1).delete()


def marks(slots: Slots) -> list[tuple[int, str]]:
    return [(span["start"], span["severity"]) for span in slots["A"]["spans"]]


CASES = {
    "cesa": Case(
        marked_and_scored,
        typed("90"),
        lambda slots: (marks(slots), slots["A"]["score"]) == ([(0, "major")], 40),
        prepare=leave_one_segment,
    ),
    "direct_assessment": Case(typed("74"), typed("20"), lambda slots: slots == {"A": {"score": 74}}),
    "esa": Case(
        marked_and_typed("2", "41"),
        typed("n90"),
        lambda slots: (marks(slots), slots["A"]["score"]) == ([(0, "major")], 41),
    ),
    "gisting": Case(
        chosen_and_typed("1", "a small letter"),
        chosen_and_typed("2", "a stone"),
        lambda slots: slots["A"]["answers"]["what"] == "a small letter",
        prepare=ask_questions,
    ),
    "likert": Case(typed("45"), typed("12"), lambda slots: slots == {"A": {"adequacy": 4, "fluency": 5}}),
    "mqm": Case(marked_and_typed("1", "mistrans"), typed("n"), lambda slots: marks(slots) == [(0, "minor")]),
    "ranking": Case(
        typed("1"),
        typed("2"),
        lambda slots: slots == {"A": {"rank": 1}, "B": {"rank": 2}},
        {"systems_per_item": 2},
    ),
    "post_editing": Case(typed_in(" Eins."), typed_in(" Zwei."), lambda slots: slots["A"]["text"].endswith(" Eins.")),
}


@pytest.mark.parametrize("protocol", sorted(CASES))
def test_a_draft_a_reload_no_network_and_another_device_leave_one_answer_of_each(
    open_page: OpenPage, cast: Cast, test_set: TestSet, watch: Watch, protocol: str
) -> None:
    assert protocol in PROTOCOLS
    watch.expect("ERR_INTERNET_DISCONNECTED|status of 409")
    case = CASES[protocol]
    case.prepare(test_set)
    page = begin(open_page, cast, test_set, protocol, **case.options)
    elsewhere = open_page(cast.annotator)
    elsewhere.goto(page.url)
    elsewhere.locator("#workbench .dock").wait_for()

    case.enter(page)
    expect(page.locator(".bar .save")).to_have_text("Draft saved")
    assert case.is_entered(Draft.objects.get().answer["slots"])
    reload(page)
    expect(page.locator("#why-not-yet")).to_have_count(0)

    page.context.set_offline(True)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".bar .save")).to_have_text("Offline, 1 answer on this device")
    case.other(elsewhere)
    elsewhere.keyboard.press("Control+Enter")
    assert not case.is_entered(answers()[0])

    page.context.set_offline(False)
    dialog = page.get_by_role("dialog", name="Changed elsewhere")
    dialog.get_by_role("button").last.click()
    wait_for(lambda: case.is_entered(answers()[0]), what="what was entered here")
    expect(page.locator(".bar .save")).to_have_text("Saved")
    assert list(Judgment.objects.order_by("revision").values_list("revision", flat=True)) == [1, 2]
    assert Judgment.objects.values("item").distinct().count() == 1
