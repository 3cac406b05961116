"""Errors that metrics mark in a translation, such as XCOMET's: beside those that people marked."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from campaigns.models import Reference, Segment, Translation
from metrics.models import SegmentStatistic
from metrics.scoring.texts import hash_of, is_itself


@dataclass(frozen=True)
class MarkedByMetric:
    """`start` and `end` are half-open, in code points of the translation; `quote` is what is between them."""

    start: int
    end: int
    severity: str
    quote: str


def marks_by_metric(
    segment: Segment, references: Sequence[Reference], translations: Sequence[Translation]
) -> dict[int, dict[str, tuple[MarkedByMetric, ...]]]:
    """By translation (with its system) and metric; those of texts that have changed since are left out.

    One query, none without translations.
    """
    texts = {each.pk: each.text for each in translations if each.text}
    if not texts:
        return {}
    systems = {each.pk: each.system.name for each in translations}
    scored = SegmentStatistic.objects.filter(translation__in=texts, marks__isnull=False).order_by("pk")
    marked: dict[int, dict[str, tuple[MarkedByMetric, ...]]] = defaultdict(dict)
    for key, metric, texts_hash, marks in scored.values_list("translation", "metric", "texts", "marks"):
        text = texts[key] or ""
        against = [each for each in references if not is_itself(systems[key], each.name)]
        if texts_hash in _hashes(segment, against, text):
            marked[key][metric] = tuple(_marked(mark, text) for mark in marks or ())
    return marked


def _hashes(segment: Segment, references: Sequence[Reference], text: str) -> tuple[str, str]:
    """With all references, and with none."""
    source = segment.source or ""
    return hash_of([source, text, *(each.text for each in references)]), hash_of([text, source])


def _marked(mark: Mapping[str, object], text: str) -> MarkedByMetric:
    start, end = int(str(mark["start"])), int(str(mark["end"]))
    return MarkedByMetric(start, end, str(mark["severity"]), text[start:end])
