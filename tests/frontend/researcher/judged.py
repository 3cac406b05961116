"""A campaign with results, of which the ranking is not too early."""

from campaigns.models import Campaign, TestSet
from jobs.actions import perform_now
from jobs.models import Run, RunPart
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take


def make_judged(test_set: TestSet, cast: Cast, *, name: str = "Planned campaign") -> Campaign:
    campaign = make_planned_campaign(test_set, cast, name=name, redundancy=2)
    for annotator in cast.annotators:
        for number, item in enumerate(items_to_judge(take(campaign, annotator))):
            judge(item, 40 + number)
    return campaign


def make_computed(test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_judged(test_set, cast)
    compute(campaign)
    return campaign


def compute(campaign: Campaign) -> Run:
    run = perform_now(kind="analysis", campaign=campaign, arguments={})
    part = RunPart.objects.get(run=run, name="ranking")
    part.result |= {"too_early": None, "without_z": ["anna"]}
    part.save()
    return run
