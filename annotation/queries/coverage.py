"""Which documents of which systems are judged: two queries, however large the campaign."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from annotation.models import AssignmentStatus, Credit, ItemKind, ItemLevel, RaceSystem, Slot
from campaigns.models import Campaign

Pairs = Counter[tuple[str, str]]


@dataclass(frozen=True)
class Covered:
    """Of one document and one system: how many outputs are to be judged, each as often as planned, and how many are."""

    done: int = 0
    total: int = 0

    @property
    def share(self) -> float:
        return self.done / self.total if self.total else 0.0


@dataclass(frozen=True)
class DocumentLine:
    """`cells` are parallel to the systems."""

    document: str
    cells: tuple[Covered, ...]

    @property
    def least(self) -> float:
        return min(cell.share for cell in self.cells)


@dataclass(frozen=True)
class Coverage:
    """The least judged documents first."""

    systems: tuple[str, ...]
    lines: tuple[DocumentLine, ...]

    @property
    def cells(self) -> list[Covered]:
        return [cell for line in self.lines for cell in line.cells]


def coverage_of(campaign: Campaign) -> Coverage:
    """Control items are left out, and so is what waits of systems that were dropped.

    An output shared by several systems counts for each.
    """
    regular = Q(item__kind=ItemKind.REGULAR) & ~Q(item__level=ItemLevel.CONTEXT)
    asked = Q(item__revision__gt=0) | Q(item__assignment__returned_at=None)
    slots = Slot.objects.filter(
        regular & asked & ~Q(item__assignment__status=AssignmentStatus.ARCHIVED), item__assignment__campaign=campaign
    )
    dropped = RaceSystem.objects.filter(race__campaign=campaign, is_in=False).values("system")
    slots = slots.exclude(item__revision=0, item__assignment__annotator=None, system__in=dropped)
    of_slots = _counted(slots, "")
    of_credits = _counted(Credit.objects.filter(slot__in=slots), "slot__")
    done, total = of_slots[0] + of_credits[0], of_slots[1] + of_credits[1]
    documents, systems = (sorted({pair[place] for pair in total}) for place in (0, 1))
    lines = (
        DocumentLine(document, tuple(Covered(done[document, each], total[document, each]) for each in systems))
        for document in documents
    )
    return Coverage(tuple(systems), tuple(sorted(lines, key=lambda line: line.least)))


def _counted(rows: QuerySet[Slot] | QuerySet[Credit], slot: str) -> tuple[Pairs, Pairs]:
    """What is judged and what is to be, by document and system; `slot` leads from a row to its slot."""
    sums = rows.order_by().values_list(f"{slot}item__document__name", "system__name")
    done, total = Pairs(), Pairs()
    judged = Count("pk", filter=Q(**{f"{slot}item__revision__gt": 0}))
    for document, name, judged_here, here in sums.annotate(judged=judged, all=Count("pk")):
        done[document, name], total[document, name] = judged_here, here
    return done, total
