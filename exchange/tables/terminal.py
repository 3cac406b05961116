"""The result of an analysis as text for a terminal."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from metrics.analyses import PARTS
from metrics.analyses.correlation import Correlations
from metrics.analyses.exclusion import Trial
from metrics.analyses.placebo import Placebo
from metrics.analyses.placebo_table import placebo_sentences
from metrics.analyses.ranking import Ranking
from metrics.analyses.ranking_tables import ReadWith, ranking_notes
from metrics.analyses.shown_tables import TABLES
from metrics.comparison.results import Comparison
from metrics.comparison.tables import WITHOUT_RANKING, changed_table, comparison_tables
from metrics.results.codec import from_json
from metrics.results.tables import Cell, Column, Form, Table, rank_range
from metrics.results.values import Missing
from metrics.scoring import INTERVAL_NOTES, MetricScore, ScoredTestSet
from metrics.scoring.names import remark_on


def as_text(result: Mapping[str, Any]) -> str:
    """Every analysis with a text form, then the signature."""
    judgments = result["judgments"]
    counted = ngettext("%(count)d judgment", "%(count)d judgments", judgments) % {"count": judgments}
    parts = [f"{result['name']}: {counted}"]
    parts += [_FORMS[name](numbers) for name, numbers in result["analyses"].items() if name in _FORMS]
    return "\n\n".join([*filter(None, parts), result["signature"]])


def scores_as_text(result: Mapping[str, Any]) -> str:
    """One metric after another, systems in their order, then the signatures."""
    scored = from_json(ScoredTestSet, result)
    signatures = [f"{one.metric}|{one.signature}" for one in scored.scores]
    signatures += [f"interval|{one.interval_signature}" for one in scored.scores if one.interval]
    lines = [*dict.fromkeys(signatures), scored.signature]
    return "\n\n".join([scored.test_set, columns_of(_scores_table(scored.scores)), "\n".join(lines)])


def comparison_as_text(comparison: Comparison) -> str:
    """Both campaigns, what is missing of them, and the tables that a terminal shows."""
    lines = []
    for about in (comparison.first, comparison.second):
        why = WITHOUT_RANKING.get(about.missing or "", "")
        lines.append(f"{about.name} ({about.campaign})" + (f": {why}" if why else ""))
    tables = [*comparison_tables(comparison).values(), changed_table(comparison)]
    shown = [columns_of(table) for table in tables if table.terminal and table.rows]
    return "\n\n".join(["\n".join(lines), *shown])


def _analysis_text(name: str, part: object) -> str:
    """The sentences before its tables, the tables, and the sentences after them."""
    result = from_json(PARTS[name], part)
    tables = [columns_of(table) for table in TABLES[name](result, ReadWith({})) if table.terminal]
    return "\n\n".join([*_before(result), *tables, *(ranking_notes(result) if isinstance(result, Ranking) else [])])


def _before(result: object) -> Iterator[str]:
    if isinstance(result, Ranking) and result.too_early:
        yield _("Too early for a ranking. Judgments so far: %(judgments)d of %(needed)d.") % vars(result.too_early)
    if isinstance(result, Correlations) and result.reason:
        yield _("Correlation with metrics: %(reason)s") % {"reason": result.reason}
    if isinstance(result, Placebo):
        yield from placebo_sentences(result)
    if isinstance(result, Trial):
        for way in ("without", "readmitted"):
            if names := getattr(result, way):
                yield f"{way} {', '.join(names)}"


def _scores_table(scores: Iterable[MetricScore]) -> Table:
    columns = (
        Column("metric", "", Form.TEXT),
        Column("system", "", Form.NAME),
        Column("score", "", decimals=4),
        Column("interval", "", Form.ENDS, decimals=4, of="score"),
        Column("segments", "", Form.COUNT),
        Column("note", "", Form.TEXT),
    )
    rows = []
    for one in scores:
        remark, note = remark_on(one.metric, one.signature), INTERVAL_NOTES.get(one.interval_note or "", "")
        metric = f"{one.metric} ({remark})" if remark else one.metric
        segments = None if one.unavailable else one.segments
        rows.append((metric, one.system, one.score, one.interval, segments, one.unavailable or str(note)))
    return Table("scores", "", columns, tuple(rows), terminal=tuple(column.name for column in columns))


def columns_of(table: Table) -> str:
    """Columns and numbers as in files, rounded; the confidence level above each interval."""
    columns = [(table.column(name), table.place(name)) for name in table.terminal]
    header = ["95%" if column.form == Form.ENDS else column.name for column, _place in columns]
    return _table(header, [[_cell(column, row[place]) for column, place in columns] for row in table.rows])


def _cell(column: Column, cell: Cell) -> str:
    if cell is None or isinstance(cell, Missing):
        return "-"
    decimals = 2 if column.decimals is None else column.decimals + 2 * (column.form == Form.SHARE)
    if isinstance(cell, tuple):
        return f"{cell[0]:.{decimals}f} to {cell[1]:.{decimals}f}" if column.form == Form.ENDS else rank_range(cell)
    if column.form == Form.YES_NO:
        return "yes" if cell else "no"
    return f"{cell:.{decimals}f}" if isinstance(cell, float) else str(cell)


def _slices_text(part: Mapping[str, Any]) -> str:
    parts = ((name, _analysis_text("ranking", one["ranking"])) for name, one in part["slices"].items())
    return "\n\n".join(f"{part['by']}: {name}\n{text}" for name, text in parts)


_FORMS: dict[str, Callable[[Any], str]] = {
    "slices": _slices_text,
    **{name: partial(_analysis_text, name) for name in TABLES},
}


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(cell) for cell in column) for column in zip(header, *rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (header, *rows))
    return "\n".join(line.rstrip() for line in lines)
