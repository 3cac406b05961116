"""Who may open which page of an organiser, and what each does."""

import csv
import io
from collections.abc import Callable

from django.test import Client

import pytest

from campaigns.models import Account, Campaign, CampaignStatus, Invitation, Role, TestSet
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

ClientOf = Callable[[Account], Client]
PAGES = ("overview/", "overview/progress/", "overview/annotators.csv", "people/")
POSTS = ("status/", "people/invite/")


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


def at(campaign: Campaign, page: str) -> str:
    return f"/campaigns/{campaign.slug}/{page}"


@pytest.mark.parametrize("page", PAGES)
def test_only_its_organiser_opens_a_page(campaign: Campaign, cast: Cast, client_of: ClientOf, page: str) -> None:
    address = at(campaign, page)
    assert client_of(cast.organiser).get(address).status_code == 200
    for other in (cast.researcher, cast.annotator, cast.stranger):
        assert client_of(other).get(address).status_code == 404, other
    assert Client().get(address)["Location"].startswith("/sign-in/")
    assert client_of(cast.organiser).post(address).status_code == 405


@pytest.mark.parametrize("page", POSTS)
def test_only_its_organiser_acts(campaign: Campaign, cast: Cast, client_of: ClientOf, page: str) -> None:
    address = at(campaign, page)
    assert client_of(cast.organiser).get(address).status_code == 405
    for other in (cast.researcher, cast.annotator, cast.stranger):
        assert client_of(other).post(address, {"status": "closed", "count": "1"}).status_code == 404
    campaign.refresh_from_db()
    assert campaign.status == CampaignStatus.OPEN
    assert not Invitation.objects.exists()


def test_the_list_shows_what_one_organises_and_how_far_it_is(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    judge(items_to_judge(take(campaign, cast.annotator))[0])
    page = client_of(cast.organiser).get("/campaigns/").content.decode()
    assert campaign.name in page
    assert "1 of " in page
    assert campaign.name not in client_of(cast.stranger).get("/campaigns/").content.decode()


@pytest.mark.parametrize(
    ("query", "is_listed"),
    [("find=planned", True), ("find=xyz", False), ("status=open", True), ("status=draft", False)],
)
def test_the_list_is_narrowed(campaign: Campaign, cast: Cast, client_of: ClientOf, query: str, is_listed: bool) -> None:
    page = client_of(cast.organiser).get(f"/campaigns/?{query}").content.decode()
    assert (campaign.name in page) is is_listed
    assert ("No campaign matches" in page) is not is_listed


def test_a_campaign_is_paused_resumed_and_closed(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.organiser)
    for status in ("paused", "open", "closed"):
        page = client.post(at(campaign, "status/"), {"status": status}, follow=True).content.decode()
        campaign.refresh_from_db()
        assert campaign.status == status
        assert "The campaign is now" in page


def test_a_state_that_cannot_be_is_refused_in_words(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    response = client_of(cast.organiser).post(at(campaign, "status/"), {"status": "lost"}, follow=True)
    assert 'role="alert"' in response.content.decode()
    campaign.refresh_from_db()
    assert campaign.status == CampaignStatus.OPEN


def test_progress_is_sent_again_only_when_it_changed(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client, address = client_of(cast.organiser), at(campaign, "overview/progress/")
    etag = client.get(address)["ETag"]
    assert client.get(address, headers={"If-None-Match": etag}).status_code == 304
    judge(items_to_judge(take(campaign, cast.annotator))[0])
    assert client.get(address, headers={"If-None-Match": etag}).status_code == 200


def test_the_csv_of_annotators_has_a_row_for_each(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    judge(items_to_judge(take(campaign, cast.annotator))[0], active_ms=9000)
    text = client_of(cast.organiser).get(at(campaign, "overview/annotators.csv")).content.decode()
    rows = {row["annotator"]: row for row in csv.DictReader(io.StringIO(text))}
    assert set(rows) == {annotator.username for annotator in cast.annotators}
    assert (rows["anna"]["done"], rows["anna"]["seconds_median"], rows["ben"]["judgments"]) == ("1", "9.0", "0")


def test_links_are_shown_once_and_never_again(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.organiser)
    response = client.post(at(campaign, "people/invite/"), {"count": "2", "role": Role.ANNOTATOR})
    assert response["Cache-Control"] == "no-store"
    links = [each.link for each in response.context["admitted"]]
    page = response.content.decode()
    assert len(links) == 2
    assert all(link in page for link in links)
    later = client.get(at(campaign, "people/")).content.decode()
    assert not any(link in later for link in links)


@pytest.mark.parametrize("count", ["0", "501", "many", ""])
def test_a_number_that_makes_no_sense_invites_nobody(
    campaign: Campaign, cast: Cast, client_of: ClientOf, count: str
) -> None:
    response = client_of(cast.organiser).post(at(campaign, "people/invite/"), {"count": count, "role": "annotator"})
    assert response.status_code == 422
    assert not Invitation.objects.exists()


def test_a_lost_link_is_replaced_and_the_old_one_ends(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.organiser)
    client.post(at(campaign, "people/invite/"), {"count": "1", "role": "annotator"})
    old = Invitation.objects.get()
    response = client.post(at(campaign, f"people/{old.pk}/renew/"))
    old.refresh_from_db()
    assert old.revoked_at
    assert response.context["admitted"][0].account == old.account
    client.post(at(campaign, f"people/{Invitation.objects.get(revoked_at=None).pk}/revoke/"))
    assert not Invitation.objects.filter(revoked_at=None).exists()


def test_another_campaigns_invitation_is_not_found(
    campaign: Campaign, test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    other = make_planned_campaign(test_set, cast, name="Other")
    client = client_of(cast.organiser)
    client.post(at(other, "people/invite/"), {"count": "1", "role": "annotator"})
    assert client.post(at(campaign, f"people/{Invitation.objects.get().pk}/revoke/")).status_code == 404
