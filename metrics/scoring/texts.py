"""A test set's translations with the texts they are scored against; systems that are references themselves."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress

from django.db.models import Count, F, Q

import numpy as np

from campaigns.models import Reference, Segment, System, TestSet, Translation
from campaigns.queries import systems_of
from metrics.automatic.base import Metric, count_of
from metrics.models import ImportedScores, SegmentStatistic, SystemCounts

SLICES = ("document", "domain", "tag")


@dataclass
class SystemTexts:
    """One system's translations that have a reference, segment after segment.

    For metrics that need none, `references` has the source of each; for those that read both, `sources` has it.
    """

    key: int
    name: str
    is_human: bool
    translations: list[int] = field(default_factory=list)
    segments: list[int] = field(default_factory=list)
    hypotheses: list[str] = field(default_factory=list)
    references: list[list[str]] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)

    @cached_property
    def hashes(self) -> list[str]:
        """Of each translation and its references, and of its source where the metric reads it."""
        before = [[source] for source in self.sources] or [[]] * len(self.hypotheses)
        pairs = zip(before, self.hypotheses, self.references, strict=True)
        return [hash_of([*source, hypothesis, *references]) for source, hypothesis, references in pairs]

    @cached_property
    def digest(self) -> str:
        """Of all texts, in their order: of one hash the many need not be computed."""
        digest = hashlib.blake2b(digest_size=16)
        every = [text for texts in self.references for text in texts]
        digest.update(np.array(list(map(len, self.references)), dtype="<i8").tobytes())
        for texts in (self.sources, self.hypotheses, every):
            digest.update(np.array([len(texts), *map(len, texts)], dtype="<i8").tobytes())
            digest.update("".join(texts).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    @cached_property
    def n_references(self) -> int | None:
        """How many each translation has, None where the number varies."""
        return count_of(self.references)

    def hashes_for(self, metric: Metric) -> list[str]:
        """What each translation was counted from: its text, its references, and whatever the metric learns from."""
        if not metric.learns_from_corpus:
            return self.hashes
        learnt = [text for texts in self.references for text in texts]
        corpus = hash_of(learnt if metric.needs_reference else [*learnt, *self.hypotheses])
        return [hash_of([own, corpus]) for own in self.hashes]

    def where(self, rows: Sequence[bool]) -> "SystemTexts":
        """The system with these of its rows alone."""
        return SystemTexts(
            self.key,
            self.name,
            self.is_human,
            translations=list(compress(self.translations, rows)),
            segments=list(compress(self.segments, rows)),
            hypotheses=list(compress(self.hypotheses, rows)),
            references=list(compress(self.references, rows)),
            sources=list(compress(self.sources, rows)),
        )


def hash_of(texts: Sequence[str]) -> str:
    """Other texts, or the same ones in other segments, have another."""
    digest = hashlib.blake2b(digest_size=16)
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return digest.hexdigest()


def reference_names(test_set: TestSet) -> list[str]:
    names = Reference.objects.filter(segment__document__test_set=test_set).values_list("name", flat=True)
    return list(names.distinct().order_by("name"))


def labels_of(test_set: TestSet, by: str) -> dict[int, tuple[str, ...]]:
    """The slices of each segment: its document, its domain (or its document's), or each of its tags."""
    rows = Segment.objects.filter(document__test_set=test_set).values_list(
        "pk", "document__name", "domain", "document__domain", "tags"
    )
    labels: dict[int, tuple[str, ...]] = {}
    for key, document, domain, document_domain, tags in rows.iterator(2_000):
        of = {"document": (document,), "domain": (domain or document_domain,), "tag": tuple(tags)}
        labels[key] = tuple(label for label in of[by] if label)
    return labels


def is_itself(system: str, reference: str) -> bool:
    """A reference named A may be among the systems as refA."""
    return system in (reference, f"ref{reference}")


def texts_of(test_set: TestSet, *, references: Collection[str]) -> list[SystemTexts]:
    """Every system with anything to score, by name.

    A human translation that is also a reference, under the same name, is not scored against itself; where it
    is the only reference, the system has nothing to be scored against and is left out.
    """
    by_segment: dict[int, list[tuple[str, str]]] = defaultdict(list)
    chosen = Reference.objects.filter(segment__document__test_set=test_set, name__in=references)
    for segment, name, text in chosen.order_by("name").values_list("segment", "name", "text").iterator(2_000):
        by_segment[segment].append((name, text))
    every = {segment: [text for _name, text in named] for segment, named in by_segment.items()}

    def texts_for(system: str) -> Mapping[int, list[str]]:
        if not any(is_itself(system, name) for name in references):
            return every
        return {
            segment: [text for name, text in named if not is_itself(system, name)]
            for segment, named in by_segment.items()
        }

    return _systems(test_set, texts_for)


def source_texts_of(test_set: TestSet) -> list[SystemTexts]:
    """Every system by name, with the sources in place of references: human translations too are scored against them."""
    sources = {segment: [text] for segment, text in _sources(test_set).items() if text}
    return _systems(test_set, lambda _system: sources)


def with_sources(test_set: TestSet, systems: Collection[SystemTexts]) -> list[SystemTexts]:
    """The same, each segment with its source; segments that have none are left out."""
    sources = _sources(test_set)
    with_source = [system.where([bool(sources[segment]) for segment in system.segments]) for system in systems]
    for system in with_source:
        system.sources = [sources[segment] or "" for segment in system.segments]
    return [system for system in with_source if system.translations]


def _sources(test_set: TestSet) -> dict[int, str | None]:
    rows = Segment.objects.filter(document__test_set=test_set).values_list("pk", "source")
    return dict(rows.iterator(2_000))


class TextsOfMetrics:
    """What each metric compares: translations with the references named, with their sources, or with both."""

    def __init__(self, test_set: TestSet, references: Collection[str]) -> None:
        self._test_set, self._references = test_set, references

    def of(self, metric: Metric) -> list[SystemTexts]:
        if metric.reads_source:
            return self._with_both
        return self.with_references if metric.needs_reference else self._with_sources

    @cached_property
    def with_references(self) -> list[SystemTexts]:
        return texts_of(self._test_set, references=self._references)

    @cached_property
    def _with_sources(self) -> list[SystemTexts]:
        return source_texts_of(self._test_set)

    @cached_property
    def _with_both(self) -> list[SystemTexts]:
        return with_sources(self._test_set, self.with_references)


def _systems(test_set: TestSet, texts_for: Callable[[str], Mapping[int, list[str]]]) -> list[SystemTexts]:
    """`texts_for` a system's name: what its translations are compared with, by segment."""
    order = Segment.objects.filter(document__test_set=test_set).order_by("document__position", "position")
    segments = list(order.values_list("pk", flat=True))
    written: dict[int, dict[int, tuple[int, str]]] = defaultdict(dict)
    rows = Translation.objects.filter(system__test_set=test_set, text__isnull=False).order_by()
    for key, of_system, segment, text in rows.values_list("pk", "system", "segment", "text").iterator(2_000):
        written[of_system][segment] = key, text or ""
    systems = []
    for system in System.objects.filter(pk__in=written).order_by("name"):
        own, against = written.pop(system.pk), texts_for(system.name)
        compared = [segment for segment in segments if segment in own and against.get(segment)]
        if compared:
            texts = SystemTexts(system.pk, system.name, system.is_human, segments=compared)
            texts.translations, texts.hypotheses = map(list, zip(*(own[segment] for segment in compared), strict=True))
            texts.references = [against[segment] for segment in compared]
            systems.append(texts)
    return systems


def are_counted(test_set: TestSet) -> bool:
    """Whether any metric has counted a translation."""
    return (
        SystemCounts.objects.filter(system__test_set=test_set).exists()
        or SegmentStatistic.objects.filter(translation__system__test_set=test_set).exists()
    )


def has_scores(test_set: TestSet) -> bool:
    """Whether any metric has scored the test set, here or elsewhere."""
    return ImportedScores.objects.filter(test_set=test_set, is_whole=True).exists() or are_counted(test_set)


def systems_that_are_references(test_set: TestSet, names: Collection[str]) -> frozenset[str]:
    """Systems that are among these references: under the same name, or with the same text in every segment."""
    systems = systems_of(test_set).values_list("name", flat=True)
    by_name = {system for system in systems if any(is_itself(system, name) for name in names)}
    referenced = Reference.objects.filter(segment__document__test_set=test_set, name__in=names)
    translations = Translation.objects.filter(system__test_set=test_set, segment__references__in=referenced)
    same = Count("segment", filter=Q(text=F("segment__references__text")), distinct=True)
    counts = translations.values("system__name").annotate(all=Count("segment", distinct=True), same=same)
    return frozenset(by_name | {row["system__name"] for row in counts if row["same"] == row["all"]})
