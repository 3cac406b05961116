"""Judgments of earlier days, written in bulk: one by one they would take longer than the benchmark."""

import random
import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from annotation.models import Assignment, AssignmentStatus, Item, Judgment, Score
from campaigns.models import Account, Campaign
from tests.cast import invite_annotators

PACE = timedelta(seconds=25)


def judge_in_the_past(slug: str, *, judgments: int) -> None:
    """The first assignments of a campaign, each by somebody else, until so many judgments stand."""
    campaign = Campaign.objects.get(slug=slug)
    chosen: list[Assignment] = []
    for assignment in campaign.assignments.filter(status=AssignmentStatus.PLANNED).order_by("position"):
        if sum(each.total for each in chosen) >= judgments:
            break
        chosen.append(assignment)
    people = [each.invitation.account for each in invite_annotators(campaign=campaign, count=len(chosen), by=None)]
    for assignment, account in zip(chosen, people, strict=True):
        with transaction.atomic():
            _judge(assignment, account, random.Random(assignment.position))  # noqa: S311 - numbers for a slider


def _judge(assignment: Assignment, account: Account, rng: random.Random) -> None:
    items = list(assignment.items.exclude(level="context").prefetch_related("slots"))
    began = timezone.now() - timedelta(days=7)
    judged = Judgment.objects.bulk_create(
        [_judgment(item, account, began + place * PACE, rng) for place, item in enumerate(items)]
    )
    Score.objects.bulk_create(_scores(judged))
    Item.objects.filter(pk__in=[item.pk for item in items]).update(revision=1)
    Assignment.objects.filter(pk=assignment.pk).update(
        annotator=account,
        status=AssignmentStatus.DONE,
        done=assignment.total,
        claimed_at=began,
        finished_at=began + len(items) * PACE,
        completion_code=f"PAST{assignment.pk:08}",
    )


def _judgment(item: Item, account: Account, submitted: datetime, rng: random.Random) -> Judgment:
    return Judgment(
        item=item,
        annotator=account,
        revision=1,
        client_id=uuid.uuid4(),
        answer={"slots": {"A": {"score": rng.randint(0, 100)}}, "comment": "", "cannot_judge": None},
        started_at=submitted - PACE,
        submitted_at=submitted,
        elapsed_ms=rng.randint(9_000, 25_000),
        active_ms=rng.randint(5_000, 9_000),
    )


def _scores(judged: Sequence[Judgment]) -> list[Score]:
    return [
        Score(
            judgment=judgment,
            measure="score",
            value=judgment.answer["slots"][slot.label]["score"],
            slot=slot.label,
            translation_id=slot.translation_id,
        )
        for judgment in judged
        for slot in judgment.item.slots.all()
    ]
