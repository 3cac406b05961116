"""The race of a campaign's systems on its overview; nothing of it in an annotator's browser."""

import csv
import io
import re

from django.urls import reverse

import pytest
from pytest_django import DjangoAssertNumQueries

from annotation.models import DrawnScreen, Race, RaceLook, RaceSystem
from campaigns.models import Campaign
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_session
from tests.metrics.racing_campaign import BAD, CLOSE, GOOD, SCORES, Commits, judge_documents, make_race
from tests.planned_campaign import make_planned_campaign
from tests.sample_test_set import make_test_set

pytestmark = pytest.mark.django_db


def look(race: Race, documents: int, bad: str = "dropped", *, is_doubtful: bool = False) -> None:
    """As a look stores it: the close one 2 behind, the bad one 60."""
    numbers = {GOOD: ("leads", None, None), CLOSE: ("in", 2.0, 160 / documents), BAD: (bad, 60.0, 200 / documents)}
    systems = [
        {
            "system": name,
            "state": state,
            "documents": documents,
            "mean": float(SCORES[name]),
            "behind": behind,
            "bound": bound,
            "is_doubtful": is_doubtful and name == BAD,
        }
        for name, (state, behind, bound) in numbers.items()
    ]
    RaceLook.objects.create(race=race, documents=documents, systems=systems)


@pytest.fixture
def race(cast: Cast) -> Campaign:
    """Two looks, at the second of which the bad system dropped out."""
    campaign = make_race(cast)
    look(campaign.race, 20, "in")
    look(campaign.race, 25)
    RaceSystem.objects.filter(system__name=BAD).update(is_in=False, dropped_after=25)
    return campaign


@pytest.fixture
def organiser(cast: Cast) -> ApiAnnotator:
    return by_session(cast.organiser)


def section_of(organiser: ApiAnnotator, campaign: Campaign) -> str:
    page = organiser.client.get(reverse("organiser-overview", args=[campaign.slug])).content.decode()
    section = re.sub(r"</?bdi>", "", page[page.index('id="race"') :])
    return section[: section.index("</section>")]


def test_the_overview_says_who_leads_and_who_is_out(race: Campaign, organiser: ApiAnnotator) -> None:
    section = section_of(organiser, race)
    assert f"After 25 documents {GOOD} leads. {BAD} is out of the race." in section
    assert "Which system is best?" in section
    assert "Next look: at 30 finished documents." in section
    assert f"{CLOSE}: 2.0 behind the leader, out above 6.4" in section
    assert "after 25 documents" in section
    assert "would not drop it" not in section


def test_the_band_narrows_and_is_below_the_leader_once_a_system_is_out(race: Campaign, organiser: ApiAnnotator) -> None:
    section = section_of(organiser, race)
    zero = float(re.findall(r'y1="([\d.]+)"', section)[0])
    bands = {
        name: [(float(top), float(bottom)) for top, bottom in re.findall(r"M[\d.]+,([\d.]+)H[\d.]+V([\d.]+)H", path)]
        for name, path in re.findall(r'aria-label="(\S+):.*?class="area" d="([^"]+)"', section, re.DOTALL)
    }
    (first, second), bad = bands[CLOSE], bands[BAD]
    assert second[1] - second[0] < first[1] - first[0]
    assert second[0] < zero < second[1]
    assert all(top > zero for top, _bottom in bad)


def test_before_the_first_look_the_page_says_when_it_is(cast: Cast, organiser: ApiAnnotator) -> None:
    section = section_of(organiser, make_race(cast, allocation="ranking"))
    assert "The first one is made when 20 documents are finished." in section
    assert "For a whole ranking nothing is saved" in section
    assert 'class="ch"' not in section


def test_the_page_costs_no_more_queries_than_others(
    race: Campaign, organiser: ApiAnnotator, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    address = reverse("organiser-overview", args=[race.slug])
    organiser.client.get(address)
    for documents in range(30, 200, 5):
        look(race.race, documents)
    with django_assert_max_num_queries(20):
        assert organiser.client.get(address).status_code == 200


def test_other_campaigns_have_no_such_part(cast: Cast, organiser: ApiAnnotator) -> None:
    campaign = make_planned_campaign(make_test_set(), cast)
    page = organiser.client.get(reverse("organiser-overview", args=[campaign.slug])).content.decode()
    assert 'id="race"' not in page
    for name in ("organiser-race-csv", "organiser-drawn-csv"):
        lines = organiser.client.get(reverse(name, args=[campaign.slug])).content.decode().splitlines()
        assert len(lines) == 1


def test_organisers_pause_resume_stop_and_bring_back(race: Campaign, organiser: ApiAnnotator) -> None:
    address = reverse("organiser-race", args=[race.slug])

    def sent(**values: str) -> str:
        return organiser.client.post(address, values, follow=True).content.decode()

    assert "Looks are paused." in sent(status="paused")
    assert "Resume elimination" in sent(status="paused")
    assert "Next look" in sent(status="running")
    assert f"{BAD} is in the race again." in sent(back=BAD)
    assert RaceSystem.objects.get(system__name=BAD).is_protected
    assert "brought back by hand" in section_of(organiser, race)
    assert "is not out of the race" in sent(back=BAD)
    assert "Looks have ended" in sent(status="stopped")
    assert "cannot change" in sent(status="running")


def test_a_drop_that_todays_judgments_do_not_support_is_marked(race: Campaign, organiser: ApiAnnotator) -> None:
    look(race.race, 30, is_doubtful=True)
    assert "today’s judgments would not drop it" in section_of(organiser, race)


def test_an_answered_question_offers_the_rest(race: Campaign, organiser: ApiAnnotator) -> None:
    Race.objects.update(status="decided")
    section = section_of(organiser, race)
    assert "The question is answered, so nothing more is handed out." in section
    assert "Judge the rest all the same" in section


def test_the_files_have_looks_and_drawn_screens(
    cast: Cast, organiser: ApiAnnotator, django_capture_on_commit_callbacks: Commits
) -> None:
    campaign = make_race(cast)
    judge_documents(campaign, list(cast.annotators), django_capture_on_commit_callbacks, at_most=36)

    def rows_of(name: str) -> list[dict[str, str]]:
        text = organiser.client.get(reverse(name, args=[campaign.slug])).content.decode()
        return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))

    looks, drawn = rows_of("organiser-race-csv"), rows_of("organiser-drawn-csv")
    assert [(row["documents"], row["system"], row["state"]) for row in looks if row["system"] == BAD] == [
        ("20", BAD, "dropped")
    ]
    assert len(drawn) == DrawnScreen.objects.count()
    assert set(drawn[0]) >= {"document", "system", "annotator", "rule", "system_propensity", "document_propensity"}
    assert (drawn[0]["seed"], drawn[0]["system_propensity"]) == ("7", "1.0")
    assert drawn[-1]["in_race"] == f"{CLOSE} | {GOOD}"


def test_nothing_about_systems_reaches_the_annotators_browser(
    race: Campaign, cast: Cast, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    annotator = by_session(cast.annotator)
    assignment = annotator.take(race.slug)
    shown = annotator.client.get(f"/api/v1/assignments/{assignment}/items").content.decode()
    assert "Fassung" in shown
    for page in (shown, annotator.client.get("/").content.decode()):
        for word in (*SCORES, "sentinel", "propensit", "dropped", "race"):
            assert word not in page.lower()
    for item in annotator.every_item(assignment):
        with django_assert_max_num_queries(12):
            assert annotator.submit(assignment, item["id"]).status_code in (200, 201)
