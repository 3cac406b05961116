"""`mt-metrics-eval-ratings` → neutral records: marked errors by line, with the texts in the neighbouring folders.

FILE is `NAME/human-scores/PAIR.KIND.RATER.seg.rating`: system, rating as JSON or None, rater; one line a segment for
each system. Of several raters the file `merged` has only one for each output: their own files beside it are read then.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from django.utils.translation import gettext as _

from annotation.protocols import PROTOCOLS
from annotation.taxonomies.typology import SEVERITIES
from exchange import cells
from exchange.cells import CellError
from exchange.formats.mt_metrics_eval import (
    NOT_JUDGED,
    Neighbours,
    Place,
    neighbours_of,
    places_of,
    take_languages,
    text_rows,
)
from exchange.formats.ratings_writer import MERGED
from exchange.formats.wmt_mqm_tsv import category_path
from exchange.json_values import JSONError, read_json
from exchange.reading import SourceFile
from exchange.staging.judgments import JudgmentRow, Reading, Row

ENDING = ".seg.rating"
NAMED = {"cesa": "cesa", "esa": "esa"}  # by the kind in the file's name; all others are mqm
WITHOUT_PLACE = -1


def read_seg_ratings(reading: Reading) -> Iterator[Row]:
    pair, _dot, kind = reading.name.removesuffix(ENDING).partition(".")
    files = _files(reading, pair, kind)
    counts: Counter[str] = Counter()
    for file in files:
        counts |= _counted(file, max(counts.values(), default=0))
    if not counts:
        reading.refuse(_("The file has no ratings."))
    around = neighbours_of(reading, pair, set(counts))
    places = places_of(around.documents, pair, max(counts.values()))
    if reading.problems.fatal:
        return
    take_languages(reading, pair)
    yield from text_rows(around, places)
    protocol = reading.protocol or NAMED.get(kind.partition(".")[0], "mqm")
    found = _Found(protocol)
    if len(places) == max(counts.values()):
        for number, file in enumerate(files):
            yield from _judgments(file, number, around, places, found)
    if found.tags:
        reading.options["tags"] = [{"name": name, "title": name.replace("_", " ")} for name in found.tags]
    message = _("Errors without a place (start -1), put at the start of the text: %(count)d.")
    reading.note_count(message, found.unplaced)


def _files(reading: Reading, pair: str, kind: str) -> list[SourceFile]:
    begin, _dot, rater = kind.rpartition(".")
    beside = sorted(reading.path.parent.glob(f"{pair}.{begin}.*{ENDING}")) if rater == MERGED else []
    own = [path for path in beside if path.name != reading.name]
    if not own:
        return [reading]
    reading.problems.note(_("Read instead of the file of all raters, their own: %(files)s.") % {
        "files": ", ".join(path.name for path in own)
    })  # fmt: skip
    return [SourceFile(path, path.name, reading.problems) for path in own]


@dataclass
class _Found:
    protocol: str
    tags: list[str] = field(default_factory=list)
    unplaced: int = 0

    @property
    def has_tags(self) -> bool:
        protocol = PROTOCOLS.get(self.protocol)
        return protocol is not None and any(option.name == "tags" for option in fields(protocol.options_class))


def _counted(file: SourceFile, before: int) -> Counter[str]:
    """How many lines each system has, which is as many as any other has, also in the files before."""
    counts: Counter[str] = Counter()
    last: dict[str, int] = {}
    for line, row in _rows(file):
        counts[row[0]] += 1
        last[row[0]] = line
        if error := _error_in_names(row):
            file.line(line).refuse("", error)
    usual = before or max(counts.values(), default=0)
    for system, count in counts.items():
        if count != usual:
            message = _(
                "%(system)s has %(count)d lines, another system %(usual)d. Each needs one line for each segment."
            )
            file.line(last[system]).refuse(
                "", message % {"system": system, "count": count, "usual": usual}, is_fatal=True
            )
    return counts


def _error_in_names(row: Sequence[str]) -> str:
    try:
        cells.check_name(row[0], longest=150, required=True)
        cells.check_name(row[2] if len(row) == 3 else "", longest=150, required=False)
    except CellError as error:
        return str(error)
    return ""


def _rows(file: SourceFile) -> Iterator[tuple[int, list[str]]]:
    for line, text in file.lines():
        row = text.strip().split("\t")
        if text.strip() and not 2 <= len(row) <= 3:
            file.line(line).refuse(
                "", _("A line must be a system, a rating and a rater, separated by tabs."), text[:100]
            )
        elif text.strip():
            yield line, [cell.strip() for cell in row]


def _judgments(
    file: SourceFile, number: int, around: Neighbours, places: Sequence[Place], found: _Found
) -> Iterator[JudgmentRow]:
    rater = file.name.removesuffix(ENDING).rpartition(".")[2][:150] or found.protocol
    shown: dict[str, Iterator[tuple[Place, str | None, str | None]]] = {}
    for line, (system, rating, *named) in _rows(file):
        place, source, target = next(shown.setdefault(system, _shown(around, system, places)))
        if rating == NOT_JUDGED or _error_in_names([system, rating, *named]):
            continue  # what is wrong with a name was told when lines were counted
        try:
            slot = _slot(rating, found)
        except CellError as error:
            file.line(line).refuse("rating", str(error), rating[:100])
            continue
        answer = {"slots": {"A": slot}, "comment": "", "cannot_judge": None}
        yield JudgmentRow(
            line=line,
            judgment=f"{number} {line}",
            annotator=(named[0] if named else "") or rater,
            protocol=found.protocol,
            document=place.document,
            segment=place.segment,
            system=system,
            answer=cells.written_answer(answer),
            source=source,
            translation=target,
        )


def _shown(around: Neighbours, system: str, places: Sequence[Place]) -> Iterator[tuple[Place, str | None, str | None]]:
    """Each segment with its texts, as far as there are files with them."""
    files = [around.texts.get(key) for key in (("source", ""), ("output", system))]
    lines = [_lines(file) if file else iter(lambda: None, 0) for file in files]
    yield from zip(places, *lines, strict=False)


def _lines(file: SourceFile) -> Iterator[str | None]:
    return (text for _line, text in file.lines())


def _slot(rating: str, found: _Found) -> dict[str, Any]:
    """Raises CellError. Where there are tags, an error at 0 with a category is one."""
    try:
        value = read_json(rating)
    except JSONError as wrong:
        raise CellError(_("The JSON of this rating cannot be read: %(reason)s.") % {"reason": wrong.reason}) from wrong
    errors = value.get("errors") if isinstance(value, dict) else value
    if not isinstance(errors, list) or not all(isinstance(error, dict) for error in errors):
        raise CellError(_("A rating must be an object with a list of errors, or None."))
    slot: dict[str, Any] = {"spans": []}
    for error in errors:
        span = _span(error, found)
        if found.has_tags and error.get("category") and span["start"] == span["end"] == 0:
            tag = error["category"]
            if tag not in found.tags:
                found.tags.append(tag)
            slot.setdefault("tags", []).append({"tag": tag, "severity": span["severity"]})
        else:
            slot["spans"].append(span)
    return slot


def _span(error: dict[str, Any], found: _Found) -> dict[str, Any]:
    """Half-open, as in the file."""
    start, end, category, severity = (error.get(name) for name in ("start", "end", "category", "severity"))
    if type(start) is not int or type(end) is not int:
        raise CellError(_("“start” and “end” of an error must be whole numbers."))
    if not isinstance(category or "", str) or not isinstance(severity, str):
        raise CellError(_("An error needs a severity, and its category must be a text."))
    if severity.strip().lower() not in SEVERITIES:
        raise CellError(_("Unknown severity. Known: %(known)s.") % {"known": ", ".join(SEVERITIES)})
    if start == WITHOUT_PLACE:
        found.unplaced += 1
        start = end = 0
    if not 0 <= start <= end:
        raise CellError(_("An error must not end before it starts."))
    span = {"start": start, "end": end, "severity": severity.strip().lower(), "note": ""}
    span["category"] = category_path(category or "")
    return {**span, "side": "source" if error.get("is_source_error") else "target"}
