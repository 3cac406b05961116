"""Campaigns in which two annotators answer alike but for what a test says."""

from collections.abc import Mapping
from typing import Any

from annotation.models import Assignment
from campaigns.models import Campaign, Segment, TestSet, Translation
from jobs.actions import perform_now
from jobs.models import Run, RunStatus
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

Differing = Mapping[tuple[str, str], tuple[int, int]]


def make_differing(test_set: TestSet, cast: Cast, scores: Differing, *, usual: int = 70, **parameters: Any) -> Campaign:
    """Both judge everything; `scores` are theirs by `document:segment` and system, `usual` where nothing is said."""
    campaign = make_planned_campaign(test_set, cast, redundancy=2, **parameters)
    for place, annotator in enumerate(cast.annotators):
        _judge(take(campaign, annotator), {key: both[place] for key, both in scores.items()}, usual)
    return campaign


def _judge(assignment: Assignment, scores: Mapping[tuple[str, str], int], usual: int) -> None:
    for item in items_to_judge(assignment):
        slot = item.slots.select_related("system").get()
        assert item.segment is not None
        judge(
            item, scores.get((f"{item.document.name}:{item.segment.name}", slot.system.name), usual), elapsed_ms=20_000
        )


def find_disagreement(campaign: Campaign, **arguments: Any) -> Run:
    run = perform_now(kind="disagreement", campaign=campaign, arguments=arguments)
    assert run.status == RunStatus.DONE, run.error
    return run


def segment_named(campaign: Campaign, name: str) -> Segment:
    document, _colon, segment = name.partition(":")
    return Segment.objects.get(document__test_set=campaign.test_set, document__name=document, name=segment)


def output_of(campaign: Campaign, name: str, system: str) -> Translation:
    return Translation.objects.get(segment=segment_named(campaign, name), system__name=system)
