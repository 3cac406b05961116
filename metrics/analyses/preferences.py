"""Which output was preferred on a screen, and the models of strength computed from these preferences."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from metrics.analyses.shared_ratings import Ratings, SharedPairs, few_shared, pair_agreements, value_and_ends
from metrics.matrices import ScoreTable
from metrics.recipes import Recipe
from metrics.results.values import UNKNOWN, Ends, Number, names_reason, number, numbers
from metrics.statistics.agreement.pairs import annotator_pairs
from metrics.statistics.agreement.preferences import preference_kappa
from metrics.statistics.arrays import FloatArray, IntArray, joint_codes, last_of_each
from metrics.statistics.resampling import FEWEST_RESAMPLES
from metrics.statistics.strengths import (
    OrderStrengths,
    Strengths,
    bradley_terry,
    davidson,
    plackett_luce,
    rao_kupper,
)
from metrics.statistics.trueskill import trueskill_draws
from metrics.statistics.wins import clusters_from_ranges, expected_wins, expected_wins_draws, rank_ranges

# TrueSkill's beta grows with the comparisons, so that the scores of a run do not; longer runs only take longer.
LONGEST_RUN = 10_000


@dataclass(frozen=True)
class Models:
    """Each model's number for each compared system; missing where the model has none."""

    expected_wins: Mapping[str, Number]
    bradley_terry: Mapping[str, Number]
    davidson: Mapping[str, Number]
    rao_kupper: Mapping[str, Number]
    trueskill: Mapping[str, Number]
    plackett_luce: Mapping[str, Number] | None = None


@dataclass(frozen=True, kw_only=True)
class Fit:
    """How a model fits: its likelihood, its `tie` parameter (nu, t), the `prior` that makes it finite."""

    prior: float
    log_likelihood: Number = names_reason()
    tie: Number | None = None


@dataclass(frozen=True, kw_only=True)
class OrderFit:
    """How many `screens` have an order without ties, how many are left out as `tied`, and the model's likelihood."""

    screens: int
    tied: int
    log_likelihood: Number = names_reason()


@dataclass(frozen=True)
class Runs:
    """The ranks of each system over the runs of TrueSkill, and the resulting clusters."""

    ranks: Mapping[str, tuple[int, int]]
    clusters: Mapping[str, int]


@dataclass(frozen=True)
class ModelFits:
    """How many pairs there were and how many of them ties, and what each model says besides.

    Plackett-Luce is missing from results that were made before it was computed.
    """

    pairs: int
    ties: int
    bradley_terry: Fit | None = None
    davidson: Fit | None = None
    rao_kupper: Fit | None = None
    trueskill: Runs | None = None
    plackett_luce: OrderFit | None = None


@dataclass(frozen=True)
class Preferences:
    """Pairs of rows of one screen, rows of a table; `outcome` is 1 where the first was better, 0 for a tie."""

    table: ScoreTable
    first: IntArray
    second: IntArray
    outcome: IntArray

    @property
    def systems(self) -> tuple[IntArray, IntArray]:
        return self.table.system[self.first], self.table.system[self.second]

    @property
    def unit(self) -> IntArray:
        return self.table.unit[self.first]

    def counts(self, n_systems: int) -> tuple[FloatArray, FloatArray]:
        """Wins, row over column, and ties."""
        one, other = self.systems
        wins, ties = np.zeros((n_systems, n_systems)), np.zeros((n_systems, n_systems))
        np.add.at(wins, (one[self.outcome > 0], other[self.outcome > 0]), 1.0)
        np.add.at(wins, (other[self.outcome < 0], one[self.outcome < 0]), 1.0)
        tied = self.outcome == 0
        np.add.at(ties, (np.concatenate([one[tied], other[tied]]), np.concatenate([other[tied], one[tied]])), 1.0)
        return wins, ties


def preferences_of(table: ScoreTable) -> Preferences:
    """All pairs of rows of one judgment with different texts."""
    first, second = pairs_on_screens(table.judgment, table.shown)
    outcome = np.sign(table.values[first] - table.values[second]).astype(np.int64)
    return Preferences(table, first, second, outcome)


def pairs_on_screens(judgment: IntArray, shown: IntArray) -> tuple[IntArray, IntArray]:
    """Of rows of screens, every two that were compared, each pair once: different texts on one screen.

    `shown` numbers the texts, as `ScoreTable.shown` does. Systems that wrote the same were one text there.
    """
    order = np.argsort(judgment, kind="stable")
    judgment = judgment[order]
    firsts, seconds = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    lag = 1
    while lag < judgment.size and (together := judgment[lag:] == judgment[:-lag]).any():
        places = np.flatnonzero(together)
        firsts.append(order[places])
        seconds.append(order[places + lag])
        lag += 1
    first, second = np.concatenate(firsts), np.concatenate(seconds)
    compared = shown[first] != shown[second]
    first, second = first[compared], second[compared]
    in_order = np.lexsort([second, first])
    return first[in_order], second[in_order]


def units_of_one_text(table: ScoreTable) -> dict[frozenset[str], IntArray]:
    """By the names of two systems, the units on which they were one text on every screen."""
    same = pairs_on_screens(table.shown, np.arange(len(table)))
    places: dict[frozenset[str], set[int]] = {}
    for one, other, unit in zip(*(table.system[side].tolist() for side in same), table.unit[same[0]], strict=True):
        places.setdefault(frozenset((table.systems[one], table.systems[other])), set()).add(int(unit))
    return {names: np.array(sorted(units), dtype=np.int64) for names, units in places.items()}


def win_draws(preferences: Preferences, n_systems: int, recipe: Recipe) -> FloatArray:
    """Expected wins of resamples over segments: (resamples, n_systems)."""
    return expected_wins_draws(
        *preferences.systems,
        preferences.outcome,
        preferences.unit,
        n_systems=n_systems,
        resamples=recipe.interval_resamples,
        rng=recipe.rng,
    )


def models(preferences: Preferences, recipe: Recipe) -> tuple[Models, ModelFits]:
    """Every model of the same comparisons."""
    codes = np.unique(np.concatenate(preferences.systems))
    names = [preferences.table.systems[code] for code in codes]
    wins, ties = (counts[np.ix_(codes, codes)] for counts in preferences.counts(len(preferences.table.systems)))
    skills = _skills(preferences, codes, recipe)
    of_wins, with_ties, with_threshold = bradley_terry(wins), davidson(wins, ties), rao_kupper(wins, ties)
    of_orders = _of_orders(preferences.table, codes)

    def by_name(values: FloatArray, reason: str = "never_decided") -> dict[str, Number]:
        return {name: number(value, reason) for name, value in zip(names, values.tolist(), strict=True)}

    return Models(
        expected_wins=by_name(expected_wins(wins)),
        bradley_terry=by_name(of_wins.values),
        davidson=by_name(with_ties.values),
        rao_kupper=by_name(with_threshold.values),
        trueskill=by_name(skills.mean(axis=0)),
        plackett_luce=by_name(of_orders.values, of_orders.reason),
    ), ModelFits(
        pairs=int(preferences.outcome.size),
        ties=int(np.count_nonzero(preferences.outcome == 0)),
        bradley_terry=_fit(of_wins, has_tie=False),
        davidson=_fit(with_ties, has_tie=True),
        rao_kupper=_fit(with_threshold, has_tie=True),
        trueskill=_runs(skills, names, recipe),
        plackett_luce=OrderFit(
            screens=of_orders.screens,
            tied=of_orders.tied,
            log_likelihood=number(of_orders.log_likelihood, of_orders.reason or UNKNOWN),
        ),
    )


def _of_orders(table: ScoreTable, codes: IntArray) -> OrderStrengths:
    """Systems that wrote the same have one rank on a screen, which then counts as one with ties."""
    compared = np.isin(table.system, codes)
    systems = np.searchsorted(codes, table.system[compared])
    return plackett_luce(systems, table.judgment[compared], -table.values[compared], n_systems=codes.size)


def _skills(preferences: Preferences, codes: IntArray, recipe: Recipe) -> FloatArray:
    first, second = (np.searchsorted(codes, side) for side in preferences.systems)
    return trueskill_draws(
        first,
        second,
        preferences.outcome,
        preferences.unit,
        n_systems=codes.size,
        resamples=recipe.interval_resamples,
        comparisons=min(LONGEST_RUN, preferences.outcome.size) or None,
        rng=recipe.rng,
    )


def _fit(strengths: Strengths, *, has_tie: bool) -> Fit:
    return Fit(
        prior=strengths.prior,
        log_likelihood=number(strengths.log_likelihood, strengths.reason or UNKNOWN),
        tie=number(strengths.tie, strengths.reason or "only_ties") if has_tie else None,
    )


def _runs(skills: FloatArray, names: list[str], recipe: Recipe) -> Runs:
    order = np.argsort(-skills.mean(axis=0), kind="stable")
    enough = skills if len(skills) >= FEWEST_RESAMPLES else skills[:0]
    ranges = rank_ranges(enough, level=recipe.interval_level)
    clusters = clusters_from_ranges(ranges[order])
    return Runs(
        ranks={name: (int(first), int(last)) for name, (first, last) in zip(names, ranges, strict=True)},
        clusters={names[place]: int(cluster) for place, cluster in zip(order, clusters, strict=True)},
    )


@dataclass(frozen=True)
class PairLabels:
    """Of each pair of outputs of one screen, always in the same order: the preference of `judge[i]`, -1, 0 or 1."""

    unit: IntArray
    pair: IntArray
    judge: IntArray
    label: IntArray


@dataclass(frozen=True, kw_only=True)
class PreferenceKappa:
    """`agreed` of `comparable` pairs of labels, `ties` among the `total` of labels."""

    agreed: int
    comparable: int
    ties: int
    total: int
    observed: Number
    expected: Number
    kappa: Number = names_reason()
    interval: Ends


@dataclass(frozen=True, kw_only=True)
class AgreedPreferences(SharedPairs):
    """Between annotators, within annotators (repeats), and for every two annotators, on regular judgments."""

    inter: PreferenceKappa
    intra: PreferenceKappa
    annotators: int | None = None

    @property
    def modes(self) -> dict[str, PreferenceKappa]:
        return {"inter": self.inter, "intra": self.intra}


def preference_agreement(table: ScoreTable, recipe: Recipe, *, fewest: int) -> AgreedPreferences:
    """Inter and intra, of outputs: an output of several systems is one, and two systems in either order one pair.

    `pairs` are annotators with at least `fewest` comparisons of regular judgments in common, `few_shared` the others.
    """
    labels = labels_of(table)
    ratings = label_ratings(table.where(table.of_kinds(["regular"])))
    matrix, names = ratings.matrix, ratings.names
    pairs = annotator_pairs(matrix, categories=matrix + 1, n_categories=3, fewest=fewest)
    return AgreedPreferences(
        inter=_kappa(labels, recipe, "inter"),
        intra=_kappa(labels, recipe, "intra"),
        annotators=len(names),
        pairs=pair_agreements(pairs, names, has_categories=True),
        few_shared=few_shared(matrix, names, fewest),
    )


def preference_inter(table: ScoreTable, recipe: Recipe) -> PreferenceKappa:
    """Between annotators alone."""
    return _kappa(labels_of(table), recipe, "inter")


def labels_of(table: ScoreTable) -> PairLabels:
    return _pair_labels(preferences_of(replace(table.where(table.is_own), system=_outputs(table))))


def _pair_labels(pairs: Preferences) -> PairLabels:
    one, other = pairs.systems
    names = joint_codes(np.minimum(one, other), np.maximum(one, other))
    labels = np.where(one > other, -pairs.outcome, pairs.outcome)
    return PairLabels(pairs.unit, names, pairs.table.annotator[pairs.first], labels)


def label_ratings(table: ScoreTable) -> Ratings:
    """The last label of each annotator and comparison: two outputs on one segment."""
    labels = labels_of(table)
    judges, judge = np.unique(labels.judge, return_inverse=True)
    _, comparison = np.unique(joint_codes(labels.unit, labels.pair), return_inverse=True)
    rows = last_of_each(judge, comparison)
    names = tuple(table.annotators[code] for code in judges)
    return Ratings(labels.label[rows].astype(np.float64), judge[rows], comparison[rows], names)


def _outputs(table: ScoreTable) -> IntArray:
    """Of each row that is an output's own, a code of the systems that share it: its system, where there is one."""
    own = np.flatnonzero(table.is_own)
    codes = table.system[own]
    ends = np.append(own[1:], len(table))
    shared: dict[tuple[int, ...], int] = {}
    for at in np.flatnonzero(ends - own > 1):
        systems = tuple(sorted(table.system[own[at] : ends[at]].tolist()))
        codes[at] = len(table.systems) + shared.setdefault(systems, len(shared))
    return codes


def _kappa(labels: PairLabels, recipe: Recipe, mode: Literal["inter", "intra"]) -> PreferenceKappa:
    columns = labels.unit, labels.pair, labels.judge, labels.label
    kappa = preference_kappa(*columns, mode=mode, resamples=recipe.interval_resamples, rng=recipe.rng)
    value, ends = value_and_ends(kappa)
    return PreferenceKappa(
        agreed=kappa.agreed,
        comparable=kappa.comparable,
        ties=kappa.ties,
        total=kappa.total,
        **numbers(kappa, "observed", "expected"),
        kappa=value,
        interval=ends,
    )


def implied_preferences(table: ScoreTable, recipe: Recipe) -> PreferenceKappa:
    """Of two systems' outputs that one annotator judged on a segment the one with less penalty is preferred."""
    own = table.where(table.of_kinds(["regular"]) & table.is_own)
    last = own.where(last_of_each(own.annotator, own.unit, own.system))
    pairs = preferences_of(replace(last, judgment=joint_codes(last.annotator, last.unit)))
    return _kappa(_pair_labels(pairs), recipe, "inter")
