"""Adjudicated answers: what can be decided for a translation, and what a decision counts for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q, QuerySet

from annotation.models import Adjudication, ErrorSpan, Judgment, Slot, slot_values
from annotation.protocols import protocol_for
from annotation.protocols.base import Answer, Observation, Protocol, ShownItem, ShownSlot
from annotation.queries.item_to_judge import reference_of
from campaigns.models import Campaign, Segment, Translation

LABEL = "A"
_OF_SUGGESTIONS = "suggested"
_OF_A_SUGGESTION = "suggestion"


def current_adjudications(campaign: Campaign) -> QuerySet[Adjudication]:
    return Adjudication.objects.filter(campaign=campaign, undone_at=None)


def translation_decided_on(campaign: Campaign, translation: Translation) -> Translation:
    """The campaign's first output for the segment with the same text; a decision counts for all of these."""
    if translation.text is None:
        return translation
    same = Translation.objects.filter(
        segment=translation.segment_id, text=translation.text, system__in=campaign.systems.all()
    )
    return same.select_related("segment", "system").order_by("pk").first() or translation


def shown_alone(protocol: Protocol[Any], translation: Translation, furthest: int = 0) -> ShownItem:
    """The translation alone, as in an item of one slot; an unknown text becomes spaces, as many as needed."""
    segment = Segment.objects.annotate(reference=reference_of("pk")).get(pk=translation.segment_id)
    unknown = " " * furthest
    return ShownItem(
        level="segment",
        source=(unknown if segment.source is None else segment.source) if protocol.shows_source else None,
        reference=segment.reference if protocol.shows_reference else None,
        slots=(ShownSlot(LABEL, unknown if translation.text is None else translation.text),),
    )


def entered_for(judgment: Judgment, translation: Translation) -> dict[str, Any]:
    """The judgment's values for a translation, without the outcomes of suggestions; empty where it has none."""
    own = Q(translation=translation) | Q(credits__translation=translation)
    label = Slot.objects.filter(own, item=judgment.item_id).values_list("label", flat=True).first()
    values = slot_values(judgment.answer, label or "")
    return {name: _plain(value) for name, value in values.items() if name != _OF_SUGGESTIONS}


def spans_as_entered(spans: Sequence[ErrorSpan]) -> list[dict[str, Any]]:
    """Marked errors in the form of an answer, each once."""
    spans_once: list[dict[str, Any]] = []
    for span in spans:
        values = {"side": span.side, "start": span.start, "end": span.end}
        values |= {"category": span.category} if span.category else {}
        values |= {"severity": span.severity, "note": span.note}
        if values not in spans_once:
            spans_once.append(values)
    return spans_once


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {name: each for name, each in value.items() if name != _OF_A_SUGGESTION}
    return value


@dataclass(frozen=True)
class Decision:
    """One valid adjudication: its outputs (of systems), and the observation it counts for."""

    adjudication: Adjudication
    observation: Observation
    translations: tuple[int, ...]


def decisions(campaign: Campaign) -> list[Decision]:
    """All valid adjudications, in the order of their translations; two queries."""
    protocol = protocol_for(campaign.protocol, campaign.options)
    if not protocol.decided_fields:
        return []
    rows = list(current_adjudications(campaign).select_related("translation__segment").order_by("translation_id"))
    alike: dict[int, set[int]] = {each.pk: {each.translation_id} for each in rows}
    same = current_adjudications(campaign).filter(translation__segment__translations__text=F("translation__text"))
    for pk, translation in same.values_list("pk", "translation__segment__translations"):
        alike.setdefault(pk, set()).add(translation)
    return [Decision(each, observed(each, protocol), tuple(sorted(alike[each.pk]))) for each in rows]


def observed(adjudication: Adjudication, protocol: Protocol[Any]) -> Observation:
    """The observation of the decided answer, by the protocol's rule; `adjudication` with translation and segment."""
    translation = adjudication.translation
    shown = ShownItem(
        level="segment",
        source=translation.segment.source,
        reference=None,
        slots=(ShownSlot(LABEL, translation.text or ""),),
    )
    return protocol.observe(Answer(slots={LABEL: adjudication.answer}), shown)
