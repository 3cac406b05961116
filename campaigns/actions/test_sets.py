"""A test set from typed rows, stored in short batches, so that judging goes on meanwhile; shown when whole."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, islice
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from campaigns.models import (
    Account,
    Campaign,
    Document,
    Question,
    QuestionKind,
    Reference,
    Segment,
    SuggestedSpan,
    System,
    TestSet,
    TestSetStatus,
    TextGuidance,
    Translation,
)

BATCH = 500
_HUMAN = re.compile(r"(?i:human|translator|reference)([-_ .:]?\w{0,3})|(?i:ref)([-_.:]?\w{0,2})")

OnProgress = Callable[[float], None]


@dataclass(frozen=True)
class SegmentRecord:
    """One segment. `suggested` holds error spans by system, `alignments` pairs of token numbers (`0-0 1-2`).

    `file` and `line` say where it was read, for messages.

    `title`, `domain` and `instruction` of the first segment of a document are the document's.
    """

    document: str
    segment: str
    source: str
    references: Mapping[str, str] = field(default_factory=dict)
    translations: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    domain: str = ""
    tags: Sequence[str] = ()
    suggested: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    alignments: Mapping[str, str] = field(default_factory=dict)
    instruction: str = ""
    file: str = ""
    line: int = 0


@dataclass(frozen=True)
class QuestionRecord:
    """A comprehension question on a document: with `choices`, of which `accepted` are right, or answered in words."""

    document: str
    name: str
    text: str
    choices: Sequence[str] = ()
    accepted: Sequence[str] = ()
    file: str = ""
    line: int = 0


@dataclass(frozen=True)
class NewTestSet:
    """`report` is kept with the test set; `count` says how many `segments` will come, in the order of documents."""

    name: str
    source_language: str
    target_language: str
    content_hash: str
    format: str
    systems: Sequence[str]
    segments: Iterable[SegmentRecord]
    questions: Iterable[QuestionRecord]
    count: int
    report: Mapping[str, Any]


def store_test_set(new: NewTestSet, *, created_by: Account | None, on_progress: OnProgress) -> TestSet:
    """Whole or not at all: what breaks off is hidden, and discarded by the next of this name."""
    discard_unfinished(new.name)
    test_set = TestSet.objects.create(
        name=new.name,
        slug=free_slug(TestSet, new.name, "test-set"),
        source_language=new.source_language,
        target_language=new.target_language,
        content_hash=new.content_hash,
        format=new.format,
        created_by=created_by,
    )
    try:
        _store(test_set, new, on_progress)
    except BaseException:
        discard_unfinished(new.name)
        raise
    return test_set


def is_human(system: str) -> bool:
    """Systems named Human, Translator, Reference or ref, with at most a short addition (refA, human-2), are people."""
    return _HUMAN.fullmatch(system) is not None


def discard_unfinished(name: str) -> None:
    """Deletes the rows of an interrupted import; rows in status loading are never shown."""
    for test_set in TestSet.objects.filter(name=name, status=TestSetStatus.LOADING):
        for rows in (
            Translation.objects.filter(segment__document__test_set=test_set),
            Reference.objects.filter(segment__document__test_set=test_set),
            Segment.objects.filter(document__test_set=test_set),
        ):
            while batch := list(rows.values_list("pk", flat=True)[:BATCH]):
                rows.model.objects.filter(pk__in=batch).delete()
        test_set.delete()


def free_slug(model: type[Campaign | TestSet], name: str, fallback: str) -> str:
    """`fallback` is for names without a letter that an address may have."""
    stem = slugify(name)[:140] or fallback
    taken = set(model.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    numbered = (f"{stem}-{number}" for number in count(2))
    return next(slug for slug in chain([stem], numbered) if slug not in taken)


def _store(test_set: TestSet, new: NewTestSet, on_progress: OnProgress) -> None:
    systems = {
        system.name: system
        for system in System.objects.bulk_create(
            [System(test_set=test_set, name=name, is_human=is_human(name)) for name in new.systems]
        )
    }
    records = iter(new.segments)
    writer = Writer(test_set, systems)
    while batch := list(islice(records, BATCH)):
        with transaction.atomic():
            writer.write(batch)
        on_progress(writer.segments / max(new.count, 1))
    store_questions(test_set, new.questions)
    TestSet.objects.filter(pk=test_set.pk).update(status=TestSetStatus.READY, report=dict(new.report))
    test_set.refresh_from_db()


def store_questions(test_set: TestSet, records: Iterable[QuestionRecord]) -> None:
    positions: dict[str, int] = defaultdict(int)
    questions = iter(records)
    while batch := list(islice(questions, BATCH)):
        names = {record.document for record in batch}
        documents = {each.name: each for each in Document.objects.filter(test_set=test_set, name__in=names)}
        rows = []
        for record in batch:
            question = Question(
                document=documents[record.document],
                name=record.name,
                position=positions[record.document],
                kind=QuestionKind.CHOICE if record.choices else QuestionKind.TEXT,
                text=record.text,
                choices=list(record.choices),
                accepted=list(record.accepted),
            )
            positions[record.document] += 1
            rows.append(question)
        Question.objects.bulk_create(rows)


class Writer:
    """Batches of records, in the order of documents, as rows; the first new document gets the position `start`."""

    def __init__(self, test_set: TestSet, systems: Mapping[str, System], *, start: int = 0) -> None:
        self.test_set, self.systems = test_set, systems
        self.document: Document | None = None
        self.documents, self.position, self.segments = start, 0, 0

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
                Translation(
                    segment=segment, system=self.systems[name], text=text, alignment=record.alignments.get(name)
                )
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
            if record.instruction:
                TextGuidance.objects.create(
                    test_set=self.test_set, document=self.document, instruction=record.instruction
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
