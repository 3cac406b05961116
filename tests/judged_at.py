"""Judgments of another day than today: sent as a page sends them, then moved in time."""

from datetime import datetime
from typing import Any

from annotation.actions.work_counts import recount_work
from annotation.models import Item, Judgment
from tests.planned_campaign import judge


def judge_at(item: Item, when: datetime, score: int = 70, **values: Any) -> Judgment:
    judge(item, score, **values)
    newest = Judgment.objects.filter(item=item).order_by("-revision")[0]
    Judgment.objects.filter(pk=newest.pk).update(submitted_at=when)
    recount_work(item.assignment.campaign_id)
    return newest
