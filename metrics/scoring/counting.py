"""Counts of every translation by every metric, from the database where its texts are what they were, or made now."""

import json
import math
from collections.abc import Callable, Iterator, Sequence

from django.db import transaction
from django.db.models import TextField
from django.db.models.functions import Cast

import numpy as np

from metrics.automatic.base import FloatArray, Metric, count_of
from metrics.models import SegmentStatistic
from metrics.scoring.counters import Chunk, Counters
from metrics.scoring.texts import SystemTexts, hash_of

_AT_ONCE = 500
_CHARACTERS_AT_ONCE = 40_000  # of paragraphs fewer: what is counted is stored every second or so
_CHARACTERS_ENCODED_AT_ONCE = 5_000


Report = Callable[[SystemTexts, int], None]  # how many more translations of the system are done; may raise to end it


def counts_of(
    metric: Metric, systems: Sequence[SystemTexts], *, counters: Counters, report: Report
) -> list[tuple[SystemTexts, FloatArray]]:
    """Of each system one row of counts a translation, in its order; what had to be counted is stored as it goes.

    A translation whose text and references are those that were counted is not counted again. Counts stored before
    `report` ends it stay, and are used next time.
    """
    counted: list[tuple[SystemTexts, FloatArray]] = []
    missing: list[Chunk] = []
    for number, system in enumerate(systems):
        rows = known_counts(metric, system)
        places = np.flatnonzero(np.isnan(rows[:, 0])).tolist()
        report(system, len(rows) - len(places))
        counted.append((system, rows))
        missing += _chunks(metric, number, system, places)
    for chunk, counts in counters.counted(metric, missing):
        system, rows = counted[chunk.system]
        # a metric that learns from its corpus had to see all of it, however little was missing
        is_missing = np.isnan(rows[chunk.places, 0])
        news = np.array(chunk.places)[is_missing]
        rows[news] = counts[is_missing]
        _store(metric, system, news.tolist(), rows[news])
        report(system, len(news))
    return counted


def _chunks(metric: Metric, number: int, system: SystemTexts, places: Sequence[int]) -> Iterator[Chunk]:
    if metric.learns_from_corpus:
        places = range(len(system.translations)) if places else ()
    for part in [places] if metric.learns_from_corpus and places else _parts(metric, system, places):
        yield Chunk(
            system=number,
            places=part,
            hypotheses=[system.hypotheses[at] for at in part],
            references=[system.references[at] for at in part],
        )


def _parts(metric: Metric, system: SystemTexts, places: Sequence[int]) -> Iterator[list[int]]:
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
    corpus = hash_of([*learnt, *system.hypotheses] if metric.compares_with_source else learnt)
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


def _store(metric: Metric, system: SystemTexts, places: Sequence[int], rows: FloatArray) -> None:
    signature, hashes = metric.signature(count_of(system.references)), _hashes(metric, system)
    statistics = [
        SegmentStatistic(
            translation_id=system.translations[at],
            metric=metric.name,
            signature=signature,
            texts=hashes[at],
            values=values,
        )
        for at, values in zip(places, rows.tolist(), strict=True)
    ]
    with transaction.atomic():
        SegmentStatistic.objects.bulk_create(
            statistics,
            update_conflicts=True,
            unique_fields=["translation", "metric", "signature"],
            update_fields=["texts", "values"],
        )
