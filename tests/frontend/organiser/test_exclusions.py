"""Leaving an annotator out: tried out first, decided by organisers alone, and taken back the same way."""

import csv
import io
import re
from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import pytest

from annotation.actions.decisions import exclude_annotator
from annotation.models import Exclusion
from campaigns.models import Account, AuditEntry, Campaign, TestSet
from jobs.actions import claim_run, perform_run
from jobs.models import Run
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.rows_made_once import made_once

ClientOf = Callable[[Account], Client]


def make_judged(test_set: TestSet, cast: Cast) -> Campaign:
    made = make_planned_campaign(test_set, cast, redundancy=2)
    for annotator, base in zip(cast.annotators, (20, 60), strict=True):
        for number, item in enumerate(items_to_judge(take(made, annotator))):
            judge(item, base + number)
    return made


stored, cast, test_set, campaign = made_once(make_judged)


def at(campaign: Campaign, page: str = "") -> str:
    return f"/campaigns/{campaign.slug}/annotators/anna/leave-out/{page}"


def perform_the_queued() -> Run:
    run = claim_run(Run.objects.get(status="queued").pk)
    assert run is not None
    return perform_run(run)


def page_of(client: Client, campaign: Campaign, query: str = "") -> str:
    return str(client.get(at(campaign) + query).content.decode())


@pytest.mark.parametrize("page", ["state/", "effect.csv"])
def test_only_the_organiser_sees_the_effect(campaign: Campaign, cast: Cast, client_of: ClientOf, page: str) -> None:
    assert client_of(cast.organiser).get(at(campaign, page)).status_code == 200
    for other in (cast.researcher, cast.annotator, cast.stranger):
        assert client_of(other).get(at(campaign, page)).status_code == 404
    assert Client().get(at(campaign, page))["Location"].startswith("/sign-in/")


def test_only_the_organiser_tries_out(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    for other in (cast.researcher, cast.annotator, cast.stranger):
        assert client_of(other).post(at(campaign, "try/")).status_code == 404
    assert client_of(cast.organiser).get(at(campaign, "try/")).status_code == 405
    assert not Run.objects.exists()


def test_the_effect_is_seen_before_anything_is_decided(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.organiser)
    assert "Compute the effect" in page_of(client, campaign)
    assert client.post(at(campaign, "try/"))["Location"] == at(campaign)
    client.post(at(campaign, "try/"))
    assert Run.objects.count() == 1, "one that waits is enough"
    waiting = page_of(client, campaign)
    assert "Waiting for a worker" in waiting
    assert "data-live" in waiting
    assert perform_the_queued().status == "done"
    page = page_of(client, campaign)
    assert "17 of 34 judgments leave the results." in page
    assert "agreement (alpha) goes from" in page
    assert "to n/a" in page, "alone nobody agrees"
    assert page.count('<th scope="colgroup" colspan="2" class="r">') == 5
    heads = re.findall(r'<th scope="col"[^>]*>(.*?)</th>', page)
    assert heads == ["System", *["before", "after"] * 5]
    assert not Exclusion.objects.exists()
    assert not AuditEntry.objects.filter(action="annotator_excluded").exists()
    client.post(at(campaign), {"reason": "In a hurry."})
    assert Exclusion.objects.get().reason == "In a hurry."


def test_the_file_contains_before_and_after(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.organiser)
    client.post(at(campaign, "try/"))
    run = perform_the_queued()
    rows = list(csv.DictReader(io.StringIO(client.get(at(campaign, "effect.csv")).content.decode())))
    assert len(rows) == 3
    assert all(float(row["mean_after"]) > float(row["mean_before"]) for row in rows)
    assert {row["signature"] for row in rows} == {run.signature}
    assert "|without:anna|" in run.signature


def test_it_is_tried_out_by_the_recipe_in_the_address(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.organiser)
    response = client.post(at(campaign, "try/?recipe=wmt24"))
    assert response["Location"] == at(campaign) + "?recipe=wmt24"
    assert Run.objects.get().arguments["recipe"] == "wmt24"
    perform_the_queued()
    assert "leave the results." in page_of(client, campaign, "?recipe=wmt24")
    assert "leave the results." not in page_of(client, campaign)


def test_newer_judgments_make_the_effect_stale(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.organiser)
    client.post(at(campaign, "try/"))
    perform_the_queued()
    assert "Judgments have been added or excluded since" not in page_of(client, campaign)
    exclude_annotator(campaign=campaign, annotator=cast.second_annotator, reason="x", by=cast.organiser)
    assert "Judgments have been added or excluded since" in page_of(client, campaign)


def test_who_is_left_out_is_tried_and_taken_back_the_same_way(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    exclude_annotator(campaign=campaign, annotator=cast.annotator, reason="In a hurry.", by=cast.organiser)
    client = client_of(cast.organiser)
    client.post(at(campaign, "try/"))
    assert Run.objects.get().arguments["options"] == {"readmitted": ["anna"]}
    perform_the_queued()
    page = page_of(client, campaign)
    assert "17 judgments come back, 34 in all." in page
    assert "In a hurry." in page
    client.post(f"/campaigns/{campaign.slug}/annotators/anna/take-back/")
    assert Exclusion.objects.get().lifted_at


def test_the_page_costs_little(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client: Any = client_of(cast.organiser)
    client.post(at(campaign, "try/"))
    perform_the_queued()
    with CaptureQueriesContext(connection) as queries:
        client.get(at(campaign))
    assert len(queries) <= 12
