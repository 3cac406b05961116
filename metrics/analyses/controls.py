"""Control items beside their originals: a damaged or repeated translation, and the genuine judgment of the same."""

from dataclasses import dataclass
from typing import Literal, cast

import numpy as np

from metrics.matrices import ScoreTable
from metrics.statistics.arrays import FloatArray, IntArray
from metrics.statistics.quality import ControlTest, control_item_test


@dataclass(frozen=True)
class Pairs:
    """`controls[i]` was judged by `annotator[i]`, who gave the original `originals[i]`."""

    annotator: IntArray
    controls: FloatArray
    originals: FloatArray

    def of(self, annotator: int) -> tuple[FloatArray, FloatArray]:
        rows = self.annotator == annotator
        return self.controls[rows], self.originals[rows]


def pairs_of(table: ScoreTable, kind: str) -> Pairs:
    """Control rows of one kind with the regular row of the same annotator, assignment, system and unit.

    Where an assignment holds no original, one from another assignment of that annotator stands in; a control without
    any is left out.
    """
    controls = np.flatnonzero(table.of_kinds([kind]) & table.is_own)
    originals = np.flatnonzero(table.of_kinds(["regular"]))
    narrow = _match(table, controls, originals, within_assignment=True)
    wide = _match(table, controls, originals, within_assignment=False)
    matched = np.where(narrow >= 0, narrow, wide)
    found = matched >= 0
    controls, matched = controls[found], matched[found]
    return Pairs(table.annotator[controls], table.values[controls], table.values[matched])


def control_tests(table: ScoreTable, test: str) -> dict[str, ControlTest]:
    """Every annotator's control test by name; without control items one that is neither passed nor sufficient."""
    pairs = pairs_of(table, "degraded")
    kind = cast("Literal['paired-t', 'signed-rank']", test)
    return {name: control_item_test(*pairs.of(code), test=kind) for code, name in enumerate(table.annotators)}


def _match(table: ScoreTable, controls: IntArray, originals: IntArray, *, within_assignment: bool) -> IntArray:
    """For each control row the first original row with the same key, or -1."""
    keys = table.annotator.copy()
    columns = [table.system, table.unit] + ([table.assignment] if within_assignment else [])
    for column in columns:
        keys = keys * (int(column.max(initial=0)) + 1) + column
    order = originals[np.argsort(keys[originals], kind="stable")]
    if not order.size:
        return np.full(controls.size, -1, dtype=np.int64)
    places = np.minimum(np.searchsorted(keys[order], keys[controls]), order.size - 1)
    return np.where(keys[order[places]] == keys[controls], order[places], -1)
