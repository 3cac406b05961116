"""The screens of a campaign's file as a plan: each with the systems, and the order of columns, that the file gives."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from annotation.planning.planned import Kind, PlannedAssignment, PlannedItem, PlannedSlot, label_of
from campaigns.models import Segment, System, TestSet
from exchange.formats.pearmut_campaign import PearmutScreen, ReadDocuments
from exchange.read_campaigns import ReadCampaign

SEGMENTS_FROM_A_POOL = 20  # of one assignment


@dataclass(frozen=True)
class _Keys:
    systems: dict[str, int]
    segments: dict[tuple[str, str], tuple[int, int]]  # document, segment
    has_columns: bool  # a screen shows a whole document, whose systems keep their columns
    asks_documents: bool


def as_planned(read: ReadCampaign, test_set: TestSet, *, is_pool: bool) -> list[PlannedAssignment]:
    """An assignment for each user, or small ones of a pool, with the screens in the order of the file."""
    documents = read.documents
    systems = dict(System.objects.filter(test_set=test_set).values_list("name", "pk"))
    rows = Segment.objects.filter(document__test_set=test_set)
    fields = ("document__name", "name", "document_id", "pk")
    segments = {(document, name): (parent, pk) for document, name, parent, pk in rows.values_list(*fields)}
    asks_documents = read.asks_documents and "document_scores" in read.info.option_names
    keys = _Keys(systems, segments, has_columns=read.is_contrastive, asks_documents=asks_documents)
    several = _portions(documents.screens[0]) if is_pool else [screens for screens in documents.screens if screens]
    contents = [tuple(_with_originals(_items(screens, documents, keys))) for screens in several]
    return [
        PlannedAssignment(items, round=round, content=content)
        for round in range(read.redundancy)
        for content, items in enumerate(contents)
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
        is_repeated = screen.repeated == frozenset(screen.systems)
        kind: Kind = screen.kind or ("repeat" if is_repeated else "regular")
        document = 0
        for segment in screen.segments:
            known = documents.segments[screen.document, segment].translations
            texts = {name: screen.damaged.get((segment, name), known.get(name, "")) for name in screen.systems}
            slots = _slots(screen, segment, {name: text.strip() for name, text in texts.items()}, keys)
            document, key = keys.segments[screen.document, segment]
            yield PlannedItem(document, key, "segment", kind, tuple(slots), block=block)
        if screen.asks_document and keys.asks_documents:
            own = ((label_of(place), keys.systems[name]) for place, name in enumerate(screen.systems, start=1))
            slots_of_all = tuple(PlannedSlot(label, system, (system,)) for label, system in own)
            yield PlannedItem(document, None, "document", kind, slots_of_all, block=block)


def _with_originals(items: Iterator[PlannedItem]) -> Iterator[PlannedItem]:
    """A control item knows the genuine one of the same output, if its assignment has one."""
    listed = list(items)
    genuine = {_output(item): index for index, item in enumerate(listed) if item.kind == "regular"}
    for item in listed:
        yield item if item.kind == "regular" else replace(item, original=genuine.get(_output(item)))


def _output(item: PlannedItem) -> tuple[object, ...]:
    return item.document, item.segment, item.level, tuple(slot.credited for slot in item.slots)


def _slots(screen: PearmutScreen, segment: str, texts: Mapping[str, str], keys: _Keys) -> Iterator[PlannedSlot]:
    """Outputs that are equal are one slot, with the columns of all of them."""
    columns: dict[str, list[int]] = {}
    for column, name in enumerate(screen.systems, start=1):
        columns.setdefault(texts[name], []).append(column)
    for same in columns.values():
        damaged = screen.damaged.get((segment, screen.systems[same[0] - 1]))
        own = [keys.systems[screen.systems[column - 1]] for column in same]
        yield PlannedSlot(label_of(same[0]), own[0], tuple(own), tuple(same) if keys.has_columns else (), damaged)
