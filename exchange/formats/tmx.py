"""`tmx` 1.4 → segments: each `tu` is one; its source language, and one other as reference or system.

A text may say whose it is, as those that `tmx_writer` writes; then units of one segment are read as one.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from django.utils.translation import gettext as _

from campaigns.actions.test_sets import SegmentRecord
from campaigns.reading.problems import Problems, UnreadableFileError
from exchange.formats.inline_codes import as_text, literal_codes
from exchange.formats.test_set_table import FIRST_REFERENCE, NONE, Column, as_chosen
from exchange.formats.xliff import LOOKED_AT, POST_EDITED, Side, chosen_roles, columns_of
from exchange.formats.xml_stream import Element, read_elements
from exchange.reading import SourceFile, WrongSegment
from exchange.staging.bilingual import REFERENCE, SOURCE, SYSTEM, SideRow, joined

ANY_SOURCE = "*all*"
_DOCUMENT = ("x-document", "document", "x-document-name", "x-filename", "x-file")
OF_SEGMENT, OF_SYSTEM, OF_REFERENCE = "x-segment", "x-system", "x-reference"
_NAMED_REFERENCE = "reference:"  # the titles of references that have a name


@dataclass
class _Variant:
    """A text of a unit; `kind` and `name` are empty where it does not say whose it is."""

    language: str
    segment: Element
    kind: str = ""
    name: str = ""

    @property
    def title(self) -> str:
        return f"{_NAMED_REFERENCE}{self.name}" if self.kind == REFERENCE else self.name


def read_tmx(file: SourceFile, choices: Mapping[str, str]) -> Iterator[SegmentRecord | WrongSegment]:
    """By default the first other language is a reference; further ones are named and not read."""
    columns = tmx_columns(file.path, {})
    roles = {column.title: (column.meaning, column.name) for column in columns}
    if choices:
        languages = _unreported(file.path).languages()
        others = {title for title, role in roles.items() if role[0] != SOURCE and title in languages}
        roles |= dict.fromkeys(others, (NONE, ""))
        roles |= chosen_roles(file, choices, columns)
    reader = _Reader(file)
    yield from joined(file, reader.rows(roles))
    reader.report(roles)


def tmx_columns(path: Path, choices: Mapping[str, str]) -> list[Column]:
    """The languages of the first units, and whose their texts are; chosen languages alone are read."""
    columns = [_with_name(column) for column in columns_of(_sides(_unreported(path)))]
    return as_chosen(columns, choices, "", Problems())


def _with_name(column: Column) -> Column:
    if column.meaning == REFERENCE and not column.title.startswith(_NAMED_REFERENCE):
        return replace(column, name=FIRST_REFERENCE)
    return column


def tmx_languages(path: Path) -> dict[str, str]:
    reader = _unreported(path)
    first, *_others = (*reader.languages(), "")
    return {side: language for side, language in (("source", reader.source), ("target", first)) if language}


def _sides(reader: "_Reader") -> Iterator[Side]:
    spelled: dict[str, str] = {}  # a language is the same in capitals
    others: list[str] = []
    for unit in reader.units():
        for variant in reader.variants(unit):
            text, line = as_text(variant.segment), variant.segment.line
            if reader.is_source(variant):
                yield Side(SOURCE, reader.source, text, line)
            elif variant.kind:
                yield Side(variant.kind, variant.title, text, line)
            else:
                language = spelled.setdefault(variant.language.lower(), variant.language)
                others += [] if others else [language]
                yield Side(REFERENCE if [language] == others else NONE, language, text, line)


class _Reader:
    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.source = ""
        self.left_out: Counter[str] = Counter()

    def languages(self) -> list[str]:
        """Those of the first units beside the source's, each as it is first written."""
        found: dict[str, str] = {}
        with suppress(UnreadableFileError):  # the reason is reported when the records are read
            for unit in islice(self.units(), LOOKED_AT):
                for variant in self.variants(unit):
                    if not self.is_source(variant):
                        found.setdefault(variant.language.lower(), variant.language)
        return list(found.values())

    def units(self) -> Iterator[Element]:
        has_begun, count = False, 0
        for element in read_elements(self.file, {"tu"}):
            if element.name == "tmx":
                has_begun = True
            elif not has_begun:
                self.file.refuse(_("This is not a TMX file: it does not begin with <tmx>."), element.line)
            elif element.name == "header":
                language = element.attributes.get("srclang", "")
                self.source = "" if language.lower() == ANY_SOURCE else language
            elif element.name == "tu":
                count += 1
                yield element
        if not count:
            self.file.refuse(_("The file has no translation units (<tu>). Check that it is a translation memory."))

    def is_source(self, variant: _Variant) -> bool:
        """Without a source in the header, the language of the first text is the source."""
        self.source = self.source or variant.language
        return not variant.kind and variant.language.lower() == self.source.lower()

    def variants(self, unit: Element) -> Iterator[_Variant]:
        for variant in unit.all("tuv"):
            language = variant.attributes.get("xml:lang") or variant.attributes.get("lang", "")
            segment = variant.first("seg")
            if not language or segment is None:
                self.file.line(variant.line).refuse("tuv", _("A <tuv> needs xml:lang and a <seg>."))
                continue
            props = _props(variant)
            if system := props.get(OF_SYSTEM):
                person = variant.attributes.get("changeid", "")
                yield _Variant(language, segment, SYSTEM, f"{system}{POST_EDITED}{person}" if person else system)
            elif reference := props.get(OF_REFERENCE):
                yield _Variant(language, segment, REFERENCE, reference)
            else:
                yield _Variant(language, segment)

    def rows(self, roles: Mapping[str, tuple[str, str]]) -> Iterator[SideRow]:
        by_language = {title.lower(): role for title, role in roles.items()}
        counts: Counter[str] = Counter()
        for number, unit in enumerate(self.units(), start=1):
            props = _props(unit)
            document = next((props[kind] for kind in _DOCUMENT if kind in props), "")
            document = document or self.file.name.rpartition(".")[0] or self.file.name
            counts[document] += 1
            segment = props.get(OF_SEGMENT) or unit.attributes.get("tuid", "").strip() or str(counts[document])
            sides = []
            for variant in self.variants(unit):
                kind, name = self._role(variant, roles, by_language)
                if kind == NONE:
                    continue
                self.left_out["literal"] += literal_codes(variant.segment)
                name = "" if kind == SOURCE else name
                text = as_text(variant.segment)
                sides.append(SideRow(document, segment, kind, name, text, variant.segment.line, number))
            if not any(side.kind == SOURCE for side in sides):
                message = _("This unit has no text in the source language. Add it, or choose another source.")
                self.file.line(unit.line).refuse("tu", message, segment)
                continue
            yield from sorted(sides, key=lambda side: side.kind != SOURCE)

    def _role(
        self, variant: _Variant, roles: Mapping[str, tuple[str, str]], by_language: Mapping[str, tuple[str, str]]
    ) -> tuple[str, str]:
        if variant.kind:
            return roles.get(variant.title) or (variant.kind, variant.name)
        if variant.language.lower() not in by_language:
            self.left_out[variant.language] += 1
        return by_language.get(variant.language.lower(), (NONE, ""))

    def report(self, roles: Mapping[str, tuple[str, str]]) -> None:
        self.file.note_count(
            _("Texts that have in plain letters what looks like an inline code: %(count)d."),
            self.left_out.pop("literal", 0),
        )
        unread = sorted({title for title, (kind, _name) in roles.items() if kind == NONE} | set(self.left_out))
        if unread:
            message = _("Languages that were not read: %(languages)s. Choose one as a column to read it.")
            self.file.problems.note(message % {"languages": ", ".join(unread)})


def _unreported(path: Path) -> _Reader:
    """Its problems are reported when the records are read."""
    return _Reader(SourceFile(path, "", Problems()))


def _props(element: Element) -> dict[str, str]:
    return {prop.attributes.get("type", "").lower(): prop.text().strip() for prop in element.all("prop")}
