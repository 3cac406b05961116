"""The overview in a browser: it lives, leaves alone what has the focus, and its steps can be gone."""

import re
from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone

import pytest
from playwright.sync_api import Page, expect

from annotation.actions.submitting import report_problem
from annotation.models import Assignment
from campaigns.models import Campaign, TestSet
from tests.browser.watch import Watch
from tests.cast import Cast, make_person
from tests.judged_at import judge_at
from tests.planned_campaign import add_annotator, items_to_judge, judge, make_planned_campaign, take

OpenPage = Callable[..., Page]
AxeCheck = Callable[[Page], None]
LIVE = "[data-live-time]"


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    """Ben judges day by day; Anna has judged one five days ago and holds the rest."""
    made = make_planned_campaign(test_set, cast, redundancy=4)
    now = timezone.now()
    for index, item in enumerate(items_to_judge(take(made, cast.second_annotator))[:10]):
        judge_at(item, now - timedelta(days=index / 2), active_ms=31_000)
    stuck = take(made, cast.annotator)
    item = items_to_judge(stuck)[0]
    judge_at(item, now - timedelta(days=5), active_ms=29_000)
    report_problem(item=item, annotator=cast.annotator, reason="display", note="A letter is missing.")
    Assignment.objects.filter(pk=stuck.pk).update(claimed_at=now - timedelta(days=6))
    return made


@pytest.fixture
def overview(campaign: Campaign) -> str:
    return f"/campaigns/{campaign.slug}/overview/"


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def make_impatient(page: Page) -> None:
    """Asks ten times a second, so that no test waits."""
    page.route(
        "**/overview/",
        lambda route: route.fulfill(
            response=(answer := route.fetch()), body=answer.text().replace('data-every="5000"', 'data-every="100"')
        ),
    )


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_every_page_reads_well_and_is_no_wider_than_the_window(
    open_page: OpenPage, axe: AxeCheck, campaign: Campaign, cast: Cast, overview: str, phone: bool
) -> None:
    page = open_page(cast.organiser, phone=phone)
    anna = f"/campaigns/{campaign.slug}/annotators/anna/"
    held = f"assignments/{campaign.assignments.get(annotator=cast.annotator).pk}"
    others = ("leave-out/", f"{held}/reassign/", f"{held}/reset/")
    pages = (overview, f"{overview}standing-work/", f"/campaigns/{campaign.slug}/reports/", anna)
    for address in (*pages, *(f"{anna}{other}" for other in others)):
        page.goto(address)
        for details in page.locator("details > summary").all():
            details.click()
        axe(page)
        assert fits(page), address


def test_a_judgment_that_arrives_is_seen_without_reloading(
    open_page: OpenPage, campaign: Campaign, cast: Cast, overview: str
) -> None:
    page = open_page(cast.organiser)
    make_impatient(page)
    page.goto(overview)
    expect(page.locator(LIVE)).to_have_text(re.compile(r"^Live, updated \d\d:\d\d:\d\d$"))
    page.evaluate("window.stillHere = true")
    expect(page.locator("dl.facts.big dd").first).to_have_text("11")
    judge(items_to_judge(take(campaign, cast.second_annotator))[10])
    expect(page.locator("dl.facts.big dd").first).to_have_text("12")
    expect(page.get_by_role("row", name="Ben Achterberg")).to_contain_text("11 of")
    assert page.evaluate("window.stillHere") is True


def test_what_has_the_focus_is_left_alone_and_renewed_afterwards(
    open_page: OpenPage, campaign: Campaign, cast: Cast, overview: str
) -> None:
    page = open_page(cast.organiser)
    make_impatient(page)
    page.goto(overview)
    for _turn in range(2):
        page.get_by_role("link", name="Annotator", exact=True).click()
        page.wait_for_load_state()
    heading = page.get_by_role("link", name="Annotator", exact=True)
    heading.focus()
    first = page.locator("[data-part=annotators] tbody tr").first
    expect(first).to_contain_text("Ben")
    judge(items_to_judge(take(campaign, cast.second_annotator))[10])
    expect(page.locator("dl.facts.big dd").first).to_have_text("12")
    expect(heading).to_be_focused()
    expect(first).to_contain_text("10 of")
    heading.blur()
    expect(first).to_contain_text("11 of")
    expect(first).to_contain_text("Ben")


def test_a_lost_connection_is_reported_and_restored(
    open_page: OpenPage, watch: Watch, cast: Cast, overview: str
) -> None:
    watch.expect("Failed to load resource")
    page = open_page(cast.organiser)
    make_impatient(page)
    page.goto(overview)
    expect(page.locator(LIVE)).to_have_text(re.compile("^Live"))
    page.context.set_offline(True)
    expect(page.locator(LIVE)).to_have_text(re.compile("^Not live"))
    page.context.set_offline(False)
    expect(page.locator(LIVE)).to_have_text(re.compile("^Live"))


def test_stuck_work_goes_to_the_next_annotator(
    open_page: OpenPage, campaign: Campaign, cast: Cast, overview: str
) -> None:
    page = open_page(cast.organiser)
    page.goto(overview)
    expect(page.locator("#alert-stuck")).to_contain_text("Anna Weidner stopped 5 days ago")
    page.locator("#alert-stuck").get_by_role("link", name="Reassign").click()
    expect(page.get_by_role("checkbox", name="Anna Weidner")).to_be_checked()
    page.get_by_role("button", name="Give to the next annotators").click()
    expect(page.get_by_role("status").filter(has_text="who ask")).to_be_visible()
    expect(page.locator("#alert-stuck")).to_have_count(0)


def test_one_assignment_goes_to_somebody_by_name_and_its_holder_is_left_out_and_back(
    open_page: OpenPage, campaign: Campaign, cast: Cast, overview: str
) -> None:
    carl = make_person("carl", "Carl Ruiz")
    add_annotator(campaign, carl)
    page = open_page(cast.organiser)
    page.goto(overview)
    page.get_by_role("link", name="Anna Weidner").click()
    page.get_by_role("link", name=re.compile("Reassign task")).click()
    page.get_by_label("Give it to").select_option("Carl Ruiz")
    page.get_by_role("button", name="Reassign").click()
    expect(page.get_by_text("The items not judged yet go to Carl Ruiz.")).to_be_visible()
    assert campaign.assignments.filter(annotator=carl).count() == 1
    page.get_by_role("link", name="Exclude from the results").click()
    page.get_by_label("Reason").fill("Never read the source.")
    page.get_by_role("button", name="Exclude").click()
    expect(page.get_by_text("Never read the source.")).to_be_visible()
    page.get_by_role("button", name="Include again").click()
    expect(page.get_by_role("link", name="Exclude from the results")).to_be_visible()
