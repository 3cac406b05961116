"""What one person reaches against the others, beside what metrics reach on the same outputs."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.marked_spans import judged_rows
from metrics.analyses.people_and_metrics import People, left_out, people_of, side_by_side
from metrics.analyses.shared_ratings import items_of
from metrics.coefficient_names import CORRELATIONS
from metrics.results.tables import Cell, Column, Form, Table, Text
from metrics.results.values import Ends, Missing, Number, interval_ends, number
from metrics.scoring.reading import TestSetScores
from metrics.statistics.arrays import FloatArray, IntArray
from metrics.statistics.correlation.ceiling import FEWEST_CELLS, Ceiling, human_ceiling

PERSON = "person"
_WHY: Mapping[str, Text] = {
    "too_few": gettext_lazy("n/a: fewer than ten outputs were judged by several annotators"),
    "constant": gettext_lazy("n/a: all scores are the same"),
    "no_score": gettext_lazy("n/a: it scored too few of these outputs"),
    "not_scores": gettext_lazy("n/a: translations were ranked, not scored"),
}
_COLUMNS = (
    Column("level", "", Form.TEXT),
    Column("kind", "", Form.TEXT),
    Column("name", "", Form.TEXT),
    Column("title", gettext_lazy("Against the other annotators"), Form.NAME, under="of", is_in_files=False),
    Column("of", "", Form.TEXT, is_in_files=False),
    Column("pearson", CORRELATIONS["pearson"], decimals=3, missing=_WHY),
    Column(
        "interval", gettext_lazy("95% interval"), Form.ENDS, 3, keys=("pearson_low", "pearson_high"), of="pearson"
    ),
    Column("kendall_b", CORRELATIONS["kendall_b"], decimals=3),
    Column("cells", gettext_lazy("Outputs"), Form.COUNT),
    Column("above_ceiling", gettext_lazy("Above one person"), Form.YES_NO),
    Column("difference", gettext_lazy("Metric − person"), Form.SIGNED, decimals=3),
    Column(
        "difference_interval", gettext_lazy("95% interval"), Form.ENDS, 3,
        keys=("difference_low", "difference_high"), of="difference",
    ),
    Column("signature", "", Form.TEXT),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class PersonCeiling:
    """The mean over `annotators`, weighted by their outputs."""

    pearson: Number
    kendall_b: Number
    interval: Ends
    annotators: int


@dataclass(frozen=True, kw_only=True)
class MetricCeiling:
    """A metric against the same others; `difference` is metric minus person, on the outputs that it scored."""

    metric: str
    pearson: Number
    kendall_b: Number
    above_ceiling: bool | Missing
    interval: Ends
    difference: Number
    difference_interval: Ends


@dataclass(frozen=True, kw_only=True)
class AnnotatorCeiling:
    annotator: str
    cells: int
    pearson: Number
    kendall_b: Number


@dataclass(frozen=True, kw_only=True)
class CeilingLevel:
    """On `cells`: outputs that two annotators or more judged."""

    human: PersonCeiling
    metrics: tuple[MetricCeiling, ...]
    annotators: tuple[AnnotatorCeiling, ...]
    cells: int


@dataclass(frozen=True, kw_only=True)
class HumanCeiling(CeilingLevel):
    """Output by output, and `of_systems`: of the means of systems over each annotator's outputs."""

    of_systems: CeilingLevel | None = None


def ceiling(evidence: Evidence) -> HumanCeiling:
    """By the first measure, as it ranks systems; without the systems that correlations leave out."""
    people, scores = people_of(evidence), evidence.metrics
    if people is None or people.by == "expected_wins":
        nothing = human_ceiling([], [], [], [])
        return HumanCeiling(**vars(_result(nothing, (), (), "no_judgments" if people is None else "not_scores")))
    out = left_out(side_by_side(people, scores), evidence, scores) if scores else {}
    return _of_people(evidence, people, scores, out)


def _of_people(
    evidence: Evidence, people: People, scores: TestSetScores | None, out: Mapping[str, str]
) -> HumanCeiling:
    table = people.table
    values = evidence.normalised(table).values if people.by == "z" else table.values
    is_out = np.array([name in out for name in table.systems], dtype=np.bool_)
    rows = judged_rows(evidence, table)
    rows = rows[~np.isnan(values[rows]) & ~is_out[table.system[rows]] & ~table.is_document_level[rows]]
    metrics = scores.metrics if scores else ()
    recipe = evidence.recipe
    of_metrics = _scores_of(people, scores, rows) if scores else []

    def at(systems: IntArray | None) -> CeilingLevel:
        made = human_ceiling(
            values[rows],
            table.annotator[rows],
            items_of(table)[rows],
            table.segment[rows],
            of_metrics,
            systems=systems,
            resamples=recipe.interval_resamples,
            confidence=recipe.interval_level,
            rng=recipe.rng,
        )
        return _result(made, tuple(metric.name for metric in metrics), table.annotators, made.reason)

    return HumanCeiling(**vars(at(None)), of_systems=at(table.system[rows]))


def _scores_of(people: People, scores: TestSetScores, rows: IntArray) -> list[FloatArray]:
    """Each metric's score of each row's output, higher is better; NaN where it has none."""
    table = people.table
    systems = {name: place for place, name in enumerate(scores.systems)}
    segments = {key: place for place, key in enumerate(scores.segment_ids)}
    system = np.array([systems.get(name, -1) for name in table.systems], dtype=np.int64)[table.system[rows]]
    segment = np.array([segments.get(key, -1) for key in table.segment_ids], dtype=np.int64)
    segment = segment[table.segment[rows]] if rows.size else rows
    known = (system >= 0) & (segment >= 0)
    columns = []
    for metric in scores.metrics:
        column = np.full(rows.size, np.nan)
        if metric.segments.size:
            column[known] = metric.segments[system[known], segment[known]] * metric.sign
        columns.append(column)
    return columns


def _result(made: Ceiling, metrics: tuple[str, ...], annotators: tuple[str, ...], reason: str) -> CeilingLevel:
    reached = number(made.pearson, reason or "constant")
    return CeilingLevel(
        human=PersonCeiling(
            pearson=reached,
            kendall_b=number(made.kendall_b, reason or "constant"),
            interval=interval_ends(made.interval, reached),
            annotators=sum(1 for person in made.people if not np.isnan(person.pearson)),
        ),
        metrics=tuple(_metric(made, place, name, reason) for place, name in enumerate(metrics)),
        annotators=tuple(
            AnnotatorCeiling(
                annotator=annotators[person.annotator],
                cells=person.cells,
                pearson=number(person.pearson, "constant" if person.cells >= FEWEST_CELLS else "too_few"),
                kendall_b=number(person.kendall_b, "constant" if person.cells >= FEWEST_CELLS else "too_few"),
            )
            for person in made.people
        ),
        cells=made.cells,
    )


def _metric(made: Ceiling, place: int, name: str, reason: str) -> MetricCeiling:
    metric = made.metrics[place]
    pearson = number(metric.pearson, reason or "no_score")
    difference = number(metric.difference, reason or "no_score")
    return MetricCeiling(
        metric=name,
        pearson=pearson,
        kendall_b=number(metric.kendall_b, reason or "no_score"),
        above_ceiling=difference if isinstance(difference, Missing) else difference > 0,
        interval=interval_ends(metric.interval, pearson),
        difference=difference,
        difference_interval=interval_ends(metric.difference_interval, difference),
    )


def ceiling_tables(
    result: HumanCeiling | None, titles: Mapping[str, str] | None = None, signature: str = ""
) -> list[Table]:
    """Of outputs, then of systems' means where somebody judged enough systems."""
    tables = [ceiling_table(result, titles, signature=signature)]
    of_systems = result.of_systems if result else None
    if of_systems and not isinstance(of_systems.human.pearson, Missing):
        tables.append(ceiling_table(of_systems, titles, signature=signature, of_systems=True))
    return tables


def ceiling_table(
    result: CeilingLevel | None,
    titles: Mapping[str, str] | None = None,
    people: Mapping[str, str] | None = None,
    signature: str = "",
    *,
    of_systems: bool = False,
) -> Table:
    """One person among metrics, the closest to the others first; then each annotator. `titles` and `people` by name."""
    rows: list[tuple[Cell, ...]] = []
    if result is not None:
        person = result.human
        means = ngettext("mean of %(count)d annotator", "mean of %(count)d annotators", person.annotators)
        means %= {"count": person.annotators}
        first: tuple[Cell, ...] = (
            PERSON, "", _("One person"), means, person.pearson, person.interval, person.kendall_b, result.cells,
            None, None, None, signature,
        )  # fmt: skip
        of_metrics: list[tuple[Cell, ...]] = [
            (
                "metric", one.metric, (titles or {}).get(one.metric, one.metric), "", one.pearson, one.interval,
                one.kendall_b, result.cells, None if isinstance(one.above_ceiling, Missing) else one.above_ceiling,
                one.difference, one.difference_interval, signature,
            )
            for one in result.metrics
        ]  # fmt: skip
        rows = sorted([first, *of_metrics], key=_closest_first)
        rows += [
            (
                "annotator", one.annotator, (people or {}).get(one.annotator, one.annotator), _("annotator"),
                one.pearson, None, one.kendall_b, one.cells, None, None, None, signature,
            )
            for one in result.annotators
        ]  # fmt: skip
    level = "system" if of_systems else "output"
    rows = [(level, *row) for row in rows]
    n_first = 1 + len(result.metrics) if result else 0
    return Table(
        "ceiling",
        _("What one person reaches: systems’ means") if of_systems else _("What one person reaches"),
        _COLUMNS,
        tuple(rows),
        part="ceiling-systems" if of_systems else "ceiling",
        page=(
            "title", "chart:interval", "pearson", "kendall_b", "cells", "difference",
            "ends:difference_interval",
        ),
        terminal=("level", "kind", "name", "pearson", "interval", "kendall_b", "cells", "above_ceiling"),
        main="pearson",
        main_row=_("One person"),
        cuts=frozenset({n_first - 1}) if result and result.annotators else frozenset(),
        is_sortable=False,
        notes=(
            *([_("The means of systems over each annotator’s outputs are compared. Few systems: wide intervals.")]
              if of_systems else []),
            _("Each annotator’s scores against the mean of the others’ on the same outputs, and each metric’s against "
              "the same means; means over annotators, weighted by outputs."),
            _("A metric above one person agrees with the others better than one person does. That is not “superhuman”: "
              "the others are people, too, and their mean is what both are measured by."),
        ),
    )  # fmt: skip


def _closest_first(row: tuple[Cell, ...]) -> tuple[float, str]:
    pearson = row[4]
    return (-pearson if isinstance(pearson, float) else 2.0), str(row[1])
