"""An open Direct Assessment campaign on the sample test set, with the cast in their roles."""

from datetime import UTC, datetime
from typing import Any

from django.utils.text import slugify

from campaigns.models import Campaign, CampaignStatus, Membership, Role, TestSet
from tests.cast import Cast

CONSENTED_AT = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


def make_campaign(test_set: TestSet, cast: Cast, *, name: str = "Harbour campaign", **fields: Any) -> Campaign:
    """Annotators have agreed already; a test of the agreement itself sets `consented_at` back to None."""
    values: dict[str, Any] = {
        "slug": slugify(name),
        "protocol": "direct_assessment",
        "status": CampaignStatus.OPEN,
        "guidelines": "Ask **how much** of the meaning reaches the reader.",
        "consent": "Your answers are published under a number.",
        "items_per_assignment": 9,
        "created_by": cast.organiser,
        "opened_at": CONSENTED_AT,
    }
    campaign = Campaign.objects.create(name=name, test_set=test_set, **(values | fields))
    campaign.systems.set(test_set.systems.all())
    Membership.objects.bulk_create(
        [
            Membership(campaign=campaign, account=cast.organiser, role=Role.ORGANISER),
            Membership(campaign=campaign, account=cast.researcher, role=Role.RESEARCHER),
            *(
                Membership(campaign=campaign, account=annotator, role=Role.ANNOTATOR, consented_at=CONSENTED_AT)
                for annotator in cast.annotators
            ),
        ]
    )
    return campaign
