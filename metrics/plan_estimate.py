"""What a campaign would ask before it is made: how much is judged, how long it takes, what differences it can show."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count
from django.utils.translation import gettext as _

from annotation.campaign_spec import CampaignSpec
from annotation.planning import PlanCounts, PlanningError, PlanningOptions, PlanSums, sums
from annotation.protocols import PROTOCOLS, protocol_for
from annotation.protocols.base import Protocol
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Document, Question, TestSet
from campaigns.queries import systems_of
from metrics.detectable_difference import DetectableDifference, detectable_by


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
    def enough(self) -> list[str]:
        """What it is good for, in sentences."""
        return self.detectable.sentences if self.detectable else []


def plan_estimate(
    spec: CampaignSpec, account: Account, *, test_set: TestSet | None, inspection: Mapping[str, Any] | None
) -> PlanEstimate | None:
    """On a test set, else on files of which a run found out what is in them; PlanningError for what cannot be planned.

    None while nothing can be said.
    """
    protocol = _protocol_of(spec)
    counts = _counts(protocol, test_set, inspection) if protocol else None
    if counts is None or protocol is None:
        return None
    if protocol.asks_questions and not counts.documents:
        raise PlanningError(_("Nothing is asked: no document has questions."))
    options = spec.planning_options(protocol, systems=counts.systems)
    counts = replace(counts, systems=counts.systems + len(protocol.stand_ins))
    detectable = detectable_by(protocol, counts, options, account)
    return PlanEstimate(type(protocol), counts, options, sums(counts, options), detectable)


def _protocol_of(spec: CampaignSpec) -> Protocol[Any] | None:
    """While its options contradict one another, as it is without any."""
    if spec.protocol not in PROTOCOLS:
        return None
    try:
        return protocol_for(spec.protocol, spec.options)
    except InvalidInput:
        return protocol_for(spec.protocol, {})


def _counts(
    protocol: Protocol[Any], test_set: TestSet | None, inspection: Mapping[str, Any] | None
) -> PlanCounts | None:
    """Of documents with questions alone, where these are asked."""
    if test_set:
        return _counts_of(test_set, asks_questions=protocol.asks_questions)
    if not inspection or not inspection["segments"]:
        return None
    documents = inspection.get("asked_documents", 0) if protocol.asks_questions else inspection["documents"]
    return PlanCounts(documents, inspection["segments"], len(inspection["systems"]))


def _counts_of(test_set: TestSet, *, asks_questions: bool) -> PlanCounts:
    documents = Document.objects.filter(test_set=test_set)
    if asks_questions:
        documents = documents.filter(pk__in=Question.objects.values("document"))
    lengths = documents.annotate(length=Count("segments")).values_list("length", flat=True)
    systems = systems_of(test_set).count()
    return PlanCounts(len(lengths), sum(lengths), systems, lengths=tuple(lengths))
