"""Counts of every translation by every metric, from the database where its texts are what they were, or made now."""

import json
import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Protocol

from django.db.models import Min, Q, QuerySet, TextField
from django.db.models.functions import Cast

import numpy as np

from campaigns.bulk_rows import Row, insert_bulk
from campaigns.models import TestSet
from metrics.automatic.base import FloatArray, Metric
from metrics.automatic.operator_metric import OperatorMetric
from metrics.models import SegmentStatistic
from metrics.scoring.counters import Chunk
from metrics.scoring.neural_child import MetricMark
from metrics.scoring.packed_counts import are_packed, pack, unpacked
from metrics.scoring.texts import SystemTexts

_AT_ONCE = 500
_ASKED_AT_ONCE = 128  # of a model that scores one a second on a slow machine: what a stop or a crash costs at most
_CHARACTERS_AT_ONCE = 40_000  # of paragraphs fewer: what is counted is stored every second or so
_BY_KERNEL_AT_ONCE = 10  # times as much
_CHARACTERS_ENCODED_AT_ONCE = 5_000
_LOOKED_UP_AT_ONCE = 2_000


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

    A translation whose text and references are those that were counted is not counted again; by a model, equal texts
    of any system and test set are scored once. Counts stored before `report` ends it stay, and are used next time.
    """
    counted: Counted = []
    missing: list[list[int]] = []
    for system, rows in zip(systems, _known(metric, systems, packs_older=True), strict=True):
        missing.append(np.flatnonzero(np.isnan(rows[:, 0])).tolist())
        report(system, len(rows) - len(missing[-1]))
        counted.append((system, rows))
    if metric.runs_apart or metric.uses_model:
        missing = [
            _without_known_elsewhere(metric, system, rows, places, report)
            for (system, rows), places in zip(counted, missing, strict=True)
        ]
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
        if are_packed(metric):
            pack(metric, system, rows)
        else:
            _store(metric, system, news, rows[news], marks)
        report(system, len(news))
        repeats.follow(chunk.system, news, marks)
    return counted


class _Repeats:
    """Equal texts of several systems, known of none: a model scores them once, the others get the same counts."""

    def __init__(self, metric: Metric, counted: Counted, missing: Sequence[Sequence[int]], report: Report) -> None:
        self._metric, self._counted, self._missing, self._report = metric, counted, missing, report
        self._followers: dict[Place, list[Place]] = defaultdict(list)

    def taken_out(self) -> list[list[int]]:
        """The places, system after system, that have to be scored."""
        first: dict[str, Place] = {}
        to_score: list[list[int]] = []
        for number, places in enumerate(self._missing):
            hashes = self._counted[number][0].hashes_for(self._metric)
            to_score.append([at for at in places if first.setdefault(hashes[at], (number, at)) == (number, at)])
            for at in set(places).difference(to_score[-1]):
                self._followers[first[hashes[at]]].append((number, at))
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


def _without_known_elsewhere(
    metric: Metric, system: SystemTexts, rows: FloatArray, places: Sequence[int], report: Report
) -> list[int]:
    """The places that are still missing: counts of equal texts, of whatever system or test set, are stored here too."""
    hashes = system.hashes_for(metric)
    remaining: list[int] = []
    for start in range(0, len(places), _LOOKED_UP_AT_ONCE):
        part = places[start : start + _LOOKED_UP_AT_ONCE]
        equal = _counts_of_equal_texts(metric, system, {hashes[at] for at in part})
        known = {each.texts: each for each in equal if len(each.values) == rows.shape[1]}
        found = [at for at in part if hashes[at] in known]
        remaining += [at for at in part if hashes[at] not in known]
        if not found:
            continue
        copies = [known[hashes[at]] for at in found]
        rows[found] = np.array([each.values for each in copies])
        _bulk_store(
            [
                (
                    system.translations[at],
                    each.metric,
                    each.signature,
                    each.texts,
                    each.values,
                    each.marks,
                    each.counted_here,
                )
                for at, each in zip(found, copies, strict=True)
            ]
        )
        report(system, len(found))
    return remaining


def _counts_of_equal_texts(metric: Metric, system: SystemTexts, hashes: Collection[str]) -> QuerySet[SegmentStatistic]:
    """One row for each hash. What came with an archive is believed in its own test set alone."""
    own = Q(translation__system__test_set__in=TestSet.objects.filter(systems__translations=system.translations[0]))
    equal = SegmentStatistic.objects.filter(
        Q(counted_here=True) | own,
        texts__in=hashes,
        metric=metric.name,
        signature=metric.signature(system.n_references),
    )
    return SegmentStatistic.objects.filter(pk__in=equal.values("texts").annotate(first=Min("pk")).values("first"))


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
    times = _BY_KERNEL_AT_ONCE if metric.has_kernel else 1
    most = _CHARACTERS_ENCODED_AT_ONCE if metric.uses_model else times * _CHARACTERS_AT_ONCE
    part: list[int] = []
    characters = 0
    for place in places:
        part.append(place)
        characters += len(system.hypotheses[place])
        if len(part) == times * _AT_ONCE or characters > most:
            yield part
            part, characters = [], 0
    if part:
        yield part


def known_counts(metric: Metric, systems: Sequence[SystemTexts]) -> list[FloatArray]:
    """As `counts_of`, but nothing is counted: rows of NaN where nothing is stored or it does not fit the texts."""
    return _known(metric, systems, packs_older=False)


def _known(metric: Metric, systems: Sequence[SystemTexts], *, packs_older: bool) -> list[FloatArray]:
    """`packs_older`: whether rows of older versions become packed ones, which only a run may do."""
    if not are_packed(metric):
        return [_known_rows(metric, system) for system in systems]
    known = []
    for system, packed in zip(systems, unpacked(metric, systems), strict=True):
        rows = _known_rows(metric, system) if packed is None else packed
        if packs_older and packed is None and not np.isnan(rows).all():
            pack(metric, system, rows)
            _rows_of(metric, system).delete()
        known.append(rows)
    return known


def _known_rows(metric: Metric, system: SystemTexts) -> FloatArray:
    stored, width = _stored(metric, system), len(metric.columns)
    if not stored:
        return np.full((len(system.translations), width), np.nan)
    nothing = ("", [math.nan] * width)
    rows = [
        stored[key][1] if stored.get(key, nothing)[0] == expected else nothing[1]
        for key, expected in zip(system.translations, system.hashes_for(metric), strict=True)
    ]
    rows = [row if len(row) == width else nothing[1] for row in rows]  # an older version counted less
    return np.array(rows, dtype=np.float64).reshape(len(rows), width)


def _rows_of(metric: Metric, system: SystemTexts) -> "QuerySet[SegmentStatistic]":
    signature = metric.signature(system.n_references)
    return SegmentStatistic.objects.filter(metric=metric.name, signature=signature, translation__system=system.key)


def _stored(metric: Metric, system: SystemTexts) -> dict[int, tuple[str, list[float]]]:
    """Decoded all at once: one by one takes longer than all the resampling."""
    keys, rows = set(system.translations), _rows_of(metric, system)
    written = rows.annotate(written=Cast("values", TextField())).values_list("translation_id", "texts", "written")
    stored = [row for row in written.iterator(2_000) if row[0] in keys]
    decoded = json.loads(f"[{','.join(values for _key, _texts, values in stored)}]")
    return {key: (texts, values) for (key, texts, _written), values in zip(stored, decoded, strict=True)}


def _store(metric: Metric, system: SystemTexts, places: Sequence[int], rows: FloatArray, marks: Marks = None) -> None:
    signature, hashes = metric.signature(system.n_references), system.hashes_for(metric)
    # whole numbers without ".0": shorter to store, and faster to read
    written = rows.astype(np.int64) if (rows == np.trunc(rows)).all() else rows
    marked = [None] * len(places) if marks is None else [[asdict(mark) for mark in own] for own in marks]
    _bulk_store(
        [
            (system.translations[at], metric.name, signature, hashes[at], values, own, True)
            for at, values, own in zip(places, written.tolist(), marked, strict=True)
        ]
    )


def _bulk_store(statistics: Sequence[Row]) -> None:
    fields = ("translation", "metric", "signature", "texts", "values", "marks", "counted_here")
    insert_bulk(SegmentStatistic, fields, statistics, unique=("translation", "metric", "signature"))
