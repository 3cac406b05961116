"""Sends one message, so that the operator sees whether mail works."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.core.validators import validate_email

from campaigns.actions.mail import is_mail_on
from campaigns.actions.mail_sending import NotSent, send_test
from campaigns.management.working_command import WorkingCommand


class Command(WorkingCommand):
    help = "Sends a test message to ADDRESS through the mail server of the settings."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="who gets it")

    def handle(self, *, address: str, **_options: Any) -> None:
        if not is_mail_on():
            raise CommandError("Mail is off. Set ASSAY_MAIL=smtp and ASSAY_MAIL_HOST; see docs/operations.md.")
        try:
            validate_email(address)
            send_test(address)
        except ValidationError:
            raise CommandError(f"{address!r} is not an e-mail address.") from None
        except NotSent as error:
            raise CommandError(f"{error.problem.label} {error.said}".strip()) from error
        self.stderr.write("The server took the message.")
