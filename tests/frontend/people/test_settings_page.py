"""An account's own settings."""

from collections.abc import Callable

from django.test import Client

import pytest

from campaigns.models import Account, Campaign
from tests.cast import PASSWORD, Cast, invite_annotators

NEW = "eleven loud storks"


@pytest.fixture
def anna(client_of: Callable[[Account], Client], cast: Cast) -> Client:
    return client_of(cast.annotator)


def test_settings_are_saved_and_the_page_wears_them(anna: Client, cast: Cast) -> None:
    response = anna.post("/settings/", {"name": "Anna W.", "theme": "dark"}, follow=True)
    assert "Your settings are saved." in response.text
    assert 'data-theme="dark"' in response.text
    cast.annotator.refresh_from_db()
    assert (cast.annotator.name, cast.annotator.single_keys) == ("Anna W.", False)


def test_the_devices_own_theme_is_not_forced(anna: Client) -> None:
    assert "data-theme" not in anna.get("/settings/").text


def test_a_theme_that_does_not_exist_changes_nothing(anna: Client, cast: Cast) -> None:
    assert anna.post("/settings/", {"name": "X", "theme": "neon"}).status_code == 200
    cast.annotator.refresh_from_db()
    assert cast.annotator.name == "Anna Weidner"


def test_nothing_else_of_the_account_can_be_sent_along(anna: Client, cast: Cast) -> None:
    anna.post("/settings/", {"name": "A", "theme": "light", "is_superuser": "on", "may_create_campaigns": "on"})
    cast.annotator.refresh_from_db()
    assert not cast.annotator.is_superuser
    assert not cast.annotator.may_create_campaigns


def test_a_new_password_needs_the_old_one(anna: Client, cast: Cast) -> None:
    response = anna.post("/settings/password/", {"old_password": "x", "new_password1": NEW, "new_password2": NEW})
    assert 'aria-describedby="id_old_password_error"' in response.text
    cast.annotator.refresh_from_db()
    assert cast.annotator.check_password(PASSWORD)


def test_a_changed_password_keeps_this_device_and_signs_the_others_out(
    anna: Client, client_of: Callable[[Account], Client], cast: Cast
) -> None:
    elsewhere = client_of(cast.annotator)
    form = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    response = anna.post("/settings/password/", form, follow=True)
    assert "Your password is changed." in response.text
    assert elsewhere.get("/settings/").status_code == 302


def test_a_weak_new_password_is_refused_in_words(anna: Client) -> None:
    form = {"old_password": PASSWORD, "new_password1": "1234567890", "new_password2": "1234567890"}
    assert "too common" in anna.post("/settings/password/", form).text


def test_who_came_by_invitation_sets_a_first_password_with_the_link(campaign: Campaign, cast: Cast) -> None:
    (issued,) = invite_annotators(campaign=campaign, count=1, by=cast.organiser)
    client, account = Client(), issued.invitation.account
    client.post(f"/invitations/{issued.secret}/")
    text = client.get("/settings/").text
    assert "Set a password" in text
    assert "Current password" not in text
    response = client.post("/settings/password/", {"link": issued.link, "new_password1": NEW, "new_password2": NEW})
    assert response.status_code == 302
    account.refresh_from_db()
    assert account.check_password(NEW)
    text = client.get("/settings/").text
    assert "Your password is set. Other devices are signed out." in text
    assert "is changed" not in text


def test_whoever_sits_at_an_open_session_without_the_link_sets_no_password(campaign: Campaign, cast: Cast) -> None:
    own, others = invite_annotators(campaign=campaign, count=2, by=cast.organiser)
    client, account = Client(), own.invitation.account
    client.post(f"/invitations/{own.secret}/")
    for link in ("", "x", others.link, own.link + "x"):
        form = {"link": link, "new_password1": NEW, "new_password2": NEW}
        assert 'id="id_link_error"' in client.post("/settings/password/", form).text
    account.refresh_from_db()
    assert not account.has_usable_password()


@pytest.mark.parametrize("path", ["/settings/", "/settings/password/"])
def test_strangers_must_sign_in(client: Client, db: None, path: str) -> None:
    assert client.post(path)["Location"] == f"/sign-in/?next={path}"


def test_a_password_is_not_set_by_a_link(anna: Client) -> None:
    assert anna.get("/settings/password/").status_code == 405
