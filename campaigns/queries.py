"""Reads that more than one room needs."""

from django.db.models import Exists, OuterRef, QuerySet

from campaigns.models import Account, Campaign, Membership, Role, TestSet


def campaigns_of(account: Account, *roles: Role) -> QuerySet[Campaign]:
    """Campaigns in which the account has one of the roles (any, when none is named); all, for a superuser."""
    if account.is_superuser:
        return Campaign.objects.all()
    held = Membership.objects.filter(campaign=OuterRef("pk"), account=account)
    if roles:
        held = held.filter(role__in=roles)
    return Campaign.objects.filter(Exists(held))


def test_sets_of(account: Account) -> QuerySet[TestSet]:
    """Test sets the account imported, or organises or researches a campaign on."""
    if account.is_superuser:
        return TestSet.objects.all()
    used = Membership.objects.filter(
        campaign__test_set=OuterRef("pk"), account=account, role__in=[Role.ORGANISER, Role.RESEARCHER]
    )
    return TestSet.objects.filter(Exists(used)) | TestSet.objects.filter(created_by=account)
