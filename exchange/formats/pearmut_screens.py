"""The screens of a campaign as Pearmut has them: a document, one item a segment, the same systems in each item.

Rows are streamed in the order of annotators, assignments and positions, and joined in constant memory.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Annotated, Any, NamedTuple

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce

from annotation.models import AssignmentStatus, Credit, Item, ItemKind, ItemLevel, Judgment, is_surplus
from campaigns.models import Campaign
from exchange.exported_judgments import CHUNK, ExportChoice, Follower, judgments_of, paths_of

SEPARATOR = "_###_"
REPEATED = "'"
WRITTEN_KINDS = (ItemKind.REGULAR, ItemKind.REPEAT)
_NOBODY = 2**63  # after every annotator


class ShownOutput(NamedTuple):
    """One slot of one item, with its place in the campaign."""

    owner: Annotated[int | None, "assignment__annotator_id"]
    assignment: Annotated[int, "assignment__position"]
    position: int
    block: int
    kind: str
    document: Annotated[str, "document__name"]
    document_domain: Annotated[str, "document__domain"]
    segment_id: int
    segment: Annotated[str, "segment__name"]
    segment_position: Annotated[int, "segment__position"]
    segment_domain: Annotated[str, "segment__domain"]
    source: Annotated[str | None, "segment__source"]
    label: Annotated[str, "slots__label"]
    columns: Annotated[str, "slots__columns"]
    system: Annotated[str, "slots__system__name"]
    text: Annotated[str | None, "shown"]

    @property
    def key(self) -> tuple[int, int, int]:
        """The order of the rows; a position is one item."""
        return _NOBODY if self.owner is None else self.owner, self.assignment, self.position


class Answered(NamedTuple):
    """One judgment of the item."""

    pk: int
    annotator: Annotated[str, "annotator__username"]
    revision: int
    started: Annotated[Any, "started_at"]
    submitted: Annotated[Any, "submitted_at"]
    elapsed_ms: int | None
    answer: Any


@dataclass
class ScreenItem:
    """One segment of a screen: its outputs by column, each with the label of its slot and the kind of its item."""

    first: ShownOutput
    outputs: dict[int, tuple[ShownOutput, str]] = field(default_factory=dict)  # with the system that is named
    judgments: dict[int, list[Answered]] = field(default_factory=dict)  # by the position of their item

    @property
    def item_id(self) -> str:
        domain = self.first.segment_domain or self.first.document_domain
        return SEPARATOR.join([domain, self.first.document, self.first.segment])


@dataclass
class Screen:
    owner: int | None
    assignment: int
    items: dict[int, ScreenItem] = field(default_factory=dict)

    def takes(self, outputs: Sequence[ShownOutput]) -> bool:
        """Whether an item belongs to this screen: no column of its segment is filled twice."""
        known = self.items.get(outputs[0].segment_id)
        labels = {shown.label for shown, _system in known.outputs.values()} if known else set()
        return not labels & {shown.label for shown in outputs}

    def in_order(self) -> list[ScreenItem]:
        return sorted(self.items.values(), key=lambda item: item.first.segment_position)

    def names(self) -> dict[int, str]:
        """By column, from the left: the system; with an apostrophe where it is only repeated."""
        shown: dict[int, tuple[str, set[str]]] = {}
        for item in self.items.values():
            for column, (output, system) in item.outputs.items():
                shown.setdefault(column, (system, set()))[1].add(output.kind)
        return {
            column: name + (REPEATED if kinds == {ItemKind.REPEAT.value} else "")
            for column, (name, kinds) in sorted(shown.items())
        }

    def texts(self, item: ScreenItem, names: Mapping[int, str]) -> dict[str, str]:
        """An output that is missing is empty: Pearmut needs the same systems in each item."""
        shown = {column: output.text for column, (output, _system) in item.outputs.items()}
        return {name: shown.get(column) or "" for column, name in names.items()}


def screens_with_texts(campaign: Campaign) -> Iterator[Screen]:
    return _screens(campaign, ((ShownOutput(*row), None) for row in _rows(planned_items(campaign))))


def judged_screens(campaign: Campaign, choice: ExportChoice) -> Iterator[Screen]:
    """What was judged, with every revision; surplus judgments are left out."""
    judgments = (
        judgments_of(campaign, choice)
        .alias(counts_not=is_surplus())
        .filter(counts_not=False, item__level=ItemLevel.SEGMENT, item__kind__in=WRITTEN_KINDS)
    )
    size = len(ShownOutput._fields)
    rows = _rows(judgments, of_item="item__", more=paths_of(Answered))
    return _screens(campaign, ((ShownOutput(*row[:size]), Answered(*row[size:])) for row in rows))


def planned_items(campaign: Campaign) -> "QuerySet[Item]":
    """What the plan asks; of an assignment that was given back, what was judged."""
    unasked = Q(assignment__status=AssignmentStatus.ARCHIVED) | Q(assignment__returned_at__isnull=False, revision=0)
    own = Item.objects.filter(assignment__campaign=campaign, level=ItemLevel.SEGMENT, kind__in=WRITTEN_KINDS)
    return own.exclude(unasked)


def _rows(
    rows: "QuerySet[Item] | QuerySet[Judgment]", *, of_item: str = "", more: Sequence[str] = ()
) -> Iterator[tuple[Any, ...]]:
    paths = [path if path == "shown" else f"{of_item}{path}" for path in paths_of(ShownOutput)]
    order: list[Any] = [F(f"{of_item}assignment__annotator_id").asc(nulls_last=True), f"{of_item}assignment__position"]
    with_texts = rows.annotate(shown=Coalesce(f"{of_item}slots__damaged", f"{of_item}slots__translation__text"))
    ordered = with_texts.order_by(
        *order, f"{of_item}position", *(["revision", "pk"] if more else []), f"{of_item}slots__label"
    )
    return ordered.values_list(*paths, *more).iterator(CHUNK)


def _screens(campaign: Campaign, rows: Iterable[tuple[ShownOutput, Answered | None]]) -> Iterator[Screen]:
    credits = Follower(_credited(campaign))
    for place, block in groupby(rows, key=lambda row: (row[0].owner, row[0].assignment, row[0].block)):
        screen = Screen(place[0], place[1])
        for key, several in groupby(block, key=lambda row: row[0].key):
            answered = list(several)
            outputs = list({shown.label: shown for shown, _answer in answered}.values())
            if not screen.takes(outputs):
                yield screen
                screen = Screen(place[0], place[1])
            _add(screen, outputs, credits.rows_of(key))
            of_item = {answer.pk: answer for _shown, answer in answered if answer is not None}
            screen.items[outputs[0].segment_id].judgments[key[2]] = list(of_item.values())
        yield screen


def _add(screen: Screen, outputs: Sequence[ShownOutput], credits: Sequence[tuple[Any, ...]]) -> None:
    item = screen.items.setdefault(outputs[0].segment_id, ScreenItem(outputs[0]))
    for shown in outputs:
        systems = [shown.system, *(name for label, name in credits if label == shown.label)]
        for column, system in zip(_columns(shown, len(systems)), systems, strict=True):
            item.outputs[column] = (shown, system)


def _columns(shown: ShownOutput, count: int) -> list[int]:
    """In hundreds: systems that share a slot without columns of their own come right after it."""
    own = [100 * int(digit) for digit in shown.columns[:count]]
    first = own[-1] if own else 100 * _number(shown.label)
    return own + [first + more + bool(own) for more in range(count - len(own))]


def _number(label: str) -> int:
    """A is 1, AA 27."""
    number = 0
    for letter in label:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _credited(campaign: Campaign) -> Iterator[tuple[Any, ...]]:
    """The key of the item, then the label and the further system."""
    own = Credit.objects.filter(slot__item__assignment__campaign=campaign)
    order = ("slot__item__assignment__position", "slot__item__position")
    owner = "slot__item__assignment__annotator_id"
    rows = own.order_by(F(owner).asc(nulls_last=True), *order, "slot__label", "pk")
    for owner_id, assignment, position, label, system in rows.values_list(
        owner, *order, "slot__label", "system__name"
    ).iterator(CHUNK):
        yield (_NOBODY if owner_id is None else owner_id, assignment, position), label, system
