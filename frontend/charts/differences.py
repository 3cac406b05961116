"""The forest plot: how far one system is from each of the others, with intervals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.protocols.base import Measure
from frontend.charts.drawing import Dot, Drawing, Line, Mark, Words
from frontend.charts.figure import Figure, axis_marks, directions
from frontend.interval_chart import Axis, axis_for
from frontend.shown_table import ShownTable
from frontend.templatetags.numbers import signed
from metrics.analyses.ranking import RankedMeasures
from metrics.analyses.ranking_tables import BY_MODEL
from metrics.results.tables import Column, Form, Table
from metrics.results.values import Ends, Missing

AGAINST = "against"
ROW = 32


@dataclass(frozen=True)
class Gap:
    """Between the chosen system and another one: `amount` is the chosen one's mean minus the other's.

    `is_by_model`: the mixed model's means, else those of the segments that both have.
    """

    other: str
    amount: float
    ends: Ends
    is_better: bool
    is_worse: bool
    is_human: bool
    is_by_model: bool

    @property
    def is_significant(self) -> bool:
        return self.is_better or self.is_worse

    @property
    def look(self) -> str:
        return "" if self.is_significant else " weak"


def differences_figure(
    ranked: RankedMeasures, measure: Measure | None, humans: frozenset[str], against: str = ""
) -> Figure | None:
    """Of one system against the others: the chosen one, else the best that is not a person. None without any."""
    names = [system.system for system in ranked.compared]
    chosen = against if against in names else next((name for name in names if name not in humans), "")
    gaps = _gaps(ranked, chosen, names, humans)
    if measure is None or not gaps:
        return None
    finding = _finding(chosen, gaps)
    return Figure(
        name="differences",
        plain=_("Differences between systems"),
        title=finding or _("Differences between %(name)s and the other systems") % {"name": chosen},
        lead=_lead(chosen, measure, by_model=any(gap.is_by_model for gap in gaps)),
        drawing=_drawing(chosen, gaps, measure, finding),
        table=ShownTable(_table(chosen, gaps)),
        choice=AGAINST,
        chosen=chosen,
        choices=names,
    )


def _lead(chosen: str, measure: Measure, *, by_model: bool) -> str:
    if by_model:
        return _(
            "%(measure)s: mean of %(name)s minus that of the other system in the mixed model, with 95%% intervals. "
            "Bold: significant."
        ) % {"name": chosen, "measure": measure.title}
    return _(
        "%(measure)s: mean of %(name)s minus that of the other system, on the segments both have, with 95%% "
        "intervals. Bold: significant."
    ) % {"name": chosen, "measure": measure.title}


def _gaps(ranked: RankedMeasures, chosen: str, names: Sequence[str], humans: frozenset[str]) -> list[Gap]:
    """In rank order, without systems that share no segment with the chosen one."""
    gaps = {}
    for test in ranked.tests:
        is_first = test.first == chosen
        if test.measure != ranked.main_measure or chosen not in (test.first, test.second):
            continue
        if not isinstance(test.difference, float | int):
            continue
        ends, other = test.difference_interval or Missing(), test.second if is_first else test.first
        turned = ends if is_first or isinstance(ends, Missing) else (-ends[1] + 0.0, -ends[0] + 0.0)
        amount = test.difference if is_first else -test.difference + 0.0
        gaps[other] = Gap(
            other,
            amount,
            turned,
            is_better=test.is_win and is_first,
            is_worse=test.is_win and not is_first,
            is_human=other in humans,
            is_by_model=BY_MODEL in (test.difference_by, ranked.ordered_by.get(test.measure)),
        )
    return [gaps[name] for name in names if name in gaps]


def _finding(chosen: str, gaps: Sequence[Gap]) -> str:
    """Empty where the tests show nothing."""
    wins, losses = sum(gap.is_better for gap in gaps), sum(gap.is_worse for gap in gaps)
    values = {"name": chosen, "wins": wins, "losses": losses, "count": len(gaps)}
    if wins and losses:
        return (
            ngettext(
                "%(name)s is significantly better than %(wins)d of %(count)d other system and worse than %(losses)d",
                "%(name)s is significantly better than %(wins)d of %(count)d other systems and worse than %(losses)d",
                len(gaps),
            )
            % values
        )
    if wins:
        return (
            ngettext(
                "%(name)s is significantly better than %(wins)d of %(count)d other system",
                "%(name)s is significantly better than %(wins)d of %(count)d other systems",
                len(gaps),
            )
            % values
        )
    if losses:
        return (
            ngettext(
                "%(name)s is significantly worse than %(losses)d of %(count)d other system",
                "%(name)s is significantly worse than %(losses)d of %(count)d other systems",
                len(gaps),
            )
            % values
        )
    return ""


def _drawing(chosen: str, gaps: Sequence[Gap], measure: Measure, finding: str) -> Drawing:
    ends = [end for gap in gaps if not isinstance(gap.ends, Missing) for end in gap.ends]
    axis = axis_for([0.0, *ends, *(gap.amount for gap in gaps)])
    bottom = ROW * len(gaps)
    places = axis.decimals + 1
    amounts = ", ".join(f"{gap.other} {signed(gap.amount, places)}" for gap in gaps)
    better, worse = _("%(name)s better →"), _("← other system better")
    if not measure.higher_is_better:
        better, worse = _("other system better →"), _("← %(name)s better")
    marks = [
        *axis_marks(axis, bottom, is_signed=True),
        Line(axis.share(0), -4, axis.share(0), bottom + 4, "axis zero"),
        *(mark for place, gap in enumerate(gaps) for mark in _row(gap, axis, ROW * place + ROW / 2, places)),
        *directions(worse % {"name": chosen}, better % {"name": chosen}, bottom + 35),
    ]
    return Drawing(f"{finding or chosen}: {amounts}", bottom + 42, marks)


def _row(gap: Gap, axis: Axis, y: float, places: int) -> Iterator[Mark]:
    look = "lab" if gap.is_significant else ""
    yield Words(0, y + 4, gap.other, look, "end", -10, is_name=True)
    if not isinstance(gap.ends, Missing):
        yield Line(axis.share(gap.ends[0]), y, axis.share(gap.ends[1]), y, f"ci{gap.look}")
    yield Dot(axis.share(gap.amount), y, f"{'hum' if gap.is_human else 'pt'}{gap.look}")
    yield Words(100, y + 4, signed(gap.amount, places), look, "end", 54)


def _table(chosen: str, gaps: Sequence[Gap]) -> Table:
    columns = (
        Column("other", gettext_lazy("System"), Form.NAME),
        Column("amount", gettext_lazy("Difference"), Form.SIGNED, decimals=None),
        Column("interval", gettext_lazy("95% interval"), Form.ENDS, decimals=None, of="amount"),
        Column("significant", gettext_lazy("Significant"), Form.TEXT),
    )
    return Table(
        "pairs",
        _("%(name)s against") % {"name": chosen},
        columns=columns,
        rows=tuple((gap.other, gap.amount, gap.ends, _("yes") if gap.is_significant else _("no")) for gap in gaps),
        part="differences",
        page=("other", "amount", "interval", "significant"),
        is_sortable=False,
    )
