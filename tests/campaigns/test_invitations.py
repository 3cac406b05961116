"""Links that sign their holder in."""

from datetime import timedelta

from django.utils import timezone

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from campaigns.actions.links import accept_invitation, invite_account, renew_invitation, revoke_invitation
from campaigns.actions.memberships import add_member
from campaigns.invalid_input import AccountError
from campaigns.models import Account, AuditEntry, Campaign, Invitation, Membership, Role
from campaigns.queries import Ending, InvitationEnded, open_invitation
from tests.cast import Cast, invite_annotators
from tests.planned_campaign import make_planned_campaign


def _ending_of(secret: str) -> Ending:
    with pytest.raises(InvitationEnded) as ended:
        open_invitation(secret)
    with pytest.raises(InvitationEnded):
        accept_invitation(secret=secret)
    return ended.value.ending


def test_each_invited_annotator_gets_an_account_a_place_and_a_link(campaign: Campaign, cast: Cast) -> None:
    issued = invite_annotators(campaign=campaign, count=3, by=cast.organiser)
    names = [each.invitation.account.username for each in issued]
    assert names == ["harbour-campaign-01", "harbour-campaign-02", "harbour-campaign-03"]
    assert Membership.objects.filter(account__username__in=names, campaign=campaign, role=Role.ANNOTATOR).count() == 3
    assert len({each.link for each in issued}) == 3
    assert not any(each.invitation.account.has_usable_password() for each in issued)


def test_a_second_call_invites_further_people(campaign: Campaign, cast: Cast) -> None:
    invite_annotators(campaign=campaign, count=2, by=cast.organiser)
    again = invite_annotators(campaign=campaign, count=2, by=cast.organiser)
    assert [each.invitation.account.username for each in again] == ["harbour-campaign-03", "harbour-campaign-04"]


def test_numbers_go_on_past_what_two_digits_hold(campaign: Campaign, cast: Cast) -> None:
    Account.objects.create(username="harbour-campaign-99")
    Account.objects.create(username="harbour-campaign-elsewhere")
    (issued,) = invite_annotators(campaign=campaign, count=1, by=cast.organiser)
    assert issued.invitation.account.username == "harbour-campaign-100"


def test_inviting_many_costs_no_more_queries_than_inviting_one(
    campaign: Campaign, cast: Cast, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(10):
        invite_annotators(campaign=campaign, count=40, by=cast.organiser)


def test_nobody_is_no_invitation(campaign: Campaign, cast: Cast) -> None:
    with pytest.raises(AccountError, match="at least one"):
        invite_annotators(campaign=campaign, count=0, by=cast.organiser)


def test_the_secret_is_stored_nowhere(campaign: Campaign, cast: Cast) -> None:
    issued = invite_account(campaign=campaign, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    stored = [*Invitation.objects.values_list(), *AuditEntry.objects.values_list()]
    assert len(issued.secret) == 32
    assert issued.secret not in repr(stored)


def test_looking_changes_nothing(campaign: Campaign, cast: Cast) -> None:
    issued = invite_account(campaign=campaign, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    assert open_invitation(issued.secret) == issued.invitation
    assert Invitation.objects.get().accepted_at is None


def test_it_opens_again_and_again_and_remembers_the_first_time(campaign: Campaign, cast: Cast) -> None:
    issued = invite_account(campaign=campaign, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    accept_invitation(secret=issued.secret)
    first = Invitation.objects.get().accepted_at
    assert accept_invitation(secret=issued.secret).account == cast.annotator
    assert first is not None
    assert Invitation.objects.get().accepted_at == first
    assert AuditEntry.objects.filter(action="invitation_accepted").count() == 1


def test_an_old_link_does_not_restore_a_removed_member(campaign: Campaign, cast: Cast) -> None:
    issued = invite_account(campaign=campaign, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    accept_invitation(secret=issued.secret)
    Membership.objects.filter(campaign=campaign, account=cast.annotator).delete()
    accept_invitation(secret=issued.secret)
    assert not Membership.objects.filter(campaign=campaign, account=cast.annotator).exists()


def test_an_unknown_link_opens_nothing(db: None) -> None:
    assert _ending_of("never-issued") == Ending.UNKNOWN


def test_a_revoked_link_opens_nothing_and_the_first_revocation_counts(campaign: Campaign, cast: Cast) -> None:
    issued = invite_account(campaign=campaign, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    first = revoke_invitation(invitation=issued.invitation, by=cast.organiser).revoked_at
    assert revoke_invitation(invitation=issued.invitation, by=cast.organiser).revoked_at == first
    assert _ending_of(issued.secret) == Ending.REVOKED
    assert AuditEntry.objects.filter(action="invitation_revoked").count() == 1


def test_a_further_link_leaves_the_earlier_one_open(campaign: Campaign, cast: Cast) -> None:
    earlier, later = (
        invite_account(campaign=campaign, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
        for _time in range(2)
    )
    revoke_invitation(invitation=earlier.invitation, by=cast.organiser)
    assert open_invitation(later.secret).account == cast.annotator


def test_an_expired_link_opens_nothing(campaign: Campaign, cast: Cast) -> None:
    issued = invite_account(campaign=campaign, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert _ending_of(issued.secret) == Ending.EXPIRED


def test_it_lasts_as_long_as_the_installation_says(campaign: Campaign, cast: Cast, settings: Settings) -> None:
    settings.INVITATION_DAYS = 2
    issued = invite_account(campaign=campaign, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    assert timedelta(days=1, hours=23) < issued.invitation.expires_at - timezone.now() <= timedelta(days=2)


def test_a_closed_account_cannot_be_entered(campaign: Campaign, cast: Cast) -> None:
    issued = invite_account(campaign=campaign, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    Account.objects.filter(pk=cast.annotator.pk).update(is_active=False)
    assert _ending_of(issued.secret) == Ending.REVOKED


def test_a_closed_campaign_lets_in_only_those_who_had_begun(campaign: Campaign, cast: Cast) -> None:
    begun = invite_account(campaign=campaign, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    never = invite_account(campaign=campaign, account=cast.second_annotator, role=Role.ANNOTATOR, by=cast.organiser)
    accept_invitation(secret=begun.secret)
    Campaign.objects.update(status="closed")
    assert accept_invitation(secret=begun.secret).account == cast.annotator
    assert _ending_of(never.secret) == Ending.CLOSED


def test_the_link_is_of_the_sites_own_address(campaign: Campaign, cast: Cast, settings: Settings) -> None:
    settings.BASE_URL = "https://assay.example"
    issued = invite_account(campaign=campaign, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    assert issued.link == f"https://assay.example/invitations/{issued.secret}/"


@pytest.mark.parametrize("is_elsewhere", [True, False], ids=["works elsewhere", "may make campaigns"])
def test_no_link_is_renewed_to_more_than_who_asks_may_themselves(
    campaign: Campaign, cast: Cast, is_elsewhere: bool
) -> None:
    first = invite_annotators(campaign=campaign, count=1, by=cast.organiser)[0].invitation
    lost = renew_invitation(invitation=first, by=cast.organiser).invitation
    account = lost.account
    if is_elsewhere:
        elsewhere = make_planned_campaign(campaign.test_set, cast, name="Somebody else's")
        elsewhere.memberships.filter(account=cast.organiser).delete()
        add_member(campaign=elsewhere, account=account, role=Role.ANNOTATOR, by=None)
    account.may_create_campaigns = not is_elsewhere
    with pytest.raises(AccountError, match="You cannot do this"):
        renew_invitation(invitation=lost, by=cast.organiser)
    assert Invitation.objects.get(revoked_at=None) == lost
