"""What a plan can tell apart: from a campaign before it, else from how published judgments scatter.

A protocol's expected scatter is the deviation of published campaigns, rounded; of what nobody published it is the worst
case. Segments of one document correlated by 0.02 to 0.34 there; judgments of one segment by two annotators agree by
about 0.4.
"""

from dataclasses import dataclass
from statistics import median

from django.db.models import QuerySet

from campaigns.models import Campaign
from jobs.models import Run, RunStatus
from jobs.queries import parts_of
from jobs.run_kinds import run_kind
from metrics.statistics.power import detectable_difference

DOCUMENT_CORRELATION = 0.1
ANNOTATOR_AGREEMENT = 0.4


@dataclass(frozen=True)
class Pilot:
    """Of the first measure: half the width of systems' 95 % intervals, and how many judgments each rests on.

    The quadratic mean of the widths, for that of two systems' difference adds squares.
    """

    campaign: str
    measure: str
    half_width: float
    judgments: int


def newest_pilot(campaigns: QuerySet[Campaign], protocol: str) -> Pilot | None:
    """Of the newest analysis by the protocol's own recipe in one of the campaigns, unless that one was too early."""
    run = (
        Run.objects.filter(
            campaign__in=campaigns.filter(protocol=protocol),
            kind="analysis",
            status=RunStatus.DONE,
            arguments=run_kind("analysis").check({}),
        )
        .select_related("campaign")
        .order_by("-created_at", "-pk")
        .first()
    )
    ranking = parts_of(run, "ranking").get("ranking") if run else None
    if run is None or run.campaign is None or not ranking or ranking.get("too_early"):
        return None
    systems = ranking["systems"] or ranking.get("documents", ranking)["systems"]
    own = [system for system in systems if system["measure"] == systems[0]["measure"] and system["interval"]]
    halves = [(system["interval"][1] - system["interval"][0]) / 2 for system in own]
    width = (sum(half**2 for half in halves) / len(halves)) ** 0.5 if halves else 0.0
    if width <= 0:
        return None
    judgments = round(median(system["judgments"] for system in own))
    return Pilot(run.campaign.name, own[0]["measure"], width, judgments)


def plan_effect(*, redundancy: int, segments_per_document: float) -> float:
    """How much more judgments a plan needs than if they were independent draws (Kish 1965)."""
    of_annotators = 1 + (redundancy - 1) * ANNOTATOR_AGREEMENT
    return of_annotators * (1 + max(segments_per_document - 1, 0.0) * DOCUMENT_CORRELATION)


def difference_by_plan(judgments: int, *, deviation: float, redundancy: int, segments_per_document: float) -> float:
    """What two systems must differ by to be told apart four times out of five, with so many judgments of each."""
    effect = plan_effect(redundancy=redundancy, segments_per_document=segments_per_document)
    return detectable_difference(judgments, design_effect=effect, deviation=deviation)


def difference_by_pilot(judgments: int, *, half_width: float, pilot_judgments: int) -> float:
    """The same, where a pilot's 95 % interval is so wide to either side with so many judgments of a system.

    The interval resampled whole documents, so it holds what they cost; it narrows with the root of the judgments.
    """
    return detectable_difference(judgments, deviation=half_width / 1.96 * float(pilot_judgments) ** 0.5)
