"""`mt-metrics-eval` → neutral records: human scores by line, with the texts in the neighbouring folders.

FILE is `NAME/human-scores/PAIR.KIND.seg.score`, one line a segment for each system; beside `human-scores` lie
`documents/PAIR.docs`, `sources/PAIR.txt`, `references/PAIR.NAME.txt` and `system-outputs/PAIR/SYSTEM.txt`, any of which
may be missing. All segments and outputs become the test set, judged or not.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from django.utils.translation import gettext as _

from campaigns.reading.problems import Problems, UnreadableFileError
from campaigns.reading.table_rows import numbered_lines
from exchange import cells
from exchange.cells import CellError
from exchange.reading import check_is_text, open_text
from exchange.staging.judgments import JudgmentRow, Reading, Row, TextRow

ENDING = ".seg.score"
NOT_JUDGED = "None"


class Kind(NamedTuple):
    """`sign` turns the file's number into the measure's."""

    protocol: str
    measure: str
    sign: int = 1


# by how the name of the score begins
KINDS = {"mqm": Kind("mqm", "penalty", -1), "esa": Kind("esa", "score"), "da": Kind("direct_assessment", "score")}
USUAL = KINDS["da"]


class Place(NamedTuple):
    document: str
    segment: str
    domain: str


@dataclass(frozen=True)
class Neighbours:
    """The files beside the scores, by content."""

    documents: Path | None = None
    source: Path | None = None
    references: dict[str, Path] = field(default_factory=dict)
    outputs: dict[str, Path] = field(default_factory=dict)

    @property
    def all(self) -> list[Path]:
        return [*([self.documents] if self.documents else []), *self.texts]

    @property
    def texts(self) -> list[Path]:
        return [*([self.source] if self.source else []), *self.references.values(), *self.outputs.values()]


def read_mt_metrics_eval(reading: Reading) -> Iterator[Row]:
    """The records of sound files; errors in any of them go to the problems."""
    pair, _dot, score = _stem(reading.file).partition(".")
    systems = _Systems(reading)
    count = systems.check()
    around = _neighbours(reading.path, pair, systems.names)
    for path in around.all:
        check_is_text(path, path.name, reading.problems)
    places = _places(reading, around, pair, count)
    if reading.problems.count:
        return
    source, _dash, target = pair.partition("-")
    reading.source_language = reading.source_language or source
    reading.target_language = reading.target_language or target
    yield from _texts(reading, around, places)
    if not reading.problems.count:
        kind = _kind(reading, score)
        reading.note(_("Read as %(protocol)s by one annotator, “%(score)s”.") % {**kind._asdict(), "score": score})
        yield from systems.judgments(kind, score or kind.protocol, places)


def _stem(file: str) -> str:
    return file.removesuffix(ENDING)


def _kind(reading: Reading, score: str) -> Kind:
    """The requested protocol, else by the name of the score."""
    if reading.protocol:
        return next(
            (kind for kind in KINDS.values() if kind.protocol == reading.protocol), Kind(reading.protocol, "score")
        )
    return next((kind for begins, kind in KINDS.items() if score.lower().startswith(begins)), USUAL)


def _neighbours(path: Path, pair: str, judged: set[str]) -> Neighbours:
    """A reference that was judged beside the systems is an output too."""
    home = path.resolve().parent.parent
    if path.resolve().parent.name != "human-scores":
        return Neighbours()
    documents, source = home / "documents" / f"{pair}.docs", home / "sources" / f"{pair}.txt"
    paths = sorted((home / "references").glob(f"{pair}.*.txt"))
    references = {each.name[len(pair) + 1 : -len(".txt")]: each for each in paths}
    outputs = {each.stem: each for each in sorted((home / "system-outputs" / pair).glob("*.txt"))}
    return Neighbours(
        documents=documents if documents.is_file() else None,
        source=source if source.is_file() else None,
        references=references,
        outputs={name: references[name] for name in references if name in judged} | outputs,
    )


class _Systems:
    """The file of scores: read once for errors, once more for the judgments."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.names: set[str] = set()

    def check(self) -> int:
        """Checks the file; returns how many segments each system has a line for."""
        counts: dict[str, int] = {}
        last: dict[str, int] = {}
        for line, system, score in self._lines():
            counts[system] = counts.get(system, 0) + 1
            last[system] = line
            try:
                cells.check_name(system, longest=150, required=True)
                if score != NOT_JUDGED and cells.parse_number(score) is None:
                    raise CellError(_("This cell is empty. Write None where there is no judgment."))
            except CellError as error:
                self.reading.wrong(line, "", str(error), f"{system} {score}")
        if not counts:
            self.reading.problems.add(self.reading.file, None, "", _("The file has no scores."), is_fatal=True)
            raise UnreadableFileError
        self.names = set(counts)
        usual = max(counts.values())
        for system, count in counts.items():
            if count != usual:
                message = _(
                    "%(system)s has %(count)d lines, another system %(usual)d. Each needs one line for each segment."
                )
                self.reading.wrong(last[system], "", message % {"system": system, "count": count, "usual": usual})
        return usual

    def judgments(self, kind: Kind, annotator: str, places: Sequence[Place]) -> Iterator[JudgmentRow]:
        seen: dict[str, int] = {}
        for line, system, score in self._lines():
            at = seen[system] = seen.get(system, -1) + 1
            if score == NOT_JUDGED:
                continue
            document, segment, _domain = places[at]
            yield JudgmentRow(
                line=line,
                judgment=str(line),
                annotator=annotator,
                protocol=kind.protocol,
                document=document,
                segment=segment,
                system=system,
                measure=kind.measure,
                value=kind.sign * float(score) + 0.0,
            )

    def _lines(self) -> Iterator[tuple[int, str, str]]:
        for line, text in _text_lines(self.reading.path, self.reading.problems):
            row = text.split("\t") if "\t" in text else text.split()
            if not text.strip():
                continue
            if len(row) != 2:
                self.reading.wrong(line, "", _("A line must be a system, a tab and a score."), text)
                continue
            yield line, row[0].strip(), row[1].strip()


def _text_lines(path: Path, problems: Problems) -> Iterator[tuple[int, str]]:
    with open_text(path, newline="\n") as stream:
        for line, text in numbered_lines(stream, path.name, problems):
            yield line, text.rstrip("\r\n")


def _places(reading: Reading, around: Neighbours, pair: str, count: int) -> list[Place]:
    """Document, segment and domain of each line; without a list of documents all lines are one document."""
    if around.documents is None:
        return [Place(pair, str(number), "") for number in range(1, count + 1)]
    places: list[Place] = []
    numbers: dict[str, int] = {}
    for line, text in _text_lines(around.documents, reading.problems):
        domain, tab, document = text.partition("\t")
        try:
            name = cells.check_name((document if tab else domain).strip(), longest=255, required=True)
            cells.check_name(domain, longest=100, required=False)
        except CellError as error:
            reading.problems.add(around.documents.name, line, "", str(error), text)
            continue
        numbers[name] = numbers.get(name, 0) + 1
        places.append(Place(name, str(numbers[name]), domain.strip() if tab else ""))
    if len(places) != count and not reading.problems.count:
        _report_length(reading, around.documents, len(places), count)
    return places


def _report_length(reading: Reading, path: Path, lines: int, count: int) -> None:
    message = _("%(lines)d lines, but every system has %(count)d scores.") % {"lines": lines, "count": count}
    reading.problems.add(path.name, None, "", message, is_fatal=True)


def _texts(reading: Reading, around: Neighbours, places: Sequence[Place]) -> Iterator[TextRow]:
    """All texts, segment by segment."""
    names: list[tuple[str, str]] = [("source", "")] if around.source else []
    names += [("reference", name) for name in around.references]
    names += [("output", name) for name in around.outputs]
    with ExitStack() as stack:
        opened = [stack.enter_context(open_text(path, newline="\n")) for path in around.texts]
        files = [
            (text for _line, text in numbered_lines(stream, path.name, reading.problems))
            for stream, path in zip(opened, around.texts, strict=True)
        ]
        number = 0
        for number, texts in enumerate(zip_longest(*files), start=1):
            if number > len(places) or None in texts:
                break
            plain = [_checked(reading, path, number, text) for path, text in zip(around.texts, texts, strict=True)]
            yield from _rows_of(places[number - 1], list(zip(names, plain, strict=True)))
    if not files:
        yield from (TextRow(document=place.document, segment=place.segment, domain=place.domain) for place in places)
        return
    for path in around.texts:
        if (length := sum(1 for _line in _text_lines(path, reading.problems))) != len(places):
            _report_length(reading, path, length, len(places))


def _checked(reading: Reading, path: Path, line: int, text: str) -> str:
    try:
        return cells.check_text(text.rstrip("\r\n"))
    except CellError as error:
        reading.problems.add(path.name, line, "", str(error), text)
        return ""


def _rows_of(place: Place, texts: Sequence[tuple[tuple[str, str], str]]) -> Iterator[TextRow]:
    document, segment, domain = place
    source = next((text for (kind, _name), text in texts if kind == "source"), None)
    yield TextRow(document=document, segment=segment, domain=domain, source=source)
    for (kind, name), text in texts:
        if kind == "reference":
            label = name.removeprefix("ref") or name
            yield TextRow(document, segment, domain=domain, reference_name=label, reference=text)
        elif kind == "output":
            yield TextRow(document, segment, domain=domain, system=name, translation=text)
