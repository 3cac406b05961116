"""The result of an analysis as text for a terminal."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from metrics.analyses.agreement import AnnotatorAgreement
from metrics.analyses.agreement_tables import agreement_tables, all_alphas
from metrics.analyses.correlation import Correlations
from metrics.analyses.correlation_tables import correlations_table
from metrics.analyses.errors import Errors, system_errors_table
from metrics.analyses.gisting import Gisting, comprehension_table
from metrics.analyses.post_editing import PostEditing, effort_table
from metrics.analyses.ranking import Ranking
from metrics.analyses.ranking_tables import ReadWith, ranking_tables
from metrics.results.codec import from_json
from metrics.results.tables import Cell, Column, Form, Table, rank_range
from metrics.results.values import Missing
from metrics.scoring import ScoredTestSet
from metrics.scoring.score_tables import run_table

_NOTES = {
    "no_shared_segments": gettext_lazy("Some systems share no segment, so that a paired test cannot compare them."),
    "few_documents": gettext_lazy(
        "With fewer than %(documents_needed)d documents no difference can become significant."
    ),
}


def as_text(result: Mapping[str, Any]) -> str:
    """Every analysis that has a form in text, then the signature."""
    parts = [f"{result['name']}: " + _("%(count)d judgments") % {"count": result["judgments"]}]
    parts += [_FORMS[name](numbers) for name, numbers in result["analyses"].items() if name in _FORMS]
    return "\n\n".join([*filter(None, parts), result["signature"]])


def scores_as_text(result: Mapping[str, Any]) -> str:
    """A metric after another, systems as they come, then the signatures."""
    scored = from_json(ScoredTestSet, result)
    signatures = [f"{one.metric}|{one.signature}" for one in scored.scores]
    signatures += [f"interval|{one.interval_signature}" for one in scored.scores if one.interval]
    lines = [*dict.fromkeys(signatures), scored.signature]
    return "\n\n".join([scored.test_set, _columns_of(run_table(scored.scores)), "\n".join(lines)])


def _ranking_text(part: Mapping[str, Any]) -> str:
    ranking = from_json(Ranking, part)
    tables = [_columns_of(table) for table in ranking_tables(ranking, ReadWith({})) if table.terminal]
    early = ranking.too_early
    if early:
        first = _("Too early for a ranking: %(judgments)d of %(needed)d judgments so far.") % vars(early)
        tables.insert(0, first)
    return "\n\n".join([*tables, *(_NOTES[note] % vars(ranking) for note in ranking.notes)])


def _columns_of(table: Table) -> str:
    """Columns and numbers as in files, rounded; over each interval how sure it is."""
    columns = [(table.column(name), table.place(name)) for name in table.terminal]
    header = ["95%" if column.form == Form.ENDS else column.name for column, _place in columns]
    return _table(header, [[_cell(column, row[place]) for column, place in columns] for row in table.rows])


def _cell(column: Column, cell: Cell) -> str:
    if cell is None or isinstance(cell, Missing):
        return "-"
    decimals = 2 if column.decimals is None else column.decimals + 2 * (column.form == Form.SHARE)
    if isinstance(cell, tuple):
        if column.form == Form.ENDS:
            return _interval(cell, decimals)
        return rank_range(cell)
    return _number(cell, decimals) if isinstance(cell, float) else str(cell)


def _annotators_text(annotators: Sequence[Mapping[str, Any]]) -> str:
    header = ("annotator", "judgments", "mean", "deviation", "seconds", "control p", "repeats", "in", "flags")
    return _table(
        header,
        [
            (
                entry["annotator"],
                str(entry["judgments"]),
                _number(entry["mean"], 2),
                _number(entry["deviation"], 2),
                _number(entry["seconds_median"], 0),
                _number(entry["control_p"], 4),
                _number(entry["repeat_difference"], 1),
                "yes" if entry["included"] else "no",
                " ".join(entry["flags"]),
            )
            for entry in annotators
        ],
    )


def _post_editing_text(part: Mapping[str, Any]) -> str:
    return _columns_of(effort_table(from_json(PostEditing, part)))


def _errors_text(part: Mapping[str, Any]) -> str:
    return _columns_of(system_errors_table(from_json(Errors, part)))


def _agreement_text(part: Mapping[str, Any]) -> str:
    result = from_json(AnnotatorAgreement, part)
    return "\n\n".join(map(_columns_of, agreement_tables(result, ReadWith({}), all_alphas)))


def _shown(value: Any) -> str:
    return str(value) if isinstance(value, int) else _number(value, 3)


def _exclusion_text(exclusion: Mapping[str, Any]) -> str:
    """Each number before and after."""
    header = ("system", "measure", "mean", "", "rank", "", "cluster", "", "judgments", "")
    systems = [
        (
            entry["system"],
            entry["measure"],
            *(_number(mean, 2) for mean in entry["mean"]),
            *(
                "-" if ranks is None else "–".join(str(rank) for rank in dict.fromkeys(ranks))
                for ranks in entry["rank"]
            ),
            *(_shown(cluster) for cluster in entry["cluster"]),
            *(_shown(count) for count in entry["judgments"]),
        )
        for entry in exclusion["systems"]
    ]
    agreement = [
        (entry["measure"], entry["coefficient"], *(_number(value, 3) for value in entry["value"]))
        for entry in exclusion["agreement"]
    ]
    names = [f"{way} " + ", ".join(exclusion[way]) for way in ("without", "readmitted") if exclusion[way]]
    return "\n\n".join([*names, _table(header, systems), _table(("agreement", "", "before", "after"), agreement)])


def _gisting_text(part: Mapping[str, Any]) -> str:
    return _columns_of(comprehension_table(from_json(Gisting, part)))


def _correlation_text(part: Mapping[str, Any]) -> str:
    result = from_json(Correlations, part)
    if result.reason:
        return _("Correlation with metrics: %(reason)s") % {"reason": result.reason}
    return _columns_of(correlations_table({"": result.metrics}))


def _slices_text(slices: Mapping[str, Any]) -> str:
    parts = [f"{slices['by']}: {name}\n{_ranking_text(one['ranking'])}" for name, one in slices["slices"].items()]
    return "\n\n".join(parts)


_FORMS: dict[str, Callable[[Any], str]] = {
    "ranking": _ranking_text,
    "agreement": _agreement_text,
    "gisting": _gisting_text,
    "slices": _slices_text,
    "correlation": _correlation_text,
    "annotators": _annotators_text,
    "errors": _errors_text,
    "exclusion": _exclusion_text,
    "post_editing": _post_editing_text,
}


def _number(value: float | None, decimals: int) -> str:
    return "-" if value is None else f"{value:.{decimals}f}"


def _interval(ends: Sequence[float] | None, decimals: int) -> str:
    return "-" if ends is None else f"{ends[0]:.{decimals}f} to {ends[1]:.{decimals}f}"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(cell) for cell in column) for column in zip(header, *rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (header, *rows))
    return "\n".join(line.rstrip() for line in lines)
