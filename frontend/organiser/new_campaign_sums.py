"""The live sums of the new-campaign page: what is to be judged, by how many, and how long it takes."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import Count
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from annotation.campaign_spec import CampaignSpec
from annotation.planning import PlanCounts, PlanningError, PlanningOptions, PlanSums, sums
from annotation.protocols import PROTOCOLS, protocol_for
from annotation.protocols.base import Protocol
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Document, Question, TestSet
from campaigns.queries import systems_of
from frontend.organiser.detectable import detectable
from frontend.templatetags.words import duration
from frontend.uploads import find_inspection


@dataclass(frozen=True)
class Summed:
    """What is asked adds up to `total`; `enough` says in sentences what it is good for."""

    protocol: type[Protocol[Any]]
    counts: PlanCounts
    options: PlanningOptions
    total: PlanSums
    enough: list[str]

    @property
    def seconds(self) -> int:
        return self.total.total * self.protocol.seconds_per_item


def summed(spec: CampaignSpec, account: Account, *, test_set: TestSet | None, upload: UUID | None) -> Summed | None:
    """None while nothing can be said; PlanningError for what cannot be planned."""
    protocol = _protocol_of(spec)
    counts = _counts(protocol, account, test_set, upload) if protocol else None
    if counts is None or protocol is None:
        return None
    if protocol.asks_questions and not counts.documents:
        raise PlanningError(_("Nothing is asked: no document has questions."))
    options = spec.planning_options(protocol, systems=counts.systems)
    counts = replace(counts, systems=counts.systems + len(protocol.stand_ins))
    return Summed(
        type(protocol), counts, options, sums(counts, options), detectable(protocol, counts, options, account)
    )


def sum_rows(
    spec: CampaignSpec, account: Account, *, test_set: TestSet | None, upload: UUID | None, annotators: int | None
) -> dict[str, Any]:
    """The rows to show, or none while nothing can be said."""
    try:
        found = summed(spec, account, test_set=test_set, upload=upload)
    except PlanningError as error:
        return {"rows": [], "note": "", "problem": str(error)}
    if found is None:
        return {"rows": [], "note": ""}
    asked = _readings if found.protocol.reads_once else _segments
    rest = _rest(found.total, found.protocol.seconds_per_item, annotators)
    return {
        "rows": [*asked(found.total, found.counts, found.options), *rest],
        "note": _note(found.protocol, found.total),
        "enough": found.enough,
    }


def _protocol_of(spec: CampaignSpec) -> Protocol[Any] | None:
    """While its options contradict one another, as it is without any."""
    if spec.protocol not in PROTOCOLS:
        return None
    try:
        return protocol_for(spec.protocol, spec.options)
    except InvalidInput:
        return protocol_for(spec.protocol, {})


def _note(protocol: type[Protocol[Any]], total: PlanSums) -> str:
    if not protocol.reads_once:
        return _("About: identical outputs are judged once, and documents are kept whole.")
    note = _("Nobody reads a document twice: this takes at least %(count)d annotators.")
    return note % {"count": total.fewest_annotators}


def _readings(total: PlanSums, counts: PlanCounts, options: PlanningOptions) -> list[dict[str, Any]]:
    shown = {"documents": _grouped(counts.documents), "texts": _grouped(options.systems_of(counts.systems))}
    readings = total.document_scores // options.redundancy
    return [
        _row(_("%(documents)s documents with questions × %(texts)s texts") % shown, readings),
        _row(_("× %(count)d readings") % {"count": options.redundancy}, total.document_scores),
    ]


def _segments(total: PlanSums, counts: PlanCounts, options: PlanningOptions) -> list[dict[str, Any]]:
    rows = [
        _row(_("%(segments)s segments × %(systems)s systems") % _shown(counts, options), total.outputs),
        _row(_("× %(count)d judgments") % {"count": options.redundancy}, total.judgments),
        _row(_("+ repeated and damaged items"), total.repeats + total.degraded),
    ]
    if total.document_scores:
        rows.append(_row(_("+ scores of documents"), total.document_scores))
    return rows


def _rest(total: PlanSums, seconds_per_item: int, annotators: int | None) -> list[dict[str, Any]]:
    seconds = total.total * seconds_per_item
    rows = [
        _row(_("Judgments"), total.total, strong=True),
        _row(_("Assignments"), total.assignments),
        _time(_("Judging time, at %(count)d s") % {"count": seconds_per_item}, seconds, strong=True),
    ]
    if annotators:
        rows.append(_time(_("Each of %(count)d annotators") % {"count": annotators}, seconds / annotators))
    return rows


def _counts(
    protocol: Protocol[Any], account: Account, test_set: TestSet | None, upload: UUID | None
) -> PlanCounts | None:
    """Of documents with questions alone, where these are asked."""
    if test_set:
        return _counts_of(test_set, asks_questions=protocol.asks_questions)
    run = find_inspection(account, upload) if upload else None
    found = run.result if run else None
    if not found or not found["segments"]:
        return None
    documents = found.get("asked_documents", 0) if protocol.asks_questions else found["documents"]
    return PlanCounts(documents, found["segments"], len(found["systems"]))


def _counts_of(test_set: TestSet, *, asks_questions: bool) -> PlanCounts:
    documents = Document.objects.filter(test_set=test_set)
    if asks_questions:
        documents = documents.filter(pk__in=Question.objects.values("document"))
    lengths = documents.annotate(length=Count("segments")).values_list("length", flat=True)
    systems = systems_of(test_set).count()
    return PlanCounts(len(lengths), sum(lengths), systems, lengths=tuple(lengths))


def _shown(counts: PlanCounts, options: PlanningOptions) -> dict[str, str]:
    return {"segments": _grouped(counts.segments), "systems": _grouped(options.systems_of(counts.systems))}


def _grouped(number: int) -> str:
    return number_format(number, force_grouping=True)


def _row(label: str, number: int, *, strong: bool = False) -> dict[str, Any]:
    return {"label": label, "value": _grouped(number), "strong": strong}


def _time(label: str, seconds: float, *, strong: bool = False) -> dict[str, Any]:
    return {"label": label, "value": duration(seconds), "strong": strong}
