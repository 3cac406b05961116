"""Numbers that follow from answers, stored with their formula's signature; an answer is processed once per formula."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, TextField, Value
from django.db.models.functions import Coalesce

from annotation.models import Credit, ItemKind, Judgment, slot_values
from campaigns.models import Campaign
from jobs.run_kinds import OnProgress
from metrics.derivations import Derivation, JudgedText, derivations_of
from metrics.models import DerivedScore

_AT_ONCE = 1_000


class _Slot(NamedTuple):
    judgment_id: int
    answer: Any
    label: str
    translation_id: int
    shown: str


def derive_scores(campaign: Campaign, *, weights: str | None = None, on_progress: OnProgress | None = None) -> int:
    """Computes what is missing and deletes numbers of older formulas; returns the number of judgments processed.

    Only new judgments and revisions are processed; those without a number are tried again the next time. The numbers
    are the same after an interruption or two runs at once. Missing numbers are searched for once: a search for each
    batch would take time that grows with the square of the campaign.
    """
    count = 0
    for derivation in derivations_of(campaign.protocol, weights):
        lacking = list(_lacking(campaign, derivation).order_by("pk").values_list("pk", flat=True))
        for start in range(0, len(lacking), _AT_ONCE):
            ids = lacking[start : start + _AT_ONCE]
            rows = _rows(derivation, ids)
            with transaction.atomic():
                DerivedScore.objects.bulk_create(rows, ignore_conflicts=True)
            count += len(ids)
            if on_progress is not None:
                on_progress((start + len(ids)) / len(lacking), str(derivation.measure.title))
        old = _stored(campaign, derivation).exclude(signature__in=derivation.stored_signatures)
        if old.exists():  # a SELECT does not wait for SQLite's one writer, a DELETE of no rows does
            old.delete()
    return count


def unstored_scores(campaign: Campaign) -> Iterator[DerivedScore]:
    """What is missing, computed and not stored: for files, whose readers change nothing."""
    for derivation in derivations_of(campaign.protocol):
        lacking = list(_lacking(campaign, derivation).order_by("pk").values_list("pk", flat=True))
        for start in range(0, len(lacking), _AT_ONCE):
            yield from _rows(derivation, lacking[start : start + _AT_ONCE])


def _stored(campaign: Campaign, derivation: Derivation) -> QuerySet[DerivedScore]:
    return DerivedScore.objects.filter(judgment__item__assignment__campaign=campaign, measure=derivation.measure.name)


def _lacking(campaign: Campaign, derivation: Derivation) -> QuerySet[Judgment]:
    """Judgments whose answer was not processed; formulas that need an unknown text are skipped."""
    stored = DerivedScore.objects.filter(
        judgment=OuterRef("pk"), measure=derivation.measure.name, signature=derivation.signature
    )
    own = Judgment.objects.filter(
        ~Exists(stored), _has_output(derivation), item__assignment__campaign=campaign, cannot_judge=""
    )
    return own.exclude(item__kind=ItemKind.CHECK).distinct()


def _has_output(derivation: Derivation) -> Q:
    if derivation.needs_text:
        return Q(item__slots__translation__text__isnull=False)
    return Q(item__slots__translation__isnull=False)


def _rows(derivation: Derivation, ids: list[int]) -> list[DerivedScore]:
    slots = list(_slots(derivation, ids))
    credited: dict[tuple[int, str], list[int]] = defaultdict(list)
    for judgment_id, label, translation_id in (
        Credit.objects.filter(slot__item__judgments__in=ids, translation__isnull=False)
        .order_by("pk")
        .values_list("slot__item__judgments", "slot__label", "translation")
    ):
        credited[judgment_id, label].append(translation_id)
    values = derivation.derive([JudgedText(slot.shown, slot_values(slot.answer, slot.label)) for slot in slots])
    return [
        DerivedScore(
            judgment_id=slot.judgment_id,
            translation_id=translation_id,
            slot=slot.label,
            measure=derivation.measure.name,
            signature=derivation.signature,
            value=derived.value,
            weight=derived.weight,
        )
        for slot, derived in zip(slots, values, strict=True)
        if derived is not None
        # an output that several systems share has a row for each, like its scores
        for translation_id in (slot.translation_id, *credited[slot.judgment_id, slot.label])
    ]


def _slots(derivation: Derivation, ids: list[int]) -> Iterator[_Slot]:
    rows = (
        Judgment.objects.filter(_has_output(derivation), pk__in=ids)
        .annotate(shown=Coalesce("item__slots__damaged", "item__slots__translation__text", Value("", TextField())))
        .annotate(label=F("item__slots__label"), shown_translation=F("item__slots__translation"))
        .order_by("pk", "label")
        .values_list("pk", "answer", "label", "shown_translation", "shown")
    )
    return (_Slot(*row) for row in rows)
