"""The tables of the ordinal model: systems in logits, all pairs, and annotators."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from metrics.analyses.mixed import ModelledSystem, OrdinalMeasure
from metrics.results.tables import Cell, Column, Form, Table, Text, rows_of
from metrics.results.values import Missing

MOST_PAIRS = 45  # on a page: of ten systems; the file has all
NO_ORDINAL_MODEL: Mapping[str, Text] = {
    "no_scores": gettext_lazy("nothing was judged"),
    "no_variation": gettext_lazy("all ratings are equal"),
    "too_few_scores": gettext_lazy("there are too few ratings"),
    "too_many_scores": gettext_lazy("there are too many ratings"),
    "too_many_points": gettext_lazy("the scale has too many points"),
    "separated": gettext_lazy(
        "the ratings put no end to a difference, for example because a system has nothing but the best point"
    ),
}


def ordinal_tables(
    measures: Sequence[OrdinalMeasure], title: Callable[[str], Text] = str, *, with_people: bool = True
) -> list[Table]:
    """Systems of each measure; then the pairs and, `with_people`, the annotators of all."""
    is_alone = len(measures) == 1
    tables = [ordinal_table(one, title(one.measure), is_alone=is_alone) for one in measures]
    rest = [ordinal_pairs_table(measures, title), ordinal_severities_table(measures, title)][: 2 if with_people else 1]
    return [table for table in (*tables, *rest) if table.rows]


def ordinal_table(result: OrdinalMeasure, title: Text, *, is_alone: bool = True) -> Table:
    """Systems in rank order, in logits, and how often each is rated above the next."""
    columns = _columns()
    next_of = {one.system: below.system for one, below in pairwise(result.systems)}
    pairs = {(pair.first, pair.second): pair for pair in result.tests}
    made: dict[str, Callable[[ModelledSystem], Cell]] = {
        "measure": lambda _one: result.measure,
        "greater": lambda one: _of_next(one, next_of, lambda names: pairs[names].greater),
        "equal": lambda one: _of_next(one, next_of, lambda names: pairs[names].equal),
    }
    return Table(
        "ordinal",
        _("Ordinal model") if is_alone else _("Ordinal model: %(measure)s") % {"measure": title},
        columns=columns,
        rows=() if result.reason else rows_of(columns, result.systems, made),
        about=_("Logits"),
        part="ordinal" if is_alone else f"ordinal-{result.measure}",
        paper_name="ordinal" if is_alone else f"ordinal-{result.measure}",
        page=("rank", "system", "chart:interval", "mean", "half:interval", "greater", "equal", "scores"),
        paper=("rank", "system", "mean", "interval", "greater", "equal", "scores"),
        terminal=("rank", "system", "measure", "mean", "interval", "greater", "equal", "scores"),
        main="mean",
        cuts=frozenset(at for at, (one, below) in enumerate(pairwise(result.systems)) if one.cluster != below.cluster),
        lead=_("Points taken as an order, not as numbers, as if every annotator had rated every system on every text."),
        cuts_lead=_("A heavy line separates groups that differ significantly."),
        notes=tuple(_notes(result)),
    )


def _of_next(one: ModelledSystem, next_of: Mapping[str, str], value: Callable[[tuple[str, str]], Cell]) -> Cell:
    below = next_of.get(one.system)
    return value((one.system, below)) if below else None


def _columns() -> tuple[Column, ...]:
    return (
        Column("system", gettext_lazy("System"), Form.NAME),
        Column("measure", gettext_lazy("Measure"), Form.TEXT),
        Column("rank", gettext_lazy("Rank"), Form.RANKS, keys=("rank_first", "rank_last")),
        Column("cluster", gettext_lazy("Cluster"), Form.COUNT),
        Column("mean", gettext_lazy("Logits"), Form.SIGNED, 2),
        Column("interval", gettext_lazy("Logits, 95% interval"), Form.ENDS, 2, keys=("low", "high"), of="mean"),
        Column("se", gettext_lazy("Standard error"), decimals=3),
        Column("greater", gettext_lazy("Above the next"), Form.SHARE, 0),
        Column("equal", gettext_lazy("Equal to the next"), Form.SHARE, 0),
        Column("scores", "n", Form.COUNT, highest_first=True),
    )


ORDINAL_COLUMNS = tuple(key for column in _columns() for key in column.file_keys)


def _notes(result: OrdinalMeasure) -> list[str]:
    return [
        _("Model: %(formula)s, cumulative logit, by Laplace’s approximation.") % {"formula": result.formula},
        _(
            "Logits: a difference d multiplies the odds of a rating above any point by e^d. %(system)s is 0 and has no "
            "interval of its own; each difference between two systems has one."
        )
        % {"system": result.zero},
        _(
            "Above the next: how often an annotator of average severity rates the system above the next one on an "
            "average text; equal: how often both get the same point."
        ),
    ]


def without_model(measures: Sequence[OrdinalMeasure], title: Callable[[str], Text] = str) -> list[str]:
    """Why a measure has no ordinal model, a sentence each."""
    return [
        _("%(measure)s has no ordinal model: %(reason)s.")
        % {"measure": title(one.measure), "reason": NO_ORDINAL_MODEL.get(one.reason, one.reason)}
        for one in measures
        if one.reason
    ]


def ordinal_pairs_table(measures: Sequence[OrdinalMeasure], title: Callable[[str], Text] = str) -> Table:
    """Every two systems; a page has the first MOST_PAIRS."""
    columns = (
        Column("first", gettext_lazy("System"), Form.NAME),
        Column("second", gettext_lazy("Compared with"), Form.TEXT),
        Column("measure", gettext_lazy("Measure"), Form.TEXT),
        Column("difference", gettext_lazy("Logits"), Form.SIGNED, 2),
        Column("interval", gettext_lazy("Logits, 95% interval"), Form.ENDS, 2, keys=("low", "high"), of="difference"),
        Column("greater", gettext_lazy("Rated above"), Form.SHARE, 0),
        Column("equal", gettext_lazy("Rated equal"), Form.SHARE, 0),
        Column("p", "p", Form.P),
        Column("p_corrected", gettext_lazy("p, corrected"), Form.P),
        Column("is_win", gettext_lazy("Significant"), Form.YES_NO),
    )
    rows = tuple(
        (
            pair.first, pair.second, str(title(one.measure)), pair.difference, pair.interval, pair.greater, pair.equal,
            pair.p, pair.p_corrected, pair.is_win,
        )
        for one in measures
        for pair in one.tests
        if not one.reason
    )  # fmt: skip
    names, is_alone = tuple(column.name for column in columns), len({row[2] for row in rows}) == 1
    return Table(
        "ordinal-pairs",
        _("Pairs of systems in the ordinal model"),
        columns=columns,
        rows=rows,
        part="ordinal-pairs",
        main="difference",
        lead=_("How often an annotator of average severity rates the first above the second on an average text."),
        most_rows=MOST_PAIRS,
        notes=(_("The CSV file has all %(count)d pairs.") % {"count": len(rows)},) if len(rows) > MOST_PAIRS else (),
        page=(
            "first",
            "second",
            *(() if is_alone else ("measure",)),
            "chart:interval",
            "difference",
            "half:interval",
            "greater",
            "equal",
            "p_corrected",
        ),
        paper=tuple(name for name in names if name != "is_win"),
        terminal=names,
        is_sortable=False,
    )


def ordinal_severities_table(measures: Sequence[OrdinalMeasure], title: Callable[[str], Text] = str) -> Table:
    """How much higher or lower each annotator rates than others would, in logits."""
    columns = (
        Column("annotator", gettext_lazy("Annotator"), Form.NAME),
        Column("measure", gettext_lazy("Measure"), Form.TEXT),
        Column("effect", gettext_lazy("Above others"), Form.SIGNED, 2),
        Column("interval", gettext_lazy("Logits, 95% interval"), Form.ENDS, 2, keys=("low", "high"), of="effect"),
        Column("scores", "n", Form.COUNT),
    )
    rows = tuple(
        (one.annotator, str(title(each.measure)), one.effect, one.interval, one.scores)
        for each in measures
        for one in each.annotators
        if not isinstance(one.effect, Missing)
    )
    is_alone = len({row[1] for row in rows}) == 1
    return Table(
        "ordinal-severities",
        _("Annotators’ severity in the ordinal model"),
        columns=columns,
        rows=rows,
        part="ordinal-severities",
        page=("annotator", *(() if is_alone else ("measure",)), "chart:interval", "effect", "half:interval", "scores"),
        main="effect",
        lead=_("Above 0: gives higher points than others would to the same translations."),
        terminal=("annotator", "measure", "effect", "interval", "scores"),
        is_sortable=False,
    )
