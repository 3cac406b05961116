"""WMT's XML test sets: `doc` with one `src`, any number of `ref` and `hyp`, and in them `seg` by id.

Read as a stream, one document in memory at a time. Entities are refused: a test set needs none, and they are how an
XML file reads other files or fills the memory.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from campaigns.actions.test_sets import SegmentRecord
from campaigns.reading.problems import Problems, UnreadableFileError
from campaigns.reading.table_rows import LONGEST_ROW
from exchange.formats.xml_stream import BLOCK, XmlStream
from exchange.reading import SourceFile, WrongSegment

LONGEST_DOCUMENT = 5 * LONGEST_ROW  # characters
KNOWN = {"dataset", "collection", "refset", "srcset", "tstset", "mteval", "doc", "src", "ref", "hyp", "p", "hl", "seg"}
NO_OUTPUT = "FAILED"  # how WMT writes that a system returned nothing
_TRANSPARENT = KNOWN - {"doc", "src", "ref", "hyp", "seg"}


@dataclass
class _Side:
    """One language of a document: texts by segment, each with its line."""

    kind: str
    name: str
    texts: dict[str, tuple[str, int]] = field(default_factory=dict)


@dataclass
class _Document:
    name: str
    line: int
    domain: str = ""
    title: str = ""
    sides: list[_Side] = field(default_factory=list)


class _Reader(XmlStream):
    """Collects expat's events into documents."""

    def __init__(self, name: str, problems: Problems) -> None:
        super().__init__(name, problems)
        self.finished: list[_Document] = []
        self.languages: dict[str, str] = {}
        self._document: _Document | None = None
        self._side: _Side | None = None
        self._segment: tuple[str, int] | None = None
        self._text: list[str] = []

    def check_size(self) -> None:
        """What is in memory is the current document."""
        super().check_size()
        if self.held > LONGEST_DOCUMENT:
            self.refuse("", "A document is too long to be read. Split it, if this is a test set.")
            raise UnreadableFileError

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        self.seen = self.parser.CurrentByteIndex
        if element == "doc":
            self._start_document(attributes)
        elif element in ("src", "ref", "hyp") and self._document is not None:
            self._start_side(element, attributes)
        elif element == "seg" and self._side is not None:
            self._segment = (attributes.get("id", "").strip(), self.parser.CurrentLineNumber)
            self._text = []
        elif element not in _TRANSPARENT:
            self.problems.note(f"The element <{element}> is unknown; its text is read as part of the segment.")

    def _start_document(self, attributes: dict[str, str]) -> None:
        name = attributes.get("id", "").strip()
        if not name:
            self.refuse("doc id", "This document has no id. Give every document its own.")
        known = ("domain", "genre", "title", "id", "origlang", "testsuite", "sysid", "docid")
        for attribute in sorted(set(attributes) - set(known)):
            self.problems.note(f"The attribute {attribute!r} of <doc> is unknown and was ignored.")
        domain = attributes.get("domain") or attributes.get("genre") or attributes.get("testsuite") or ""
        self._document = _Document(name, self.parser.CurrentLineNumber, domain[:100], attributes.get("title", "")[:255])

    def _start_side(self, element: str, attributes: dict[str, str]) -> None:
        names = {"src": "", "ref": attributes.get("translator", "A"), "hyp": attributes.get("system", "")}
        self.languages.setdefault("source" if element == "src" else "target", attributes.get("lang", ""))
        name = names[element].strip()
        if element == "hyp" and not name:
            self.refuse("hyp system", "This translation does not name its system. Add the attribute system.")
        side = _Side(element, name)
        document = self._document
        if document is not None:
            if any(other.kind == element and other.name == name for other in document.sides):
                self.refuse(element, f"<{element}> {name!r} occurs twice in this document. Keep one.")
            document.sides.append(side)
        self._side = side

    def _characters(self, text: str) -> None:
        self.seen = self.parser.CurrentByteIndex
        if self._segment is not None:
            self._text.append(text)
            self.held += len(text)

    def _end(self, element: str) -> None:
        if element == "seg" and self._side is not None and self._segment is not None:
            self._end_segment(self._side, *self._segment)
            self._segment = None
        elif element in ("src", "ref", "hyp"):
            self._side = None
        elif element == "doc" and self._document is not None:
            self.finished.append(self._document)
            self._document, self.held = None, 0

    def _end_segment(self, side: _Side, segment: str, line: int) -> None:
        if segment in side.texts:
            self.refuse("seg id", f"Segment {segment} occurs twice in this part of the document.", is_fatal=False)
        else:
            side.texts[segment] = ("".join(self._text).strip(), line)


def read_wmt_xml(file: SourceFile) -> Iterator[SegmentRecord | WrongSegment]:
    reader = _Reader(file.name, file.problems)
    count = 0
    with file.path.open("rb") as stream:
        while True:
            block = stream.read(BLOCK)
            reader.feed(block)
            for document in reader.finished:
                count += 1
                yield from _records(document, file)
            reader.finished.clear()
            if not block:
                break
    if not count:
        file.line().refuse("doc", "The file has no <doc>. Check that it is a WMT test set.", is_fatal=True)


def languages_of(path: Path) -> dict[str, str]:
    """The languages that the beginning of a file names, as source and target; empty if it names none."""
    reader = _Reader(path.name, Problems())
    with path.open("rb") as stream:
        try:
            reader.parser.Parse(stream.read(BLOCK), False)
        except (expat.ExpatError, UnreadableFileError, ValueError, LookupError):
            return {}
    return {side: language for side, language in reader.languages.items() if language}


def _records(document: _Document, file: SourceFile) -> Iterator[SegmentRecord | WrongSegment]:
    sources = [side for side in document.sides if side.kind == "src"]
    if len(sources) != 1:
        message = f"The document {document.name!r} has {len(sources)} <src>; it needs one."
        file.line(document.line).refuse("src", message, is_fatal=True)
        return
    others = [side for side in document.sides if side.kind != "src"]
    for side in others:
        for segment, (_text, line) in side.texts.items():
            if segment not in sources[0].texts:
                message = f"Segment {segment} of {side.kind} {side.name!r} has no source. Correct its id."
                file.line(line).refuse("seg id", message)
    for segment, (source, line) in sources[0].texts.items():
        record = _record(document, segment, (source, line), others, file)
        if record is not None:
            yield record


def _record(
    document: _Document, segment: str, source: tuple[str, int], others: list[_Side], file: SourceFile
) -> SegmentRecord | WrongSegment | None:
    """A translation without this segment, or with FAILED in its place, is a gap of its system."""
    first = file.line(source[1])
    places = [first.check_name(document.name, "document"), first.check_name(segment, "segment")]
    if not all(places):
        return None
    before = file.problems.count
    first.check_text(source[0], "source", "source")
    texts: dict[str, dict[str, str]] = {"ref": {}, "hyp": {}}
    for side in others:
        text, number = side.texts.get(segment, (NO_OUTPUT if side.kind == "hyp" else "", source[1]))
        line = file.line(number)
        line.check_short(side.name, side.kind)
        line.check_text(text, f"{side.kind} {side.name}", "translation" if side.kind == "hyp" else "reference")
        if side.kind == "ref" or text != NO_OUTPUT:
            texts[side.kind][side.name] = text
    if file.problems.count > before:
        return WrongSegment(document.name, segment, file.name, source[1])
    return SegmentRecord(
        document=document.name,
        segment=segment,
        source=source[0],
        references=texts["ref"],
        translations=texts["hyp"],
        title=document.title,
        domain=document.domain,
        file=file.name,
        line=source[1],
    )
