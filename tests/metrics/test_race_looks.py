"""A shared pool in which a bad system drops out: looks, what is handed out since, and what people do by hand."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from annotation.actions.checked_spec import errors_of
from annotation.actions.claiming import claim_assignment
from annotation.actions.eliminating import bring_back, recount, request_look, set_race_status, store_look
from annotation.actions.extending import extend_campaign
from annotation.actions.returning import reassign_assignment, reset_assignment, return_assignment
from annotation.campaign_spec import CampaignSpec
from annotation.models import Assignment, AssignmentStatus, Exclusion, Judgment, Race, RaceLook, RaceSystem
from annotation.queries.coverage import coverage_of
from annotation.queries.progress import progress_of
from campaigns.invalid_input import InvalidInput
from campaigns.models import AuditEntry, Campaign
from jobs.models import Run, RunStatus
from metrics.analyses import analyse
from tests.cast import Cast
from tests.metrics.racing_campaign import (
    BAD,
    CLOSE,
    GOOD,
    Commits,
    allocation_of,
    judge_documents,
    judge_next,
    make_looks,
    make_race,
    make_racing_test_set,
    shown_to,
    states,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def race(cast: Cast) -> Campaign:
    return make_race(cast)


def test_once_the_question_is_answered_nothing_is_handed_out_until_the_organiser_wants_the_rest(
    cast: Cast, django_capture_on_commit_callbacks: Commits
) -> None:
    campaign = make_race(cast, allocation="top", allocation_top=2)
    judge_documents(campaign, list(cast.annotators), django_capture_on_commit_callbacks)
    assert Race.objects.get().status == "decided"
    result = allocation_of(campaign)
    assert (result["stop"], result["next"]) == (True, None)
    assert Judgment.objects.count() + result["saved"] == 120
    set_race_status(campaign=campaign, status="stopped", by=cast.organiser)
    judge_documents(campaign, list(cast.annotators), django_capture_on_commit_callbacks)
    assert Judgment.objects.filter(item__slots__system__name=GOOD).count() == 40
    assert Judgment.objects.filter(item__slots__system__name=BAD).count() < 40


def test_a_ranking_saves_nothing_while_pairs_are_close(cast: Cast, django_capture_on_commit_callbacks: Commits) -> None:
    campaign = make_race(cast, documents=24, allocation="ranking")
    judge_documents(campaign, list(cast.annotators), django_capture_on_commit_callbacks)
    assert allocation_of(campaign)["question"] == "ranking"


def test_a_system_that_comes_back_is_judged_again_and_stays(
    race: Campaign, cast: Cast, django_capture_on_commit_callbacks: Commits
) -> None:
    judge_documents(race, list(cast.annotators), django_capture_on_commit_callbacks, at_most=36)
    assert states(race)[BAD] is False
    total = progress_of(race).total
    bring_back(campaign=race, system=BAD, by=cast.organiser)
    assert progress_of(race).total > total
    judge_documents(race, list(cast.annotators), django_capture_on_commit_callbacks)
    assert states(race)[BAD] is True
    assert Judgment.objects.filter(item__slots__system__name=BAD).count() > 30
    assert AuditEntry.objects.get(action="race_system_brought_back").actor == cast.organiser
    with pytest.raises(InvalidInput, match="not out of the race"):
        bring_back(campaign=race, system=BAD, by=cast.organiser)


def test_paused_nothing_is_looked_at_and_resumed_a_look_is_made_at_once(
    race: Campaign, cast: Cast, django_capture_on_commit_callbacks: Commits
) -> None:
    set_race_status(campaign=race, status="paused", by=cast.organiser)
    judge_documents(race, list(cast.annotators), django_capture_on_commit_callbacks, at_most=45)
    assert not RaceLook.objects.exists()
    set_race_status(campaign=race, status="running", by=cast.organiser)
    make_looks()
    assert states(race)[BAD] is False
    with pytest.raises(InvalidInput, match="Unknown status"):
        set_race_status(campaign=race, status="decided", by=cast.organiser)
    set_race_status(campaign=race, status="stopped", by=cast.organiser)
    with pytest.raises(InvalidInput, match="cannot change"):
        set_race_status(campaign=race, status="running", by=cast.organiser)


def test_of_two_looks_at_once_one_counts(race: Campaign) -> None:
    look: dict[str, Any] = {"campaign": race, "documents": 20, "systems": [], "is_over": False}
    assert store_look(**look, dropped=[BAD])
    assert not store_look(**look, dropped=[GOOD])
    assert not store_look(**{**look, "documents": 15}, dropped=[GOOD])
    assert states(race) == {BAD: False, GOOD: True, CLOSE: True}


def test_looks_wait_in_the_queue_once(race: Campaign) -> None:
    request_look(Race.objects.get())
    request_look(Race.objects.get())
    assert Run.objects.filter(kind="race_look", status=RunStatus.QUEUED).count() == 1
    [run] = make_looks()
    assert run.result == {"documents": 0, "looked": False, "is_over": False, "reason": "few_documents"}


def test_excluded_annotators_do_not_count_in_the_next_look(
    race: Campaign, cast: Cast, django_capture_on_commit_callbacks: Commits
) -> None:
    Exclusion.objects.create(campaign=race, annotator=cast.annotators[0], reason="Too fast.")
    judge_documents(race, list(cast.annotators), django_capture_on_commit_callbacks)
    assert not RaceLook.objects.filter(documents__gt=20).exists()


def test_returned_and_reassigned_work_is_without_dropped_systems(
    race: Campaign, cast: Cast, django_capture_on_commit_callbacks: Commits
) -> None:
    judge_documents(race, list(cast.annotators), django_capture_on_commit_callbacks, at_most=28)
    first, second = cast.annotators[:2]
    held = claim_assignment(campaign=race, annotator=first)
    assert held is not None
    RaceSystem.objects.filter(system__name=BAD).update(is_in=False)
    recount(Race.objects.get())
    return_assignment(assignment=held, by=cast.organiser)
    taken = claim_assignment(campaign=race, annotator=second)
    assert taken is not None
    assert BAD not in shown_to([taken])
    planned = Assignment.objects.filter(campaign=race, status=AssignmentStatus.PLANNED).latest("round")
    reassign_assignment(assignment=planned, to=first, by=cast.organiser)
    assert BAD not in shown_to([planned])
    done = Assignment.objects.filter(campaign=race, status="done", annotator=second).first()
    assert done is not None
    anew = reset_assignment(assignment=done, by=cast.organiser)
    assert BAD not in shown_to([anew])


def test_two_annotators_at_once_get_different_work_and_a_finished_wave_is_looked_at_once(
    race: Campaign, cast: Cast, django_capture_on_commit_callbacks: Commits
) -> None:
    one, two = (claim_assignment(campaign=race, annotator=each) for each in cast.annotators[:2])
    assert one is not None
    assert two is not None
    assert one.pk != two.pk
    with django_capture_on_commit_callbacks(execute=True):
        for annotator in cast.annotators[:2]:
            judge_next(race, annotator)
    assert not Run.objects.filter(kind="race_look").exists()
    with django_capture_on_commit_callbacks(execute=True):
        judge_next(race, cast.annotators[0])
    assert Run.objects.filter(kind="race_look").count() == 1


def test_such_a_plan_does_not_grow(race: Campaign, cast: Cast) -> None:
    with pytest.raises(InvalidInput, match="drops systems"):
        extend_campaign(campaign=race, redundancy=2, by=cast.organiser)


def test_other_campaigns_have_no_race_and_say_so(cast: Cast, django_capture_on_commit_callbacks: Commits) -> None:
    campaign = make_race(cast, documents=3, allocation="none")
    judge_documents(campaign, list(cast.annotators), django_capture_on_commit_callbacks)
    assert not Race.objects.exists()
    assert not Run.objects.exists()
    assert allocation_of(campaign)["reason"] == "not_adaptive"
    assert "allocation" not in analyse(campaign)["analyses"]


@pytest.mark.parametrize(
    ("entered", "field", "message"),
    [
        ({"planning": "static"}, "allocation", "needs a shared pool"),
        ({"allocation": "fastest"}, "allocation", "Choose one of none, best, top, ranking."),
        ({"allocation_alpha": 0}, "allocation_alpha", "above 0 and below 1"),
        ({"allocation_alpha": "much"}, "allocation_alpha", "from 0 to 1"),
        ({"allocation_first": 19}, "allocation_first", "from 20 to"),
        ({"allocation_step": 0}, "allocation_step", "from 1 to"),
        ({"systems_per_segment": 2}, "systems_per_segment", "every system on each document"),
        ({"allocation": "top", "allocation_top": 3}, "allocation_top", "at least 4 systems; the campaign has 3"),
        ({"systems": [GOOD]}, "allocation", "at least 2 systems; the campaign has 1"),
        ({"protocol": "ranking"}, "allocation", "shows one translation at a time"),
        ({"protocol": "gisting"}, "allocation", "shows one translation at a time"),
    ],
)
def test_what_does_not_fit_is_said_beside_its_field(entered: dict[str, Any], field: str, message: str) -> None:
    values = {"name": "Race", "protocol": "direct_assessment", "planning": "pool", "allocation": "best", **entered}
    errors = errors_of(CampaignSpec(**values), make_racing_test_set(2))
    assert message in " ".join(errors[field])


def test_taking_work_costs_a_fixed_number_of_queries(
    race: Campaign, cast: Cast, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(13):
        claim_assignment(campaign=race, annotator=cast.annotators[0])
    RaceSystem.objects.filter(system__name=BAD).update(is_in=False)
    recount(Race.objects.get())
    with django_assert_max_num_queries(33):  # once for a task: items of the dropped system are deleted
        claim_assignment(campaign=race, annotator=cast.annotators[1])


def test_what_waits_of_a_dropped_system_is_not_counted_as_planned(race: Campaign) -> None:
    RaceSystem.objects.filter(system__name=BAD).update(is_in=False)
    assert coverage_of(race).systems == (CLOSE, GOOD)
