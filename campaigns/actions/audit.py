"""The record of who did what, when."""

from typing import Any

from campaigns.models import Account, AuditEntry, Campaign


def record(*, action: str, by: Account | None, campaign: Campaign | None = None, **detail: Any) -> AuditEntry:
    """`action` is a verb in the past, such as `invitation_revoked`; never put a secret into `detail`."""
    return AuditEntry.objects.create(action=action, actor=by, campaign=campaign, detail=detail)
