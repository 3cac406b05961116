"""Links to results: kept as hashes, ended by time or by hand, on record."""

from datetime import timedelta

from django.utils import timezone

from campaigns.actions.links import make_share_link, revoke_share_link
from campaigns.models import AuditEntry, Campaign, ShareLink
from campaigns.queries import open_share_link
from tests.cast import Cast


def test_the_link_is_shown_once_and_stored_as_its_hash(campaign: Campaign, cast: Cast) -> None:
    link, secret = make_share_link(campaign=campaign, name="reviewers", days=30, by=cast.organiser)
    assert open_share_link(secret) == link
    assert secret not in repr([*ShareLink.objects.values_list(), *AuditEntry.objects.values_list()])
    assert AuditEntry.objects.get(action="results_shared").detail["link"] == "reviewers"
    assert len(secret) == 32


def test_a_link_opens_until_its_day_and_not_after(campaign: Campaign, cast: Cast) -> None:
    link, secret = make_share_link(campaign=campaign, name="reviewers", days=30, by=cast.organiser)
    ShareLink.objects.filter(pk=link.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert open_share_link(secret) is None


def test_a_revoked_link_opens_nothing_and_keeps_the_first_time(campaign: Campaign, cast: Cast) -> None:
    link, secret = make_share_link(campaign=campaign, name="reviewers", days=30, by=cast.organiser)
    first = revoke_share_link(link=link, by=cast.organiser).revoked_at
    assert open_share_link(secret) is None
    assert revoke_share_link(link=link, by=cast.organiser).revoked_at == first
    assert AuditEntry.objects.filter(action="results_share_revoked").count() == 1


def test_another_secret_opens_nothing(campaign: Campaign, cast: Cast) -> None:
    make_share_link(campaign=campaign, name="reviewers", days=30, by=cast.organiser)
    assert open_share_link("") is None
    assert open_share_link("x" * 32) is None
