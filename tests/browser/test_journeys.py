"""How Assay is used, protocol by protocol: from dropped files to what a researcher finds, on the pages alone.

What is true of the texts and of the annotators is planted, so that the pages can be held to it: two systems are equally
good and one is clearly worse, one annotator reads nothing, and on a few texts the others are of two minds.
"""

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from annotation.protocols import PROTOCOLS
from tests.browser.journeys.annotators import Annotator, Mind, judge_together
from tests.browser.journeys.answers import ANSWERS, marks_and_scores
from tests.browser.journeys.texts import ALIKE, SYSTEMS, WORSE, Texts
from tests.browser.journeys.wmt import ScreenAnnotator, Upended, WmtTexts
from tests.browser.served import sign_in, strangers

pytestmark = [pytest.mark.servers]

CARELESS, REASON = "Max", "Answers faster than anybody can read."
MINDS = (Mind("Ada"), Mind("Ben", is_contrarian=True), Mind("Cleo"), Mind(CARELESS, is_careless=True))
READERS = (  # of a text three see the same version; four who are of another mind cannot be a whole number of threes
    *(Mind(name, is_contrarian=True) for name in ("Ben", "Dora", "Finn", "Hugo")),
    *(Mind(name) for name in ("Ada", "Cleo", "Emil", "Gita")),
    MINDS[3],
)
SENTENCES = Texts(documents=8, quarrels=("d1:3", "d5:10"))
Opened = Callable[[], Page]


@dataclass(frozen=True)
class Journey:
    """What is particular about a protocol. `options` are chosen by their labels."""

    protocol: str
    texts: Texts = SENTENCES
    minds: tuple[Mind, ...] = MINDS
    redundancy: int = 4
    damaged: int = 25
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"Journey {self.protocol.replace('_', ' ')}"

    @property
    def slug(self) -> str:
        return self.name.lower().replace(" ", "-")


JOURNEYS = (
    Journey("direct_assessment"),
    Journey("likert"),
    Journey("ranking", damaged=50, options=("2: which is better",)),
    Journey("mqm"),
    Journey("esa"),
    Journey("post_editing"),
    Journey(
        "gisting",
        texts=Texts(documents=24, quarrels=("d2", "d7"), asks_questions=True),
        minds=READERS,
        redundancy=3,
        damaged=0,
    ),
)


def set_up(page: Page, journey: Journey) -> None:
    """From an empty form to a campaign: protocol, files, controls."""
    page.goto("/new-campaign/")
    page.get_by_label("Name", exact=True).fill(journey.name)
    page.get_by_role("radio", name=re.compile(f"^{PROTOCOLS[journey.protocol].title}")).check()
    page.get_by_text("More settings").click()
    for option in journey.options:
        page.get_by_role("radio", name=option).check()
    page.locator("#files").set_input_files(journey.texts.files())
    expect(page.locator("#findings")).to_contain_text(f"{len(SYSTEMS)} systems, 1 reference")
    page.get_by_label("Source language").fill("en")
    page.get_by_label("Target language").fill("de")
    page.get_by_label("Judgments per segment").fill(str(journey.redundancy))
    page.get_by_label("Number of annotators").fill("0")
    if journey.damaged:
        page.get_by_label("Degraded items (%)").fill(str(journey.damaged))
    expect(page.locator("#sums")).to_contain_text("Judging time")
    page.get_by_role("button", name="Create campaign").click()
    page.wait_for_url("**/created/", timeout=90_000)
    go(page, "People")


def invite(page: Page, count: int, role: str) -> list[str]:
    page.get_by_label("How many").fill(str(count))
    page.get_by_label("Role").select_option(role)
    page.get_by_role("button", name="Invite", exact=True).click()
    expect(page.locator(".invitation-link")).to_have_count(count)
    return page.locator(".invitation-link").all_inner_texts()


def go(page: Page, tab: str) -> None:
    """From one of the campaign's pages to another."""
    page.get_by_role("navigation", name="Campaign", exact=True).get_by_role("link", name=tab, exact=True).click()


def open_for_judging(page: Page) -> None:
    go(page, "Overview")
    page.get_by_role("button", name="Open for judging").click()


def judge(site: str, journey: Journey, links: list[str]) -> int:
    people = [Annotator(site, mind, journey.texts, ANSWERS[journey.protocol]) for mind in journey.minds]
    for annotator, link in zip(people, links, strict=True):
        annotator.accept(link)
    return judge_together(people, journey.slug)


def watch(page: Page, judged: int) -> None:
    """Figures come by themselves; who is in a hurry is told."""
    figures = page.locator("dl.facts.big")
    expect(figures).to_contain_text(f"of {judged} judgments")
    expect(figures.locator("dd").first).to_have_text(str(judged), timeout=90_000)
    expect(page.locator(".alerts")).to_contain_text(CARELESS)


def find_ties(page: Page) -> None:
    """The page asks for its numbers by itself, and opens with what they say."""
    go(page, "Results")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_contain_text("are ahead of all others and do not differ significantly", timeout=90_000)
    expect(heading).to_contain_text(re.compile(f"({ALIKE[0]} and {ALIKE[1]}|{ALIKE[1]} and {ALIKE[0]}) are"))
    expect(heading).not_to_contain_text(WORSE)


def find_who_is_unreliable(page: Page) -> None:
    go(page, "Agreement")
    to_check = re.compile(rf"check (.+ )?{CARELESS}\b")  # who shares texts with whom is chance: others may be named too
    expect(page.get_by_role("heading", level=1)).to_contain_text(to_check)
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=CARELESS)).last
    expect(row).to_contain_text("needs less than a third of the others’ time")


def leave_out(page: Page) -> dict[str, str]:
    """From the row to the effect, from the effect to the decision; what each system was said to have then."""
    go(page, "Agreement")
    page.get_by_role("link", name=f"Exclude {CARELESS}").click()
    page.get_by_role("button", name="Compute the effect").click()
    table = page.locator("section:has(#effect) table").first
    expect(table).to_be_visible(timeout=90_000)
    expect(page.locator("section:has(#effect) .note.info")).to_contain_text("judgment")
    rows = table.locator("tbody tr").all()
    promised = {row.locator("th bdi").inner_text(): row.locator("td").nth(1).inner_text() for row in rows}
    page.get_by_label("Reason").fill(REASON)
    page.get_by_role("button", name="Exclude").click()
    expect(page.get_by_text(REASON)).to_be_visible()
    return promised


def see_it_come_true(page: Page, promised: dict[str, str]) -> None:
    """The newer numbers are those that were promised; who is left out is said."""
    go(page, "Results")
    page.get_by_role("button", name="Compute again").click()
    expect(page.locator("#signature")).to_contain_text("excluded:1", timeout=90_000)
    rows = csv_of(page, page.get_by_role("link", name="CSV", exact=True).first)
    means = {row["system"]: float(row["mean"]) for row in reversed(rows)}  # the first measure's stand first
    assert means == {system: pytest.approx(float(mean), abs=0.0051) for system, mean in promised.items()}


def find_what_people_quarrel_about(page: Page, journey: Journey) -> None:
    """The page looks for disagreement by itself; the places of quarrel come first, with all that was answered."""
    go(page, "Segments")
    links = page.locator("[data-found] .si")
    expect(links.first).to_contain_text("spread", timeout=90_000)
    first = [links.nth(place).inner_text() for place in range(len(journey.texts.quarrels))]
    assert {re.split(",|spread", each)[0].replace(" ", "").strip() for each in first} == set(journey.texts.quarrels)
    links.first.click()
    expect(page.locator("main")).to_contain_text("Ben")


def find_which_metric_follows_people(page: Page) -> None:
    """The table's order is that of the file, and the sentence says no more than the groups do."""
    go(page, "Metrics")
    page.get_by_role("button", name="Compute scores").click()
    compare = page.get_by_role("button", name="Compute correlations")
    expect(compare).to_be_enabled(timeout=90_000)
    compare.click()
    shown = page.locator(".correlated:has(#correlated-system) tbody th")
    expect(shown.first).to_be_visible(timeout=90_000)
    rows = csv_of(page, page.locator("section:has(#correlation)").get_by_role("link", name="CSV", exact=True))
    of_systems = [row for row in rows if row["level"] == "system"]
    best = max(of_systems, key=lambda row: float(row["pearson"]))
    expect(shown.first).to_have_text(best["metric"], ignore_case=True)
    compared = [
        row for row in rows if (row["level"], row["grouping"]) == ("segment", "item") and row["group"]
    ] or of_systems
    leaders = [row["metric"] for row in compared if row["group"] == min(each["group"] for each in compared)]
    heading = page.get_by_role("heading", level=1)
    if len(leaders) == len(compared):
        expect(heading).to_contain_text("No metric correlates significantly better with human judgments than another")
    for metric in leaders if len(leaders) < len(compared) else ():
        expect(heading).to_contain_text(metric, ignore_case=True)


def take_everything_along(page: Page, judged: int) -> None:
    go(page, "Export")
    rows = csv_of(page, page.get_by_role("button", name="Judgments, CSV"))
    assert len({row["judgment"] for row in rows}) == judged
    with page.expect_download() as download:
        page.get_by_role("button", name="ZIP", exact=True).click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert archive.testzip() is None
        assert {"settings.json", "judgments.csv", "README.md"} <= set(archive.namelist())


def csv_of(page: Page, link: Locator) -> list[dict[str, str]]:
    with page.expect_download() as download:
        link.click()
    return list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text(encoding="utf-8"))))


@pytest.fixture
def site(whole_site: str) -> str:
    return whole_site


@pytest.fixture
def someone(browser: Browser, site: str) -> Iterator[Opened]:
    """Opens browsers that know nobody yet; afterwards none may have complained."""
    with strangers(browser, site) as opened:
        yield opened


@pytest.mark.drawn(7)
@pytest.mark.parametrize("journey", JOURNEYS, ids=lambda journey: journey.protocol)
def test_from_files_to_findings(site: str, someone: Opened, journey: Journey) -> None:
    organiser, researcher = someone(), someone()
    sign_in(organiser)
    set_up(organiser, journey)
    (way_in,) = invite(organiser, 1, "researcher")
    links = invite(organiser, len(journey.minds), "annotator")
    open_for_judging(organiser)
    judged = judge(site, journey, links)
    watch(organiser, judged)

    researcher.goto(way_in)
    researcher.get_by_role("button", name="Begin").click()
    researcher.goto(f"/campaigns/{journey.slug}/results/")
    find_ties(researcher)
    find_who_is_unreliable(researcher)

    see_it_come_true(organiser, leave_out(organiser))
    find_what_people_quarrel_about(researcher, journey)
    find_which_metric_follows_people(researcher)
    take_everything_along(organiser, judged)


def set_up_wmt(page: Page, texts: WmtTexts) -> None:
    """From files of the general task to a campaign with attention checks."""
    page.goto("/new-campaign/")
    page.get_by_label("Name", exact=True).fill("Journey wmt")
    page.get_by_role("radio", name=re.compile(f"^{PROTOCOLS['cesa'].title}")).check()
    page.get_by_text("More settings").click()
    page.locator("#files").set_input_files(texts.files())
    expect(page.locator("#findings")).to_contain_text(f"wmt-genmt: {len(SYSTEMS)} systems", timeout=30_000)
    page.get_by_label("Judgments per segment").fill("3")
    page.get_by_label("Number of annotators").fill("0")
    page.get_by_label("Attention checks", exact=True).fill("3")
    page.get_by_label("Systems in attention checks").fill(", ".join(ALIKE))
    page.get_by_label("Attention check before a screen (%)").fill("100")
    page.get_by_label("Failed attention checks allowed").fill("1")
    expect(page.locator("#sums")).to_contain_text("Judging time")
    page.get_by_role("button", name="Create campaign").click()
    page.wait_for_url("**/created/", timeout=90_000)
    go(page, "People")


def rank_as_wmt26(page: Page) -> list[dict[str, str]]:
    go(page, "Results")
    page.locator("#recipe > summary").click()
    page.get_by_role("radio", name="WMT 2026").check()
    page.locator("#recipe").get_by_role("button").last.click()
    expect(page.locator("#signature")).to_contain_text("recipe:wmt26", timeout=90_000)
    expect(page.locator("main")).to_contain_text("To reproduce, not to decide.")
    return csv_of(page, page.get_by_role("link", name="CSV", exact=True).first)


def test_from_files_of_wmt_to_its_ranking(site: str, someone: Opened) -> None:
    """Three annotators judge whole screens, and one of them fails the attention checks."""
    texts = WmtTexts(documents=6, quarrels=())
    organiser = someone()
    sign_in(organiser)
    set_up_wmt(organiser, texts)
    minds = (Mind("Ada"), Mind("Cleo"), Upended(CARELESS, is_careless=True))
    links = invite(organiser, len(minds), "annotator")
    open_for_judging(organiser)
    people = [ScreenAnnotator(site, mind, texts, marks_and_scores) for mind in minds]
    for annotator, link in zip(people, links, strict=True):
        annotator.accept(link)
    judge_together(people, "journey-wmt")

    go(organiser, "Overview")
    checks = organiser.locator("section:has(#checks)").get_by_role("row")
    expect(checks.filter(has_text=CARELESS)).to_contain_text("too many failed")
    for mind in minds[:2]:
        expect(checks.filter(has_text=mind.name)).to_contain_text("OK")
    leave_out(organiser)
    ranked = rank_as_wmt26(organiser)
    ranks = {row["system"]: row["rank_first"] for row in ranked if row["measure"] == "score"}
    assert ranks[WORSE] == "3"
    assert {ranks[system] for system in ALIKE} <= {"1", "2"}
    expect(organiser.locator("#signature")).to_contain_text("excluded:1")
