"""Which documents of which systems are judged: three queries, however large the campaign."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import BigIntegerField, Count, F, Q, QuerySet, Sum, Value

from annotation.models import AssignmentStatus, Credit, Item, ItemKind, ItemLevel, PlannedOutputs, RaceSystem, Slot
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

    An output shared by several systems counts for each. What was not begun or is finished is known from the plan; only
    where a document of an assignment is half judged are its outputs counted.
    """
    done, total = Pairs(), Pairs()
    begun = _begun(campaign)
    for assignment, key, document, system, judged, asked in _rows(campaign, begun):
        share = begun.shares.get((assignment, key), _ALL_ASKED)
        done[document, system] += share.judged * judged
        total[document, system] += share.asked * asked
    documents, systems = (sorted({pair[place] for pair in +total}) for place in (0, 1))
    lines = (
        DocumentLine(document, tuple(Covered(done[document, each], total[document, each]) for each in systems))
        for document in documents
    )
    return Coverage(tuple(systems), tuple(sorted(lines, key=lambda line: line.least)))


class _Share(NamedTuple):
    """By what the outputs of a document in an assignment count as judged and as asked: 0 or 1."""

    judged: int
    asked: int


_ALL_ASKED = _Share(1, 1)  # as the row says
_COUNTED = _Share(0, 0)  # by item


@dataclass(frozen=True)
class _Begun:
    """Assignments that are half judged or were returned, shares by assignment and document, and items to count by."""

    assignments: list[int]
    shares: dict[tuple[int, int], _Share]
    items: list[int]


_IS_WHOLE = Q(returned_at=None) & (Q(done=0) | Q(done=F("total")))
_Rows = QuerySet[Any, tuple[int, int, str, str, int, int]]


def _begun(campaign: Campaign) -> _Begun:
    begun = campaign.assignments.exclude(_IS_WHOLE).exclude(status=AssignmentStatus.ARCHIVED).order_by()
    returned = dict(begun.values_list("pk", "returned_at"))
    items = Item.objects.filter(assignment__in=list(returned), kind=ItemKind.REGULAR).exclude(level=ItemLevel.CONTEXT)
    texts: dict[tuple[int, int], list[tuple[int, bool]]] = defaultdict(list)
    if returned:
        for pk, assignment, document, revision in items.order_by().values_list(
            "pk", "assignment", "document", "revision"
        ):
            texts[assignment, document].append((pk, revision > 0))
    shares, counted = {}, []
    for text, states in texts.items():
        judged = [pk for pk, is_judged in states if is_judged]
        is_returned = returned[text[0]] is not None
        if judged and len(judged) < len(states):
            shares[text] = _COUNTED
            counted += judged if is_returned else [pk for pk, _is_judged in states]
        else:
            shares[text] = _Share(bool(judged), bool(judged) or not is_returned)
    return _Begun(list(returned), shares, counted)


def _rows(campaign: Campaign, begun: _Begun) -> _Rows:
    """Assignment (0 for all that need no share), document, its name, system, judged and asked outputs; in one query."""
    none = Value(0, BigIntegerField())
    whole = campaign.assignments.filter(_IS_WHOLE).exclude(status=AssignmentStatus.ARCHIVED).order_by()
    dropped = RaceSystem.objects.filter(race__campaign=campaign, is_in=False).values("system")
    waiting = Q(assignment__annotator=None, system__in=dropped)
    planned = PlannedOutputs.objects.filter(assignment__in=whole.values("pk")).exclude(waiting).order_by()
    judged = Sum("outputs", filter=Q(assignment__done__gt=0), default=0)
    rows = planned.values_list(none, "document", "document__name", "system__name").annotate(
        judged=judged, asked=Sum("outputs")
    )
    further: list[_Rows] = []
    if begun.assignments:
        of_begun = PlannedOutputs.objects.filter(assignment__in=begun.assignments).order_by()
        names = ("assignment", "document", "document__name", "system__name")
        further.append(of_begun.values_list(*names, "outputs", F("outputs")))
    if begun.items:
        for slots, slot in ((Slot.objects.all(), ""), (Credit.objects.all(), "slot__")):
            item = f"{slot}item"
            counted = slots.filter(**{f"{item}__in": begun.items}).order_by()
            grouped = counted.values_list(none, f"{item}__document", f"{item}__document__name", "system__name")
            is_judged = Q(**{f"{item}__revision__gt": 0})
            further.append(grouped.annotate(judged=Count("pk", filter=is_judged), asked=Count("pk")))
    return rows.union(*further, all=True) if further else rows
