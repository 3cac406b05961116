"""Two campaigns on one test set side by side: scores of systems, their order, and how far the judgments agree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from metrics.analyses.judged_outputs import JudgedOutputs, ScoredBy
from metrics.analyses.metric_levels import COEFFICIENTS
from metrics.analyses.ranked_systems import PairTest, RankedSystem
from metrics.analyses.ranking import RankedMeasures
from metrics.analyses.segment_scores import ScoredSegments, scored_in_squares
from metrics.matrices import turned
from metrics.results.values import Ends, Missing, Number, listed, number
from metrics.statistics.arrays import FloatArray
from metrics.statistics.correlation.coefficients import coefficients_of_rows, kendall, pearson
from metrics.statistics.correlation.pairwise import pairwise_accuracy

SYSTEM, OUTPUT, SEGMENT = "system", "output", "segment"


@dataclass(frozen=True)
class ComparedCampaign:
    """One of the two. `systems_by` is what its results order systems by, None without; `outputs_by` that of outputs.

    `run` has the results, `is_stale` says that judgments came since. `missing` is None, or why systems are not
    compared: `no_run` or `too_early`.
    """

    campaign: str
    name: str
    protocol: str
    systems_by: ScoredBy | None
    outputs_by: ScoredBy | None
    annotators: int
    run: int | None
    signature: str
    is_stale: bool
    missing: str | None


@dataclass(frozen=True)
class StandingOfSystem:
    """A system in one campaign: `value` is what orders it, in the campaign's own unit.

    `place` counts the systems that both campaigns have, `rank` is (first, last) of all, `cluster` the one it is in.
    """

    value: Number
    interval: Ends
    place: int | Missing
    rank: tuple[int, int]
    cluster: int
    segments: int


@dataclass(frozen=True)
class ComparedSystem:
    """In the order of the first campaign; None where the campaign does not have it."""

    system: str
    is_human: bool
    first: StandingOfSystem | None
    second: StandingOfSystem | None

    @property
    def standings(self) -> tuple[StandingOfSystem, StandingOfSystem] | None:
        return (self.first, self.second) if self.first and self.second else None


@dataclass(frozen=True)
class PairInBoth:
    """Two systems and their tests: `better` has the higher place in the first campaign.

    p are corrected as in the results; `is_significant_…` says that the two differ significantly there.
    """

    better: str
    other: str
    is_changed: bool
    p_first: Number
    is_significant_first: bool
    p_second: Number
    is_significant_second: bool

    @property
    def contradicts(self) -> bool:
        return self.is_changed and self.is_significant_first and self.is_significant_second


@dataclass(frozen=True)
class AgreementOfCampaigns:
    """At one `level`: over systems, over all outputs, or the mean over segments of the coefficients within each."""

    level: str
    pearson: Number
    kendall_b: Number
    pairwise_accuracy: Number
    systems: int
    segments: int
    outputs: int


@dataclass(frozen=True)
class SharedAnnotators:
    """`share`: those who judged in both, of all who judged in either."""

    both: int
    either: int
    share: Number


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Higher is better in all coefficients, whatever the measures. `outputs` are those that both campaigns judged."""

    first: ComparedCampaign
    second: ComparedCampaign
    systems: tuple[ComparedSystem, ...] = listed(empty="no_results")
    pairs: tuple[PairInBoth, ...] = listed(empty="too_few_systems")
    agreement: tuple[AgreementOfCampaigns, ...]
    annotators: SharedAnnotators
    outputs: ScoredSegments | None = None

    @property
    def shared(self) -> list[ComparedSystem]:
        return [system for system in self.systems if system.standings]

    @property
    def changed(self) -> list[PairInBoth]:
        return [pair for pair in self.pairs if pair.is_changed]

    @property
    def contradictions(self) -> list[PairInBoth]:
        return [pair for pair in self.pairs if pair.contradicts]


@dataclass(frozen=True)
class Side:
    """What is known of one campaign; `ranked` is None where `about.missing` says why.

    `needs_results`: its judgments are too many to be read for a page, and no results have its outputs.
    """

    about: ComparedCampaign
    ranked: RankedMeasures | None
    outputs: JudgedOutputs | None
    needs_results: bool = False

    @cached_property
    def systems(self) -> dict[str, RankedSystem]:
        return {one.system: one for one in self.ranked.compared} if self.ranked else {}

    @property
    def is_by_z(self) -> bool:
        return bool(self.about.systems_by and self.about.systems_by.by == "z")

    def value(self, one: RankedSystem) -> Number:
        return one.z_mean if self.is_by_z else one.mean

    def worth(self, names: Sequence[str]) -> FloatArray:
        """Higher is better; NaN for a value that does not exist."""
        values = [self.value(self.systems[name]) for name in names]
        numbers = np.array([np.nan if isinstance(value, Missing) else value for value in values], dtype=np.float64)
        return turned(numbers, higher_is_better=self.about.systems_by is None or self.about.systems_by.higher_is_better)

    def places(self, names: Sequence[str]) -> dict[str, int]:
        """In the order of the results, from 1."""
        return {name: place for place, name in enumerate((name for name in self.systems if name in set(names)), 1)}

    def standing(self, name: str, places: Mapping[str, int]) -> StandingOfSystem | None:
        one = self.systems.get(name)
        if one is None:
            return None
        return StandingOfSystem(
            value=self.value(one),
            interval=one.z_interval if self.is_by_z else one.interval,
            place=places.get(name, Missing("not_in_both")),
            rank=one.rank,
            cluster=one.cluster,
            segments=one.segments,
        )

    def tests(self) -> dict[frozenset[str], PairTest]:
        if self.ranked is None:
            return {}
        measure = self.ranked.main_measure
        own = (test for test in self.ranked.tests if test.measure == measure)
        return {frozenset((test.first, test.second)): test for test in own}


def compared(first: Side, second: Side, humans: frozenset[str] = frozenset()) -> Comparison:
    """Systems are compared where both campaigns have results; outputs and annotators in any case."""
    has_both = first.ranked is not None and second.ranked is not None
    shared = [name for name in first.systems if name in second.systems] if has_both else []
    places = first.places(shared), second.places(shared)
    names = list(dict.fromkeys((*first.systems, *second.systems))) if has_both else []
    one, other, outputs = _in_both(first.outputs, second.outputs)
    why_none = "no_results" if first.needs_results or second.needs_results else "no_shared_segments"
    return Comparison(
        first=first.about,
        second=second.about,
        systems=tuple(
            ComparedSystem(name, name in humans, first.standing(name, places[0]), second.standing(name, places[1]))
            for name in names
        ),
        pairs=tuple(_pairs(first, second, shared)),
        agreement=(
            _over_systems(first, second, shared, has_both=has_both),
            _over_outputs(one, other, why_none),
            _within_segments(one, other, why_none),
        ),
        annotators=_annotators(first.outputs, second.outputs),
        outputs=outputs,
    )


def _pairs(first: Side, second: Side, names: Sequence[str]) -> list[PairInBoth]:
    in_first, in_second = first.tests(), second.tests()
    worth = dict(zip(names, second.worth(names).tolist(), strict=True))
    before = dict(zip(names, first.worth(names).tolist(), strict=True))
    pairs = []
    for better, other in combinations(names, 2):
        one, two = in_first.get(frozenset((better, other))), in_second.get(frozenset((better, other)))
        pairs.append(
            PairInBoth(
                better,
                other,
                is_changed=(before[better] - before[other]) * (worth[better] - worth[other]) < 0,
                p_first=one.p_corrected if one else Missing("no_shared_segments"),
                is_significant_first=bool(one and one.is_win),
                p_second=two.p_corrected if two else Missing("no_shared_segments"),
                is_significant_second=bool(two and two.is_win),
            )
        )
    return pairs


def _over_systems(first: Side, second: Side, names: Sequence[str], *, has_both: bool) -> AgreementOfCampaigns:
    one, other = first.worth(names), second.worth(names)
    r, tau, accuracy = pearson(one, other), kendall(one, other), pairwise_accuracy(one, other)
    why = "" if has_both else "no_results"
    return AgreementOfCampaigns(
        SYSTEM,
        number(r.value, why or _too_few_systems(r.reason)),
        number(tau.value, why or _too_few_systems(tau.reason)),
        number(accuracy.value, why or _too_few_systems(accuracy.reason)),
        systems=len(names),
        segments=0,
        outputs=0,
    )


def _too_few_systems(reason: str) -> str:
    return "too_few_systems" if reason == "too_few" else reason


def _in_both(
    first: JudgedOutputs | None, second: JudgedOutputs | None
) -> tuple[FloatArray, FloatArray, ScoredSegments | None]:
    """The values of the systems and units that both have, (n_systems, n_units) each, and the outputs for a picture."""
    if first is None or second is None:
        return np.full((0, 0), np.nan), np.full((0, 0), np.nan), None
    _keys, rows, other_rows = np.intersect1d(first.systems, second.systems, return_indices=True)
    _keys, columns, other_columns = np.intersect1d(first.units, second.units, return_indices=True)
    one, other = first.values[np.ix_(rows, columns)], second.values[np.ix_(other_rows, other_columns)]
    known = ~(np.isnan(one) | np.isnan(other))
    if not known.any():
        return one, other, None
    across = turned(one[known], higher_is_better=first.scored.higher_is_better)
    up = turned(other[known], higher_is_better=second.scored.higher_is_better)
    return one, other, scored_in_squares(first.scored.measure, across, up)


def _over_outputs(one: FloatArray, other: FloatArray, why_none: str) -> AgreementOfCampaigns:
    known = ~(np.isnan(one) | np.isnan(other))
    r, tau = (COEFFICIENTS[name](one[known], other[known]) for name in ("pearson", "kendall_b"))
    why = "" if known.any() else why_none
    return AgreementOfCampaigns(
        OUTPUT,
        number(r.value, why or r.reason),
        number(tau.value, why or tau.reason),
        Missing("not_at_this_level"),
        systems=int(known.any(axis=1).sum()),
        segments=int(known.any(axis=0).sum()),
        outputs=int(known.sum()),
    )


def _within_segments(one: FloatArray, other: FloatArray, why_none: str) -> AgreementOfCampaigns:
    """Of segments with outputs of two systems or more."""
    rows = coefficients_of_rows(one.T, other.T)
    several = rows.cells > 1
    why = rows.reason if several.any() else why_none
    r, tau, accuracy = (number(_mean(values), why) for values in (rows.pearson, rows.kendall_b, rows.accuracy))
    return AgreementOfCampaigns(
        SEGMENT,
        r,
        tau,
        accuracy,
        systems=int((~(np.isnan(one) | np.isnan(other))).any(axis=1).sum()),
        segments=int(several.sum()),
        outputs=int(rows.cells[several].sum()),
    )


def _mean(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else float("nan")


def _annotators(first: JudgedOutputs | None, second: JudgedOutputs | None) -> SharedAnnotators:
    nobody = np.array([], dtype=np.int64)
    one, other = (nobody if side is None else side.annotators for side in (first, second))
    both, either = np.intersect1d(one, other).size, np.union1d(one, other).size
    return SharedAnnotators(both, either, number(both / either if either else float("nan"), "no_judgments"))
