"""XML as a stream, in memory that does not grow with the file.

Entities are refused: texts need none, and they are how an XML file reads other files or fills the memory. A DOCTYPE
alone is read over; the file that it names is never opened.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from django.utils.translation import gettext as _

from campaigns.reading.problems import Problems, UnreadableFileError
from campaigns.reading.table_rows import LONGEST_ROW
from exchange.reading import SourceFile

BLOCK = 1 << 16
DEEPEST = 60  # levels within one unit
_COST = 100  # characters that an element counts for, whatever is in it
_PREFIXES = {
    "urn:oasis:names:tc:xliff:matches:2.0": "mtc:",
    "http://www.w3.org/2005/11/its": "its:",
    "http://www.w3.org/XML/1998/namespace": "xml:",
}
_OWN = ("urn:oasis:names:tc:xliff:document:", "http://www.lisa.org/tmx")


class XmlStream(ABC):
    """Feeds a file to expat, and refuses what is not valid or too large. `held`: characters that are in memory."""

    separator: str | None = None

    def __init__(self, name: str, problems: Problems) -> None:
        self.name, self.problems = name, problems
        self.encoding = ""
        self.fed = self.seen = self.held = 0
        self.parser = expat.ParserCreate(namespace_separator=self.separator)
        self.parser.XmlDeclHandler = self._declared
        self.parser.DefaultHandler = self._passed
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.EntityDeclHandler = self._entity
        self.parser.ExternalEntityRefHandler = self._entity

    def feed(self, block: bytes) -> None:
        """The next bytes; none of them is the end."""
        try:
            self.parser.Parse(block, not block)
            self.fed += len(block)
            self.check_size()
        except (ValueError, LookupError) as error:  # raised by Python for an encoding that expat requested
            encoding = self.encoding or "?"
            message = f"The encoding {encoding} is not supported. Save the file as UTF-8."
            self.problems.add(self.name, 1, "encoding", message, is_fatal=True)
            raise UnreadableFileError from error
        except expat.ExpatError as error:
            message = f"The XML is not valid here: {expat.ErrorString(error.code)}."
            self.problems.add(self.name, error.lineno, f"column {error.offset + 1}", message, is_fatal=True)
            raise UnreadableFileError from error

    def check_size(self) -> None:
        """Of a tag or comment that has not ended yet; subclasses limit what they hold."""
        if self.fed - self.seen > LONGEST_ROW:
            self.refuse("", "A tag or a comment is too long to be read. Split it, if this is a test set.")
            raise UnreadableFileError

    def refuse(self, column: str, message: str, value: str = "", *, is_fatal: bool = True) -> None:
        self.problems.add(self.name, self.parser.CurrentLineNumber, column, message, value, is_fatal=is_fatal)

    def _declared(self, _version: str, encoding: str | None, _standalone: int) -> None:
        self.encoding = encoding or ""

    def _passed(self, text: str) -> None:
        """Comments, blanks, declarations: only notes how far the parser has come. An entity must not be lost here."""
        self.seen = self.parser.CurrentByteIndex
        if text.startswith("&"):
            self._entity()

    def _entity(self, *_details: object) -> int:
        message = "The file declares an entity. For safety, entities are not read. Replace them by their text."
        self.refuse("", message)
        raise UnreadableFileError

    @abstractmethod
    def _start(self, element: str, attributes: dict[str, str]) -> None: ...

    @abstractmethod
    def _end(self, element: str) -> None: ...

    @abstractmethod
    def _characters(self, text: str) -> None: ...


@dataclass
class Element:
    """Names and attributes have a prefix if they are of another namespace than the file's own: mtc:match, xml:lang."""

    name: str
    line: int
    attributes: dict[str, str]
    children: list["Element | str"] = field(default_factory=list)

    def all(self, name: str) -> list["Element"]:
        return [child for child in self.children if isinstance(child, Element) and child.name == name]

    def first(self, name: str) -> "Element | None":
        return next(iter(self.all(name)), None)

    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)


class _Elements(XmlStream):
    separator = " "

    def __init__(self, name: str, problems: Problems, wholes: Collection[str]) -> None:
        super().__init__(name, problems)
        self.ready: list[Element] = []
        self._wholes = wholes
        self._open: list[Element] = []

    def check_size(self) -> None:
        super().check_size()
        if self.held > LONGEST_ROW:
            self.refuse(
                "", _("A unit is too long to be read: more than %(count)d characters.") % {"count": LONGEST_ROW}
            )
            raise UnreadableFileError

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        self.seen = self.parser.CurrentByteIndex
        values = {_local(name): value for name, value in attributes.items()}
        opened = Element(_local(element), self.parser.CurrentLineNumber, values)
        if not self._open and opened.name not in self._wholes:
            self.ready.append(opened)
            return
        if self._open:
            self._open[-1].children.append(opened)
        self._open.append(opened)
        self.held += _COST + sum(map(len, values.values()))
        if len(self._open) > DEEPEST:
            self.refuse("", _("Elements in each other, too many: more than %(count)d.") % {"count": DEEPEST})
            raise UnreadableFileError

    def _end(self, element: str) -> None:  # noqa: ARG002 - expat's own
        self.seen = self.parser.CurrentByteIndex
        if not self._open:
            return
        closed = self._open.pop()
        if not self._open:
            self.ready.append(closed)
            self.held = 0

    def _characters(self, text: str) -> None:
        self.seen = self.parser.CurrentByteIndex
        if self._open:
            self._open[-1].children.append(text)
            self.held += len(text)


def read_elements(file: SourceFile, wholes: Collection[str]) -> Iterator[Element]:
    """In the order of the file: `wholes` with everything in them, of all others the tag alone, when it opens."""
    stream = _Elements(file.name, file.problems, wholes)
    with file.path.open("rb") as blocks:
        while True:
            block = blocks.read(BLOCK)
            stream.feed(block)
            yield from stream.ready
            stream.ready.clear()
            if not block:
                break


def _local(name: str) -> str:
    space, _blank, local = name.rpartition(" ")
    return local if not space or space.startswith(_OWN) else _PREFIXES.get(space, "other:") + local
