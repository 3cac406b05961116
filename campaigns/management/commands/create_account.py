"""Makes an account, so that somebody can begin: the first organiser of an installation, a colleague."""

import json
import sys
from typing import Any

from django.core.management.base import CommandError, CommandParser

from campaigns.actions.accounts import create_account
from campaigns.invalid_input import AccountError
from campaigns.management.working_command import WorkingCommand
from campaigns.secret_keys import new_password
from campaigns.site_address import site_address

SIGN_IN = "/sign-in/"


class Command(WorkingCommand):
    help = "Makes an account with a password, read from standard input or made up and printed once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="the name to sign in with")
        parser.add_argument("--name", default="", help="the name shown to others")
        parser.add_argument("--organiser", action="store_true", help="may create campaigns")
        parser.add_argument("--password-stdin", action="store_true", help="read the password from standard input")
        parser.add_argument("--json", action="store_true", help="print the account as JSON")

    def handle(self, *, username: str, name: str, organiser: bool, password_stdin: bool, **options: Any) -> None:
        password = sys.stdin.readline().rstrip("\r\n") if password_stdin else new_password()
        try:
            account = create_account(
                username=username, name=name, password=password, may_create_campaigns=organiser, by=None
            )
        except AccountError as error:
            raise CommandError(f"No account was made. {error}") from error
        made = {"username": account.username, "organiser": organiser}
        if not password_stdin:
            made["password"] = password
        if options["json"]:
            self.stdout.write(json.dumps(made))
            return
        self.stdout.write(f"Sign in as {made['username']} at {site_address(SIGN_IN)}.")
        if "password" in made:
            self.stdout.write(f"Password, shown only now: {made['password']}")
