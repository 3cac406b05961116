"""A message of a campaign."""

from typing import Any

from campaigns.actions.mail import Letter, change_own_address, store_mail
from campaigns.models import Account, Campaign, Mail, MailKind


def letter_to(account: Account, **changed: Any) -> Letter:
    if not account.email:
        change_own_address(account=account, address=f"{account.username}@example.org")
    values = {"kind": MailKind.INVITATION, "cause": f"invitation:{account.pk}", "language": "en"}
    return Letter(account=account, **{**values, "subject": "Please come", "body": "Here: {link}", **changed})


def make_mail(campaign: Campaign, account: Account, by: Account | None = None, **changed: Any) -> Mail:
    return store_mail(campaign=campaign, letters=[letter_to(account, **changed)], by=by)[0]
