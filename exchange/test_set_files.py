"""Test sets from files: any format → checked records, spooled until all are read → rows."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from campaigns.actions.media import MediumFile, add_media
from campaigns.actions.test_sets import NewTestSet, OnProgress, QuestionRecord, SegmentRecord, store_test_set
from campaigns.languages import language_problem
from campaigns.media.errors import MediaError
from campaigns.models import Account, Segment, TestSet, TestSetStatus
from campaigns.reading.foreign_files import LOOKED_AT, campaign_format_of, format_of_xml, formats_tried
from campaigns.reading.problems import Problems, UnreadableFileError, text_error
from campaigns.reading.workbook import is_workbook
from exchange import campaign_texts
from exchange.campaign_readers import ALIASES
from exchange.formats.genmt_report import GenmtReport
from exchange.formats.parallel_text import ImportFiles, read_parallel
from exchange.formats.questions import read_questions
from exchange.formats.test_set_lines import jsonl_columns, read_jsonl
from exchange.formats.test_set_table import Column, read_table, table_columns
from exchange.formats.tmx import read_tmx, tmx_columns, tmx_languages
from exchange.formats.wmt_genmt import is_genmt, read_genmt
from exchange.formats.wmt_xml import languages_of, read_wmt_xml
from exchange.formats.xliff import read_xliff, xliff_columns, xliff_languages
from exchange.reading import ImportFileError, SourceFile, WrongSegment, add_to_digest
from exchange.staging.test_set import Spool, open_spool

Records = Iterator[SegmentRecord | WrongSegment | QuestionRecord]
Reader = Callable[[SourceFile, Mapping[str, str]], Records]

IN_COLUMNS: dict[str, Reader] = {
    "jsonl": read_jsonl,
    "csv": partial(read_table, is_tabbed=False),
    "tsv": partial(read_table, is_tabbed=True),
    "xlsx": partial(read_table, is_tabbed=False),
    "xliff": read_xliff,
    "tmx": read_tmx,
}
_COLUMNS = {"jsonl": jsonl_columns, "xliff": xliff_columns, "tmx": tmx_columns}
_LANGUAGES = {"wmt-xml": languages_of, "xliff": xliff_languages, "tmx": tmx_languages}
GENMT = "wmt-genmt"
PARALLEL = ("text", "mt-metrics-eval")  # the latter is a folder of such files
CAMPAIGNS = campaign_texts.FORMATS
FORMAT_NAMES = (*IN_COLUMNS, "wmt-xml", GENMT, *CAMPAIGNS, *PARALLEL)
EMPTY_OUTPUTS = ("empty", "gap")  # what an empty translation is: judged as empty, or a gap of its system alone
JUDGED_AS_EMPTY, GAP = EMPTY_OUTPUTS
PREVIEW_ROWS = 3
LONGEST_NAME = 150
GUESSED_FROM = 5_000  # characters of each side: more change no guess
_SUFFIXES = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".xml": "wmt-xml"}


@dataclass
class Inspection:
    """What the files of a test set contain (`segments` counts the right ones), and what is wrong with them.

    `asked_documents` are those with questions. `outputs` and `empty_outputs` are counts by system, as in the files.
    `languages` are the files' own; `sample` has the first texts of either side, for a guess.
    """

    format: str = ""
    documents: int = 0
    segments: int = 0
    questions: int = 0
    asked_documents: int = 0
    words: int = 0
    systems: list[str] = field(default_factory=list)
    references: list[str] = field(default_factory=list)
    outputs: Counter[str] = field(default_factory=Counter)
    empty_outputs: Counter[str] = field(default_factory=Counter)
    preview: list[SegmentRecord] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)
    languages: dict[str, str] = field(default_factory=dict)
    sample: dict[str, str] = field(default_factory=lambda: {"source": "", "target": ""})
    columns: list[Column] = field(default_factory=list)
    genmt: GenmtReport | None = None

    @property
    def can_skip(self) -> bool:
        """Whether anything is left to import without the bad segments."""
        return self.problems.count > 0 and not self.problems.fatal and self.segments > 0

    @property
    def missing_outputs(self) -> dict[str, int]:
        """By system the segments that the files have no translation of."""
        return {name: gaps for name in self.systems if (gaps := self.segments - self.outputs[name])}

    def gaps(self, empty_outputs: str) -> dict[str, int]:
        """By system the segments that are stored without its output."""
        empty = self.empty_outputs if empty_outputs == GAP else Counter[str]()
        return dict(Counter(self.missing_outputs) + empty)

    def summary(self) -> dict[str, Any]:
        """What every report on it has."""
        names = ("documents", "segments", "questions", "systems", "references", "words")
        empty = {name: self.empty_outputs[name] for name in self.systems if self.empty_outputs[name]}
        counts = {"empty_outputs": empty, "missing_outputs": self.missing_outputs}
        return {name: getattr(self, name) for name in names} | counts

    def add(self, record: SegmentRecord) -> None:
        """Counts a segment that is right."""
        self.segments += 1
        self.words += len(record.source.split())
        self.systems += [name for name in record.translations if name not in self.outputs]
        self.references += [name for name in record.references if name not in self.references]
        self.outputs.update(record.translations.keys())
        self.empty_outputs.update(_blank_in(record))
        if len(self.preview) < PREVIEW_ROWS:
            self.preview.append(record)
        for side, text in (("source", record.source), ("target", next(iter(record.translations.values()), ""))):
            if len(self.sample[side]) < GUESSED_FROM:
                self.sample[side] += f"{text[:GUESSED_FROM]}\n"

    def guessed_languages(self) -> dict[str, str]:
        """Where the files name none: a tag for each side that has texts, to be confirmed."""
        if self.languages:
            return {}
        from py3langid import classify  # noqa: PLC0415 - its model takes half a second to load

        return {side: str(classify(text)[0]) for side, text in self.sample.items() if text.strip()}


@dataclass(frozen=True)
class ImportOutcome:
    """`created` is False if the very same files were imported under this name before."""

    test_set: TestSet
    created: bool
    inspection: Inspection


def inspect(files: ImportFiles, *, format: str | None = None) -> Inspection:
    """Reads everything, stores nothing."""
    with open_spool() as spool:
        return examine(files, spool, format=format)


def examine(
    files: ImportFiles, spool: Spool, *, format: str | None = None, empty_outputs: str = JUDGED_AS_EMPTY
) -> Inspection:
    """Reads everything into the spool. Memory use does not grow with the file; the list of problems is limited."""
    inspection = Inspection()
    problems = inspection.problems
    try:
        _check_are_texts(files, problems)
        inspection.format = ALIASES.get(format or "", format) or guess_format(files)
        inspection.columns = _columns(files, inspection.format)
        inspection.genmt = GenmtReport() if inspection.format == GENMT else None
        _fill(inspection, _records(files, inspection, problems), spool, empty_outputs)
        is_empty = format is None and inspection.format == "jsonl" and not inspection.segments
        if is_empty and files.path is not None and (tried := formats_tried(beginning(files.path))):
            problems.add(files.name_of(files.path), None, "", tried)
    except UnreadableFileError:
        pass
    if inspection.genmt:
        inspection.languages = inspection.genmt.languages
    _count, inspection.documents = spool.counts(SegmentRecord)
    inspection.questions, inspection.asked_documents = spool.counts(QuestionRecord)
    if files.path is not None and inspection.format in _LANGUAGES and not problems.fatal:
        inspection.languages = _LANGUAGES[inspection.format](files.path)
    return inspection


def _check_are_texts(files: ImportFiles, problems: Problems) -> None:
    for path in files.by_role().values():
        is_ours = _is_whole if path in (files.path, files.questions) else is_genmt
        with suppress(UnreadableFileError):
            files.opened(path, problems).check_is_text(is_ours)
    if problems.fatal:
        raise UnreadableFileError


def _is_whole(begin: str) -> bool:
    is_named = campaign_format_of(begin) in CAMPAIGNS or format_of_xml(begin.encode("latin-1", "replace"))
    return is_genmt(begin) or is_workbook(begin) or bool(is_named)


def _records(files: ImportFiles, inspection: Inspection, problems: Problems) -> Records:
    format = inspection.format
    if files.columns and format not in IN_COLUMNS:
        message = f"Only {', '.join(IN_COLUMNS)} have columns that can be chosen; this is {format}."
        problems.add("", None, "", message, is_fatal=True)
        raise UnreadableFileError
    if files.systems and files.path is not None and format != GENMT:
        message = _(
            "Only %(own)s has a file for each system beside it; this is %(format)s. Leave out the systems’ files."
        )
        problems.add("", None, "", message % {"own": GENMT, "format": format}, is_fatal=True)
        raise UnreadableFileError
    if inspection.genmt:
        yield from read_genmt(files, problems, inspection.genmt)
    elif format in CAMPAIGNS:
        yield from campaign_texts.read_texts(files, format, problems)
    elif format in PARALLEL or files.path is None:
        yield from read_parallel(files, problems)
    elif format in IN_COLUMNS:
        yield from IN_COLUMNS[format](files.opened(files.path, problems), files.columns)
    else:
        yield from read_wmt_xml(files.opened(files.path, problems))
    if files.questions is not None:
        yield from read_questions(files.opened(files.questions, problems))


def _columns(files: ImportFiles, format: str) -> list[Column]:
    if files.path is None or format not in IN_COLUMNS:
        return []
    if format in _COLUMNS:
        return _COLUMNS[format](files.path, files.columns)
    return table_columns(files.path, files.columns, is_tabbed=format == "tsv")


def _fill(inspection: Inspection, records: Records, spool: Spool, empty_outputs: str) -> None:
    problems = inspection.problems
    for record in records:
        if earlier := spool.add(_decided(record, empty_outputs)):
            problems.add(record.file, record.line, *_second(record, *earlier))
        elif isinstance(record, SegmentRecord):
            inspection.add(record)
    for question in spool.drop_stray_questions():
        message = f"No document “{question.document}” was read. Correct the name, or the segments of the document."
        problems.add(question.file, question.line, "document", message)


def _second(record: SegmentRecord | WrongSegment | QuestionRecord, file: str, line: int) -> tuple[str, str]:
    """The column and the sentence about a record whose name is taken since that line."""
    if isinstance(record, QuestionRecord):
        taken = f"“{record.document}” has a question “{record.name}” already, in {file}, line {line}."
        return "name", f"{taken} Rename one of them."
    return "segment", f"Segment {record.segment} occurs twice in “{record.document}”, first in line {line}."


def _blank_in(record: SegmentRecord) -> list[str]:
    return [name for name, text in record.translations.items() if not text.strip()]


Decided = TypeVar("Decided", bound=SegmentRecord | WrongSegment | QuestionRecord)


def _decided(record: Decided, empty_outputs: str) -> Decided:
    """With empty outputs as somebody decided: the empty text, or none. What came with blanks goes with these."""
    if not isinstance(record, SegmentRecord) or not (blank := _blank_in(record)):
        return record
    translations = {name: text for name, text in record.translations.items() if name not in blank}
    if empty_outputs == JUDGED_AS_EMPTY:
        translations |= dict.fromkeys(blank, "")
    suggested = {name: spans for name, spans in record.suggested.items() if record.translations[name].strip()}
    alignments = {name: pairs for name, pairs in record.alignments.items() if name not in blank}
    return replace(record, translations=translations, suggested=suggested, alignments=alignments)


def guess_format(files: ImportFiles) -> str:
    """By the content first, by the name if the content is ambiguous."""
    if files.path is None:
        return "text"
    if files.opened(files.path, Problems()).is_workbook:
        return "xlsx"
    head = first_line(files.path)
    if campaign := campaign_format_of(beginning(files.path)):
        return campaign
    if head.startswith("{"):
        return GENMT if is_genmt(head) else "jsonl"
    if head.startswith("<") and (named := format_of_xml(_beginning(files.path))):
        return named
    by_content = {"wmt-xml": head.startswith("<"), "tsv": "\t" in head, "csv": "," in head or ";" in head}
    by_name = _SUFFIXES.get(Path(files.name_of(files.path)).suffix.lower(), "csv")
    return next((format for format, fits in by_content.items() if fits), by_name)


def _beginning(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(LOOKED_AT)


def beginning(path: Path) -> str:
    with SourceFile(path, "", Problems()).open_text(newline=None) as stream:
        return stream.read(LOOKED_AT).lstrip("\ufeff \t\r\n")


def first_line(path: Path) -> str:
    """The first line that is not blank, or its beginning."""
    with SourceFile(path, "", Problems()).open_text(newline=None) as stream:
        head = stream.readline(200_000).lstrip("\ufeff \t\r\n")
        while not head:
            line = stream.readline(200_000)
            if not line:
                break
            head = line.lstrip()
    return head


def import_test_set(
    files: ImportFiles,
    *,
    name: str,
    source_language: str,
    target_language: str,
    format: str | None = None,
    skip_bad_rows: bool = False,
    empty_outputs: str = JUDGED_AS_EMPTY,
    refuse_realigned: bool = False,
    created_by: Account | None = None,
    on_progress: OnProgress | None = None,
) -> ImportOutcome:
    """Stores a test set, whole or not at all. Raises ImportFileError with every error.

    `refuse_realigned`: nobody has confirmed the documents whose paragraphs do not correspond to those of the source.
    """
    name = name.strip()
    _check_names(name, source_language, target_language)
    digest = content_hash(files, source_language, target_language, empty_outputs)
    chosen = replace(files.genmt, source_language=source_language, target_language=target_language)
    files = replace(files, genmt=chosen)
    existing = TestSet.objects.filter(name=name, status=TestSetStatus.READY).first()
    if existing is not None and existing.content_hash != digest:
        raise ImportFileError(f"Another test set has the name “{name}” already. Choose another name.")
    with open_spool() as spool:
        inspection = examine(files, spool, format=format, empty_outputs=empty_outputs)
        if existing is not None:
            return ImportOutcome(existing, created=False, inspection=inspection)
        if inspection.problems.count and not (skip_bad_rows and inspection.can_skip):
            raise wrong_files(inspection)
        if refuse_realigned and inspection.genmt and inspection.genmt.unconfirmed:
            raise ImportFileError(*inspection.genmt.realigned_sentences())
        new = NewTestSet(
            name=name,
            source_language=source_language,
            target_language=target_language,
            content_hash=digest,
            format=inspection.format,
            systems=inspection.systems,
            segments=spool.records(SegmentRecord),
            questions=spool.records(QuestionRecord),
            count=inspection.segments,
            report=inspection.summary()
            | {"left_out": inspection.problems.count, "notes": inspection.problems.notes}
            | {"gaps": inspection.gaps(empty_outputs)}
            | ({"genmt": inspection.genmt.stored()} if inspection.genmt else {}),
        )
        test_set = store_test_set(new, created_by=created_by, on_progress=on_progress or (lambda _share: None))
        if inspection.genmt and inspection.genmt.assets.files:
            _store_media(test_set, inspection.genmt.assets.files, created_by)
    return ImportOutcome(test_set, created=True, inspection=inspection)


def _store_media(test_set: TestSet, files: list[MediumFile], created_by: Account | None) -> None:
    """Texts whose media cannot be stored are not stored either."""
    stored = set(Segment.objects.filter(document__test_set=test_set).values_list("document__name", "name"))
    documents = {(document, "") for document, _segment in stored}
    known = [file for file in files if (file.document, file.segment) in stored | documents]  # bad rows were left out
    try:
        add_media(test_set=test_set, files=known, by=created_by)
    except MediaError as error:
        test_set.delete()
        raise ImportFileError(problems=error.problems) from error


def wrong_files(inspection: Inspection) -> ImportFileError:
    return ImportFileError(problems=inspection.problems, usable=inspection.segments if inspection.can_skip else 0)


def content_hash(
    files: ImportFiles, source_language: str, target_language: str, empty_outputs: str = JUDGED_AS_EMPTY
) -> str:
    """The same for the same bytes in the same roles, whatever the files' names."""
    decided = "" if empty_outputs == JUDGED_AS_EMPTY else f"empty outputs {empty_outputs}\n"
    languages = f"{source_language}\n{target_language}\n"
    digest = hashlib.sha256(f"{languages}{decided}{files.genmt.chosen()}{files.campaign_id}".encode())
    for column, role in sorted(files.columns.items()):
        digest.update(f"column {column}\n{role}\n".encode())
    for role, path in files.by_role().items():
        digest.update(f"{role}\n".encode())
        add_to_digest(digest, path, files.name_of(path))
    return digest.hexdigest()


def _check_names(name: str, source_language: str, target_language: str) -> None:
    errors = []
    if not name:
        errors.append("The test set has no name. Give it one.")
    if error := text_error(name):
        errors.append(f"The name of the test set: {error}")
    if len(name) > LONGEST_NAME:
        errors.append(f"The name has {len(name)} characters. Use at most {LONGEST_NAME}.")
    for side, language in (("source", source_language), ("target", target_language)):
        if error := language_problem(language):
            errors.append(f"{side} language: {error}")
    if errors:
        raise ImportFileError(*errors)
