"""Every metric's scores of a test set as arrays, counted here or imported: the one way to read them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db.models import Avg, Min

import numpy as np

from campaigns.models import Segment, TestSet, Translation
from campaigns.queries import systems_of
from jobs.models import Run, RunStatus
from metrics.automatic import METRICS, has_model_name, in_order
from metrics.automatic.base import FloatArray, cells_of
from metrics.automatic.resampling import RESAMPLES, SEED, Draw, interval_entry
from metrics.models import ImportedScores, ScoreLevel, SegmentScore, SegmentStatistic, SystemCounts, SystemScore
from metrics.results.codec import from_json
from metrics.results.values import Missing, Number
from metrics.scoring import MetricScore, ScoreComparison, metric_for
from metrics.scoring.counting import known_counts
from metrics.scoring.names import DEFAULT_METRICS, title_of
from metrics.scoring.texts import TextsOfMetrics, are_counted, reference_names

_ROWS_AT_ONCE = 10_000


@dataclass(frozen=True)
class MetricScores:
    """One metric's scores of a test set.

    Shape:
        `systems` (n_systems,) and `segments` (n_systems, n_segments), in the order of the `TestSetScores` they are
        in. NaN where there is no score, and in all of `segments` where they were not requested.
    Values:
        In the metric's own units: multiply by `sign` to have higher better.
    What it is:
        `name` as in METRICS, or as named at the import; every name occurs once. `signatures` name, for each system,
        everything that can change its score ("" where it has none); `signature` is that of the most systems, and
        `segment_signature` the same of a segment alone. `references` are those it compared with.
    Counted here:
        `entries` hold, by system, what a run stored with the score: interval, number of segments, details.
    Imported:
        `file_name` and `stored_at` say from where and when; `systems_are_means` where no file of systems came, so that
        their scores are means of their segments'.
    """

    name: str
    title: str
    higher_is_better: bool
    is_imported: bool
    references: tuple[str, ...]
    systems: FloatArray
    segments: FloatArray
    signatures: tuple[str, ...]
    segment_signature: str = ""
    entries: Mapping[str, MetricScore] = field(default_factory=dict)
    file_name: str = ""
    stored_at: datetime | None = None
    systems_are_means: bool = False

    @property
    def sign(self) -> int:
        return 1 if self.higher_is_better else -1

    @property
    def signature(self) -> str:
        signatures = [signature for signature in self.signatures if signature]
        return max(signatures, key=signatures.count) if signatures else ""

    @property
    def all_signatures(self) -> tuple[str, ...]:
        """Each once, that of the most systems first: systems may have been scored against more or fewer references."""
        named = [self.signature, *self.signatures, self.segment_signature]
        return tuple(dict.fromkeys(signature for signature in named if signature))


@dataclass(frozen=True)
class TestSetScores:
    """A test set's systems, by name, and segments, in their order, with the scores of every metric there is.

    `segment_ids`, `documents` and `segment_names` have one entry a segment.
    """

    __test__ = False  # the name is the test set's, not a test case's

    systems: tuple[str, ...]
    is_human: tuple[bool, ...]
    segment_ids: tuple[int, ...]
    documents: tuple[str, ...]
    segment_names: tuple[str, ...]
    metrics: tuple[MetricScores, ...]

    def __getitem__(self, name: str) -> MetricScores:
        return {metric.name: metric for metric in self.metrics}[name]


def has_metric_scores(test_set: TestSet) -> bool:
    """Whether there may be any: counted here, in whatever state, or imported."""
    return (
        ImportedScores.objects.filter(test_set=test_set, is_whole=True).exists()
        or Run.objects.filter(test_set=test_set, kind="metric_scores", status=RunStatus.DONE).exists()
        or are_counted(test_set)
    )


def read_metric_scores(
    test_set: TestSet,
    *,
    metrics: Collection[str] | None = None,
    with_segments: bool = True,
) -> TestSetScores:
    """Scores of all metrics that have any (or of those named), counted ones first, imported ones by name.

    Counts against all references that still fit the texts; nothing is counted here. Without segments, which is quick
    enough for a page, these are the scores that finished runs stored.
    """
    axes = _Axes(test_set)
    are_counted = metrics is None or any(name in METRICS or has_model_name(name) for name in metrics)
    computed = (_computed(axes, metrics) if are_counted else ()) if with_segments else _from_runs(axes)
    scores = [*computed, *_imported(axes, metrics, with_segments=with_segments)]
    return TestSetScores(
        systems=axes.systems,
        is_human=axes.is_human,
        segment_ids=axes.segment_ids,
        documents=axes.documents,
        segment_names=axes.segment_names,
        metrics=tuple(each for each in scores if metrics is None or each.name in metrics),
    )


def shown_runs(test_set: TestSet) -> dict[str, Run]:
    """By metric, in the order of METRICS, the finished run whose scores are shown: the newest that scored it.

    Where an older one has the same scores and more resamples, it is that one: a run with few resamples does not
    replace intervals and tests of more. Nor does a run in which the metric was not available replace its scores.
    """
    runs = Run.objects.filter(test_set=test_set, kind="metric_scores", status=RunStatus.DONE)
    by_metric: dict[str, list[tuple[int, int]]] = {}
    for key, arguments in runs.order_by("-created_at", "-pk").values_list("pk", "arguments"):
        for name in arguments.get("metrics") or DEFAULT_METRICS:
            by_metric.setdefault(name, []).append((key, arguments.get("resamples") or RESAMPLES))
    newest = Run.objects.in_bulk({runs[0][0] for runs in by_metric.values()})
    return {
        name: _most_resampled(name, newest, _with_scores(name, newest, by_metric[name])) for name in in_order(by_metric)
    }


def metrics_with_scores(test_set: TestSet) -> list[str]:
    """Names of the metrics that have scores of segments, counted ones first; in few queries."""
    imported = ImportedScores.objects.filter(test_set=test_set, is_whole=True, level=ScoreLevel.SEGMENT)
    names = imported.order_by("metric").values_list("metric", flat=True)
    return list(dict.fromkeys([*shown_runs(test_set), *names]))


def _with_scores(
    metric: str, newest: dict[int, Run], candidates: Sequence[tuple[int, int]]
) -> Sequence[tuple[int, int]]:
    """From the newest in which an operator's model was available; all where it never was."""
    for place, (key, _resamples) in enumerate(candidates if has_model_name(metric) else ()):
        newest[key] = newest.get(key) or Run.objects.get(pk=key)
        if not all(one.unavailable for one in _entries_in(newest[key], metric).values()):
            return candidates[place:]
    return candidates


def _most_resampled(metric: str, newest: Mapping[int, Run], candidates: Sequence[tuple[int, int]]) -> Run:
    """Of runs with their resamples, the newest first; older ones are read only where they have more than it."""
    (key, resamples), *older = candidates
    scores = _scores_in(newest[key], metric)
    for other, more in sorted(older, key=lambda each: -each[1]):
        if more <= resamples:
            break
        run = Run.objects.get(pk=other)
        if _scores_in(run, metric) == scores:
            return run
    return newest[key]


def _scores_in(run: Run, metric: str) -> dict[str, tuple[Number, int, str]]:
    return {name: (one.score, one.segments, one.signature) for name, one in _entries_in(run, metric).items()}


def _entries_in(run: Run | None, metric: str) -> dict[str, MetricScore]:
    """A run's scores by system; intervals of older runs, stored without a signature, get today's."""
    result, made = (run.result or {}, run.arguments) if run else ({}, {})
    stored = [entry for entry in result.get("scores", ()) if entry["metric"] == metric]
    entries = {}
    for one in from_json(tuple[MetricScore, ...], stored):
        draw = Draw(one.segments, made.get("resamples") or RESAMPLES, made.get("seed", SEED))
        if one.interval_signature == "" and not isinstance(one.score, Missing):
            one = replace(one, **interval_entry(one.score, one.interval, draw))  # noqa: PLW2901 - the same score, signed
        entries[one.system] = one
    return entries


def comparisons_in(run: Run) -> tuple[ScoreComparison, ...]:
    """Every two systems that a run compared, by all of its metrics."""
    return from_json(tuple[ScoreComparison, ...], (run.result or {}).get("comparisons", []))


class _Axes:
    """The rows and columns of every array of a test set."""

    def __init__(self, test_set: TestSet) -> None:
        self.test_set = test_set
        systems = list(systems_of(test_set).order_by("name").values_list("pk", "name", "is_human"))
        segments = list(
            Segment.objects.filter(document__test_set=test_set)
            .order_by("document__position", "position")
            .values_list("pk", "document__name", "name")
        )
        self.systems = tuple(name for _key, name, _is_human in systems)
        self.is_human = tuple(is_human for _key, _name, is_human in systems)
        self.segment_ids = tuple(key for key, _document, _name in segments)
        self.documents = tuple(document for _key, document, _name in segments)
        self.segment_names = tuple(name for _key, _document, name in segments)
        self.row_of_system = {key: row for row, (key, _name, _is_human) in enumerate(systems)}
        self.row_named = {name: row for row, name in enumerate(self.systems)}
        self.column_of_segment = {key: column for column, key in enumerate(self.segment_ids)}

    def no_systems(self) -> FloatArray:
        return np.full(len(self.systems), np.nan)

    def no_segments(self) -> FloatArray:
        return np.full((len(self.systems), len(self.segment_ids)), np.nan)


def _from_runs(axes: _Axes) -> Iterator[MetricScores]:
    for name, run in shown_runs(axes.test_set).items():
        entries = _entries_in(run, name)
        signature = next((one.signature for one in entries.values()), "")
        systems = axes.no_systems()
        for system in entries.keys() & axes.row_named.keys():
            score = entries[system].score
            systems[axes.row_named[system]] = np.nan if isinstance(score, Missing) else score
        yield MetricScores(
            name=name,
            title=title_of(name, signature),
            higher_is_better=METRICS[name].higher_is_better,
            is_imported=False,
            references=() if _has_no_reference(signature) else tuple((run.result or {}).get("references", ())),
            systems=systems,
            segments=axes.no_segments(),
            signatures=tuple(entries[system].signature if system in entries else "" for system in axes.systems),
            entries=entries,
            stored_at=run.finished_at,
        )


def _computed(axes: _Axes, wanted: Collection[str] | None) -> Iterator[MetricScores]:
    runs = shown_runs(axes.test_set)
    references = reference_names(axes.test_set)
    texts = TextsOfMetrics(axes.test_set, references)
    for name in in_order([*_counted_metrics(axes.test_set, texts), *filter(has_model_name, runs)]):
        if wanted is not None and name not in wanted:
            continue
        run = runs.get(name)
        entries = _entries_in(run, name)
        # read as it was counted, whatever tokenizer is usual or installed today
        metric = metric_for(axes.test_set, name).as_signed(next((one.signature for one in entries.values()), ""))
        systems, segments, signatures = axes.no_systems(), axes.no_segments(), [""] * len(axes.systems)
        alone = ""
        of_metric = texts.of(metric)
        for system, counts in zip(of_metric, known_counts(metric, of_metric), strict=True):
            row = axes.row_named[system.name]
            known = ~np.isnan(counts[:, 0])
            columns = np.array([axes.column_of_segment[key] for key in system.segments])[known]
            segments[row, columns] = metric.segment_values(counts[known])
            if len(known) and known.all():
                systems[row] = metric.value(counts.sum(axis=0))
                signatures[row] = metric.signature(system.n_references)
                alone = alone or metric.segment_signature(system.n_references)
        yield MetricScores(
            name=name,
            title=title_of(name, metric.signature(None)),
            higher_is_better=metric.higher_is_better,
            is_imported=False,
            references=tuple(references) if metric.needs_reference else (),
            systems=systems,
            segments=segments,
            signatures=tuple(signatures),
            segment_signature=alone,
            entries=entries,
            stored_at=run.finished_at if run else None,
        )


def _counted_metrics(test_set: TestSet, texts: TextsOfMetrics) -> list[str]:
    """Of models a system's first translation tells; of metrics without reference any one of a system."""
    firsts = [system.translations[0] for system in texts.with_references]
    every = Translation.objects.filter(system__test_set=test_set, text__isnull=False)
    firsts += every.order_by().values("system").annotate(first=Min("pk")).values_list("first", flat=True)
    counted = set(SegmentStatistic.objects.filter(translation__in=firsts).values_list("metric", flat=True))
    packed = SystemCounts.objects.filter(system__test_set=test_set)
    return list(counted.union(packed.values_list("metric", flat=True)))


def _has_no_reference(signature: str) -> bool:
    return cells_of(signature).get("nrefs") == "0"


def _imported(axes: _Axes, wanted: Collection[str] | None, *, with_segments: bool) -> Iterator[MetricScores]:
    """Imported scores: those of systems as imported, or the means of their segments."""
    levels: dict[str, dict[str, ImportedScores]] = {}
    for scores in ImportedScores.objects.filter(test_set=axes.test_set, is_whole=True).order_by("metric"):
        if wanted is None or scores.metric in wanted:
            levels.setdefault(scores.metric, {})[scores.level] = scores
    columns = _system_columns(axes, levels)
    for name, by_level in levels.items():
        of_systems, of_segments = by_level.get(ScoreLevel.SYSTEM), by_level.get(ScoreLevel.SEGMENT)
        systems = columns[name]
        segments = _segment_table(axes, of_segments) if with_segments else axes.no_segments()
        shown = of_systems or of_segments
        assert shown is not None  # noqa: S101 - each metric has a level
        yield MetricScores(
            name=name,
            title=name,
            higher_is_better=shown.higher_is_better,
            is_imported=True,
            references=tuple(shown.references),
            systems=systems,
            segments=segments,
            signatures=tuple("" if np.isnan(value) else shown.signature for value in systems),
            segment_signature=of_segments.signature if of_segments else "",
            file_name=shown.file_name,
            stored_at=shown.imported_at,
            systems_are_means=of_systems is None,
        )


def _system_columns(axes: _Axes, levels: Mapping[str, Mapping[str, ImportedScores]]) -> dict[str, FloatArray]:
    """By metric, as imported or as means of segments: two queries, however many metrics there are."""
    columns = {name: axes.no_systems() for name in levels}
    of_systems = {by[ScoreLevel.SYSTEM].pk: name for name, by in levels.items() if ScoreLevel.SYSTEM in by}
    to_average = {by[ScoreLevel.SEGMENT].pk: name for name, by in levels.items() if ScoreLevel.SYSTEM not in by}
    rows = SystemScore.objects.filter(scores__in=of_systems).values_list("scores", "system", "value")
    of_segments = SegmentScore.objects.filter(scores__in=to_average).values("scores", "translation__system").order_by()
    means = of_segments.annotate(mean=Avg("value")).values_list("scores", "translation__system", "mean")
    names = of_systems | to_average
    for scores, system, value in [*rows, *means]:
        if system in axes.row_of_system:
            columns[names[scores]][axes.row_of_system[system]] = value
    return columns


def _segment_table(axes: _Axes, of_segments: ImportedScores | None) -> FloatArray:
    table = axes.no_segments()
    rows = SegmentScore.objects.filter(scores=of_segments).values_list(
        "translation__system", "translation__segment", "value"
    )
    for system, segment, value in rows.iterator(chunk_size=_ROWS_AT_ONCE) if of_segments else ():
        table[axes.row_of_system[system], axes.column_of_segment[segment]] = value
    return table
