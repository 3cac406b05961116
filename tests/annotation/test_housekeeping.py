"""Campaigns and test sets as a whole: renamed, archived, set aside, restored, erased."""

from datetime import timedelta

from django.core.management import call_command
from django.utils import timezone

import pytest

from annotation.actions.housekeeping import (
    archive_campaign,
    delete_campaign,
    delete_test_set,
    purge_deleted,
    rename_campaign,
    rename_test_set,
    restore_campaign,
)
from annotation.actions.status import set_status
from annotation.models import Assignment, Judgment
from campaigns.actions.enrolment import invite_people, nameless
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, AuditEntry, Campaign, Membership, Role, TestSet
from campaigns.queries import InvitationEnded, campaign_called, campaigns_of, open_invitation
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    made = make_planned_campaign(test_set, cast)
    Campaign.objects.filter(pk=made.pk).update(created_by=cast.organiser)
    made.refresh_from_db()
    return made


def close(campaign: Campaign, cast: Cast) -> Campaign:
    return set_status(campaign=campaign, status="closed", by=cast.organiser)


def judge_one(campaign: Campaign, cast: Cast) -> None:
    judge(items_to_judge(take(campaign, cast.annotator))[0])


def refusal(act: object) -> str:
    with pytest.raises(InvalidInput) as refused:
        act()  # type: ignore[operator]
    return str(refused.value)


def test_a_campaign_is_renamed_and_keeps_its_address(campaign: Campaign, cast: Cast) -> None:
    slug, before = campaign.slug, campaign.name
    rename_campaign(campaign=campaign, name="  Ferry news 2027 ", by=cast.organiser)
    campaign.refresh_from_db()
    assert (campaign.name, campaign.slug) == ("Ferry news 2027", slug)
    entry = AuditEntry.objects.get(action="campaign_renamed")
    assert entry.detail == {"before": before, "after": "Ferry news 2027"}


@pytest.mark.parametrize("name", ["", "   ", "a\x00b", "x" * 151])
def test_a_name_that_cannot_be_is_refused(campaign: Campaign, cast: Cast, name: str) -> None:
    before = campaign.name
    assert refusal(lambda: rename_campaign(campaign=campaign, name=name, by=cast.organiser))
    campaign.refresh_from_db()
    assert campaign.name == before


def test_an_open_campaign_is_neither_archived_nor_deleted(campaign: Campaign, cast: Cast) -> None:
    assert "Close" in refusal(lambda: archive_campaign(campaign=campaign, is_archived=True, by=cast.organiser))
    assert "Close" in refusal(lambda: delete_campaign(campaign=campaign, typed_name=campaign.name, by=cast.organiser))
    close(campaign, cast)
    archive_campaign(campaign=campaign, is_archived=True, by=cast.organiser)
    assert Campaign.objects.get(pk=campaign.pk).archived_at
    archive_campaign(campaign=campaign, is_archived=False, by=cast.organiser)
    assert Campaign.objects.get(pk=campaign.pk).archived_at is None


def test_a_deleted_campaign_is_out_of_reach_and_comes_back_as_it_was(campaign: Campaign, cast: Cast) -> None:
    (admitted,) = invite_people(campaign=campaign, people=nameless(1), by=cast.organiser)
    close(campaign, cast)
    places, name = Membership.objects.filter(campaign=campaign).count(), campaign.name
    delete_campaign(campaign=campaign, typed_name="", by=cast.organiser)
    assert not campaigns_of(cast.organiser).filter(pk=campaign.pk).exists()
    assert not Membership.objects.filter(campaign=campaign).exists()
    assert campaign_called(name) is None
    with pytest.raises(InvitationEnded):
        open_invitation(admitted.link.rstrip("/").rpartition("/")[2])
    restore_campaign(campaign=campaign, by=cast.organiser)
    assert campaigns_of(cast.organiser, Role.ORGANISER).filter(pk=campaign.pk, name=name).exists()
    assert Membership.objects.filter(campaign=campaign).count() == places


def test_its_name_is_free_at_once_and_it_comes_back_under_another(campaign: Campaign, cast: Cast) -> None:
    close(campaign, cast)
    name, slug = campaign.name, campaign.slug
    delete_campaign(campaign=campaign, typed_name="", by=cast.organiser)
    other = Campaign.objects.create(name=name, slug=slug, test_set=campaign.test_set, protocol=campaign.protocol)
    restore_campaign(campaign=campaign, by=cast.organiser)
    assert (campaign.name, campaign.slug) == (f"{name} {campaign.pk}", f"{slug}-{campaign.pk}")
    assert Campaign.objects.get(pk=other.pk).name == name


def test_with_judgments_its_name_must_be_typed(campaign: Campaign, cast: Cast) -> None:
    judge_one(campaign, cast)
    close(campaign, cast)
    words = refusal(lambda: delete_campaign(campaign=campaign, typed_name="something", by=cast.organiser))
    assert words == "It has judgments. Enter its name as it is written here."
    delete_campaign(campaign=campaign, typed_name=campaign.name, by=cast.organiser)
    assert campaign.deleted_at


def test_nobody_deletes_what_another_organiser_made(campaign: Campaign, cast: Cast) -> None:
    close(campaign, cast)
    Membership.objects.create(campaign=campaign, account=cast.stranger, role=Role.ORGANISER)
    assert "Only the organiser" in refusal(
        lambda: delete_campaign(campaign=campaign, typed_name=campaign.name, by=cast.stranger)
    )
    TestSet.objects.update(created_by=cast.organiser)
    unused = TestSet.objects.create(name="Unused", slug="unused", created_by=cast.organiser)
    assert "Only who imported" in refusal(lambda: delete_test_set(test_set=unused, by=cast.stranger))


def test_after_seven_days_a_command_erases_it_with_its_judgments_and_people(campaign: Campaign, cast: Cast) -> None:
    judge_one(campaign, cast)
    (admitted,) = invite_people(campaign=campaign, people=nameless(1), by=cast.organiser)
    close(campaign, cast)
    delete_campaign(campaign=campaign, typed_name=campaign.name, by=cast.organiser)
    assert purge_deleted() == 0
    Campaign.objects.update(deleted_at=timezone.now() - timedelta(days=8))
    call_command("purge_deleted")
    assert not Campaign.objects.filter(pk=campaign.pk).exists()
    assert not Judgment.objects.exists()
    assert not Assignment.objects.exists()
    assert not Account.objects.filter(pk=admitted.account.pk).exists()
    assert Account.objects.filter(pk=cast.annotator.pk).exists()
    assert TestSet.objects.filter(pk=campaign.test_set_id).exists()
    assert AuditEntry.objects.filter(action="campaign_purged").exists()


def test_a_test_set_in_use_cannot_be_deleted(campaign: Campaign, cast: Cast) -> None:
    test_set = campaign.test_set
    TestSet.objects.update(created_by=cast.organiser)
    test_set.refresh_from_db()
    assert campaign.name in refusal(lambda: delete_test_set(test_set=test_set, by=cast.organiser))
    rename_test_set(test_set=test_set, name="Texts of spring", by=cast.organiser)
    close(campaign, cast)
    delete_campaign(campaign=campaign, typed_name="", by=cast.organiser)
    purge_deleted(before=timezone.now())
    delete_test_set(test_set=test_set, by=cast.organiser)
    assert not TestSet.objects.filter(name="Texts of spring").exists()
