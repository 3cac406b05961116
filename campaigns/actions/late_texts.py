"""Further systems and documents of a test set that exists. What campaigns judge already is not changed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db import transaction
from django.db.models import Max

from campaigns.actions.test_sets import (
    BATCH,
    QuestionRecord,
    SegmentRecord,
    Writer,
    is_human,
    store_questions,
)
from campaigns.models import SuggestedSpan, System, TestSet, Translation


@dataclass(frozen=True)
class LateOutput:
    """An output of a further system for a segment that is there, by its key."""

    segment: int
    system: str
    text: str
    suggested: Sequence[Mapping[str, Any]] = ()
    alignment: str | None = None


@dataclass(frozen=True)
class LateTexts:
    """`systems` are the new ones; `segments` those of new documents, in the order of documents."""

    systems: Sequence[str]
    outputs: Iterable[LateOutput]
    segments: Iterable[SegmentRecord]
    questions: Iterable[QuestionRecord]


def store_late_texts(test_set: TestSet, late: LateTexts) -> None:
    """All or nothing; rows that are there stay as they are."""
    with transaction.atomic():
        System.objects.bulk_create(
            [System(test_set=test_set, name=name, is_human=is_human(name)) for name in late.systems]
        )
        systems = {system.name: system for system in test_set.systems.filter(stands_for="")}
        outputs = iter(late.outputs)
        while several := list(islice(outputs, BATCH)):
            _store_outputs(several, systems)
        last = test_set.documents.aggregate(last=Max("position"))["last"]
        writer = Writer(test_set, systems, start=0 if last is None else last + 1)
        segments = iter(late.segments)
        while batch := list(islice(segments, BATCH)):
            writer.write(batch)
        store_questions(test_set, late.questions)


def _store_outputs(outputs: Sequence[LateOutput], systems: Mapping[str, System]) -> None:
    rows = Translation.objects.bulk_create(
        [
            Translation(segment_id=each.segment, system=systems[each.system], text=each.text, alignment=each.alignment)
            for each in outputs
        ]
    )
    SuggestedSpan.objects.bulk_create(
        [
            SuggestedSpan(translation=row, **span)
            for row, each in zip(rows, outputs, strict=True)
            for span in each.suggested
        ]
    )
