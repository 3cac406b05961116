"""`wmt-genmt`: a test set of WMT's general task, one document a line, and a file of outputs for each system.

All language pairs and sets are in one file. Its lines and the outputs are put into a scratch database, so that one pair
can be chosen and the files joined whatever their order; then each document is divided and its translations are aligned.
"""

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from campaigns.actions.test_sets import SegmentRecord
from campaigns.actions.text_guidance import INSTRUCTION_LIMIT
from campaigns.reading.problems import Problems, UnreadableFileError
from exchange.formats.genmt_assets import AssetFolder
from exchange.formats.genmt_mending import Mended, UnfitPartsError, divided
from exchange.formats.genmt_names import DocumentId, language_fits, language_of_wmt, parse_document_id
from exchange.formats.genmt_report import GenmtChoices, GenmtReport, PairInFile, Realigned
from exchange.formats.genmt_segments import AUTO, BLANK_LINES, JSON_VALUES, split_text, way_to_split
from exchange.formats.paragraph_alignment import AS_IS, MENDED, Alignment, TooManyParagraphsError, align
from exchange.formats.parallel_text import ImportFiles
from exchange.json_values import as_json
from exchange.reading import SHORT_LIMIT, Line, SourceFile, WrongSegment
from exchange.staging.database import scratch_database

NO_OUTPUT = ("", "FAILED")
_WMT_SET = re.compile(r"WMT\d\d", re.IGNORECASE)
_TABLES = """
CREATE TABLE document (
    id INTEGER PRIMARY KEY, line INTEGER, doc_id TEXT UNIQUE, pair TEXT, set_name TEXT, domain TEXT, name TEXT,
    body TEXT, is_chosen INTEGER DEFAULT 0
);
CREATE TABLE output (document INTEGER, system INTEGER, line INTEGER, text TEXT, PRIMARY KEY (document, system));
"""
_DOCUMENT_KEYS = (re.compile(r'"doc_id"\s*:'), re.compile(r'"src_text"\s*:'))
_OUTPUT_KEYS = (re.compile(r'"doc_id"\s*:'), re.compile(r'"hypothesis"\s*:'))


def is_genmt(begin: str) -> bool:
    """By its first line: a document."""
    return _has_keys(begin, _DOCUMENT_KEYS)


def is_genmt_output(begin: str) -> bool:
    """By its first line: a system's output for a document."""
    return _has_keys(begin, _OUTPUT_KEYS) and not is_genmt(begin)


def _has_keys(begin: str, keys: tuple[re.Pattern[str], ...]) -> bool:
    line = begin.partition("\n")[0]
    return line.startswith("{") and all(key.search(line) for key in keys)


def read_genmt(files: ImportFiles, problems: Problems, report: GenmtReport) -> Iterator[SegmentRecord | WrongSegment]:
    """Raises UnreadableFileError if pair or set are not clear; `report.is_undecided` says that a choice would help."""
    if files.path is None:
        problems.add("", None, "", _("No file has the documents. Add it."), is_fatal=True)
        raise UnreadableFileError
    with scratch_database() as scratch:
        reader = _Reader(scratch, files, problems, report)
        reader.read_documents()
        reader.choose(files.genmt)
        reader.read_outputs()
        yield from reader.records(files.genmt)
    report.add_notes(problems)


class _Reader:
    def __init__(
        self, scratch: sqlite3.Connection, files: ImportFiles, problems: Problems, report: GenmtReport
    ) -> None:
        assert files.path is not None  # noqa: S101 - checked by read_genmt
        self.scratch, self.problems, self.report = scratch, problems, report
        self.file = files.opened(files.path, problems)
        self.systems = {name: files.opened(path, problems) for name, path in files.systems.items()}
        self.outputs = dict.fromkeys(self.systems, 0)
        self.mended = _MendedDocuments(files.genmt.mended)
        scratch.executescript(_TABLES)
        scratch.execute("BEGIN")

    def read_documents(self) -> None:
        """Of all pairs and sets, with what tells them apart; their texts are checked once they are chosen."""
        insert = (
            "INSERT OR IGNORE INTO document (line, doc_id, pair, set_name, domain, name, body) VALUES (?,?,?,?,?,?,?)"
        )
        for line, values in self.file.json_objects():
            doc_id = line.text(values, "doc_id")
            parsed = _checked_id(doc_id, values, line)
            if parsed is None:
                continue
            place = (line.number, doc_id, parsed.pair, parsed.set_name, parsed.domain, parsed.document.strip())
            if not self.scratch.execute(insert, (*place, json.dumps(values, ensure_ascii=False))).rowcount:
                self.report.doubled += 1
                _refuse_doubled(line, doc_id, self._first_line("SELECT line FROM document WHERE doc_id = ?", doc_id))

    def _first_line(self, query: str, *values: object) -> int:
        return int(self.scratch.execute(query, values).fetchone()[0])

    def choose(self, choices: GenmtChoices) -> None:
        """One pair and one set; everything that keeps them from being clear is reported together."""
        query = "SELECT pair, set_name, COUNT(*) FROM document GROUP BY pair, set_name ORDER BY MIN(id)"
        self.report.pairs = [PairInFile(*row) for row in self.scratch.execute(query)]
        fitting = [each for each in self.report.pairs if _fits(each.pair, choices)]
        set_name = choices.set_name or _usual_set(fitting or self.report.pairs)
        chosen = [each for each in fitting if each.set_name == set_name]
        if len(chosen) != 1:
            self._refuse_choice(choices, fitting, chosen)
        [found] = chosen
        report = self.report
        report.pair, report.set_name = found.pair, found.set_name
        source, _dash, target = found.pair.partition("-")
        report.languages = {"source": language_of_wmt(source), "target": language_of_wmt(target)}
        report.other_pair = sum(each.documents for each in report.pairs if each.pair != found.pair)
        own = sum(each.documents for each in report.pairs if each.pair == found.pair)
        report.other_set = own - found.documents
        self.scratch.execute(
            "UPDATE document SET is_chosen = 1 WHERE pair = ? AND set_name = ?", (found.pair, found.set_name)
        )
        # the same name in two domains
        self.scratch.execute(
            "UPDATE document SET name = domain || '/' || name WHERE is_chosen AND name IN "
            "(SELECT name FROM document WHERE is_chosen GROUP BY name HAVING COUNT(*) > 1)"
        )

    def _refuse_choice(self, choices: GenmtChoices, fitting: list[PairInFile], chosen: list[PairInFile]) -> None:
        """What is to be chosen, with what the file has."""
        pairs = self.report.pairs
        if not pairs:
            self.file.refuse(_("The file has no document."))
        self.report.is_undecided = len(pairs) > 1 and not (choices.pair and choices.set_name)
        if not fitting:
            message = _("The file has no document from %(source)s to %(target)s. It has: %(pairs)s.")
            shown = {"source": choices.source_language or "?", "target": choices.target_language or "?"}
            if choices.pair:
                message = _("%(pair)s is not in the file, or is not %(source)s to %(target)s. It has: %(pairs)s.")
                shown["pair"] = choices.pair
            self.file.refuse(message % {**shown, "pairs": _listed(pairs)})
        if len(chosen) > 1:
            message = _(
                "Several language pairs fit: %(pairs)s. Choose one by its script or region, such as zh-Hant or pt-BR."
            )
            self.file.refuse(message % {"pairs": _listed(chosen)})
        self.file.refuse(_("Choose a set. The file has: %(sets)s.") % {"sets": _listed(fitting)})

    def read_outputs(self) -> None:
        if not self.systems:
            message = _("No file belongs to a system. Add one for each system, with doc_id and hypothesis.")
            self.file.line().refuse("", message, is_fatal=True)
        for number, (name, file) in enumerate(self.systems.items()):
            if file.line().check_name(name, "system", SHORT_LIMIT):
                self._read_system(number, name, file)
        if self.problems.fatal:
            raise UnreadableFileError

    def _read_system(self, number: int, name: str, file: SourceFile) -> None:
        find, insert = (
            "SELECT id, is_chosen FROM document WHERE doc_id = ?",
            "INSERT OR IGNORE INTO output VALUES (?,?,?,?)",
        )
        for line, values in file.json_objects():
            doc_id = line.text(values, "doc_id")
            if not doc_id or "hypothesis" not in values:
                line.refuse("", _("Every line needs doc_id and hypothesis."), as_json(values))
                continue
            document = self.scratch.execute(find, [doc_id]).fetchone()
            if document is None:
                self.report.unknown_documents[name] += 1
            elif document["is_chosen"]:
                before = self.problems.count
                text = line.text(values, "hypothesis")
                if self.problems.count > before or not line.is_readable(text, "hypothesis"):
                    continue
                if not self.scratch.execute(insert, (document["id"], number, line.number, text)).rowcount:
                    self.report.doubled += 1
                    query = "SELECT line FROM output WHERE document = ? AND system = ?"
                    _refuse_doubled(line, doc_id, self._first_line(query, document["id"], number))
                self.outputs[name] += 1
        if not self.outputs[name]:
            message = _("This file has no output for a document of %(pair)s, %(set)s. Check that it is the right one.")
            file.line().refuse("", message % {"pair": self.report.pair, "set": self.report.set_name}, is_fatal=True)

    def records(self, choices: GenmtChoices) -> Iterator[SegmentRecord | WrongSegment]:
        assets = AssetFolder(choices.assets, self.report.assets)
        query = "SELECT id, line, domain, name, set_name, doc_id, body FROM document WHERE is_chosen ORDER BY id"
        for row in self.scratch.execute(query):
            yield from self._segments(row, choices, assets)
        assets.list_unused()
        self._report_unfit(choices)

    def _report_unfit(self, choices: GenmtChoices) -> None:
        """Mended documents that were not used, each with its reason."""
        for (system, document), reason in self.mended.unfit().items():
            self.report.unfit.append(f"{system} {document}")
            if not choices.drops_unfit:
                self.problems.add("", None, "parts", f"{system}, {document}: {reason}", is_fatal=True)

    def _segments(
        self, row: sqlite3.Row, choices: GenmtChoices, assets: AssetFolder
    ) -> Iterator[SegmentRecord | WrongSegment]:
        line, values, report = self.file.line(row["line"]), json.loads(row["body"]), self.report
        before = self.problems.count
        source, references = _source_of(values, line), _references_of(values, line)
        instruction = line.text(values, "evaluation_instruction").strip()
        line.check_short(instruction, "evaluation_instruction", INSTRUCTION_LIMIT)
        way = _way(choices.split, source, row["doc_id"])
        sources = split_text(source, way)
        if not assets.check(values, row["name"], len(sources), line):
            report.unsafe_paths += 1
        if self.problems.count > before:
            yield from (
                WrongSegment(row["name"], str(place), line.file, row["line"]) for place in range(1, len(sources) + 1)
            )
            return
        aligning = _Aligning(row["name"], sources, way, report, self.mended)
        translations = self._aligned_outputs(row, aligning)
        aligned = {name: parts for name, text in references.items() if (parts := aligning.parts(name, text, line))}
        domain = line.text(values, "domain") or row["domain"]
        report.segments_per_document.append(len(sources))
        report.domains += [domain] if domain not in report.domains else []
        report.instructions += bool(instruction)
        for place, text in enumerate(sources):
            outputs = {name: parts[place] for name, parts in translations.items()}
            self._note_identical(row["name"], place, outputs)
            named = {name: parts[place] for name, parts in aligned.items() if parts[place].strip()}
            plain = {"document": row["name"], "segment": str(place + 1), "source": text, "domain": domain}
            record = line.segment(plain | {"instruction": instruction}, named, outputs)
            if record is not None:
                yield record

    def _aligned_outputs(self, row: sqlite3.Row, aligning: "_Aligning") -> dict[str, tuple[str, ...]]:
        """By system; a failed one has no parts."""
        translations: dict[str, tuple[str, ...]] = {}
        names = list(self.systems)
        query = "SELECT system, line, text FROM output WHERE document = ? ORDER BY system"
        for output in self.scratch.execute(query, [row["id"]]):
            name = names[output["system"]]
            if output["text"].strip() in NO_OUTPUT:
                self.report.add_failed(name, row["name"])
            elif parts := aligning.parts(name, output["text"], self.systems[name].line(output["line"])):
                translations[name] = parts
        return translations

    def _note_identical(self, document: str, place: int, outputs: Mapping[str, str]) -> None:
        by_text: dict[str, list[str]] = {}
        for name, text in outputs.items():
            by_text.setdefault(text.strip(), []).append(name)
        for text, names in by_text.items():
            if text and len(names) > 1:
                self.report.add_identical(document, place, names)


class _MendedDocuments:
    """Parts written by hand, by system and document. A reference and a system of one name may share them."""

    def __init__(self, mended: tuple[Mended, ...]) -> None:
        self._parts = {(each.system, each.document): each.parts for each in mended}
        self._wrong: dict[tuple[str, str], str] = {}
        self._used: set[tuple[str, str]] = set()

    def parts(self, name: str, document: str, text: str, segments: int) -> tuple[str, ...]:
        """Empty if none fit."""
        if (parts := self._parts.get((name, document))) is None:
            return ()
        try:
            fitting = divided(text, parts, segments)
        except UnfitPartsError as error:
            self._wrong[name, document] = str(error)
            return ()
        self._used.add((name, document))
        return fitting

    def unfit(self) -> dict[tuple[str, str], str]:
        """Why those that were not used do not fit."""
        unknown = _("No output for this document was read. Correct the names, or leave this one out.")
        return {key: self._wrong.get(key, unknown) for key in self._parts if key not in self._used}


class _Aligning:
    """The translations of one document, in as many parts as its source."""

    def __init__(
        self, document: str, sources: list[str], way: str, report: GenmtReport, mended: _MendedDocuments
    ) -> None:
        self.document, self.sources, self.way, self.report, self.mended = document, sources, way, report, mended

    def parts(self, name: str, text: str, line: Line) -> tuple[str, ...]:
        """Empty if it cannot be aligned; the reason is among the problems."""
        blocks = split_text(text, self.way)
        try:
            by_hand = self.mended.parts(name, self.document, text, len(self.sources))
            proposed = by_hand or align(blocks, self.sources, has_sentences=self.way != JSON_VALUES)
            aligned = proposed if isinstance(proposed, Alignment) else Alignment(proposed, MENDED)
        except TooManyParagraphsError:
            message = _(
                "%(blocks)d paragraphs for %(segments)d of the source are too many to be compared. Divide the document."
            )
            line.refuse("hypothesis", message % {"blocks": len(blocks), "segments": len(self.sources)})
            return ()
        if aligned.how != AS_IS:
            counts = (len(blocks), len(self.sources))
            self.report.add_realigned(
                Realigned(name, self.document, *counts, aligned.how, tuple(self.sources), aligned.parts)
            )
        return aligned.parts


def _checked_id(doc_id: str, values: Mapping[str, Any], line: Line) -> DocumentId | None:
    """The parts of a name that agrees with the languages beside it."""
    if not doc_id:
        line.refuse("doc_id", _("Every document needs a doc_id."))
        return None
    parsed = parse_document_id(doc_id)
    if parsed is None:
        message = _("This must be SET_###_domain_###_source language_###_target language_###_document.")
        line.refuse("doc_id", message, doc_id)
        return None
    before = line.problems.count
    line.check_name(parsed.document.strip(), "doc_id", 200)
    line.check_short(parsed.domain, "doc_id")
    for key, own in (("src_lang", parsed.source), ("tgt_lang", parsed.target)):
        beside = line.text(values, key)
        if beside and not language_fits(language_of_wmt(own), beside):
            line.refuse(key, _("This is not the language in doc_id. Correct one of them."), beside)
    return parsed if line.problems.count == before else None


def _refuse_doubled(line: Line, doc_id: str, first: int) -> None:
    message = _("This document occurs twice, first in line %(line)d. Keep one of the two.")
    line.refuse("doc_id", message % {"line": first}, doc_id)


def _fits(pair: str, choices: GenmtChoices) -> bool:
    source, _dash, target = pair.partition("-")
    wanted = ((choices.source_language, source), (choices.target_language, target))
    return (not choices.pair or pair == choices.pair) and all(
        not tag or language_fits(tag, code) for tag, code in wanted
    )


def _usual_set(pairs: list[PairInFile]) -> str:
    """The only set, or of several the only one of WMT itself; empty if that is not clear."""
    names = list(dict.fromkeys(each.set_name for each in pairs))
    own = [name for name in names if _WMT_SET.fullmatch(name)]
    return next((several[0] for several in (names, own) if len(several) == 1), "")


def _listed(pairs: list[PairInFile]) -> str:
    return ", ".join(map(str, pairs[:20])) + (" …" if len(pairs) > 20 else "")


def _way(split: str, source: str, doc_id: str) -> str:
    if split != AUTO:
        return split
    return way_to_split(source) if "_###_" in doc_id else BLANK_LINES


def _source_of(values: Mapping[str, Any], line: Line) -> str:
    source = line.text(values, "src_text")
    line.check_text(source, "src_text", "source")
    return source


def _references_of(values: Mapping[str, Any], line: Line) -> dict[str, str]:
    """By name: a text, or an object with it under `ref`."""
    references: dict[str, str] = {}
    named = values.get("refs") or {}
    if not isinstance(named, dict):
        line.refuse("refs", _("This must be an object of references by name."), as_json(named))
        return {}
    for name, value in named.items():
        text = value.get("ref") if isinstance(value, dict) else value
        if text is None or text == "":
            continue
        if not isinstance(text, str):
            line.refuse(f"refs.{name}", _("This must be a text."), as_json(value))
        elif line.check_name(name.strip(), "refs", SHORT_LIMIT) and line.is_readable(text, f"refs.{name}"):
            references[name.strip()] = text
    return references
