"""Elimination by the API: what is found so far, and what organisers do by hand."""

import pytest
from pytest_django import DjangoAssertNumQueries

from annotation.models import Race, RaceSystem
from campaigns.models import Campaign
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_session
from tests.metrics.racing_campaign import BAD, CLOSE, GOOD, make_race

pytestmark = pytest.mark.django_db


@pytest.fixture
def race(cast: Cast) -> Campaign:
    campaign = make_race(cast)
    RaceSystem.objects.filter(system__name=BAD).update(is_in=False, dropped_after=25)
    return campaign


@pytest.fixture
def organiser(cast: Cast) -> ApiAnnotator:
    return by_session(cast.organiser)


def test_it_tells_the_rule_and_who_is_in(
    race: Campaign, organiser: ApiAnnotator, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(10):
        answer = organiser.get(f"campaigns/{race.slug}/elimination")
    told = answer.json()
    assert (told["question"], told["top"], told["first"], told["step"]) == ("best", 1, 20, 5)
    assert (told["status"], told["alpha"]) == ("running", 0.05)
    assert told["planned_documents"] == sum(Race.objects.get().waves) > 0
    systems = {each.pop("system"): each for each in told["systems"]}
    assert systems[BAD] == {"is_in": False, "is_protected": False, "dropped_after": 25}
    assert systems[GOOD] == systems[CLOSE] == {"is_in": True, "is_protected": False, "dropped_after": None}


def test_organisers_pause_resume_and_stop(race: Campaign, organiser: ApiAnnotator) -> None:
    address = f"campaigns/{race.slug}/elimination"

    def put(status: object) -> tuple[int, object]:
        answer = organiser.put(address, {"status": status})
        return answer.status_code, answer.json().get("status")

    for status in ("paused", "paused", "running", "stopped"):
        assert put(status) == (200, status)
        assert Race.objects.get().status == status
    refused = organiser.put(address, {"status": "running"})
    assert refused.status_code == 422
    assert "cannot change from “Stopped” to “Running”" in refused.content.decode()
    for unknown in ("decided", "", None, 1):
        assert organiser.put(address, {"status": unknown}).status_code == 422
    assert Race.objects.get().status == "stopped"


def test_a_dropped_system_comes_back_once(race: Campaign, organiser: ApiAnnotator) -> None:
    address = f"campaigns/{race.slug}/elimination/returns"
    answer = organiser.post(address, {"system": BAD})
    assert answer.status_code == 200
    back = next(each for each in answer.json()["systems"] if each["system"] == BAD)
    assert back == {"system": BAD, "is_in": True, "is_protected": True, "dropped_after": None}
    for name in (BAD, GOOD, "Nobody"):
        refused = organiser.post(address, {"system": name})
        assert refused.status_code == 422
        assert f"“{name}” is not out of the race." in refused.content.decode()


def test_a_campaign_that_drops_no_systems_says_so(planned: Campaign, organiser: ApiAnnotator) -> None:
    address = f"campaigns/{planned.slug}/elimination"
    told = organiser.get(address).json()
    assert (told["question"], told["status"], told["systems"]) == ("none", None, [])
    for refused in (
        organiser.put(address, {"status": "paused"}),
        organiser.post(f"{address}/returns", {"system": GOOD}),
    ):
        assert refused.status_code == 422
        assert "This campaign does not drop systems." in refused.content.decode()


def test_nobody_else_sees_it(race: Campaign, cast: Cast) -> None:
    for account in (cast.annotator, cast.researcher, cast.stranger):
        other = by_session(account)
        assert other.get(f"campaigns/{race.slug}/elimination").status_code == 404
        assert other.put(f"campaigns/{race.slug}/elimination", {"status": "stopped"}).status_code == 404
        assert other.post(f"campaigns/{race.slug}/elimination/returns", {"system": BAD}).status_code == 404
    assert Race.objects.get().status == "running"
