"""A file looked through from beginning to end: what it holds, how it begins, and everything that is wrong with it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from campaigns.importing.columns import Column
from campaigns.importing.decoding import check_is_text, encoding_of, open_text
from campaigns.importing.jsonl import jsonl_columns, read_jsonl
from campaigns.importing.parallel import read_parallel
from campaigns.importing.problems import Problem, Problems, UnreadableFileError
from campaigns.importing.question_table import read_questions
from campaigns.importing.records import ImportFiles, QuestionRecord, SegmentRecord
from campaigns.importing.spool import Spool
from campaigns.importing.table import read_csv, read_tsv, table_columns
from campaigns.importing.wmt_xml import languages_of, read_wmt_xml

Records = Iterator[SegmentRecord | QuestionRecord]
Reader = Callable[[Path, str, Problems, Mapping[str, str]], Records]

IN_COLUMNS: dict[str, Reader] = {"jsonl": read_jsonl, "csv": read_csv, "tsv": read_tsv}
FORMAT_NAMES = (*IN_COLUMNS, "wmt-xml", "text")
PREVIEW_ROWS = 3
_SUFFIXES = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".xml": "wmt-xml"}


@dataclass
class Inspection:
    """What an import would store (`segments` counts those without fault) and what stands in its way.

    `asked_documents` are those with questions.
    """

    format: str = ""
    encoding: str = ""
    documents: int = 0
    segments: int = 0
    questions: int = 0
    asked_documents: int = 0
    words: int = 0
    systems: list[str] = field(default_factory=list)
    references: list[str] = field(default_factory=list)
    preview: list[SegmentRecord] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    problem_count: int = 0
    is_fatal: bool = False
    unusable_rows: int = 0
    notes: list[str] = field(default_factory=list)
    languages: dict[str, str] = field(default_factory=dict)
    columns: list[Column] = field(default_factory=list)

    @property
    def can_skip(self) -> bool:
        """Whether leaving the bad segments out leaves something to import."""
        return self.problem_count > 0 and not self.is_fatal and self.segments > 0


class ImportFileError(Exception):
    """Files that cannot be imported as they are. Its text lists every problem, a line each."""

    def __init__(self, message: str, inspection: Inspection | None = None) -> None:
        self.inspection = inspection
        lines = [message] if message else []
        if inspection is not None:
            lines += [str(problem) for problem in inspection.problems]
            hidden = inspection.problem_count - len(inspection.problems)
            if hidden:
                lines.append(f"… and {hidden} more problems.")
        super().__init__("\n".join(lines))


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
