"""Links that show a campaign's results to whoever holds them. The link itself is returned once."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from campaigns.actions.audit import record
from campaigns.models import Account, Campaign, ShareLink
from campaigns.secret_keys import hash_secret, new_secret


def make_share_link(
    *,
    campaign: Campaign,
    name: str,
    days: int,
    by: Account | None,
    shows_texts: bool = False,
    choice: Mapping[str, Any] | None = None,
) -> tuple[ShareLink, str]:
    """`choice` are the arguments of the runs it shows; without them the protocol's own."""
    secret = new_secret()
    with transaction.atomic():
        link = ShareLink.objects.create(
            campaign=campaign,
            name=name,
            secret_hash=hash_secret(secret),
            choice=dict(choice or {}),
            shows_texts=shows_texts,
            created_by=by,
            expires_at=timezone.now() + timedelta(days=days),
        )
        record(action="results_shared", by=by, campaign=campaign, link=name, days=days, shows_texts=shows_texts)
    return link, secret


def revoke_share_link(*, link: ShareLink, by: Account | None) -> ShareLink:
    """From now on the link opens nothing; revoking twice keeps the first time."""
    with transaction.atomic():
        if ShareLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now()):
            record(action="results_share_revoked", by=by, campaign=link.campaign, link=link.name)
    link.refresh_from_db(fields=["revoked_at"])
    return link
