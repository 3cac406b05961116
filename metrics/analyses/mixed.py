"""The analysis `mixed`: systems, annotators and texts estimated together, for designs that are not complete.

Short scales have a second model, whose points are ordered bands.
"""

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.pair_tests import PairTests
from metrics.analyses.shared_ratings import has_points
from metrics.matrices import ScoreTable
from metrics.recipes import Recipe
from metrics.results.values import Ends, Missing, Number, listed, number
from metrics.statistics.arrays import FloatArray, IntArray
from metrics.statistics.mixed import Contrasts, MixedModel, contrasts, critical_t, mixed_model
from metrics.statistics.ordinal import OrdinalModel, ordinal_model
from metrics.statistics.significance import holm
from metrics.statistics.wins import clusters_from_wins, rank_ranges_from_wins

# Reasons and notes.
NOT_CONNECTED, CONFOUNDED, TERM_DROPPED, IS_ZERO = "not_connected", "confounded", "term_dropped", "is_zero"
POWER = 0.8
_REACH = 1.959963984540054  # of an interval of an annotator's effect, in prediction errors


@dataclass(frozen=True)
class ModelledSystem:
    """`mean` of `scores` as if every annotator had judged the system on every text. `rank` is (first, last), from 1."""

    system: str
    mean: Number
    se: Number
    interval: Ends
    rank: tuple[int, int]
    cluster: int
    scores: int


@dataclass(frozen=True)
class ModelledPair:
    """`difference` of the first mean from the second, `p` by Student's t with `df`, `p_corrected` as recipes do."""

    first: str
    second: str
    difference: Number
    se: Number
    interval: Ends
    df: int
    p: Number
    p_corrected: Number
    is_win: bool


@dataclass(frozen=True)
class Severity:
    """`effect` above 0: gives higher numbers than others do on the same texts and systems."""

    annotator: str
    effect: Number
    interval: Ends
    scores: int


@dataclass(frozen=True)
class MixedMeasure:
    """The model of one measure, in natural units; systems best first, pairs with the better first.

    `levels`, `variances` and `shares` are by term, the last two with `residual`; terms in `dropped` could not be told
    apart from others, those in `singular` explain nothing. Systems of different `components` have no annotator in
    common, directly or through others. Annotators who are `confounded` judged one system only. `reason` says why
    there is no model.
    """

    measure: str
    formula: str
    scores: int
    levels: Mapping[str, int]
    dropped: tuple[str, ...]
    log_likelihood: Number
    singular: tuple[str, ...]
    variances: Mapping[str, float]
    shares: Mapping[str, float]
    systems: tuple[ModelledSystem, ...] = listed(empty="no_judgments")
    tests: tuple[ModelledPair, ...] = listed(empty="too_few_systems")
    annotators: tuple[Severity, ...] = listed(empty=TERM_DROPPED)
    components: tuple[tuple[str, ...], ...] = ()
    confounded: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reason: str | None = field(kw_only=True)


@dataclass(frozen=True)
class OrdinalPair(ModelledPair):
    """How often a mean annotator gives the first a better point than the second on a mean text, or both one point."""

    greater: Number
    equal: Number


@dataclass(frozen=True, kw_only=True)
class OrdinalMeasure(MixedMeasure):
    """Means, differences and effects in logits, the mean of the system `zero` being 0, without an interval. The
    `points` that were given lie between the `thresholds`.
    """

    points: tuple[float, ...]
    thresholds: tuple[float, ...]
    zero: str
    tests: tuple[OrdinalPair, ...] = listed(empty="too_few_systems")


@dataclass(frozen=True)
class Mixed:
    """A model for each measure with scores, and one for each short scale; preferences have none."""

    measures: tuple[MixedMeasure, ...] = listed(empty="not_scores")
    ordinal: tuple[OrdinalMeasure, ...] = ()


def mixed(evidence: Evidence) -> Mixed:
    """Of scores of segments, or of whole documents where there are no others."""
    tables = []
    for table in evidence.tables:
        if table.is_compared and not table.is_relative and len(table):
            of_segments = table.where(~table.is_document_level)
            tables.append(of_segments if len(of_segments) else table)
    return Mixed(
        tuple(_measure(modelled(evidence, table), table) for table in tables),
        tuple(_ordinal(modelled(evidence, table, ordinal_model), table) for table in tables if has_points(table)),
    )


@dataclass(frozen=True)
class Modelled:
    """A model of a table's scores, and its means in rank order; `order` are their places in the model."""

    model: MixedModel | OrdinalModel
    names: tuple[str, ...]
    annotators: tuple[str, ...]
    order: IntArray
    scores: IntArray
    annotator_scores: IntArray
    recipe: Recipe

    @cached_property
    def means(self) -> FloatArray:
        return self.model.means[self.order]

    @cached_property
    def components(self) -> IntArray:
        return self.model.design.components()[self.order]

    @cached_property
    def contrasts(self) -> Contrasts:
        return contrasts(
            self.means,
            self.model.covariance[np.ix_(self.order, self.order)],
            df=self.model.degrees_of_freedom,
            components=self.components,
            confidence=self.recipe.interval_level,
        )

    @cached_property
    def tests(self) -> PairTests:
        """A win needs a corrected p below alpha; the better of two is first."""
        tested, n = self.contrasts, self.order.size
        corrected = holm(tested.p) if self.recipe.correction == "holm" else tested.p
        wins = np.zeros((n, n), dtype=np.bool_)
        wins[tested.first, tested.second] = (corrected < self.recipe.alpha) & (tested.difference > 0)
        return PairTests(tested.first, tested.second, tested.p, corrected, wins)

    @cached_property
    def errors(self) -> FloatArray:
        return np.sqrt(np.diagonal(self.model.covariance))[self.order]

    @cached_property
    def reach(self) -> float:
        """Half an interval of a mean or a difference, in errors."""
        return critical_t(self.model.degrees_of_freedom, self.recipe.interval_level)

    def means_of(self, names: Sequence[str]) -> FloatArray:
        """The means of these systems, in their order."""
        own = dict(zip(self.names, self.means.tolist(), strict=True))
        return np.array([own[name] for name in names], dtype=np.float64)

    @property
    def notes(self) -> tuple[str, ...]:
        """Why a difference could not be tested."""
        return (NOT_CONNECTED,) if np.unique(self.components).size > 1 else ()

    def detectable(self) -> float | None:
        """The difference that half of the pairs would have shown with power 0.8; None where some pair did show one."""
        errors = self.contrasts.se[~np.isnan(self.contrasts.difference)]
        if not errors.size or self.tests.wins.any():
            return None
        alpha = self.recipe.alpha / (errors.size if self.recipe.correction == "holm" else 1)
        df = self.model.degrees_of_freedom
        smallest = float(np.median(errors)) * (critical_t(df, 1 - alpha) + critical_t(df, 2 * POWER - 1))
        return smallest if math.isfinite(smallest) else None

    @property
    def no_p(self) -> str:
        """Why a pair has no test."""
        return self.model.reason or NOT_CONNECTED


_Fitted = Callable[..., MixedModel | OrdinalModel]


def modelled(evidence: Evidence, table: ScoreTable, fitted: _Fitted = mixed_model) -> Modelled:
    """Of the rows of a table that make a system's value; systems of equal means in the order of their names."""
    used = table.where(evidence.of_systems(table))
    model = _fitted_once(evidence, used, fitted)
    codes = np.array(model.systems, dtype=np.int64)
    names = [table.systems[code] for code in codes.tolist()]
    worth = np.where(np.isnan(model.means), -np.inf, model.means)
    order = sorted(range(len(names)), key=lambda place: (-worth[place], names[place]))
    annotators = [table.annotators[int(code)] for code in model.annotators]
    return Modelled(
        model=model,
        names=tuple(names[place] for place in order),
        annotators=tuple(annotators),
        order=np.array(order, dtype=np.int64),
        scores=np.bincount(model.design.system, minlength=len(names))[order],
        annotator_scores=np.bincount(model.design.annotator, minlength=len(annotators)),
        recipe=evidence.recipe,
    )


def _fitted_once(evidence: Evidence, used: ScoreTable, fitted: _Fitted) -> MixedModel | OrdinalModel:
    """The ranking, its pairs and the analysis `mixed` ask for one model, which takes seconds in a large campaign."""
    columns = (used.values, used.system, used.annotator, used.document, used.unit)
    name = f"{fitted.__name__} {evidence.recipe.terms}".encode()
    key = hashlib.blake2b(name + b"".join(column.tobytes() for column in columns)).digest()
    known = evidence.models.get(key)
    if isinstance(known, MixedModel | OrdinalModel):
        return known
    model = fitted(
        used.values,
        used.system,
        annotators=used.annotator,
        documents=used.document,
        segments=used.unit,
        terms=evidence.recipe.terms or None,
    )
    evidence.models[key] = model
    return model


def _measure(result: Modelled, table: ScoreTable) -> MixedMeasure:
    model, design = result.model, result.model.design
    groups = [tuple(np.array(result.names)[result.components == one].tolist()) for one in np.unique(result.components)]
    alone = tuple(sorted(np.array(result.annotators)[design.one_system_only()].tolist()))
    return MixedMeasure(
        measure=table.measure,
        formula=design.formula,
        scores=design.values.size,
        levels=dict(design.levels),
        dropped=design.dropped,
        log_likelihood=number(model.log_likelihood, model.reason),
        singular=model.singular,
        variances=dict(model.variances),
        shares=model.shares,
        systems=tuple(_systems(result, table)),
        tests=tuple(_pairs(result, table)),
        annotators=tuple(_annotators(result, table)),
        components=tuple(groups),
        confounded=alone,
        notes=(*([CONFOUNDED] if alone else []), *result.notes),
        reason=model.reason or None,
    )


def _ordinal(result: Modelled, table: ScoreTable) -> OrdinalMeasure:
    model, base = result.model, _measure(result, table)
    if not isinstance(model, OrdinalModel):
        raise TypeError("points need an ordinal model")
    at = dict(zip(result.names, result.order.tolist(), strict=True))
    greater, equal = model.greater, model.equal
    pairs = (
        OrdinalPair(
            **vars(pair),
            greater=number(float(greater[at[pair.first], at[pair.second]]), model.reason),
            equal=number(float(equal[at[pair.first], at[pair.second]]), model.reason),
        )
        for pair in base.tests
    )
    zero = table.systems[int(model.systems[0])] if model.systems else ""
    return OrdinalMeasure(
        **{
            **vars(base),
            "formula": base.formula.replace("0 + ", ""),
            "tests": tuple(pairs),
            "systems": tuple(
                replace(one, interval=Missing(IS_ZERO)) if one.system == zero and not model.reason else one
                for one in base.systems
            ),
        },
        points=tuple(sorted(table.natural(float(point)) for point in model.points)),
        thresholds=() if model.reason else tuple(sorted(table.natural(float(one)) for one in model.thresholds)),
        zero=zero,
    )


def mean_of(result: Modelled, table: ScoreTable, place: int) -> tuple[Number, Ends]:
    """The mean of the system at a place in the order, in natural units, and its interval."""
    mean = number(table.natural(float(result.means[place])), result.model.reason)
    return mean, around(mean, float(result.errors[place] * result.reach))


def difference_of(result: Modelled, table: ScoreTable, place: int) -> tuple[Number, Ends]:
    """Of the pair at a place in `contrasts`."""
    tested = result.contrasts
    difference = number(table.natural(float(tested.difference[place])), result.no_p)
    return difference, around(difference, float(tested.se[place] * result.reach))


def around(value: Number, reach: float) -> Ends:
    """An interval of this reach; without one where its reach is unknown."""
    if isinstance(value, Missing):
        return value
    return (value - reach, value + reach) if math.isfinite(reach) else Missing("one_document")


def _systems(result: Modelled, table: ScoreTable) -> list[ModelledSystem]:
    ranks, clusters = rank_ranges_from_wins(result.tests.wins).tolist(), clusters_from_wins(result.tests.wins)
    systems = []
    for place, name in enumerate(result.names):
        mean, interval = mean_of(result, table, place)
        systems.append(
            ModelledSystem(
                system=name,
                mean=mean,
                se=number(float(result.errors[place]), result.model.reason),
                interval=interval,
                rank=(ranks[place][0], ranks[place][1]),
                cluster=int(clusters[place]),
                scores=int(result.scores[place]),
            )
        )
    return systems


def _pairs(result: Modelled, table: ScoreTable) -> list[ModelledPair]:
    tests, tested = result.tests, result.contrasts
    pairs = []
    for place, (first, second) in enumerate(zip(tests.first.tolist(), tests.second.tolist(), strict=True)):
        difference, interval = difference_of(result, table, place)
        pairs.append(
            ModelledPair(
                first=result.names[first],
                second=result.names[second],
                difference=difference,
                se=number(float(tested.se[place]), result.no_p),
                interval=interval,
                df=result.model.degrees_of_freedom,
                p=number(float(tests.p[place]), result.no_p),
                p_corrected=number(float(tests.p_corrected[place]), result.no_p),
                is_win=bool(tests.wins[first, second]),
            )
        )
    return pairs


def _annotators(result: Modelled, table: ScoreTable) -> list[Severity]:
    """By name; none where annotators are not a term of the model."""
    model = result.model
    if "annotator" not in model.variances:
        return []
    severities = []
    for place in sorted(range(len(result.annotators)), key=lambda one: result.annotators[one]):
        effect = number(table.natural(float(model.effects[place])), model.reason)
        severities.append(
            Severity(
                annotator=result.annotators[place],
                effect=effect,
                interval=around(effect, float(_REACH * model.prediction_sd[place])),
                scores=int(result.annotator_scores[place]),
            )
        )
    return severities
