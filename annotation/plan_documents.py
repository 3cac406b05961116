"""A test set as planning knows it: ids, and which outputs are identical. One pass over the texts, none of them kept."""

from collections.abc import Collection, Iterator
from itertools import groupby

from annotation.planning import PlanDocument, PlanSegment
from campaigns.models import Segment, System, TestSet, Translation


def plan_documents(test_set: TestSet, systems: Collection[System]) -> list[PlanDocument]:
    """In the order of the file; a segment nobody translated stays, without outputs."""
    segments = (
        Segment.objects.filter(document__test_set=test_set)
        .order_by("document__position", "position")
        .values_list("document", "pk")
    )
    known = dict(_segments_with_outputs(test_set, systems))
    return [
        PlanDocument(document, [known.get(segment) or PlanSegment(segment, {}) for _, segment in group])
        for document, group in groupby(segments, key=lambda row: row[0])
    ]


def _segments_with_outputs(test_set: TestSet, systems: Collection[System]) -> Iterator[tuple[int, PlanSegment]]:
    rows = (
        Translation.objects.filter(segment__document__test_set=test_set, system__in=systems, text__isnull=False)
        .order_by("segment", "system")
        .values_list("segment", "system", "text")
    )
    for segment, group in groupby(rows.iterator(chunk_size=2000), key=lambda row: row[0]):
        first_with: dict[str, int] = {}
        outputs: dict[int, int] = {}
        empty = []
        for _, system, text in group:
            outputs[system] = first_with.setdefault(text or "", system)
            if not (text or "").strip():
                empty.append(system)
        yield segment, PlanSegment(segment, outputs, tuple(empty))
