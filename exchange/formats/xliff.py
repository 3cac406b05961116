"""`xliff`, versions 1.2 and 2.x → segments: files are documents; targets and full matches are outputs of systems.

`xliff_writer` writes both versions; docs/formats.md says what is read and what is lost.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from django.utils.translation import gettext as _

from campaigns.actions.test_sets import SegmentRecord
from campaigns.reading.problems import Problems, UnreadableFileError
from exchange.formats.inline_codes import as_text, literal_codes
from exchange.formats.test_set_table import NONE, Column, as_chosen, check_columns, columns_called, parted
from exchange.formats.xml_stream import Element, read_elements
from exchange.reading import SourceFile, WrongSegment
from exchange.staging.bilingual import REFERENCE, SOURCE, SYSTEM, SideRow, joined

TARGET = "target"  # the column of targets whose system the file does not name
REFERENCE_MATCH = "assay:reference"
OWN_ID, POST_EDITED = "assay.", "+"
LOOKED_AT = 1_000  # sides whose names are shown
SAMPLES = 3
_WHOLES = frozenset({"tool", "phase", "trans-unit", "unit"})
_OPEN_STATES = ("new", "needs-translation", "initial")
_NO_MATCH = ("previous-version", "rejected")

Roles = Mapping[str, tuple[str, str]]


@dataclass
class _File:
    """The `file` that the reading is in."""

    number: int = 0
    document: str = ""
    system: str = ""
    translated: bool = True
    tools: dict[str, str] = field(default_factory=dict)
    phases: dict[str, dict[str, str]] = field(default_factory=dict)


@dataclass
class Side:
    """A text of a unit. `title` is what a person can choose a meaning for."""

    kind: str
    title: str
    text: str
    line: int


def read_xliff(file: SourceFile, choices: Mapping[str, str]) -> Iterator[SegmentRecord | WrongSegment]:
    roles = chosen_roles(file, choices, xliff_columns(file.path, {})) if choices else {}
    reader = _Reader(file)
    yield from joined(file, _rows(reader, roles))
    reader.report()


def xliff_columns(path: Path, choices: Mapping[str, str]) -> list[Column]:
    """Whose texts the first units have."""
    sides = (side for _place, several in _Reader(SourceFile(path, "", Problems())).units() for side in several)
    return as_chosen(columns_of(sides), choices, "", Problems())


def columns_of(sides: Iterator[Side]) -> list[Column]:
    columns: dict[str, Column] = {}
    with suppress(UnreadableFileError):  # the reason is reported when the records are read
        for side in islice(sides, LOOKED_AT):
            name = "" if side.kind in (SOURCE, NONE) else side.title.removeprefix("reference:")
            column = columns.setdefault(side.title, Column(len(columns) + 1, side.title, side.kind, name))
            if len(column.samples) < SAMPLES:
                columns[side.title] = replace(column, samples=(*column.samples, side.text))
    return list(columns.values())


def chosen_roles(file: SourceFile, choices: Mapping[str, str], known: list[Column]) -> dict[str, tuple[str, str]]:
    """By title what somebody chose; a file that has no such column is not read."""
    columns = as_chosen(known, choices, file.name, file.problems)
    check_columns(columns, file.name, file.problems)
    chosen = {column.title: parted(column.role) for key in choices for column in columns_called(key, columns)}
    for title, (meaning, _name) in chosen.items():
        if meaning not in (SOURCE, REFERENCE, SYSTEM, NONE):
            file.line(1).refuse(title, _("This can be a source, a reference, a system or none."), is_fatal=True)
    if file.problems.fatal:
        raise UnreadableFileError
    return chosen


def xliff_languages(path: Path) -> dict[str, str]:
    reader = _Reader(SourceFile(path, "", Problems()))
    with suppress(UnreadableFileError, OSError):
        next(reader.units(), None)
    return {side: language for side, language in reader.languages.items() if language}


def _rows(reader: "_Reader", roles: Roles) -> Iterator[SideRow]:
    for (document, segment), sides in reader.units():
        for side in sides:
            kind, name = roles.get(side.title) or (side.kind, side.title.removeprefix("reference:"))
            if kind != NONE:
                name = "" if kind == SOURCE else name
                yield SideRow(document, segment, kind, name, side.text, side.line, reader.current.number)


class _Reader:
    """Yields the units one after the other; counts what is left out."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.version = ""
        self.current = _File()
        self.languages: dict[str, str] = {}
        self.left_out: Counter[str] = Counter()
        self.units_read = 0

    def units(self) -> Iterator[tuple[tuple[str, str], list[Side]]]:
        for element in read_elements(self.file, _WHOLES):
            if element.name == "xliff":
                self._begin(element)
            elif not self.version:
                self.file.refuse(_("This is not an XLIFF file: it does not begin with <xliff>."), element.line)
            elif element.name == "file":
                self._begin_file(element)
            elif element.name == "tool":
                values = element.attributes
                self.current.tools[values.get("tool-id", "")] = values.get("tool-name") or values.get("tool-id", "")
            elif element.name == "phase":
                self.current.phases[element.attributes.get("phase-name", "")] = element.attributes
            elif element.name == "bin-unit":
                self.left_out["binary"] += 1
            elif element.name in ("unit", "trans-unit"):
                self.units_read += 1
                if not self.current.translated or element.attributes.get("translate") == "no":
                    self.left_out["untranslatable"] += 1
                else:
                    yield from self._unit(element) if element.name == "unit" else self._trans_unit(element)
        if not self.units_read:
            self.file.refuse(_("The file has no units with texts. Check that it is an XLIFF file with translations."))

    def report(self) -> None:
        words = {
            "untranslatable": _("Units that are not to be translated, left out: %(count)d."),
            "binary": _("Binary units, left out: %(count)d."),
            "matches": _("Matches of other sources, of earlier versions or without a name, left out: %(count)d."),
            "literal": _("Texts that have in plain letters what looks like an inline code: %(count)d."),
        }
        for what, message in words.items():
            self.file.note_count(message, self.left_out[what])

    def _begin(self, element: Element) -> None:
        self.version = element.attributes.get("version", "")
        if not self.version.startswith(("1.", "2.")):
            message = _("This version of XLIFF is not known. Known: 1.0 to 1.2, 2.0 to 2.2.")
            self.file.refuse(message, element.line, "version", self.version)
        if self.version.startswith("2."):
            self._see_languages(element, "srcLang", "trgLang")

    def _see_languages(self, element: Element, source: str, target: str) -> None:
        for side, name in (("source", source), ("target", target)):
            language = element.attributes.get(name, "")
            known = self.languages.setdefault(side, language) or language
            if language and known != language:
                message = _("The file has several language pairs: %(first)s and %(second)s. Divide it, a pair a file.")
                self.file.refuse(message % {"first": known, "second": language}, element.line, name)
            self.languages[side] = known

    def _begin_file(self, element: Element) -> None:
        values = element.attributes
        number = self.current.number + 1
        name = values.get("original") or values.get("id") or str(number)
        self.current = _File(number, name.strip(), _provenance(values), values.get("translate") != "no")
        if self.version.startswith("1."):
            self._see_languages(element, "source-language", "target-language")

    def _phase(self, name: str) -> str:
        """The tool of a phase of this file, with who edited its output; tools may come after the phases."""
        values = self.current.phases.get(name)
        if values is None:
            return ""
        tool = values.get("tool-id", "")
        maker = self.current.tools.get(tool, tool) or values.get("company-name") or values.get("process-name") or name
        person = values.get("contact-name", "")
        return f"{maker}{POST_EDITED}{person}" if person else maker

    def _side(self, kind: str, title: str, element: Element) -> Side:
        if literal_codes(element):
            self.left_out["literal"] += 1
        return Side(kind, title, as_text(element), element.line)

    def _source(self, element: Element | None, unit: Element) -> Side:
        return self._side(SOURCE, SOURCE, element or Element(SOURCE, unit.line, {}))

    def _trans_unit(self, unit: Element) -> Iterator[tuple[tuple[str, str], list[Side]]]:
        """One segment, or where a tool has divided it, each `mrk` of its `seg-source`."""
        name, target = unit.attributes.get("id", "").strip(), unit.first("target")
        system = self._system_of(target, unit)
        segments = _marked_segments(unit.first("seg-source"))
        if segments:
            targets = _marked_segments(target)
            for mid, segment in segments.items():
                sides = [self._source(segment, unit)]
                sides += [self._side(SYSTEM, system, targets[mid])] if mid in targets else []
                yield (self.current.document, name if len(segments) == 1 else f"{name}/{mid}"), sides
            self.left_out["matches"] += len(unit.all("alt-trans"))
            return
        source = self._source(unit.first("source"), unit)
        sides = [source]
        if target is not None and not _is_open(target, target.attributes.get("state", "")):
            sides.append(self._side(SYSTEM, system, target))
        for match in unit.all("alt-trans"):
            own = match.first("source")
            for text in match.all("target"):
                title = self._origin(match, text)
                is_other = (own is not None and as_text(own) != source.text) or not title
                if is_other or match.attributes.get("alttranstype") in _NO_MATCH or _has(sides, title):
                    self.left_out["matches"] += 1
                elif match.attributes.get("alttranstype") == "reference":
                    sides.append(self._side(REFERENCE, f"reference:{title}", text))
                else:
                    sides.append(self._side(SYSTEM, title, text))
        yield (self.current.document, name), sides

    def _origin(self, match: Element, text: Element) -> str:
        named = self._phase(text.attributes.get("phase-name", ""))
        values = match.attributes
        return named or values.get("origin", "") or self.current.tools.get(values.get("tool-id", ""), "")

    def _system_of(self, target: Element | None, unit: Element) -> str:
        phases = (owner.attributes.get("phase-name", "") for owner in (target, unit) if owner is not None)
        named = next((name for phase in phases if (name := self._phase(phase) or phase)), "")
        return named or TARGET

    def _unit(self, unit: Element) -> Iterator[tuple[tuple[str, str], list[Side]]]:
        """Each `segment` of the unit; its matches belong to the segment that has their source."""
        values = unit.attributes
        name = values.get("id", "").strip()
        if name.startswith(OWN_ID):
            name = values.get("name", name)
        title = _provenance(values) or self.current.system or TARGET
        segments = unit.all("segment")
        matches = [match for group in unit.all("mtc:matches") for match in group.all("mtc:match")]
        used = 0
        for number, segment in enumerate(segments, start=1):
            target = segment.first("target")
            source = self._source(segment.first("source"), unit)
            sides = [source]
            if target is not None and not _is_open(target, segment.attributes.get("state", "initial")):
                sides.append(self._side(SYSTEM, title, target))
            for match in matches:
                own, text = match.first("source"), match.first("target")
                origin = match.attributes.get("origin", "")
                if own is None or text is None or as_text(own) != source.text or not origin or _has(sides, origin):
                    continue
                used += 1
                is_reference = match.attributes.get("subType") == REFERENCE_MATCH
                kind, prefix = (REFERENCE, "reference:") if is_reference else (SYSTEM, "")
                sides.append(self._side(kind, prefix + origin, text))
            own_name = name if len(segments) == 1 else f"{name}/{segment.attributes.get('id') or number}"
            yield (self.current.document, own_name), sides
        self.left_out["matches"] += max(0, len(matches) - used)


def _provenance(values: Mapping[str, str]) -> str:
    """The system, with who edited its output."""
    tool, person = values.get("its:tool", ""), values.get("its:revPerson", "")
    return f"{tool}{POST_EDITED}{person}" if tool and person else tool


def _has(sides: list[Side], title: str) -> bool:
    return any(side.title in (title, f"reference:{title}") for side in sides)


def _is_open(target: Element, state: str) -> bool:
    """Not translated yet."""
    return not as_text(target).strip() and (state in _OPEN_STATES or not state)


def _marked_segments(element: Element | None) -> dict[str, Element]:
    if element is None:
        return {}
    marks: dict[str, Element] = {}
    waiting = [element]
    while waiting:
        for child in waiting.pop().children:
            if isinstance(child, Element):
                if child.name == "mrk" and child.attributes.get("mtype") == "seg":
                    marks[child.attributes.get("mid", str(len(marks) + 1))] = child
                else:
                    waiting.append(child)
    return marks
