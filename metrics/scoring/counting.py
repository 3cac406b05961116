"""Counts of every translation by every metric, from the database where its texts are what they were, or made now."""

import math
from collections.abc import Callable, Sequence

from django.db import transaction

import numpy as np

from metrics.automatic.base import FloatArray, Metric, count_of
from metrics.models import SegmentStatistic
from metrics.scoring.texts import SystemTexts, hash_of

_AT_ONCE = 500


def counts_of(metric: Metric, system: SystemTexts, *, tell: Callable[[int], None]) -> FloatArray:
    """One row of counts a translation, in the system's order; what had to be counted is stored as it goes.

    A translation whose text and references are those that were counted is not counted again. `tell` hears how many
    translations are done, and may raise to end it: what was stored until then stays, and is found next time.
    """
    signature = metric.signature(count_of(system.references))
    hashes = _hashes(metric, system)
    stored = _stored(metric.name, signature, system.translations)
    missing = [
        place for place, key in enumerate(system.translations) if key not in stored or stored[key][0] != hashes[place]
    ]
    tell(len(system.translations) - len(missing))
    counted = {place: stored[key][1] for place, key in enumerate(system.translations) if key in stored}
    at_once = len(missing) if metric.learns_from_corpus else _AT_ONCE
    for start in range(0, len(missing), max(at_once, 1)):
        places = missing[start : start + at_once]
        rows = _count(metric, system, places)
        _store(metric.name, signature, [system.translations[at] for at in places], [hashes[at] for at in places], rows)
        counted |= dict(zip(places, rows.tolist(), strict=True))
        tell(len(places))
    ordered = [counted[place] for place in range(len(system.translations))]
    return np.array(ordered, dtype=np.float64).reshape(len(ordered), len(metric.columns))


def known_counts(metric: Metric, system: SystemTexts) -> FloatArray:
    """As `counts_of`, but nothing is counted: rows of NaN where what is stored does not fit the texts, or is not."""
    stored = _stored(metric.name, metric.signature(count_of(system.references)), system.translations)
    nothing = ("", [math.nan] * len(metric.columns))
    rows = [
        stored[key][1] if stored.get(key, nothing)[0] == expected else nothing[1]
        for key, expected in zip(system.translations, _hashes(metric, system), strict=True)
    ]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(metric.columns))


def _count(metric: Metric, system: SystemTexts, places: Sequence[int]) -> FloatArray:
    """A metric that learns from its corpus needs all of it, however little is missing."""
    if metric.learns_from_corpus:
        whole = metric.counted(system.hypotheses, system.references)
        return whole[list(places)]
    return metric.counted([system.hypotheses[at] for at in places], [system.references[at] for at in places])


def _hashes(metric: Metric, system: SystemTexts) -> list[str]:
    """What each translation was counted from: its text, its references, and all references where a metric learns."""
    if not metric.learns_from_corpus:
        return system.hashes
    corpus = hash_of([text for texts in system.references for text in texts])
    return [hash_of([own, corpus]) for own in system.hashes]


def _stored(metric: str, signature: str, translations: Sequence[int]) -> dict[int, tuple[str, list[float]]]:
    wanted = set(translations)
    rows = SegmentStatistic.objects.filter(
        metric=metric, signature=signature, translation__system__translations=translations[0]
    )
    found = rows.values_list("translation_id", "texts", "values").iterator(2_000)
    return {key: (texts, values) for key, texts, values in found if key in wanted}


def _store(metric: str, signature: str, translations: list[int], hashes: list[str], rows: FloatArray) -> None:
    statistics = [
        SegmentStatistic(translation_id=key, metric=metric, signature=signature, texts=texts, values=values)
        for key, texts, values in zip(translations, hashes, rows.tolist(), strict=True)
    ]
    with transaction.atomic():
        SegmentStatistic.objects.bulk_create(
            statistics,
            update_conflicts=True,
            unique_fields=["translation", "metric", "signature"],
            update_fields=["texts", "values"],
        )
