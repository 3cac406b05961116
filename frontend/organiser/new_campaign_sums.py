"""The live sums of the new-campaign page: what is to be judged, by how many, and how long it takes."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Count
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from annotation.actions.proposal import ITEMS_PER_ASSIGNMENT
from annotation.planning import PlanCounts, PlanningError, PlanningOptions, PlanSums, sums
from annotation.protocols import PROTOCOLS
from annotation.protocols.base import InvalidOptions, Protocol
from campaigns.models import Account, Document, Planning, System, TestSet
from frontend.organiser.inspections import find_inspection
from frontend.organiser.option_fields import chosen_options
from frontend.templatetags.words import duration


def sum_rows(cleaned: Mapping[str, Any], account: Account) -> dict[str, Any]:
    """The rows to show, or none while nothing can be said; `cleaned` holds the fields that are valid so far."""
    counts = _counts(cleaned, account)
    protocol = PROTOCOLS.get(cleaned.get("protocol", ""))
    if counts is None or protocol is None:
        return {"rows": [], "note": ""}
    options = PlanningOptions(
        redundancy=cleaned.get("redundancy") or 1,
        items_per_assignment=cleaned.get("items_per_assignment") or ITEMS_PER_ASSIGNMENT[_planning(cleaned)],
        systems_per_segment=cleaned.get("systems_per_segment"),
        repeats_share=(cleaned.get("repeats") or 0) / 100,
        degraded_share=(cleaned.get("degraded") or 0) / 100,
        document_scores=bool(cleaned.get(f"{protocol.name}-document_scores")),
        slots_per_item=_slots_per_item(protocol, cleaned, counts),
    )
    try:
        total = sums(counts, options)
    except PlanningError as error:
        return {"rows": [], "note": "", "problem": str(error)}
    note = _("About: identical outputs are judged once, and documents are kept whole.")
    return {"rows": _rows(total, counts, options, protocol.seconds_per_item, cleaned.get("annotators")), "note": note}


def _slots_per_item(protocol: type[Protocol[Any]], cleaned: Mapping[str, Any], counts: PlanCounts) -> int:
    """As the protocol would have it, while its options are not wrong."""
    try:
        chosen = protocol.with_options(chosen_options(protocol.name, cleaned))
    except InvalidOptions:
        return 1
    return chosen.slots_among(cleaned.get("systems_per_segment") or counts.systems)


def _planning(cleaned: Mapping[str, Any]) -> str:
    return cleaned.get("planning") or Planning.STATIC


def _rows(
    total: PlanSums, counts: PlanCounts, options: PlanningOptions, seconds_per_item: int, annotators: int | None
) -> list[dict[str, Any]]:
    seconds = total.total * seconds_per_item
    rows = [
        _row(_("%(segments)s segments × %(systems)s systems") % _shown(counts, options), total.outputs),
        _row(_("× %(count)d judgments") % {"count": options.redundancy}, total.judgments),
        _row(_("+ repeated and damaged items"), total.repeats + total.degraded),
    ]
    if total.document_scores:
        rows.append(_row(_("+ scores of documents"), total.document_scores))
    rows += [
        _row(_("Judgments"), total.total, strong=True),
        _row(_("Assignments"), total.assignments),
        _time(_("Judging time, at %(count)d s") % {"count": seconds_per_item}, seconds, strong=True),
    ]
    if annotators:
        rows.append(_time(_("Each of %(count)d annotators") % {"count": annotators}, seconds / annotators))
    return rows


def _counts(cleaned: Mapping[str, Any], account: Account) -> PlanCounts | None:
    test_set, upload = cleaned.get("test_set"), cleaned.get("upload")
    if test_set:
        return _counts_of(test_set)
    if not upload:
        return None
    run = find_inspection(account, upload)
    found = run.result if run else None
    if not found or not found["segments"]:
        return None
    return PlanCounts(found["documents"], found["segments"], len(found["systems"]))


def _counts_of(test_set: TestSet) -> PlanCounts:
    lengths = (
        Document.objects.filter(test_set=test_set).annotate(length=Count("segments")).values_list("length", flat=True)
    )
    systems = System.objects.filter(test_set=test_set).count()
    return PlanCounts(len(lengths), sum(lengths), systems, lengths=tuple(lengths))


def _shown(counts: PlanCounts, options: PlanningOptions) -> dict[str, str]:
    return {"segments": _grouped(counts.segments), "systems": _grouped(options.systems_of(counts.systems))}


def _grouped(number: int) -> str:
    return number_format(number, force_grouping=True)


def _row(label: str, number: int, *, strong: bool = False) -> dict[str, Any]:
    return {"label": label, "value": _grouped(number), "strong": strong}


def _time(label: str, seconds: float, *, strong: bool = False) -> dict[str, Any]:
    return {"label": label, "value": duration(seconds), "strong": strong}
