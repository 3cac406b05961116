"""`tmx` 1.4 → segments: each `tu` is one; its source language, and one other as reference or system."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from django.utils.translation import gettext as _

from campaigns.actions.test_sets import SegmentRecord
from campaigns.reading.problems import Problems
from exchange.formats.inline_codes import as_text, literal_codes
from exchange.formats.test_set_table import FIRST_REFERENCE, NONE, Column, as_chosen
from exchange.formats.xliff import Side, chosen_roles, columns_of
from exchange.formats.xml_stream import Element, read_elements
from exchange.reading import SourceFile, WrongSegment
from exchange.staging.bilingual import REFERENCE, SOURCE, SideRow, joined

ANY_SOURCE = "*all*"
_DOCUMENT = ("x-document", "document", "x-document-name", "x-filename", "x-file")


def read_tmx(file: SourceFile, choices: Mapping[str, str]) -> Iterator[SegmentRecord | WrongSegment]:
    """By default the first other language is a reference; further ones are named and not read."""
    columns = tmx_columns(file.path, {})
    roles = {column.title: (column.meaning, column.name) for column in columns}
    if choices:
        roles = {title: (NONE, "") if role[0] != SOURCE else role for title, role in roles.items()}
        roles |= chosen_roles(file, choices, columns)
    reader = _Reader(file)
    yield from joined(file, reader.rows(roles))
    reader.report(roles)


def tmx_columns(path: Path, choices: Mapping[str, str]) -> list[Column]:
    """The languages of the first units; chosen ones alone are read."""
    columns = columns_of(_sides(path))
    columns = [replace(column, name=FIRST_REFERENCE if column.meaning == REFERENCE else "") for column in columns]
    return as_chosen(columns, choices, "", Problems())


def tmx_languages(path: Path) -> dict[str, str]:
    by_meaning = {column.meaning: column.title for column in reversed(tmx_columns(path, {}))}
    named = {"source": by_meaning.get(SOURCE, ""), "target": by_meaning.get(REFERENCE, "")}
    return {side: language for side, language in named.items() if language}


def _sides(path: Path) -> Iterator[Side]:
    spelled: dict[str, str] = {}  # a language is the same in capitals
    others: list[str] = []
    reader = _Reader(SourceFile(path, "", Problems()))
    for unit in reader.units():
        for written, segment in reader.variants(unit):
            is_source = reader.is_source(written)
            language = reader.source if is_source else spelled.setdefault(written.lower(), written)
            others += [] if is_source or others else [language]
            kind = SOURCE if is_source else REFERENCE if [language] == others else NONE
            yield Side(kind, language, as_text(segment), segment.line)


class _Reader:
    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.source = ""
        self.left_out: Counter[str] = Counter()

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

    def is_source(self, language: str) -> bool:
        """Without a source in the header, the language of the first text is the source."""
        self.source = self.source or language
        return language.lower() == self.source.lower()

    def variants(self, unit: Element) -> Iterator[tuple[str, Element]]:
        for variant in unit.all("tuv"):
            language = variant.attributes.get("xml:lang") or variant.attributes.get("lang", "")
            segment = variant.first("seg")
            if not language or segment is None:
                self.file.line(variant.line).refuse("tuv", _("A <tuv> needs xml:lang and a <seg>."))
                continue
            yield language, segment

    def rows(self, roles: Mapping[str, tuple[str, str]]) -> Iterator[SideRow]:
        by_language = {title.lower(): role for title, role in roles.items()}
        counts: Counter[str] = Counter()
        for number, unit in enumerate(self.units(), start=1):
            document = _document(unit) or self.file.name.rpartition(".")[0] or self.file.name
            counts[document] += 1
            segment = unit.attributes.get("tuid", "").strip() or str(counts[document])
            sides = []
            for language, text in self.variants(unit):
                if language.lower() not in by_language:
                    self.left_out[language] += 1
                kind, name = by_language.get(language.lower(), (NONE, ""))
                if kind == NONE:
                    continue
                self.left_out["literal"] += literal_codes(text)
                name = "" if kind == SOURCE else name
                sides.append(SideRow(document, segment, kind, name, as_text(text), text.line, number))
            if not any(side.kind == SOURCE for side in sides):
                message = _("This unit has no text in the source language. Add it, or choose another source.")
                self.file.line(unit.line).refuse("tu", message, segment)
                continue
            yield from sorted(sides, key=lambda side: side.kind != SOURCE)

    def report(self, roles: Mapping[str, tuple[str, str]]) -> None:
        self.file.note_count(
            _("Texts that have in plain letters what looks like an inline code: %(count)d."),
            self.left_out.pop("literal", 0),
        )
        unread = sorted({title for title, (kind, _name) in roles.items() if kind == NONE} | set(self.left_out))
        if unread:
            message = _("Languages that were not read: %(languages)s. Choose one as a column to read it.")
            self.file.problems.note(message % {"languages": ", ".join(unread)})


def _document(unit: Element) -> str:
    props = {prop.attributes.get("type", "").lower(): prop.text().strip() for prop in unit.all("prop")}
    return next((props[kind] for kind in _DOCUMENT if kind in props), "")
