"""Error spans as Appraise writes them: JSON with both ends included, or the word "missing" for an omission."""

from collections import Counter
from typing import Any

from django.utils.translation import gettext as _

from annotation.importing.reading import Reading
from campaigns.importing.json_values import JSONFault, read_json

SEVERITIES = ("neutral", "minor", "major", "critical")
MISSING = "missing"


class SpanReport:
    """Counts omissions, of which Appraise keeps no place, and names the lines of marks that were never finished."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.counts: Counter[str] = Counter()
        self.unfinished: list[int] = []

    def tell(self) -> None:
        if self.counts[MISSING]:
            message = _("%(count)d omissions have no place in the file; they stand at the beginning of the text.")
            self.reading.note(message % {"count": self.counts[MISSING]})
        if self.unfinished:
            message = _("Marks without a severity, taken as neutral: %(count)d, in lines %(lines)s.")
            shown = ", ".join(map(str, sorted(self.unfinished)[:20]))
            self.reading.note(message % {"count": len(self.unfinished), "lines": shown})


def marked_errors(text: str, line: int, report: SpanReport) -> list[dict[str, Any]]:
    """The spans of one row as an answer has them: half-open, an omission without extent."""
    if not text.strip():
        return []
    try:
        given = read_json(text)
    except JSONFault as error:
        report.reading.wrong(line, "spans", _("The spans are no JSON: %(reason)s.") % {"reason": error.reason}, text)
        return []
    if not isinstance(given, list):
        report.reading.wrong(line, "spans", _("The spans are no list."), text)
        return []
    spans = [_span(mark, line, report) for mark in given]
    return [span for span in spans if span is not None]


def _span(mark: Any, line: int, report: SpanReport) -> dict[str, Any] | None:
    if not isinstance(mark, dict):
        report.reading.wrong(line, "spans", _("A span is no object."), str(mark))
        return None
    start, end = mark.get("start_i"), mark.get("end_i")
    severity = str(mark.get("severity") or "").lower()
    if severity in ("", "undecided"):
        report.unfinished.append(line)
        severity = "neutral"
    if severity not in SEVERITIES:
        message = _("This is no severity. Known: %(known)s.") % {"known": ", ".join(SEVERITIES)}
        report.reading.wrong(line, "spans", message, severity)
        return None
    if MISSING in (start, end):
        report.counts[MISSING] += 1
        start, end = 0, -1
    if type(start) is not int or type(end) is not int or not (0 <= start <= end or (start, end) == (0, -1)):
        report.reading.wrong(line, "spans", _("A span needs a start not after its end."), str(mark))
        return None
    return {"side": "target", "start": start, "end": end + 1, "severity": severity, "note": ""}
