"""The analysis `errors`: which errors each system made, and what they add up to."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from annotation.protocols.base import OUTCOMES
from annotation.taxonomies.typology import SEVERITIES, category_words
from metrics.analyses.evidence import Evidence
from metrics.analyses.system_values import system_values
from metrics.error_table import ErrorTable
from metrics.matrices import ScoreTable
from metrics.results.tables import Column, Form, Marked, Table, Text, rows_of
from metrics.results.values import Missing, Number, listed, number
from metrics.statistics.arrays import BoolArray, group_means
from metrics.statistics.mqm import DEFAULT_WEIGHTS, error_weights, per_word, plain_label, quality_score
from metrics.weights import weights_named

MEASURE = "penalty"
SEVERITY_WORDS: Mapping[str, Text] = {
    "neutral": gettext_lazy("Neutral"),
    "minor": gettext_lazy("Minor"),
    "major": gettext_lazy("Major"),
    "critical": gettext_lazy("Critical"),
}
OUTCOME_WORDS: Mapping[str, Text] = {
    "kept": gettext_lazy("Kept"),
    "changed": gettext_lazy("Changed"),
    "deleted": gettext_lazy("Deleted"),
}
_SHADES = (0.02, 0.1, 0.4)  # of the heaviest cell


@dataclass(frozen=True)
class SystemErrors:
    """The mean `penalty` of segments as in the ranking; `points` and `words` of the source in sum over judgments.

    `per_word` is their ratio, `quality_score` MQM-Core's raw one. `errors` counts, `clean` is the share of judgments
    without any; `suggestions` says what became of them, by outcome.
    """

    system: str
    penalty: Number
    points: Number
    words: Number
    per_word: Number
    quality_score: Number
    errors: int
    clean: Number
    judgments: int
    suggestions: Mapping[str, int] | Missing


@dataclass(frozen=True)
class CategoryErrors:
    """How often a system made errors of a category and severity, and the penalty points of these together."""

    system: str
    category: str
    severity: str
    count: int
    points: float


@dataclass(frozen=True)
class SegmentPenalty:
    """The mean over annotators."""

    system: str
    document: str
    segment: str
    penalty: Number


@dataclass(frozen=True, kw_only=True)
class Errors:
    """Of the judgments that rank the systems, the least penalty first; `weights` names the profile.

    Penalties that came in a file without the errors they follow from count in `systems` and `segments` alone.
    `weights` is None where the campaign has no penalties, `segments` where they are stored apart.
    """

    weights: str | None
    systems: tuple[SystemErrors, ...] = listed(empty="no_judgments")
    categories: tuple[CategoryErrors, ...]
    segments: tuple[SegmentPenalty, ...] | None = None

    def split(self) -> tuple["Errors", tuple[SegmentPenalty, ...] | None]:
        return replace(self, segments=None), self.segments

    def join(self, segments: tuple[SegmentPenalty, ...]) -> "Errors":
        return replace(self, segments=segments)


def errors(evidence: Evidence) -> Errors:
    """Which errors count for each system, with what weight."""
    table = next((each for each in evidence.tables if each.measure == MEASURE), None)
    if table is None:
        return Errors(weights=None, systems=(), categories=(), segments=())
    values = system_values(evidence, table).in_rank_order()
    counted = evidence.of_systems(table)
    return Errors(
        weights=evidence.recipe.weights or DEFAULT_WEIGHTS,
        systems=tuple(
            _system(evidence.marked, table, counted, name, mean)
            for name, mean in zip(values.names, values.raw_means.tolist(), strict=True)
        ),
        categories=tuple(_categories(evidence, table, counted, values.names)),
        segments=tuple(_segments(table.where(counted & ~table.is_document_level))),
    )


def _system(marked: ErrorTable | None, table: ScoreTable, counted: BoolArray, name: str, mean: float) -> SystemErrors:
    rows = counted & (table.system == table.systems.index(name))
    own = table.where(rows)
    points = -own.values + 0.0
    known = ~np.isnan(own.source_words)
    return SystemErrors(
        system=name,
        penalty=number(table.natural(mean), "no_judgments"),
        points=number(float(points.sum())),
        words=number(float(own.source_words[known].sum())) if known.any() else Missing("words_unknown"),
        per_word=number(per_word(points, own.source_words), "words_unknown"),
        quality_score=number(quality_score(points, own.source_words), "words_unknown"),
        errors=int(np.count_nonzero(rows[marked.row])) if marked is not None else 0,
        clean=number(float(np.mean(points == 0))) if len(own) else Missing("no_judgments"),
        judgments=len(own),
        suggestions=_suggestions(marked, rows),
    )


def _suggestions(marked: ErrorTable | None, rows: BoolArray) -> dict[str, int] | Missing:
    if marked is None or marked.suggestions is None:
        return Missing("nothing_suggested")
    outcomes = marked.suggestions.outcome[rows[marked.suggestions.row]]
    return dict(zip(OUTCOMES, np.bincount(outcomes, minlength=len(OUTCOMES)).tolist(), strict=True))


def _categories(
    evidence: Evidence, table: ScoreTable, counted: BoolArray, systems: tuple[str, ...]
) -> list[CategoryErrors]:
    """In the order of systems; within one the heaviest first."""
    marked = evidence.marked
    if marked is None or not len(marked):
        return []
    mask = counted[marked.row]
    counts = Counter(zip(table.system[marked.row[mask]].tolist(), marked.label[mask].tolist(), strict=True))
    used = sorted({label for _system, label in counts})
    names = ([column[label] for label in used] for column in (marked.categories, marked.severities))
    of_labels = error_weights(*names, weights=weights_named(evidence.recipe.weights))
    weights = dict(zip(used, of_labels.tolist(), strict=True))
    rank = {table.systems.index(name): place for place, name in enumerate(systems)}
    ordered = sorted(
        (rank[system], -round(weights[label] * count, 6), label, table.systems[system], count)
        for (system, label), count in counts.items()
    )
    return [
        CategoryErrors(name, marked.categories[label], marked.severities[label], count, -points + 0.0)
        for _rank, points, label, name, count in ordered
    ]


def _segments(table: ScoreTable) -> list[SegmentPenalty]:
    """By system, then in the order of the test set."""
    n_segments = len(table.segments)
    cells = table.system * n_segments + table.segment
    places, first, code = np.unique(cells, return_index=True, return_inverse=True)
    means = group_means(table.values, code, places.size)
    return [
        SegmentPenalty(
            system=table.systems[table.system[row]],
            document=table.documents[table.document[row]],
            segment=table.segments[table.segment[row]],
            penalty=number(table.natural(float(mean)), "no_judgments"),
        )
        for row, mean in zip(first, means, strict=True)
    ]


def critical_in_thousand_words(result: Errors) -> dict[str, float | None]:
    """By system; None where the number of words is not known."""
    counts: Counter[str] = Counter()
    for entry in result.categories:
        counts[entry.system] += entry.count * (plain_label(entry.severity) == "critical")
    return {
        one.system: 1000 * counts[one.system] / one.words if isinstance(one.words, float) and one.words else None
        for one in result.systems
    }


def system_errors_table(result: Errors) -> Table:
    """For a terminal."""
    decimals = {"penalty": 3, "per_word": 4, "quality_score": 1}
    names = ("system", "penalty", "errors", "clean", "per_word", "quality_score", "judgments")
    columns = tuple(Column(name, decimals=decimals.get(name, 2)) for name in names)
    return Table("error-systems", "", columns=columns, rows=rows_of(columns, result.systems), terminal=names)


def marked_errors_table(result: Errors) -> Table:
    """A row for each system, category and severity."""
    judgments = {one.system: one.judgments for one in result.systems}
    columns = (
        Column("system", gettext_lazy("System"), Form.NAME),
        Column("category", gettext_lazy("Category"), Form.TEXT),
        Column("severity", gettext_lazy("Severity"), Form.TEXT),
        Column("count", gettext_lazy("Errors"), Form.COUNT),
        Column("points", gettext_lazy("Points")),
        Column("judgments", form=Form.COUNT),
        Column("weights", form=Form.TEXT),
    )
    others = {"judgments": lambda one: judgments[one.system], "weights": lambda _one: result.weights}
    return Table(
        "errors",
        _("Errors by category and severity"),
        columns=columns,
        rows=rows_of(columns, result.categories, others),
        paper=("system", "category", "severity", "count", "points"),
        paper_csv_has_all=False,
    )


def suggestions_table(result: Errors) -> Table:
    """What became of suggested errors."""
    return Table(
        "suggestions",
        _("Suggested errors"),
        columns=(
            Column("system", gettext_lazy("System"), Form.NAME),
            *(Column(name, title, Form.COUNT) for name, title in OUTCOME_WORDS.items()),
        ),
        rows=tuple(
            (one.system, *(one.suggestions[name] for name in OUTCOME_WORDS))
            for one in result.systems
            if not isinstance(one.suggestions, Missing)
        ),
        part="suggestions",
        page=("system", *OUTCOME_WORDS),
    )


def error_tables(result: Errors) -> list[Table]:
    return [system_errors_table(result), marked_errors_table(result), suggestions_table(result)]


class _CategorySums:
    """Of every category, and of all under `ALL`, by system: points in a hundred judgments, errors by severity."""

    ALL = None

    def __init__(self, result: Errors) -> None:
        occurring = {plain_label(one.severity) for one in result.categories}
        self.severities = [name for name in SEVERITIES[1:] if name in occurring]
        self.systems = [one.system for one in result.systems]
        self._judgments = {one.system: one.judgments for one in result.systems}
        self._points: defaultdict[tuple[str | None, str], float] = defaultdict(float)
        self._counts = Counter[tuple[str | None, str, str]]()
        for entry in result.categories:
            for category in (entry.category, self.ALL):
                self._points[category, entry.system] += entry.points
                self._counts[category, entry.system, plain_label(entry.severity)] += entry.count

    def points(self, category: str | None, system: str) -> float:
        judgments = self._judgments[system]
        return 100 * self._points[category, system] / judgments if judgments else 0.0

    def heaviest_first(self) -> list[str]:
        categories = {category for category, _system in self._points if category is not None}
        weights = {category: sum(self.points(category, name) for name in self.systems) for category in categories}
        return sorted(weights, key=lambda category: (-weights[category], category))

    def cells(self, category: str | None, heaviest: float = 0.0) -> tuple[Marked, ...]:
        """Shaded by their share of the heaviest cell, the number of errors beside the points."""
        return tuple(self._cell(category, system, heaviest) for system in self.systems)

    def _cell(self, category: str | None, system: str, heaviest: float) -> Marked:
        points = self.points(category, system)
        counts = {severity: self._counts[category, system, severity] for severity in self.severities}
        return Marked(
            points,
            shade=str(sum(points > share * heaviest for share in _SHADES)) if heaviest else "",
            is_bold=True,
            small_text=" · ".join(map(str, counts.values())),
            words=", ".join(f"{SEVERITY_WORDS[severity]} {count}" for severity, count in counts.items()),
        )


def category_table(result: Errors, titles: Mapping[str, str]) -> Table | None:
    """For a page: a row a category, a column a system; `titles` are those of categories by path.

    None where no error was marked.
    """
    sums = _CategorySums(result)
    categories = sums.heaviest_first()
    if not categories:
        return None
    heaviest = max(sums.points(category, system) for category in categories for system in sums.systems)

    def named(category: str) -> Marked:
        return Marked(category_words(category, titles) or _("No category"))

    columns = [Column(f"@{name}", name, decimals=1, highest_first=True) for name in sums.systems]
    return Table(
        "errors",
        _("Errors by category and severity"),
        columns=(Column("category", gettext_lazy("Category"), Form.NAME), *columns),
        rows=tuple((named(category), *sums.cells(category, heaviest)) for category in categories),
        sums=(_("All"), *sums.cells(sums.ALL)),
        part="errors",
        page=("category", *(column.name for column in columns)),
        lead=_("number of errors, in this order"),
        legend=tuple((SEVERITIES.index(name), SEVERITY_WORDS[name]) for name in sums.severities),
        notes=(
            _(
                "Bold: penalty points per 100 judgments; a stronger blue means more. The category with "
                "the most points comes first. Beside it: the number of errors by severity, without "
                "neutral ones."
            ),
        ),
    )
