"""The analysis `campaign_table`: a campaign in one row, as the papers of WMT list their campaigns."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.shared_ratings import items_of
from metrics.matrices import ScoreTable
from metrics.results.tables import Column, Form, Table, Text, rows_of
from metrics.results.values import Missing, Number, number
from metrics.statistics.arrays import BoolArray
from metrics.statistics.duplicates import duplicate_mae
from metrics.statistics.pace import seconds_per_annotation

PENALTY = "penalty"


@dataclass(frozen=True)
class CampaignTable:
    """By one `measure`; `annotations` are scores of outputs that make systems' values, by annotators who count.

    `duplicate_mae` is over `duplicate_pairs` of annotators on one output, without planned repeats: of several scores
    of one annotator it takes the mean, `duplicate_mae_last_score_of_each` the last.
    """

    measure: str
    annotations: int
    systems: int
    annotations_per_system: Number
    minor_per_annotation: Number
    major_per_annotation: Number
    annotators: int
    duplicate_mae: Number
    duplicate_mae_last_score_of_each: Number
    duplicate_pairs: int
    seconds_per_annotation: Number


def campaign_table(evidence: Evidence) -> CampaignTable:
    """By what systems are compared by first. Errors and times are of outputs as shown, each counted once."""
    table = evidence.main_scores
    if table is None:
        nothing = Missing("no_judgments")
        return CampaignTable("", 0, 0, nothing, nothing, nothing, 0, nothing, nothing, 0, nothing)
    used = table.where(evidence.of_systems(table))
    systems = int(np.unique(used.system).size)
    unplanned = used.where((used.of_kinds(["regular"]) | used.is_by_chance) & used.is_own)
    values = np.array([used.natural(value) for value in unplanned.values.tolist()])
    scores = values, unplanned.annotator, items_of(unplanned)
    mean, last = duplicate_mae(*scores), duplicate_mae(*scores, of_each="last")
    no_mae = "not_scores" if table.is_relative else "no_overlap"
    return CampaignTable(
        measure=table.measure,
        annotations=len(used),
        systems=systems,
        annotations_per_system=len(used) / systems if systems else Missing("no_judgments"),
        minor_per_annotation=_marks(evidence, used, "minor"),
        major_per_annotation=_marks(evidence, used, "major"),
        annotators=int(np.unique(used.annotator).size),
        duplicate_mae=Missing(no_mae) if table.is_relative else number(mean.value, no_mae),
        duplicate_mae_last_score_of_each=Missing(no_mae) if table.is_relative else number(last.value, no_mae),
        duplicate_pairs=0 if table.is_relative else mean.pairs,
        seconds_per_annotation=_seconds(evidence, used),
    )


def _marks(evidence: Evidence, used: ScoreTable, severity: str) -> Number:
    """Marked errors of a severity by output."""
    marked, penalties = evidence.marked, next((one for one in evidence.tables if one.measure == PENALTY), None)
    outputs = int(np.count_nonzero(used.is_own))
    if marked is None or penalties is None:
        return Missing("no_spans_asked")
    if not outputs:
        return Missing("no_judgments")
    of_severity: BoolArray = np.array([one == severity for one in marked.severities], dtype=np.bool_)
    counted = evidence.of_systems(penalties) & penalties.is_own
    return int(np.count_nonzero(of_severity[marked.label] & counted[marked.row])) / outputs


def _seconds(evidence: Evidence, used: ScoreTable) -> Number:
    """Of screens on which it was logged what was done, and when."""
    actions = evidence.actions
    if actions is None:
        return Missing("no_actions")
    screen = np.array([actions.screens.get(one, -1) for one in used.judgment[used.is_own].tolist()], dtype=np.int64)
    screens, code = np.unique(screen[screen >= 0], return_inverse=True)
    scores = np.bincount(code, minlength=screens.size)
    known = np.isin(actions.screen, screens)
    at = np.searchsorted(screens, actions.screen[known])
    return number(seconds_per_annotation(actions.time[known], at, scores), "no_actions")


def campaign_tables(result: CampaignTable | None, title: Callable[[str], Text] = str) -> Table:
    """One row; none without a result. `title` is what people call a measure."""
    columns = (
        Column("measure", gettext_lazy("Measure"), Form.NAME),
        Column("annotations", gettext_lazy("Scores"), Form.COUNT),
        Column("systems", gettext_lazy("Systems"), Form.COUNT),
        Column("annotations_per_system", gettext_lazy("Scores per system"), decimals=1),
        Column("minor_per_annotation", gettext_lazy("Minor errors per score")),
        Column("major_per_annotation", gettext_lazy("Major errors per score")),
        Column("annotators", gettext_lazy("Annotators"), Form.COUNT),
        Column("duplicate_mae", gettext_lazy("Difference between annotators"), decimals=1),
        Column("duplicate_mae_last_score_of_each", decimals=1),
        Column("duplicate_pairs", form=Form.COUNT),
        Column("seconds_per_annotation", gettext_lazy("Seconds per score"), decimals=1),
    )
    shown = tuple(column.name for column in columns if column.title)
    return Table(
        "campaign-table",
        _("The campaign in one row"),
        columns=columns,
        rows=rows_of(
            columns,
            [result] if result and result.annotations else [],
            {"measure": lambda one: str(title(one.measure))},
        ),
        part="campaign-table",
        page=shown,
        paper=shown,
        terminal=shown,
        is_sortable=False,
        lead=_("As WMT lists its campaigns. Difference: between two annotators’ scores of one output, on average."),
    )
