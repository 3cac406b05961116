"""Stores working time by day for large campaigns, so that no page sums all of their judgments."""

import time

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from annotation.models import Assignment, TimesheetSums, WorkCount
from annotation.queries.progress import MANY
from annotation.queries.work_sums import judgments_of_all, stored_sums, sums_anew, sums_so_far
from campaigns.models import Campaign

MOST_SECONDS = 20.0  # at once: other errands wait


def store_work_sums(*, least: int = MANY, seconds: float = MOST_SECONDS) -> int:
    """Of whom judgments came since the last time, in campaigns with so many; how many annotators. Workers call it.

    Any number of workers at once. What is not reached in time waits for the next call, and pages sum it until then.
    """
    until = time.monotonic() + seconds
    stored = 0
    counts = WorkCount.objects.filter(campaign__deleted_at=None).order_by().values_list("campaign")
    large = counts.annotate(stored=Sum("answers")).filter(stored__gte=least).values_list("campaign", flat=True)
    for campaign in Campaign.objects.filter(pk__in=list(large)).order_by("pk"):
        known = stored_sums(campaign)
        for who, total in judgments_of_all(campaign).items():
            if who in known and known[who].judgments == total:
                continue
            if time.monotonic() > until:
                return stored
            _store(campaign, who)
            stored += 1
    return stored


def _store(campaign: Campaign, annotator: int) -> None:
    """Their assignments are locked, so that none of their judgments is stored or moved meanwhile: milliseconds."""
    with transaction.atomic():
        own = Assignment.objects.filter(campaign=campaign, annotator=annotator).order_by("pk")
        list(own.select_for_update(no_key=True).values_list("pk"))
        rows = sums_so_far(campaign, [annotator]).get(annotator, [])
        if not rows:
            return  # erased meanwhile
        values = {
            "time_zone": timezone.get_default_timezone_name(),
            "judgments": sum(row.judgments for row in rows),
            "days": [row[2:] for row in rows],
        }
        TimesheetSums.objects.update_or_create(campaign=campaign, annotator_id=annotator, defaults=values)


def wrong_work_sums(campaign: int) -> int:
    """How many days differ from a recount, are missing or have no judgment; of those who answer meanwhile, none."""
    own = Campaign.objects.get(pk=campaign)
    if not TimesheetSums.objects.filter(campaign=own).exists():
        return 0
    before, shown = judgments_of_all(own), sums_so_far(own)
    anew, after = sums_anew(own), judgments_of_all(own)
    people = {who for who in shown.keys() | anew.keys() if before.get(who) == after.get(who)}
    return sum(len({*shown.get(who, ())} ^ {*anew.get(who, ())}) for who in people)
