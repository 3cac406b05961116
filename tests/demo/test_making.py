"""The demo as `./assay run` fills it."""

from pathlib import Path

from django.utils import timezone

import pytest
from pytest_django import Settings

from annotation.actions.claiming import claim_assignment
from annotation.models import Judgment
from annotation.protocols import PROTOCOLS
from campaigns.models import Account, CampaignStatus
from demo.campaigns import DEMO_CAMPAIGNS
from demo.making import make_demo, score_again
from jobs.models import Run, RunStatus
from metrics.analyses.annotators import Annotator
from metrics.analyses.correlation import Correlations
from metrics.analysis_runs import USUAL, AnalysisRuns
from metrics.progress.overview import overview_of
from tests.metrics.neural.light_model_files import models_folder


@pytest.mark.django_db
def test_every_campaign_has_judgments_results_and_work_for_the_visitor(settings: Settings) -> None:
    campaigns = make_demo()
    assert [campaign.name for campaign in campaigns] == [demo.spec.name for demo in DEMO_CAMPAIGNS]
    visitor = Account.objects.get(username="demo-annotator")
    for campaign in campaigns:
        assert campaign.protocol in PROTOCOLS
        assert not Judgment.objects.filter(item__assignment__campaign=campaign, submitted_at__gt=timezone.now()), (
            campaign
        )
        assert Judgment.objects.filter(item__assignment__campaign=campaign).count() >= 30, campaign
        assert {run.status for run in Run.objects.filter(campaign=campaign)} == {RunStatus.DONE}, campaign
        is_open = campaign.status == CampaignStatus.OPEN
        assert (claim_assignment(campaign=campaign, annotator=visitor) is not None) == is_open, campaign
        of_analysis = AnalysisRuns(campaign, USUAL).result_of(tuple[Annotator, ...], "annotators") or ()
        of_pages = {one.annotator: one.seconds_median for one in of_analysis}
        on_overview = {line.person.username: line.seconds_median for line in overview_of(campaign).lines}
        assert of_pages
        assert {name: on_overview[name] for name in of_pages} == of_pages, campaign
    settings.MODELS_DIR = Path(models_folder())
    score_again()
    harbour = campaigns[0]
    correlated = AnalysisRuns(harbour, USUAL).result_of(Correlations, "correlation")
    assert correlated is not None
    assert {"bleu", "bertscore", "yisi_1", "yisi_2"} <= {one.metric for one in correlated.metrics}
