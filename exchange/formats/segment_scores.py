"""`subset2evaluate` and `wmt-genmt` → neutral records: a segment a line, with its outputs and their human scores.

subset2evaluate has one number for an output, `scores: {system: {human, METRIC}}`. WMT's general task of 2025 has one
for each time somebody judged it, `scores: {system: {human1, errors1, annotator1, times1, human2 …}}`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from annotation.protocols import PROTOCOLS
from exchange import cells
from exchange.cells import CellError
from exchange.formats.appraise_cells import SpanReport, read_span
from exchange.formats.genmt_names import language_of_wmt, parse_document_id
from exchange.formats.mt_metrics_eval import KINDS, USUAL
from exchange.reading import Line
from exchange.staging.judgments import JudgmentRow, Reading, Row, TextRow

HUMAN = "human"
_TIMES = re.compile(r"(human|errors|annotator)(\d+)")


class _Segment(NamedTuple):
    document: str
    segment: str
    domain: str
    source: str
    references: dict[str, str]
    outputs: dict[str, str]


def read_subset2evaluate(reading: Reading) -> Iterator[Row]:
    kind = next((kind for kind in KINDS.values() if kind.protocol == reading.protocol), USUAL)
    if reading.protocol:
        kind = kind._replace(protocol=reading.protocol)
    metrics: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    for line, values in reading.json_objects():
        try:
            document = cells.check_name(_text(values, "doc"), longest=255, required=True)
            numbers[document] += 1
            reference = _text(values, "ref")
            segment = _segment(
                values, document, str(numbers[document]), {"A": reference} if reference else {}, "src", "tgt"
            )
            scores = _objects(values, "scores")
        except CellError as error:
            line.refuse("", str(error))
            continue
        yield from _text_rows(segment)
        for system, own in scores.items():
            metrics.update(name for name in own if name != HUMAN)
            if (value := own.get(HUMAN)) is not None and _is_number(value, line, f"scores.{system}"):
                number = kind.sign * float(value) + 0.0
                yield _judged(line, segment, system, HUMAN, str(values.get("i", line.number)))._replace(
                    protocol=kind.protocol, measure=kind.measure, value=number
                )
    if metrics:
        listed = ", ".join(f"{name} ({count})" for name, count in sorted(metrics.items())[:50])
        message = _("Scores of metrics are not judgments; import them by import_metric_scores. Left out: %(listed)s.")
        reading.problems.note(message % {"listed": listed})


def read_genmt_scores(reading: Reading) -> Iterator[Row]:
    protocol = reading.protocol or "esa"
    pairs: Counter[str] = Counter()
    report = SpanReport(reading)
    for line, values in reading.json_objects():
        try:
            doc_id, _mark, number = _text(values, "doc_id").rpartition("_#_")
            parsed = parse_document_id(doc_id)
            if parsed is None or not number:
                raise CellError(_("“doc_id” must be a document's name and, after _#_, the number of the segment."))
            pairs[parsed.pair] += 1
            segment = _segment(values, parsed.document, number, {}, "src_text", "tgt_text")._replace(
                domain=parsed.domain
            )
            scores = _objects(values, "scores")
        except CellError as error:
            line.refuse("", str(error))
            continue
        if len(pairs) == 1:
            source, target = parsed.source, parsed.target
            reading.source_language = reading.source_language or language_of_wmt(source)
            reading.target_language = reading.target_language or language_of_wmt(target)
        yield from _text_rows(segment)
        for system, own in scores.items():
            yield from _times(line, segment, system, own, protocol, report)
    report.add_notes()
    if len(pairs) > 1:
        message = _("Language pairs in the file: %(count)d (%(pairs)s). Keep the lines of one.")
        reading.refuse(message % {"count": len(pairs), "pairs": ", ".join(sorted(pairs)[:20])})


def _times(
    line: Line, segment: _Segment, system: str, own: Mapping[str, Any], protocol: str, report: SpanReport
) -> Iterator[JudgmentRow]:
    """A judgment for each time; offsets include the last character."""
    has_errors = protocol in PROTOCOLS and "penalty" in PROTOCOLS[protocol].derived_measures
    for number in sorted({int(match[2]) for name in own if (match := _TIMES.fullmatch(name))}):
        score, errors = own.get(f"human{number}"), own.get(f"errors{number}") or []
        try:
            annotator = cells.check_name(
                _text(own, f"annotator{number}") or f"annotator{number}", longest=150, required=True
            )
            spans = [span for error in _listed(errors) if (span := read_span(error, line.number or 0, report))]
            times = [_moment(value) for value in _listed(own.get(f"times{number}") or [])]
        except CellError as error:
            line.refuse(f"scores.{system}", str(error))
            continue
        if score is not None and not _is_number(score, line, f"scores.{system}"):
            continue
        slot = {"spans": spans} | ({} if score is None else {"score": score})
        answer = {"slots": {"A": slot}, "comment": "", "cannot_judge": None}
        row = _judged(line, segment, system, annotator, f"{segment.segment} {number}")._replace(
            protocol=protocol,
            answer=cells.written_answer(answer) if has_errors else "",
            started=times[0] if len(times) == 2 else None,
            submitted=times[1] if len(times) == 2 else None,
            elapsed_ms=_milliseconds(times),
        )
        yield row if score is None else row._replace(measure="score", value=float(score))


def _segment(
    values: Mapping[str, Any], document: str, segment: str, references: dict[str, str], source: str, outputs: str
) -> _Segment:
    """Raises CellError."""
    texts = {name: text for name, text in _object(values, outputs).items() if text is not None}
    if not all(isinstance(text, str) for text in texts.values()):
        raise CellError(_("“%(name)s” must have a text for each system.") % {"name": outputs})
    for name in texts:
        cells.check_name(name, longest=150, required=True)
    domain = cells.check_name(_text(values, "domain"), longest=100, required=False)
    cells.check_name(document, longest=255, required=True)
    cells.check_name(segment, longest=255, required=True)
    return _Segment(document, segment, domain, _text(values, source), references, texts)


def _text_rows(segment: _Segment) -> Iterator[TextRow]:
    document, name, domain, source, references, outputs = segment
    yield TextRow(document, name, domain=domain, source=source)
    for label, text in references.items():
        yield TextRow(document, name, domain=domain, reference_name=label, reference=text)
    for system, text in outputs.items():
        yield TextRow(document, name, domain=domain, system=system, translation=text)


def _judged(line: Line, segment: _Segment, system: str, annotator: str, key: str) -> JudgmentRow:
    """`key` tells it from others of its document and system: a line that stands there twice is noticed."""
    return JudgmentRow(
        line=line.number or 0,
        judgment=f"{segment.document} {key} {system}",
        annotator=annotator,
        protocol="",
        document=segment.document,
        segment=segment.segment,
        system=system,
        source=segment.source or None,
        translation=segment.outputs.get(system),
    )


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    if value is not None and not isinstance(value, str):
        raise CellError(_("“%(name)s” must be a text.") % {"name": name})
    return value or ""


def _object(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = {} if values.get(name) is None else values[name]
    if not isinstance(value, dict):
        raise CellError(_("“%(name)s” must be an object by system.") % {"name": name})
    return value


def _objects(values: Mapping[str, Any], name: str) -> dict[str, dict[str, Any]]:
    by_system = _object(values, name)
    if not all(isinstance(own, dict) for own in by_system.values()):
        raise CellError(_("“%(name)s” must have an object for each system.") % {"name": name})
    for system in by_system:
        cells.check_name(system, longest=150, required=True)
    return by_system


def _listed(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise CellError(_("Errors and times must be lists."))
    return value


def _is_number(value: object, line: Line, column: str) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number or line.refuse(column, _("A score must be a number."), str(value)[:100])


def _moment(value: object) -> datetime:
    """Seconds since 1970."""
    if not isinstance(value, int | float) or not 0 <= value < 7_258_118_400:
        raise CellError(_("A time must be in seconds since 1970."))
    return datetime.fromtimestamp(value, tz=UTC)


def _milliseconds(times: list[datetime]) -> int | None:
    if (
        len(times) != 2
        or not 0 <= (spent := (times[1] - times[0]).total_seconds() * 1000) <= cells.LARGEST_MILLISECONDS
    ):
        return None
    return round(spent)
