"""From any format that Assay reads to any that it writes, where the information is enough; what is lost is named.

Test sets go from file to file. Judgments go through a database that is thrown away: so every export can be written.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from django.utils.translation import gettext as _

from annotation.protocols import PROTOCOLS
from campaigns.actions.test_sets import QuestionRecord, SegmentRecord
from exchange import exports, judgment_files, judgment_formats, test_set_files
from exchange.export_formats import ExportRefusedError, choice_of
from exchange.formats.genmt_report import GenmtChoices
from exchange.formats.mt_metrics_eval_folder import FORMAT as FOLDER
from exchange.formats.mt_metrics_eval_folder import folder_files
from exchange.formats.parallel_text import ImportFiles
from exchange.formats.tmx_writer import write_tmx
from exchange.formats.wmt_xml_writer import TextDocument, written_test_set
from exchange.formats.xliff_writer import Form, Match, TextFile, Unit, write_new, write_old
from exchange.staging.test_set import Spool
from exchange.tables.csv_and_json import csv_pieces, pieces_of
from exchange.test_set_files import Inspection, examine, guess_format, wrong_files

UNDETERMINED = judgment_files.UNDETERMINED
_FROM_TOOLS = ("xliff", "tmx")
_BLANKS = str.maketrans(dict.fromkeys("\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", " "))


class ConversionError(Exception):
    """What cannot be converted, in words for who asked for it."""


@dataclass(frozen=True)
class Conversion:
    """What was asked for. Empty: as the file says."""

    path: Path  # or a folder of mt-metrics-eval
    target: str
    source_format: str = ""
    source_language: str = ""
    target_language: str = ""
    protocol: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    systems: Mapping[str, Path] = field(default_factory=dict)

    def files(self) -> ImportFiles:
        """Of a test set."""
        if self.path.is_dir():
            return folder_files(self.path, self.source_language, self.target_language)
        languages = GenmtChoices(source_language=self.source_language, target_language=self.target_language)
        return ImportFiles(path=self.path, columns=self.columns, systems=self.systems, genmt=languages)


@dataclass(frozen=True)
class Converted:
    """`pieces` are the file; `losses` say what of the input is not in it, `notes` what was noted on reading it."""

    format: str
    pieces: Iterator[bytes]
    losses: list[str]
    notes: list[str]


def is_of_judgments(format: str) -> bool:
    """Whether files of this name have judgments; some may be either, and are test sets unless a protocol is named."""
    return format in judgment_formats.FORMATS and format not in test_set_files.FORMAT_NAMES


def guessed_format(path: Path) -> tuple[str, bool]:
    """By the content, and whether it has judgments; else it is a test set."""
    if path.is_dir():
        return FOLDER, False
    try:
        path.open("rb").close()
    except OSError as error:
        message = _("%(file)s cannot be read: %(reason)s.")
        raise ConversionError(message % {"file": path, "reason": error.strerror}) from error
    if format := judgment_formats.known_format(path, path.name):
        return format, True
    return guess_format(ImportFiles(path=path)), False


def converted_test_set(asked: Conversion, spool: Spool) -> Converted:
    """Reads all of the file before the first byte is written."""
    files = asked.files()
    inspection = examine(files, spool, format=asked.source_format or None)
    if asked.path.is_dir() and files.source is not None:  # its name has the pair
        inspection.languages = dict(zip(("source", "target"), files.source.stem.split("-", 1), strict=True))
    writer = WRITERS.get(asked.target)
    if writer is None and not inspection.segments and asked.path.is_file():
        judgment_formats.guessed_format(asked.path, asked.path.name)  # which says what the file lacks of each format
    if writer is None:
        message = _("%(format)s is written of judgments, and this is a test set, which can become: %(known)s.")
        raise ConversionError(message % {"format": asked.target, "known": ", ".join(WRITERS)})
    if inspection.problems.count:
        raise wrong_files(inspection)
    if asked.target in ("csv", "tsv"):
        _check_references(spool, inspection)
    write, losses = writer
    return Converted(
        inspection.format, write(spool, inspection, asked), losses(spool, inspection), inspection.problems.notes
    )


def converted_judgments(asked: Conversion) -> Converted:
    """Through the tables of a campaign, in a database that the caller throws away."""
    made = exports.FORMATS.get(asked.target)
    if made is None:
        message = _("Judgments can become: %(known)s.")
        raise ConversionError(message % {"known": ", ".join(exports.FORMATS)})
    if asked.protocol and asked.protocol not in PROTOCOLS:
        raise ConversionError(_("Unknown protocol. Known: %(known)s.") % {"known": ", ".join(PROTOCOLS)})
    outcome = judgment_files.import_judgments(
        asked.path,
        format=asked.source_format,
        name=asked.path.stem[:100] or "judgments",
        protocol=asked.protocol or None,
        source_language=asked.source_language,
        target_language=asked.target_language,
    )
    choice = choice_of(outcome.campaign)
    try:
        pieces = exports.export_rows(outcome.campaign, asked.target, choice)
    except ExportRefusedError as refused:
        raise ConversionError("\n".join(refused.reasons)) from refused
    return Converted(asked.source_format, pieces, list(made.losses(outcome.campaign, choice)), outcome.report["notes"])


def _as_lines(spool: Spool, _inspection: Inspection, _asked: Conversion) -> Iterator[bytes]:
    return pieces_of(json.dumps(value, ensure_ascii=False) + "\n" for value in _objects(spool))


def _objects(spool: Spool) -> Iterator[dict[str, object]]:
    for record in spool.records(SegmentRecord):
        values: dict[str, object] = {name: getattr(record, name) for name in ("document", "segment", "source")}
        for name in ("references", "translations", "title", "domain", "tags", "suggested", "alignments", "instruction"):
            if value := getattr(record, name):
                values[name] = value
        yield values
    for question in spool.records(QuestionRecord):
        values = {"document": question.document, "question": question.text, "name": question.name}
        values |= {"choices": question.choices} if question.choices else {}
        yield values | {"accepted": question.accepted}


_OF_OUTPUTS = ("suggested", "alignments")
_PLAIN = ("document", "segment", "source", "domain", "title", "instruction")


def _rows(spool: Spool, inspection: Inspection) -> Iterator[list[str]]:
    yield [
        *_PLAIN,
        "tags",
        *(f"reference:{name}" for name in inspection.references),
        *(f"system:{name}" for name in inspection.systems),
    ]
    for record in spool.records(SegmentRecord):
        yield [
            *(getattr(record, name) for name in _PLAIN),
            ", ".join(record.tags),
            *(record.references.get(name, "") for name in inspection.references),
            *(record.translations.get(name, "") for name in inspection.systems),
        ]


def _check_references(spool: Spool, inspection: Inspection) -> None:
    """An empty cell of a table is an empty reference, which no reader takes."""
    missing: Counter[str] = Counter()
    for record in spool.records(SegmentRecord):
        missing.update(name for name in inspection.references if name not in record.references)
    if missing:
        names = ", ".join(f"{name} ({count})" for name, count in sorted(missing.items()))
        message = _("A table needs each reference in every segment. Missing: %(names)s. Choose jsonl or xliff.")
        raise ConversionError(message % {"names": names})


def _as_csv(spool: Spool, inspection: Inspection, _asked: Conversion) -> Iterator[bytes]:
    rows = _rows(spool, inspection)
    return csv_pieces(next(rows), rows)


def _as_tsv(spool: Spool, inspection: Inspection, _asked: Conversion) -> Iterator[bytes]:
    return pieces_of("\t".join(cell.translate(_BLANKS) for cell in row) + "\n" for row in _rows(spool, inspection))


def _as_xliff(write: Callable[..., Iterator[str]]) -> Callable[[Spool, Inspection, Conversion], Iterator[bytes]]:
    def pieces(spool: Spool, inspection: Inspection, asked: Conversion) -> Iterator[bytes]:
        form = Form(*_languages(inspection, asked), with_codes=inspection.format in _FROM_TOOLS)
        return pieces_of(write(_files(spool, inspection), form))

    return pieces


def _files(spool: Spool, inspection: Inspection) -> Iterator[TextFile]:
    """A document in the words of each system; references once."""
    for document in spool.documents():
        for place, system in enumerate(inspection.systems or [""]):
            units = (_unit(record, system, is_first=place == 0) for record in spool.records_of(document))
            yield TextFile(document, system, "", units)


def _unit(record: SegmentRecord, system: str, *, is_first: bool) -> Unit:
    references = record.references if is_first else {}
    matches = [Match(name, text, is_reference=True) for name, text in references.items()]
    return Unit(record.segment, record.source, record.translations.get(system), matches)


def _as_wmt_xml(spool: Spool, inspection: Inspection, asked: Conversion) -> Iterator[bytes]:
    documents = (_text_document(name, list(spool.records_of(name))) for name in spool.documents())
    return pieces_of(written_test_set(asked.path.stem, *_languages(inspection, asked), documents))


def _text_document(name: str, records: list[SegmentRecord]) -> TextDocument:
    domain, title = (next(filter(None, (getattr(each, key) for each in records)), "") for key in ("domain", "title"))
    read = TextDocument(
        {"id": name, "domain": domain, "title": title}, [(each.segment, each.source) for each in records]
    )
    for record in records:
        for texts, sides in ((record.references, read.references), (record.translations, read.outputs)):
            for author, text in texts.items():
                sides.setdefault(author, []).append((record.segment, text))
    return read


def _languages(inspection: Inspection, asked: Conversion) -> tuple[str, str]:
    languages = inspection.languages
    source = asked.source_language or languages.get("source") or UNDETERMINED
    return source, asked.target_language or languages.get("target") or UNDETERMINED


def _lost_in_xml(spool: Spool, inspection: Inspection) -> list[str]:
    return [*_told(_counts(spool), "tags", "instruction", *_OF_OUTPUTS), *_questions(inspection)]


def _lost_in_lines(_spool: Spool, _inspection: Inspection) -> list[str]:
    return []


def _lost_in_csv(spool: Spool, inspection: Inspection) -> list[str]:
    counts = _counts(spool)
    gaps = sum(inspection.missing_outputs.values())
    told = [_("Gaps of systems that become empty translations: %(count)d.") % {"count": gaps}] if gaps else []
    return [*told, *_told(counts, *_OF_OUTPUTS), *_questions(inspection)]


def _lost_in_tsv(spool: Spool, inspection: Inspection) -> list[str]:
    broken = sum(cell != cell.translate(_BLANKS) for row in _rows(spool, inspection) for cell in row)
    told = [_("Cells whose tabs and line ends become blanks: %(count)d.") % {"count": broken}] if broken else []
    return [*_lost_in_csv(spool, inspection), *told]


def _lost_in_xliff(spool: Spool, inspection: Inspection) -> list[str]:
    return [*_told(_counts(spool), "title", "domain", "tags", "instruction", *_OF_OUTPUTS), *_questions(inspection)]


def _lost_in_tmx(spool: Spool, inspection: Inspection) -> list[str]:
    count = sum(not record.translations and not record.references for record in spool.records(SegmentRecord))
    told = [_("Segments without a translation, left out: %(count)d.") % {"count": count}] if count else []
    return [*_lost_in_xliff(spool, inspection), *told]


def _counts(spool: Spool) -> Counter[str]:
    names = ("title", "domain", "tags", "instruction", *_OF_OUTPUTS)
    return Counter(name for record in spool.records(SegmentRecord) for name in names if getattr(record, name))


def _told(counts: Counter[str], *names: str) -> list[str]:
    words = {
        "title": _("Titles, left out: %(count)d."),
        "domain": _("Domains, left out: %(count)d."),
        "tags": _("Segments whose tags are left out: %(count)d."),
        "instruction": _("Instructions, left out: %(count)d."),
        "suggested": _("Segments whose suggested errors are left out: %(count)d."),
        "alignments": _("Segments whose alignments are left out: %(count)d."),
    }
    return [words[name] % {"count": counts[name]} for name in names if counts[name]]


def _questions(inspection: Inspection) -> list[str]:
    count = inspection.questions
    return [_("Questions, left out: %(count)d.") % {"count": count}] if count else []


Writer = tuple[Callable[[Spool, Inspection, Conversion], Iterator[bytes]], Callable[[Spool, Inspection], list[str]]]
WRITERS: dict[str, Writer] = {
    "jsonl": (_as_lines, _lost_in_lines),
    "csv": (_as_csv, _lost_in_csv),
    "tsv": (_as_tsv, _lost_in_tsv),
    "wmt-xml": (_as_wmt_xml, _lost_in_xml),
    "xliff": (_as_xliff(write_new), _lost_in_xliff),
    "xliff-1-2": (_as_xliff(write_old), _lost_in_xliff),
    "tmx": (_as_xliff(write_tmx), _lost_in_tmx),
}
