"""`mt-metrics-eval` → neutral records: human scores by line, with the texts in the neighbouring folders.

FILE is `NAME/human-scores/PAIR.KIND.seg.score`, one line a segment for each system; beside `human-scores` lie
`documents/PAIR.docs`, `sources/PAIR.txt`, `references/PAIR.NAME.txt` and `system-outputs/PAIR/SYSTEM.txt`, any of which
may be missing. All segments and outputs become the test set, judged or not.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from exchange import cells
from exchange.cells import CellError
from exchange.reading import SourceFile
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


class Neighbours(NamedTuple):
    """Files beside the scores: the list of documents, and texts by kind (source, reference, output) and name."""

    documents: SourceFile | None
    texts: dict[tuple[str, str], SourceFile]


def read_mt_metrics_eval(reading: Reading) -> Iterator[Row]:
    """The records of sound files; errors in any of them go to the problems."""
    pair, _dot, score = reading.name.removesuffix(ENDING).partition(".")
    counts = _check_scores(reading)
    around = neighbours_of(reading, pair, set(counts))
    for file in (around.documents, *around.texts.values()):
        if file is not None:
            file.check_is_text()
    places = places_of(around.documents, pair, max(counts.values()))
    if reading.problems.count:
        return
    take_languages(reading, pair)
    yield from text_rows(around, places)
    if not reading.problems.count:
        kind = _kind(reading, score)
        message = _("Read as %(protocol)s by one annotator, “%(score)s”.")
        reading.problems.note(message % {**kind._asdict(), "score": score})
        yield from _judgments(reading, kind, score or kind.protocol, places)


def _kind(reading: Reading, score: str) -> Kind:
    """The requested protocol, else by the name of the score."""
    if reading.protocol:
        return next(
            (kind for kind in KINDS.values() if kind.protocol == reading.protocol), Kind(reading.protocol, "score")
        )
    return next((kind for begins, kind in KINDS.items() if score.lower().startswith(begins)), USUAL)


def neighbours_of(reading: Reading, pair: str, judged: set[str]) -> Neighbours:
    """A reference that was judged beside the systems is also an output."""
    path = reading.path.resolve()
    if path.parent.name != "human-scores":
        return Neighbours(None, {})
    home = path.parent.parent
    documents, source = home / "documents" / f"{pair}.docs", home / "sources" / f"{pair}.txt"
    references = {
        each.name[len(pair) + 1 : -len(".txt")]: each for each in sorted((home / "references").glob(f"{pair}.*.txt"))
    }
    outputs = {name: each for name, each in references.items() if name in judged}
    outputs |= {each.stem: each for each in sorted((home / "system-outputs" / pair).glob("*.txt"))}
    texts = {("source", ""): source} if source.is_file() else {}
    texts |= {("reference", name): each for name, each in references.items()}
    texts |= {("output", name): each for name, each in outputs.items()}
    return Neighbours(
        SourceFile(documents, documents.name, reading.problems) if documents.is_file() else None,
        {key: SourceFile(each, each.name, reading.problems) for key, each in texts.items()},
    )


def _check_scores(reading: Reading) -> Counter[str]:
    """How many lines each system has, which is as many as any other has."""
    counts: Counter[str] = Counter()
    last: dict[str, int] = {}
    for line, system, score in _scores(reading):
        counts[system] += 1
        last[system] = line
        try:
            cells.check_name(system, longest=150, required=True)
            if score != NOT_JUDGED and cells.parse_number(score) is None:
                raise CellError(_("This cell is empty. Write None where there is no judgment."))
        except CellError as error:
            reading.line(line).refuse("", str(error), f"{system} {score}")
    if not counts:
        reading.refuse(_("The file has no scores."))
    usual = max(counts.values())
    for system, count in counts.items():
        if count != usual:
            message = _(
                "%(system)s has %(count)d lines, another system %(usual)d. Each needs one line for each segment."
            )
            reading.line(last[system]).refuse("", message % {"system": system, "count": count, "usual": usual})
    return counts


def _judgments(reading: Reading, kind: Kind, annotator: str, places: Sequence[Place]) -> Iterator[JudgmentRow]:
    seen: Counter[str] = Counter()
    for line, system, score in _scores(reading):
        seen[system] += 1
        if score != NOT_JUDGED:
            place = places[seen[system] - 1]
            yield JudgmentRow(
                line=line,
                judgment=str(line),
                annotator=annotator,
                protocol=kind.protocol,
                document=place.document,
                segment=place.segment,
                system=system,
                measure=kind.measure,
                value=kind.sign * float(score) + 0.0,
            )


def _scores(reading: Reading) -> Iterator[tuple[int, str, str]]:
    """Line, system and score; read once for errors, once more for the judgments."""
    for line, text in reading.lines():
        row = text.split("\t") if "\t" in text else text.split()
        if text.strip() and len(row) != 2:
            reading.line(line).refuse("", _("A line must be a system, a tab and a score."), text)
        elif text.strip():
            yield line, row[0].strip(), row[1].strip()


def places_of(documents: SourceFile | None, pair: str, count: int) -> list[Place]:
    """Document, segment and domain of each line; without a list of documents all lines are one document."""
    if documents is None:
        return [Place(pair, str(number), "") for number in range(1, count + 1)]
    places: list[Place] = []
    numbers: Counter[str] = Counter()
    for line, text in documents.lines():
        domain, tab, document = text.partition("\t")
        try:
            name = cells.check_name((document if tab else domain).strip(), longest=255, required=True)
            cells.check_name(domain, longest=100, required=False)
        except CellError as error:
            documents.line(line).refuse("", str(error), text)
            continue
        numbers[name] += 1
        places.append(Place(name, str(numbers[name]), domain.strip() if tab else ""))
    if not documents.problems.count:
        _check_length(documents, len(places), count)
    return places


def _check_length(file: SourceFile, lines: int, count: int) -> None:
    if lines != count:
        message = _("Lines: %(lines)d, but scores of every system: %(count)d.") % {"lines": lines, "count": count}
        file.line().refuse("", message, is_fatal=True)


def take_languages(reading: Reading, pair: str) -> None:
    """Those of the files' names, where none were given."""
    source, _dash, target = pair.partition("-")
    reading.source_language = reading.source_language or source
    reading.target_language = reading.target_language or target


def text_rows(around: Neighbours, places: Sequence[Place]) -> Iterator[TextRow]:
    """All texts, segment by segment."""
    for place, *lines in zip(places, *(file.lines() for file in around.texts.values()), strict=False):
        texts = {
            key: _checked(file, number, text)
            for (key, file), (number, text) in zip(around.texts.items(), lines, strict=True)
        }
        yield from _rows_of(place, texts)
    for file in around.texts.values():
        _check_length(file, sum(1 for _line in file.lines()), len(places))


def _checked(file: SourceFile, line: int, text: str) -> str:
    try:
        return cells.check_text(text)
    except CellError as error:
        file.line(line).refuse("", str(error), text)
        return ""


def _rows_of(place: Place, texts: Mapping[tuple[str, str], str]) -> Iterator[TextRow]:
    document, segment, domain = place
    yield TextRow(document, segment, domain=domain, source=texts.get(("source", "")))
    for (kind, name), text in texts.items():
        if kind == "reference":
            label = name.removeprefix("ref") or name
            yield TextRow(document, segment, domain=domain, reference_name=label, reference=text)
        elif kind == "output":
            yield TextRow(document, segment, domain=domain, system=name, translation=text)
