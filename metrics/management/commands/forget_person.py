"""`forget_person NAME`: deletes an annotator's answers, or stores them under a number."""

import json as json_module
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.invalid_input import AccountError
from campaigns.management.working_command import WorkingCommand
from campaigns.models import Account, Withdrawal
from metrics.actions.forgetting import forget_person


class Command(WorkingCommand):
    help = "Forgets an annotator, in all campaigns or in one; see docs/operations.md. It cannot be undone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("account", metavar="NAME", help="the account's user name")
        how = parser.add_mutually_exclusive_group(required=True)
        how.add_argument("--erase", action="store_const", dest="how", const=Withdrawal.ERASED.value)
        how.add_argument("--pseudonymise", action="store_const", dest="how", const=Withdrawal.PSEUDONYMISED.value)
        parser.add_argument("--campaign", metavar="C", help="name or slug; without it all")
        parser.add_argument("--json", action="store_true", help="print what was done as JSON")

    def handle(self, *, account: str, how: str, campaign: str | None, json: bool, **options: Any) -> None:  # noqa: ARG002
        person = Account.objects.filter(username=account).first()
        if person is None:
            raise CommandError(_("There is no account “%(name)s”.") % {"name": account})
        campaigns = None if campaign is None else [self.campaign(campaign)]
        try:
            done = forget_person(account=person, how=how, by=None, campaigns=campaigns)
        except AccountError as error:
            raise CommandError(str(error)) from error
        numbers = [number.username for number in done.numbers]
        if json:
            slugs = [each.slug for each in done.campaigns]
            result = {"campaigns": slugs, "numbers": numbers, "has_no_account": done.has_no_account}
            self.stdout.write(json_module.dumps(result))
            return
        answers = f"the answers are kept as {', '.join(numbers)}" if done.numbers else "the answers are erased"
        gone = ", and the account is gone" if done.has_no_account else ""
        self.stdout.write(f"Forgotten in {', '.join(each.name for each in done.campaigns)}: {answers}{gone}.")
