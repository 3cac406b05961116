"""Control items beside their originals: a damaged or repeated translation, and the genuine judgment of the same."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

import numpy as np

from metrics.matrices import ScoreTable
from metrics.statistics.arrays import FloatArray, IntArray, group_means, joint_codes
from metrics.statistics.quality import ControlTest, control_item_test, share_outdone

FEWEST_PAIRS = 5  # with fewer nobody fails


@dataclass(frozen=True)
class Pairs:
    """`controls[i]` was judged by `annotator[i]` in `judgment[i]`, who gave the original `originals[i]`."""

    annotator: IntArray
    judgment: IntArray
    controls: FloatArray
    originals: FloatArray

    def of(self, annotator: int) -> tuple[FloatArray, FloatArray]:
        rows = self.annotator == annotator
        return self.controls[rows], self.originals[rows]


def pairs_of(table: ScoreTable, kind: str) -> Pairs:
    """Control rows of one kind with the regular row of the same annotator, assignment, system and unit.

    Where an assignment has no original, one from another assignment of that annotator is used; a control without any is
    left out. Values that compare outputs of one screen become the share of the others there that the output beat.
    """
    values = shares_outdone(table) if table.is_relative else table.values
    controls = np.flatnonzero(table.of_kinds([kind]) & table.is_own)
    originals = np.flatnonzero(table.of_kinds(["regular"]))
    narrow = _match(table, controls, originals, within_assignment=True)
    wide = _match(table, controls, originals, within_assignment=False)
    matched = np.where(narrow >= 0, narrow, wide)
    is_matched = matched >= 0
    controls, matched = controls[is_matched], matched[is_matched]
    return Pairs(table.annotator[controls], table.judgment[controls], values[controls], values[matched])


def control_tests(tables: Sequence[ScoreTable], test: str) -> dict[str, ControlTest]:
    """Every annotator's control test by name; without control items the test is neither passed nor sufficient.

    Of several scales, each with two ends, the test is of their mean: one damaged text is one pair. Measures without
    ends (a count, a penalty) are tested one by one, and only where there is no scale.
    """
    scales = [table for table in tables if math.isfinite(table.high - table.low)]
    used = scales or list(tables[:1])
    names = sorted({name for table in tables for name in table.annotators})
    parts = [_recoded(pairs_of(table, "degraded"), table.annotators, names) for table in used]
    if len(used) > 1:
        parts = [_mean_of([_as_share(part, table) for part, table in zip(parts, used, strict=True)])]
    kind = cast("Literal['paired-t', 'signed-rank']", test)
    return {name: control_item_test(*parts[0].of(code), test=kind) for code, name in enumerate(names)}


def control_state(test: ControlTest) -> str:
    """`passed`, `failed`, `too_few` (not enough items to decide), or `none` (no control items)."""
    if not test.n:
        return "none"
    if test.is_passed:
        return "passed"
    could_show = test.is_sufficient or test.difference >= 0  # equal differences have no p, but are not lower
    return "failed" if could_show and test.n >= FEWEST_PAIRS else "too_few"


def shares_outdone(table: ScoreTable) -> FloatArray:
    """Of each row the share of the others on its screen that it outdid; each system credited with a slot has it."""
    slot = np.cumsum(table.is_own) - 1
    shares: FloatArray = share_outdone(table.values[table.is_own], table.judgment[table.is_own])[slot]
    return shares


def _recoded(pairs: Pairs, labels: Sequence[str], names: Sequence[str]) -> Pairs:
    codes = np.searchsorted(np.array(names), np.array(labels))
    return replace(pairs, annotator=codes[pairs.annotator])


def _as_share(pairs: Pairs, table: ScoreTable) -> Pairs:
    extent = table.high - table.low
    return replace(pairs, controls=pairs.controls / extent, originals=pairs.originals / extent)


def _mean_of(parts: Sequence[Pairs]) -> Pairs:
    """A pair for each judgment, of the means over its scales."""
    judgment, first, code = np.unique(
        np.concatenate([part.judgment for part in parts]), return_index=True, return_inverse=True
    )
    together = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ("controls", "originals")}
    means = {name: group_means(values, code, judgment.size) for name, values in together.items()}
    return Pairs(np.concatenate([part.annotator for part in parts])[first], judgment, **means)


def _match(table: ScoreTable, controls: IntArray, originals: IntArray, *, within_assignment: bool) -> IntArray:
    """For each control row the first original row with the same key, or -1."""
    of_assignment = (table.assignment,) if within_assignment else ()
    keys = joint_codes(table.annotator, table.system, table.unit, *of_assignment)
    order = originals[np.argsort(keys[originals], kind="stable")]
    if not order.size:
        return np.full(controls.size, -1, dtype=np.int64)
    places = np.minimum(np.searchsorted(keys[order], keys[controls]), order.size - 1)
    return np.where(keys[order[places]] == keys[controls], order[places], -1)
