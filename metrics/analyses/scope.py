"""The analysis `scope`: how much data the other numbers rest on, counted by the same rules."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from campaigns.late_additions import LateAddition
from metrics.analyses.evidence import Evidence
from metrics.analyses.shared_ratings import items_of
from metrics.matrices import ScoreTable
from metrics.results.values import Missing
from metrics.statistics.arrays import BoolArray, IntArray, last_of_each

COUNTED_KINDS = ("regular", "repeat", "degraded", "reference")


@dataclass(frozen=True)
class LeftOut:
    annotators: int
    judgments: int


@dataclass(frozen=True)
class PerOutput:
    """By how many annotators each output was judged; an output of several systems counts once."""

    fewest: int
    mean: float
    most: int


@dataclass(frozen=True)
class ControlCounts:
    """Of how many annotators there were enough degraded items to test, and how many of them passed."""

    tested: int
    passed: int


@dataclass(frozen=True)
class LateJudgments:
    """Regular judgments of systems and documents that were added `on` a day (ISO 8601) while the campaign ran.

    `by_same` are those by annotators who also judged other systems on the same document, or, of a further document,
    who judged documents that were there before.
    """

    on: str
    systems: tuple[str, ...]
    documents: int
    judgments: int
    by_same: int


@dataclass(frozen=True)
class Scope:
    """`systems`, `documents`, `segments` and `annotators` of the regular judgments that count; `judgments` by kind.

    `left_out` are judgments of every kind and their annotators: `by_decision`, `by_controls` where the recipe counts
    only those who passed them, `by_fit` where it drops those who fit less. `surplus` are judgments beyond the planned
    number. `late` has an entry for each time that something was added.
    """

    systems: int
    documents: int
    segments: int
    annotators: int
    judgments: Mapping[str, int]
    per_output: PerOutput | Missing
    left_out: Mapping[str, LeftOut]
    surplus: int
    controls: ControlCounts
    late: tuple[LateJudgments, ...] = ()


def scope(evidence: Evidence) -> Scope:
    tables = [table for table in evidence.tables if len(table)]
    regular = [table.where(evidence.counted(table) & table.of_kinds(["regular"])) for table in tables]
    tested = [test for test in evidence.controls.values() if test.is_sufficient]
    by_controls = {name for table in tables for name in table.annotators} - evidence.admitted - evidence.excluded
    by_fit = {} if evidence.fits is None else {"by_fit": _left_out(evidence, tables, evidence.fits.dropped)}
    return Scope(
        systems=len({name for table in regular for name in _names(table.systems, table.system)}),
        documents=len({name for table in regular for name in _names(table.documents, table.document)}),
        segments=_distinct([table.segment[~table.is_document_level] for table in regular]),
        annotators=len({name for table in regular for name in _names(table.annotators, table.annotator)}),
        judgments={
            kind: _distinct([table.judgment[evidence.counted(table) & table.of_kinds([kind])] for table in tables])
            for kind in COUNTED_KINDS
        },
        per_output=_per_output(regular),
        left_out={
            "by_decision": _left_out(evidence, tables, evidence.excluded),
            "by_controls": _left_out(evidence, tables, frozenset(by_controls)),
            **by_fit,
        },
        surplus=_distinct([table.judgment[table.surplus] for table in tables]),
        controls=ControlCounts(len(tested), sum(test.is_passed for test in tested)),
        late=tuple(_late(addition, regular) for addition in evidence.additions),
    )


def _late(addition: LateAddition, tables: list[ScoreTable]) -> LateJudgments:
    own, by_same = set[int](), set[int]()
    for table in tables:
        is_system = _are_in(table.systems, addition.systems)[table.system]
        is_document = _are_in(table.documents, addition.documents)[table.document]
        is_late = is_system | is_document
        is_earlier = ~is_late & ~np.isin(table.judgment, table.judgment[is_late])  # not beside what was added
        pair = table.annotator * max(1, len(table.documents)) + table.document
        knows_text = np.isin(pair, pair[is_earlier])
        knows_some = np.isin(table.annotator, table.annotator[is_earlier])
        is_known = np.where(is_document, knows_some, knows_text)
        own.update(table.judgment[is_late].tolist())
        by_same.update(table.judgment[is_late & is_known].tolist())
    documents = len(addition.documents)
    return LateJudgments(addition.at.date().isoformat(), addition.systems, documents, len(own), len(by_same))


def _are_in(labels: tuple[str, ...], names: tuple[str, ...]) -> BoolArray:
    return np.array([label in names for label in labels], dtype=np.bool_)


def _names(labels: tuple[str, ...], codes: IntArray) -> set[str]:
    return {labels[code] for code in np.unique(codes).tolist()}


def _distinct(columns: list[IntArray]) -> int:
    return int(np.unique(np.concatenate(columns)).size) if columns else 0


def _per_output(tables: list[ScoreTable]) -> PerOutput | Missing:
    """The measure with the most judgments: others may be about documents only."""
    table = max(tables, key=len, default=None)
    if table is None or not len(table):
        return Missing("no_judgments")
    own = table.where(table.is_own)
    outputs = items_of(own)[last_of_each(items_of(own), own.annotator)]
    counts = np.unique(outputs, return_counts=True)[1]
    return PerOutput(int(counts.min()), round(float(counts.mean()), 4), int(counts.max()))


def _left_out(evidence: Evidence, tables: list[ScoreTable], names: frozenset[str]) -> LeftOut:
    judgments, annotators = [], set()
    for table in tables:
        out = np.array([name in names for name in table.annotators], dtype=np.bool_)
        rows = evidence.usable(table) & out[table.annotator]
        judgments.append(table.judgment[rows])
        annotators |= _names(table.annotators, table.annotator[rows])
    return LeftOut(len(annotators), _distinct(judgments))
