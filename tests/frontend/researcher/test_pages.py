"""Results and exports: who may read them, and what they say in each state."""

import csv
import io
from collections.abc import Callable

from django.test import Client

import pytest

from campaigns.models import Account, ApiToken, Campaign, TestSet
from jobs.actions import perform_now, queue_run
from jobs.models import Run, RunPart, RunStatus
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

ClientOf = Callable[[Account], Client]
PAGES = ("results/", "results/state/", "results/systems.csv", "exports/", "exports/csv/", "exports/spans-csv/")


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


def at(campaign: Campaign, page: str) -> str:
    return f"/campaigns/{campaign.slug}/{page}"


def judge_all(campaign: Campaign, annotator: Account) -> None:
    for number, item in enumerate(items_to_judge(take(campaign, annotator))):
        judge(item, 40 + number)


def compute(campaign: Campaign) -> Run:
    return perform_now(kind="analysis", campaign=campaign, arguments={})


@pytest.mark.parametrize("page", PAGES)
def test_organiser_and_researcher_read_and_nobody_else(
    campaign: Campaign, cast: Cast, client_of: ClientOf, page: str
) -> None:
    for reader in (cast.organiser, cast.researcher):
        assert client_of(reader).get(at(campaign, page)).status_code == 200
    for other in (cast.annotator, cast.stranger):
        assert client_of(other).get(at(campaign, page)).status_code == 404
    assert Client().get(at(campaign, page))["Location"].startswith("/sign-in/")


def test_without_a_run_the_page_offers_one(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    assert b"No results yet" in client.get(at(campaign, "results/")).content
    client.post(at(campaign, "results/compute/"))
    client.post(at(campaign, "results/compute/"))
    assert Run.objects.count() == 1, "one that waits is enough"
    page = client.get(at(campaign, "results/")).content.decode()
    assert "Waiting for a worker" in page
    assert "data-live" in page


def test_too_few_judgments_are_called_too_early(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    judge(items_to_judge(take(campaign, cast.annotator))[0])
    compute(campaign)
    page = client_of(cast.researcher).get(at(campaign, "results/")).content.decode()
    assert "Too early for a ranking" in page
    assert "<table" not in page


def test_results_show_numbers_signature_and_notes(
    make_test_set: Callable[..., TestSet], cast: Cast, client_of: ClientOf
) -> None:
    campaign = make_planned_campaign(make_test_set(), cast, redundancy=2)
    for annotator in cast.annotators:
        judge_all(campaign, annotator)
    campaign.status = "closed"
    campaign.save()
    run = compute(campaign)
    part = RunPart.objects.get(run=run, name="ranking")
    part.result["too_early"] = None
    part.save()
    response = client_of(cast.researcher).get(at(campaign, "results/"))
    page = response.content.decode()
    assert run.signature in page.replace("&#x27;", "'").replace("&amp;", "&")
    assert "At least 7 documents are needed" in page
    for system in part.result["systems"]:
        assert system["system"] in page
        assert f"{system['mean']:.1f}" in page


def test_newer_judgments_make_the_numbers_stale(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    items = items_to_judge(take(campaign, cast.annotator))
    judge(items[0])
    compute(campaign)
    client = client_of(cast.researcher)
    assert b"Judgments have been added or excluded since" not in client.get(at(campaign, "results/")).content
    judge(items[1])
    assert b"Judgments have been added or excluded since" in client.get(at(campaign, "results/")).content


def test_a_failed_run_says_why(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    run = queue_run(kind="analysis", campaign=campaign, arguments={})
    Run.objects.filter(pk=run.pk).update(status=RunStatus.FAILED, error="There was no memory left.")
    assert b"There was no memory left." in client_of(cast.researcher).get(at(campaign, "results/")).content


def test_the_csv_of_systems_carries_its_signature_and_runs_no_formula(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    system = campaign.systems.filter(is_human=False)[0]
    system.name = "=1+1"
    system.save()
    judge_all(campaign, cast.annotator)
    run = compute(campaign)
    text = client_of(cast.researcher).get(at(campaign, "results/systems.csv")).content.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["signature"] for row in rows} == {run.signature}
    assert "'=1+1" in {row["system"] for row in rows}


def test_an_export_is_streamed_whole(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    judge_all(campaign, cast.annotator)
    response = client_of(cast.researcher).get(at(campaign, "exports/csv/"))
    assert response.streaming
    rows = list(csv.DictReader(io.StringIO(b"".join(response).decode())))
    assert len({row["judgment"] for row in rows}) == len(
        items_to_judge(campaign.assignments.get(annotator=cast.annotator))
    )


def test_an_unknown_format_is_not_found(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    assert client_of(cast.researcher).get(at(campaign, "exports/docx/")).status_code == 404


def test_a_token_is_shown_once_works_and_is_revoked(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    response = client.post(at(campaign, "exports/tokens/"), {"name": "notebook"})
    secret = response.context["secret"]
    assert secret in response.content.decode()
    assert response["Cache-Control"] == "no-store"
    assert secret not in client.get(at(campaign, "exports/")).content.decode()
    program = Client(headers={"Authorization": f"Token {secret}"})
    assert program.get("/api/v1/campaigns").status_code == 200
    token = ApiToken.objects.get()
    assert (token.scope_names, token.expires_at) == (["read"], None)
    assert client_of(cast.organiser).post(at(campaign, f"exports/tokens/{token.pk}/revoke/")).status_code == 404
    client.post(at(campaign, f"exports/tokens/{token.pk}/revoke/"))
    assert program.get("/api/v1/campaigns").status_code == 401


def test_a_token_may_what_was_chosen_and_as_long(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    fields = {"name": "agency", "may": "read write", "days": "30"}
    client_of(cast.researcher).post(at(campaign, "exports/tokens/"), fields)
    token = ApiToken.objects.get()
    assert token.scope_names == ["read", "write"]
    assert token.expires_at is not None
    assert (token.expires_at - token.created_at).days in (29, 30)


def test_a_token_needs_a_name(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    assert client_of(cast.researcher).post(at(campaign, "exports/tokens/"), {"name": ""}).status_code == 422
    assert not ApiToken.objects.exists()


def test_a_reader_may_choose_another_recipe(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    answer = client.post(at(campaign, "results/compute/?recipe=wmt-crowd"))
    assert answer["Location"] == at(campaign, "results/?recipe=wmt-crowd")
    run = Run.objects.get(campaign=campaign)
    assert run.arguments["recipe"] == "wmt-crowd"
    assert "Waiting for a worker" in client.get(answer["Location"]).content.decode()
    assert "No results yet" in client.get(at(campaign, "results/")).content.decode()


def test_a_recipe_that_does_not_exist_is_named(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    page = client_of(cast.researcher).get(at(campaign, "results/?recipe=soup")).content.decode()
    assert "Unknown recipe “soup”." in page
