"""`create_account`: how a new installation gets its first organiser."""

import io
import json
from typing import Any

from django.core.management import CommandError, call_command

import pytest

from campaigns.models import Account
from tests.cast import PASSWORD, Cast


def _create(*arguments: Any) -> str:
    stdout = io.StringIO()
    call_command("create_account", *arguments, stdout=stdout, stderr=io.StringIO())
    return stdout.getvalue()


def test_an_organiser_gets_a_password_that_works(db: None) -> None:
    made = json.loads(_create("mira", "--organiser", "--name", "Mira Tal", "--json"))
    account = Account.objects.get(username="mira")
    assert account.may_create_campaigns
    assert account.name == "Mira Tal"
    assert account.check_password(made["password"])


def test_people_read_where_to_sign_in(db: None) -> None:
    output = _create("mira")
    assert "Sign in as mira at http://127.0.0.1:8000/sign-in/." in output
    assert "shown only now" in output


def test_a_password_from_standard_input_is_not_repeated(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(PASSWORD + "\n"))
    assert PASSWORD not in _create("mira", "--password-stdin")
    assert Account.objects.get().check_password(PASSWORD)


def test_a_weak_password_makes_no_account(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    with pytest.raises(CommandError, match="No account was made"):
        _create("mira", "--password-stdin")
    assert not Account.objects.exists()


def test_a_taken_name_is_refused(cast: Cast) -> None:
    with pytest.raises(CommandError, match="“anna” is taken"):
        _create("anna")
