"""Test sets from files: any format → checked records, spooled until all is seen → rows."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from campaigns.actions.test_sets import NewTestSet, OnProgress, QuestionRecord, SegmentRecord, store_test_set
from campaigns.languages import language_problem
from campaigns.models import (
    Account,
    TestSet,
    TestSetStatus,
)
from campaigns.reading.problems import Problems, UnreadableFileError, text_error
from exchange.decoding import check_is_text, encoding_of, open_text
from exchange.formats.columns import Column
from exchange.formats.parallel_text import ImportFiles, read_parallel
from exchange.formats.questions import read_questions
from exchange.formats.test_set_lines import jsonl_columns, read_jsonl
from exchange.formats.test_set_table import read_csv, read_tsv, table_columns
from exchange.formats.wmt_xml import languages_of, read_wmt_xml
from exchange.inspection import ImportFileError, Inspection
from exchange.staging.test_set import Spool

Records = Iterator[SegmentRecord | QuestionRecord]
Reader = Callable[[Path, str, Problems, Mapping[str, str]], Records]

IN_COLUMNS: dict[str, Reader] = {"jsonl": read_jsonl, "csv": read_csv, "tsv": read_tsv}
FORMAT_NAMES = (*IN_COLUMNS, "wmt-xml", "text")
PREVIEW_ROWS = 3
_SUFFIXES = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".xml": "wmt-xml"}


@dataclass(frozen=True)
class ImportOutcome:
    """`created` is False when the very same files were imported under this name before."""

    test_set: TestSet
    created: bool
    inspection: Inspection


def inspect(files: ImportFiles, *, format: str | None = None) -> Inspection:
    """Reads everything, stores nothing."""
    with Spool() as spool:
        return examine(files, spool, format=format)


def examine(files: ImportFiles, spool: Spool, *, format: str | None = None) -> Inspection:
    """Reads everything into the spool. Memory does not grow with the file, problems are kept to a bound."""
    found, problems = Inspection(), Problems()
    try:
        for path in files.by_role().values():
            check_is_text(path, files.name_of(path), problems)
        found.format = format or guess_format(files)
        found.encoding = encoding_of(next(iter(files.by_role().values())))
        found.columns = _columns(files, found.format)
        _fill(found, _records(files, found.format, problems), spool, problems)
    except UnreadableFileError:
        pass
    found.documents = spool.document_count
    found.questions, found.asked_documents = spool.question_counts
    found.problems, found.problem_count = problems.kept, problems.count
    found.is_fatal, found.notes = problems.fatal > 0, problems.notes
    found.unusable_rows = problems.lines
    if found.format == "wmt-xml" and files.path is not None:
        found.languages = languages_of(files.path)
    return found


def _records(files: ImportFiles, format: str, problems: Problems) -> Records:
    if files.columns and format not in IN_COLUMNS:
        problems.add("", None, "", f"Columns can be named in {', '.join(IN_COLUMNS)}, not in {format}.", is_fatal=True)
        raise UnreadableFileError
    if format == "text" or files.path is None:
        yield from read_parallel(files, problems)
    elif format in IN_COLUMNS:
        yield from IN_COLUMNS[format](files.path, files.name_of(files.path), problems, files.columns)
    else:
        yield from read_wmt_xml(files.path, files.name_of(files.path), problems)
    if files.questions is not None:
        yield from read_questions(files.questions, files.name_of(files.questions), problems)


def _columns(files: ImportFiles, format: str) -> list[Column]:
    if files.path is None or format not in IN_COLUMNS:
        return []
    if format == "jsonl":
        return jsonl_columns(files.path, files.columns)
    return table_columns(files.path, files.columns, is_tabbed=format == "tsv")


def _fill(found: Inspection, records: Records, spool: Spool, problems: Problems) -> None:
    systems: dict[str, None] = {}
    references: dict[str, None] = {}
    try:
        for record in records:
            if isinstance(record, QuestionRecord):
                _add_question(record, spool, problems)
                continue
            first = spool.add(record)
            if first is not None:
                message = f"Segment {record.segment} occurs twice in “{record.document}”, first in line {first}."
                problems.add(record.file, record.line, "segment", message)
                continue
            found.segments += 1
            found.words += len(record.source.split())
            systems.update(dict.fromkeys(record.translations))
            references.update(dict.fromkeys(record.references))
            if len(found.preview) < PREVIEW_ROWS:
                found.preview.append(record)
    finally:
        found.systems, found.references = list(systems), list(references)
    for question in spool.drop_stray_questions():
        message = f"No segment of a document “{question.document}” was read. Correct the name, or its segments."
        problems.add(question.file, question.line, "document", message)


def _add_question(question: QuestionRecord, spool: Spool, problems: Problems) -> None:
    first = spool.add_question(question)
    if first is not None:
        where = f"in {first.file}, line {first.line}"
        message = f"“{question.document}” has a question named “{first.name}” already, {where}. Rename one of them."
        problems.add(question.file, question.line, "name", message)


def guess_format(files: ImportFiles) -> str:
    """By the content first, by the name where the content leaves it open."""
    if files.path is None:
        return "text"
    with open_text(files.path, newline=None) as stream:
        head = stream.readline(200_000).lstrip("﻿ \t\r\n")
        while not head:
            line = stream.readline(200_000)
            if not line:
                break
            head = line.lstrip()
    if head.startswith("{"):
        return "jsonl"
    if head.startswith("<"):
        return "wmt-xml"
    if "\t" in head:
        return "tsv"
    if "," in head or ";" in head:
        return "csv"
    return _SUFFIXES.get(Path(files.name_of(files.path)).suffix.lower(), "csv")


def import_test_set(
    files: ImportFiles,
    *,
    name: str,
    source_language: str,
    target_language: str,
    format: str | None = None,
    skip_bad_rows: bool = False,
    created_by: Account | None = None,
    on_progress: OnProgress | None = None,
) -> ImportOutcome:
    """Stores a test set, whole or not at all. Raises ImportFileError with everything that is wrong."""
    name = name.strip()
    _check_words(name, source_language, target_language)
    digest = content_hash(files, source_language, target_language)
    existing = TestSet.objects.filter(name=name, status=TestSetStatus.READY).first()
    if existing is not None and existing.content_hash != digest:
        raise ImportFileError(f"Another test set is named “{name}” already. Choose another name.")
    with Spool() as spool:
        inspection = examine(files, spool, format=format)
        if existing is not None:
            return ImportOutcome(existing, created=False, inspection=inspection)
        if inspection.problem_count and not (skip_bad_rows and inspection.can_skip):
            raise ImportFileError("", inspection)
        new = NewTestSet(
            name=name,
            source_language=source_language,
            target_language=target_language,
            content_hash=digest,
            format=inspection.format,
            systems=inspection.systems,
            segments=spool.records(),
            questions=spool.questions(),
            count=inspection.segments,
            report=_report(inspection),
        )
        test_set = store_test_set(new, created_by=created_by, on_progress=on_progress or (lambda _share: None))
    return ImportOutcome(test_set, created=True, inspection=inspection)


def _report(inspection: Inspection) -> dict[str, Any]:
    return {
        "documents": inspection.documents,
        "segments": inspection.segments,
        "words": inspection.words,
        "questions": inspection.questions,
        "systems": inspection.systems,
        "references": inspection.references,
        "left_out": inspection.problem_count,
        "notes": inspection.notes,
    }


def content_hash(files: ImportFiles, source_language: str, target_language: str) -> str:
    """The same for the same bytes in the same roles, whatever the files are called."""
    digest = hashlib.sha256(f"{source_language}\n{target_language}\n".encode())
    for column, role in sorted(files.columns.items()):
        digest.update(f"column {column}\n{role}\n".encode())
    for role, path in files.by_role().items():
        digest.update(f"{role}\n".encode())
        try:
            with path.open("rb") as stream:
                while block := stream.read(1 << 20):
                    digest.update(block)
        except OSError as error:
            raise ImportFileError(f"{files.name_of(path)}: the file cannot be read: {error.strerror}.") from error
    return digest.hexdigest()


def _check_words(name: str, source_language: str, target_language: str) -> None:
    faults = []
    if not name:
        faults.append("The test set has no name. Give it one.")
    if fault := text_error(name):
        faults.append(f"The name of the test set: {fault}")
    if len(name) > 150:
        faults.append(f"The name has {len(name)} characters; at most 150 fit.")
    for side, language in (("source", source_language), ("target", target_language)):
        fault = language_problem(language)
        if fault:
            faults.append(f"{side} language: {fault}")
    if faults:
        raise ImportFileError("\n".join(faults))
