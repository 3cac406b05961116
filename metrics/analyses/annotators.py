"""The analysis `annotators`: how each of them scores, how consistently, and whether they notice control items."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from metrics.analyses.controls import Pairs, control_state, pairs_of
from metrics.analyses.evidence import JUDGED_KINDS, Evidence
from metrics.analyses.preferences import label_ratings
from metrics.analyses.shared_ratings import ratings_of
from metrics.matrices import ScoreTable
from metrics.results.values import Ends, Missing, Number, interval_ends, number
from metrics.statistics.agreement.pairs import WithOthers, agreement_with_others
from metrics.statistics.arrays import FloatArray
from metrics.statistics.normalisation import ZScores
from metrics.statistics.quality import ControlTest, repeat_consistency

LONGEST_RUN = 8
RUN_FACTOR = 1.5
HASTE_FACTOR = 1 / 3
FASTEST_SECONDS = 3.0
LOWEST_REFERENCE_SHARE = 0.9
FEW_JUDGMENTS = 10
FEWEST_ANSWERS = 10
FEWEST_OTHERS = 2
UNIFORM_FROM = 0.8
UNIFORM_FACTOR = 1.5
LOW_FACTOR = 0.5
TIE = 0.0
NO_OTHERS = agreement_with_others(np.zeros((1, 0)))[0]


@dataclass(frozen=True)
class Annotator:
    """What one annotator did, and how reliably; scores in the main measure's natural units.

    `control_` is about damaged translations beside their originals (below 0: they were scored lower), `repeat_` about
    what was judged twice, `others_` about the mean of the annotators that count, each included one left out of their
    own. `middle` has four fifths of the own scores about their mean, higher where they are better. `control_state` is
    `passed`, `failed`, `too_few` (nothing could have shown) or `none` (no control items). `uniform_share` is the share
    of the most frequent answer (of ties for preferences). `flags` say what to look at; they exclude nobody.
    """

    annotator: str
    judgments: int
    mean: Number
    deviation: Number
    seconds_median: Number
    control_n: int
    control_p: Number
    control_difference: Number
    control_state: str
    repeat_n: int
    repeat_difference: Number
    repeat_pearson: Number
    uniform_share: Number
    others_n: int
    others_pearson: Number
    others_interval: Ends
    others_difference: Number
    included: bool
    flags: tuple[str, ...]
    others_difference_interval: Ends | None = None
    middle: Ends | None = None


@dataclass(frozen=True)
class Compared:
    """Each annotator compared with the others, by name.

    `uniform` is the share of the most usual of so many `answers`, `runs` the length of the longest run of equal scores,
    `paces` the median seconds, NaN of few judgments.
    """

    with_others: Mapping[str, WithOthers]
    uniform: Mapping[str, float]
    answers: Mapping[str, int]
    runs: Mapping[str, float]
    paces: Mapping[str, float]

    def flags(self, name: str) -> dict[str, bool]:
        return {
            "uniform": self._is_uniform(name),
            "low_agreement": self._is_apart(name),
            # only runs much longer than the others' are flagged: on short scales good systems make long runs
            "same_score_run": self.runs[name] > LONGEST_RUN
            and not self.runs[name] <= RUN_FACTOR * _usual(self.runs, name),
            # text length affects everybody: an annotator is fast only compared with the others
            "hasty": self.paces[name] < HASTE_FACTOR * _usual(self.paces, name, FEWEST_OTHERS),
        }

    def _is_uniform(self, name: str) -> bool:
        """Nearly all answers are the same, unlike those of the others."""
        own = self.uniform.get(name, 0.0)
        enough = {each: share for each, share in self.uniform.items() if self.answers[each] >= FEWEST_ANSWERS}
        stands_out = not own <= UNIFORM_FACTOR * _usual(enough, name)
        return self.answers.get(name, 0) >= FEWEST_ANSWERS and own >= UNIFORM_FROM and stands_out

    def _is_apart(self, name: str) -> bool:
        """Even the upper end of the interval lies below zero, or below half of what is usual among the others."""
        own = self.with_others.get(name)
        if own is None or own.n < FEWEST_ANSWERS:
            return False
        enough = {each: other.pearson for each, other in self.with_others.items() if other.n >= FEWEST_ANSWERS}
        usual = _usual(enough, name, FEWEST_OTHERS)
        return own.interval.high < (0.0 if math.isnan(usual) else max(0.0, LOW_FACTOR * usual))


def _usual(values: Mapping[str, float], name: str, fewest: int = 1) -> float:
    """The median of the others; NaN, which is neither more nor less than anything, where fewer have a number."""
    others = [value for each, value in values.items() if each != name and not math.isnan(value)]
    return float(np.median(others)) if len(others) >= fewest else math.nan


def annotators(evidence: Evidence) -> tuple[Annotator, ...]:
    """One entry an annotator, by name."""
    whole = evidence.main_table
    if whole is None:
        return ()
    table = whole.where(evidence.usable(whole) & whole.of_kinds(JUDGED_KINDS))
    z = replace(evidence, whole=None).normalised(table)  # means of what is in the table
    repeats = pairs_of(table, "repeat")
    own = table.where(table.is_own)
    own = own.where(np.argsort(own.annotator, kind="stable"))
    edges = np.searchsorted(own.annotator, [z.annotators, z.annotators + 1])
    each = [own.where(np.arange(start, end)) for start, end in zip(*edges, strict=True)]
    names = [table.annotators[code] for code in z.annotators]
    compared = _compared(evidence, table, dict(zip(names, each, strict=True)))
    return tuple(_entry(evidence, part, z, place, repeats, compared) for place, part in enumerate(each))


def _entry(
    evidence: Evidence, own: ScoreTable, z: ZScores, place: int, repeats: Pairs, compared: Compared
) -> Annotator:
    code = int(z.annotators[place])
    name = own.annotators[code]
    control = evidence.controls[name]
    consistency = repeat_consistency(*repeats.of(code))
    others = compared.with_others.get(name, NO_OTHERS)
    pearson = number(others.pearson, others.reason)
    has_judgments = z.counts[place] > 0
    flags = _flags(evidence, own, name, control, has_z=bool(z.deviations[place] > 0)) | compared.flags(name)
    return Annotator(
        annotator=name,
        judgments=len(own),
        mean=number(own.natural(float(z.means[place])), "no_regular_judgments"),
        deviation=number(float(z.deviations[place]), "one_judgment" if has_judgments else "no_regular_judgments"),
        seconds_median=number(_median_time(own), "no_times"),
        control_n=control.n,
        control_p=number(control.p, control.reason),
        control_difference=number(control.difference, control.reason),
        control_state=control_state(control),
        repeat_n=consistency.n,
        repeat_difference=number(consistency.difference, consistency.reason),
        repeat_pearson=number(consistency.pearson, consistency.reason),
        uniform_share=compared.uniform.get(name, Missing("no_regular_judgments")),
        others_n=others.n,
        others_pearson=pearson,
        others_interval=interval_ends(others.interval, pearson),
        others_difference=number(others.difference, others.reason),
        included=name in evidence.included,
        flags=tuple(flag for flag, is_raised in flags.items() if is_raised),
        others_difference_interval=interval_ends(others.difference_interval, number(others.difference, others.reason)),
        middle=_middle(own.values[own.of_kinds(["regular"])]),
    )


def _middle(scores: FloatArray) -> Ends:
    """From the tenth percentile to the ninetieth, about the mean."""
    if scores.size < FEW_JUDGMENTS:
        return Missing("no_regular_judgments" if not scores.size else "too_few")
    low, high = np.quantile(scores, [0.1, 0.9]) - scores.mean()
    return float(low), float(high)


def _flags(evidence: Evidence, own: ScoreTable, name: str, control: ControlTest, *, has_z: bool) -> dict[str, bool]:
    regular = own.values[own.of_kinds(["regular"])]
    degraded = own.values[own.of_kinds(["degraded"])]
    reference = own.values[own.of_kinds(["reference"])]
    recorded = own.seconds[~np.isnan(own.seconds)]
    has_failed = control_state(control) == "failed"
    return {
        "excluded": name in evidence.excluded,
        "no_z": not has_z,
        "few_judgments": len(own) < FEW_JUDGMENTS,
        "controls_failed": has_failed or (control.is_sufficient and not control.is_passed),
        "controls_insufficient": degraded.size > 0 and not control.is_sufficient and not has_failed,
        "degraded_not_lower": bool(degraded.size and regular.size and degraded.mean() >= regular.mean()),
        "above_reference": bool(reference.size and regular.size and regular.mean() >= reference.mean()),
        "low_reference": bool(
            reference.size and _share_of_scale(own, float(reference.mean())) < LOWEST_REFERENCE_SHARE
        ),
        "fast": bool(recorded.size and recorded.mean() < FASTEST_SECONDS),
    }


def _share_of_scale(table: ScoreTable, mean: float) -> float:
    """How far up a scale with two ends the mean lies, the best end being 1; NaN on a scale without ends."""
    worst, best = (table.low, table.high) if table.higher_is_better else (table.high, table.low)
    extent = best - worst
    return (table.natural(mean) - worst) / extent if math.isfinite(extent) else math.nan


def _median_time(own: ScoreTable) -> float:
    """Of first answers in whole seconds, each judgment once: the overview's number, which the database counts."""
    _, places = np.unique(own.judgment, return_index=True)
    seconds = own.first_seconds[places]
    recorded = seconds[~np.isnan(seconds)]
    return float(np.median(np.floor(recorded + 0.5))) if recorded.size else math.nan


def _longest_run(values: FloatArray) -> int:
    if not values.size:
        return 0
    starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1], [True]]))
    return int(np.diff(starts).max())


def _compared(evidence: Evidence, table: ScoreTable, each: Mapping[str, ScoreTable]) -> Compared:
    """Of regular judgments; preferences are compared pair by pair."""
    regular = table.where(table.of_kinds(["regular"]))
    ratings = label_ratings(regular) if table.is_relative else ratings_of(regular)
    counted = np.array([name in evidence.included for name in ratings.names], dtype=np.bool_)
    with_others = agreement_with_others(ratings.matrix, counted=counted)
    of_names = [ratings.values[ratings.annotator == code] for code in range(len(ratings.names))]
    uniform = [_uniform_share(values, is_relative=table.is_relative) for values in of_names]
    return Compared(
        with_others=dict(zip(ratings.names, with_others, strict=True)),
        uniform=dict(zip(ratings.names, uniform, strict=True)),
        answers=dict(zip(ratings.names, map(len, of_names), strict=True)),
        runs={name: _longest_run(own.values) for name, own in each.items()},
        paces={name: _median_time(own) if len(own) >= FEW_JUDGMENTS else math.nan for name, own in each.items()},
    )


def _uniform_share(values: FloatArray, *, is_relative: bool) -> float:
    if is_relative:
        return float(np.mean(values == TIE))
    _, counts = np.unique(values, return_counts=True)
    return float(counts.max() / counts.sum())
