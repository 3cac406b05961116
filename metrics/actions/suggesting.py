"""A metric's spans, such as XCOMET's, as the errors that annotators of a campaign start from."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Draft, Judgment
from annotation.protocols import protocol_for
from annotation.protocols.base import MarkedSpan
from campaigns.actions.audit import record
from campaigns.bulk_rows import insert_bulk
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, SuggestedSpan, Translation
from metrics.models import SegmentStatistic
from metrics.scoring.stored_marks import MetricMarks, nearest_severity, read_marks, severities_of

OPTION = "suggestions"


@dataclass(frozen=True)
class SuggestedByMetric:
    """`spans` in `outputs` that the metric scored; `unscored` outputs of the campaign start without any.

    `milder` are spans whose severity the campaign does not have, with the next milder one instead.
    """

    metric: str
    spans: int
    outputs: int
    unscored: int
    milder: int


def can_take_suggestions(campaign: Campaign) -> bool:
    """Whether its protocol can start from suggestions, and does not yet."""
    protocol = protocol_for(campaign.protocol, campaign.options)
    return not protocol.offers_suggestions and OPTION in {field.name for field in fields(protocol.options)}


def suggesting_metrics(campaign: Campaign) -> list[str]:
    """Metrics with spans that the campaign could start from now; two queries, none for most campaigns."""
    if not can_take_suggestions(campaign) or _why_not(campaign):
        return []
    stored = SegmentStatistic.objects.filter(translation__system__test_set=campaign.test_set_id, marks__isnull=False)
    return list(stored.order_by("metric").values_list("metric", flat=True).distinct())


def suggest_spans(*, campaign: Campaign, metric: str, by: Account | None) -> SuggestedByMetric:
    """Stores the metric's spans as suggestions of the test set, and lets the campaign start from them.

    Raises InvalidInput with all reasons why it cannot; then nothing is changed.
    """
    errors = {"campaign": reasons} if (reasons := _why_not(campaign)) else {}
    marks = next(iter(read_marks(campaign.test_set, metric=metric)), None)
    if why := _why_not_by(metric, marks):
        errors["metric"] = [why]
    if errors or marks is None:
        raise InvalidInput(errors)
    protocol = protocol_for(campaign.protocol, {**campaign.options, OPTION: True})
    severities = severities_of(protocol)
    spans = [
        (translation, span.side, span.start, span.end, span.category, span.severity)
        for translation, span in _spans(marks, severities)
        if protocol.takes(span)
    ]
    with transaction.atomic():
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        if reasons := _why_not(campaign):
            raise InvalidInput({"campaign": reasons})
        insert_bulk(SuggestedSpan, ("translation", "side", "start", "end", "category", "severity"), spans)
        campaign.options = {**campaign.options, OPTION: True}
        campaign.save(update_fields=["options"])
        result = SuggestedByMetric(
            metric=metric,
            spans=len(spans),
            outputs=len(marks.outputs),
            unscored=_unscored(campaign, marks),
            milder=sum(
                nearest_severity(severity, severities) != severity.lower()
                for output in marks.outputs.values()
                for _start, _end, severity in output.marks
            ),
        )
        record(action="spans_suggested", by=by, campaign=campaign, metric=metric, spans=result.spans)
    return result


def _why_not(campaign: Campaign) -> list[str]:
    """All that speaks against suggestions in this campaign, whatever they come from."""
    reasons = []
    protocol = protocol_for(campaign.protocol, campaign.options)
    if not protocol.offers_suggestions and not can_take_suggestions(campaign):
        message = _("Annotators of “%(protocol)s” do not start from suggestions. Error span annotation (ESA) does.")
        return [message % {"protocol": protocol.title}]
    of_campaign = {"item__assignment__campaign": campaign}
    if Judgment.objects.filter(**of_campaign).exists() or Draft.objects.filter(**of_campaign).exists():
        reasons.append(
            _(
                "Annotators have begun without suggestions. Create another campaign, and take the spans before anybody "
                "begins."
            )
        )
    count = SuggestedSpan.objects.filter(translation__system__test_set=campaign.test_set_id).count()
    if protocol.offers_suggestions or count:
        message = _("The test set has suggestions already: %(count)d. They stay as they are.")
        reasons.append(message % {"count": count})
    return reasons


def _why_not_by(metric: str, marks: MetricMarks | None) -> str:
    if marks is None:
        message = _(
            "No spans of “%(metric)s” are stored for this test set. Score it first, by a metric that marks errors."
        )
        return message % {"metric": metric}
    if marks.outdated:
        message = _(
            "Outputs whose texts or references changed since “%(metric)s” scored them: %(count)d. Score the test set "
            "again."
        )
        return message % {"metric": metric, "count": marks.outdated}
    if not any(output.marks for output in marks.outputs.values()):
        return _("“%(metric)s” marked no errors in this test set.") % {"metric": metric}
    return ""


def _spans(marks: MetricMarks, severities: tuple[str, ...]) -> Iterator[tuple[int, MarkedSpan]]:
    """With the keys of their translations, without the blanks that a model's pieces begin with."""
    for output in marks.outputs.values():
        for first, last, severity in output.marks:
            marked = output.text[first:last]
            start, end = last - len(marked.lstrip()), first + len(marked.rstrip())
            if start < end:
                named = nearest_severity(severity, severities)
                yield output.translation, MarkedSpan("", "target", start, end, "", named)


def _unscored(campaign: Campaign, marks: MetricMarks) -> int:
    own = Translation.objects.filter(system__campaigns=campaign, system__stands_for="", text__isnull=False)
    return sum(key not in marks.outputs for key in own.values_list("pk", flat=True))
