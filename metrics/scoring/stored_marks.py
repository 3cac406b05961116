"""All errors that metrics mark in a test set, such as XCOMET's, of the texts as they are now."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from annotation.models import Side
from annotation.protocols.base import Protocol
from campaigns.models import SuggestedSpan, TestSet, Translation
from metrics.models import SegmentStatistic
from metrics.scoring.texts import reference_names, source_texts_of, texts_of, with_sources
from metrics.statistics.arrays import IntArray
from metrics.statistics.spans import SEVERITIES, SpanRows

_AT_ONCE = 10_000
SUGGESTIONS = "suggestions"


class MarkedOutput(NamedTuple):
    """`marks` have start, end and severity; `severity` is the metric's word."""

    translation: int
    system: str
    segment: int
    text: str
    marks: Sequence[tuple[int, int, str]]


@dataclass(frozen=True)
class MetricMarks:
    """One metric's marks of `outputs` by translation; `outdated` counts outputs whose texts changed since."""

    metric: str
    outputs: Mapping[int, MarkedOutput]
    outdated: int

    def columns(self, severities: Sequence[str]) -> "MarkColumns":
        """With severities as `nearest_severity` has them."""
        outputs = list(self.outputs.values())
        rows = [
            (place, start, end, SEVERITIES.index(nearest_severity(severity, severities)))
            for place, output in enumerate(outputs)
            for start, end, severity in output.marks
        ]
        columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        segments = np.array([output.segment for output in outputs], dtype=np.int64)
        return MarkColumns(
            self.metric, tuple(each.system for each in outputs), segments, SpanRows(*columns), self.outdated
        )


@dataclass(frozen=True)
class MarkColumns:
    """The same as arrays: `systems` and `segments` have one entry an output, which `spans` name by its place."""

    metric: str
    systems: tuple[str, ...]
    segments: IntArray
    spans: SpanRows
    outdated: int


def suggested_marks(test_set: TestSet) -> MetricMarks | None:
    """The errors that came with the test set as suggestions, as if a metric of this name had marked them.

    Where there are any, an output without one is one in which nothing was suggested. One query without, else two.
    """
    spans = SuggestedSpan.objects.filter(translation__system__test_set=test_set)
    marks: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    any_suggested = False
    rows = spans.order_by("pk").values_list("translation", "side", "start", "end", "severity")
    for translation, side, start, end, severity in rows.iterator(chunk_size=_AT_ONCE):
        any_suggested = True
        if side == Side.TARGET:
            marks[translation].append((start, end, severity))
    if not any_suggested:
        return None
    outputs = Translation.objects.filter(system__test_set=test_set, text__isnull=False).order_by("pk")
    named = outputs.values_list("pk", "system__name", "segment")
    return MetricMarks(
        SUGGESTIONS,
        {
            key: MarkedOutput(key, system, segment, "", marks.get(key, ()))
            for key, system, segment in named.iterator(chunk_size=_AT_ONCE)
        },
        outdated=0,
    )


def nearest_severity(severity: str, allowed: Sequence[str]) -> str:
    """The same if it is allowed, else the next milder one, else the mildest: critical is major where that is the worst.

    Where nothing is said to be allowed, all are; an unknown word is minor.
    """
    known = severity.lower() if severity.lower() in SEVERITIES else "minor"
    if not allowed or known in allowed:
        return known
    milder = [each for each in SEVERITIES[: SEVERITIES.index(known)] if each in allowed]
    return milder[-1] if milder else min(allowed, key=SEVERITIES.index)


def severities_of(protocol: Protocol[Any]) -> tuple[str, ...]:
    """Those that annotators can choose; empty where they mark no errors."""
    rules = getattr(protocol, "rules", None)
    return tuple(rules.severities) if rules else ()


def read_marks(test_set: TestSet, *, metric: str | None = None) -> list[MetricMarks]:
    """By the names of the metrics; of several scorings the newest. One query where there are none, else eleven."""
    stored = SegmentStatistic.objects.filter(translation__system__test_set=test_set, marks__isnull=False)
    stored = stored.filter(metric=metric) if metric else stored
    rows = stored.order_by("pk").values_list("metric", "translation", "texts", "marks")
    of_metrics: dict[str, list[tuple[int, str, Sequence[Mapping[str, Any]]]]] = defaultdict(list)
    for name, translation, texts, marks in rows.iterator(chunk_size=_AT_ONCE):
        of_metrics[name].append((translation, texts, marks or ()))
    places = {key: (hashes, output) for key, hashes, output in _outputs(test_set)} if of_metrics else {}
    return [_marks_of(name, of_metrics[name], places) for name in sorted(of_metrics)]


def _marks_of(
    name: str,
    rows: Sequence[tuple[int, str, Sequence[Mapping[str, Any]]]],
    places: Mapping[int, tuple[set[str], MarkedOutput]],
) -> MetricMarks:
    outputs: dict[int, MarkedOutput] = {}
    for translation, texts, marks in rows:
        hashes, output = places.get(translation, (set(), None))
        if output is not None and texts in hashes:
            spans = [(int(mark["start"]), int(mark["end"]), str(mark["severity"])) for mark in marks]
            outputs[translation] = output._replace(marks=spans)
    scored = {translation for translation, _texts, _marks in rows}
    return MetricMarks(name, outputs, len(scored) - len(outputs))


def _outputs(test_set: TestSet) -> Iterator[tuple[int, set[str], MarkedOutput]]:
    """Each translation with the hashes that its scores can have: with all references, and with none."""
    compared = with_sources(test_set, texts_of(test_set, references=reference_names(test_set)))
    outputs: dict[int, tuple[set[str], MarkedOutput]] = {}
    for system in (*compared, *source_texts_of(test_set)):
        columns = (system.translations, system.segments, system.hypotheses, system.hashes)
        for key, segment, text, texts in zip(*columns, strict=True):
            outputs.setdefault(key, (set(), MarkedOutput(key, system.name, segment, text, ())))[0].add(texts)
    return ((key, hashes, output) for key, (hashes, output) in outputs.items())
