"""Charts of automatic metrics: one against people, segment by segment, and all against each other."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from frontend.charts.drawing import Box, Dot, Drawing, Mark, Words
from frontend.charts.figure import Figure
from frontend.charts.plane import HEIGHT, Plane
from frontend.interval_chart import axis_for
from frontend.shown_table import ShownTable
from frontend.templatetags.numbers import decimals
from metrics.analyses.correlation import Correlations
from metrics.analyses.segment_scores import ACROSS, UP, ScoredSegments, metric_pairs_table, segments_table
from metrics.coefficient_names import CORRELATIONS
from metrics.results.tables import Text
from metrics.results.values import Missing, Number

FEWEST_IN_SQUARE = 4  # fewer are drawn as dots
DENSITIES = (4, 10, 22, 40)
SHADES = (0.35, 0.5, 0.65, 0.8)  # from here on the next stronger blue
TOP, TALL, MOST_METRICS = 18, 30, 10
PEOPLE: Mapping[str, Text] = {
    "z": gettext_lazy("Human z-score"),
    "expected_wins": gettext_lazy("Human expected wins"),
}
ROUTE = "researcher-metrics-file"
PAIRS, SEGMENTS = "metric-pairs", "segments-"


def is_of_metrics(name: str) -> bool:
    return name == PAIRS or name.startswith(SEGMENTS)


def metric_charts(correlations: Correlations, titles: Mapping[str, str], metric: str = "") -> list[Figure]:
    """All metrics against each other, and one of them against people, or each; `titles` are by name."""
    pairs = metric_pairs_figure(correlations, titles)
    chosen = [one for one in correlations.scored_segments or () if metric in ("", one.metric)]
    return [
        *([pairs] if pairs else []),
        *(segments_figure(one, correlations, titles.get(one.metric, one.metric)) for one in chosen),
    ]


def segments_figure(one: ScoredSegments, correlations: Correlations, title: str) -> Figure:
    people = str(PEOPLE.get(str(correlations.human), _("Human score")))
    plain = _("%(metric)s and people, segment by segment") % {"metric": title}
    lead = ngettext("%(count)d translation.", "%(count)d translations.", one.segments) % {"count": one.segments}
    tau = next(
        (each.kendall_b for each in correlations.metrics if _is_of(each.metric, one, each.level, each.grouping)), None
    )
    if isinstance(tau, float):
        lead += " " + _("%(coefficient)s within segments: %(tau)s.") % {
            "coefficient": CORRELATIONS["kendall_b"],
            "tau": decimals(tau, 2),
        }
    if one.points is None:
        lead += " " + _("Stronger blue: %(counts)s or more in a square; dots: single ones, within their square.") % {
            "counts": ", ".join(map(str, DENSITIES))
        }
    plane = Plane(axis_for(one.score_range, most_ticks=6), axis_for(one.human_range))
    marks = [*plane.marks(title, people), *(squares(one, plane) if one.points is None else ())]
    for score, human in one.points or ():
        marks.append(Dot(plane.x(score), plane.y(human), "sdot", 2.2))
    return Figure(
        name=f"{SEGMENTS}{slugify(one.metric)}",
        plain=plain,
        title=plain,
        lead=lead,
        drawing=Drawing(f"{plain}. {lead}", HEIGHT, marks, left="numbers", has_numbers=False),
        table=ShownTable(segments_table([one])),
        csv=(ROUTE, "segments"),
    )


def _is_of(metric: str, one: ScoredSegments, level: str, grouping: str) -> bool:
    return (metric, level, grouping) == (one.metric, "segment", "item")


def squares(one: ScoredSegments, plane: Plane) -> Iterator[Mark]:
    """Of axes in either direction."""
    (left, right), (low, high) = one.score_range, one.human_range
    wide, tall = (right - left) / ACROSS, (high - low) / UP
    for column, row, count in one.grid:
        x, width = plane.x(left + column * wide), plane.x(left + wide) - plane.x(left)
        bottom, top = plane.y(low + row * tall), plane.y(low + (row + 1) * tall)
        if count >= FEWEST_IN_SQUARE:
            x, top, tall_here = min(x, x + width), min(top, bottom), abs(bottom - top)
            yield Box(x, top, abs(width), round(tall_here, 2), f"h{bisect_right(DENSITIES, count)}", str(count))
            continue
        for place in range(count):
            yield Dot(x + width * (place + 1) / (count + 1), (top + bottom) / 2, "sdot", 1.8)


def metric_pairs_figure(correlations: Correlations, titles: Mapping[str, str]) -> Figure | None:
    """Half of the square is enough, people first. None for a single metric."""
    pairs = {frozenset((one.first, one.second)): one.pearson for one in correlations.metric_pairs or ()}
    people = {
        one.metric: one.pearson for one in correlations.metrics if (one.level, one.grouping) == ("segment", "none")
    }
    names = [name for name in people if any(name in pair for pair in pairs)][:MOST_METRICS]
    if len(names) < 2:
        return None
    plain = _("Metrics against each other, by segment")
    drawing = _pairs_drawing(names, titles, people, pairs, plain)
    return Figure(
        name=PAIRS,
        plain=plain,
        title=plain,
        lead=_(
            "Pearson’s r over single translations, higher is better in all. The first column is the one that counts; "
            "the others say how many opinions there are."
        ),
        drawing=drawing,
        table=ShownTable(metric_pairs_table(correlations.metric_pairs or (), titles)),
        csv=(ROUTE, "pairs"),
    )


def _pairs_drawing(
    names: Sequence[str],
    titles: Mapping[str, str],
    people: Mapping[str, Number],
    pairs: Mapping[frozenset[str], Number],
    plain: str,
) -> Drawing:
    """Columns are numbered as the rows are: names would not fit."""
    width = 100 / len(names)
    marks: list[Mark] = [Words(width / 2, 12, _("People"), "", "middle")]
    marks += [Words(width * (place + 0.5), 12, str(place), "", "middle") for place in range(1, len(names))]
    for row, name in enumerate(names):
        y = TOP + TALL * row
        marks.append(Words(0, y + TALL / 2 + 4, f"{row + 1} {titles.get(name, name)}", "lab", "end", -10, is_name=True))
        values = [people[name], *(pairs.get(frozenset((name, other)), Missing()) for other in names[:row])]
        for column, value in enumerate(values):
            marks += _cell(value, width * column, y, width)
    spoken = ", ".join(f"{titles.get(name, name)} {_shown(people[name])}" for name in names)
    return Drawing(f"{plain}. {_('People')}: {spoken}", TOP + TALL * len(names) + 6, marks, has_numbers=False)


def _cell(value: Number, x: float, y: float, width: float) -> Iterator[Mark]:
    shade = 0 if isinstance(value, Missing) else bisect_right(SHADES, value)
    yield Box(x, y, width, TALL, f"h{shade} gap")
    yield Words(x + width / 2, y + TALL / 2 + 4, _shown(value), "inv" if shade >= 3 else "in", "middle")


def _shown(value: Number) -> str:
    return decimals(value, 2)
