"""Error spans inside an answer, found by their shape alone: the same in every protocol that marks them."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from annotation.importing.cells import CellError
from annotation.models import Side
from annotation.protocols.base import MarkedSpan, Protocol
from annotation.taxonomies.typology import SEVERITIES


def check_shape(answer: object, protocol: Protocol[Any]) -> list[MarkedSpan]:
    """Its spans; CellError for an answer that nothing could read, whatever else a file of judgments may hold."""
    if not isinstance(answer, dict) or not isinstance(answer.get("slots", {}), dict):
        raise CellError(_("An answer is a JSON object that names its slots."))
    if not isinstance(answer.get("comment", ""), str) or not isinstance(answer.get("cannot_judge") or "", str):
        raise CellError(_("Comment and cannot_judge of an answer are texts."))
    measures = {measure.name for measure in protocol.measures}
    for label, values in answer.get("slots", {}).items():
        if not isinstance(values, dict) or not isinstance(values.get("spans", []), list):
            raise CellError(_("Slot %(slot)s of the answer must be a JSON object.") % {"slot": label})
        for name, value in values.items():
            is_no_number = name in measures and not isinstance(value, int | float | None)
            is_no_text = name == protocol.text_field and not isinstance(value, str)
            if is_no_number or is_no_text:
                raise CellError(
                    _("Slot %(slot)s of the answer: %(name)s has the wrong kind of value.")
                    % {"slot": label, "name": name}
                )
    return list(marked_spans(answer))


def marked_spans(answer: Mapping[str, Any]) -> Iterator[MarkedSpan]:
    """Every span of every slot; CellError for one that cannot be stored."""
    slots = answer.get("slots")
    for label, values in slots.items() if isinstance(slots, dict) else ():
        spans = values.get("spans") if isinstance(values, dict) else None
        for span in spans if isinstance(spans, list) else ():
            yield _marked(label, span)


def _marked(label: str, span: Any) -> MarkedSpan:
    if not isinstance(span, dict):
        raise CellError(_("A span of slot %(slot)s is no JSON object.") % {"slot": label})
    side, start, end = span.get("side", Side.TARGET), span.get("start"), span.get("end")
    category, severity, note = (span.get(name) or "" for name in ("category", "severity", "note"))
    if side not in Side.values or type(start) is not int or type(end) is not int or not 0 <= start <= end < 2**31:
        message = _("A span of slot %(slot)s needs a side (source or target) and a start not after its end.")
        raise CellError(message % {"slot": label})
    if not all(isinstance(text, str) for text in (category, severity, note)):
        raise CellError(_("Category, severity and note of a span of slot %(slot)s are texts.") % {"slot": label})
    if len(category) > 150:
        raise CellError(_("The category of a span of slot %(slot)s is too long.") % {"slot": label})
    if severity.lower() not in SEVERITIES:
        message = _("A span of slot %(slot)s has the severity “%(severity)s”. Known: %(known)s.")
        raise CellError(message % {"slot": label, "severity": severity, "known": ", ".join(SEVERITIES)})
    return MarkedSpan(label, side, start, end, category, severity, note)


def check_bounds(span: MarkedSpan, *, source: str | None, shown: str | None) -> None:
    """Unchecked where the text is not known."""
    text = source if span.side == Side.SOURCE else shown
    if text is not None and span.end > len(text):
        raise CellError(
            _("A span of slot %(slot)s ends at %(end)d, its text at %(length)d.")
            % {"slot": span.slot, "end": span.end, "length": len(text)}
        )
