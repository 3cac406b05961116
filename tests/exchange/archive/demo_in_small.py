"""A small campaign of each protocol, judged like the demo's, with whatever else an organiser may add to one."""

import random
from dataclasses import replace

from annotation.actions.decisions import adjudicate, exclude_annotator
from annotation.models import ProblemReport
from annotation.protocols import protocol_for
from annotation.queries.adjudications import entered_for
from campaigns.models import Account, Campaign
from demo.annotators import make_manners
from demo.campaign import ANNOTATORS, DemoCampaign
from demo.campaigns import DEMO_CAMPAIGNS
from demo.making import _import, _judge_campaign, _make_campaign, _make_people
from metrics.models import ImportedScores, SystemScore

ONE_OF_EACH = tuple({demo.spec.protocol: demo for demo in DEMO_CAMPAIGNS}.values())
SEED = 7


def make_small(demo: DemoCampaign) -> Campaign:
    """Three annotators, one of them excluded; another reported a problem, and is right about an output."""
    spec = replace(demo.spec, items_per_assignment=8)
    small = replace(demo, spec=spec, annotators=range(3), last_share=0.6, is_closed=False)
    rng = random.Random(SEED)
    people = _make_people()
    campaign = _make_campaign(small, _import(small.test_set, people.organiser), people)
    _judge_campaign(small, campaign, people, make_manners(ANNOTATORS, rng, careless=0), rng)
    first, second = people.annotators[:2]
    exclude_annotator(
        campaign=campaign, annotator=second, reason=f"{second.username} was too fast", by=people.organiser
    )
    item = first.judgments.order_by("pk")[0].item
    ProblemReport.objects.create(item=item, annotator=first, reason="broken_text", note="Half of it is missing.")
    _bring_scores(campaign)
    _adjudicate(campaign, first)
    return campaign


def _adjudicate(campaign: Campaign, annotator: Account) -> None:
    """Twice, so that one decision was undone."""
    if not protocol_for(campaign.protocol, campaign.options).decided_fields:
        return
    judgment = annotator.judgments.filter(item__slots__translation__isnull=False, item__slots__damaged=None)[0]
    translation = judgment.item.slots.order_by("label")[0].translation
    assert translation is not None
    before: int | None = None
    for reason in ("Seems right.", f"{annotator.username} is right."):
        before = adjudicate(
            campaign=campaign,
            translation=translation,
            answered=entered_for(judgment, translation),
            reason=reason,
            by=None,
            based_on=judgment,
            instead_of=before,
        ).pk


def _bring_scores(campaign: Campaign) -> None:
    """Scores of a metric imported from a file, and those of an interrupted import."""
    for is_whole in (True, False):
        scores = ImportedScores.objects.create(
            test_set=campaign.test_set, metric="judge", level="system", file_name="judge.sys.score", is_whole=is_whole
        )
        for place, system in enumerate(campaign.systems.order_by("pk")):
            SystemScore.objects.create(scores=scores, system=system, value=0.1 * place)
