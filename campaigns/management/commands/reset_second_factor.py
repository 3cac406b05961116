"""Lets somebody in who lost both the authenticator app and the recovery codes."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from campaigns.actions.second_factors import reset_factor
from campaigns.invalid_input import AccountError
from campaigns.management.working_command import WorkingCommand
from campaigns.models import Account


class Command(WorkingCommand):
    help = "Removes the one-time codes of an account and signs it out everywhere. Make sure first who asks."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="whose codes are lost")

    def handle(self, *, username: str, **_options: Any) -> None:
        account = Account.objects.filter(username=username).first()
        if account is None:
            raise CommandError(f"There is no account {username!r}.")
        try:
            was_there = reset_factor(account=account, by=None)
        except AccountError as error:
            raise CommandError(str(error)) from error
        if not was_there:
            raise CommandError(f"{username} has no one-time codes.")
        self.stdout.write(f"{username} signs in without a code now, and can set codes up again under Settings.")
