"""Accounts: made and named."""

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from campaigns.actions.audit import record
from campaigns.models import Account
from campaigns.secret_keys import new_password


class AccountError(Exception):
    """An account that cannot be made or changed as asked. `messages` are fit for the person who asked."""

    def __init__(self, messages: list[str]) -> None:
        self.messages = messages
        super().__init__(" ".join(messages))


def generate_password() -> str:
    return new_password()


def create_account(
    *,
    username: str,
    name: str = "",
    password: str | None = None,
    may_create_campaigns: bool = False,
    by: Account | None = None,
) -> Account:
    """Without a password the account can only be entered by an invitation."""
    account = Account(username=username, name=name, may_create_campaigns=may_create_campaigns)
    try:
        account.clean_fields(exclude=["password"])
        if password is not None:
            validate_password(password, account)
    except ValidationError as error:
        raise AccountError(error.messages) from error
    account.set_password(password)  # None makes it unusable
    try:
        with transaction.atomic():
            account.save(force_insert=True)
            record(action="account_created", by=by, account=account.username)
    except IntegrityError as error:
        raise AccountError([_("The name “%(name)s” is taken. Choose another.") % {"name": username}]) from error
    return account


def update_settings(*, account: Account, name: str, theme: str, single_keys: bool) -> Account:
    account.name, account.theme, account.single_keys = name, theme, single_keys
    account.save(update_fields=["name", "theme", "single_keys"])
    return account
