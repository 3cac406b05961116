"""The page as annotators will see it, tried by its organiser."""

import json
import re
from collections.abc import Callable
from typing import Any

from django.test import Client

import pytest

from annotation.actions.practising import set_practice
from annotation.models import Assignment, Draft, Judgment, PracticeItem
from annotation.protocols import PROTOCOLS
from campaigns.models import Account, TestSet
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.sample_questions import ask_questions

ClientOf = Callable[[Account], Client]


def data_in(page: str) -> dict[str, Any]:
    written = re.search(r'<script id="workbench-data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert written is not None
    return dict(json.loads(written[1]))


@pytest.mark.parametrize("protocol", sorted(PROTOCOLS))
def test_each_protocol_can_be_tried_before_it_opens(
    protocol: str, test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    ask_questions(test_set)
    campaign = make_planned_campaign(test_set, cast, protocol=protocol, open=False)
    page = f"/campaigns/{campaign.slug}/preview/"
    client = client_of(cast.organiser)
    assert page in client.get(f"/campaigns/{campaign.slug}/overview/").text
    data = data_in(client.get(page).text)
    first = data["preview"]["items"][0]
    assert (first["revision"], first["answer"], first["draft"]) == (0, None, None)
    assert first["slots"][0]["text"] or data["preview"]["context"][0]["text"]
    assert data["urls"]["home"] == f"/campaigns/{campaign.slug}/overview/"
    assert not Judgment.objects.exists()


def test_it_shows_nobodys_answers(test_set: TestSet, cast: Cast, client_of: ClientOf) -> None:
    campaign = make_planned_campaign(test_set, cast)
    assignment = take(campaign, cast.annotator)
    items = items_to_judge(assignment)
    judge(items[0])
    Assignment.objects.filter(pk=assignment.pk).update(completion_code="code")
    Draft.objects.create(item=items[1], answer={"slots": {"A": {"score": 3}}}, base_revision=0)
    shown = data_in(client_of(cast.organiser).get(f"/campaigns/{campaign.slug}/preview/").text)["preview"]
    assert {(item["revision"], str(item["answer"]), str(item["draft"])) for item in shown["items"]} == {
        (0, "None", "None")
    }
    assert (shown["done"], shown["completion_code"]) == (0, None)


def test_practice_comes_first_where_there_is_some(test_set: TestSet, cast: Cast, client_of: ClientOf) -> None:
    campaign = make_planned_campaign(test_set, cast)
    address = f"/campaigns/{campaign.slug}/preview/?practice"
    client = client_of(cast.organiser)
    assert "practice" not in data_in(client.get(address).text)
    item = PracticeItem(source="Fog.", slots={"A": "Nebel."}, feedback="a secret", expected={"A": {"score": [1, 2]}})
    set_practice(campaign=campaign, items=[item], pass_mark=0.5, by=cast.organiser)
    assert address in client.get(f"/campaigns/{campaign.slug}/overview/").text
    assert address in client.get(f"/campaigns/{campaign.slug}/practise/").text
    page = client.get(address).text
    data = data_in(page)
    assert [shown["source"] for shown in data["preview"]["items"]] == ["Fog."]
    assert data["practice"] == {"skip": None, "texts": f"/campaigns/{campaign.slug}/preview/"}
    assert "a secret" not in page


def test_only_its_organiser_may(test_set: TestSet, cast: Cast, client_of: ClientOf) -> None:
    campaign = make_planned_campaign(test_set, cast)
    for who in (cast.researcher, cast.annotator, cast.stranger):
        assert client_of(who).get(f"/campaigns/{campaign.slug}/preview/").status_code == 404


def test_without_a_plan_there_is_nothing_to_try(test_set: TestSet, cast: Cast, client_of: ClientOf) -> None:
    campaign = make_planned_campaign(test_set, cast, open=False)
    Assignment.objects.filter(campaign=campaign).delete()
    response = client_of(cast.organiser).get(f"/campaigns/{campaign.slug}/preview/", follow=True)
    assert "This campaign has no tasks" in response.text
