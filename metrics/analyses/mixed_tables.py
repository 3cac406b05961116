"""The tables of the mixed model: systems, pairs, how much of a score is whose, and annotators."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from metrics.analyses.mixed import (
    CONFOUNDED,
    NOT_CONNECTED,
    Mixed,
    MixedMeasure,
    ModelledPair,
    ModelledSystem,
    Severity,
)
from metrics.analyses.ordinal_tables import ordinal_tables
from metrics.analyses.ranking_tables import NOTES, in_groups
from metrics.results.tables import Cell, Column, Form, Table, Text, rows_of
from metrics.statistics.mixed import RESIDUAL

Title = Callable[[str], Text]
TERM_WORDS: Mapping[str, Text] = {
    "annotator": gettext_lazy("Annotator"),
    "document": gettext_lazy("Document"),
    "segment": gettext_lazy("Segment"),
    "document:system": gettext_lazy("System × text"),
    "segment:system": gettext_lazy("Output"),
    RESIDUAL: gettext_lazy("The rest"),
}
DECIDED_BY: Mapping[str, Text] = {
    "no_shared_segments": gettext_lazy(
        "Some systems have no segments in common, so the usual test cannot compare them."
    ),
    "annotators_uneven": gettext_lazy(
        "Annotators are not spread evenly over the systems, so plain means depend on who judged which system."
    ),
}


def mixed_tables(result: Mixed, title: Title = str) -> list[Table]:
    """A table of systems for each measure; then pairs, the variances and, where they are a term, annotators of all."""
    is_alone = len(result.measures) == 1
    tables = [systems_table(one, title(one.measure), is_alone=is_alone) for one in result.measures]
    rest = [
        model_pairs_table(result.measures, title),
        variances_table(result.measures, title),
        severities_table(result.measures, title),
        *ordinal_tables(result.ordinal, title),
    ]
    return [table for table in (*tables, *rest) if table.rows]


def systems_table(result: MixedMeasure, title: Text, *, is_alone: bool = True) -> Table:
    """Systems in rank order."""
    columns = _system_columns(title)
    made: dict[str, Callable[[ModelledSystem], Cell]] = {"measure": lambda _one: result.measure}
    return Table(
        "mixed",
        _("Mixed model") if is_alone else _("Mixed model: %(measure)s") % {"measure": title},
        columns=columns,
        rows=() if result.reason else rows_of(columns, result.systems, made),
        about=title,
        part="mixed" if is_alone else f"mixed-{result.measure}",
        paper_name="mixed" if is_alone else f"mixed-{result.measure}",
        page=("rank", "system", "chart:interval", "mean", "half:interval", "scores"),
        paper=("rank", "system", "mean", "interval", "scores"),
        terminal=("rank", "system", "measure", "mean", "interval", "se", "scores"),
        main="mean",
        cuts=frozenset(at for at, (one, below) in enumerate(pairwise(result.systems)) if one.cluster != below.cluster),
        lead=_("What each system would score if every annotator had judged it on every text."),
        cuts_lead=_("A heavy line separates groups that differ significantly."),
        notes=tuple(model_notes(result)),
    )


def _system_columns(title: Text) -> tuple[Column, ...]:
    return (
        Column("system", gettext_lazy("System"), Form.NAME),
        Column("measure", gettext_lazy("Measure"), Form.TEXT),
        Column("rank", gettext_lazy("Rank"), Form.RANKS, keys=("rank_first", "rank_last")),
        Column("cluster", gettext_lazy("Cluster"), Form.COUNT),
        Column("mean", title, decimals=None, paper_title=gettext_lazy("Mean")),
        Column(
            "interval", gettext_lazy("Mean, 95% interval"), Form.ENDS, decimals=None, keys=("low", "high"), of="mean"
        ),
        Column("se", gettext_lazy("Standard error"), decimals=3),
        Column("scores", "n", Form.COUNT, highest_first=True),
    )


MIXED_COLUMNS = tuple(key for column in _system_columns("") for key in column.file_keys)


def model_notes(result: MixedMeasure) -> list[str]:
    """What is in the model, what is not, and what it cannot tell."""
    notes = [
        _("Model: %(formula)s, by restricted maximum likelihood.") % {"formula": result.formula},
        _("Intervals hold for other texts and other annotators of the same kind."),
    ]
    if result.dropped:
        names = ", ".join(str(TERM_WORDS[name]) for name in result.dropped)
        notes.append(_("Left out, because these data cannot tell it from the rest: %(terms)s.") % {"terms": names})
    if NOT_CONNECTED in result.notes:
        notes.append(NOTES[NOT_CONNECTED] % {"groups": in_groups(result.components)})
    if CONFOUNDED in result.notes:
        notes.append(_("Annotators who judged one system only say little about it: their severity is not known."))
    return notes


def model_pairs_table(measures: Sequence[MixedMeasure], title: Title = str) -> Table:
    """Every two systems with their difference, its interval and its test."""
    columns = (
        Column("first", gettext_lazy("System"), Form.NAME),
        Column("second", gettext_lazy("Compared with"), Form.TEXT),
        Column("measure", gettext_lazy("Measure"), Form.TEXT),
        Column("difference", gettext_lazy("Difference"), Form.SIGNED, decimals=None),
        Column(
            "interval", gettext_lazy("95% interval"), Form.ENDS, decimals=None, keys=("low", "high"), of="difference"
        ),
        Column("se", gettext_lazy("Standard error"), decimals=3),
        Column("df", form=Form.COUNT),
        Column("p", "p", Form.P),
        Column("p_corrected", gettext_lazy("p, corrected"), Form.P),
        Column("is_win", gettext_lazy("Better"), Form.YES_NO, keys=("first_beats_second",)),
    )

    def rows_of_measure(one: MixedMeasure) -> tuple[tuple[Cell, ...], ...]:
        made: dict[str, Callable[[ModelledPair], Cell]] = {"measure": lambda _pair: str(title(one.measure))}
        return () if one.reason else rows_of(columns, one.tests, made)

    return Table(
        "mixed-pairs",
        _("Pairs of systems in the mixed model"),
        columns=columns,
        rows=tuple(row for one in measures for row in rows_of_measure(one)),
        part="mixed-pairs",
        terminal=("first", "second", "measure", "difference", "interval", "p", "p_corrected"),
        is_sortable=False,
    )


def variances_table(measures: Sequence[MixedMeasure], title: Title = str) -> Table:
    """How much of one score is whose: a row a term."""
    columns = (
        Column("measure", gettext_lazy("Measure"), Form.TEXT),
        Column("term", gettext_lazy("Part"), Form.NAME),
        Column("levels", gettext_lazy("Number"), Form.COUNT),
        Column("variance", gettext_lazy("Variance"), decimals=2),
        Column("share", gettext_lazy("Share"), Form.SHARE, 0),
        Column("part", gettext_lazy("Part of a score"), Form.TEXT, is_in_files=False),
    )
    rows = tuple(
        (str(title(one.measure)), name, one.levels.get(name), variance, one.shares.get(name), str(TERM_WORDS[name]))
        for one in measures
        for name, variance in one.variances.items()
    )
    is_alone = len(measures) == 1
    return Table(
        "variances",
        _("How much of a score is whose"),
        columns=columns,
        rows=rows,
        part="variances",
        page=(*(() if is_alone else ("measure",)), "part", "levels", "variance", "share"),
        terminal=("measure", "term", "levels", "variance", "share"),
        is_sortable=False,
    )


def severities_table(measures: Sequence[MixedMeasure], title: Title = str) -> Table:
    """How much higher or lower each annotator scores than others would."""
    columns = (
        Column("annotator", gettext_lazy("Annotator"), Form.NAME),
        Column("measure", gettext_lazy("Measure"), Form.TEXT),
        Column("effect", gettext_lazy("Above others"), Form.SIGNED, decimals=None),
        Column("interval", gettext_lazy("95% interval"), Form.ENDS, decimals=None, keys=("low", "high"), of="effect"),
        Column("scores", "n", Form.COUNT),
    )
    rows = tuple(_severity_row(one, str(title(each.measure))) for each in measures for one in each.annotators)
    is_alone = len(measures) == 1
    return Table(
        "severities",
        _("Annotators’ severity in the mixed model"),
        columns=columns,
        rows=rows,
        part="severities",
        page=("annotator", *(() if is_alone else ("measure",)), "effect", "interval", "scores"),
        terminal=("annotator", "measure", "effect", "interval", "scores"),
        is_sortable=False,
    )


def _severity_row(one: Severity, measure: str) -> tuple[Cell, ...]:
    return one.annotator, measure, one.effect, one.interval, one.scores
