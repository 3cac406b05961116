"""The same in every protocol: guidelines, comment and problem report, by keyboard, and nothing of it is lost."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Draft, Judgment, ProblemReport
from annotation.protocols import PROTOCOLS
from campaigns.models import TestSet
from tests.annotation.protocols.sampled import samples_of
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign, take
from tests.processes import wait_for
from tests.sample_questions import ask_questions


@pytest.fixture
def question_set(test_set: TestSet) -> TestSet:
    ask_questions(test_set)
    return test_set


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).press("Enter")


def skip(page: Page) -> None:
    press(page, "Cannot judge")
    page.get_by_role("dialog").get_by_role("radio").first.press("Space")
    page.keyboard.press("Enter")
    page.locator("#submit").press("Enter")


@pytest.mark.drawn(4)
@pytest.mark.parametrize("name", sorted(PROTOCOLS))
def test_guidelines_comment_and_report_work_by_keyboard(
    open_page: Callable[..., Page], question_set: TestSet, cast: Cast, name: str
) -> None:
    options = samples_of(name)["options"]
    campaign = make_planned_campaign(question_set, cast, protocol=name, options=options, guidelines="Read **well**.")
    page = open_page(cast.annotator)
    page.goto(f"/assignments/{take(campaign, cast.annotator).pk}/")
    page.locator("#workbench .dock").wait_for()
    dialog = page.get_by_role("dialog")

    press(page, "Guidelines")
    expect(dialog.locator("strong")).to_have_text("well")
    page.keyboard.press("Escape")

    press(page, "Comment")
    page.keyboard.type("Which ferry?")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Edit the comment")).to_be_visible()
    wait_for(lambda: Draft.objects.filter(answer__comment="Which ferry?").exists(), what="the draft", seconds=10)

    press(page, "Report a problem")
    page.get_by_role("radio", name="The translation is offensive or biased").press("Space")
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    assert ProblemReport.objects.get().reason == "offensive"

    page.reload()
    press(page, "Edit the comment")
    expect(dialog.get_by_label("Comment")).to_have_value("Which ferry?")
    page.keyboard.press("Escape")
    skip(page)
    while PROTOCOLS[name].shows_whole_documents and (page.locator(".dock [role=alert]").inner_text()):
        skip(page)  # each segment of the document
    wait_for(Judgment.objects.exists, what="the judgment", seconds=10)
    assert Judgment.objects.order_by("item__position")[0].answer["comment"] == "Which ferry?"
