"""A test set as planning needs it: ids, and which outputs are identical. Reads the texts once and stores none."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import groupby

from annotation.models import ChosenSegment
from annotation.planning.documents import PlanDocument, PlanSegment
from campaigns.models import Campaign, Reference, Segment, StandsFor, System, TestSet, Translation


def plan_documents(
    test_set: TestSet,
    systems: Collection[System],
    *,
    only_with_questions: bool = False,
    is_trimmed: bool = False,
    chosen: Collection[int] | None = None,
) -> list[PlanDocument]:
    """In the order of the file; a segment without translations is included, without outputs.

    Where there are `chosen` segments, the others are left out. Where `is_trimmed`, outputs are identical that differ
    only in the white space around them.
    """
    segments = Segment.objects.filter(document__test_set=test_set)
    if only_with_questions:
        segments = segments.filter(document__questions__isnull=False).distinct()
    places = segments.order_by("document__position", "position").values_list("document", "pk")
    known = dict(_segments_with_outputs(test_set, systems, is_trimmed=is_trimmed))
    stand_ins = {system.pk: _segments_of(test_set, system) for system in systems if system.stands_for}
    return [
        PlanDocument(document, [_with(stand_ins, known.get(pk) or PlanSegment(pk, {})) for _, pk in group])
        for document, group in groupby(
            (place for place in places if chosen is None or place[1] in chosen), key=lambda row: row[0]
        )
    ]


def chosen_segments(campaign: Campaign) -> frozenset[int] | None:
    """The keys of those that the campaign judges; None where it judges all of its test set."""
    return frozenset(ChosenSegment.objects.filter(campaign=campaign).values_list("segment", flat=True)) or None


def _segments_of(test_set: TestSet, stand_in: System) -> set[int]:
    """The segments that have the source or the reference."""
    if stand_in.stands_for == StandsFor.SOURCE:
        there = Segment.objects.filter(document__test_set=test_set, source__isnull=False)
        return set(there.values_list("pk", flat=True))
    return set(Reference.objects.filter(segment__document__test_set=test_set).values_list("segment", flat=True))


def _with(stand_ins: dict[int, set[int]], segment: PlanSegment) -> PlanSegment:
    """A source or reference is never identical to a system's output."""
    own = {system: system for system, segments in stand_ins.items() if segment.id in segments}
    return replace(segment, outputs={**segment.outputs, **own}) if own else segment


def _segments_with_outputs(
    test_set: TestSet, systems: Collection[System], *, is_trimmed: bool
) -> Iterator[tuple[int, PlanSegment]]:
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
            trimmed = (text or "").strip()
            outputs[system] = first_with.setdefault(trimmed if is_trimmed else text or "", system)
            if not trimmed:
                empty.append(system)
        yield segment, PlanSegment(segment, outputs, tuple(empty))
