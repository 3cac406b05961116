from campaigns.models import Campaign
from jobs.models import Run, RunStatus
from jobs.queries import runs_of


def test_runs_of_a_campaign_are_its_own_of_that_kind(campaign: Campaign) -> None:
    Run.objects.create(kind="analysis", campaign=campaign)
    newest = Run.objects.create(kind="analysis", campaign=campaign)
    Run.objects.create(kind="other", campaign=campaign)
    Run.objects.create(kind="analysis")
    assert runs_of(campaign, "analysis").first() == newest
    assert runs_of(campaign, "unknown").first() is None


def test_runs_of_a_campaign_can_be_filtered_by_status(campaign: Campaign) -> None:
    done = Run.objects.create(kind="analysis", campaign=campaign, status=RunStatus.DONE)
    Run.objects.create(kind="analysis", campaign=campaign)
    assert runs_of(campaign, "analysis", status=RunStatus.DONE).first() == done
