"""A test set scored: every system by every requested metric, with intervals, and every two systems compared."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from campaigns.models import TestSet
from jobs.run_kinds import OnProgress
from metrics.automatic import METRICS
from metrics.automatic.base import FloatArray, Metric, cells_of, count_of
from metrics.automatic.resampling import RESAMPLES, SEED, Draw, interval_entry, interval_of, randomised_p, shares_and_p
from metrics.automatic.tokenizers import NAMES, TokenizerMissing, demand
from metrics.neural.light_model import LIGHT_MODELS
from metrics.results.values import Number, number
from metrics.scoring.counters import Counters, ModelCounters, ModelProcessEnded
from metrics.scoring.counting import Report, counts_of
from metrics.scoring.light_models import no_memory_for, uses_model, why_unavailable
from metrics.scoring.texts import SLICES, SystemTexts, TextsOfMetrics, labels_of, reference_names
from metrics.scoring.wordnet_folder import wordnet_in_use

DEFAULT_METRICS = ("bleu", "chrf", "chrf++", "ter")
SCORING_METRICS = tuple(name for name in METRICS if name != "hter")  # that needs a post-edit, not a reference

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
    names = tuple(dict.fromkeys(metrics or DEFAULT_METRICS))
    chosen = check_request(test_set, metrics=names, references=references, by=by)
    texts = TextsOfMetrics(test_set, chosen)
    scorers = _scorers(test_set, names, tokenizer)
    of_metrics = {metric.name: texts.of(metric) for metric in scorers}
    if not all(of_metrics.values()):
        raise ScoringError(_("No segment has both a reference and a translation."))
    every = [system for systems in of_metrics.values() for system in systems]
    progress = _Progress(sum(len(system.translations) for system in every), on_progress)
    scores: list[MetricScore] = []
    comparisons: list[ScoreComparison] = []
    slices: dict[str, list[MetricScore]] = {}
    labels = labels_of(test_set, by) if by else {}
    draws = {size: Draw(size, resamples=resamples, seed=seed) for size in {len(system.segments) for system in every}}
    with Counters() as counters, ModelCounters() as of_models:
        for metric in scorers:
            counting = of_models if metric.uses_model else counters
            try:
                counted = counts_of(metric, of_metrics[metric.name], counters=counting, report=progress.of(metric))
            except ModelProcessEnded as error:
                raise ScoringError(no_memory_for(metric.name)) from error
            scored = _scored(metric, counted, draws)
            scores += [one.entry() for one in scored]
            comparisons += _comparisons(scored)
            for value, parts in _parts_of(scored, labels, seed=seed, resamples=resamples):
                slices.setdefault(value, []).extend(part.entry() for part in parts)
    return ScoredTestSet(
        test_set=test_set.name,
        references=tuple(chosen),
        scores=tuple(scores),
        comparisons=tuple(comparisons),
        slices=ScoredSlices(by, {value: ScoredSlice(tuple(parts)) for value, parts in slices.items()}) if by else None,
        signature=f"references:{'+'.join(chosen)}|interval:bootstrap,segments,{resamples},0.95|seed:{seed}",
    )


def _scorers(test_set: TestSet, names: Sequence[str], tokenizer: str | None) -> list[Metric]:
    """ScoringError with what is missing or damaged, before anything is counted."""
    try:
        metrics = [metric_for(test_set, name, tokenizer=tokenizer) for name in names]
        for metric in metrics:
            metric.demand()
    except (ValueError, OSError) as error:
        raise ScoringError(str(error)) from error
    return metrics


def metric_for(test_set: TestSet, name: str, *, tokenizer: str | None = None) -> Metric:
    """`tokenizer` instead of the usual one of the language. ValueError or OSError where something cannot be used."""
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


def title_of(name: str) -> str:
    """As people write it; one that needs no reference says so wherever it is named."""
    title = METRICS[name].title
    return _("%(metric)s (no reference)") % {"metric": title} if METRICS[name].compares_with_source else title


def remark_on(metric: str, signature: str) -> str:
    """What to show with a score of this signature: what the metric lacked, or its model; usually empty."""
    if metric == "meteor" and signature and "synonym" not in cells_of(signature).get("modules", ""):
        return _("without synonyms")
    if uses_model(metric):
        model = LIGHT_MODELS.get(cells_of(signature).get("model", ""))
        return model.title if model else ""
    return ""


class _Progress:
    """Counts up to the total; raises what its callback raises: this is how a run is cancelled."""

    def __init__(self, total: int, listener: OnProgress | None) -> None:
        self.total, self.done, self._listener = total, 0, listener

    def of(self, metric: Metric) -> Report:
        def report(system: SystemTexts, count: int, /) -> None:
            self.done += count
            if self._listener is not None:
                self._listener(self.done / self.total, f"{title_of(metric.name)}: {system.name}")

        return report


def check_request(
    test_set: TestSet, *, metrics: Sequence[str] | None, references: Sequence[str] | None, by: str | None
) -> list[str]:
    """The references to score against; ScoringError with all errors that are known before anything is counted."""
    known = reference_names(test_set)
    allowed = [name for name in metrics or DEFAULT_METRICS if name in SCORING_METRICS]
    errors = [
        _("Unknown metric “%(name)s”. Allowed: %(known)s.") % {"name": name, "known": ", ".join(SCORING_METRICS)}
        for name in metrics or ()
        if name not in SCORING_METRICS
    ]
    errors += [
        _("There is no reference “%(name)s”. Known: %(known)s.") % {"name": name, "known": ", ".join(known) or "–"}
        for name in references or ()
        if name not in known
    ]
    if by not in (None, *SLICES):
        errors.append(_("Unknown slices “%(name)s”. Allowed: %(known)s.") % {"name": by, "known": ", ".join(SLICES)})
    if not known and any(not METRICS[name].compares_with_source for name in allowed):
        errors.append(_("The test set “%(name)s” has no reference.") % {"name": test_set.name})
    errors += [reason for name in allowed if (reason := why_unavailable(name))]
    if errors:
        raise ScoringError("\n".join(errors))
    return list(dict.fromkeys(references)) if references else known


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
        self.signature = self.metric.signature(count_of(self.system.references))
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
