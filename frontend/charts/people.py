"""Charts about annotators: how severe each is and how widely they score, and whether they drift while they work."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from frontend.charts.drawing import Curve, Dot, Drawing, Line, Mark, Words
from frontend.charts.figure import Figure, axis_marks, directions
from frontend.interval_chart import Axis, axis_for
from frontend.shown_table import ShownTable
from frontend.templatetags.numbers import decimals, signed
from metrics.analyses.annotator_table import AnnotatorContext
from metrics.analyses.annotators import FEWEST_ANSWERS, Annotator
from metrics.analyses.drift import PARTS, Drift, Tenth, drift_table
from metrics.results.tables import Column, Form, Table
from metrics.results.values import Ends, Missing, Number

ROW = 24
MOST_ROWS = 40
PLOT, BETWEEN = 96, 50  # of the two plots of drift, in pixels
MIDDLE = "80%"


@dataclass(frozen=True)
class Severity:
    """How far one annotator is from the others; the middle of their own scores lies about that."""

    name: str
    amount: float
    interval: Ends
    middle: Ends
    counts: bool

    @property
    def is_apart(self) -> bool:
        return not isinstance(self.interval, Missing) and (self.interval[0] > 0 or self.interval[1] < 0)

    @property
    def ends(self) -> list[float]:
        """Of what is drawn."""
        middle = [] if isinstance(self.middle, Missing) else [self.amount + end for end in self.middle]
        return [self.amount, *middle, *([] if isinstance(self.interval, Missing) else self.interval)]


def annotator_charts(annotators: Sequence[Annotator], drift: Drift | None, context: AnnotatorContext) -> list[Figure]:
    """None without what they show."""
    figures = severity_figure(annotators, context), drift_figure(drift) if drift else None
    return [figure for figure in figures if figure]


def severity_figure(annotators: Sequence[Annotator], context: AnnotatorContext) -> Figure | None:
    """The strictest first; None where fewer than two can be compared with others."""
    rows = sorted(_severities(annotators, context), key=lambda row: (row.amount, row.name))
    if len(rows) < 2 or context.measure is None:
        return None
    plain = _("Annotators’ severity and spread")
    shown = rows if len(rows) <= MOST_ROWS else rows[: MOST_ROWS // 2] + rows[-MOST_ROWS // 2 :]
    lead = _(
        "%(measure)s: how far each is from what the others gave the same outputs, mean with 95%% interval. Pale bar: "
        "middle %(middle)s of their own scores. Severity is corrected by z-scores, a short bar is not."
    ) % {"measure": context.measure.title, "middle": MIDDLE}
    if len(shown) < len(rows):
        lead += " " + _("The %(count)d farthest from the others.") % {"count": len(shown)}
    return Figure(
        name="severity",
        plain=plain,
        title=_severity_finding(rows) or plain,
        lead=lead,
        drawing=_severity_drawing(shown, plain),
        table=ShownTable(_severity_table(rows, plain)),
        csv=("researcher-annotators-csv",),
    )


def _severities(annotators: Sequence[Annotator], context: AnnotatorContext) -> Iterator[Severity]:
    for one in annotators:
        if isinstance(one.others_difference, Missing) or one.others_difference_interval is None:
            continue
        if one.others_n >= FEWEST_ANSWERS:
            middle = one.middle or Missing()
            yield Severity(
                context.name(one), one.others_difference, one.others_difference_interval, middle, context.counts(one)
            )


def _severity_finding(rows: Sequence[Severity]) -> str:
    """The one who is clearly the farthest from the others."""
    farthest = max((row for row in rows if row.is_apart), key=lambda row: abs(row.amount), default=None)
    if farthest is None:
        return ""
    shown = {"name": farthest.name, "amount": decimals(abs(farthest.amount), 1)}
    if farthest.amount < 0:
        return _("%(name)s is stricter than the others by %(amount)s") % shown
    return _("%(name)s is more lenient than the others by %(amount)s") % shown


def _severity_drawing(rows: Sequence[Severity], plain: str) -> Drawing:
    axis = axis_for([0.0, *(end for row in rows for end in row.ends)])
    bottom = ROW * len(rows)
    marks = [*axis_marks(axis, bottom, is_signed=True), Line(axis.share(0), -4, axis.share(0), bottom + 4, "axis zero")]
    for place, row in enumerate(rows):
        marks += _severity_row(row, axis, ROW * place + ROW / 2)
    marks += directions(_("← stricter than the others"), _("more lenient →"), bottom + 34)
    spoken = ", ".join(f"{row.name} {signed(row.amount, axis.decimals + 1)}" for row in rows)
    return Drawing(f"{plain}: {spoken}", bottom + 42, marks)


def _severity_row(row: Severity, axis: Axis, y: float) -> Iterator[Mark]:
    look = "lab" if row.is_apart else ""
    yield Words(0, y + 4, row.name, look, "end", -10, is_name=True)
    if not isinstance(row.middle, Missing):
        low, high = (axis.share(row.amount + end) for end in row.middle)
        yield Line(low, y, high, y, "ci2")
    if not isinstance(row.interval, Missing):
        yield Line(axis.share(row.interval[0]), y, axis.share(row.interval[1]), y, "ci thick")
    yield Dot(axis.share(row.amount), y, "pt" if row.counts else "pt weak", 4)
    yield Words(100, y + 4, signed(row.amount, axis.decimals + 1), look, "end", 54)


def _severity_table(rows: Sequence[Severity], plain: str) -> Table:
    return Table(
        "annotators",
        plain,
        columns=(
            Column("name", gettext_lazy("Annotator"), Form.NAME),
            Column("amount", gettext_lazy("Above others"), Form.SIGNED, decimals=None),
            Column("interval", gettext_lazy("95% interval"), Form.ENDS, decimals=None, of="amount"),
            Column("middle", gettext_lazy("Middle 80%, about the own mean"), Form.ENDS, decimals=None, of="amount"),
        ),
        rows=tuple((row.name, row.amount, row.interval, row.middle) for row in rows),
        part="severity",
        page=("name", "amount", "interval", "middle"),
        is_sortable=False,
    )


def drift_figure(drift: Drift) -> Figure | None:
    """Scores above, times below; None without either."""
    plain = _("Scores and time by order")
    plots: list[tuple[str, Callable[[Tenth], tuple[Number, Ends]], bool]] = [
        (_("Score, above what segment, system and annotator say"), lambda one: (one.score, one.score_interval), True),
        (_("Seconds for a judgment"), lambda one: (one.seconds, one.seconds_interval), False),
    ]
    marks: list[Mark] = []
    top = 0.0
    for title, value_of, is_signed in plots:
        values = [value_of(one) for one in drift.tenths]
        if any(isinstance(value, Missing) for value, _ends in values) or not values:
            continue
        marks += _plot(title, values, top, is_signed=is_signed)
        top += PLOT + BETWEEN
    if not marks:
        return None
    for share, anchor in ((0, "start"), (50, "middle"), (100, "end")):
        marks.append(Words(share, top - BETWEEN + 15, f"{share}%", "dim", anchor))
    marks += [Words(100, top - BETWEEN + 33, _("of the own judgments →"), anchor="end")]
    finding = _drift_finding(drift)
    return Figure(
        name="drift",
        plain=plain,
        title=finding or plain,
        lead=_(
            "Tenths of each annotator’s judgments in the order they were made, all annotators together, with 95% "
            "intervals. The means of segments, systems and annotators are taken out of the scores."
        ),
        drawing=Drawing(finding or plain, int(top - BETWEEN + 40), marks, left="numbers", has_numbers=False),
        table=ShownTable(drift_table(drift)),
        csv=("researcher-drift-csv",),
    )


def _drift_finding(drift: Drift) -> str:
    """About time, where the intervals of the first and the last tenth do not meet."""
    first, last = drift.tenths[0], drift.tenths[-1]
    if isinstance(first.seconds_interval, Missing) or isinstance(last.seconds_interval, Missing):
        return ""
    if isinstance(first.seconds, Missing) or isinstance(last.seconds, Missing):
        return ""
    change = decimals(abs(100 * (last.seconds / first.seconds - 1)), 0)
    if last.seconds_interval[1] < first.seconds_interval[0]:
        return _("The last judgments take %(share)s%% less time than the first") % {"share": change}
    if last.seconds_interval[0] > first.seconds_interval[1]:
        return _("The last judgments take %(share)s%% more time than the first") % {"share": change}
    return ""


def _plot(title: str, values: Sequence[tuple[Number, Ends]], top: float, *, is_signed: bool) -> Iterator[Mark]:
    """A line with its band, over the middles of the tenths."""
    means = [value for value, _ends in values if not isinstance(value, Missing)]
    ends = [end for _value, pair in values if not isinstance(pair, Missing) for end in pair]
    axis = axis_for([*means, *ends, *([0.0] if is_signed else [])], most_ticks=4)
    start = top + 16

    def down(value: float) -> float:
        return start + (PLOT - 16) * (1 - axis.share(value) / 100)

    across = [100 * (place + 0.5) / PARTS for place in range(len(means))]
    yield Words(0, top + 2, title, dx=-30)
    for value in axis.values:
        yield Line(0, down(value), 100, down(value), "axis" if is_signed and abs(value) < 1e-9 else "grid")
        shown = signed(value, axis.decimals) if is_signed else decimals(value, axis.decimals)
        yield Words(0, down(value) + 4, shown, "dim", "end", -6)
    pairs = [pair for _value, pair in values if not isinstance(pair, Missing)]
    if len(pairs) == len(means):
        above = [(x, down(pair[1])) for x, pair in zip(across, pairs, strict=True)]
        below = [(x, down(pair[0])) for x, pair in zip(across, pairs, strict=True)]
        yield Curve([*above, *reversed(below)], "band", is_closed=True)
    yield Curve([(x, down(mean)) for x, mean in zip(across, means, strict=True)], "rl")
    for x, mean in zip(across, means, strict=True):
        yield Dot(x, down(mean), "sdot", 3)
