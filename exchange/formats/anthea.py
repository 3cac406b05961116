"""`anthea` → neutral records: a project of Anthea, a line of JSON and then source, target, document, system, JSON.

The fifth column has what an earlier rater marked, as `prior_result`. Marks count tokens, both ends included: texts are
cut at blanks, which are tokens, and at zero-width spaces, which are not part of the text.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext as _

from annotation.taxonomies.typology import SEVERITIES
from exchange import cells
from exchange.cells import CellError
from exchange.formats.marot import Mark, mark_of, place_of
from exchange.json_values import JSONError, read_json
from exchange.reading import Line
from exchange.staging.judgments import JudgmentRow, Reading, Row, TextRow

CUT = "\u200b"
RATER = "rater"
_NO_MARKS = ("no-error", "hotw-test")
_ESCAPES = {"\\n": "\n", "\\t": "\t"}


@dataclass
class _Project:
    header: Mapping[str, Any]
    lines: int = 0
    judged: int = 0
    numbers: Counter[int] = field(default_factory=Counter)  # by hash: half of what the names would need

    def result_of(self, about: Mapping[str, Any]) -> Any:
        """In the line itself, or in the header by the number of the line."""
        listed = self.header.get("prior_results")
        place = self.lines - 1
        beside = listed[place] if isinstance(listed, list) and place < len(listed) else None
        return about.get("prior_result") or beside


def read_anthea(reading: Reading) -> Iterator[Row]:
    """Blank lines, and those of two cells, end a paragraph."""
    project: _Project | None = None
    for number, text in reading.lines():
        if not text.strip():
            continue
        if project is None:
            project = _Project(_header(text, reading, number))
            continue
        row = text.split("\t")
        if len(row) == 2:
            continue
        project.lines += 1
        try:
            yield from _rows_of(row, project, reading, reading.line(number))
        except CellError as error:
            reading.line(number).refuse("", str(error), text[:100])
    if (project is None or not project.judged) and not reading.problems.count:
        reading.refuse(_("The file has no “prior_result” with what somebody marked."))


def _header(text: str, reading: Reading, number: int) -> dict[str, Any]:
    try:
        header = read_json(text)
    except JSONError:
        header = None
    if not isinstance(header, dict):
        reading.refuse(_("The first line of a project of Anthea must be a JSON object, with its languages."), number)
    for side in ("source_language", "target_language"):
        if isinstance(language := header.get(side), str):
            setattr(reading, side, getattr(reading, side) or language)
    return header


def _rows_of(row: list[str], project: _Project, reading: Reading, line: Line) -> Iterator[Row]:
    """Raises CellError."""
    if not 4 <= len(row) <= 5:
        message = _("Cells: %(count)d. A line has source, target, document, system and perhaps JSON, after tabs.")
        raise CellError(message % {"count": len(row)})
    marked = {"source": _unescaped(row[0]), "target": _unescaped(row[1])}
    document = cells.check_name(row[2].strip(), longest=255, required=True)
    system = cells.check_name(row[3].strip(), longest=150, required=True)
    about = _about(row[4] if len(row) == 5 else "")
    rater = about.get("prior_rater") or project.header.get("prior_rater") or RATER
    if not isinstance(rater, str):
        raise CellError(_("“prior_rater” must be a text."))
    rater = cells.check_name(rater, longest=150, required=True)
    project.numbers[place := hash((rater, document, system))] += 1
    segment = str(project.numbers[place])
    texts = {side: text.replace(CUT, "") for side, text in marked.items()}
    yield TextRow(document, segment, system=system, source=texts["source"], translation=texts["target"])
    for name, text in _references(about).items():
        yield TextRow(document, segment, reference_name=name, reference=text)
    result = project.result_of(about)
    if result is None or (isinstance(result, dict) and result.get("visited") is False):
        return
    answer = {"slots": {"A": {"spans": _spans(result, marked)}}, "comment": "", "cannot_judge": None}
    project.judged += 1
    yield JudgmentRow(
        line=line.number or 0,
        judgment=str(line.number),
        annotator=rater,
        protocol=reading.protocol or "mqm",
        document=document,
        segment=segment,
        system=system,
        submitted=_moment(result.get("timestamp")),
        answer=cells.written_answer(answer),
        source=texts["source"],
        translation=texts["target"],
    )


def _unescaped(text: str) -> str:
    for written, sign in _ESCAPES.items():
        text = text.replace(written, sign)
    return cells.check_text(text)


def _about(cell: str) -> dict[str, Any]:
    if not cell.strip():
        return {}
    try:
        about = read_json(cell)
    except JSONError as error:
        raise CellError(_("The JSON of this cell cannot be read: %(reason)s.") % {"reason": error.reason}) from error
    if not isinstance(about, dict):
        raise CellError(_("The fifth cell must be a JSON object."))
    return about


def _references(about: Mapping[str, Any]) -> dict[str, str]:
    references = about.get("references") or {}
    if not isinstance(references, dict) or not all(isinstance(text, str) for text in references.values()):
        raise CellError(_("“references” must be an object of texts by name."))
    return {name.removeprefix("ref").lstrip("_")[:100] or name[:100]: text for name, text in references.items()}


def _spans(result: object, marked: Mapping[str, str]) -> list[dict[str, Any]]:
    errors = result.get("errors") if isinstance(result, dict) else None
    if not isinstance(errors, list):
        raise CellError(_("“prior_result” must be an object with a list of errors."))
    spans = []
    for error in errors:
        mark = mark_of(error, "")
        if mark.severity in _NO_MARKS or error.get("marked_deleted"):
            continue
        if mark.severity not in SEVERITIES:
            raise CellError(_("Unknown severity. Known: %(known)s.") % {"known": ", ".join(SEVERITIES)})
        start, end = _place(mark, marked[mark.side])
        about = error.get("metadata")
        note = (about.get("note") if isinstance(about, dict) else "") or ""
        span = {"side": mark.side, "start": start, "end": end, "category": mark.category, "severity": mark.severity}
        spans.append({**span, "note": str(note)})
    return spans


def _place(mark: Mark, text: str) -> tuple[int, int]:
    """In code points of the text without cuts; an error without words is at its start."""
    plain = text.replace(CUT, "")
    place = place_of(mark, plain, tokens_of(text))
    if place is not None and (not mark.words or plain[slice(*place)] == mark.words):
        return place
    place = place_of(mark._replace(first=None), plain, ())
    if place is None and (mark.words or mark.first is not None):
        message = _("An error from token %(first)s to %(last)s is not at that place of the text.")
        raise CellError(message % {"first": mark.first, "last": mark.last})
    return place or (0, 0)


def tokens_of(text: str) -> list[str]:
    """Joined they are the text without its cuts."""
    tokens: list[str] = []
    for piece in text.split(CUT):
        start = 0
        for place, sign in enumerate(piece):
            if sign == " ":
                tokens += [piece[start:place], sign] if place > start else [sign]
                start = place + 1
        tokens += [piece[start:]] if start < len(piece) else []
    return tokens


def _moment(time: object) -> datetime | None:
    """Milliseconds since 1970."""
    if time is None:
        return None
    if not isinstance(time, int | float) or not 0 <= time < 7_258_118_400_000:
        raise CellError(_("“timestamp” must be a time in milliseconds."))
    return datetime.fromtimestamp(time / 1000, tz=UTC)
