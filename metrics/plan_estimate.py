"""What a campaign asks for before it exists: how much is judged, how long it takes, what differences it can detect.

The detectable difference is computed from an earlier campaign, else as published. A protocol's expected scatter is the
deviation of published campaigns, rounded; without a published value it is the worst case. Segments of one document
correlated by 0.02 to 0.34 there; judgments of one segment by two annotators agree by about 0.4.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from django.db.models import Avg, Count, QuerySet
from django.db.models.functions import Length
from django.utils.translation import gettext as _

from annotation.campaign_spec import CampaignSpec
from annotation.item_choice import ALL
from annotation.planning.options import PlanningError, PlanningOptions
from annotation.planning.sums import PlanCounts, PlanSums, sums
from annotation.protocols import PROTOCOLS, protocol_for
from annotation.protocols.base import ExpectedScatter, Protocol
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, Document, Question, Role, Segment, TestSet
from campaigns.queries import campaigns_of, systems_of
from jobs.models import Run, RunStatus
from jobs.queries import parts_of
from jobs.run_kinds import run_kind
from metrics.analyses.pair_tests import documents_needed
from metrics.derivations import derivations_of
from metrics.differences import Difference
from metrics.recipes import recipe_for
from metrics.statistics.power import design_effect, detectable_difference

DOCUMENT_CORRELATION = 0.1
ANNOTATOR_AGREEMENT = 0.4
LETTERS_A_WORD = 6.0  # with the blank after it
LETTERS_A_SEGMENT = 120.0


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


def difference_by_plan(judgments: int, *, deviation: float, redundancy: int, segments_per_document: float) -> float:
    """The difference of two systems that is detected with power 0.8, with so many judgments of each."""
    effect = design_effect(
        per_segment=redundancy,
        agreement=ANNOTATOR_AGREEMENT,
        per_document=max(segments_per_document, 1.0),
        document_correlation=DOCUMENT_CORRELATION,
    )
    return detectable_difference(judgments, design_effect=effect, deviation=deviation)


def difference_by_pilot(judgments: int, *, half_width: float, pilot_judgments: int) -> float:
    """The same, where a pilot's 95 % interval is so wide to either side with so many judgments of a system.

    The interval resampled whole documents, so it includes their cost; it narrows with the root of their number.
    """
    return detectable_difference(judgments, deviation=half_width / 1.96 * float(pilot_judgments) ** 0.5)


@dataclass(frozen=True)
class DetectableDifference:
    """It rests on the campaign named `pilot`, else on the published `deviation` of single judgments."""

    difference: Difference
    pilot: str = ""
    deviation: float = 0.0

    @property
    def sentences(self) -> list[str]:
        """The estimate, and what it rests on."""
        if self.difference.can_tell_apart:
            result = _("Minimum detectable difference between two systems: about %(difference)s.") % {
                "difference": self.difference
            }
        else:
            result = _("Not enough to tell systems apart. Plan more documents, or more judgments per segment.")
        if self.pilot:
            basis = _("Statistical power 80 %%, based on the scores of your campaign “%(name)s”.") % {
                "name": self.pilot
            }
        else:
            basis = _(
                "Statistical power 80 %%, if scores vary as in published campaigns (standard deviation %(deviation)s) "
                "and segments of one document are slightly correlated."
            ) % {"deviation": replace(self.difference, amount=self.deviation)}
        more = _("Comparing more than two systems takes more judgments.")
        return [result, f"{basis} {more}"]


def detectable_by(
    protocol: Protocol[Any], counts: PlanCounts, options: PlanningOptions, account: Account
) -> DetectableDifference | None:
    """None where nothing is known of the protocol's numbers or there is one system."""
    scatter = protocol.expected_scatter
    derived = [derivation.measure for derivation in derivations_of(protocol.name) if derivation.is_main]
    measure = next(iter([*derived, *protocol.measures]), None)
    judgments = _of_each_system(counts, options, scatter) if scatter else 0
    if scatter is None or measure is None or counts.systems < 2 or not judgments:
        return None
    pilot = newest_pilot(campaigns_of(account, Role.ORGANISER), protocol.name) if not scatter.by_document else None
    if pilot is not None and pilot.measure == measure.name:
        difference = difference_by_pilot(judgments, half_width=pilot.half_width, pilot_judgments=pilot.judgments)
        return DetectableDifference(Difference(difference, measure, is_share=scatter.is_share), pilot=pilot.campaign)
    length = 1.0 if scatter.by_document or not counts.documents else counts.segments / counts.documents
    deviation = scatter.deviation * ((measure.high - measure.low) if scatter.of_scale else 1.0)
    difference = difference_by_plan(
        judgments, deviation=deviation, redundancy=options.redundancy, segments_per_document=length
    )
    return DetectableDifference(Difference(difference, measure, is_share=scatter.is_share), deviation=deviation)


def _of_each_system(counts: PlanCounts, options: PlanningOptions, scatter: ExpectedScatter) -> int:
    """Judgments of one system: of its share of the segments, or of the documents that are read."""
    units = counts.documents if scatter.by_document else counts.segments
    systems = options.systems_of(counts.systems)
    return round(units * systems / counts.systems * options.redundancy) if counts.systems else 0


@dataclass(frozen=True)
class PlanEstimate:
    protocol: type[Protocol[Any]]
    counts: PlanCounts
    options: PlanningOptions
    sums: PlanSums
    detectable: DetectableDifference | None

    @property
    def seconds(self) -> int:
        return self.sums.total * self.protocol.seconds_per_item

    @property
    def documents_needed(self) -> int:
        """The fewest documents by which the protocol's own recipe can tell systems apart; 0 where any number may."""
        compared = self.options.systems_of(self.counts.systems)
        return documents_needed(compared * (compared - 1) // 2, recipe_for(self.protocol.name)) or 0

    @property
    def enough(self) -> list[str]:
        """The detectable difference in sentences."""
        return self.detectable.sentences if self.detectable else []


def plan_estimate(
    spec: CampaignSpec, account: Account, *, test_set: TestSet | None, inspection: Mapping[str, Any] | None
) -> PlanEstimate | None:
    """For a test set, else for files that a run has inspected. Raises PlanningError for what cannot be planned.

    None while too little is known.
    """
    protocol = _protocol_of(spec)
    counts = _counts(protocol, test_set, inspection) if protocol else None
    counts = _within_budget(counts, spec, protocol, test_set) if counts and protocol else counts
    if counts is None or protocol is None:
        return None
    if protocol.asks_questions and not counts.documents:
        raise PlanningError(_("No document has questions, so there is nothing to ask."))
    options = spec.planning_options(protocol, systems=counts.systems)
    counts = replace(counts, systems=counts.systems + len(protocol.stand_ins))
    detectable = detectable_by(protocol, counts, options, account)
    return PlanEstimate(type(protocol), counts, options, sums(counts, options), detectable)


def _within_budget(
    counts: PlanCounts, spec: CampaignSpec, protocol: Protocol[Any], test_set: TestSet | None
) -> PlanCounts:
    """About as many segments as the budget allows, of documents of average length; words by the length of sources."""
    budget = spec.selection_budget
    if spec.selection == ALL or budget is None or not counts.segments:
        return counts
    if spec.selection_unit == "seconds":
        cost = float(protocol.seconds_per_item * max(1, counts.systems))
    elif spec.selection_unit == "words":
        sources = Segment.objects.filter(document__test_set=test_set).aggregate(letters=Avg(Length("source")))
        cost = max(1.0, (sources["letters"] or LETTERS_A_SEGMENT) / LETTERS_A_WORD)
    else:
        cost = 1.0
    share = min(1.0, budget / cost / counts.segments)
    segments, documents = (max(1, round(share * each)) for each in (counts.segments, counts.documents))
    if spec.selection_of == "segments":
        documents = min(counts.documents, segments)
    return replace(counts, segments=segments, documents=documents, lengths=())


def _protocol_of(spec: CampaignSpec) -> Protocol[Any] | None:
    """With its default options while those in the form contradict each other."""
    if spec.protocol not in PROTOCOLS:
        return None
    try:
        return protocol_for(spec.protocol, spec.options)
    except InvalidInput:
        return protocol_for(spec.protocol, {})


def _counts(
    protocol: Protocol[Any], test_set: TestSet | None, inspection: Mapping[str, Any] | None
) -> PlanCounts | None:
    """Only of documents with questions, if the protocol has questions."""
    if test_set:
        documents = Document.objects.filter(test_set=test_set)
        if protocol.asks_questions:
            documents = documents.filter(pk__in=Question.objects.values("document"))
        lengths = tuple(documents.annotate(length=Count("segments")).values_list("length", flat=True))
        return PlanCounts(len(lengths), sum(lengths), systems_of(test_set).count(), lengths=lengths)
    if not inspection or not inspection["segments"]:
        return None
    n_documents = inspection.get("asked_documents", 0) if protocol.asks_questions else inspection["documents"]
    return PlanCounts(n_documents, inspection["segments"], len(inspection["systems"]))
