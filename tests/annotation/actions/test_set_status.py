"""The states of a campaign."""

from collections.abc import Callable

import pytest

from annotation.actions.status import set_status
from annotation.models import Assignment, AssignmentStatus, Judgment
from campaigns.invalid_input import InvalidInput
from campaigns.models import AuditEntry, Campaign, CampaignStatus
from tests.cast import Cast
from tests.planned_campaign import fetched, items_to_judge, judge, take

PlanCampaign = Callable[..., Campaign]


def test_a_draft_is_opened_paused_resumed_and_closed(plan_campaign: PlanCampaign, cast: Cast) -> None:
    campaign = plan_campaign(open=False)
    for status in ("open", "paused", "open", "closed"):
        assert set_status(campaign=campaign, status=status, by=cast.organiser) is campaign
        assert Campaign.objects.get(pk=campaign.pk).status == campaign.status == status
    assert campaign.opened_at is not None
    assert campaign.closed_at is not None
    actions = AuditEntry.objects.filter(campaign=campaign, actor=cast.organiser).order_by("pk")
    assert list(actions.values_list("action", flat=True))[-4:] == [
        "campaign_opened",
        "campaign_paused",
        "campaign_opened",
        "campaign_closed",
    ]


def test_the_first_opening_is_remembered(planned: Campaign) -> None:
    opened = planned.opened_at
    for status in ("paused", "open"):
        set_status(campaign=planned, status=status, by=None)
    assert planned.opened_at == opened


def test_setting_the_current_status_changes_nothing(planned: Campaign) -> None:
    entries = AuditEntry.objects.count()
    set_status(campaign=planned, status="open", by=None)
    assert AuditEntry.objects.count() == entries


@pytest.mark.parametrize("status", ["draft", "", "burning", "OPEN"])
def test_other_states_are_refused(planned: Campaign, status: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        set_status(campaign=planned, status=status, by=None)
    assert set(caught.value.errors) == {"status"}


@pytest.mark.parametrize("status", ["paused", "closed"])
def test_a_draft_is_only_opened(plan_campaign: PlanCampaign, status: str) -> None:
    campaign = plan_campaign(open=False)
    with pytest.raises(InvalidInput, match="cannot change from “Draft”"):
        set_status(campaign=campaign, status=status, by=None)
    campaign.refresh_from_db()
    assert campaign.status == CampaignStatus.DRAFT


def test_a_closed_campaign_is_not_paused(planned: Campaign) -> None:
    set_status(campaign=planned, status="closed", by=None)
    with pytest.raises(InvalidInput, match="from “Closed” to “Paused”"):
        set_status(campaign=planned, status="paused", by=None)


def test_half_a_plan_is_never_opened(plan_campaign: PlanCampaign) -> None:
    campaign = plan_campaign(open=False)
    campaign.assignments.update(status=AssignmentStatus.ARCHIVED)
    with pytest.raises(InvalidInput, match="no tasks"):
        set_status(campaign=campaign, status="open", by=None)
    campaign.refresh_from_db()
    assert campaign.status == CampaignStatus.DRAFT


def test_closing_ends_what_is_in_hand_and_keeps_what_was_entered(plan_campaign: PlanCampaign, cast: Cast) -> None:
    campaign = plan_campaign(redundancy=2, items_per_assignment=3)
    begun, done = take(campaign, cast.annotator), take(campaign, cast.second_annotator)
    judge(items_to_judge(begun)[0])
    for item in items_to_judge(done):
        judge(item)
    set_status(campaign=campaign, status="closed", by=None)
    states = dict(Assignment.objects.values_list("pk", "status"))
    assert states.pop(begun.pk) == AssignmentStatus.CLOSED
    assert states.pop(done.pk) == AssignmentStatus.DONE
    assert set(states.values()) == {AssignmentStatus.PLANNED}
    assert Judgment.objects.count() == 1 + len(items_to_judge(done))


def test_opening_again_gives_back_what_was_in_hand(planned: Campaign, cast: Cast) -> None:
    assignment = take(planned, cast.annotator)
    set_status(campaign=planned, status="closed", by=None)
    set_status(campaign=planned, status="open", by=None)
    assignment.refresh_from_db()
    assert (assignment.status, assignment.annotator) == (AssignmentStatus.OPEN, cast.annotator)
    assert planned.closed_at is None


def test_what_somebody_else_did_meanwhile_counts(planned: Campaign) -> None:
    stale = Campaign.objects.get(pk=planned.pk)
    set_status(campaign=planned, status="closed", by=None)
    with pytest.raises(InvalidInput):
        set_status(campaign=stale, status="paused", by=None)


def test_a_paused_campaign_takes_judgments(planned: Campaign, cast: Cast) -> None:
    item = items_to_judge(take(planned, cast.annotator))[0]
    set_status(campaign=planned, status="paused", by=None)
    assert judge(item).done == 1
    assert not fetched(item).item.judgments.get().surplus
