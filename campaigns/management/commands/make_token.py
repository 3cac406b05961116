"""Makes a token for an account's programs and prints it, this once."""

from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from campaigns.actions.tokens import make_api_token
from campaigns.invalid_input import InvalidInput
from campaigns.management.working_command import WorkingCommand
from campaigns.models import Account, Scope


class Command(WorkingCommand):
    help = "Makes a token for the API. Without --scope it may all that its account may; without --days it does not end."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="whose token it is")
        parser.add_argument("--name", default="command line", help="what it is called in the list of tokens")
        parser.add_argument("--scope", action="append", choices=Scope.values, help="may be given several times")
        parser.add_argument("--days", type=int, help="how long it opens anything")

    def handle(self, *, username: str, name: str, scope: list[str] | None, days: int | None, **_options: Any) -> None:
        account = Account.objects.filter(username=username).first()
        if account is None:
            raise CommandError(f"There is no account {username!r}. ./assay manage create_account makes one.")
        ends = None if days is None else timezone.now() + timedelta(days=days)
        try:
            _token, secret = make_api_token(
                account=account, name=name, scopes=scope or Scope.values, expires_at=ends, by=None
            )
        except InvalidInput as error:
            raise CommandError(f"No token was made. {error}") from error
        self.stdout.write(secret)
