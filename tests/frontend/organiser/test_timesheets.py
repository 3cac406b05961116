"""Timesheets on both sides: the same numbers, notes and answers, which pauses count."""

import json
import re
from collections.abc import Callable
from typing import Any

from django.test import Client
from rest_framework.renderers import JSONRenderer
from rest_framework.serializers import Serializer

import pytest

from annotation.models import Assignment, TimesheetNote
from annotation.queries.timesheet import timesheet_of
from campaigns.models import Account, Campaign, Segment, TestSet
from frontend.api.timesheet import WorkDaySerializer
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

SLUG = "/campaigns/planned-campaign"


@pytest.fixture
def annotator(cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.annotator)


@pytest.fixture
def organiser(cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.organiser)


@pytest.fixture
def worked(test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_planned_campaign(test_set, cast)
    for item in items_to_judge(take(campaign, cast.annotator))[:3]:
        judge(item, elapsed_ms=90_000, active_ms=61_000, reading_ms=30_000)
    return campaign


def _written_by_fields(campaign: Campaign) -> Any:
    """A day as the serialiser's fields write it; the API does not take the time for that."""
    (day,) = timesheet_of(campaign=campaign)
    serializer = WorkDaySerializer()
    return json.loads(JSONRenderer().render(Serializer.to_representation(serializer, day)))


def test_a_dispute_goes_from_the_annotator_to_the_organiser_and_back(
    annotator: Client, organiser: Client, worked: Campaign, cast: Cast, django_assert_max_num_queries: Any
) -> None:
    theirs = f"{SLUG}/annotators/{cast.annotator.username}/timesheet"
    with django_assert_max_num_queries(10):
        own = annotator.get("/timesheet/").content.decode()
    day = annotator.get("/api/v1/account/timesheet").json()["results"][0]
    assert day == organiser.get(f"/api/v1{SLUG}/timesheet").json()["results"][0]
    assert (day["judgments"], day["reading_ms"]) == (3, 90_000)
    assert day == _written_by_fields(worked)
    body = {"campaign": worked.slug, "day": day["day"], "note": "Ten minutes more."}
    assert annotator.post("/timesheet/", body).status_code == 302
    with django_assert_max_num_queries(20):
        sums = organiser.get(f"{SLUG}/timesheets/").content.decode()
    assert "Ten minutes more." in sums
    organiser.post(f"{theirs}/", {"day": day["day"], "answer": "Added by hand."})
    assert "Added by hand." in annotator.get("/timesheet/").content.decode()
    assert organiser.get(f"/api/v1{SLUG}/timesheet").json()["results"] == [_written_by_fields(worked)]
    row = organiser.get(f"{theirs}.csv").content.decode().splitlines()[1]
    assert row == annotator.get("/timesheet.csv").content.decode().splitlines()[1]
    assert row.endswith("Ten minutes more.,Added by hand.")
    assert "Timesheet" in own
    assert organiser.get(f"{theirs}/").status_code == 200


def test_a_note_to_a_day_without_work_is_refused(annotator: Client, worked: Campaign) -> None:
    body = {"campaign": worked.slug, "day": "2020-01-01", "note": "I worked."}
    annotator.post("/timesheet/", body)
    assert not TimesheetNote.objects.exists()
    assert "Choose a day." in annotator.post("/timesheet/", {**body, "day": "soon"}, follow=True).content.decode()
    refused = annotator.put("/api/v1/account/timesheet", body, content_type="application/json")
    assert (refused.status_code, list(refused.json()["errors"])) == (422, ["day"])


def test_organisers_say_which_pauses_count(organiser: Client, annotator: Client, worked: Campaign) -> None:
    refused = organiser.post(f"{SLUG}/timesheets/", {"pause_seconds": 1, "words_per_minute": 80})
    assert refused.status_code == 422
    organiser.post(f"{SLUG}/timesheets/", {"pause_seconds": 120, "words_per_minute": 80})
    worked.refresh_from_db()
    assert (worked.pause_seconds, worked.words_per_minute) == (120, 80)


def test_only_organisers_read_their_notes_and_work_is_given_away_at_once(
    annotator: Client, organiser: Client, worked: Campaign, cast: Cast
) -> None:
    theirs = f"{SLUG}/annotators/{cast.annotator.username}"
    organiser.post(f"{theirs}/note/", {"text": "Asks good questions."})
    assert "Asks good questions." in organiser.get(f"{theirs}/").content.decode()
    assert "Asks good questions." not in annotator.get("/timesheet/").content.decode()
    page = organiser.get(f"{SLUG}/overview/standing-work/?of={cast.annotator.username}").content.decode()
    (key,) = re.findall(r'name="assignment" value="(\d+)"', page)
    organiser.post(f"{SLUG}/overview/standing-work/?of={cast.annotator.username}", {"assignment": key})
    assert Assignment.objects.get(pk=key).returned_at is not None


def test_notes_and_pauses_are_in_the_api(test_set: TestSet, cast: Cast, client_of: Callable[[Account], Client]) -> None:
    campaign = make_planned_campaign(test_set, cast)
    client, address = client_of(cast.organiser), f"/api/v1/campaigns/{campaign.slug}"
    segment = Segment.objects.filter(document__test_set=test_set).earliest("pk")
    places = (f"annotators/{cast.annotator.username}", f"segments/{segment.pk}")
    for place in places:
        written = client.put(f"{address}/{place}/note", {"text": " Look here. "}, content_type="application/json")
        assert written.json()["text"] == "Look here."
    listed = client.get(f"{address}/notes").json()["results"]
    assert [(each["annotator"], each["segment"]) for each in listed] == [
        (cast.annotator.username, None),
        (None, segment.pk),
    ]
    assert client_of(cast.researcher).get(f"{address}/notes").status_code == 404
    removed = client.put(f"{address}/{places[0]}/note", {"text": ""}, content_type="application/json").json()
    assert (removed["text"], removed["written_at"]) == ("", None)
    assert len(client.get(f"{address}/notes").json()["results"]) == 1
    pauses = {"pause_seconds": 90, "words_per_minute": 80}
    assert client.put(f"{address}/pauses", pauses, content_type="application/json").json() == pauses
    assert client.get(f"{address}/pauses").json() == pauses
    wrong = client.put(f"{address}/pauses", {"pause_seconds": 1}, content_type="application/json")
    assert set(wrong.json()["errors"]) == {"pause_seconds", "words_per_minute"}
