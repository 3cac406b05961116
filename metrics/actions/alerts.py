"""Alerts of the overview, told to webhooks when they appear."""

from collections import Counter

from django.db import transaction
from django.utils import timezone

from campaigns.actions.webhooks import announce_to
from campaigns.models import CampaignStatus, HookEvent, Webhook
from metrics.progress.overview import Overview, overviews_of


def announce_alerts() -> int:
    """Tells each webhook the concerns that were not on the overview at the last look; how many messages.

    A concern is told again after it has been gone. Called by workers, any number of them at once.
    """
    wanting = [
        webhook
        for webhook in Webhook.objects.filter(
            is_active=True, campaign__status=CampaignStatus.OPEN, campaign__deleted_at=None
        ).select_related("campaign")
        if HookEvent.ALERT in webhook.events
    ]
    campaigns = list({webhook.campaign_id: webhook.campaign for webhook in wanting}.values())
    overviews = overviews_of(campaigns, timezone.now()) if campaigns else {}
    return sum(_tell(webhook, overviews[webhook.campaign_id]) for webhook in wanting)


def _tell(webhook: Webhook, overview: Overview) -> int:
    concerns = Counter(concern.value for line in overview.lines for concern in line.concerns)
    own = Webhook.objects.filter(pk=webhook.pk, alerts_looked_at=webhook.alerts_looked_at)
    new = [concern for concern in concerns if concern not in webhook.alerts]
    with transaction.atomic():
        if not own.update(alerts=sorted(concerns), alerts_looked_at=timezone.now()):
            return 0  # another worker looked meanwhile
        for concern in new:
            announce_to(webhook, HookEvent.ALERT, alert=concern, annotators=concerns[concern])
    return len(new)
