"""The screens of a Pearmut campaign as a plan: each with the systems, and the order of columns, that the file gives."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from annotation.planning.planned import Kind, PlannedAssignment, PlannedItem, PlannedSlot, label_of
from campaigns.models import Segment, System, TestSet
from exchange.formats.pearmut_campaign import PearmutScreen, ReadDocuments

SEGMENTS_FROM_A_POOL = 20  # of one assignment


@dataclass(frozen=True)
class _Keys:
    systems: dict[str, int]
    segments: dict[tuple[str, str], tuple[int, int]]  # document, segment


def as_planned(documents: ReadDocuments, test_set: TestSet, *, is_pool: bool) -> list[PlannedAssignment]:
    """An assignment for each user, or small ones of a pool, with the screens in the order of the file."""
    systems = dict(System.objects.filter(test_set=test_set).values_list("name", "pk"))
    rows = Segment.objects.filter(document__test_set=test_set)
    fields = ("document__name", "name", "document_id", "pk")
    segments = {(document, name): (parent, pk) for document, name, parent, pk in rows.values_list(*fields)}
    keys = _Keys(systems, segments)
    several = _portions(documents.screens[0]) if is_pool else documents.screens
    numbers = count()
    return [
        PlannedAssignment(tuple(_items(screens, documents, keys)), round=0, content=next(numbers))
        for screens in several
        if screens
    ]


def _portions(screens: Sequence[PearmutScreen]) -> Iterator[list[PearmutScreen]]:
    portion: list[PearmutScreen] = []
    for screen in screens:
        portion.append(screen)
        if sum(len(each.segments) for each in portion) >= SEGMENTS_FROM_A_POOL:
            yield portion
            portion = []
    yield portion


def _items(screens: Sequence[PearmutScreen], documents: ReadDocuments, keys: _Keys) -> Iterator[PlannedItem]:
    for block, screen in enumerate(screens, start=1):
        kind: Kind = "repeat" if screen.repeated == frozenset(screen.systems) else "regular"
        for segment in screen.segments:
            texts = documents.segments[screen.document, segment].translations
            slots = tuple(_slots(screen, {name: texts[name].strip() for name in screen.systems}, keys))
            document, key = keys.segments[screen.document, segment]
            yield PlannedItem(document, key, "segment", kind, slots, block=block)


def _slots(screen: PearmutScreen, texts: dict[str, str], keys: _Keys) -> Iterator[PlannedSlot]:
    """Outputs that are equal are one slot, with the columns of all of them."""
    columns: dict[str, list[int]] = {}
    for column, name in enumerate(screen.systems, start=1):
        columns.setdefault(texts[name], []).append(column)
    for same in columns.values():
        own = [keys.systems[screen.systems[column - 1]] for column in same]
        yield PlannedSlot(label_of(same[0]), own[0], tuple(own), tuple(same))
