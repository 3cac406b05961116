"""Judged by keyboard from the first item to the last, in a real browser, against everything `./assay run` starts.

How a campaign of each protocol goes from files to findings is in `test_journeys.py`; here every answer is typed.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility import assert_accessible
from tests.browser.served import sign_in, strangers
from tests.metrics.real_campaigns import real_case

pytestmark = [pytest.mark.servers, pytest.mark.real_data]

SYSTEMS = 3
DONE = re.compile(r"(\d+) of (\d+)")
Opened = Callable[[], Page]


@pytest.fixture
def site(whole_site: str) -> str:
    return whole_site


@pytest.fixture
def someone(browser: Browser, site: str) -> Iterator[Opened]:
    with strangers(browser, site) as opened:
        yield opened


def make_campaign(page: Page, name: str, files: list[Path]) -> None:
    """Drops the files, reads what was found, plans, and waits until the campaign is made."""
    page.goto("/new-campaign/")
    page.get_by_label("Name", exact=True).fill(name)
    page.locator("#files").set_input_files(files)
    expect(page.locator("#findings")).to_contain_text(f"{SYSTEMS} systems, 1 reference, 3 documents, 12 segments")
    expect(page.locator("#findings")).to_contain_text("Доброго дня")
    page.get_by_label("Source language").fill("uk")
    page.get_by_label("Target language").fill("en")
    page.get_by_label("Judgments per segment").fill("1")
    page.get_by_text("More settings").click()
    page.get_by_label("Segments per task").fill("5")
    expect(page.locator("#sums")).to_contain_text("Judging time")
    assert_accessible(page)
    page.get_by_role("button", name="Create campaign").click()
    page.wait_for_url("**/created/", timeout=30_000)


def three_links(page: Page) -> list[str]:
    expect(page.locator(".invitation-link")).to_have_count(3)
    assert_accessible(page)
    return page.locator(".invitation-link").all_inner_texts()


def accept(page: Page, link: str) -> None:
    page.goto(link)
    assert_accessible(page)
    page.locator("main form button").press("Enter")
    page.locator("[name=agree]").wait_for()
    assert_accessible(page)
    page.get_by_role("button", name="Agree and begin").press("Enter")
    page.wait_for_load_state()


def judge_everything(page: Page, *, is_first: bool) -> int:
    """Takes assignments until there are none, answering each item by keyboard; returns how many items there were."""
    judged = 0
    while True:
        page.goto("/")
        if is_first and not judged:
            assert_accessible(page)
        start = page.locator("main :is(a, button).go")
        if not start.count():
            return judged
        start.first.press("Enter")
        page.locator("#workbench .dock").wait_for()
        if is_first and not judged:
            assert_accessible(page)
        judged += judge_assignment(page, judged)
        if is_first:
            assert_accessible(page)


def judge_assignment(page: Page, offset: int) -> int:
    total = 0
    while True:
        match = DONE.search(page.locator(".bar .count").inner_text())
        assert match, "the bar shows how much is done"
        done, total = int(match[1]), int(match[2])
        if done == total:
            break
        page.keyboard.type(str(37 + (offset + done) % 60))
        page.keyboard.press("Enter")
        if done + 1 < total:
            expect(page.locator(".bar .count")).to_have_text(re.compile(rf"^{done + 1} of {total}"))
        else:
            break
    page.get_by_text(re.compile(r"[A-Z0-9]{4}-[A-Z0-9]{4}")).first.wait_for()
    return total


def exported(page: Page, slug: str) -> list[dict[str, str]]:
    response = page.request.get(f"/campaigns/{slug}/exports/csv/")
    assert response.ok
    return list(csv.DictReader(io.StringIO(response.text())))


def test_from_real_files_to_their_results(someone: Opened) -> None:
    files = sorted(real_case("import-samples").glob("text/*.txt"))
    organiser = someone()
    sign_in(organiser)
    assert_accessible(organiser)
    slug = "real-texts"
    make_campaign(organiser, slug, files)
    links = three_links(organiser)
    organiser.goto(f"/campaigns/{slug}/overview/")
    organiser.get_by_role("button", name="Open for judging").click()
    assert_accessible(organiser)

    judged = 0
    for number, link in enumerate(links):
        annotator = someone()
        accept(annotator, link)
        judged += judge_everything(annotator, is_first=number == 0)

    organiser.goto(f"/campaigns/{slug}/overview/")
    expect(organiser.locator("dl.facts.big")).to_contain_text(f"of {judged} judgments")
    organiser.get_by_role("button", name="Close").click()
    rows = exported(organiser, slug)
    assert len({row["judgment"] for row in rows}) == judged
    outputs = Counter((row["document"], row["segment"], row["system"]) for row in rows)
    assert len(outputs) == 12 * SYSTEMS
    assert set(outputs.values()) == {1}, "every output counts exactly once"

    organiser.goto(f"/campaigns/{slug}/results/")
    systems = organiser.get_by_role("heading", name="Systems", exact=True)
    systems.wait_for(timeout=60_000)  # the page asks for results by itself
    assert_accessible(organiser)
    table = organiser.locator("[aria-labelledby=systems] tbody tr:not(.axisrow)")
    expect(table).to_have_count(SYSTEMS)
    by_system: dict[str, list[float]] = {}
    for row in rows:
        by_system.setdefault(row["system"], []).append(float(row["value"]))
    for line in table.all():
        system = line.locator("th bdi").inner_text()
        shown = float(line.locator("td").nth(2).inner_text())
        assert shown == pytest.approx(sum(by_system[system]) / len(by_system[system]), abs=0.051)
    organiser.goto(f"/campaigns/{slug}/exports/")
    assert_accessible(organiser)
