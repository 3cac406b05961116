"""Drafts on the server: one's own alone, listed, without passwords, gone once the campaign is made."""

from collections.abc import Callable

from django.test import Client

import pytest

from campaigns.models import Account, CampaignDraft, TestSet
from jobs.models import Run
from tests.cast import Cast
from tests.frontend.api.api_annotator import by_token
from tests.frontend.organiser.test_new_campaign import FORM

ClientOf = Callable[[Account], Client]
LIST = "name,username,password\nAna Duarte,ana,nine patient otters\n"


@pytest.fixture
def client(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.organiser)


def test_a_draft_is_stored_changed_listed_and_discarded(client: Client, cast: Cast) -> None:
    olive = by_token(cast.organiser)
    made = olive.post("campaign-drafts", {"values": {"name": ["Ferry <news>"], "people": [LIST]}})
    assert made.status_code == 201
    assert made.json()["values"] == {"name": ["Ferry <news>"], "people": ["name,username\nAna Duarte,ana\n"]}
    place = f"campaign-drafts/{made.json()['id']}"
    unreadable = LIST.replace("password", "secret")
    assert olive.put(place, {"values": {"name": ["Ferry"], "people": [unreadable]}}).json()["values"] == {
        "name": ["Ferry"]
    }
    assert [each["name"] for each in olive.get("campaign-drafts").json()["results"]] == ["Ferry"]
    page = client.get("/campaigns/").content.decode()
    assert f"/new-campaign/?draft={made.json()['id']}" in page
    assert (
        f'data-draft-from="{made.json()["id"]}"'
        in client.get(f"/new-campaign/?draft={made.json()['id']}").content.decode()
    )
    client.post(f"/new-campaign/drafts/{made.json()['id']}/discard/")
    assert olive.get(place).status_code == 404


def test_anothers_draft_is_not_found(cast: Cast, client_of: ClientOf) -> None:
    draft = CampaignDraft.objects.create(account=cast.organiser, values={})
    sasha = by_token(cast.stranger)
    assert [sasha.get(f"campaign-drafts/{draft.pk}").status_code, sasha.get("campaign-drafts").json()["results"]] == [
        404,
        [],
    ]
    assert client_of(cast.stranger).get(f"/new-campaign/?draft={draft.pk}").status_code == 404


@pytest.mark.parametrize("values", [{"name": "News"}, {"name": [["a"]]}, {"name": ["x" * 249_000] * 3}, 7])
def test_what_is_no_draft_is_refused(cast: Cast, values: object) -> None:
    assert by_token(cast.organiser).post("campaign-drafts", {"values": values}).status_code == 422


def test_drafts_are_not_without_end(cast: Cast) -> None:
    CampaignDraft.objects.bulk_create([CampaignDraft(account=cast.organiser) for _number in range(50)])
    refused = by_token(cast.organiser).post("campaign-drafts", {"values": {}})
    assert "Discard one first" in refused.json()["errors"]["values"][0]


def test_a_draft_ends_when_its_campaign_is_made(client: Client, test_set: TestSet, cast: Cast) -> None:
    TestSet.objects.update(created_by=cast.organiser)
    own, others = (CampaignDraft.objects.create(account=account) for account in (cast.organiser, cast.stranger))
    for draft in (own, others):
        fields = FORM | {"test_set": str(test_set.pk), "draft": str(draft.pk)}
        assert client.post("/new-campaign/", fields).status_code == 302
    assert list(CampaignDraft.objects.all()) == [others]
    assert Run.objects.count() == 2


@pytest.mark.parametrize("draft", ["", "x", "9" * 5000])
def test_a_campaign_is_made_without_its_draft(client: Client, test_set: TestSet, cast: Cast, draft: str) -> None:
    TestSet.objects.update(created_by=cast.organiser)
    fields = FORM | {"test_set": str(test_set.pk), "draft": draft}
    assert client.post("/new-campaign/", fields).status_code == 302
    assert Run.objects.count() == 1
