"""Charts of two campaigns side by side: scores of systems, their places, and the outputs that both judged."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from frontend.charts.drawing import Dot, Drawing, Line, Mark, Words
from frontend.charts.figure import Figure
from frontend.charts.metrics import DENSITIES, squares
from frontend.charts.plane import HEIGHT, PLOT, TOP, Plane
from frontend.charts.point_labels import labels_for
from frontend.interval_chart import axis_for
from frontend.shown_table import ShownTable
from frontend.templatetags.numbers import decimals
from metrics.analyses.judged_outputs import ScoredBy
from metrics.coefficient_names import CORRELATIONS
from metrics.comparison.results import OUTPUT, SYSTEM, ComparedSystem, Comparison, StandingOfSystem
from metrics.comparison.tables import outputs_table
from metrics.results.tables import Text
from metrics.results.values import Missing

ROUTE = "researcher-compare-csv"
NAMES = ("compared-systems", "compared-places", "compared-outputs")
SCORED_BY: Mapping[str, Text] = {
    "z": gettext_lazy("z-score"),
    "expected_wins": gettext_lazy("Expected wins"),
    "wins_of_output": gettext_lazy("Share of comparisons won"),
}
NARROWEST = 300.0  # pixels of the plot on a phone
ROW, TOP_OF_PLACES = 24, 30


Titles = tuple[Mapping[str, Text], Mapping[str, Text]]


def comparison_charts(comparison: Comparison, titles: Titles) -> dict[str, Figure]:
    """By name; the table of systems stands beside the first two on their page.

    `titles` are those of the measures of the first and of the second campaign.
    """
    charts = (_scores(comparison, titles), _places(comparison), _outputs(comparison, titles))
    return {chart.name: chart for chart in charts if chart}


def axis_title(name: str, scored: ScoredBy | None, measures: Mapping[str, Text], *, is_of_outputs: bool = False) -> str:
    """The campaign and what its values are."""
    if scored is None:
        return name
    by = "wins_of_output" if is_of_outputs and scored.by == "expected_wins" else scored.by
    unit = str(SCORED_BY.get(by, measures.get(scored.measure, scored.measure)))
    if scored.higher_is_better:
        return f"{name}: {unit}"
    return _("%(campaign)s: %(measure)s, lower is better") % {"campaign": name, "measure": unit}


def _is_turned(scored: ScoredBy | None) -> bool:
    return scored is not None and not scored.higher_is_better


def _scores(comparison: Comparison, titles: Titles) -> Figure | None:
    """Better is up and to the right, whatever the unit."""
    systems = [one for one in comparison.shared if _point(one)]
    if len(systems) < 2:
        return None
    plane = _plane(comparison, systems)
    plain = _("Scores of systems in both campaigns")
    over = next(one for one in comparison.agreement if one.level == SYSTEM)
    title = plain
    if not isinstance(over.pearson, Missing) and not isinstance(over.kendall_b, Missing):
        title = _("Over systems: %(coefficients)s") % {"coefficients": _in_words(over.pearson, over.kendall_b)}
    marks = list(
        plane.marks(
            axis_title(comparison.first.name, comparison.first.systems_by, titles[0]),
            axis_title(comparison.second.name, comparison.second.systems_by, titles[1]),
        )
    )
    for one in systems:
        marks += _cross(one, plane)
    marks += _dots(systems, plane)
    spoken = ", ".join(f"{one.system} {_value(one.first)}, {_value(one.second)}" for one in systems)
    return Figure(
        name=NAMES[0],
        plain=plain,
        title=title,
        lead=_("Better is up and to the right. Lines: 95% intervals. Hollow: human. Point at a dot for its name."),
        drawing=Drawing(f"{title}: {spoken}", HEIGHT, marks, left="numbers", has_numbers=False),
        csv=(ROUTE, "systems"),
    )


def _in_words(pearson: float, kendall_b: float) -> str:
    named = {"pearson": pearson, "kendall_b": kendall_b}
    return ", ".join(f"{CORRELATIONS[name]} {decimals(value, 3)}" for name, value in named.items())


def _point(one: ComparedSystem) -> tuple[float, float] | None:
    values = [each.value for each in one.standings or ()]
    first, second = values if len(values) == 2 else (Missing(), Missing())
    return None if isinstance(first, Missing) or isinstance(second, Missing) else (first, second)


def _value(one: StandingOfSystem | None) -> str:
    return "–" if one is None or isinstance(one.value, Missing) else decimals(one.value, 2)


def _plane(comparison: Comparison, systems: Sequence[ComparedSystem]) -> Plane:
    ends: tuple[list[float], list[float]] = ([], [])
    for one in systems:
        for side, each in enumerate(one.standings or ()):
            ends[side].extend([] if isinstance(each.interval, Missing) else each.interval)
            ends[side].extend([] if isinstance(each.value, Missing) else [each.value])
    return Plane(
        axis_for(ends[0], most_ticks=6),
        axis_for(ends[1]),
        is_across_turned=_is_turned(comparison.first.systems_by),
        is_up_turned=_is_turned(comparison.second.systems_by),
    )


def _cross(one: ComparedSystem, plane: Plane) -> Iterator[Mark]:
    point = _point(one)
    if point is None or not one.first or not one.second:
        return
    x, y = plane.x(point[0]), plane.y(point[1])
    if not isinstance(one.first.interval, Missing):
        low, high = one.first.interval
        yield Line(plane.x(low), y, plane.x(high), y, "ci weak")
    if not isinstance(one.second.interval, Missing):
        low, high = one.second.interval
        yield Line(x, plane.y(low), x, plane.y(high), "ci weak")


def _dots(systems: Sequence[ComparedSystem], plane: Plane) -> Iterator[Mark]:
    points = [_point(one) or (0.0, 0.0) for one in systems]
    places = [(plane.x(across), plane.y(up)) for across, up in points]
    labels = labels_for([one.system for one in systems], places, bottom=TOP + PLOT, plot_width=NARROWEST)
    for one, (x, y) in zip(systems, places, strict=True):
        about = f"{one.system}: {_value(one.first)}, {_value(one.second)}"
        yield Dot(x, y, "hum" if one.is_human else "pt", about=about)
    for one, (x, _y), label in zip(systems, places, labels, strict=True):
        if label:
            yield Words(x, float(label.y), one.system, "lab halo", label.anchor, label.dx)


def _places(comparison: Comparison) -> Figure | None:
    """A line for each system from its place in the first campaign to that in the second."""
    systems = comparison.shared
    if len(systems) < 2:
        return None
    plain = _("Places of systems in both campaigns")
    contradicting = {name for pair in comparison.contradictions for name in (pair.better, pair.other)}
    bottom = TOP_OF_PLACES + ROW * len(systems)
    marks: list[Mark] = [
        Words(0, 14, comparison.first.name, "lab", "middle", is_name=True),
        Words(100, 14, comparison.second.name, "lab", "middle", is_name=True),
    ]
    marks += _cuts(systems)
    for one in sorted(systems, key=lambda one: one.system in contradicting):
        marks += _slope(one, is_bold=one.system in contradicting)
    spoken = ", ".join(f"{one.system} {_place(one.first)}, {_place(one.second)}" for one in systems)
    return Figure(
        name=NAMES[1],
        plain=plain,
        title=order_finding(comparison),
        lead=_(
            "The best on top, of the systems in both. Short dark lines part clusters: systems between two of them do "
            "not differ significantly. Thick: in a pair that both campaigns order significantly, and not alike."
        ),
        drawing=Drawing(f"{plain}: {spoken}", bottom + 6, marks, has_names_after=True),
        csv=(ROUTE, "systems"),
    )


def order_finding(comparison: Comparison) -> str:
    """How many pairs of systems change their order, and whether that means anything."""
    changed, pairs, certain = len(comparison.changed), len(comparison.pairs), len(comparison.contradictions)
    if not pairs:
        return _("No two systems were ranked in both campaigns")
    if not changed:
        return _("Both campaigns put the systems in the same order")
    order = ngettext(
        "%(changed)d of %(pairs)d pair of systems changes its order",
        "%(changed)d of %(pairs)d pairs of systems change their order",
        pairs,
    ) % {"changed": changed, "pairs": pairs}
    if not certain:
        return _("%(order)s, none of them significantly in both") % {"order": order}
    return ngettext(
        "%(order)s, %(count)d of them significantly in both",
        "%(order)s, %(count)d of them significantly in both",
        certain,
    ) % {"order": order, "count": certain}


def _place(one: StandingOfSystem | None) -> str:
    return "–" if one is None or isinstance(one.place, Missing) else str(one.place)


def _height(one: StandingOfSystem) -> float:
    place = 0 if isinstance(one.place, Missing) else one.place
    return TOP_OF_PLACES + ROW * (place - 0.5)


def _cuts(systems: Sequence[ComparedSystem]) -> Iterator[Mark]:
    for side, (start, end) in enumerate(((0, 8), (92, 100))):
        standings = sorted((one.standings[side] for one in systems if one.standings), key=_height)
        for above, below in pairwise(standings):
            if above.cluster != below.cluster:
                y = (_height(above) + _height(below)) / 2
                yield Line(start, y, end, y, "cutl")


def _slope(one: ComparedSystem, *, is_bold: bool) -> Iterator[Mark]:
    if one.standings is None:
        return
    left, right = (_height(each) for each in one.standings)
    look = "d2 thick" if is_bold else "ci weak" if left == right else "ci"
    yield Line(0, left, 100, right, look)
    for x, y in ((0, left), (100, right)):
        yield Dot(
            x, y, "hum" if one.is_human else "pt", about=f"{one.system}: {_place(one.first)}, {_place(one.second)}"
        )
    yield Words(0, left + 4, one.system, "lab", "end", -10, is_name=True)
    yield Words(100, right + 4, one.system, "lab", "start", 10, is_name=True)


def _outputs(comparison: Comparison, titles: Titles) -> Figure | None:
    scored = comparison.outputs
    if scored is None:
        return None
    over = next(one for one in comparison.agreement if one.level == OUTPUT)
    plain = _("Outputs that both campaigns judged")
    lead = ngettext("%(count)d output.", "%(count)d outputs.", over.outputs) % {"count": over.outputs}
    lead += " " + _("Better is up and to the right.")
    if scored.points is None:
        lead += " " + _("Stronger blue: %(counts)s or more in a square; dots: single ones, within their square.") % {
            "counts": ", ".join(map(str, DENSITIES))
        }
    title = plain
    if not isinstance(over.pearson, Missing) and not isinstance(over.kendall_b, Missing):
        title = _("Over outputs: %(coefficients)s") % {"coefficients": _in_words(over.pearson, over.kendall_b)}
    plane = Plane(
        axis_for(scored.score_range, most_ticks=6),
        axis_for(scored.human_range),
        is_across_turned=_is_turned(comparison.first.outputs_by),
        is_up_turned=_is_turned(comparison.second.outputs_by),
    )
    marks = list(
        plane.marks(
            axis_title(comparison.first.name, comparison.first.outputs_by, titles[0], is_of_outputs=True),
            axis_title(comparison.second.name, comparison.second.outputs_by, titles[1], is_of_outputs=True),
        )
    )
    marks += squares(scored, plane) if scored.points is None else ()
    marks += [Dot(plane.x(across), plane.y(up), "sdot", 2.2) for across, up in scored.points or ()]
    return Figure(
        name=NAMES[2],
        plain=plain,
        title=title,
        lead=lead,
        drawing=Drawing(f"{plain}. {lead}", HEIGHT, marks, left="numbers", has_numbers=False),
        table=ShownTable(outputs_table(comparison)),
        csv=(ROUTE, "outputs"),
    )
