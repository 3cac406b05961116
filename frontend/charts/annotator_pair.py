"""The scatter behind a cell of the matrix of pairs: what two annotators gave to the same outputs."""

import math
from collections import Counter

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from frontend.charts.drawing import Curve, Dot, Drawing
from frontend.charts.figure import Figure
from frontend.charts.plane import HEIGHT, Plane
from frontend.interval_chart import axis_for
from frontend.shown_table import ShownTable
from metrics.pair_disagreements import PairDisagreements
from metrics.results.tables import Column, Form, Table

NAME = "pair"
LEAST, LARGEST = 2.4, 9.0


def pair_figure(result: PairDisagreements, first: str, second: str) -> Figure | None:
    """None of preferences, and where the two share nothing."""
    if not result.numbers:
        return None
    counts = Counter(result.numbers)
    measure = result.measure
    scale = [measure.low, measure.high] if math.isfinite(measure.high - measure.low) else []
    axis = axis_for([value for pair in counts for value in pair], scale=scale)
    plane, most = Plane(axis, axis), max(counts.values())
    ends = [(plane.x(end), plane.y(end)) for end in (axis.low, axis.high)]
    marks = [*plane.marks(first, second), Curve(ends, "equal")]
    for (one, other), count in sorted(counts.items()):
        radius = LEAST + (LARGEST - LEAST) * math.sqrt((count - 1) / most)
        marks.append(Dot(plane.x(one), plane.y(other), "sdot sc", round(radius, 1), f"{one:g}, {other:g}: {count}"))
    plain = _("%(first)s and %(second)s on the same outputs") % {"first": first, "second": second}
    lead = _("%(measure)s. Larger dots: several outputs. On the line both gave the same.") % {"measure": measure.title}
    return Figure(
        name=NAME,
        plain=plain,
        title=plain,
        lead=lead,
        drawing=Drawing(f"{plain}. {lead}", HEIGHT, marks, left="numbers", has_numbers=False),
        table=ShownTable(_table(counts, plain, first, second)),
        csv=("researcher-disagreements-csv",),
    )


def _table(counts: Counter[tuple[float, float]], plain: str, first: str, second: str) -> Table:
    return Table(
        NAME,
        plain,
        columns=(
            Column("first", first, Form.NAME),
            Column("second", second, decimals=1),
            Column("outputs", gettext_lazy("Outputs"), Form.COUNT),
        ),
        rows=tuple((f"{one:g}", other, count) for (one, other), count in sorted(counts.items())),
        part=NAME,
        page=("first", "second", "outputs"),
        is_sortable=False,
    )
