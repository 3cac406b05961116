"""What earlier campaigns tell about how scores scatter, for planning the next one."""

from dataclasses import dataclass
from statistics import median

from django.db.models import QuerySet

from campaigns.models import Campaign
from metrics.kinds import KINDS
from metrics.models import Run, RunStatus
from metrics.queries import parts_of


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
            arguments=KINDS["analysis"].check({}),
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
