"""Long lists: in pages that nothing shifts, narrowed by filters, in as many queries however long they are."""

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

import pytest
from pytest_django import Settings

from campaigns.models import Campaign
from jobs.actions import queue_run
from tests.cast import Cast, invite_annotators
from tests.frontend.api.api_annotator import ApiAnnotator
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.rows_made_once import made_once
from tests.sample_test_set import QUOKKA, WOMBAT

SLUG = "campaigns/planned-campaign"
LISTS = (
    "tokens",
    "test-sets",
    "test-sets/harbour-and-orchard/segments",
    "test-sets/harbour-and-orchard/scores",
    "campaigns",
    f"{SLUG}/members",
    f"{SLUG}/invitations",
    f"{SLUG}/work",
    f"{SLUG}/reports",
    f"{SLUG}/exclusions",
    f"{SLUG}/judgments",
    f"{SLUG}/runs",
    f"{SLUG}/adjudications",
    f"{SLUG}/shares",
    f"{SLUG}/mail",
    f"{SLUG}/webhooks",
    f"{SLUG}/deliveries",
    f"{SLUG}/practice/answers",
    "test-sets/harbour-and-orchard/imports",
    "runs",
)

stored, cast, test_set, planned = made_once(make_planned_campaign)


def judge_all(campaign: Campaign, cast: Cast) -> None:
    for score, item in enumerate(items_to_judge(take(campaign, cast.annotator)), start=40):
        judge(item, score)


@pytest.fixture
def judged(planned: Campaign, cast: Cast) -> Campaign:
    judge_all(planned, cast)
    return planned


def test_pages_lead_through_everything_once_whatever_is_added(
    judged: Campaign, rhea: ApiAnnotator, plan_campaign: Callable[..., Campaign]
) -> None:
    first = rhea.get(f"{SLUG}/judgments?page_size=5").json()
    judge_item = judged.assignments.get(annotator__isnull=False).items.order_by("position").last()
    assert judge_item is not None
    judge(judge_item, 99, base_revision=1)
    seen, page = [*first["results"]], first
    while page["next"]:
        page = rhea.client.get(page["next"], headers=rhea.headers).json()
        seen += page["results"]
    assert len(seen) == len({judgment["id"] for judgment in seen}) == 18
    assert [judgment["is_current"] for judgment in seen].count(False) == 1


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("annotator=anna", 17),
        ("annotator=ben", 0),
        ("document=harbour", 8),
        (f"system={WOMBAT}", 6),
        (f"system={QUOKKA}&document=harbour", 3),
        ("document=harbour&segment=2", 2),
        ("kind=degraded", 0),
        ("current=true", 17),
        ("since=2000-01-01T00:00:00Z", 17),
        ("since=2000-01-01T00:00:00%2B20:13", 17),  # PostgreSQL knows no such offset
        ("until=2000-01-01T00:00:00Z", 0),
    ],
)
def test_judgments_are_narrowed(judged: Campaign, rhea: ApiAnnotator, query: str, count: int) -> None:
    assert len(rhea.get(f"{SLUG}/judgments?{query}").json()["results"]) == count


@pytest.mark.parametrize(
    "query",
    ["since=yesterday", "since=0001-01-01T00:00:00%2B14:00", "kind=odd", "page_size=0", "page_size=501", "cursor=x"],
)
@pytest.mark.parametrize("path", [f"{SLUG}/judgments"])
def test_what_no_list_can_be_narrowed_to_is_refused_in_words(rhea: ApiAnnotator, path: str, query: str) -> None:
    answer = rhea.get(f"{path}?{query}")
    assert answer.status_code == 422
    assert list(answer.json()["errors"]) == [query.partition("=")[0]]


def test_a_cursor_made_up_is_refused(rhea: ApiAnnotator) -> None:
    for forged in ("cD1hYmM=", "cD05OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "%FF"):
        assert rhea.get(f"{SLUG}/judgments?cursor={forged}").status_code == 422, forged


def test_a_judgment_has_what_it_is_of_and_what_it_counts(judged: Campaign, rhea: ApiAnnotator) -> None:
    found = rhea.get(f"{SLUG}/judgments?document=harbour&segment=2&system={QUOKKA}").json()["results"]
    (shared,) = found
    (slot,) = shared["slots"]
    assert (slot["slot"], set(slot["systems"])) == ("A", {WOMBAT, QUOKKA})
    assert {score["system"] for score in shared["scores"]} == {WOMBAT, QUOKKA}
    assert {score["value"] for score in shared["scores"]} == {shared["answer"]["slots"]["A"]["score"]}


@pytest.mark.drawn(4)
@pytest.mark.parametrize("path", LISTS)
def test_a_list_costs_the_same_however_long_it_is(
    planned: Campaign, cast: Cast, olive: ApiAnnotator, plan_campaign: Callable[..., Campaign], path: str
) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as made:
            answer: Any = olive.get(path)
        assert answer.status_code == 200, answer.content
        return len(made)

    invite_annotators(campaign=planned, count=1, by=None)
    queue_run(kind="analysis", campaign=planned, arguments={}, created_by=cast.organiser)
    first, *others = items_to_judge(take(planned, cast.annotator))
    judge(first)
    olive.get("account")
    few = statements()
    for item in others:
        judge(item)
    for number in range(3):
        plan_campaign(name=f"Further {number}")
        queue_run(kind="analysis", campaign=planned, arguments={}, created_by=cast.organiser)
    invite_annotators(campaign=planned, count=5, by=None)
    assert statements() <= max(few, 10)


def test_who_asks_too_often_is_told_when_to_come_again_and_judging_goes_on(
    planned: Campaign, olive: ApiAnnotator, anna: ApiAnnotator, settings: Settings
) -> None:
    settings.API_REQUESTS_PER_MINUTE = 3
    answers = [olive.get("campaigns") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert int(answers[-1]["Retry-After"]) > 0
    assert [anna.get("assignments").status_code for _ in range(6)] == [200] * 6


def test_people_are_invited_by_list_or_told_what_is_wrong(olive: ApiAnnotator, planned: Campaign) -> None:
    people = [{"name": "Ana", "email": "ana@example.org", "languages": ["pt"], "username": "ana"}, {"name": "Ben"}]
    made = olive.post("campaigns/planned-campaign/invitations", {"people": people, "access": "both"}).json()["results"]
    assert [(each["username"], each["name"]) for each in made] == [("ana", "Ana"), ("planned-campaign-01", "Ben")]
    assert all(each["link"] and each["password"] for each in made)
    ana = next(
        each for each in olive.get("campaigns/planned-campaign/members").json()["results"] if each["name"] == "Ana"
    )
    assert (ana["email"], ana["languages"]) == ("ana@example.org", ["pt"])
    refused = olive.post("campaigns/planned-campaign/invitations", {"people": people})
    assert set(refused.json()["errors"]) == {"people.0.email", "people.0.username"}
    for wish in ({}, {"count": 1, "people": people}, {"people": [7]}, {"count": 1, "access": "key"}):
        assert olive.post("campaigns/planned-campaign/invitations", wish).status_code == 422
    replaced = olive.post("campaigns/planned-campaign/annotators/ana/password").json()
    assert replaced["password"] != made[0]["password"]
    assert olive.post("campaigns/planned-campaign/annotators/anna/password").status_code == 422
    assert olive.post("campaigns/planned-campaign/access", {"access": "link"}).json() == {"results": []}
