"""What an organiser tells annotators: guidelines and consent."""

from django.db import transaction

from campaigns.actions.audit import record
from campaigns.models import Account, Campaign


def change_texts(*, campaign: Campaign, guidelines: str, consent: str, by: Account | None) -> Campaign:
    """Who agreed before has agreed to what was written then: the record keeps the texts as they were."""
    with transaction.atomic():
        before = Campaign.objects.select_for_update().get(pk=campaign.pk)
        wanted = {"guidelines": guidelines, "consent": consent}
        changed = {name: getattr(before, name) for name, text in wanted.items() if getattr(before, name) != text}
        if changed:
            Campaign.objects.filter(pk=campaign.pk).update(**wanted)
            record(action="texts_changed", by=by, campaign=campaign, before=changed)
    campaign.guidelines, campaign.consent = guidelines, consent
    return campaign
