"""The live sums of the new-campaign page: what is to be judged, by how many, and how long it takes."""

from typing import Any
from uuid import UUID

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from annotation.campaign_spec import CampaignSpec
from annotation.planning import PlanCounts, PlanningError, PlanningOptions, PlanSums
from annotation.protocols.base import Protocol
from campaigns.models import Account, TestSet
from frontend.templatetags.words import duration
from frontend.uploads import inspection_result
from metrics.plan_estimate import plan_estimate


def sum_rows(
    spec: CampaignSpec, account: Account, *, test_set: TestSet | None, upload: UUID | None, annotators: int | None
) -> dict[str, Any]:
    """The rows to show, or none while nothing can be said."""
    try:
        estimate = plan_estimate(spec, account, test_set=test_set, inspection=inspection_result(account, upload))
    except PlanningError as error:
        return {"rows": [], "note": "", "problem": str(error)}
    if estimate is None:
        return {"rows": [], "note": ""}
    count_rows = _readings if estimate.protocol.reads_once else _segments
    rest = _rest(estimate.sums, estimate.protocol.seconds_per_item, annotators)
    return {
        "rows": [*count_rows(estimate.sums, estimate.counts, estimate.options), *rest],
        "note": _note(estimate.protocol, estimate.sums),
        "enough": estimate.enough,
    }


def _note(protocol: type[Protocol[Any]], total: PlanSums) -> str:
    if not protocol.reads_once:
        return _("Estimate. Identical outputs are judged once; documents are not split.")
    note = _("At least %(count)d annotators are needed, because nobody reads a document twice.")
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
        _row(_("+ repeated and degraded items"), total.repeats + total.degraded),
    ]
    if total.document_scores:
        rows.append(_row(_("+ document scores"), total.document_scores))
    return rows


def _rest(total: PlanSums, seconds_per_item: int, annotators: int | None) -> list[dict[str, Any]]:
    seconds = total.total * seconds_per_item
    rows = [
        _row(_("Judgments"), total.total, strong=True),
        _row(_("Tasks"), total.assignments),
        _time(_("Judging time (%(count)d s per item)") % {"count": seconds_per_item}, seconds, strong=True),
    ]
    if annotators:
        rows.append(_time(_("Time per annotator (of %(count)d)") % {"count": annotators}, seconds / annotators))
    return rows


def _shown(counts: PlanCounts, options: PlanningOptions) -> dict[str, str]:
    return {"segments": _grouped(counts.segments), "systems": _grouped(options.systems_of(counts.systems))}


def _grouped(number: int) -> str:
    return number_format(number, force_grouping=True)


def _row(label: str, number: int, *, strong: bool = False) -> dict[str, Any]:
    return {"label": label, "value": _grouped(number), "strong": strong}


def _time(label: str, seconds: float, *, strong: bool = False) -> dict[str, Any]:
    return {"label": label, "value": duration(seconds), "strong": strong}
