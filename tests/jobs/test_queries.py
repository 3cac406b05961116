from campaigns.models import Campaign
from jobs.models import Run, RunStatus
from jobs.queries import newest_run


def test_the_newest_run_is_the_campaigns_own_of_that_kind(campaign: Campaign) -> None:
    Run.objects.create(kind="analysis", campaign=campaign)
    newest = Run.objects.create(kind="analysis", campaign=campaign)
    Run.objects.create(kind="other", campaign=campaign)
    Run.objects.create(kind="analysis")
    assert newest_run(campaign, "analysis") == newest
    assert newest_run(campaign, "unknown") is None


def test_the_newest_run_can_be_filtered_by_status(campaign: Campaign) -> None:
    done = Run.objects.create(kind="analysis", campaign=campaign, status=RunStatus.DONE)
    Run.objects.create(kind="analysis", campaign=campaign)
    assert newest_run(campaign, "analysis", status=RunStatus.DONE) == done
