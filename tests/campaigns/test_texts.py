"""Guidelines and consent can be changed; what was agreed to stays on record."""

from campaigns.actions.memberships import change_texts
from campaigns.models import AuditEntry, Campaign
from tests.cast import Cast


def test_a_change_is_stored_with_the_text_before_it(campaign: Campaign, cast: Cast) -> None:
    change_texts(campaign=campaign, guidelines="Old.", consent="Yes?", by=cast.organiser)
    change_texts(campaign=campaign, guidelines="New.", consent="Yes?", by=cast.organiser)
    campaign.refresh_from_db()
    assert (campaign.guidelines, campaign.consent) == ("New.", "Yes?")
    newest = AuditEntry.objects.filter(action="texts_changed").latest("pk")
    assert (newest.actor, newest.detail) == (cast.organiser, {"before": {"guidelines": "Old."}})


def test_no_change_leaves_no_trace(campaign: Campaign, cast: Cast) -> None:
    change_texts(campaign=campaign, guidelines=campaign.guidelines, consent=campaign.consent, by=cast.organiser)
    assert not AuditEntry.objects.filter(action="texts_changed").exists()
