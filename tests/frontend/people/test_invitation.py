"""An invitation's page."""

from collections.abc import Callable

from django.test import Client
from django.urls import reverse

import pytest

from annotation.models import Assignment
from campaigns.actions.links import IssuedInvitation, invite_account, revoke_invitation
from campaigns.models import Account, Campaign, Invitation, Membership, Role, TestSet
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign
from tests.sample_test_set import SYSTEMS


def _path(issued: IssuedInvitation) -> str:
    return f"/invitations/{issued.secret}/"


@pytest.fixture
def issued(campaign: Campaign, cast: Cast) -> IssuedInvitation:
    return invite_account(campaign=campaign, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)


@pytest.mark.parametrize("method", ["get", "head"])
def test_looking_at_it_changes_nothing(client: Client, issued: IssuedInvitation, method: str) -> None:
    response = getattr(client, method)(_path(issued))
    assert response.status_code == 200
    assert "_auth_user_id" not in client.session
    assert Invitation.objects.get().accepted_at is None


def test_it_shows_the_task_and_the_languages(client: Client, issued: IssuedInvitation) -> None:
    text = client.get(_path(issued)).text
    assert "Judge translations from English into German" in text
    assert "Anna Weidner" in text
    assert not any(system in text for system in SYSTEMS)


def test_a_task_is_as_long_as_the_campaign_really_makes_them(
    client: Client, cast: Cast, make_test_set: Callable[..., TestSet]
) -> None:
    campaign = make_planned_campaign(make_test_set(), cast, items_per_assignment=100)
    sizes = Assignment.objects.filter(campaign=campaign).values_list("total", flat=True)
    issued = invite_account(campaign=campaign, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    assert max(sizes) < 100
    assert f"<dd>{round(sum(sizes) / len(sizes))}</dd>" in client.get(_path(issued)).text


def test_the_address_stays_here(client: Client, issued: IssuedInvitation) -> None:
    for response in (client.get(_path(issued)), client.post(_path(issued)), client.get("/invitations/unknown/")):
        assert response["Referrer-Policy"] == "strict-origin"
        assert "no-store" in response["Cache-Control"]


def test_the_button_signs_in(client: Client, issued: IssuedInvitation, cast: Cast) -> None:
    response = client.post(_path(issued))
    assert response["Location"] == reverse("home")
    assert client.session["_auth_user_id"] == str(cast.annotator.pk)
    assert Invitation.objects.get().accepted_at is not None


def test_who_has_not_agreed_yet_comes_to_the_guidelines(
    client: Client, issued: IssuedInvitation, campaign: Campaign
) -> None:
    Membership.objects.update(consented_at=None)
    assert client.post(_path(issued))["Location"] == reverse("annotator-guidelines", args=[campaign.slug])


def test_it_opens_again_on_another_device(issued: IssuedInvitation, cast: Cast) -> None:
    for _device in range(2):
        client = Client()
        client.post(_path(issued))
        assert client.session["_auth_user_id"] == str(cast.annotator.pk)
    assert "Welcome back" in Client().get(_path(issued)).text


@pytest.mark.parametrize("role", [Role.ORGANISER, Role.RESEARCHER])
def test_other_roles_are_invited_in_their_own_words(client: Client, campaign: Campaign, cast: Cast, role: Role) -> None:
    issued = invite_account(campaign=campaign, account=cast.stranger, role=role, by=cast.organiser)
    assert f"signs you in as {role} of this campaign" in client.get(_path(issued)).text
    assert client.post(_path(issued))["Location"] == reverse("home")
    assert Membership.objects.filter(account=cast.stranger, role=role).exists()


def test_the_page_says_who_is_signed_in(
    client_of: Callable[[Account], Client], issued: IssuedInvitation, cast: Cast
) -> None:
    client = client_of(cast.second_annotator)
    assert "You are signed in as <bdi>Ben Achterberg</bdi>" in client.get(_path(issued)).text
    client.post(_path(issued))
    assert client.session["_auth_user_id"] == str(cast.annotator.pk)


def test_a_revoked_link_says_so_and_keeps_its_holders_answers_in_mind(
    client: Client, issued: IssuedInvitation, cast: Cast
) -> None:
    revoke_invitation(invitation=issued.invitation, by=cast.organiser)
    for response in (client.get(_path(issued)), client.post(_path(issued))):
        assert response.status_code == 410
        assert "This invitation has ended" in response.text
        assert "your answers are saved and your code is still valid" in response.text
    assert "_auth_user_id" not in client.session


def test_an_unknown_link_says_what_to_check(client: Client, db: None) -> None:
    for response in (client.get("/invitations/unknown/"), client.post("/invitations/unknown/")):
        assert response.status_code == 404
        assert "Check that the whole link was copied." in response.text


def test_other_methods_are_refused(client: Client, issued: IssuedInvitation) -> None:
    assert client.delete(_path(issued)).status_code == 405


def test_a_form_from_elsewhere_signs_nobody_in(issued: IssuedInvitation) -> None:
    assert Client(enforce_csrf_checks=True).post(_path(issued)).status_code == 403
