"""Records into rows: a file is checked whole, then stored in short batches, so that judging goes on meanwhile."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from django.db import transaction
from django.utils.text import slugify

from campaigns.importing.decoding import fault_in
from campaigns.importing.inspection import ImportFileError, Inspection, examine
from campaigns.importing.records import ImportFiles, QuestionRecord, SegmentRecord
from campaigns.importing.spool import Spool
from campaigns.languages import language_problem
from campaigns.models import (
    Account,
    Document,
    Question,
    QuestionKind,
    Reference,
    Segment,
    SuggestedSpan,
    System,
    TestSet,
    TestSetStatus,
    Translation,
)

BATCH = 500
_HUMAN = re.compile(r"(?i:human|translator|reference)([-_ .:]?\w{0,3})|(?i:ref)([-_.:]?\w{0,2})")

OnProgress = Callable[[float], None]


@dataclass(frozen=True)
class ImportOutcome:
    """`created` is False when the very same files were imported under this name before."""

    test_set: TestSet
    created: bool
    inspection: Inspection


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
        discard_unfinished(name)
        test_set = _begin(name, source_language, target_language, digest, inspection, created_by)
        try:
            _store(test_set, spool, inspection, on_progress or (lambda _share: None))
        except BaseException:
            discard_unfinished(name)
            raise
    return ImportOutcome(test_set, created=True, inspection=inspection)


def is_human(system: str) -> bool:
    """Systems named Human, Translator, Reference or ref, with at most a short addition (refA, human-2), are people."""
    return _HUMAN.fullmatch(system) is not None


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


def discard_unfinished(name: str) -> None:
    """What an import that broke off left behind; rows in status loading are shown to nobody."""
    for test_set in TestSet.objects.filter(name=name, status=TestSetStatus.LOADING):
        for rows in (
            Translation.objects.filter(segment__document__test_set=test_set),
            Reference.objects.filter(segment__document__test_set=test_set),
            Segment.objects.filter(document__test_set=test_set),
        ):
            while batch := list(rows.values_list("pk", flat=True)[:BATCH]):
                rows.model.objects.filter(pk__in=batch).delete()
        test_set.delete()


def _check_words(name: str, source_language: str, target_language: str) -> None:
    faults = []
    if not name:
        faults.append("The test set has no name. Give it one.")
    if fault := fault_in(name):
        faults.append(f"The name of the test set: {fault}")
    if len(name) > 150:
        faults.append(f"The name has {len(name)} characters; at most 150 fit.")
    for side, language in (("source", source_language), ("target", target_language)):
        fault = language_problem(language)
        if fault:
            faults.append(f"{side} language: {fault}")
    if faults:
        raise ImportFileError("\n".join(faults))


def _begin(
    name: str, source: str, target: str, digest: str, inspection: Inspection, created_by: Account | None
) -> TestSet:
    return TestSet.objects.create(
        name=name,
        slug=_free_slug(name),
        source_language=source,
        target_language=target,
        content_hash=digest,
        format=inspection.format,
        created_by=created_by,
    )


def _free_slug(name: str) -> str:
    stem = slugify(name)[:140] or "test-set"
    taken = set(TestSet.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    return next(slug for slug in _slugs(stem) if slug not in taken)


def _slugs(stem: str) -> Iterator[str]:
    yield stem
    number = 2
    while True:
        yield f"{stem}-{number}"
        number += 1


def _store(test_set: TestSet, spool: Spool, inspection: Inspection, on_progress: OnProgress) -> None:
    systems = {
        system.name: system
        for system in System.objects.bulk_create(
            [System(test_set=test_set, name=name, is_human=is_human(name)) for name in inspection.systems]
        )
    }
    records = spool.records()
    writer = _Writer(test_set, systems)
    while batch := list(islice(records, BATCH)):
        with transaction.atomic():
            writer.write(batch)
        on_progress(writer.segments / max(inspection.segments, 1))
    _store_questions(test_set, spool)
    report = {
        "documents": inspection.documents,
        "segments": inspection.segments,
        "words": inspection.words,
        "questions": inspection.questions,
        "systems": inspection.systems,
        "references": inspection.references,
        "left_out": inspection.problem_count,
        "notes": inspection.notes,
    }
    TestSet.objects.filter(pk=test_set.pk).update(status=TestSetStatus.READY, report=report)
    test_set.refresh_from_db()


def _store_questions(test_set: TestSet, spool: Spool) -> None:
    positions: dict[str, int] = defaultdict(int)
    questions = spool.questions()
    while batch := list(islice(questions, BATCH)):
        names = {record.document for record in batch}
        documents = {each.name: each for each in Document.objects.filter(test_set=test_set, name__in=names)}
        rows = []
        for record in batch:
            rows.append(_question(record, documents[record.document], positions[record.document]))
            positions[record.document] += 1
        Question.objects.bulk_create(rows)


def _question(record: QuestionRecord, document: Document, position: int) -> Question:
    return Question(
        document=document,
        name=record.name,
        position=position,
        kind=QuestionKind.CHOICE if record.choices else QuestionKind.TEXT,
        text=record.text,
        choices=list(record.choices),
        accepted=list(record.accepted),
    )


class _Writer:
    """Batches of records, in the order of documents, as rows."""

    def __init__(self, test_set: TestSet, systems: dict[str, System]) -> None:
        self.test_set, self.systems = test_set, systems
        self.document: Document | None = None
        self.documents, self.position, self.segments = 0, 0, 0

    def write(self, records: Sequence[SegmentRecord]) -> None:
        segments = Segment.objects.bulk_create([self._segment(record) for record in records])
        Reference.objects.bulk_create(
            [
                Reference(segment=segment, name=name, text=text)
                for segment, record in zip(segments, records, strict=True)
                for name, text in record.references.items()
            ],
            batch_size=BATCH,
        )
        translations = Translation.objects.bulk_create(
            [
                Translation(segment=segment, system=self.systems[name], text=text)
                for segment, record in zip(segments, records, strict=True)
                for name, text in record.translations.items()
            ],
            batch_size=BATCH,
        )
        suggested = (record.suggested.get(name, ()) for record in records for name in record.translations)
        SuggestedSpan.objects.bulk_create(
            [
                SuggestedSpan(translation=translation, **span)
                for translation, spans in zip(translations, suggested, strict=True)
                for span in spans
            ],
            batch_size=BATCH,
        )
        self.segments += len(records)

    def _segment(self, record: SegmentRecord) -> Segment:
        if self.document is None or self.document.name != record.document:
            self.document = Document.objects.create(
                test_set=self.test_set,
                name=record.document,
                title=record.title,
                domain=record.domain,
                position=self.documents,
            )
            self.documents, self.position = self.documents + 1, 0
        segment = Segment(
            document=self.document,
            name=record.segment,
            position=self.position,
            source=record.source,
            domain=record.domain,
            tags=list(record.tags),
        )
        self.position += 1
        return segment
