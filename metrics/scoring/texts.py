"""A test set's translations beside the references they are scored against, in the order of the segments."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field

from campaigns.models import Reference, TestSet, Translation


@dataclass
class SystemTexts:
    """One system's translations that have a reference, segment after segment."""

    name: str
    is_human: bool
    translations: list[int] = field(default_factory=list)
    segments: list[int] = field(default_factory=list)
    hypotheses: list[str] = field(default_factory=list)
    references: list[list[str]] = field(default_factory=list)


def reference_names(test_set: TestSet) -> list[str]:
    names = Reference.objects.filter(segment__document__test_set=test_set).values_list("name", flat=True)
    return list(names.distinct().order_by("name"))


def texts_of(test_set: TestSet, *, references: Collection[str]) -> list[SystemTexts]:
    """Every system with anything to score, by name.

    A human translation that stands among the references under the same name is not scored against itself; where it
    is the only reference, the system has nothing to be scored against and is left out.
    """
    by_segment: dict[int, list[tuple[str, str]]] = defaultdict(list)
    chosen = Reference.objects.filter(segment__document__test_set=test_set, name__in=references)
    for segment, name, text in chosen.order_by("name").values_list("segment", "name", "text").iterator(2_000):
        by_segment[segment].append((name, text))
    systems: dict[str, SystemTexts] = {}
    rows = (
        Translation.objects.filter(segment__document__test_set=test_set, text__isnull=False)
        .order_by("system__name", "segment__document__position", "segment__position")
        .values_list("pk", "system__name", "system__is_human", "segment", "text")
    )
    for key, system_name, is_human, segment, written in rows.iterator(2_000):
        against = [reference for named, reference in by_segment[segment] if named != system_name]
        if against:
            system = systems.setdefault(system_name, SystemTexts(system_name, is_human))
            system.translations.append(key)
            system.segments.append(segment)
            system.hypotheses.append(written or "")
            system.references.append(against)
    return list(systems.values())
