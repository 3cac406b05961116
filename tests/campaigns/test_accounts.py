"""Accounts: made, named, given passwords."""

from django.contrib.auth.hashers import PBKDF2PasswordHasher

import pytest
from pytest_django import Settings

from campaigns.actions.accounts import change_password, create_account, update_settings
from campaigns.invalid_input import AccountError
from campaigns.models import Account, AuditEntry
from campaigns.secret_keys import new_password
from tests.cast import PASSWORD, Cast


def test_a_new_account_signs_in_with_its_password_and_may_do_nothing_else(db: None) -> None:
    account = create_account(username="mira", name="Mira", password=PASSWORD)
    assert Account.objects.get() == account
    assert account.check_password(PASSWORD)
    assert not account.may_create_campaigns
    assert not account.is_superuser


def test_without_a_password_no_password_opens_it(db: None) -> None:
    assert not create_account(username="mira").has_usable_password()


def test_the_record_says_who_made_it_and_contains_no_password(cast: Cast) -> None:
    create_account(username="mira", password=PASSWORD, by=cast.organiser)
    entry = AuditEntry.objects.get(action="account_created")
    assert entry.actor == cast.organiser
    assert entry.detail == {"account": "mira"}


def test_a_taken_name_is_refused_in_words(cast: Cast) -> None:
    with pytest.raises(AccountError, match="The name “anna” is taken"):
        create_account(username="anna")
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("username", ["", "two words", "x" * 151, "semi;colon"])
def test_a_name_that_cannot_be_typed_is_refused(db: None, username: str) -> None:
    with pytest.raises(AccountError):
        create_account(username=username)
    assert not Account.objects.exists()


@pytest.mark.parametrize("password", ["short", "password123", "miranda-mira"])
def test_a_weak_password_is_refused(db: None, password: str) -> None:
    with pytest.raises(AccountError):
        create_account(username="miranda-mira", password=password)


def test_generated_passwords_are_accepted_and_differ(db: None) -> None:
    first, second = new_password(), new_password()
    assert first != second
    assert create_account(username="mira", password=first).check_password(first)


def test_settings_touch_nothing_else(cast: Cast) -> None:
    account = cast.annotator
    Account.objects.filter(pk=account.pk).update(is_active=False)  # by somebody else, meanwhile
    update_settings(account=account, name="Anna W.", email="anna@example.org", theme="dark", single_keys=False)
    account.refresh_from_db()
    assert (account.name, account.theme, account.single_keys, account.is_active) == ("Anna W.", "dark", False, False)


def test_a_changed_password_replaces_the_old_one(cast: Cast) -> None:
    change_password(account=cast.annotator, password="eleven loud storks")
    cast.annotator.refresh_from_db()
    assert cast.annotator.check_password("eleven loud storks")
    assert AuditEntry.objects.get(action="password_changed").actor == cast.annotator


def test_a_weak_new_password_leaves_the_old_one(cast: Cast) -> None:
    with pytest.raises(AccountError):
        change_password(account=cast.annotator, password="1234567890")
    cast.annotator.refresh_from_db()
    assert cast.annotator.check_password(PASSWORD)


@pytest.fixture
def other_hasher(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The preferred one from now on, quicker than in use."""
    monkeypatch.setattr(PBKDF2PasswordHasher, "iterations", 1000)
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher", *settings.PASSWORD_HASHERS]


def test_the_upgrade_of_a_hash_writes_over_no_password_that_was_set_meanwhile(cast: Cast, other_hasher: None) -> None:
    signing_in, changing = Account.objects.get(pk=cast.annotator.pk), Account.objects.get(pk=cast.annotator.pk)
    change_password(account=changing, password="eleven loud storks")
    assert signing_in.check_password(PASSWORD)  # it was right when the account was read
    changing.refresh_from_db()
    assert changing.check_password("eleven loud storks")
    assert not changing.check_password(PASSWORD)


def test_an_old_hash_is_upgraded_where_nobody_set_another(cast: Cast, other_hasher: None) -> None:
    before = cast.annotator.password
    assert cast.annotator.check_password(PASSWORD)
    stored = Account.objects.get(pk=cast.annotator.pk)
    assert stored.password == cast.annotator.password != before
    assert stored.password.startswith("pbkdf2_")
    assert not stored.check_password("wrong")


def test_production_hashes_passwords_with_argon2() -> None:
    from config import settings  # the module: the test run itself uses a cheap hasher

    assert settings.PASSWORD_HASHERS[0].endswith("Argon2PasswordHasher")
