"""Answers that came in a file: their error spans by shape alone, and what the protocol would have refused."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from annotation.models import Judgment, Side, Slot
from annotation.protocols import protocol_for
from annotation.protocols.base import MarkedSpan, Protocol, ShownItem, ShownSlot
from annotation.queries.document_questions import questions_on
from annotation.queries.suggestions import ShownTranslation, suggested_in
from annotation.taxonomies.typology import SEVERITIES
from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign
from exchange.cells import CellError

_SIDES = frozenset(Side.values)  # which Django makes anew, with its words, whenever it is asked


def check_shape(answer: object, protocol: Protocol[Any]) -> list[MarkedSpan]:
    """Its spans; CellError for an answer that cannot be read at all, even from a file of judgments."""
    if not isinstance(answer, dict) or not isinstance(answer.get("slots", {}), dict):
        raise CellError(_("An answer must be a JSON object with slots."))
    if not isinstance(answer.get("comment", ""), str) or not isinstance(answer.get("cannot_judge") or "", str):
        raise CellError(_("The comment and cannot_judge of an answer must be texts."))
    measures = {measure.name for measure in protocol.measures}
    for label, values in answer.get("slots", {}).items():
        is_read = isinstance(values, dict) and all(isinstance(values.get(name, []), list) for name in ("spans", "tags"))
        if not is_read:
            raise CellError(_("Slot %(slot)s of the answer must be a JSON object.") % {"slot": label})
        for name, value in values.items():
            is_no_number = name in measures and not isinstance(value, int | float | None)
            is_no_text = name == protocol.text_field and not isinstance(value, str)
            if is_no_number or is_no_text:
                message = _("Slot %(slot)s of the answer: %(name)s has the wrong kind of value.")
                raise CellError(message % {"slot": label, "name": name})
    return list(marked_spans(answer))


def marked_spans(answer: Mapping[str, Any]) -> Iterator[MarkedSpan]:
    """Every span and tag of every slot of an answer with the right shape; CellError for one that cannot be stored."""
    for label, values in answer.get("slots", {}).items():
        for span in values.get("spans", []):
            yield _marked(label, span)
        for tag in values.get("tags", []):
            if not isinstance(tag, dict) or not tag.get("tag"):
                raise CellError(
                    _("A tag of slot %(slot)s must be a JSON object with tag and severity.") % {"slot": label}
                )
            yield _marked(label, {"start": 0, "end": 0, "category": tag["tag"], "severity": tag.get("severity")})


def _marked(label: str, span: Any) -> MarkedSpan:
    if not isinstance(span, dict):
        raise CellError(_("A span of slot %(slot)s must be a JSON object.") % {"slot": label})
    side, start, end = span.get("side", Side.TARGET), span.get("start"), span.get("end")
    category, severity, note = (span.get(name) or "" for name in ("category", "severity", "note"))
    if side not in _SIDES or type(start) is not int or type(end) is not int or not 0 <= start <= end < 2**31:
        message = _("A span of slot %(slot)s needs a side (source or target), and its start must not be after its end.")
        raise CellError(message % {"slot": label})
    if not all(isinstance(text, str) for text in (category, severity, note)):
        raise CellError(_("Category, severity and note of a span of slot %(slot)s must be texts.") % {"slot": label})
    if len(category) > 150:
        raise CellError(_("The category of a span of slot %(slot)s is too long.") % {"slot": label})
    if severity.lower() not in SEVERITIES:
        message = _("A span of slot %(slot)s has the unknown severity “%(severity)s”. Known: %(known)s.")
        raise CellError(message % {"slot": label, "severity": severity, "known": ", ".join(SEVERITIES)})
    return MarkedSpan(label, side, start, end, category, severity, note)


def check_bounds(span: MarkedSpan, *, source: str | None, shown: str | None) -> None:
    """Unchecked where the text is unknown."""
    text = source if span.side == Side.SOURCE else shown
    if text is not None and span.end > len(text):
        message = _("A span of slot %(slot)s ends at %(end)d, after the end of its text (%(length)d).")
        raise CellError(message % {"slot": span.slot, "end": span.end, "length": len(text)})


BATCH = 100


class UnfitAnswer(NamedTuple):
    """The judgment's key, where in its answer, and what is wrong."""

    judgment: int
    field: str
    message: str


class _StoredAnswer(NamedTuple):
    pk: int
    answer: Any
    item: int
    level: str
    document: int
    source: str | None


class _Shown(NamedTuple):
    item: int
    label: str
    text: str | None
    translation: int | None


def unfit_answers(campaign: Campaign, *, by_shape_alone: bool) -> Iterator[UnfitAnswer]:
    """Answers that the campaign's protocol would have refused for the texts shown, or that have the wrong shape.

    A campaign made from a file of judgments may have what such a file may have (more systems on a screen, categories of
    other typologies, no texts): only the shape of its answers is checked.
    """
    protocol = protocol_for(campaign.protocol, campaign.options)
    last = 0
    own = Judgment.objects.filter(item__assignment__campaign=campaign).order_by("pk")
    fields = ("pk", "answer", "item_id", "item__level", "item__document_id", "item__segment__source")
    while rows := [_StoredAnswer(*row) for row in own.filter(pk__gt=last).values_list(*fields)[:BATCH]]:
        items = {} if by_shape_alone else _items(rows, _slots({row.item for row in rows}), protocol)
        for row in rows:
            yield from _problems(row, items.get(row.item), protocol)
        last = rows[-1].pk


def _problems(row: _StoredAnswer, shown: ShownItem | None, protocol: Protocol[Any]) -> Iterator[UnfitAnswer]:
    try:
        check_shape(row.answer, protocol)
        if shown is not None:
            protocol.parse_answer(row.answer, shown)
    except CellError as error:
        yield UnfitAnswer(row.pk, "", str(error))
    except InvalidInput as error:
        for field, messages in error.errors.items():
            yield UnfitAnswer(row.pk, field, " ".join(messages))


def _slots(items: Collection[int]) -> dict[int, list[_Shown]]:
    rows = Slot.objects.filter(item__in=items).annotate(shown=Coalesce("damaged", "translation__text"))
    slots: dict[int, list[_Shown]] = defaultdict(list)
    for row in rows.order_by("item", "label").values_list("item_id", "label", "shown", "translation_id"):
        slots[row[0]].append(_Shown(*row))
    return slots


def _items(
    rows: Sequence[_StoredAnswer], slots: Mapping[int, Sequence[_Shown]], protocol: Protocol[Any]
) -> dict[int, ShownItem]:
    """Only the items whose texts are all known."""
    outputs = {
        (slot.item, slot.label): ShownTranslation(slot.label, slot.translation, slot.text or "")
        for several in slots.values()
        for slot in several
        if slot.translation is not None
    }
    suggested = suggested_in(outputs, protocol)
    documents = {row.document for row in rows} if protocol.asks_questions else set[int]()
    questions = {document: questions_on(document) for document in documents}
    return {
        row.item: ShownItem(
            level=row.level,
            source=row.source if protocol.shows_source else None,
            reference=None,
            slots=tuple(
                ShownSlot(slot.label, slot.text, suggested.get((slot.item, slot.label), ())) for slot in slots[row.item]
            ),
            questions=questions.get(row.document, ()),
        )
        for row in rows
        if all(slot.text is not None or slot.translation is None for slot in slots[row.item])
    }
