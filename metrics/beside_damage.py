"""Genuine texts judged on one screen with a damaged one: they tell of the damage, and nothing of themselves."""

from django.db.models import Case, Exists, OuterRef, Q, Value, When

from annotation.models import ItemKind, Slot

BESIDE_DAMAGE = "beside"


def beside_damage() -> Q:
    """Of scores: those of slots of degraded items that are not the damaged one, where it is known which one is."""
    damaged = Slot.objects.filter(item=OuterRef("judgment__item"), damaged__isnull=False)
    own = damaged.filter(label=OuterRef("slot"))
    return Q(judgment__item__kind=ItemKind.DEGRADED) & Q(Exists(damaged)) & ~Q(Exists(own))


def kind_of_score() -> Case:
    """The kind of its item, or `BESIDE_DAMAGE`."""
    return Case(When(beside_damage(), then=Value(BESIDE_DAMAGE)), default="judgment__item__kind")
