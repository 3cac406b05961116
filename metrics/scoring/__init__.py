"""A test set scored: every system by every requested metric, with intervals, and every two systems compared."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from campaigns.models import TestSet
from jobs.run_kinds import OnProgress
from metrics.automatic import METRICS, has_model_name
from metrics.automatic.base import FloatArray, Metric
from metrics.automatic.resampling import RESAMPLES, SEED, Draw, interval_entry, interval_of, randomised_p, shares_and_p
from metrics.automatic.tokenizers import NAMES, TokenizerMissing, demand
from metrics.results.values import Missing, Number, number
from metrics.scoring.counters import Counters, ModelCounters, ModelProcessEnded
from metrics.scoring.counting import Counted, counts_of
from metrics.scoring.light_models import no_memory_for, why_unavailable
from metrics.scoring.names import DEFAULT_METRICS, is_scoring_metric, known_names
from metrics.scoring.neural_counters import NeuralCounters
from metrics.scoring.neural_states import (
    Unavailable,
    can_do_without_reference,
    operator_metric,
    whole_name,
    why_refused,
)
from metrics.scoring.progress import Progress
from metrics.scoring.texts import SLICES, SystemTexts, TextsOfMetrics, labels_of, reference_names
from metrics.scoring.wordnet_folder import wordnet_in_use

# What `interval_entry` notes, in words.
INTERVAL_NOTES = {
    "few_resamples": gettext_lazy("No interval: at least 100 resamples are needed."),
    "one_segment": gettext_lazy("No interval: one segment cannot be resampled."),
    "misses_score": gettext_lazy("The score is outside its interval, as can happen with few segments."),
}


@dataclass(frozen=True, kw_only=True)
class MetricScore:
    """A system by a metric, in the metric's unit; `details` are the numbers that the score is made of.

    `interval` is the middle 95 % of resamples of segments; `interval_note` explains it, or says why it is
    None. Both it and `interval_signature` are empty in results that were stored before these were written.
    `unavailable`: why there is no score, and what to do, where a model could not be used.
    """

    system: str
    is_human: bool
    metric: str
    score: Number
    interval: tuple[float, float] | None
    interval_signature: str | None = ""
    interval_note: str | None = ""
    segments: int
    signature: str
    details: Mapping[str, Any]
    unavailable: str | None = None


@dataclass(frozen=True)
class ScoreComparison:
    """`difference`: first minus second; `share`: of resamples in which the first, which scores better, is better."""

    first: str
    second: str
    metric: str
    difference: float
    share: float
    p_bootstrap: float
    p_randomisation: float


@dataclass(frozen=True)
class ScoredSlice:
    scores: tuple[MetricScore, ...]


@dataclass(frozen=True)
class ScoredSlices:
    """The scores of each document, domain or tag."""

    by: str
    slices: Mapping[str, ScoredSlice]


@dataclass(frozen=True, kw_only=True)
class ScoredTestSet:
    """Every system by every metric, and every two systems compared; `slices` if requested."""

    test_set: str
    references: tuple[str, ...]
    scores: tuple[MetricScore, ...]
    comparisons: tuple[ScoreComparison, ...]
    slices: ScoredSlices | None = None
    signature: str


class ScoringError(Exception):
    """A test set that cannot be scored like this: the errors for the person who requested it, all of them at once."""


def score_test_set(
    test_set: TestSet,
    *,
    metrics: Sequence[str] | None = None,
    references: Sequence[str] | None = None,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    by: str | None = None,
    tokenizer: str | None = None,
    on_progress: OnProgress | None = None,
) -> ScoredTestSet:
    """Without `metrics` those of DEFAULT_METRICS, without `references` all there are. Raises ScoringError.

    `by` (one of SLICES) adds `slices`: the scores of each part of the test set, from the same counts. `tokenizer`:
    BLEU's, instead of the language's usual one.
    """
    names, chosen = check_request(test_set, metrics=metrics, references=references, by=by)
    scorers = _scorers(test_set, names, tokenizer, has_references=bool(chosen))
    texts = TextsOfMetrics(test_set, chosen)
    of_metrics = {metric.name: texts.of(metric) for metric in scorers}
    if not all(of_metrics.values()):
        raise ScoringError(_("No segment has both a reference and a translation."))
    every = [system for systems in of_metrics.values() for system in systems]
    progress = Progress(sum(len(system.translations) for system in every), on_progress)
    scores: list[MetricScore] = []
    comparisons: list[ScoreComparison] = []
    slices: dict[str, list[MetricScore]] = {}
    labels = labels_of(test_set, by) if by else {}
    draws = {size: Draw(size, resamples=resamples, seed=seed) for size in {len(system.segments) for system in every}}
    with _Counting(progress) as counting:
        for metric in scorers:
            try:
                counted = counting.counts_of(metric, of_metrics[metric.name])
            except Unavailable as error:
                scores += _without_scores(metric, of_metrics[metric.name], error)
                continue
            scored = _scored(metric, counted, draws)
            scores += [one.entry() for one in scored]
            comparisons += _comparisons(scored)
            for value, parts in _parts_of(scored, labels, seed=seed, resamples=resamples):
                slices.setdefault(value, []).extend(part.entry() for part in parts)
    if all(one.unavailable for one in scores):
        raise ScoringError("\n".join(dict.fromkeys(one.unavailable or "" for one in scores)))
    return ScoredTestSet(
        test_set=test_set.name,
        references=tuple(chosen),
        scores=tuple(scores),
        comparisons=tuple(comparisons),
        slices=ScoredSlices(by, {value: ScoredSlice(tuple(parts)) for value, parts in slices.items()}) if by else None,
        signature=f"references:{'+'.join(chosen)}|interval:bootstrap,segments,{resamples},0.95|seed:{seed}",
    )


class _Counting(ExitStack):
    """Every kind of process that counts; each is started when a metric needs it."""

    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self._progress = progress
        self._of_texts = self.enter_context(Counters())
        self._of_light_model = self.enter_context(ModelCounters())
        self._of_models = self.enter_context(NeuralCounters())

    def counts_of(self, metric: Metric, systems: Sequence[SystemTexts]) -> Counted:
        """Unavailable where an operator's model cannot be used: the other metrics are scored."""
        if metric.runs_apart:
            total = sum(len(system.translations) for system in systems)
            before = self._progress.done
            report, self._of_models.watch = self._progress.of_model(metric, total)
            try:
                return counts_of(metric, systems, counters=self._of_models, report=report)
            except Unavailable:
                self._progress.skip(before + total - self._progress.done)
                raise
        counters = self._of_light_model if metric.uses_model else self._of_texts
        try:
            return counts_of(metric, systems, counters=counters, report=self._progress.of(metric))
        except ModelProcessEnded as error:
            raise ScoringError(no_memory_for(metric.name)) from error


def _without_scores(metric: Metric, systems: Sequence[SystemTexts], why: Unavailable) -> list[MetricScore]:
    return [
        MetricScore(
            system=system.name,
            is_human=system.is_human,
            metric=metric.name,
            score=Missing(why.state),
            interval=None,
            segments=0,
            signature=metric.signature(system.n_references),
            details={},
            unavailable=str(why),
        )
        for system in systems
    ]


def _scorers(test_set: TestSet, names: Sequence[str], tokenizer: str | None, *, has_references: bool) -> list[Metric]:
    """ScoringError with what is missing or damaged, before anything is counted.

    An operator's model is looked at when its turn comes: without it the others can be scored.
    """
    try:
        metrics = [metric_for(test_set, name, tokenizer=tokenizer, has_references=has_references) for name in names]
        for metric in metrics:
            if not metric.runs_apart:
                metric.demand()
    except (ValueError, OSError) as error:
        raise ScoringError(str(error)) from error
    return metrics


def metric_for(
    test_set: TestSet, name: str, *, tokenizer: str | None = None, has_references: bool | None = None
) -> Metric:
    """`tokenizer` instead of the usual one of the language. ValueError or OSError where something cannot be used."""
    if has_model_name(name):
        is_there = bool(reference_names(test_set)) if has_references is None else has_references
        source, target = test_set.source_language, test_set.target_language
        return operator_metric(name).about(
            source_language=source,
            target_language=target,
            has_references=is_there,
            precision=settings.NEURAL_PRECISION,
        )
    resources = {**settings.METRIC_RESOURCES, "wordnet": wordnet_in_use(), "tokenizer": tokenizer or ""}
    resources["models"] = str(settings.MODELS_DIR)
    return METRICS[name].for_language(test_set.target_language).equipped(resources)


def why_no_tokenizer(name: str) -> str:
    """Why the tokenizer cannot be used on this installation; empty where it can."""
    try:
        demand(name, settings.METRIC_RESOURCES.get(f"{name}_model", ""))
    except TokenizerMissing as error:
        return str(error)
    return ""


def check_tokenizer(name: str) -> None:
    """TokenizerMissing with those that can be used on this installation, where this one cannot."""
    why_not = why_no_tokenizer(name)
    if why_not:
        usable = [each for each in NAMES if not why_no_tokenizer(each)]
        raise TokenizerMissing(f"{why_not} Those that can be used: {', '.join(usable)}.")


def check_request(
    test_set: TestSet, *, metrics: Sequence[str] | None, references: Sequence[str] | None, by: str | None
) -> tuple[list[str], list[str]]:
    """The names of the metrics, with their models, and the references to score against.

    ScoringError with all errors that are known before anything is counted.
    """
    known = reference_names(test_set)
    allowed, errors = _named(metrics)
    errors += [
        _("There is no reference “%(name)s”. Known: %(known)s.") % {"name": name, "known": ", ".join(known) or "–"}
        for name in references or ()
        if name not in known
    ]
    if by not in (None, *SLICES):
        errors.append(_("Unknown slices “%(name)s”. Allowed: %(known)s.") % {"name": by, "known": ", ".join(SLICES)})
    if not known and not all(can_do_without_reference(name) for name in allowed):
        errors.append(_("The test set “%(name)s” has no reference.") % {"name": test_set.name})
    for name in allowed:
        reason = why_refused(name, test_set) if has_model_name(name) else why_unavailable(name)
        errors += [reason] if reason else []
    if errors:
        raise ScoringError("\n".join(dict.fromkeys(errors)))
    return allowed, list(dict.fromkeys(references)) if references else known


def _named(metrics: Sequence[str] | None) -> tuple[list[str], list[str]]:
    """Names that can be scored, each once and with its model, and what is wrong with the others."""
    names: list[str] = []
    errors = []
    for written in metrics or DEFAULT_METRICS:
        try:
            name = whole_name(written)
        except Unavailable as error:
            errors.append(str(error))
            continue
        if is_scoring_metric(name):
            names.append(name)
        else:
            words = {"name": written, "known": ", ".join(known_names())}
            errors.append(_("Unknown metric “%(name)s”. Allowed: %(known)s.") % words)
    return list(dict.fromkeys(names)), errors


@dataclass
class _Scored:
    """One system by one metric: its counts, each resample's score, and sums of the segments swapped in each trial."""

    metric: Metric
    system: SystemTexts
    counts: FloatArray
    resampled: FloatArray
    swapped: FloatArray | None
    draw: Draw

    def __post_init__(self) -> None:
        self.signature = self.metric.signature(self.system.n_references)
        self.value = self.metric.value(self.counts.sum(axis=0))

    def entry(self) -> MetricScore:
        return MetricScore(
            system=self.system.name,
            is_human=self.system.is_human,
            metric=self.metric.name,
            score=number(self.value),
            **interval_entry(self.value, interval_of(self.resampled), self.draw),
            segments=len(self.counts),
            signature=self.signature,
            details=self.metric.parts(self.counts.sum(axis=0), self.metric.values(self.counts)),
        )

    def is_comparable_to(self, other: "_Scored") -> bool:
        """Scored on the same segments, against as many references."""
        return self.system.segments == other.system.segments and self.signature == other.signature


def _scored(
    metric: Metric, counted: Sequence[tuple[SystemTexts, FloatArray]], draws: Mapping[int, Draw], *, pairs: bool = True
) -> list[_Scored]:
    """Systems with as many segments share the draw, and the multiplication by it."""
    scored: dict[str, _Scored] = {}
    for size, draw in draws.items():
        together = [(system, counts) for system, counts in counted if len(counts) == size]
        if not together:
            continue
        columns = np.hstack([counts for _system, counts in together])
        sums = np.hsplit(draw.sums(columns), len(together))
        coins: list[Any] = [None] * len(together)
        if pairs and len(together) > 1:
            coins = np.hsplit(draw.sums_of_swapped(columns), len(together))
        for (system, counts), of_sums, of_coins in zip(together, sums, coins, strict=True):
            scored[system.name] = _Scored(metric, system, counts, metric.values(of_sums), of_coins, draw)
    return [scored[system.name] for system, _counts in counted]


def _parts_of(
    scored: Sequence[_Scored], labels: Mapping[int, Sequence[str]], *, seed: int, resamples: int
) -> Iterator[tuple[str, list[_Scored]]]:
    """Each label with the systems that have segments under it, in the order of the labels."""
    for label in sorted({label for own in labels.values() for label in own}):
        parts = []
        for one in scored:
            rows = np.array([label in labels.get(segment, ()) for segment in one.system.segments], dtype=np.bool_)
            if rows.any():
                parts.append((one.system.where(rows.tolist()), one.counts[rows]))
        sizes = {len(counts) for _system, counts in parts}
        draws = {size: Draw(size, resamples=resamples, seed=seed) for size in sizes}
        yield label, _scored(scored[0].metric, parts, draws, pairs=False)


def _comparisons(scored: Sequence[_Scored]) -> list[ScoreComparison]:
    """Every two systems that can be compared, the better one first."""
    sign = -1 if scored[0].metric.higher_is_better else 1
    ordered = sorted(scored, key=lambda one: (sign * one.value, one.system.name))
    entries = []
    for first, second in combinations(ordered, 2):
        if first.is_comparable_to(second) and first.swapped is not None and second.swapped is not None:
            counts = first.counts, second.counts
            compared = shares_and_p(first.metric, *counts, first.resampled, second.resampled)
            entries.append(
                ScoreComparison(
                    first=first.system.name,
                    second=second.system.name,
                    metric=first.metric.name,
                    difference=compared.difference,
                    share=compared.share,
                    p_bootstrap=compared.p,
                    p_randomisation=randomised_p(first.metric, *counts, first.swapped, second.swapped),
                )
            )
    return entries
