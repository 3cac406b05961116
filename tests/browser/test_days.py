"""A day of an annotator and of the organiser of the same campaign; that of a crowd worker is in `test_crowd.py`."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from playwright.sync_api import Page, expect

from annotation.actions.housekeeping import set_deadline
from annotation.models import Assignment
from campaigns.models import Campaign, TestSet
from tests.cast import Cast
from tests.judged_at import judge_at
from tests.planned_campaign import items_to_judge, make_planned_campaign, take

GUIDELINES = "# Rules\n\nAsk **how much** of the meaning is there."
OF_THE_DAY = "Ten minutes more: the power was off."
JUDGED = 2


@dataclass
class Day:
    """Somebody's pages, each looked at by axe in both themes and, on a phone's width, for what does not fit."""

    page: Page
    axe: Callable[[Page], None]

    def look(self) -> None:
        self.axe(self.page)
        desk = self.page.viewport_size
        assert desk
        self.page.set_viewport_size({"width": 390, "height": 844})
        assert self.page.evaluate("document.documentElement.scrollWidth") <= 390, self.page.url
        self.page.set_viewport_size(desk)

    def follow(self, link: str) -> None:
        self.page.get_by_role("link", name=link).first.click()

    def press(self, button: str) -> None:
        self.page.get_by_role("button", name=button, exact=True).filter(visible=True).first.click()

    def active_time(self) -> str:
        """As the timesheet sums it up."""
        return self.page.locator("dl.facts dd").first.inner_text()


def judge_some(anna: Day) -> None:
    """Never stuck, never lost: the reason, the guidelines and a break, and the score stays."""
    page, dialog = anna.page, anna.page.get_by_role("dialog")
    page.locator("#workbench .dock").wait_for()
    page.locator("#submit").click()
    expect(page.locator(".dock .complaint")).not_to_be_empty()
    page.keyboard.type("71")
    page.keyboard.press("g")
    expect(dialog.locator("strong")).to_have_text("how much")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Take a break").click()
    expect(dialog).to_contain_text("The clock has stopped")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.locator(".dock input[type=range]")).to_have_attribute("aria-valuetext", "71 of 100")
    for _place in range(JUDGED):
        before = page.locator(".doc [aria-current]").inner_text()
        page.keyboard.type("71")
        page.locator("#submit").click()
        expect(page.locator(".doc [aria-current]")).not_to_have_text(before)
    expect(page.locator(".bar .save")).to_have_text("Saved")


def work(anna: Day, campaign: Campaign) -> str:
    """Her time, as she reads it."""
    page = anna.page
    page.goto("/")
    anna.press(f"Start {campaign.name}")
    page.wait_for_url(re.compile("/assignments/|/guidelines/"))
    judge_some(anna)
    page.goto("/")
    expect(page.get_by_text(f"{JUDGED} of ").first).to_be_visible()
    anna.look()
    anna.follow("Timesheet")
    page.get_by_text("Not right?").click()
    page.get_by_role("textbox").fill(OF_THE_DAY)
    anna.look()
    anna.press("Save")
    expect(page.get_by_role("cell", name=OF_THE_DAY)).to_be_visible()
    return anna.active_time()


def answer_the_dispute(olive: Day, cast: Cast, time: str) -> None:
    page = olive.page
    page.get_by_role("link", name=cast.annotator.name).first.click()
    page.get_by_text("Note for organisers").click()
    page.get_by_label("Only organisers of this campaign read it").fill("Asks good questions.")
    olive.press("Save")
    expect(page.get_by_label("Only organisers of this campaign read it")).to_have_value("Asks good questions.")
    olive.follow("Timesheet")
    expect(page.get_by_text(OF_THE_DAY)).to_be_visible()
    assert olive.active_time() == time
    page.locator("summary").filter(has_text="Answer").click()
    page.get_by_label("Your answer to the annotator").fill("Added by hand.")
    olive.look()
    olive.press("Save")
    expect(page.get_by_text("Added by hand.").first).to_be_visible()


def give_away(olive: Day, campaign: Campaign, cast: Cast) -> None:
    page = olive.page
    page.goto(f"/campaigns/{campaign.slug}/annotators/{cast.annotator.username}/")
    olive.follow("Give all unfinished work to others")
    expect(page.get_by_role("button", name="Copy the reminder for")).to_be_visible()
    olive.look()
    olive.press("Give to the next annotators")
    assert Assignment.objects.get(annotator=cast.annotator).returned_at is not None


def remind(olive: Day, campaign: Campaign, cast: Cast) -> None:
    """Without a mail server: the text to copy, with a personal link."""
    page = olive.page
    page.goto(f"/campaigns/{campaign.slug}/mail/?kind=reminder")
    expect(page.get_by_text("No mail server is set")).to_be_visible()
    olive.press("Show texts to copy")
    text = page.get_by_role("textbox", name=f"Text for {cast.second_annotator.name}")
    expect(text).to_have_value(re.compile("/invitations/"))
    olive.look()


def put_into_a_project(olive: Day, campaign: Campaign) -> None:
    page = olive.page
    page.goto(f"/campaigns/{campaign.slug}/manage/")
    page.get_by_label("Name of the project").fill("Harbours")
    page.locator("button[value=project]").click()
    page.goto("/projects/")
    olive.look()
    olive.follow("Harbours")
    expect(page.get_by_role("row").filter(has_text=campaign.name)).to_contain_text(f"{JUDGED + 1} of ")
    olive.look()


def read_the_timetable(olive: Day, campaign: Campaign) -> None:
    page = olive.page
    page.goto(f"/campaigns/{campaign.slug}/overview/")
    expect(page.get_by_text("expected end").first).to_be_visible()
    expect(page.get_by_text("At this pace the campaign will end later.")).to_be_visible()


def test_a_day_of_an_annotator_and_of_an_organiser(
    open_page: Callable[..., Page], axe: Callable[[Page], None], test_set: TestSet, cast: Cast
) -> None:
    campaign = make_planned_campaign(test_set, cast, guidelines=GUIDELINES, redundancy=2)
    set_deadline(campaign=campaign, day=timezone.localdate() + timedelta(days=1), by=cast.organiser)
    begun, days_ago = take(campaign, cast.second_annotator), timezone.now() - timedelta(days=5)
    judge_at(items_to_judge(begun)[0], days_ago)
    Assignment.objects.filter(pk=begun.pk).update(claimed_at=days_ago)
    anna, olive = (Day(open_page(each), axe) for each in (cast.annotator, cast.organiser))
    time = work(anna, campaign)

    read_the_timetable(olive, campaign)
    answer_the_dispute(olive, cast, time)
    give_away(olive, campaign, cast)
    remind(olive, campaign, cast)
    put_into_a_project(olive, campaign)

    anna.page.reload()
    expect(anna.page.get_by_text("Added by hand.")).to_be_visible()
    assert anna.active_time() == time
    anna.page.goto("/")
    expect(anna.page.get_by_role("heading", name="Done")).to_be_visible()
