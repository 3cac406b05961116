from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from annotation.actions.decisions import exclude_annotator, readmit_annotator
from annotation.models import Assignment, Judgment
from campaigns.models import Campaign
from jobs.models import Run
from metrics.queries import has_newer_evidence
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


def test_a_judgment_after_the_start_of_a_run_is_newer(campaign: Campaign, cast: Cast) -> None:
    assignment = make_assignment(campaign, cast.annotator)
    judge(assignment, cast)
    just_now = timezone.now() + timedelta(milliseconds=1)
    assert not has_newer_evidence(Run(kind="analysis", campaign=campaign, started_at=just_now))
    assert has_newer_evidence(Run(kind="analysis", campaign=campaign, started_at=just_now - timedelta(seconds=5)))


def test_a_run_that_has_not_begun_misses_nothing(campaign: Campaign) -> None:
    assert not has_newer_evidence(Run.objects.create(kind="analysis", campaign=campaign))


def test_leaving_somebody_out_is_newer_and_so_is_taking_it_back(campaign: Campaign, cast: Cast) -> None:
    run = Run(kind="analysis", campaign=campaign, started_at=timezone.now())
    assert not has_newer_evidence(run)
    exclude_annotator(campaign=campaign, annotator=cast.annotator, reason="random answers", by=cast.organiser)
    assert has_newer_evidence(run)
    run.started_at = timezone.now()
    readmit_annotator(campaign=campaign, annotator=cast.annotator, by=cast.organiser)
    assert has_newer_evidence(run)
