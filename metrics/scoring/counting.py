"""Counts of every translation by every metric, from the database where its texts are what they were, or made now."""

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Protocol

from django.db import transaction
from django.db.models import TextField
from django.db.models.functions import Cast

import numpy as np

from metrics.automatic.base import FloatArray, Metric, count_of
from metrics.automatic.operator_metric import OperatorMetric
from metrics.models import SegmentStatistic
from metrics.scoring.counters import Chunk
from metrics.scoring.neural_child import MetricMark
from metrics.scoring.texts import SystemTexts, hash_of

_AT_ONCE = 500
_ASKED_AT_ONCE = 128  # of a model that scores one a second on a slow machine: what a stop or a crash costs at most
_CHARACTERS_AT_ONCE = 40_000  # of paragraphs fewer: what is counted is stored every second or so
_CHARACTERS_ENCODED_AT_ONCE = 5_000


Report = Callable[[SystemTexts, int], None]  # how many more translations of the system are done; may raise to end it


class Counting(Protocol):
    """What counts chunks: this process, others, or one with an operator's model."""

    def counted(self, metric: Metric, chunks: Sequence[Chunk]) -> Iterator[tuple[Chunk, FloatArray]]: ...

    def marks_of(self, chunk: Chunk) -> list[Sequence[MetricMark]] | None: ...


Place = tuple[int, int]  # the number of a system, and of one of its translations
Counted = list[tuple[SystemTexts, FloatArray]]
Marks = list[Sequence[MetricMark]] | None


def counts_of(metric: Metric, systems: Sequence[SystemTexts], *, counters: Counting, report: Report) -> Counted:
    """Of each system one row of counts a translation, in its order; what had to be counted is stored as it goes.

    A translation whose text and references are those that were counted is not counted again. Counts stored before
    `report` ends it stay, and are used next time.
    """
    counted: Counted = []
    missing: list[list[int]] = []
    for system in systems:
        rows = known_counts(metric, system)
        missing.append(np.flatnonzero(np.isnan(rows[:, 0])).tolist())
        report(system, len(rows) - len(missing[-1]))
        counted.append((system, rows))
    repeats = _Repeats(metric, counted, missing, report)
    if metric.runs_apart:
        missing = repeats.taken_out()
    chunks = [
        chunk
        for number, (system, _rows) in enumerate(counted)
        for chunk in _chunks(metric, number, system, missing[number])
    ]
    for chunk, counts in counters.counted(metric, chunks):
        system, rows = counted[chunk.system]
        # a metric that learns from its corpus had to see all of it, however little was missing
        is_missing = np.isnan(rows[chunk.places, 0])
        news = np.array(chunk.places)[is_missing].tolist()
        marks = counters.marks_of(chunk)
        rows[news] = counts[is_missing]
        _store(metric, system, news, rows[news], marks)
        report(system, len(news))
        repeats.follow(chunk.system, news, marks)
    return counted


class _Repeats:
    """Equal texts of several systems: a model scores them once, the others get the same counts."""

    def __init__(self, metric: Metric, counted: Counted, missing: Sequence[Sequence[int]], report: Report) -> None:
        self._metric, self._counted, self._missing, self._report = metric, counted, missing, report
        self._followers: dict[Place, list[Place]] = defaultdict(list)

    def taken_out(self) -> list[list[int]]:
        """The places, system after system, that have to be scored; those that are known elsewhere are stored."""
        hashes = [_hashes(self._metric, system) for system, _rows in self._counted]
        missing = [set(places) for places in self._missing]
        known: dict[str, Place] = {}
        for number, of_system in enumerate(hashes):
            known |= {each: (number, at) for at, each in enumerate(of_system) if at not in missing[number]}
        first = dict(known)
        to_score: list[list[int]] = []
        for number, places in enumerate(self._missing):
            to_score.append([at for at in places if first.setdefault(hashes[number][at], (number, at)) == (number, at)])
            for at in set(places).difference(to_score[-1]):
                self._followers[first[hashes[number][at]]].append((number, at))
        for number, at in [place for place in self._followers if place in set(known.values())]:
            self.follow(number, [at], self._stored_marks(number, at))
        return to_score

    def follow(self, number: int, places: Sequence[int], marks: Marks) -> None:
        """Copies counts that have just become known."""
        rows = self._counted[number][1]
        copies: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for order, at in enumerate(places):
            for other, place in self._followers.pop((number, at), ()):
                copies[other].append((place, order))
        for other, pairs in copies.items():
            system, others = self._counted[other]
            own = [place for place, _order in pairs]
            others[own] = rows[[places[order] for _place, order in pairs]]
            _store(self._metric, system, own, others[own], marks and [marks[order] for _place, order in pairs])
            self._report(system, len(own))

    def _stored_marks(self, number: int, at: int) -> Marks:
        system = self._counted[number][0]
        signature = self._metric.signature(count_of(system.references))
        stored = SegmentStatistic.objects.filter(
            translation=system.translations[at], metric=self._metric.name, signature=signature
        )
        marks = stored.values_list("marks", flat=True).first()
        return None if marks is None else [[MetricMark(**mark) for mark in marks]]


def _chunks(metric: Metric, number: int, system: SystemTexts, places: Sequence[int]) -> Iterator[Chunk]:
    for part in _parts(metric, system, places):
        yield Chunk(
            system=number,
            places=part,
            hypotheses=[system.hypotheses[at] for at in part],
            references=[system.references[at] for at in part],
            sources=[system.sources[at] for at in part] if system.sources else (),
            corpus=_corpus(metric, system),
        )


def _corpus(metric: Metric, system: SystemTexts) -> Mapping[str, Sequence[str]]:
    return metric.corpus(system.hypotheses, system.references) if isinstance(metric, OperatorMetric) else {}


def _parts(metric: Metric, system: SystemTexts, places: Sequence[int]) -> Iterator[Sequence[int]]:
    if metric.runs_apart:
        yield from (places[at : at + _ASKED_AT_ONCE] for at in range(0, len(places), _ASKED_AT_ONCE))
        return
    if metric.learns_from_corpus:
        if places:
            yield range(len(system.translations))
        return
    most = _CHARACTERS_ENCODED_AT_ONCE if metric.uses_model else _CHARACTERS_AT_ONCE
    part: list[int] = []
    characters = 0
    for place in places:
        part.append(place)
        characters += len(system.hypotheses[place])
        if len(part) == _AT_ONCE or characters > most:
            yield part
            part, characters = [], 0
    if part:
        yield part


def known_counts(metric: Metric, system: SystemTexts) -> FloatArray:
    """As `counts_of`, but nothing is counted: rows of NaN where nothing is stored or it does not fit the texts."""
    stored = _stored(metric.name, metric.signature(count_of(system.references)), system.translations)
    nothing = ("", [math.nan] * len(metric.columns))
    rows = [
        stored[key][1] if stored.get(key, nothing)[0] == expected else nothing[1]
        for key, expected in zip(system.translations, _hashes(metric, system), strict=True)
    ]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(metric.columns))


def _hashes(metric: Metric, system: SystemTexts) -> list[str]:
    """What each translation was counted from: its text, its references, and whatever its metric learns from."""
    if not metric.learns_from_corpus:
        return system.hashes
    learnt = [text for texts in system.references for text in texts]
    corpus = hash_of(learnt if metric.needs_reference else [*learnt, *system.hypotheses])
    return [hash_of([own, corpus]) for own in system.hashes]


def _stored(metric: str, signature: str, translations: Sequence[int]) -> dict[int, tuple[str, list[float]]]:
    """Decoded all at once: one by one takes longer than all the resampling."""
    keys = set(translations)
    rows = SegmentStatistic.objects.filter(
        metric=metric, signature=signature, translation__system__translations=translations[0]
    )
    written = rows.annotate(written=Cast("values", TextField())).values_list("translation_id", "texts", "written")
    stored = [row for row in written.iterator(2_000) if row[0] in keys]
    decoded = json.loads(f"[{','.join(values for _key, _texts, values in stored)}]")
    return {key: (texts, values) for (key, texts, _written), values in zip(stored, decoded, strict=True)}


def _store(metric: Metric, system: SystemTexts, places: Sequence[int], rows: FloatArray, marks: Marks = None) -> None:
    signature, hashes = metric.signature(count_of(system.references)), _hashes(metric, system)
    statistics = [
        SegmentStatistic(
            translation_id=system.translations[at],
            metric=metric.name,
            signature=signature,
            texts=hashes[at],
            values=values,
            marks=None if marks is None else [asdict(mark) for mark in own],
        )
        for at, values, own in zip(places, rows.tolist(), marks or [()] * len(places), strict=True)
    ]
    with transaction.atomic():
        SegmentStatistic.objects.bulk_create(
            statistics,
            update_conflicts=True,
            unique_fields=["translation", "metric", "signature"],
            update_fields=["texts", "values", "marks"],
        )
