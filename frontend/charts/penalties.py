"""Stacked bars of error penalties: by severity, and by the categories with the most points."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.taxonomies.typology import SEVERITIES, category_words
from frontend.charts.drawing import Box, Dot, Drawing, Line, Mark, Shape, Words
from frontend.charts.figure import Figure, axis_marks
from frontend.interval_chart import Axis, axis_for
from frontend.shown_table import ShownTable
from frontend.templatetags.numbers import decimals
from metrics.analyses.errors import MEASURE, SEVERITY_WORDS, Errors
from metrics.analyses.ranking import RankedMeasures
from metrics.results.tables import Column, Form, Table, Text
from metrics.results.values import Ends, Missing
from metrics.statistics.mqm import plain_label

ROW, TALL, LEGEND_ROW = 32, 18, 18
MOST_PARTS = 5
SHORT = 10  # letters
SEVERITY_LOOKS: Mapping[str, str] = {"minor": "s1", "major": "s2", "critical": "s3"}
# Their count says the severity to who does not see the colour; narrow parts have no room for them.
STROKES: Mapping[str, str] = {"s1": "M5-5V5", "s2": "M5-5V5M8-5V5", "s3": "M5-5V5M8-5V5M11-5V5"}
ROOM_FOR_STROKES = 0.06
CATEGORY_LOOKS = ("c1", "c2", "c3", "c4", "c5")
OTHER = "c6"


@dataclass(frozen=True)
class Part:
    """One colour of the bars: `points` of each system."""

    title: Text
    look: str
    points: Mapping[str, float]


@dataclass(frozen=True)
class Stack:
    """Of one system: its mean penalty, of which each part has the share that it has of the points."""

    system: str
    penalty: float
    interval: Ends
    parts: Sequence[float]
    is_human: bool


def penalty_figures(
    errors: Errors, ranked: RankedMeasures, titles: Mapping[str, str], humans: frozenset[str]
) -> Iterator[Figure]:
    """None where errors cost no points; `titles` are those of categories by path."""
    for name, plain, parts in (
        ("penalty-severity", _("Penalty by severity"), _by_severity(errors)),
        ("penalty-category", _("Penalty by category"), _by_category(errors, titles)),
    ):
        if len(parts) < 2:  # there is nothing to divide
            continue
        stacks = _stacks(errors, ranked, parts, humans)
        finding = _finding(stacks, parts)
        yield Figure(
            name=name,
            plain=plain,
            title=finding or plain,
            lead=_(
                "Mean penalty of a segment, fewer is better; colours: its parts. Point: mean with its 95% interval."
            ),
            drawing=_drawing(stacks, parts, f"{plain}: {finding}" if finding else plain),
            table=ShownTable(_table(name, plain, stacks, parts)),
        )


def _by_severity(errors: Errors) -> list[Part]:
    sums = _summed((plain_label(entry.severity), entry.system, entry.points) for entry in errors.categories)
    known = [name for name in SEVERITIES if name in sums]
    return [
        Part(SEVERITY_WORDS.get(name, name), SEVERITY_LOOKS.get(name, OTHER), sums[name])
        for name in (*known, *sorted(sums.keys() - set(known)))
    ]


def _by_category(errors: Errors, titles: Mapping[str, str]) -> list[Part]:
    sums = _summed((entry.category, entry.system, entry.points) for entry in errors.categories)
    heaviest = sorted(sums, key=lambda category: (-sum(sums[category].values()), category))
    fits = len(heaviest) <= MOST_PARTS
    shown = heaviest if fits else heaviest[: MOST_PARTS - 1]
    parts = [
        Part(category_words(category, titles) or _("No category"), look, sums[category])
        for category, look in zip(shown, CATEGORY_LOOKS, strict=False)
    ]
    if fits:
        return parts
    others = _summed(("", system, points) for each in heaviest[len(shown) :] for system, points in sums[each].items())
    return [*parts, Part(_("All others"), OTHER, others[""])]


def _summed(entries: Iterator[tuple[str, str, float]]) -> dict[str, dict[str, float]]:
    """Points of each kind by system, without kinds that cost none."""
    sums: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for kind, system, points in entries:
        sums[kind][system] += max(points, 0.0)
    return {kind: dict(points) for kind, points in sums.items() if any(points.values())}


def _stacks(errors: Errors, ranked: RankedMeasures, parts: Sequence[Part], humans: frozenset[str]) -> list[Stack]:
    intervals = {system.system: system.interval for system in ranked.systems if system.measure == MEASURE}
    stacks = []
    for one in errors.systems:
        if isinstance(one.penalty, Missing):
            continue
        own = [part.points.get(one.system, 0.0) for part in parts]
        share = one.penalty / sum(own) if sum(own) else 0.0
        interval = intervals.get(one.system, Missing())
        stacks.append(
            Stack(one.system, one.penalty, interval, [share * points for points in own], one.system in humans)
        )
    return stacks


def _finding(stacks: Sequence[Stack], parts: Sequence[Part]) -> str:
    """What costs the worst system most."""
    worst = max((stack for stack in stacks if any(stack.parts)), key=lambda one: one.penalty, default=None)
    if worst is None:
        return ""
    largest = max(range(len(parts)), key=lambda place: worst.parts[place])
    return _("%(name)s: %(share)s%% of the penalty comes from “%(part)s”") % {
        "name": worst.system,
        "share": decimals(100 * worst.parts[largest] / sum(worst.parts), 0),
        "part": parts[largest].title,
    }


def _drawing(stacks: Sequence[Stack], parts: Sequence[Part], finding: str) -> Drawing:
    ends = [end for stack in stacks if not isinstance(stack.interval, Missing) for end in stack.interval]
    axis = axis_for([0.0, *ends, *(stack.penalty for stack in stacks)])
    legend = list(_legend(parts))
    top = LEGEND_ROW * (1 + (len(parts) - 1) // _in_row(parts)) + 10
    bottom = top + ROW * len(stacks)
    marks = [*legend, *axis_marks(axis, bottom, top=top - 4)]
    for place, stack in enumerate(stacks):
        marks += _bar(stack, parts, axis, top + ROW * place)
    marks.append(Words(0, bottom + 33, _("Penalty points in a segment"), dx=-94))
    totals = ", ".join(f"{stack.system} {decimals(stack.penalty, 1)}" for stack in stacks)
    return Drawing(f"{finding}. {totals}", bottom + 40, marks)


def _legend(parts: Sequence[Part]) -> Iterator[Mark]:
    """From the edge of the page."""
    in_row = _in_row(parts)
    for place, part in enumerate(parts):
        x, y = 100.0 / in_row * (place % in_row), LEGEND_ROW * (place // in_row)
        yield Words(x, y + 10, str(part.title), dx=-76)
        yield Dot(x, y + 6, part.look, 5, dx=-86)


def _in_row(parts: Sequence[Part]) -> int:
    """So many short names fit beside each other on a phone; names of categories are long."""
    return 3 if max(len(str(part.title)) for part in parts) <= SHORT else 1


def _bar(stack: Stack, parts: Sequence[Part], axis: Axis, y: float) -> Iterator[Mark]:
    middle = y + TALL / 2
    yield Words(0, middle + 4, stack.system, "lab", "end", -10, is_name=True)
    start = 0.0
    for part, amount in zip(parts, stack.parts, strict=True):
        if amount:
            at = axis.share(start)
            about = f"{stack.system}, {part.title}: {decimals(amount, 2)}"
            width = axis.share(start + amount) - at
            yield Box(at, y, width, TALL, part.look, about)
            if part.look in STROKES and width > 100 * ROOM_FOR_STROKES:
                yield Shape(at, middle, STROKES[part.look], "stk")
        start += amount
    if not isinstance(stack.interval, Missing):
        low, high = (axis.share(end) for end in stack.interval)
        yield Line(low, middle, high, middle, "halo2")
        yield Line(low, middle, high, middle, "ci")
    yield Dot(axis.share(stack.penalty), middle, "hum" if stack.is_human else "pt", 4)
    yield Words(100, middle + 4, decimals(stack.penalty, 1), "lab", dx=10)


def _table(name: str, plain: str, stacks: Sequence[Stack], parts: Sequence[Part]) -> Table:
    columns = [Column(f"@{place}", part.title, decimals=2) for place, part in enumerate(parts)]
    return Table(
        "errors",
        plain,
        columns=(
            Column("system", gettext_lazy("System"), Form.NAME),
            *columns,
            Column("penalty", gettext_lazy("Penalty")),
            Column("interval", gettext_lazy("95% interval"), Form.ENDS, decimals=2, of="penalty"),
        ),
        rows=tuple((stack.system, *stack.parts, stack.penalty, stack.interval) for stack in stacks),
        part=name,
        page=("system", *(column.name for column in columns), "penalty", "interval"),
        notes=(_("The mean penalty is divided as all points of the system are."),),
        is_sortable=False,
    )
