"""The analysis `assisted`: systems' means, sharpened by a metric that scored what people did not judge."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np
import scipy

from annotation.item_choice import BY_SCORES
from campaigns.models import Campaign
from metrics.analyses.evidence import Evidence
from metrics.analyses.system_values import SystemValues, system_values
from metrics.item_choice import no_scores
from metrics.matrices import ScoreTable
from metrics.results.tables import Column, Form, Table, Text
from metrics.results.values import Ends, Missing, Number, keyed, number
from metrics.scoring.reading import MetricScores, TestSetScores, metrics_with_scores
from metrics.statistics.arrays import BoolArray, FloatArray, IntArray
from metrics.statistics.assisted import AssistedMean, assisted_mean
from metrics.statistics.mixed import critical_t
from metrics.statistics.significance import holm

FEWEST_DOCUMENTS = 20
FROM_POST_EDITS = frozenset({"hter"})  # compares outputs with what annotators made of them
_NOT_RANDOM = 0.001  # probability of such a difference between judged and other segments by chance, corrected


@dataclass(frozen=True, kw_only=True)
class AssistedSystem:
    """`mean` of the judged segments and `assisted`, an estimate for the whole test set, in natural units.

    `weight` is that of the metric, `ratio` of the variances; `reason` why the metric adds nothing here.
    """

    system: str
    mean: Number
    assisted: Number
    se: Number
    assisted_se: Number
    plain_interval: Ends
    interval: Ends
    weight: Number = keyed("lambda")
    ratio: Number
    judged: int
    others: int
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class AssistedTest:
    """Of the first system's mean minus the second's; by t with the judged documents less one, p corrected by Holm."""

    first: str
    second: str
    difference: Number
    assisted: Number
    se: Number
    assisted_se: Number
    interval: Ends
    weight: Number = keyed("lambda")
    ratio: Number
    p: Number
    p_corrected: Number


@dataclass(frozen=True, kw_only=True)
class Assisted:
    """By one metric, named before looking. `reason` is None, or why nothing was sharpened.

    `judgments` is how many segments of a system are judged on average, `equivalent_judgments` how many would be needed
    without the metric for intervals as narrow.
    """

    metric: str
    measure: str = ""
    systems: tuple[AssistedSystem, ...] = ()
    tests: tuple[AssistedTest, ...] = ()
    judgments: float | None = None
    equivalent_judgments: float | None = None
    reason: str | None


def metric_problems(campaign: Campaign, metric: str | None, analyses: Sequence[str]) -> list[str]:
    """Of a request, before anything is computed."""
    if metric:
        return [] if metric in metrics_with_scores(campaign.test_set) else [no_scores(campaign.test_set, metric)]
    return [_("Name the metric that is to sharpen the means.")] if "assisted" in analyses else []


def assisted(evidence: Evidence) -> Assisted:
    name = evidence.recipe.metric or ""
    table, scores = evidence.main_scores, evidence.metrics
    metric = next((each for each in scores.metrics if each.name == name), None) if scores else None
    if reason := _refusal(evidence, table, metric):
        return Assisted(metric=name, reason=reason)
    if table is None or scores is None or metric is None:
        return Assisted(metric=name, reason="no_scores")
    matched = _Matched(evidence, table, scores, metric)
    if reason := matched.refusal:
        return Assisted(metric=name, measure=table.measure, reason=reason)
    return matched.result()


def _refusal(evidence: Evidence, table: ScoreTable | None, metric: MetricScores | None) -> str:
    """What is known before anything is computed."""
    if not evidence.recipe.metric:
        return "no_metric"
    if evidence.is_choice_biased:
        return "metric_chose" if evidence.chosen.partition(",")[0] in BY_SCORES else "not_random"
    if evidence.chosen and any(addition.documents for addition in evidence.additions):
        return "not_random"  # what came late is judged whole, the rest in part
    if evidence.recipe.metric in FROM_POST_EDITS:
        return "trained_on_these"
    if metric is None or np.isnan(metric.segments).all():
        return "no_scores"
    return _refusal_of(table)


def _refusal_of(table: ScoreTable | None) -> str:
    if table is None or not len(table):
        return "no_judgments"
    if table.is_relative:
        return "not_scores"
    return "not_of_segments" if table.is_document_level.any() else ""


class _Matched:
    """People's and the metric's scores of the same systems and segments, in one order; higher is better in both."""

    def __init__(self, evidence: Evidence, table: ScoreTable, scores: TestSetScores, metric: MetricScores) -> None:
        self.table, self.metric = table, metric
        values: SystemValues = system_values(evidence, table).in_rank_order()
        place = {key: column for column, key in enumerate(scores.segment_ids)}
        row_of = {name: row for row, name in enumerate(scores.systems)}
        kept = [row for row, name in enumerate(values.names) if self._has_scores(row_of.get(name), name)]
        self.names = [values.names[row] for row in kept]
        columns = [place[table.segment_ids[code]] for code in values.units.code.tolist()]
        self.people = np.full((len(kept), len(scores.segment_ids)), np.nan)
        self.people[:, columns] = values.raw[kept]
        self.own = metric.sign * metric.segments[[row_of[name] for name in self.names]]
        self.documents: IntArray = np.unique(np.array(scores.documents), return_inverse=True)[1].astype(np.int64)

    def _has_scores(self, row: int | None, name: str) -> bool:
        """Not of a reference, which the metric compares with itself."""
        return (
            row is not None
            and name not in self.metric.references
            and bool(np.isfinite(self.metric.segments[row]).any())
        )

    @property
    def judged(self) -> BoolArray:
        known: BoolArray = ~np.isnan(self.people) & ~np.isnan(self.own)
        return known

    @property
    def refusal(self) -> str:
        if not self.names:
            return "no_scores"
        others = ~self.judged & ~np.isnan(self.own)
        if not others.any():
            return "all_judged"
        documents = [np.unique(self.documents[own]).size for own in self.judged]
        if min(documents) < FEWEST_DOCUMENTS:
            return "few_documents"
        return "" if self._looks_random else "not_random"

    @property
    def _looks_random(self) -> bool:
        """Whether the metric finds judged segments neither better nor worse than the others, beyond chance."""
        limit = float(scipy.stats.norm.ppf(1 - _NOT_RANDOM / 2 / max(1, len(self.names))))
        return all(abs(z) <= limit for z in (self._distance(row) for row in range(len(self.names))))

    def _distance(self, row: int) -> float:
        own, is_judged = self.own[row], self.judged[row]
        is_other = ~is_judged & ~np.isnan(own)
        if not is_other.any():
            return 0.0
        parts = [(own[part], self.documents[part]) for part in (is_judged, is_other)]
        variance = sum(_variance(values, documents) for values, documents in parts)
        difference = float(parts[0][0].mean() - parts[1][0].mean())
        return difference / variance**0.5 if variance > 0 else 0.0

    def mean_of(self, people: FloatArray, own: FloatArray) -> AssistedMean:
        is_judged = ~np.isnan(people) & ~np.isnan(own)
        is_other = np.isnan(people) & ~np.isnan(own)
        return assisted_mean(
            people[is_judged],
            own[is_judged],
            documents=self.documents[is_judged],
            other_metric=own[is_other],
            other_documents=self.documents[is_other],
        )

    def result(self) -> Assisted:
        means = [self.mean_of(people, own) for people, own in zip(self.people, self.own, strict=True)]
        rows = zip(self.names, means, self.judged, self.own, strict=True)
        systems = tuple(self._system(name, mean, own, metric) for name, mean, own, metric in rows)
        ratios = [mean.ratio for mean in means if np.isfinite(mean.ratio) and mean.ratio > 0]
        judged = float(self.judged.sum(axis=1).mean())
        return Assisted(
            metric=self.metric.name,
            measure=self.table.measure,
            systems=systems,
            tests=self._tests(),
            judgments=judged,
            equivalent_judgments=judged / float(np.mean(ratios)) if ratios else judged,
            reason=None,
        )

    def _system(self, name: str, mean: AssistedMean, is_judged: BoolArray, own: FloatArray) -> AssistedSystem:
        return AssistedSystem(
            system=name,
            mean=number(self._natural(mean.plain), mean.reason),
            assisted=number(self._natural(mean.assisted), mean.reason),
            se=number(mean.plain_se, mean.reason),
            assisted_se=number(mean.assisted_se, mean.reason),
            plain_interval=self._interval(mean.plain, mean.plain_se, mean.documents),
            interval=self._interval(mean.assisted, mean.assisted_se, mean.documents),
            weight=number(mean.weight, mean.reason),
            ratio=number(mean.ratio, mean.reason),
            judged=int(is_judged.sum()),
            others=int((~is_judged & ~np.isnan(own)).sum()),
            reason=mean.reason or None,
        )

    def _tests(self) -> tuple[AssistedTest, ...]:
        pairs = list(combinations(range(len(self.names)), 2))
        found = [self.mean_of(self._minus(self.people, pair), self._minus(self.own, pair)) for pair in pairs]
        p = np.array([_p_of(mean) for mean in found], dtype=np.float64)
        corrected = holm(p) if p.size else p
        return tuple(
            AssistedTest(
                first=self.names[one],
                second=self.names[other],
                difference=number(self._turn * mean.plain + 0.0, mean.reason),
                assisted=number(self._turn * mean.assisted + 0.0, mean.reason),
                se=number(mean.plain_se, mean.reason),
                assisted_se=number(mean.assisted_se, mean.reason),
                interval=self._interval(mean.assisted, mean.assisted_se, mean.documents),
                weight=number(mean.weight, mean.reason),
                ratio=number(mean.ratio, mean.reason),
                p=number(own_p, mean.reason or "no_variation"),
                p_corrected=number(own_corrected, mean.reason or "no_variation"),
            )
            for (one, other), mean, own_p, own_corrected in zip(
                pairs, found, p.tolist(), corrected.tolist(), strict=True
            )
        )

    @staticmethod
    def _minus(values: FloatArray, pair: Sequence[int]) -> FloatArray:
        difference: FloatArray = values[pair[0]] - values[pair[1]]
        return difference

    @property
    def _turn(self) -> int:
        return 1 if self.table.higher_is_better else -1

    def _natural(self, value: float) -> float:
        return self._turn * value + 0.0

    def _interval(self, value: float, se: float, documents: int) -> Ends:
        """By t with a degree of freedom less than there are judged documents."""
        if documents < 2 or not np.isfinite(se):
            return Missing("few_documents")
        half = critical_t(documents - 1, 0.95) * se
        middle = self._natural(value)
        return (middle - half, middle + half)


def _variance(values: FloatArray, documents: IntArray) -> float:
    """Of the mean, by documents; 0 where there are fewer than two."""
    alone = assisted_mean(values, values, documents=documents, other_metric=[], other_documents=[])
    return alone.plain_se**2 if np.isfinite(alone.plain_se) else 0.0


def _p_of(mean: AssistedMean) -> float:
    if mean.documents < 2 or not mean.assisted_se > 0:
        return float("nan")
    return float(2 * scipy.stats.t.sf(abs(mean.assisted) / mean.assisted_se, mean.documents - 1))


def saved_in_words(result: Assisted) -> str:
    """A sentence on what the metric is worth; empty where nothing was sharpened."""
    if result.judgments is None or result.equivalent_judgments is None:
        return ""
    saved = result.equivalent_judgments - result.judgments
    words = {"metric": result.metric, "made": round(result.judgments), "alone": round(result.equivalent_judgments)}
    if saved < 0.5:
        return _("%(metric)s does not narrow the intervals.") % words
    return _(
        "With %(metric)s, intervals are as narrow as with %(alone)d judged segments of each system; %(made)d were "
        "judged, so %(saved)d are saved."
    ) % {**words, "saved": round(saved)}


REASONS = {
    "metric_chose": gettext_lazy("A metric chose which segments were judged, so no metric can sharpen their means."),
    "not_random": gettext_lazy(
        "The judged segments are not a random part of the test set: their means cannot be sharpened by a metric."
    ),
    "few_documents": gettext_lazy("At least 20 judged documents of each system are needed."),
    "trained_on_these": gettext_lazy("This metric was made from these judgments, so it cannot sharpen their means."),
    "all_judged": gettext_lazy("Everything that the metric scored is judged: there is nothing to add."),
    "no_scores": gettext_lazy("The metric has no scores of segments of this test set."),
    "not_scores": gettext_lazy("The answers compare translations of one screen and give them no scores."),
    "not_of_segments": gettext_lazy("Whole documents were scored, and metrics score segments."),
    "no_judgments": gettext_lazy("No judgment counts so far."),
}


def assisted_table(result: Assisted, about: Text = "") -> Table:
    """A row a system: the interval of people's scores alone beside that with the metric."""
    columns = (
        Column("system", gettext_lazy("System"), Form.NAME),
        Column("mean", gettext_lazy("Mean"), decimals=2, highest_first=True),
        Column(
            "plain_interval", gettext_lazy("People alone, 95% interval"), Form.ENDS, of="mean", keys=("low", "high")
        ),
        Column("assisted", gettext_lazy("With the metric"), decimals=2, highest_first=True),
        Column(
            "interval",
            gettext_lazy("With the metric, 95% interval"),
            Form.ENDS,
            of="assisted",
            keys=("assisted_low", "assisted_high"),
        ),
        Column("ratio", gettext_lazy("Variance left"), Form.SHARE, 0, highest_first=True),
        Column("se", decimals=4),
        Column("assisted_se", decimals=4),
        Column("lambda", decimals=4),
        Column("judged", gettext_lazy("Judged"), Form.COUNT, highest_first=True),
        Column("others", gettext_lazy("Scored by the metric alone"), Form.COUNT, highest_first=True),
        Column("metric", form=Form.TEXT),
    )
    rows = tuple(
        (
            one.system, one.mean, one.plain_interval, one.assisted, one.interval, one.ratio, one.se, one.assisted_se,
            one.weight, one.judged, one.others, result.metric,
        )
        for one in result.systems
    )  # fmt: skip
    return Table(
        "assisted",
        _("Means sharpened by %(metric)s") % {"metric": result.metric},
        columns=columns,
        rows=rows,
        part="assisted",
        about=about,
        page=("system", "mean", "chart:plain_interval", "assisted", "chart:interval", "ratio", "judged", "others"),
        terminal=("system", "mean", "plain_interval", "assisted", "interval", "ratio", "judged", "others"),
        lead=saved_in_words(result),
        notes=(
            _(
                "Both estimate the mean of the whole test set, if the judged segments are a random part of it. "
                "Variances are by documents. Choose the metric before you look, and none that was trained on these "
                "judgments."
            ),
        ),
    )
