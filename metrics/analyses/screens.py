"""The analysis `screens`: whether outputs side by side influence each other's scores."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.automatic import METRICS
from metrics.matrices import ScoreTable
from metrics.results.tables import Cell, Column, Form, Table, Text
from metrics.results.values import Ends, Missing, Number, listed, number
from metrics.screen_places import Places
from metrics.statistics.arrays import FloatArray, IntArray, group_means
from metrics.statistics.mixed import mixed_model
from metrics.statistics.screens import ClusteredSlope, PlaceEffects, clustered_slope, place_effects

FEWEST_SCREENS = 20
CORRECTED_BELOW = 0.01
MOST_PAIRS = 5_000
# The term of an output's document would take in what its place on the screen does.
_TERMS = ("annotator", "document", "segment")


@dataclass(frozen=True)
class PlaceEffect:
    """How much higher outputs at this `place` (from 1) are scored than the model expects, in natural units."""

    place: int
    effect: Number
    interval: Ends
    scores: int


@dataclass(frozen=True)
class ScreenSlope:
    slope: Number
    interval: Ends
    p: Number


@dataclass(frozen=True)
class CorrectedSystem:
    """The modelled mean, and the same without the effects of places."""

    system: str
    mean: Number
    corrected: Number


@dataclass(frozen=True, kw_only=True)
class ScreenEffects:
    """Of `screens` with two outputs or more. `dominance` is by point of the neighbours' mean, `similarity` by chrF.

    `corrected` has systems best first, and none unless `position_p` is below 0.01.
    """

    measure: str
    screens: int
    position: tuple[PlaceEffect, ...] = listed(empty="few_screens")
    position_p: Number
    dominance: ScreenSlope
    similarity: ScreenSlope
    corrected: tuple[CorrectedSystem, ...]


def screens(evidence: Evidence) -> ScreenEffects:
    """By the first measure, where outputs stand side by side and their places are known."""
    table, known = evidence.main_scores, evidence.places
    if table is None or not known:
        return NO_SCREENS
    used = table.where(evidence.of_systems(table) & ~np.isnan(table.values))
    place = _places(used, known)
    used, place = used.where(place > 0), place[place > 0]
    shown = _n_systems(used)
    used, place = used.where(shown > 1), place[shown > 1]
    n_screens = int(np.unique(used.screen).size)
    if n_screens < FEWEST_SCREENS:
        return _nothing(used.measure, n_screens, "few_screens")
    model = mixed_model(
        used.values, used.system, annotators=used.annotator, documents=used.document, segments=used.unit, terms=_TERMS
    )
    if model.reason:
        return _nothing(used.measure, n_screens, model.reason)
    means = np.full(len(used.systems), np.nan)
    means[np.array(model.systems, dtype=np.int64)] = model.means
    effects = place_effects(
        model.residuals, place, used.screen, used.system, documents=used.document, rng=evidence.recipe.rng,
        confidence=evidence.recipe.interval_level,
    )  # fmt: skip
    dominance = clustered_slope(
        _beyond_systems(used), _neighbours(used, means), documents=used.document,
        confidence=evidence.recipe.interval_level,
    )  # fmt: skip
    sign = 1 if used.higher_is_better else -1
    return ScreenEffects(
        measure=used.measure,
        screens=n_screens,
        position=_position(effects, place, sign),
        position_p=number(effects.p),
        dominance=_slope(dominance, 1),
        similarity=_slope(_similarity(evidence, used), 1),
        corrected=_corrected(used, place, means, effects) if effects.p < CORRECTED_BELOW else (),
    )


def _nothing(measure: str, n_screens: int, reason: str) -> ScreenEffects:
    why = Missing(reason)
    slope = ScreenSlope(why, why, why)
    return ScreenEffects(
        measure=measure, screens=n_screens, position=(), position_p=why, dominance=slope, similarity=slope,
        corrected=(),
    )  # fmt: skip


NO_SCREENS = _nothing("", 0, "no_places")


def _places(table: ScoreTable, known: Places) -> IntArray:
    """Of each row, 0 where it is not known."""
    names = [table.systems[code] for code in table.system.tolist()]
    found = (known.get((judgment, name)) for judgment, name in zip(table.judgment.tolist(), names, strict=True))
    return np.array([0 if one is None else one.place for one in found], dtype=np.int64)


def _n_systems(table: ScoreTable) -> IntArray:
    """How many systems each row's screen has."""
    stands = np.unique(np.stack([table.screen, table.system], axis=1), axis=0)
    of_screens = np.bincount(stands[:, 0], minlength=int(table.screen.max(initial=-1)) + 1)
    return of_screens[table.screen]


def _beyond_systems(table: ScoreTable) -> FloatArray:
    """What system and annotator leave of each score: what a whole screen shares is of its document, too."""
    return mixed_model(table.values, table.system, annotators=table.annotator, terms=("annotator",)).residuals


def _neighbours(table: ScoreTable, means: FloatArray) -> FloatArray:
    """The mean of the other systems' means on each row's screen, less the system's own mean of that.

    A strong system has weaker neighbours wherever it stands: that is not what is asked.
    """
    stands = np.unique(np.stack([table.screen, table.system], axis=1), axis=0)
    n_screens = int(table.screen.max()) + 1
    total = np.bincount(stands[:, 0], weights=means[stands[:, 1]], minlength=n_screens)
    count = np.bincount(stands[:, 0], minlength=n_screens)
    beside = (total[table.screen] - means[table.system]) / (count[table.screen] - 1)
    usual = group_means(beside, table.system, len(table.systems))
    return np.round(beside - usual[table.system], 9)


def _similarity(evidence: Evidence, table: ScoreTable) -> ClusteredSlope:
    """Of every two outputs of a segment on one screen; of many pairs some are drawn."""
    order = np.lexsort((table.unit, table.screen))
    keys = table.screen[order] * (int(table.unit.max()) + 1) + table.unit[order]
    groups = np.split(order, np.flatnonzero(np.diff(keys)) + 1)
    pairs = np.array([pair for group in groups for pair in combinations(group.tolist(), 2)], dtype=np.int64)
    pairs = pairs.reshape(-1, 2)
    if len(pairs) > MOST_PAIRS:
        pairs = pairs[np.sort(evidence.recipe.rng.choice(len(pairs), size=MOST_PAIRS, replace=False))]
    texts = [_text(evidence, table, row) for row in pairs.ravel().tolist()]
    firsts, seconds = texts[::2], texts[1::2]
    has_both = np.array([bool(one and other) for one, other in zip(firsts, seconds, strict=True)], dtype=np.bool_)
    metric, alike = METRICS["chrf"](), np.full(len(pairs), np.nan)
    if has_both.any():
        one, other = ([each[place] for place in np.flatnonzero(has_both)] for each in (firsts, seconds))
        both = [metric.values(metric.statistics(*sides)) for sides in ((one, other), (other, one))]
        alike[has_both] = np.mean(both, axis=0)
    apart = np.abs(table.values[pairs[:, 0]] - table.values[pairs[:, 1]])
    return clustered_slope(
        apart, alike, documents=table.document[pairs[:, 0]], confidence=evidence.recipe.interval_level
    )


def _text(evidence: Evidence, table: ScoreTable, row: int) -> str:
    segment = int(table.segment[row])
    if segment < 0 or not table.segment_ids:
        return ""
    return evidence.texts.get((table.segment_ids[segment], table.systems[int(table.system[row])]), "")


def _position(effects: PlaceEffects, place: IntArray, sign: int) -> tuple[PlaceEffect, ...]:
    ends = np.sort(np.stack([sign * effects.low, sign * effects.high]), axis=0)
    return tuple(
        PlaceEffect(
            place=one,
            effect=number(sign * float(effects.effects[at]) + 0.0),
            interval=_ends(float(ends[0, at]), float(ends[1, at]), "few_documents"),
            scores=int(np.count_nonzero(place == one)),
        )
        for at, one in enumerate(effects.places)
    )


def _slope(made: ClusteredSlope, sign: int) -> ScreenSlope:
    return ScreenSlope(
        slope=number(sign * made.slope, made.reason),
        interval=_ends(made.low, made.high, made.reason),
        p=number(made.p, made.reason),
    )


def _ends(low: float, high: float, reason: str) -> Ends:
    return (low + 0.0, high + 0.0) if np.isfinite([low, high]).all() else Missing(reason)


def _corrected(
    table: ScoreTable, place: IntArray, means: FloatArray, effects: PlaceEffects
) -> tuple[CorrectedSystem, ...]:
    of_places = dict(zip(effects.places, effects.effects.tolist(), strict=True))
    without = table.values - np.array([of_places[each] for each in place.tolist()])
    again = mixed_model(
        without, table.system, annotators=table.annotator, documents=table.document, segments=table.unit, terms=_TERMS
    )
    corrected = dict(zip((int(code) for code in again.systems), again.means.tolist(), strict=True))
    order = sorted(corrected, key=lambda code: -means[code])
    return tuple(
        CorrectedSystem(
            table.systems[code],
            number(table.natural(float(means[code]))),
            number(table.natural(corrected[code])),
        )
        for code in order
    )


def screens_table(result: ScreenEffects, title: Callable[[str], Text] = str) -> Table:
    """Places, then what neighbours and likeness do; corrected means where places matter."""
    rows: list[tuple[Cell, ...]] = [
        ("place", str(one.place), _("Place %(place)d") % {"place": one.place}, one.effect, one.interval,
         result.position_p, one.scores)
        for one in result.position
    ]  # fmt: skip
    slopes = (
        ("dominance", _("For each point that the neighbours are better"), result.dominance),
        ("similarity", _("Distance of two scores, for each point of chrF"), result.similarity),
    )
    rows += [(kind, "", words, one.slope, one.interval, one.p, None) for kind, words, one in slopes if result.position]
    for one in result.corrected:
        for kind, words, value in (
            ("mean", _("%(system)s, mean"), one.mean),
            ("corrected", _("%(system)s, without effects of places"), one.corrected),
        ):
            rows.append((kind, one.system, words % {"system": one.system}, value, None, None, None))
    columns = (
        Column("kind", "", Form.TEXT),
        Column("name", "", Form.TEXT),
        Column("title", gettext_lazy("On one screen"), Form.NAME, is_in_files=False),
        Column("effect", gettext_lazy("Effect"), decimals=2),
        Column("interval", gettext_lazy("95% interval"), Form.ENDS, keys=("low", "high"), of="effect"),
        Column("p", "p", Form.P),
        Column("scores", gettext_lazy("Scores"), Form.COUNT),
    )
    lead = _("%(measure)s beyond what system, annotator and text explain, on %(screens)d screens.")
    return Table(
        "screens",
        _("Influence of outputs side by side"),
        columns,
        tuple(rows),
        part="screens",
        page=("title", "effect", "ends:interval", "p", "scores"),
        terminal=("kind", "name", "effect", "interval", "p", "scores"),
        is_sortable=False,
        lead=lead % {"measure": title(result.measure), "screens": result.screens},
        notes=(finding_of(result),) if result.position else (),
    )


def finding_of(result: ScreenEffects) -> str:
    """Whether places matter, in a sentence."""
    if isinstance(result.position_p, Missing) or result.position_p >= CORRECTED_BELOW:
        return _("No clear effect of places: the ranking is not corrected for them.")
    return _("Places matter (p below 0.01): means are shown with and without their effects.")
