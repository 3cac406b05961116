"""Takes back what lets somebody in: sessions and tokens, links, a place in a campaign, a whole account."""

import json
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.actions.returning import remove_from_campaign, retire_account
from campaigns.actions.endings import reopen_account, sign_out_everywhere
from campaigns.actions.links import revoke_invitation
from campaigns.invalid_input import AccountError
from campaigns.management.working_command import WorkingCommand
from campaigns.models import Account, Invitation, Membership
from campaigns.queries import campaign_called, open_sessions, valid_tokens


class Command(WorkingCommand):
    help = (
        "Ends what lets an account in; what was judged stays. Name one thing to end; without any, it says what is open."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="whose access")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--sign-out", action="store_true", help="end every session and token")
        what.add_argument("--revoke-links", action="store_true", help="revoke the links, with all that came of them")
        what.add_argument("--remove-from", metavar="CAMPAIGN", help="remove from a campaign, by its name or slug")
        what.add_argument("--close", action="store_true", help="close the account")
        what.add_argument("--reopen", action="store_true", help="open a closed account again; what had ended stays so")
        parser.add_argument("--json", action="store_true", help="print what is open as JSON")

    def handle(self, *, username: str, **options: Any) -> None:
        account = Account.objects.filter(username=username).first()
        if account is None:
            raise CommandError(f"There is no account {username!r}.")
        try:
            if options["sign_out"]:
                sign_out_everywhere(account=account, by=None)
            elif options["revoke_links"]:
                _revoke_links(account)
            elif options["remove_from"] is not None:
                _remove(account, options["remove_from"])
            elif options["close"]:
                retire_account(account=account, by=None)
            elif options["reopen"]:
                reopen_account(account=account, by=None)
        except AccountError as error:
            raise CommandError(f"Nothing was ended. {error}") from error
        self._print(account, as_json=options["json"])

    def _print(self, account: Account, *, as_json: bool) -> None:
        account.refresh_from_db()
        campaigns = sorted(set(Membership.objects.filter(account=account).values_list("campaign__slug", flat=True)))
        still_open = {
            "account": account.username,
            "closed": not account.is_active,
            "password": account.has_usable_password(),
            "links": Invitation.objects.filter(account=account, revoked_at=None).count(),
            "sessions": open_sessions(account).count(),
            "tokens": valid_tokens(account).count(),
            "campaigns": campaigns,
        }
        if as_json:
            self.stdout.write(json.dumps(still_open))
            return
        state = "closed" if still_open["closed"] else "open"
        password = "a password" if still_open["password"] else "no password"
        self.stdout.write(
            f"{account.username} is {state}: {still_open['sessions']} sessions, {still_open['tokens']} tokens, "
            f"{still_open['links']} links, {password}; campaigns: {', '.join(campaigns) or 'none'}."
        )


def _revoke_links(account: Account) -> None:
    for invitation in Invitation.objects.filter(account=account, revoked_at=None).select_related("account", "campaign"):
        revoke_invitation(invitation=invitation, by=None)


def _remove(account: Account, name: str) -> None:
    campaign = campaign_called(name)
    places = Membership.objects.filter(campaign=campaign, account=account).select_related("account", "campaign")
    if campaign is None or not places:
        raise CommandError(f"{account.username} is not part of a campaign {name!r}.")
    for place in places:
        remove_from_campaign(membership=place, by=None)
