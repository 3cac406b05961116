"""`label-studio` → neutral records: tasks of Label Studio (JSON) with their annotations, spans and ratings.

A task is one output of one system. Spans are half-open; Label Studio counts code points, and counted UTF-16 units
before October 2021 (its pull request 1559): the text of a span decides. `label_studio_writer` writes the same.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from annotation.taxonomies.typology import SEVERITIES
from exchange import cells
from exchange.cells import CellError
from exchange.formats.wmt_mqm_tsv import category_path
from exchange.json_array import objects_of_list
from exchange.reading import Line
from exchange.staging.judgments import JudgmentRow, Reading, Row, TextRow

# by what data may be called in a task
KEYS = {
    "document": ("document", "doc", "doc_id", "document_id"),
    "segment": ("segment", "seg", "seg_id", "segment_id"),
    "system": ("system", "model", "sys", "system_id"),
    "source": ("source", "src", "source_text"),
    "target": ("target", "translation", "tgt", "hypothesis", "hyp", "mt", "output", "target_text", "text"),
    "reference": ("reference", "ref"),
}
_SPANS = ("labels", "hypertextlabels")
_LONGEST_TIME = 10**7  # seconds


@dataclass
class _Answer:
    spans: list[dict[str, Any]] = field(default_factory=list)
    ratings: dict[str, float] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)


def is_label_studio(beginning: str) -> bool:
    return beginning.startswith(("{", "["))


def read_label_studio(reading: Reading) -> Iterator[Row]:
    """The protocol follows from what annotators gave, if nobody names it: spans, a score, or both."""
    protocol = reading.protocol or _protocol_of(reading)
    reader = _Reader(reading, protocol)
    for line, task in objects_of_list(reading):
        yield from reader.rows(line, task)
    reader.report()


def _protocol_of(reading: Reading) -> str:
    kinds: set[str] = set()
    problems, reading.problems = reading.problems, type(reading.problems)()
    try:
        for _line, task in objects_of_list(reading):
            for annotation in _objects(task.get("annotations")):
                kinds |= {str(result.get("type")) for result in _objects(annotation.get("result"))}
    finally:
        problems.fatal += reading.problems.fatal
        if reading.problems.fatal:
            problems.listed += reading.problems.listed
            problems.count += reading.problems.count
        reading.problems = problems
    if kinds & set(_SPANS):
        return "esa" if kinds & {"number", "rating"} else "mqm"
    return "likert" if "rating" in kinds and "number" not in kinds else "direct_assessment"


class _Reader:
    def __init__(self, reading: Reading, protocol: str) -> None:
        self.reading, self.protocol = reading, protocol
        self.counts: Counter[str] = Counter()

    def report(self) -> None:
        words = {
            "predictions": _("Predictions of models, left out: %(count)d."),
            "cancelled": _("Annotations that were skipped there, left out: %(count)d."),
            "other": _("Results that are not spans, ratings, severities or comments, left out: %(count)d."),
            "severity": _("Marks without a severity, read as major: %(count)d."),
            "units": _("Marks that count UTF-16 units, moved to the same text: %(count)d."),
        }
        for what, message in words.items():
            self.reading.note_count(message, self.counts[what])

    def rows(self, line: Line, task: Mapping[str, Any]) -> Iterator[Row]:
        data = task.get("data")
        if not isinstance(data, Mapping):
            line.refuse("data", _("A task needs its texts under `data`."))
            return
        names = {what: next((key for key in keys if key in data), "") for what, keys in KEYS.items()}
        texts = {what: _text(data.get(key)) if key else None for what, key in names.items()}
        texts["document"] = texts["document"] or "tasks"
        texts["segment"] = texts["segment"] or _text(task.get("id")) or str(line.number)
        texts["system"] = texts["system"] or "system"
        if not self._checks(line, texts):
            return
        place = {"document": texts["document"] or "", "segment": texts["segment"] or ""}
        yield TextRow(**place, source=texts["source"], reference=texts["reference"])
        self.counts["predictions"] += len(_objects(task.get("predictions")))
        for number, annotation in enumerate(_objects(task.get("annotations")), start=1):
            if annotation.get("was_cancelled") is True:
                self.counts["cancelled"] += 1
                continue
            answer = self._answer(line, annotation, texts, names)
            own = _text(annotation.get("id")) or f"{line.number}.{number}"
            yield from self._judgments(line, annotation, answer, own[:255], texts)

    def _checks(self, line: Line, texts: Mapping[str, str | None]) -> bool:
        limits = {"document": 255, "segment": 255, "system": 150}
        named = [line.check_name(texts[what] or "", what, limit) for what, limit in limits.items()]
        readable = [line.is_readable(texts[what] or "", what) for what in ("source", "target", "reference")]
        if texts["target"] is None:
            readable.append(line.refuse("target", _("A task needs the judged text under `target` or `translation`.")))
        return all(named + readable)

    def _answer(
        self, line: Line, annotation: Mapping[str, Any], texts: Mapping[str, str | None], names: Mapping[str, str]
    ) -> _Answer:
        answer = _Answer()
        regions: dict[str, dict[str, Any]] = {}
        results = _objects(annotation.get("result"))
        for number, result in enumerate(results):
            if result.get("type") in _SPANS:
                key = _text(result.get("id")) or f"#{number}"
                side = "source" if result.get("to_name") in (names["source"], "source") else "target"
                span = self._span(line, result, side, texts[side] or "")
                if span is not None:
                    regions[key] = span
        for result in results:
            if result.get("type") not in _SPANS:
                self._add(line, result, regions.get(_text(result.get("id")) or ""), answer)
        for span in regions.values():
            self.counts["severity"] += not span["severity"]
            span["severity"] = span["severity"] or "major"
        answer.spans = list(regions.values())
        return answer

    def _add(self, line: Line, result: Mapping[str, Any], region: dict[str, Any] | None, answer: _Answer) -> None:
        """What is not a span itself: its severity or note, a rating, a comment."""
        kind, value = result.get("type"), result.get("value")
        value = value if isinstance(value, Mapping) else {}
        if kind == "choices" and region is not None and (severity := _severity(value.get("choices"))):
            region["severity"] = severity
        elif kind == "textarea":
            text = "\n".join(each for each in _list(value.get("text")) if isinstance(each, str))
            if line.is_readable(text, "textarea") and region is not None:
                region["note"] = text
            elif text:
                answer.comments.append(text)
        elif kind in ("number", "rating") and (given := _number(value.get(str(kind)))) is not None:
            answer.ratings[_text(result.get("from_name")) or "score"] = given
        else:
            self.counts["other"] += 1

    def _span(self, line: Line, result: Mapping[str, Any], side: str, text: str) -> dict[str, Any] | None:
        value = result.get("value")
        value = value if isinstance(value, Mapping) else {}
        offsets = value.get("globalOffsets")
        offsets = offsets if isinstance(offsets, Mapping) else value
        start, end = (_count(offsets.get(name)) for name in ("start", "end"))
        if start is None or end is None or not 0 <= start <= end <= 2 * len(text):
            line.refuse(f"{side} span", _("`start` and `end` must be whole numbers within the text."), f"{start}-{end}")
            return None
        labels = [each for key in _SPANS for each in _list(value.get(key)) if isinstance(each, str)]
        severity = _severity(labels)
        named = [label for label in labels if _severity([label]) is None]
        try:
            category = category_path(named[0]) if named else ""
        except CellError as error:
            line.refuse(f"{side} span", str(error), named[0])
            return None
        shown = value.get("text")
        found = _place(text, start, end, shown if isinstance(shown, str) else None)
        if found is None:
            message = _("The text of this mark does not stand at its place. Check `start`, `end` and `text`.")
            line.refuse(f"{side} span", message, f"{start}-{end}")
            return None
        self.counts["units"] += found != (start, end)
        place = {"side": side, "start": found[0], "end": found[1]}
        return {**place, "category": category, "severity": severity or "", "note": ""}

    def _judgments(
        self,
        line: Line,
        annotation: Mapping[str, Any],
        answer: _Answer,
        name: str,
        texts: Mapping[str, str | None],
    ) -> Iterator[JudgmentRow]:
        annotator = _annotator(annotation)
        if not line.check_name(annotator, "completed_by", 150):
            return
        started, submitted, elapsed = _times(annotation)
        values: dict[str, Any] = {"spans": answer.spans} if self.protocol in ("esa", "mqm") else {}
        rated = answer.ratings
        measures: list[tuple[str, float | None]] = list(rated.items())
        if self.protocol in ("esa", "direct_assessment"):
            first = next(iter(rated.values()), None)
            values |= {} if first is None else {"score": int(first) if first.is_integer() else first}
            measures = [] if first is None else [("score", first)]
        comment = "\n".join(answer.comments)
        whole = {"slots": {"A": values}, "comment": comment, "cannot_judge": None}
        for measure, number in measures or [("", None)]:
            yield JudgmentRow(
                line=line.number or 0,
                judgment=name,
                annotator=annotator,
                protocol=self.protocol,
                document=texts["document"] or "",
                segment=texts["segment"] or "",
                system=texts["system"] or "",
                slot="A",  # where systems share an output, their annotations are one judgment
                measure=measure[:100],
                value=number,
                started=started,
                submitted=submitted,
                elapsed_ms=elapsed,
                answer=cells.written_answer(whole) if values else "",
                source=texts["source"],
                translation=texts["target"],
                reference=texts["reference"],
                comment="" if values else comment,
            )


def _place(text: str, start: int, end: int, shown: str | None) -> tuple[int, int] | None:
    """In code points; None if the text of the span is not there, whichever way its ends are counted."""
    if shown is None:
        return (start, end) if end <= len(text) else None
    units = text.encode("utf-16-le", "surrogatepass")
    as_units = [len(units[: 2 * at].decode("utf-16-le", "replace")) for at in (start, end)]
    for first, last in ((start, end), (as_units[0], as_units[1])):
        if last <= len(text) and text[first:last].split() == shown.replace("\\n", "\n").split():
            return first, last
    return None


def _severity(labels: object) -> str | None:
    lower = [each.strip().lower() for each in _list(labels) if isinstance(each, str)]
    return next((each for each in lower if each in SEVERITIES), None)


def _annotator(annotation: Mapping[str, Any]) -> str:
    """Our own name for who judged, else the e-mail address or the number of the account there."""
    if own := _text(annotation.get("annotator")):
        return own
    by = annotation.get("completed_by")
    if isinstance(by, Mapping):
        return _text(by.get("email")) or _text(by.get("username")) or f"user {_text(by.get('id')) or '?'}"
    return by if isinstance(by, str) and by else f"user {by}" if _is_count(by) else "user ?"


def _times(annotation: Mapping[str, Any]) -> tuple[datetime | None, datetime | None, int | None]:
    try:
        submitted = datetime.fromisoformat(_text(annotation.get("created_at")) or "")
        submitted = submitted.replace(tzinfo=submitted.tzinfo or UTC).astimezone(UTC)
        seconds = _number(annotation.get("lead_time"))
        if seconds is None or not 0 <= seconds <= _LONGEST_TIME:
            return None, submitted, None
        return submitted - timedelta(seconds=seconds), submitted, round(1000 * seconds)
    except (ValueError, OverflowError):
        return None, None, None


def _objects(value: object) -> Sequence[Mapping[str, Any]]:
    return [each for each in _list(value) if isinstance(each, Mapping)]


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else [value] if isinstance(value, str) else []


def _text(value: object) -> str | None:
    if isinstance(value, str):
        return value
    return str(value) if _is_count(value) else None


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**15


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and _is_count(value) else None


def _number(value: object) -> float | None:
    """Where several may be given, the first."""
    first = next(iter(value), None) if isinstance(value, list) else value
    return (
        float(first) if isinstance(first, int | float) and not isinstance(first, bool) and abs(first) < 10**9 else None
    )
