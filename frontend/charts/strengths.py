"""Strengths of ranked systems: expected wins with their intervals, on a scale on which even steps are even odds."""

import math
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from frontend.charts.drawing import Dot, Drawing, Line, Mark, Words
from frontend.charts.figure import Figure, directions
from frontend.interval_chart import Axis, axis_for
from frontend.shown_table import ShownTable
from frontend.templatetags.numbers import decimals, signed
from metrics.analyses.pair_tables import EXPECTED_WINS
from metrics.analyses.ranked_systems import RankedSystem
from metrics.analyses.ranking import RankedMeasures
from metrics.results.tables import Column, Form, Table
from metrics.results.values import Missing, Number

ROW = 30
SURE = 0.98  # who wins more often, or loses, has no odds that could be drawn


def strengths_figure(ranked: RankedMeasures, humans: frozenset[str]) -> Figure | None:
    """None where systems were not ranked by preferences."""
    systems = [one for one in ranked.compared if not isinstance(one.mean, Missing)]
    if ranked.ordered_by.get(ranked.main_measure) != EXPECTED_WINS or not systems:
        return None
    plain = _("Strengths")
    first = systems[0]
    shown = {"name": first.system, "share": decimals(100 * _mean(first), 0)}
    return Figure(
        name="strengths",
        plain=plain,
        title=_("%(name)s wins %(share)s%% of its comparisons") % shown,
        lead=_(
            "Expected wins against the average system, without ties, with 95% intervals; strength is their log-odds. A "
            "dark line parts clusters."
        ),
        drawing=_drawing(systems, humans, plain),
        table=ShownTable(_table(systems, plain)),
    )


def _mean(one: RankedSystem) -> float:
    return 0.0 if isinstance(one.mean, Missing) else one.mean


def _odds(share: float) -> float:
    share = min(max(share, 1 - SURE), SURE)
    return math.log(share / (1 - share))


def _strength(one: RankedSystem) -> Number:
    return _odds(_mean(one)) if 1 - SURE < _mean(one) < SURE else Missing("never_decided")


def _drawing(systems: Sequence[RankedSystem], humans: frozenset[str], plain: str) -> Drawing:
    ends = [end for one in systems if not isinstance(one.interval, Missing) for end in one.interval]
    axis = axis_for([0.0, *(_odds(share) for share in (*ends, *map(_mean, systems)))])
    bottom = ROW * len(systems)
    marks = [*_axis(axis, bottom)]
    for place, one in enumerate(systems):
        marks += _row(one, axis, ROW * place + ROW / 2, is_human=one.system in humans)
        if place + 1 < len(systems) and systems[place + 1].cluster != one.cluster:
            marks.append(Line(0, ROW * (place + 1), 100, ROW * (place + 1), "cutl"))
    marks += directions(_("← ranked lower"), _("ranked higher →"), bottom + 48)
    spoken = ", ".join(f"{one.system} {decimals(100 * _mean(one), 0)}%" for one in systems)
    return Drawing(f"{plain}: {spoken}", bottom + 56, marks)


def _axis(axis: Axis, bottom: float) -> Iterator[Mark]:
    """Strengths, and below them the share of wins that they mean."""
    for value in axis.values:
        at = axis.share(value)
        yield Line(at, 0, at, bottom, "axis zero" if abs(value) < 1e-9 else "grid")
        yield Words(at, bottom + 15, signed(value, axis.decimals), "dim", "middle")
        yield Words(at, bottom + 30, f"{decimals(100 / (1 + math.exp(-value)), 0)}%", "dim", "middle")
    yield Words(0, bottom + 15, _("strength"), "dim", "end", -20)
    yield Words(0, bottom + 30, _("wins"), "dim", "end", -20)


def _row(one: RankedSystem, axis: Axis, y: float, *, is_human: bool) -> Iterator[Mark]:
    yield Words(0, y + 4, one.system, "lab", "end", -10, is_name=True)
    if not isinstance(one.interval, Missing) and 1 - SURE < _mean(one) < SURE:
        low, high = (axis.share(_odds(end)) for end in one.interval)
        yield Line(low, y, high, y, "ci")
        for end in (low, high):
            yield Line(end, y - 4, end, y + 4, "ci")
    if 1 - SURE < _mean(one) < SURE:
        yield Dot(axis.share(_odds(_mean(one))), y, "hum" if is_human else "pt")
    elif _mean(one) < SURE:
        yield Words(0, y + 4, _("wins hardly ever"), "dim", dx=6)
    else:
        yield Words(100, y + 4, _("wins nearly always"), "dim", "end", -6)
    yield Words(100, y + 4, f"{decimals(100 * _mean(one), 0)}%", "lab", dx=10)


def _table(systems: Sequence[RankedSystem], plain: str) -> Table:
    return Table(
        "systems",
        plain,
        columns=(
            Column("system", gettext_lazy("System"), Form.NAME),
            Column("mean", gettext_lazy("Expected wins"), Form.SHARE, 1),
            Column("interval", gettext_lazy("95% interval"), Form.ENDS, 1, of="mean"),
            Column("strength", gettext_lazy("Strength"), Form.SIGNED, 2),
        ),
        rows=tuple((one.system, one.mean, one.interval, _strength(one)) for one in systems),
        part="strengths",
        page=("system", "mean", "interval", "strength"),
        is_sortable=False,
    )
