"""The source and the reference as texts to be read like a system's: a row that stands for them."""

from campaigns.models import StandsFor, System, TestSet


def stand_ins_in(test_set: TestSet, kinds: tuple[str, ...]) -> tuple[System, ...]:
    """One of each kind in a test set, shared by its campaigns; made where there is none yet."""
    return tuple(_stand_in(test_set, StandsFor(kind)) for kind in kinds)


def _stand_in(test_set: TestSet, kind: StandsFor) -> System:
    taken = set(test_set.systems.exclude(stands_for=kind).values_list("name", flat=True))
    free = next(name for name in (kind.value, f"{kind.value} text", f"the {kind.value} itself") if name not in taken)
    values = {"name": free, "is_human": kind == StandsFor.REFERENCE}
    return System.objects.get_or_create(test_set=test_set, stands_for=kind, defaults=values)[0]
