"""The tables of every two systems of a ranking: for files, papers and the page."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from metrics.analyses.ranking import RankedMeasures
from metrics.results.tables import Column, Form, MadeCells, Marked, Table, rows_of
from metrics.results.values import Missing, Number

EXPECTED_WINS = "expected_wins"
BOUNDS = (
    Column("paired_n", form=Form.COUNT),
    Column("paired_difference", gettext_lazy("Paired difference"), Form.SIGNED),
    Column("paired_low", gettext_lazy("Paired bound"), Form.SIGNED),
    Column("unpaired_low", gettext_lazy("Unpaired bound"), Form.SIGNED),
)
_OF_BOUNDS: MadeCells = {
    "paired_n": lambda test: test.paired.n,
    "paired_difference": lambda test: test.paired.difference,
    "paired_low": lambda test: test.paired.low,
    "unpaired_low": lambda test: test.unpaired.low,
}


def population_of(ordered_by: str | None) -> str:
    """For what else the intervals of means and differences hold, as files name it."""
    if ordered_by == EXPECTED_WINS:
        return "other_segments"
    return "any_texts_any_annotators" if ordered_by == "model" else "other_documents_these_annotators"


def pairs_table(ranked: RankedMeasures) -> Table:
    """Every two systems by the first measure, with their test."""
    measure = next((test.measure for test in ranked.tests), "")
    has_bounds = any(test.paired for test in ranked.tests)
    ordered_by = ranked.ordered_by.get(measure)
    others: MadeCells = {
        **_OF_BOUNDS,
        "interval_for": lambda test: (
            None if test.difference_interval is None else population_of(test.difference_by or ordered_by)
        ),
    }
    columns = (
        Column("first", gettext_lazy("System"), Form.NAME),
        Column("second", gettext_lazy("Compared with"), Form.TEXT),
        Column("measure", form=Form.TEXT),
        Column("share", gettext_lazy("Share of wins"), Form.SHARE),
        Column("shared", form=Form.COUNT),
        Column("difference", gettext_lazy("Difference"), Form.SIGNED, decimals=None),
        Column("difference_interval", gettext_lazy("95% interval"), Form.ENDS, keys=("low", "high"), of="difference"),
        Column("interval_for", form=Form.TEXT),
        Column("p", "p", Form.P),
        Column("p_corrected", gettext_lazy("p, corrected"), Form.P),
        Column("is_win", gettext_lazy("Better"), Form.YES_NO, keys=("first_beats_second",)),
        *(BOUNDS if has_bounds else ()),
    )
    return Table(
        "pairs",
        _("Pairs of systems"),
        columns=columns,
        rows=rows_of(columns, [test for test in ranked.tests if test.measure == measure], others),
        paper=("first", "second", "difference", "paired_low", "unpaired_low", "is_win")
        if has_bounds
        else ("first", "second", "share", "p", "p_corrected"),
        paper_decimals=4,
        paper_csv_has_all=False,
    )


def head_to_head_table(ranked: RankedMeasures) -> Table | None:
    """For a page: how often the row's system is better than the column's, by the first measure, in rank order.

    None where no two systems share a segment.
    """
    tests = [test for test in ranked.tests if test.measure == ranked.tests[0].measure]
    if all(isinstance(test.share, Missing) for test in tests):
        return None
    names = list(dict.fromkeys(one.system for one in ranked.systems if one.measure == tests[0].measure))
    cells = {}
    for test in tests:
        share = test.share
        turned = share if isinstance(share, Missing) else 1 - share
        cells[test.first, test.second] = _better(share, is_significant=test.is_win)
        cells[test.second, test.first] = _better(turned, is_significant=test.is_win)
    columns = [Column(f"@{name}", name, decimals=0, scale=100, highest_first=True) for name in names]
    return Table(
        "pairs",
        _("Head to head"),
        columns=(Column("system", gettext_lazy("System"), Form.NAME), *columns),
        rows=tuple((one, *(cells.get((one, other)) for other in names)) for one in names),
        part="pairs",
        page=("system", *(column.name for column in columns)),
        lead=_(
            "Percent of shared segments on which the row’s system is better than the column’s; a tie "
            "counts half. Bold: significant."
        ),
    )


def _better(share: Number, *, is_significant: bool) -> Marked:
    if isinstance(share, Missing):
        return Marked(None, shade="0")
    distance = abs(share - 0.5)
    strength = 2 if distance >= 0.12 else 1 if distance >= 0.03 else 0
    sign = "" if not strength else "+" if share > 0.5 else "-"
    return Marked(share, f"{sign}{strength}", is_bold=is_significant, bold_means=_(", significant"))
