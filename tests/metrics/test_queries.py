from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from annotation.models import Assignment, Judgment
from campaigns.models import Campaign
from metrics.models import Run, RunStatus
from metrics.queries import has_newer_judgments, newest_run
from tests.cast import Cast
from tests.sample_assignment import make_assignment


def judge(assignment: Assignment, cast: Cast) -> Judgment:
    return Judgment.objects.create(
        item=assignment.items.all()[0],
        annotator=cast.annotator,
        revision=1,
        client_id=uuid4(),
        answer={},
        submitted_at=timezone.now(),
    )


def test_the_newest_run_is_the_campaigns_own_of_that_kind(campaign: Campaign) -> None:
    Run.objects.create(kind="analysis", campaign=campaign)
    newest = Run.objects.create(kind="analysis", campaign=campaign)
    Run.objects.create(kind="other", campaign=campaign)
    Run.objects.create(kind="analysis")
    assert newest_run(campaign, "analysis") == newest
    assert newest_run(campaign, "unknown") is None


def test_the_newest_run_may_be_asked_for_by_status(campaign: Campaign) -> None:
    done = Run.objects.create(kind="analysis", campaign=campaign, status=RunStatus.DONE)
    Run.objects.create(kind="analysis", campaign=campaign)
    assert newest_run(campaign, "analysis", status=RunStatus.DONE) == done


def test_a_judgment_after_the_start_of_a_run_is_newer(campaign: Campaign, cast: Cast) -> None:
    assignment = make_assignment(campaign, cast.annotator)
    judge(assignment, cast)
    just_now = timezone.now() + timedelta(milliseconds=1)
    assert not has_newer_judgments(Run(kind="analysis", campaign=campaign, started_at=just_now))
    assert has_newer_judgments(Run(kind="analysis", campaign=campaign, started_at=just_now - timedelta(seconds=5)))


def test_a_run_that_has_not_begun_misses_nothing(campaign: Campaign) -> None:
    assert not has_newer_judgments(Run.objects.create(kind="analysis", campaign=campaign))
