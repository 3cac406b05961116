"""By how much two systems must differ for a plan to tell them apart: from a campaign before it, else as published.

A protocol's expected scatter is the deviation of published campaigns, rounded; of what nobody published it is the worst
case. Segments of one document correlated by 0.02 to 0.34 there; judgments of one segment by two annotators agree by
about 0.4.
"""

from dataclasses import dataclass
from statistics import median
from typing import Any

from django.db.models import QuerySet
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from annotation.planning import PlanCounts, PlanningOptions
from annotation.protocols.base import ExpectedScatter, Measure, Protocol
from campaigns.models import Account, Campaign, Role
from campaigns.queries import campaigns_of
from jobs.models import Run, RunStatus
from jobs.queries import parts_of
from jobs.run_kinds import run_kind
from metrics.derivations import derivations_of
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


@dataclass(frozen=True)
class DetectableDifference:
    """In units of the measure. It rests on the campaign named `pilot`, else on the published `deviation`."""

    difference: float
    measure: Measure
    is_share: bool
    pilot: str = ""
    deviation: float = 0.0

    @property
    def sentences(self) -> list[str]:
        """How much it is, and what that rests on."""
        enough = _("Enough to tell apart systems that differ by about %(difference)s.")
        if self.pilot:
            basis = _("As scores scatter in your campaign “%(name)s”, four times out of five.") % {"name": self.pilot}
        else:
            basis = _(
                "Four times out of five, if single judgments scatter as in published campaigns (standard deviation "
                "%(deviation)s) and segments of one document resemble each other a little."
            ) % {"deviation": self._amount(self.deviation)}
        two_systems = _("For two systems; to tell many apart at once takes more.")
        return [enough % {"difference": self._amount(self.difference)}, f"{basis} {two_systems}"]

    def _amount(self, number: float) -> str:
        if self.is_share:
            return _("%(number)s percentage points") % {"number": _rounded(100 * number)}
        return _("%(number)s %(unit)s") % {"number": _rounded(number), "unit": self.measure.unit}


def detectable_by(
    protocol: Protocol[Any], counts: PlanCounts, options: PlanningOptions, account: Account
) -> DetectableDifference | None:
    """None where nothing is known of the protocol's numbers or there is one system."""
    scatter = protocol.expected_scatter
    measure = _main_measure(protocol)
    judgments = _of_each_system(counts, options, scatter) if scatter else 0
    if scatter is None or measure is None or counts.systems < 2 or not judgments:
        return None
    pilot = newest_pilot(campaigns_of(account, Role.ORGANISER), protocol.name) if not scatter.by_document else None
    if pilot is not None and pilot.measure == measure.name:
        difference = difference_by_pilot(judgments, half_width=pilot.half_width, pilot_judgments=pilot.judgments)
        return DetectableDifference(difference, measure, scatter.is_share, pilot=pilot.campaign)
    length = 1.0 if scatter.by_document or not counts.documents else counts.segments / counts.documents
    deviation = scatter.deviation * ((measure.high - measure.low) if scatter.of_scale else 1.0)
    difference = difference_by_plan(
        judgments, deviation=deviation, redundancy=options.redundancy, segments_per_document=length
    )
    return DetectableDifference(difference, measure, scatter.is_share, deviation=deviation)


def _rounded(number: float) -> str:
    """Two digits that count: more would promise what an estimate cannot keep."""
    places = 0 if number >= 10 else 1 if number >= 1 else 2
    return number_format(round(number, places), decimal_pos=places)


def _main_measure(protocol: Protocol[Any]) -> Measure | None:
    derived = [derivation.measure for derivation in derivations_of(protocol.name) if derivation.is_main]
    return next(iter([*derived, *protocol.measures]), None)


def _of_each_system(counts: PlanCounts, options: PlanningOptions, scatter: ExpectedScatter) -> int:
    """Judgments of one system: of its share of the segments, or of the documents that are read."""
    units = counts.documents if scatter.by_document else counts.segments
    systems = options.systems_of(counts.systems)
    return round(units * systems / counts.systems * options.redundancy) if counts.systems else 0
