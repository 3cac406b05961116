"""`subset2evaluate`: a segment a line, with its outputs and their scores by people and metrics, to choose texts."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Avg, OuterRef, Subquery

from annotation.models import Score, is_surplus
from campaigns.models import Campaign, Reference, Segment, Translation
from exchange.exported_judgments import CHUNK, EVERYTHING, ExportChoice, Follower
from exchange.formats.pearmut_screens import WRITTEN_KINDS
from exchange.tables.csv_and_json import pieces_of

HUMAN, MEASURE = "human", "score"
PROTOCOLS = frozenset({"cesa", "direct_assessment", "esa"})  # whose annotators score each translation
_ORDER = ("document__position", "document_id", "position", "pk")  # of the test set
Metrics = Mapping[int, Mapping[str, Mapping[str, float]]]


def write_subset2evaluate(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:
    return pieces_of(json.dumps(line, ensure_ascii=False) + "\n" for line in _lines(campaign, choice))


def _lines(campaign: Campaign, choice: ExportChoice) -> Iterator[dict[str, Any]]:
    texts, scores = Follower(_texts(campaign)), Follower(_scores(campaign, choice))
    metrics = metric_scores(campaign)
    for number, (key, row) in enumerate(_segments(campaign)):
        shown = texts.rows_of(key)
        by_system: dict[str, dict[str, float]] = {system: {} for system, _text in shown}
        seconds = []
        for system, mean, milliseconds in scores.rows_of(key):
            by_system.setdefault(system, {})[HUMAN] = mean
            seconds += [] if milliseconds is None else [milliseconds / 1000]
        for system, values in metrics.get(key[-1], {}).items():
            if system in by_system:
                by_system[system] |= values
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


def metric_scores(campaign: Campaign, *, signed: bool = True) -> Metrics:
    """By segment and system; `signed` so that higher is better, as that program expects."""
    from metrics.scoring.reading import read_metric_scores  # noqa: PLC0415 - metrics, which other formats do without

    scores = read_metric_scores(campaign.test_set)
    by_segment: dict[int, dict[str, dict[str, float]]] = {}
    for metric in scores.metrics:
        for system, values in zip(scores.systems, metric.segments, strict=True):
            for segment, value in zip(scores.segment_ids, values.tolist(), strict=True):
                if value == value:  # noqa: PLR0124 - NaN is not
                    by_segment.setdefault(segment, {}).setdefault(system, {})[metric.name] = (
                        metric.sign * value if signed else value
                    )
    return by_segment
