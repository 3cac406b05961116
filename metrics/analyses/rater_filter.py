"""Which annotators a recipe drops because their differences between systems are not those of everybody else."""

from collections.abc import Set
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from metrics.matrices import ScoreTable
from metrics.results.tables import Column, Form, MadeCells, Table, rows_of
from metrics.results.values import Number, number
from metrics.statistics.arrays import BoolArray, joint_codes
from metrics.statistics.rater_fit import rater_fits


@dataclass(frozen=True)
class RaterFit:
    """`pairs` are those of systems side by side in one row, on `screens` screens in all."""

    annotator: str
    screens: int
    pairs: int
    fit: Number
    kept: bool


@dataclass(frozen=True)
class RaterFilter:
    """Who is dropped: three screens or more, and a fit below `threshold`."""

    threshold: float
    annotators: tuple[RaterFit, ...]

    @property
    def dropped(self) -> frozenset[str]:
        return frozenset(one.annotator for one in self.annotators if not one.kept)


def fits_table(result: RaterFilter | None) -> Table:
    """Who fits how well, and who is dropped; no rows without a filter."""
    columns = (
        Column("annotator", gettext_lazy("Annotator"), Form.NAME),
        Column("screens", gettext_lazy("Screens"), Form.COUNT),
        Column("pairs", gettext_lazy("Pairs side by side"), Form.COUNT),
        Column("fit", gettext_lazy("Fit"), decimals=3),
        Column("kept", "", Form.YES_NO),
        Column("state", gettext_lazy("Counts"), Form.TEXT, is_in_files=False),
    )
    rows = result.annotators if result else ()
    numbers = ("annotator", "screens", "pairs", "fit")
    states: MadeCells = {"state": lambda one: _("yes") if one.kept else _("dropped")}
    lead = gettext_lazy("Do the differences between systems fit those of all annotators? Below %(threshold)s: dropped.")
    return Table(
        "fits",
        _("Annotators who count"),
        columns=columns,
        rows=rows_of(columns, rows, states),
        part="fits",
        page=(*numbers, "state"),
        terminal=(*numbers, "kept"),
        lead=lead % {"threshold": result.threshold} if result else "",
        dimmed=frozenset(one.annotator for one in rows if not one.kept),
    )


def rater_filter(table: ScoreTable, rows: BoolArray, names: Set[str], threshold: float) -> RaterFilter:
    """On these rows of the table, of annotators with these names; what a screen has of one unit is one row."""
    counting = np.array([name in names for name in table.annotators], dtype=np.bool_)
    used = table.where(rows & counting[table.annotator])
    row = joint_codes(used.screen, used.unit)
    fits = rater_fits(used.values, used.annotator, used.system, used.screen, row)
    kept = fits.kept(threshold)
    codes = np.unique(used.annotator)
    return RaterFilter(
        threshold,
        tuple(
            RaterFit(
                annotator=table.annotators[code],
                screens=int(fits.screens[place]),
                pairs=int(fits.pairs[place]),
                fit=number(fits.fit[place], "no_pairs"),
                kept=bool(kept[place]),
            )
            for place, code in enumerate(codes.tolist())
        ),
    )
