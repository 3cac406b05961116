"""Who needs attention, and why; what an overview costs."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import pytest

from annotation.actions.decisions import exclude_annotator
from annotation.actions.status import set_status
from annotation.models import Assignment, ItemKind, Judgment
from campaigns.actions.links import accept_invitation
from campaigns.models import Account, Campaign, Invitation, Planning, Segment, TestSet, Translation
from metrics.progress import controls
from metrics.progress.campaign_state import campaign_state_of
from metrics.progress.controls import failed_controls
from metrics.progress.overview import AnnotatorLine, Concern, overview_of, overviews_of
from tests.cast import Cast, invite_annotators, make_person
from tests.judged_at import judge_at
from tests.planned_campaign import add_annotator, items_to_judge, judge, make_planned_campaign, take

MakeCampaign = Callable[..., Campaign]


@pytest.fixture
def plan(test_set: TestSet, cast: Cast) -> MakeCampaign:
    def made(**parameters: Any) -> Campaign:
        return make_planned_campaign(test_set, cast, **({"redundancy": 4} | parameters))

    return made


def line_of(campaign: Campaign, annotator: Account) -> AnnotatorLine:
    return next(line for line in overview_of(campaign).lines if line.person.account == annotator.pk)


def days_ago(days: float) -> datetime:
    return timezone.now() - timedelta(days=days)


def judge_quickly(campaign: Campaign, annotator: Account, seconds: float) -> None:
    for item in items_to_judge(take(campaign, annotator))[:10]:
        judge(item, active_ms=round(1000 * seconds))


def make_reading_long(campaign: Campaign) -> None:
    """120 characters a side: reading takes ten seconds."""
    Segment.objects.filter(document__test_set=campaign.test_set).update(source="x" * 120)
    Translation.objects.filter(segment__document__test_set=campaign.test_set).update(text="y" * 120)


def test_figures_are_of_the_whole_campaign(plan: MakeCampaign, cast: Cast) -> None:
    campaign = plan()
    items = items_to_judge(take(campaign, cast.annotator))
    for index, item in enumerate(items[:4]):
        judge_at(item, days_ago(index), active_ms=1000 * (10 + index))
    result = overview_of(campaign)
    assert (result.state.done, result.state.total) == (4, campaign.assignments.count() * len(items))
    assert result.per_day == (1, 1, 1, 1)
    assert result.per_day_pace == 1
    assert result.seconds_median == 11.5
    assert result.active_today == 1
    assert sum(result.hours) == 4
    line = line_of(campaign, cast.annotator)
    assert line.per_day == (*[0] * 10, 1, 1, 1, 1)
    assert (line.judged, line.seconds_median, len(line.concerns)) == (4, 11.5, 0)
    assert line_of(campaign, cast.second_annotator).last_judgment is None


def test_the_days_end_with_the_last_judgment_when_it_is_over(plan: MakeCampaign, cast: Cast) -> None:
    campaign = plan()
    items = items_to_judge(take(campaign, cast.annotator))
    for item, days in zip(items, (9, 7), strict=False):
        judge_at(item, days_ago(days))
    assert len(overview_of(campaign).per_day) == 10
    set_status(campaign=campaign, status="closed", by=cast.organiser)
    assert overview_of(campaign).per_day == (1, 0, 1)


def test_who_is_faster_than_reading_is_named(plan: MakeCampaign, cast: Cast) -> None:
    campaign, third = plan(), make_person("carl", "Carl")
    add_annotator(campaign, third)
    make_reading_long(campaign)
    for annotator, seconds in ((cast.annotator, 4), (cast.second_annotator, 30), (third, 40)):
        judge_quickly(campaign, annotator, seconds)
    fast = line_of(campaign, cast.annotator)
    assert fast.concerns == (Concern.TOO_FAST,)
    assert fast.others_median == 35.0
    assert overview_of(campaign).reading_seconds == 10
    assert overview_of(campaign).lines[0].person.account == cast.annotator.pk, "the gravest stands first"
    assert line_of(campaign, third).concerns == ()


def test_few_answers_are_not_called_fast(plan: MakeCampaign, cast: Cast) -> None:
    campaign, third = plan(), make_person("carl", "Carl")
    add_annotator(campaign, third)
    make_reading_long(campaign)
    for annotator in (cast.second_annotator, third):
        judge_quickly(campaign, annotator, 30)
    for item in items_to_judge(take(campaign, cast.annotator))[:9]:
        judge(item, active_ms=2000)
    assert line_of(campaign, cast.annotator).concerns == ()


def make_controls(assignment: Assignment, pairs: int) -> None:
    """The items after the first `pairs` become damaged versions of these."""
    items = items_to_judge(assignment)
    for genuine, damaged in zip(items[:pairs], items[pairs : 2 * pairs], strict=True):
        shown = genuine.slots.get()
        damaged.kind, damaged.original, damaged.segment = ItemKind.DEGRADED, genuine, genuine.segment
        damaged.save()
        damaged.slots.update(translation=shown.translation, system=shown.system, damaged="…")


@pytest.mark.parametrize(
    ("genuine", "damaged", "pairs", "fails"),
    [
        ([70, 60, 80, 75, 66], [71, 58, 83, 70, 69], 5, True),
        ([70, 60, 80, 75, 66], [30, 22, 44, 31, 20], 5, False),
        ([70, 60, 80, 75], [71, 58, 83, 70], 4, False),
        ([50, 50, 50, 50, 50], [50, 50, 50, 50, 50], 5, True),
        ([50, 50, 50, 50, 50], [20, 20, 20, 20, 20], 5, False),
    ],
    ids=["fails", "passes", "too few pairs", "no difference at all", "always the same difference"],
)
def test_who_scores_damage_as_high_fails_controls(
    plan: MakeCampaign, cast: Cast, genuine: list[int], damaged: list[int], pairs: int, fails: bool
) -> None:
    campaign = plan()
    assignment = take(campaign, cast.annotator)
    make_controls(assignment, pairs)
    for item, score in zip(items_to_judge(assignment), genuine + damaged, strict=False):
        judge(item, score)
    line = line_of(campaign, cast.annotator)
    assert (Concern.FAILS_CONTROLS in line.concerns) is fails
    assert (line.control is not None) is fails


def test_errors_marked_in_the_newest_control_items_of_each_campaign_are_weighed(
    plan: MakeCampaign, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    category = {"severity": "major", "category": "accuracy/mistranslation"}
    error = {"side": "target", "start": 0, "end": 1, "note": "", **category}
    campaigns = [plan(name=name, protocol="mqm") for name in ("First", "Second")]
    for campaign in campaigns:
        assignment = take(campaign, cast.annotator)
        make_controls(assignment, 5)
        for item in items_to_judge(assignment)[:10]:
            spans = [] if item.kind == ItemKind.DEGRADED else [error]
            judge(item, payload={"slots": {"A": {"spans": spans}}, "comment": "", "cannot_judge": None})
    states = {each.pk: campaign_state_of(each, timezone.now()) for each in campaigns}
    for most, pairs in ((500, [[5], [5]]), (4, [[], []])):
        monkeypatch.setattr(controls, "MOST_DERIVED", most)
        cache.clear()
        failed = failed_controls(campaigns, states)
        assert [[test.n for test in failed[each.pk].values()] for each in campaigns] == pairs


def test_who_is_left_out_is_no_concern_for_quality(plan: MakeCampaign, cast: Cast) -> None:
    campaign = plan()
    assignment = take(campaign, cast.annotator)
    make_controls(assignment, 5)
    for item, score in zip(items_to_judge(assignment), [70, 60, 80, 75, 66, 71, 58, 83, 70, 69], strict=False):
        judge(item, score)
    exclude_annotator(campaign=campaign, annotator=cast.annotator, reason="Controls.", by=cast.organiser)
    line = line_of(campaign, cast.annotator)
    assert line.person.is_excluded
    assert line.concerns == ()


def test_work_in_hand_that_does_not_move_is_stuck(plan: MakeCampaign, cast: Cast) -> None:
    campaign = plan()
    assignment = take(campaign, cast.annotator)
    Assignment.objects.filter(pk=assignment.pk).update(claimed_at=days_ago(9))
    assert (line_of(campaign, cast.annotator).concerns, line_of(campaign, cast.annotator).days_idle) == (
        (Concern.STUCK,),
        9,
    )
    judge_at(items_to_judge(assignment)[0], days_ago(4.5))
    assert line_of(campaign, cast.annotator).days_idle == 4
    judge(items_to_judge(assignment)[1])
    assert line_of(campaign, cast.annotator).concerns == ()


def test_nobody_is_stuck_while_nobody_may_judge(plan: MakeCampaign, cast: Cast) -> None:
    campaign = plan()
    Assignment.objects.filter(pk=take(campaign, cast.annotator).pk).update(claimed_at=days_ago(9))
    set_status(campaign=campaign, status="paused", by=cast.organiser)
    assert line_of(campaign, cast.annotator).concerns == ()


def test_who_has_finished_is_not_stuck(plan: MakeCampaign, cast: Cast) -> None:
    campaign = plan()
    assignment = take(campaign, cast.annotator)
    for item in items_to_judge(assignment):
        judge_at(item, days_ago(8))
    Assignment.objects.filter(pk=assignment.pk).update(claimed_at=days_ago(9))
    assert line_of(campaign, cast.annotator).concerns == ()


def test_a_reservation_past_its_time_is_late_and_not_stuck(plan: MakeCampaign, cast: Cast) -> None:
    campaign = plan(planning=Planning.POOL)
    assignment = take(campaign, cast.annotator)
    Assignment.objects.filter(pk=assignment.pk).update(claimed_at=days_ago(9), expires_at=days_ago(8))
    line = line_of(campaign, cast.annotator)
    assert line.concerns == (Concern.LATE,)
    assert line.share.late == assignment.total


def test_a_link_that_nobody_opened_is_reported_after_three_days(plan: MakeCampaign, cast: Cast) -> None:
    campaign = plan()
    issued = invite_annotators(campaign=campaign, count=1, by=cast.organiser)[0]
    guest = issued.invitation.account
    assert line_of(campaign, guest).concerns == ()
    Invitation.objects.update(created_at=days_ago(4))
    assert line_of(campaign, guest).concerns == (Concern.UNOPENED,)
    accept_invitation(secret=issued.secret)
    assert line_of(campaign, guest).concerns == ()


def test_without_texts_nobody_is_compared_with_reading(plan: MakeCampaign) -> None:
    campaign = plan()
    Segment.objects.update(source=None)
    assert overview_of(campaign).reading_seconds is None


def test_control_items_are_not_read_again_because_a_minute_has_passed(plan: MakeCampaign, cast: Cast) -> None:
    campaign, now = plan(), timezone.localtime().replace(hour=12)
    judge(items_to_judge(take(campaign, cast.annotator))[0])
    cache.clear()
    first, later = campaign_state_of(campaign, now), campaign_state_of(campaign, now + timedelta(minutes=1))
    failed_controls([campaign], {campaign.pk: first})
    with CaptureQueriesContext(connection) as queries:
        failed_controls([campaign], {campaign.pk: later})
    assert len(queries) == 0, queries.captured_queries
    assert first.etag != later.etag, "the page shows how long ago things happened"


def test_the_cost_is_the_same_for_many_annotators_and_judgments(plan: MakeCampaign, cast: Cast) -> None:
    def cost(campaign: Campaign) -> int:
        cache.clear()
        with CaptureQueriesContext(connection) as cold:
            overview_of(campaign)
        with CaptureQueriesContext(connection) as warm:
            overview_of(campaign)
        assert len(warm) <= 8, warm.captured_queries
        return len(cold)

    small = plan(name="Small")
    judge(items_to_judge(take(small, cast.annotator))[0])
    large = plan(name="Large", redundancy=8)
    people = [cast.annotator, cast.second_annotator, *(make_person(f"p{number}", f"P{number}") for number in range(6))]
    for place, person in enumerate(people):
        if place > 1:
            add_annotator(large, person)
        for item in items_to_judge(take(large, person))[:4]:
            judge_at(item, days_ago(place))
    assert Judgment.objects.count() > 30
    assert cost(small) == cost(large) <= 13


def test_several_campaigns_at_once_are_as_each_alone(
    plan: MakeCampaign, cast: Cast, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    for name, people in (("First", [cast.annotator]), ("Second", [cast.annotator, cast.second_annotator])):
        campaign = plan(name=name, degraded_share=0.5)
        for place, person in enumerate(people):
            for item in items_to_judge(take(campaign, person)):
                judge_at(item, days_ago(place), active_ms=1000 * (place + 4))
    draft = plan(name="Third", protocol="mqm", degraded_share=0.5)
    campaigns = [*Campaign.objects.all()]
    assert draft in campaigns
    now = timezone.now()
    cache.clear()
    with django_assert_max_num_queries(17):
        together = overviews_of(campaigns, now)
    cache.clear()
    alone = {each.pk: overview_of(each, campaign_state_of(each, now)) for each in campaigns}
    assert repr(together) == repr(alone), "no p is the same as no p"
    assert any(line.control for overview in together.values() for line in overview.lines)
