"""Answers that came with an archive, checked against what was shown, as they were when they were given."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models.functions import Coalesce

from annotation.importing.answer_spans import check_shape
from annotation.importing.cells import CellError
from annotation.importing.checking import FORMATS
from annotation.models import Judgment, Slot
from annotation.protocols import protocol_for
from annotation.protocols.base import (
    Protocol,
    ShownItem,
    ShownQuestion,
    ShownSlot,
)
from annotation.queries.document_questions import question_from
from annotation.queries.suggestions import ShownTranslation, suggested_in
from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign, Question

BATCH = 100


class UnfitAnswer(NamedTuple):
    """The judgment's key, where in its answer, and what is wrong."""

    judgment: int
    field: str
    message: str


class _Given(NamedTuple):
    pk: int
    answer: Any
    item: int
    level: str
    document: int
    source: str | None


class _Shown(NamedTuple):
    item: int
    label: str
    text: str | None
    translation: int | None


def unfit_answers(campaign: Campaign) -> Iterator[UnfitAnswer]:
    """What the campaign's protocol would not have taken.

    A campaign made of a file of judgments holds what that file may hold (more systems on a screen, categories of other
    typologies, no texts): of it only the shape is asked.
    """
    protocol = protocol_for(campaign.protocol, campaign.options)
    is_imported = campaign.test_set.format in FORMATS
    last = 0
    own = Judgment.objects.filter(item__assignment__campaign=campaign).order_by("pk")
    fields = ("pk", "answer", "item_id", "item__level", "item__document_id", "item__segment__source")
    while rows := [_Given(*row) for row in own.filter(pk__gt=last).values_list(*fields)[:BATCH]]:
        items = {} if is_imported else _items(rows, _slots({row.item for row in rows}), protocol)
        for row in rows:
            yield from _faults(row, items.get(row.item), protocol)
        last = rows[-1].pk


def _faults(row: _Given, shown: ShownItem | None, protocol: Protocol[Any]) -> Iterator[UnfitAnswer]:
    try:
        check_shape(row.answer, protocol)
        if shown is not None:
            protocol.parse_answer(row.answer, shown)
    except CellError as error:
        yield UnfitAnswer(row.pk, "", str(error))
    except InvalidInput as error:
        for field, messages in error.errors.items():
            yield UnfitAnswer(row.pk, field, " ".join(messages))


def _slots(items: Collection[int]) -> dict[int, list[_Shown]]:
    rows = Slot.objects.filter(item__in=items).annotate(shown=Coalesce("damaged", "translation__text"))
    found: dict[int, list[_Shown]] = defaultdict(list)
    for row in rows.order_by("item", "label").values_list("item_id", "label", "shown", "translation_id"):
        found[row[0]].append(_Shown(*row))
    return found


def _items(
    rows: Sequence[_Given], slots: Mapping[int, Sequence[_Shown]], protocol: Protocol[Any]
) -> dict[int, ShownItem]:
    """Those all of whose texts are known."""
    outputs = {
        (slot.item, slot.label): ShownTranslation(slot.translation, slot.text or "")
        for several in slots.values()
        for slot in several
        if slot.translation is not None
    }
    suggested = suggested_in(outputs, protocol)
    questions = _questions({row.document for row in rows}) if protocol.asks_questions else {}
    return {
        row.item: ShownItem(
            level=row.level,
            source=row.source if protocol.shows_source else None,
            reference=None,
            slots=tuple(
                ShownSlot(slot.label, slot.text or "", suggested.get((slot.item, slot.label), ()))
                for slot in slots[row.item]
            ),
            questions=tuple(questions.get(row.document, ())),
        )
        for row in rows
        if all(slot.text is not None or slot.translation is None for slot in slots[row.item])
    }


def _questions(documents: Collection[int]) -> dict[int, list[ShownQuestion]]:
    rows = Question.objects.filter(document__in=documents).order_by("document", "position", "pk")
    found: dict[int, list[ShownQuestion]] = defaultdict(list)
    for row in rows.values("document", "name", "text", "choices", "accepted"):
        found[row["document"]].append(question_from(row))
    return found
