"""Somebody else opened a link: what they made with it ends when it is taken back, and nothing else does."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib.sessions.backends.base import UpdateError
from django.test import Client

import pytest

from campaigns.actions.endings import sign_out_everywhere
from campaigns.actions.enrolment import Access, Admission, invite_people, nameless, replace_password
from campaigns.actions.links import invite_account, revoke_invitation
from campaigns.actions.tokens import Origin, make_api_token
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, Role, Session, TestSet
from frontend.sessions import SessionStore
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign

PASSWORD = "eleven loud storks"
API = "/api/v1/assignments"


@dataclass
class Intruder:
    """Came by a link, made a token with its session, and set the account's first password."""

    session: Client
    token: str

    @property
    def opened(self) -> dict[str, bool]:
        by_token = Client().get(API, headers={"Authorization": f"Token {self.token}"})
        return {"session": self.session.get(API).status_code == 200, "token": by_token.status_code == 200}


@pytest.fixture
def planned(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


@pytest.fixture
def invited(planned: Campaign, cast: Cast) -> Admission:
    (admitted,) = invite_people(campaign=planned, people=nameless(1), by=cast.organiser)
    return admitted


@pytest.fixture
def intruder(invited: Admission) -> Intruder:
    session = _came_by(invited.link)
    session.post("/settings/password/", {"link": invited.link, "new_password1": PASSWORD, "new_password2": PASSWORD})
    return Intruder(session, _mint(session))


def _came_by(link: str) -> Client:
    client = Client()
    client.post(link[link.index("/invitations/") :])
    return client


def _came_with(username: str, password: str) -> Client:
    client = Client()
    client.post("/sign-in/", {"username": username, "password": password})
    return client


def _mint(client: Client) -> str:
    made = client.post("/api/v1/tokens", {"name": "x", "scopes": ["judge", "write"]}, content_type="application/json")
    assert made.status_code == 201, made.content
    return str(made.json()["secret"])


def _is_in(client: Client) -> bool:
    return client.get(API).status_code == 200


def _asks(token: str) -> Any:
    return Client().get(API, headers={"Authorization": f"Token {token}"})


def test_session_token_and_password_all_end_with_the_link(
    invited: Admission, intruder: Intruder, client_of: Callable[[Account], Client], cast: Cast, planned: Campaign
) -> None:
    username = invited.account.username
    by_password = _came_with(username, PASSWORD)
    token_by_password = _mint(by_password)
    assert intruder.opened == {"session": True, "token": True}
    assert _is_in(by_password)
    assert invited.issued is not None
    revoking = f"/campaigns/{planned.slug}/people/{invited.issued.invitation.pk}/revoke/"
    assert client_of(cast.organiser).post(revoking).status_code == 302
    assert intruder.opened == {"session": False, "token": False}
    assert not _is_in(by_password)
    assert _asks(token_by_password).status_code == 401
    assert not _is_in(_came_with(username, PASSWORD))


def test_a_link_that_was_renewed_ends_the_same(
    invited: Admission, intruder: Intruder, client_of: Callable[[Account], Client], cast: Cast, planned: Campaign
) -> None:
    assert invited.issued is not None
    renewing = f"/campaigns/{planned.slug}/people/{invited.issued.invitation.pk}/renew/"
    assert client_of(cast.organiser).post(renewing).status_code == 200
    assert intruder.opened == {"session": False, "token": False}


def test_what_came_by_another_link_goes_on(invited: Admission, planned: Campaign, cast: Cast) -> None:
    assert invited.issued is not None
    other = invite_account(campaign=planned, account=invited.account, role=Role.ANNOTATOR, by=cast.organiser)
    session = _came_by(other.link)
    token = _mint(session)
    revoke_invitation(invitation=invited.issued.invitation, by=cast.organiser)
    assert _is_in(session)
    assert _asks(token).status_code == 200


def test_a_new_password_ends_the_tokens_that_came_of_the_old_one(planned: Campaign, cast: Cast) -> None:
    (admitted,) = invite_people(campaign=planned, people=nameless(1), by=cast.organiser, access=Access.PASSWORD)
    session = _came_with(admitted.account.username, admitted.password)
    token = _mint(session)
    made = replace_password(campaign=planned, account=admitted.account, by=cast.organiser)
    assert not _is_in(session)
    assert _asks(token).status_code == 401
    assert _is_in(_came_with(admitted.account.username, made.password))


def test_ones_own_new_password_ends_them_too_and_keeps_this_device(planned: Campaign, cast: Cast) -> None:
    (admitted,) = invite_people(campaign=planned, people=nameless(1), by=cast.organiser, access=Access.PASSWORD)
    here, elsewhere = (_came_with(admitted.account.username, admitted.password) for _device in range(2))
    token = _mint(elsewhere)
    form = {"old_password": admitted.password, "new_password1": PASSWORD, "new_password2": PASSWORD}
    assert here.post("/settings/password/", form).status_code == 302
    assert (_is_in(here), _is_in(elsewhere), _asks(token).status_code) == (True, False, 401)


def test_a_later_password_still_ends_with_the_link_of_the_first(
    invited: Admission, intruder: Intruder, cast: Cast
) -> None:
    later = "nine silent cranes"
    form = {"old_password": PASSWORD, "new_password1": later, "new_password2": later}
    session = _came_with(invited.account.username, PASSWORD)
    assert session.post("/settings/password/", form).status_code == 302
    assert _is_in(_came_with(invited.account.username, later))
    assert invited.issued is not None
    revoke_invitation(invitation=invited.issued.invitation, by=cast.organiser)
    assert not _is_in(_came_with(invited.account.username, later))


def test_a_request_that_had_begun_revives_no_session(invited: Admission, cast: Cast) -> None:
    """As when the link is revoked while a page of the session is being made."""
    session = _came_by(invited.link)
    store = SessionStore(session.cookies["sessionid"].value)
    store["seen"] = True
    assert invited.issued is not None
    revoke_invitation(invitation=invited.issued.invitation, by=cast.organiser)
    with pytest.raises(UpdateError):
        store.save()
    assert Session.objects.get(session_key=store.session_key).ended_at is not None
    assert not _is_in(session)


def test_a_token_requested_while_access_ends_is_not_made(invited: Admission, cast: Cast) -> None:
    session = _came_by(invited.link).cookies["sessionid"].value
    sign_out_everywhere(account=invited.account, by=cast.organiser)
    with pytest.raises(InvalidInput, match="access has ended"):
        make_api_token(account=invited.account, name="x", by=invited.account, origin=Origin(session=session))
