"""`subset2evaluate`: a segment a line, with its outputs and their scores by people and metrics, to choose texts."""

import json
from collections.abc import Iterator
from math import isnan
from typing import Any

from django.db.models import Avg, OuterRef, Subquery
from django.utils.translation import gettext as _

import numpy as np
import numpy.typing as npt

from annotation.models import Score, is_surplus
from campaigns.models import Campaign, Reference, Segment, Translation
from exchange.exported_judgments import CHUNK, EVERYTHING, ExportChoice, Follower, Places
from exchange.formats.pearmut_screens import WRITTEN_KINDS
from exchange.tables.csv_and_json import pieces_of

HUMAN, MEASURE = "human", "score"
PROTOCOLS = frozenset({"cesa", "direct_assessment", "esa"})  # whose annotators score each translation
_ORDER = ("document__position", "document_id", "position", "pk")  # of the test set
FloatArray = npt.NDArray[np.float64]


def losses(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> list[str]:  # noqa: ARG001 - as the others
    return [_("Annotators, marked errors, comments and all references but the first are not in this file.")]


def write_subset2evaluate(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:
    return pieces_of(json.dumps(line, ensure_ascii=False) + "\n" for line in _lines(campaign, choice))


def _lines(campaign: Campaign, choice: ExportChoice) -> Iterator[dict[str, Any]]:
    texts, scores = Follower(_texts(campaign)), Follower(_scores(campaign, choice))
    metrics = OutputMetrics(campaign)
    for number, (key, row) in enumerate(_segments(campaign)):
        shown = texts.rows_of(key)
        by_system: dict[str, dict[str, float]] = {system: {} for system, _text in shown}
        seconds = []
        for system, mean, milliseconds in scores.rows_of(key):
            by_system.setdefault(system, {})[HUMAN] = mean
            seconds += [] if milliseconds is None else [milliseconds / 1000]
        for system, values in by_system.items():
            values.update(metrics.of(key[-1], system))
        time = sum(seconds) / len(seconds) if seconds else None
        yield {"i": number, **row, "tgt": dict(shown), "time": time, "scores": by_system}


def _segments(campaign: Campaign) -> Iterator[tuple[tuple[int, ...], dict[str, Any]]]:
    first = Reference.objects.filter(segment=OuterRef("pk")).order_by("name").values("text")[:1]
    own = Segment.objects.filter(document__test_set=campaign.test_set_id).annotate(reference_text=Subquery(first))
    fields = (*_ORDER, "source", "reference_text", "domain", "document__domain", "document__name")
    for *key, source, reference, domain, of_document, document in (
        own.order_by(*_ORDER).values_list(*fields).iterator(CHUNK)
    ):
        about = {"src": source, "ref": reference, "domain": domain or of_document or None, "doc": document}
        yield tuple(key), about


def _texts(campaign: Campaign) -> Iterator[tuple[Any, ...]]:
    """The key of the segment, the system, and its output; a gap is no output."""
    order = [f"segment__{part}" for part in _ORDER]
    own = Translation.objects.filter(system__campaigns=campaign, text__isnull=False).order_by(*order, "system__name")
    for *key, system, text in own.values_list(*order, "system__name", "text").iterator(CHUNK):
        yield tuple(key), system, text


def _scores(campaign: Campaign, choice: ExportChoice) -> Iterator[tuple[Any, ...]]:
    """The key of the segment, the system, the mean of its scores and of the time they took."""
    order = [f"translation__segment__{part}" for part in _ORDER]
    own = choice.of_judgments(Score.objects.filter(judgment__item__assignment__campaign=campaign, measure=MEASURE))
    counted = (
        own.filter(judgment__is_current=True, judgment__item__kind__in=WRITTEN_KINDS, translation__isnull=False)
        .alias(late=is_surplus("judgment__"))
        .filter(late=False)
        .order_by(*order, "translation__system__name")
    )
    means = counted.values_list(*order, "translation__system__name").annotate(
        mean=Avg("value"), time=Avg("judgment__active_ms")
    )
    for *key, system, mean, milliseconds in means.iterator(CHUNK):
        yield tuple(key), system, mean, milliseconds


class OutputMetrics:
    """Scores of outputs by metrics, in the arrays in which they are read; `signed` so that higher is better."""

    def __init__(self, campaign: Campaign, *, signed: bool = True) -> None:
        from metrics.scoring.reading import (  # noqa: PLC0415 - metrics, which other formats do without
            has_metric_scores,
            read_metric_scores,
        )

        self._metrics: list[tuple[str, int, FloatArray]] = []
        self._rows: dict[str, int] = {}
        if not has_metric_scores(campaign.test_set):
            return
        scores = read_metric_scores(campaign.test_set)
        self._rows = {system: row for row, system in enumerate(scores.systems)}
        self._columns = Places(scores.segment_ids)
        self._metrics = [(metric.name, metric.sign if signed else 1, metric.segments) for metric in scores.metrics]

    def of(self, segment: int, system: str) -> dict[str, float]:
        """By metric; empty where there is none."""
        row = self._rows.get(system)
        if not self._metrics or row is None:
            return {}
        column = self._columns[segment]
        values = ((name, sign * float(values[row, column])) for name, sign, values in self._metrics)
        return {name: value for name, value in values if not isnan(value)}
