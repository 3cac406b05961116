"""What each recipe says of simulated campaigns, counted: false differences, and intervals that miss the truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.pair_tests import PairTests, compare_pairs
from metrics.analyses.placebo import rules_for
from metrics.analyses.system_values import SystemValues, system_values
from metrics.calibration.worlds import DOMAINS, WORLDS, Simulated, simulated_campaign
from metrics.matrices import KINDS, ScoreTable
from metrics.recipes import RECIPES, Recipe
from metrics.statistics.arrays import BoolArray, FloatArray, IntArray
from metrics.statistics.bootstrap import bootstrap_interval
from metrics.statistics.calibration import wilson_interval
from metrics.statistics.mixed import contrasts, critical_t, mixed_model
from metrics.statistics.resampling import Interval
from metrics.statistics.significance import holm
from metrics.statistics.wins import clusters_from_ranges, rank_ranges_by_neighbours

PERMUTATIONS, DRAWS, LEVEL = 1_000, 500, 0.95
RATE, CAMPAIGN_RATE = "rate", "campaign_rate"
COVERAGES = ("mean", "mean_any_annotators", "difference")
FIGURES = (RATE, CAMPAIGN_RATE, *COVERAGES)
INCOMPLETE = "incomplete"
RECIPE_NAMES = (*(name for name in rules_for(RECIPES["assay"]) if name != INCOMPLETE), INCOMPLETE)
DECIDING = ("assay-z", "assay-raw", INCOMPLETE)


@dataclass(frozen=True)
class Counts:
    """Of `campaigns` by figure: the sums of each campaign's share, and of its squares."""

    campaigns: int
    sums: Mapping[str, float]
    squares: Mapping[str, float]

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.campaigns + other.campaigns,
            {name: self.sums[name] + other.sums[name] for name in FIGURES},
            {name: self.squares[name] + other.squares[name] for name in FIGURES},
        )

    def share(self, figure: str) -> float:
        return self.sums[figure] / self.campaigns if self.campaigns else float("nan")

    def interval(self, figure: str) -> Interval:
        """For Monte-Carlo error: campaigns are independent, the pairs of one are not."""
        if figure == CAMPAIGN_RATE:
            return wilson_interval(round(self.sums[figure]), self.campaigns)
        if self.campaigns < 2:
            return Interval(float("nan"), float("nan"), "too_few_items")
        mean = self.share(figure)
        variance = max(0.0, self.squares[figure] / self.campaigns - mean**2) / (self.campaigns - 1)
        half = 1.96 * float(np.sqrt(variance))
        return Interval(max(0.0, mean - half), min(1.0, mean + half))


NO_COUNTS = Counts(0, dict.fromkeys(FIGURES, 0.0), dict.fromkeys(FIGURES, 0.0))


def calibrated(
    design: str, world: str, recipes: Sequence[str], *, first: int = 0, campaigns: int, seed: int = 12345
) -> dict[str, Counts]:
    """The counts of each recipe over the campaigns `first`, `first + 1` …, each simulated from a seed of its own."""
    counts = dict.fromkeys(recipes, NO_COUNTS)
    for number in range(first, first + campaigns):
        rng = np.random.default_rng([seed, number, *design.encode(), *world.encode()])
        campaign = simulated_campaign(design, WORLDS[world], rng)
        for recipe, shares in _shares(campaign, recipes, seed + number).items():
            squares = {name: share**2 for name, share in shares.items()}
            counts[recipe] += Counts(1, shares, squares)
    return counts


def _shares(campaign: Simulated, names: Sequence[str], seed: int) -> dict[str, dict[str, float]]:
    """Of one campaign: what part of its pairs differ, whether any does, what part of its intervals has the truth."""
    table = as_table(campaign)
    rules = rules_for(replace(RECIPES["assay"], seed=seed))
    coverage = None
    shares = {}
    for name in names:
        if name == INCOMPLETE:
            shares[name] = _of_model(campaign)
            continue
        recipe = rules[name]
        if recipe.draws_documents:
            recipe = replace(recipe, resamples=PERMUTATIONS)
        evidence = Evidence(tables=(table,), recipe=recipe)
        values = system_values(evidence, table, each_score=recipe.units == "score").in_rank_order()
        tests = compare_pairs(values.ordering, values.ordering_means, values.units, recipe)
        called, wins = _called(tests, recipe)
        if coverage is None or recipe.lowest_fit is not None:
            coverage = _coverage(values, campaign, seed)
        shares[name] = {RATE: float(called), CAMPAIGN_RATE: float(wins), **coverage}
    return shares


def _of_model(campaign: Simulated) -> dict[str, float]:
    """By the mixed model, with t of its degrees of freedom: what the recipe `incomplete` decides by."""
    alpha = 1 - LEVEL
    model = mixed_model(
        campaign.values,
        campaign.system,
        annotators=campaign.annotator,
        documents=campaign.document,
        segments=campaign.segment,
    )
    df = model.degrees_of_freedom
    pairs = contrasts(model.means, model.covariance, df=df, confidence=LEVEL)
    reach = critical_t(df, 1 - alpha) * np.sqrt(np.diagonal(model.covariance))
    means = [Interval(*ends) for ends in zip(model.means - reach, model.means + reach, strict=True)]
    gaps = [Interval(*ends) for ends in zip(pairs.low, pairs.high, strict=True)]
    return {
        RATE: float(np.mean(pairs.p < alpha)),
        CAMPAIGN_RATE: float((holm(pairs.p) < alpha).any()),
        "mean": _covered(means, campaign.mean_of_these_annotators),
        "mean_any_annotators": _covered(means, 0.0),
        "difference": _covered(gaps, 0.0),
    }


def _called(tests: PairTests, recipe: Recipe) -> tuple[float, bool]:
    """The share of pairs called different before any correction, and whether any is as the recipe decides."""
    if recipe.clusters == "ranges":
        clusters = clusters_from_ranges(rank_ranges_by_neighbours(tests.wins))
        is_apart: BoolArray = clusters[tests.first] != clusters[tests.second]
        return float(is_apart.mean()), bool(is_apart.any())
    if tests.bounds:
        return float(np.mean([bound.is_better for bound in tests.bounds])), bool(tests.wins.any())
    return float(np.mean(tests.p < recipe.alpha)), bool(tests.wins.any())


def _coverage(values: SystemValues, campaign: Simulated, seed: int) -> dict[str, float]:
    """Of the intervals that a ranking shows: of each system's mean, and of the difference of each two."""
    documents, these = values.units.document, campaign.mean_of_these_annotators
    means = [_interval(row, documents, seed) for row in values.raw]
    first, second = np.triu_indices(len(values.names), k=1)
    gaps = [
        _interval(values.raw[one] - values.raw[two], documents, seed) for one, two in zip(first, second, strict=True)
    ]
    return {
        "mean": _covered(means, these),
        "mean_any_annotators": _covered(means, 0.0),
        "difference": _covered(gaps, 0.0),
    }


def _interval(values: FloatArray, documents: IntArray, seed: int) -> Interval:
    return bootstrap_interval(values, groups=documents, resamples=DRAWS, level=LEVEL, rng=np.random.default_rng(seed))


def _covered(intervals: Sequence[Interval], truth: float) -> float:
    return float(np.mean([one.low <= truth <= one.high for one in intervals]))


def as_table(campaign: Simulated) -> ScoreTable:
    """One judgment a score, in the order of documents."""
    n_rows = campaign.values.size
    rows, nothing = np.arange(n_rows), np.full(n_rows, np.nan)
    yes, no = np.ones(n_rows, dtype=np.bool_), np.zeros(n_rows, dtype=np.bool_)
    return ScoreTable(
        measure="score",
        higher_is_better=True,
        low=-np.inf,
        high=np.inf,
        values=campaign.values,
        annotator=campaign.annotator,
        system=campaign.system,
        segment=campaign.segment,
        document=campaign.document,
        domain=campaign.document * DOMAINS // (int(campaign.document.max()) + 1),
        assignment=campaign.annotator,
        judgment=rows,
        screen=rows,
        kind=np.full(n_rows, KINDS.index("regular")),
        seconds=nothing,
        active_seconds=nothing,
        first_seconds=nothing,
        submitted=nothing,
        weight=nothing,
        source_words=nothing,
        surplus=no,
        is_own=yes,
        is_text_known=yes,
        is_by_chance=no,
        is_document_level=no,
        annotators=_names("annotator", campaign.annotator),
        systems=_names("system", campaign.system),
        documents=_names("document", campaign.document),
        domains=_names("domain", np.arange(DOMAINS)),
        segment_ids=tuple(range(int(campaign.segment.max()) + 1)),
    )


def _names(of: str, codes: IntArray) -> tuple[str, ...]:
    return tuple(f"{of}{code:03}" for code in range(int(codes.max()) + 1))
