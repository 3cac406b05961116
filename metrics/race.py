"""The race of a campaign that drops systems, as the analysis `allocation` and the looks need it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Sum

from annotation.models import Assignment, AssignmentStatus, Race
from annotation.queries.race import RaceRule, Standing, standings_of, unfinished_documents
from campaigns.models import Campaign, Document


@dataclass(frozen=True)
class PastLook:
    """`systems` as `stored_systems` of the analysis made them."""

    documents: int
    is_over: bool
    systems: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class RaceFacts:
    """`unfinished` are names of documents that cannot be looked at yet; `saved` items of the plan are not asked."""

    rule: RaceRule
    status: str
    standings: tuple[Standing, ...]
    looks: tuple[PastLook, ...]
    unfinished: frozenset[str]
    planned_documents: int
    saved: int


def read_race(campaign: Campaign, *, with_documents: bool = True) -> RaceFacts | None:
    """None where no systems are dropped. At most seven queries, four without documents, one where there is no race."""
    race = Race.objects.filter(campaign=campaign).first()
    if race is None:
        return None
    race.campaign = campaign
    looks = race.looks.order_by("documents").values_list("documents", "is_over", "systems")
    keys = unfinished_documents(race) if with_documents else set()
    unfinished = Document.objects.filter(pk__in=keys).values_list("name", flat=True) if keys else ()
    counted = Assignment.objects.filter(campaign=campaign).exclude(status=AssignmentStatus.ARCHIVED)
    asked = counted.aggregate(total=Sum("total", default=0))["total"]
    return RaceFacts(
        rule=RaceRule.of(campaign),
        status=race.status,
        standings=tuple(standings_of(race)),
        looks=tuple(PastLook(*row) for row in looks),
        unfinished=frozenset(unfinished),
        planned_documents=sum(race.waves),
        saved=max(0, race.planned - asked),
    )
