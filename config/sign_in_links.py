"""Links into the demo, printed at every start: one for each way of using Assay."""

from collections.abc import Iterator

from campaigns.actions.links import expire_invitation, invite_account
from campaigns.models import Campaign, CampaignStatus, Invitation, Membership, Role

DEMO_ACCOUNTS = {
    Role.ORGANISER: "demo-organiser",
    Role.ANNOTATOR: "demo-annotator",
    Role.RESEARCHER: "demo-researcher",
}


def issue_demo_links() -> Iterator[tuple[Role, str]]:
    """A fresh link for each role; links of earlier starts end, but people who used one stay signed in."""
    for role, username in DEMO_ACCOUNTS.items():
        membership = (
            Membership.objects.filter(role=role, account__username=username, campaign__status=CampaignStatus.OPEN)
            .select_related("campaign", "account")
            .order_by("pk")
            .first()
        )
        if membership is not None:
            yield role, _issue_link(membership.campaign, membership)


def _issue_link(campaign: Campaign, membership: Membership) -> str:
    for earlier in Invitation.objects.filter(
        campaign=campaign, account=membership.account, role=membership.role, created_by=None, revoked_at=None
    ):
        expire_invitation(invitation=earlier)
    return invite_account(campaign=campaign, account=membership.account, role=Role(membership.role), by=None).link
