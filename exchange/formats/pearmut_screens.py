"""The screens of a campaign as Pearmut has them: a document, one item a segment, the same systems in each item.

Rows are streamed in the order of annotators, assignments and positions, and joined in constant memory.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import Annotated, Any, NamedTuple, Self

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Coalesce

from annotation.models import AssignmentStatus, Credit, Item, ItemKind, ItemLevel, Judgment, is_surplus
from campaigns.models import Campaign, Translation
from exchange.exported_judgments import CHUNK, ExportChoice, Follower, judgments_of, paths_of

SEPARATOR = "_###_"
REPEATED = "'"
WRITTEN_KINDS = (ItemKind.REGULAR, ItemKind.REPEAT)
SCREENS_AT_ONCE = 100
_NOBODY = 2**63  # after every annotator
_OF_OUTPUT = ("segment_id", "system__name", "text")


class ShownOutput(NamedTuple):
    """One slot of one item, with its place in the campaign."""

    owner: Annotated[int | None, "assignment__annotator_id"]
    assignment: Annotated[int, "assignment__position"]
    position: int
    block: int
    kind: str
    is_by_chance: bool
    document_id: int
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


class Output(NamedTuple):
    """One column of one segment. Outputs share a slot where they are equal but for the blanks around them."""

    shown: ShownOutput
    system: str
    text: str

    @property
    def shift(self) -> int:
        """How much further right a mark in the shown text is in this one."""
        return _blanks_before(self.text) - _blanks_before(self.shown.text or "")


def _blanks_before(text: str) -> int:
    return len(text) - len(text.lstrip())


class Part(NamedTuple):
    """A slot with its columns, and the texts of the systems that share it."""

    shown: ShownOutput
    columns: Sequence[int]
    texts: Mapping[str, str]


class Answered(NamedTuple):
    """One judgment of the item."""

    pk: int
    annotator: Annotated[str, "annotator__username"]
    revision: int
    started: Annotated[Any, "started_at"]
    submitted: Annotated[Any, "submitted_at"]
    elapsed_ms: int | None
    answer: Any
    actions: Annotated[Any, "action_log__actions"]


@dataclass
class ScreenItem:
    """One segment of a screen: its outputs by column, each with the label of its slot and the kind of its item."""

    first: ShownOutput
    parts: list[Part] = field(default_factory=list)
    outputs: dict[int, Output] = field(default_factory=dict)
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
    possible: dict[int, list[str]] = field(default_factory=dict)  # systems by column
    not_shown: dict[tuple[int, str], str] = field(default_factory=dict)  # by segment and system, the text it has

    def takes(self, parts: Sequence[Part]) -> bool:
        """Whether an item belongs to this screen: no column of its segment is filled twice, or has another system."""
        known = self.items.get(parts[0].shown.segment_id)
        labels = {part.shown.label for part in known.parts} if known else set()
        return not any(part.shown.label in labels for part in parts) and all(
            any(name in part.texts for name in self.possible.get(column, part.texts))
            for part in parts
            for column in part.columns
        )

    def add(self, parts: Sequence[Part]) -> ScreenItem:
        item = self.items.setdefault(parts[0].shown.segment_id, ScreenItem(parts[0].shown))
        for part in parts:
            item.parts.append(part)
            for column in part.columns:
                known = self.possible.get(column, list(part.texts))
                self.possible[column] = [name for name in known if name in part.texts]
        return item

    def settle(self, *, is_whole: bool = False) -> Self:
        """Gives each column its system. Where outputs are shared, the other segments say whose column is which.

        `is_whole`: a system that shares an output gets a column of its own only if it has one in every segment.
        """
        possible, chosen = self.possible, dict[int, str]()
        for column in sorted(possible, key=lambda column: (_is_borrowed(column), len(possible[column]), column)):
            free = [name for name in possible[column] if name not in chosen.values()]
            if free or not _is_borrowed(column):
                chosen[column] = (free or possible[column])[0]
        for item in self.items.values():
            own = {column: part for part in item.parts for column in part.columns}
            by_name = {name: part for part in item.parts for name in part.texts}
            for column, name in chosen.items():
                part = own.get(column) or by_name.get(name)
                if part is not None and name in part.texts:
                    item.outputs[column] = Output(part.shown, name, part.texts[name])
        if is_whole:
            self._drop({column for column in chosen if _is_borrowed(column) and self._has_gap(column)})
        return self

    def _has_gap(self, column: int) -> bool:
        return any(column not in item.outputs for item in self.items.values())

    def _drop(self, columns: Collection[int]) -> None:
        for item in self.items.values():
            item.outputs = {column: output for column, output in item.outputs.items() if column not in columns}

    def gaps(self) -> Iterator[tuple[int, str]]:
        """Segment and system of the cells in which nothing was shown."""
        systems = {column: output.system for item in self.items.values() for column, output in item.outputs.items()}
        for segment, item in self.items.items():
            yield from ((segment, name) for column, name in systems.items() if column not in item.outputs)

    def in_order(self) -> list[ScreenItem]:
        return sorted(self.items.values(), key=lambda item: item.first.segment_position)

    def names(self) -> dict[int, str]:
        """By column, from the left: the system; with an apostrophe where all of it is repeated as planned."""
        shown: dict[int, tuple[str, set[bool]]] = {}
        for item in self.items.values():
            for column, output in item.outputs.items():
                planned = output.shown.kind == ItemKind.REPEAT and not output.shown.is_by_chance
                shown.setdefault(column, (output.system, set()))[1].add(planned)
        return {
            column: name + (REPEATED if planned == {True} else "") for column, (name, planned) in sorted(shown.items())
        }

    def texts(self, item: ScreenItem, names: Mapping[int, str]) -> dict[str, str]:
        """Pearmut needs the same systems in each item: also what was not shown has its text, and a gap is empty."""
        shown = {column: output.text for column, output in item.outputs.items()}
        unseen = {name: text for (segment, name), text in self.not_shown.items() if segment == item.first.segment_id}
        return {name: shown.get(column, unseen.get(name.removesuffix(REPEATED), "")) for column, name in names.items()}


def _is_borrowed(column: int) -> bool:
    """Of a system that only shares the output of another one."""
    return bool(column % 100)


def screens_with_texts(campaign: Campaign) -> Iterator[Screen]:
    rows = ((ShownOutput(*row), None) for row in _rows(planned_items(campaign)))
    return _with_texts(campaign, _screens(campaign, rows, is_whole=True))


def judged_screens(campaign: Campaign, choice: ExportChoice) -> Iterator[Screen]:
    """What was judged, with every revision; surplus judgments are left out."""
    judgments = (
        judgments_of(campaign, choice)
        .alias(counts_not=is_surplus())
        .filter(counts_not=False, item__level=ItemLevel.SEGMENT, item__kind__in=WRITTEN_KINDS)
    )
    size = len(ShownOutput._fields)
    rows = _rows(judgments, of_item="item__", more=paths_of(Answered))
    shown = ((ShownOutput(*row[:size]), Answered(*row[size:])) for row in rows)
    return _with_texts(campaign, _screens(campaign, shown, is_whole=False))


def _with_texts(campaign: Campaign, screens: Iterable[Screen]) -> Iterator[Screen]:
    """With the texts of outputs that were not on the screen, for some screens at once."""
    rest = iter(screens)
    while several := list(islice(rest, SCREENS_AT_ONCE)):
        gaps = [set(screen.gaps()) for screen in several]
        if wanted := set().union(*gaps):
            own = Translation.objects.filter(
                segment__in={segment for segment, _name in wanted},
                system__name__in={name for _segment, name in wanted},
                system__test_set=campaign.test_set_id,
            )
            texts = {(segment, name): text for segment, name, text in own.values_list(*_OF_OUTPUT)}
            for screen, missing in zip(several, gaps, strict=True):
                screen.not_shown = {output: texts[output] or "" for output in missing if output in texts}
        yield from several


def planned_items(campaign: Campaign) -> "QuerySet[Item]":
    """What the plan asks; of an assignment that was given back, what was judged."""
    unasked = Q(assignment__status=AssignmentStatus.ARCHIVED) | Q(assignment__returned_at__isnull=False, revision=0)
    own = Item.objects.filter(assignment__campaign=campaign, level=ItemLevel.SEGMENT, kind__in=WRITTEN_KINDS)
    return own.exclude(unasked)


def shared_in_part(campaign: Campaign) -> int:
    """Systems that the plan does not show, because only some outputs on a screen are those of another system."""
    items = planned_items(campaign).order_by()
    shared = Credit.objects.filter(slot__item__in=items, slot__columns="").order_by()
    place = ("slot__item__assignment", "slot__item__block")
    parts = shared.values_list(*place, "system").annotate(own=Count("slot__item__segment", distinct=True))
    sizes = {}
    if parts.exists():
        blocks = items.values_list("assignment", "block").annotate(own=Count("segment", distinct=True))
        sizes = {(assignment, block): own for assignment, block, own in blocks}
    return sum(own < sizes[assignment, block] for assignment, block, _system, own in parts.iterator(CHUNK))


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


def _screens(
    campaign: Campaign, rows: Iterable[tuple[ShownOutput, Answered | None]], *, is_whole: bool
) -> Iterator[Screen]:
    credits = Follower(_credited(campaign))
    for place, block in groupby(rows, key=lambda row: (row[0].owner, row[0].assignment, row[0].block)):
        screen = Screen(place[0], place[1])
        for key, several in groupby(block, key=lambda row: row[0].key):
            answered = list(several)
            outputs = list({shown.label: shown for shown, _answer in answered}.values())
            parts = _parts(outputs, credits.rows_of(key))
            if not screen.takes(parts):
                yield screen.settle(is_whole=is_whole)
                screen = Screen(place[0], place[1])
            of_item = {answer.pk: answer for _shown, answer in answered if answer is not None}
            screen.add(parts).judgments[key[2]] = list(of_item.values())
        yield screen.settle(is_whole=is_whole)


def _parts(outputs: Sequence[ShownOutput], credits: Sequence[tuple[Any, ...]]) -> list[Part]:
    parts = []
    for shown in outputs:
        others = [(name, text) for label, name, text in credits if label == shown.label]
        texts = {system: text or "" for system, text in [(shown.system, shown.text), *others]}
        parts.append(Part(shown, _columns(shown, len(texts)), texts))
    return parts


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
    """The key of the item, then the label, the further system and its own text."""
    own = Credit.objects.filter(slot__item__assignment__campaign=campaign)
    order = ("slot__item__assignment__position", "slot__item__position")
    owner = "slot__item__assignment__annotator_id"
    rows = own.order_by(F(owner).asc(nulls_last=True), *order, "slot__label", "pk")
    values = rows.values_list(owner, *order, "slot__label", "system__name", "translation__text")
    for owner_id, assignment, position, label, system, text in values.iterator(CHUNK):
        yield (_NOBODY if owner_id is None else owner_id, assignment, position), label, system, text
