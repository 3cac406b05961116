"""An organiser ends a member's access, on the People page and by the API."""

from collections.abc import Callable

from django.test import Client

import pytest

from campaigns.actions.memberships import add_member
from campaigns.actions.tokens import make_api_token
from campaigns.models import Account, AuditEntry, Campaign, Membership, Role, TestSet
from campaigns.queries import open_sessions, valid_tokens
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_token
from tests.planned_campaign import make_planned_campaign

API = "campaigns/planned-campaign"


@pytest.fixture
def planned(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


@pytest.fixture
def olive(client_of: Callable[[Account], Client], planned: Campaign, cast: Cast) -> Client:
    return client_of(cast.organiser)


@pytest.fixture
def anna(client_of: Callable[[Account], Client], planned: Campaign, cast: Cast) -> Client:
    make_api_token(account=cast.annotator, name="notebook", by=cast.annotator)
    return client_of(cast.annotator)


def _address(campaign: Campaign, account: Account, act: str = "", role: Role = Role.ANNOTATOR) -> str:
    place = Membership.objects.get(campaign=campaign, account=account, role=role)
    return f"/campaigns/{campaign.slug}/members/{place.pk}/{act}"


def _elsewhere(campaign: Campaign, cast: Cast) -> None:
    """Anna judges for somebody else as well."""
    other = make_planned_campaign(campaign.test_set, cast, name="Somebody else's")
    other.memberships.all().delete()
    add_member(campaign=other, account=cast.annotator, role=Role.ANNOTATOR, by=None)


def test_the_page_says_what_is_open(olive: Client, anna: Client, planned: Campaign, cast: Cast) -> None:
    text = olive.get(_address(planned, cast.annotator)).text
    assert "Access of <bdi>Anna Weidner</bdi>" in text
    assert "<dd>1 device</dd>" in text
    assert "Sign out everywhere" in text
    assert _address(planned, cast.annotator) in olive.get(f"/campaigns/{planned.slug}/people/").text


def test_signed_out_everywhere(olive: Client, anna: Client, planned: Campaign, cast: Cast) -> None:
    response = olive.post(_address(planned, cast.annotator, "sign-out/"), follow=True)
    assert "Anna Weidner is signed out: 2 sessions and tokens have ended." in response.text
    assert anna.get("/settings/").status_code == 302
    assert not valid_tokens(cast.annotator).exists()
    entry = AuditEntry.objects.get(action="signed_out_everywhere")
    assert (entry.actor, entry.campaign, entry.detail) == (
        cast.organiser,
        planned,
        {"account": "anna", "sessions": 1, "tokens": 1},
    )


def test_removed(olive: Client, anna: Client, planned: Campaign, cast: Cast) -> None:
    address = _address(planned, cast.annotator, "remove/")
    assert "no longer part of this campaign" in olive.post(address, follow=True).text
    assert anna.get(f"/campaigns/{planned.slug}/guidelines/").status_code in (302, 404)
    assert olive.post(address).status_code == 404


@pytest.mark.parametrize("how", ["page", "api"])
def test_an_account_made_for_the_campaign_is_closed_after_removal(
    olive: Client, planned: Campaign, cast: Cast, how: str
) -> None:
    Account.objects.filter(pk=cast.annotator.pk).update(made_for=planned)
    address = _address(planned, cast.annotator)
    olive.post(f"{address}remove/")
    assert address in olive.get(f"/campaigns/{planned.slug}/people/").text
    page = olive.get(address).text
    assert (f"{address}close/" in page, f"{address}remove/" in page) == (True, False)
    if how == "page":
        assert "The account of Anna Weidner is closed." in olive.post(f"{address}close/", follow=True).text
    else:
        assert by_token(cast.organiser).post(f"{API}/accounts/anna/close").status_code == 204
    cast.annotator.refresh_from_db()
    assert not cast.annotator.is_active
    assert "Removed" in olive.get(address).text


def test_an_account_made_elsewhere_is_out_of_reach_after_removal(olive: Client, planned: Campaign, cast: Cast) -> None:
    address = _address(planned, cast.annotator)
    olive.post(f"{address}remove/")
    page = olive.get(f"/campaigns/{planned.slug}/people/").text
    assert "Anna Weidner" in page
    assert address not in page
    assert olive.post(f"{address}close/").status_code == 404
    assert by_token(cast.organiser).post(f"{API}/accounts/anna/close").status_code == 404


def test_closed(olive: Client, anna: Client, planned: Campaign, cast: Cast) -> None:
    response = olive.post(_address(planned, cast.annotator, "close/"), follow=True)
    assert "The account of Anna Weidner is closed." in response.text
    assert anna.get("/settings/").status_code == 302
    again = olive.get(_address(planned, cast.annotator)).text
    assert "closed" in again
    assert "Sign out everywhere" not in again


@pytest.mark.parametrize("act", ["sign-out/", "close/"])
def test_no_further_than_the_organiser_reaches(
    olive: Client, anna: Client, planned: Campaign, cast: Cast, act: str
) -> None:
    _elsewhere(planned, cast)
    page = olive.get(_address(planned, cast.annotator)).text
    assert "You cannot sign this account out everywhere" in page
    assert f"{act}&quot;" not in page
    assert "Ask a superuser" in olive.post(_address(planned, cast.annotator, act), follow=True).text
    assert anna.get("/settings/").status_code == 200
    name = act.strip("/")
    assert by_token(cast.organiser).post(f"{API}/accounts/anna/{name}").status_code == 422
    assert by_token(cast.stranger).post(f"{API}/accounts/anna/{name}").status_code == 404
    assert olive.post(_address(planned, cast.annotator, "remove/")).status_code == 302
    assert anna.get("/settings/").status_code == 200


def test_the_last_organiser_stays(olive: Client, planned: Campaign, cast: Cast) -> None:
    address = _address(planned, cast.organiser, "remove/", Role.ORGANISER)
    assert "Nobody else organises this campaign." in olive.post(address, follow=True).text
    assert olive.get(f"/campaigns/{planned.slug}/people/").status_code == 200


def test_who_removes_themselves_is_led_home(olive: Client, planned: Campaign, cast: Cast) -> None:
    add_member(campaign=planned, account=cast.researcher, role=Role.ORGANISER, by=cast.organiser)
    response = olive.post(_address(planned, cast.organiser, "remove/", Role.ORGANISER))
    assert response["Location"] == "/"
    assert olive.get(f"/campaigns/{planned.slug}/people/").status_code == 404


def test_the_same_by_the_api(anna: Client, planned: Campaign, cast: Cast) -> None:
    robot = by_token(cast.organiser)
    assert robot.post(f"{API}/accounts/anna/sign-out").json() == {"sessions": 1, "tokens": 1}
    for _time in range(2):
        assert robot.delete(f"{API}/members/anna/roles/annotator").status_code == 204
    assert AuditEntry.objects.filter(action="member_removed").count() == 1
    assert not planned.memberships.filter(account=cast.annotator).exists()
    assert robot.post(f"{API}/accounts/ben/close").status_code == 204
    cast.second_annotator.refresh_from_db()
    assert not cast.second_annotator.is_active
    for path in ("accounts/nobody/close", "accounts/a%00b/close"):
        assert robot.post(f"{API}/{path}").status_code == 404
    for path in ("members/nobody/roles/annotator", "members/ben/roles/king", "members/a%00b/roles/annotator"):
        assert robot.delete(f"{API}/{path}").status_code == 404


def test_programs_are_invited_on_the_page_and_marked(olive: Client, planned: Campaign, cast: Cast) -> None:
    address = f"/campaigns/{planned.slug}/people/"
    shown = olive.post(f"{address}invite/", {"count": 1, "role": "annotator", "access": "link", "are_programs": "on"})
    place = planned.memberships.get(is_program=True)
    assert (place.consented_by, place.consented_at is not None) == (cast.organiser, True)
    token = shown.text.partition("assay_")[2][:32]
    robot = ApiAnnotator(Client(), {"Authorization": f"Token assay_{token}"})
    assert robot.take()
    page = olive.get(address).text
    assert ">program<" in page
    assert "by Olive Okafor" in page
    refused = olive.post(f"{address}invite/", {"count": 1, "role": "organiser", "are_programs": "on"})
    assert (refused.status_code, "Only annotators can be programs." in refused.text) == (422, True)


def test_whoever_is_signed_in_sees_where_and_ends_it(
    client_of: Callable[[Account], Client], anna: Client, cast: Cast
) -> None:
    here = client_of(cast.annotator)
    token = valid_tokens(cast.annotator).get()
    other = open_sessions(cast.annotator).exclude(session_key=here.cookies["sessionid"].value).get()
    text = here.get("/settings/").text
    assert "this device" in text
    assert f"/settings/sessions/{other.pk}/end/" in text
    assert here.post(f"/settings/sessions/{other.pk}/end/").status_code == 302
    assert here.post(f"/settings/tokens/{token.pk}/end/").status_code == 302
    assert anna.get("/settings/").status_code == 302
    assert not valid_tokens(cast.annotator).exists()
    assert [entry.action for entry in AuditEntry.objects.order_by("-pk")[:2]] == ["api_token_revoked", "session_ended"]


def test_nobody_ends_anothers_session_or_token(
    client_of: Callable[[Account], Client], anna: Client, cast: Cast
) -> None:
    session, token = open_sessions(cast.annotator).get(), valid_tokens(cast.annotator).get()
    for client in (client_of(cast.stranger), client_of(cast.organiser)):
        assert client.post(f"/settings/sessions/{session.pk}/end/").status_code == 404
        assert client.post(f"/settings/tokens/{token.pk}/end/").status_code == 404
        assert ApiAnnotator(client).delete(f"sessions/{session.pk}").status_code == 404
    assert anna.get("/settings/").status_code == 200


def test_sessions_are_listed_and_ended_by_the_api_without_their_keys(
    client_of: Callable[[Account], Client], anna: Client, cast: Cast
) -> None:
    page = ApiAnnotator(anna)
    elsewhere = client_of(cast.annotator)
    listed = page.get("sessions?page_size=1")
    both = [*listed.json()["results"], *page.client.get(listed.json()["next"]).json()["results"]]
    assert [each["is_this"] for each in both] == [True, False]
    keys = [client.cookies["sessionid"].value for client in (anna, elsewhere)]
    assert not any(key in listed.text for key in keys)
    for _time in range(2):
        assert page.delete(f"sessions/{both[1]['id']}").status_code == 204
    assert elsewhere.get("/settings/").status_code == 302
    assert [each["is_this"] for each in page.get("sessions").json()["results"]] == [True]
