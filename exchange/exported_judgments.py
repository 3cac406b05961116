"""The part of a campaign that a file includes, and its judgments as streams in one order, joined in constant memory."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Annotated, Any, NamedTuple, TypeVar, get_type_hints

from django.db.models import F, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

import numpy as np

from annotation.models import Credit, ItemKind, Judgment, Score, is_surplus
from campaigns.models import Campaign, Reference, Segment
from exchange.key_windows import NAMED_AT_ONCE
from metrics.derivations import derivations_of
from metrics.models import DerivedScore

Rows = TypeVar("Rows", bound=Model)


@dataclass(frozen=True)
class ExportChoice:
    """`codes` replace annotators' names; nobody in `left_out` is included, and with a `sample` no other judgment.

    `labels`: tables of judgments also say what the link of a crowd said about the annotator.
    """

    codes: Mapping[str, str] = field(default_factory=dict)
    left_out: frozenset[int] = frozenset()
    sample: frozenset[int] | None = None
    labels: bool = False

    def of_judgments(self, rows: "QuerySet[Rows]", judgment: str = "judgment") -> "QuerySet[Rows]":
        """The rows that the file includes; `judgment` is the path from a row to its judgment, or empty.

        Attention checks have a file of their own.
        """
        start, key = (f"{judgment}__", judgment) if judgment else ("", "pk")
        rows = rows if self.sample is None else rows.filter(_one_of(key, self.sample))
        rows = rows.exclude(**{f"{start}item__kind": ItemKind.CHECK})
        return rows.exclude(**{f"{start}annotator__in": self.left_out}) if self.left_out else rows

    def called(self, annotator: str) -> str:
        return self.codes.get(annotator, annotator)


def _one_of(key: str, judgments: Collection[int]) -> Q:
    """In pieces: a single long list SQLite would go through for every item of the campaign."""
    ordered = sorted(judgments)
    pieces = (ordered[at : at + NAMED_AT_ONCE] for at in range(0, len(ordered), NAMED_AT_ONCE))
    return reduce(or_, (Q(**{f"{key}__in": piece}) for piece in pieces), Q(**{f"{key}__in": ()}))


EVERYTHING = ExportChoice()


def answers_to(campaign: Campaign, segment: Segment) -> ExportChoice:
    """All answers to one segment."""
    own = Judgment.objects.filter(item__assignment__campaign=campaign, item__segment=segment)
    return ExportChoice(sample=frozenset(own.values_list("pk", flat=True)))


CHUNK = 500


def paths_of(record: type[tuple[Any, ...]]) -> list[str]:
    """Where in the database each field of a named tuple comes from: as annotated, else the column of its name."""
    hints = get_type_hints(record, include_extras=True)
    return [getattr(hint, "__metadata__", (name,))[0] for name, hint in hints.items()]


class JudgedSlot(NamedTuple):
    """One slot of one judgment; the fields up to `answer` belong to the judgment and repeat in each of its slots."""

    judgment_id: Annotated[int, "pk"]
    client_id: Any
    annotator: Annotated[str, "annotator__username"]
    assignment: Annotated[str, "item__assignment__name"]
    assignment_position: Annotated[int, "item__assignment__position"]
    position: Annotated[int, "item__position"]
    screen: Annotated[int, "item__block"]
    kind: Annotated[str, "item__kind"]
    is_by_chance: Annotated[bool, "item__is_by_chance"]
    document: Annotated[str, "item__document__name"]
    document_domain: Annotated[str, "item__document__domain"]
    segment_id: Annotated[int | None, "item__segment_id"]
    segment: Annotated[str | None, "item__segment__name"]
    segment_domain: Annotated[str | None, "item__segment__domain"]
    source: Annotated[str | None, "item__segment__source"]
    reference: Annotated[str | None, "reference_text"]
    revision: int
    surplus: Annotated[bool, "counts_not"]
    started: Annotated[Any, "started_at"]
    submitted: Annotated[Any, "submitted_at"]
    elapsed_ms: int | None
    active_ms: int | None
    answer: Any
    slot: Annotated[str | None, "item__slots__label"]
    columns: Annotated[str | None, "item__slots__columns"]
    system_id: Annotated[int | None, "item__slots__system_id"]
    system: Annotated[str | None, "item__slots__system__name"]
    translation_id: Annotated[int | None, "item__slots__translation_id"]
    shown: str | None


def judgments_of(campaign: Campaign, choice: ExportChoice) -> "QuerySet[Judgment]":
    return choice.of_judgments(Judgment.objects.filter(item__assignment__campaign=campaign), "")


def judged_slots(judgments: "QuerySet[Judgment]") -> Iterator[JudgedSlot]:
    first_reference = Reference.objects.filter(segment=OuterRef("item__segment")).order_by("name").values("text")[:1]
    rows = judgments.annotate(
        reference_text=Subquery(first_reference),
        counts_not=is_surplus(),
        shown=Coalesce("item__slots__damaged", "item__slots__translation__text"),
    ).order_by("pk", "item__slots__label")
    return (JudgedSlot(*row) for row in rows.values_list(*paths_of(JudgedSlot)).iterator(CHUNK))


def credited(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[tuple[Any, ...]]:
    """judgment, slot, system, system's name, translation: outputs identical to a judged one."""
    own = Credit.objects.filter(slot__item__assignment__campaign=campaign, slot__item__judgments__isnull=False)
    own = own.exclude(slot__item__kind=ItemKind.CHECK)
    if choice.sample is not None:
        own = own.filter(slot__item__in=Judgment.objects.filter(pk__in=choice.sample).values("item"))
    return (
        own.annotate(judgment_id=F("slot__item__judgments__pk"))
        .order_by("judgment_id", "slot__label", "pk")
        .values_list("judgment_id", "slot__label", "system_id", "system__name", "translation_id")
        .iterator(CHUNK)
    )


def scored(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[tuple[Any, ...]]:
    """judgment, translation or else system, measure, value."""
    return (
        choice.of_judgments(Score.objects.filter(judgment__item__assignment__campaign=campaign))
        .order_by("judgment_id", "pk")
        .values_list("judgment_id", "translation_id", "system_id", "measure", "value")
        .iterator(CHUNK)
    )


def derived(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[tuple[Any, ...]]:
    """judgment, translation, measure, value; the newest formula last; of our own formulas only the current version."""
    rows = choice.of_judgments(DerivedScore.objects.filter(judgment__item__assignment__campaign=campaign))
    for derivation in derivations_of(campaign.protocol):
        rows = rows.exclude(Q(measure=derivation.measure.name) & ~Q(signature=derivation.signature))
    return (
        rows.order_by("judgment_id", "measure", "pk")
        .values_list("judgment_id", "translation_id", "measure", "value")
        .iterator(CHUNK)
    )


class Places:
    """Where each key stands in a sequence, from 0: sixteen bytes a key, where a dict takes a hundred and more."""

    def __init__(self, keys: Iterable[int]) -> None:
        ordered = np.fromiter(keys, np.int64)
        self._places = np.argsort(ordered, kind="stable")
        self._keys = ordered[self._places]

    def __getitem__(self, key: int) -> int:
        at = int(np.searchsorted(self._keys, key))
        if at == len(self._keys) or self._keys[at] != key:
            raise KeyError(key)
        return int(self._places[at])


class Follower:
    """Rows sorted by their first cell, returned by key to a caller that requests keys in the same order."""

    def __init__(self, rows: Iterable[tuple[Any, ...]]) -> None:
        self._rows: Iterator[tuple[Any, ...]] = iter(rows)
        self._next = next(self._rows, None)

    def rows_of(self, key: Any) -> list[tuple[Any, ...]]:
        """The rest of each row with this key, a number or a tuple; rows of skipped keys are dropped."""
        rows = []
        while self._next is not None and self._next[0] <= key:
            if self._next[0] == key:
                rows.append(self._next[1:])
            self._next = next(self._rows, None)
        return rows
