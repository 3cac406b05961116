"""Campaigns, test sets and drafts are tidied up on their pages and by the API."""

from collections.abc import Callable

from django.test import Client

import pytest

from annotation.actions.status import set_status
from campaigns.actions.campaign_drafts import keep_campaign_draft
from campaigns.actions.enrolment import invite_people, nameless
from campaigns.models import Account, Campaign, TestSet
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

ClientOf = Callable[[Account], Client]


@pytest.fixture
def client(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.organiser)


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    """Closed, with a judgment."""
    made = make_planned_campaign(test_set, cast)
    judge(items_to_judge(take(made, cast.annotator))[0])
    Campaign.objects.filter(pk=made.pk).update(created_by=cast.organiser)
    made.refresh_from_db()
    return set_status(campaign=made, status="closed", by=cast.organiser)


def manage(client: Client, campaign: Campaign, **fields: str) -> str:
    response = client.post(f"/campaigns/{campaign.slug}/manage/", fields, follow=True)
    return f"{response.status_code} {response.content.decode()}"


def test_a_campaign_is_renamed_on_its_page(client: Client, campaign: Campaign) -> None:
    assert "The campaign is now called Spring ferries." in manage(client, campaign, act="rename", name="Spring ferries")
    refused = manage(client, campaign, act="rename", name=" ")
    assert refused.startswith("422")
    assert "Enter a name." in refused
    assert Campaign.objects.get().name == "Spring ferries"


def test_an_archived_campaign_is_in_the_archive_and_not_in_the_list(client: Client, campaign: Campaign) -> None:
    manage(client, campaign, act="archive")
    listed = client.get("/campaigns/")
    assert listed.context["lines"] == []
    assert [view.count for view in listed.context["views"]] == [0, 0, 0, 1]
    (line,) = client.get("/campaigns/?state=archive").context["lines"]
    assert line.campaign == campaign
    assert client.get(f"/campaigns/{campaign.slug}/overview/").status_code == 200


def test_a_campaign_with_judgments_is_deleted_by_its_name_and_restored(client: Client, campaign: Campaign) -> None:
    page = client.get(f"/campaigns/{campaign.slug}/manage/").content.decode()
    assert "Save an archive first" in page
    assert "Enter its name as it is written here" in manage(client, campaign, act="delete", name="no")
    listed = manage(client, campaign, act="delete", name=campaign.name)
    assert f"Restore {campaign.name}" in listed
    assert client.get(f"/campaigns/{campaign.slug}/overview/").status_code == 404
    client.post(f"/deleted-campaigns/{campaign.pk}/restore/")
    assert client.get(f"/campaigns/{campaign.slug}/overview/").status_code == 200


def test_who_did_not_create_it_neither_deletes_nor_restores_it(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    Campaign.objects.update(created_by=cast.stranger)
    client = client_of(cast.organiser)
    assert "Only the organiser who created this campaign can delete it" in manage(
        client, campaign, act="delete", name=campaign.name
    )
    Campaign.objects.update(created_by=cast.organiser)
    manage(client, campaign, act="delete", name=campaign.name)
    assert client_of(cast.stranger).post(f"/deleted-campaigns/{campaign.pk}/restore/").status_code == 404


def test_the_same_by_the_api(client: Client, campaign: Campaign) -> None:
    address = f"/api/v1/campaigns/{campaign.slug}"
    body = {"name": "By program", "is_archived": True}
    assert client.patch(address, body, "application/json").json()["name"] == "By program"
    assert Campaign.objects.get().archived_at
    refused = client.post(f"{address}/deletion", {"name": "else"}, "application/json")
    assert (refused.status_code, list(refused.json()["errors"])) == (422, ["name"])
    assert client.post(f"{address}/deletion", {"name": "By program"}, "application/json").status_code == 204
    assert client.get(address).status_code == 404


def test_test_sets_are_listed_renamed_and_deleted_while_unused(client: Client, campaign: Campaign, cast: Cast) -> None:
    TestSet.objects.update(created_by=cast.organiser)
    spare = TestSet.objects.create(name="Spare", slug="spare", created_by=cast.organiser, status="ready")
    lines = client.get("/test-sets/").context["lines"]
    assert {each.name: each.uses for each, _own in lines} == {campaign.test_set.name: 1, "Spare": 0}
    assert client.get("/test-sets/spare/").headers["Location"] == "/test-sets/"
    client.post("/test-sets/spare/", {"name": "Spare texts"})
    assert TestSet.objects.get(pk=spare.pk).name == "Spare texts"
    used = client.post(f"/test-sets/{campaign.test_set.slug}/", {"act": "delete"}, follow=True).content.decode()
    assert "This test set is in use and cannot be deleted." in used
    client.post("/test-sets/spare/", {"act": "delete"})
    assert not TestSet.objects.filter(pk=spare.pk).exists()


def test_all_drafts_are_discarded_at_once(client: Client, cast: Cast) -> None:
    for name in ("One", "Two"):
        keep_campaign_draft(account=cast.organiser, values={"name": [name]})
    assert "Discard all" in client.get("/campaigns/").content.decode()
    client.post("/new-campaign/drafts/discard/")
    assert not cast.organiser.campaign_drafts.exists()


def test_a_generated_name_is_edited_and_nobody_elses(client: Client, campaign: Campaign, cast: Cast) -> None:
    (made,) = invite_people(campaign=campaign, people=nameless(1), by=cast.organiser)
    member = campaign.memberships.get(account=made.account)
    address = f"/campaigns/{campaign.slug}/members/{member.pk}"
    assert "The name is now Ada." in client.post(f"{address}/name/", {"name": " Ada "}, follow=True).content.decode()
    assert "Enter a name of" in client.post(f"{address}/name/", {"name": " "}, follow=True).content.decode()
    assert Account.objects.get(pk=made.account.pk).name == "Ada"
    other = campaign.memberships.get(account=cast.annotator)
    client.post(f"/campaigns/{campaign.slug}/members/{other.pk}/name/", {"name": "Ada"})
    cast.annotator.refresh_from_db()
    assert cast.annotator.name == "Anna Weidner"
