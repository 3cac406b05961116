"""Score tables from plain columns, for tests that need no database."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.matrices import KINDS, ScoreTable, coded, turned
from metrics.statistics.arrays import BoolArray, FloatArray


def score_table(
    measure: str,
    *,
    higher_is_better: bool = True,
    values: Iterable[float],
    annotators: Sequence[Any],
    systems: Sequence[Any],
    segments: Sequence[Any],
    documents: Sequence[Any] | None = None,
    domains: Sequence[Any] | None = None,
    assignments: Sequence[Any] | None = None,
    judgments: Sequence[Any] | None = None,
    kinds: Sequence[str] | None = None,
    seconds: Iterable[float] | None = None,
    active_seconds: Iterable[float] | None = None,
    submitted: Iterable[float] | None = None,
    weights: Iterable[float] | None = None,
    source_words: Iterable[float] | None = None,
    surplus: Iterable[bool] | None = None,
    by_chance: Iterable[bool] | None = None,
    low: float = -math.inf,
    high: float = math.inf,
) -> ScoreTable:
    """A table from plain columns of labels, in natural units.

    `segments` are None where a row is of a whole document; without `documents` each segment is a document of its own,
    without `domains` there is one. Rows of one annotator are in the order judged. Rows that share a judgment are
    one output of several systems.
    """
    natural = np.asarray(list(values), dtype=np.float64)
    n_rows = natural.size
    is_document_level = np.array([segment is None for segment in segments], dtype=np.bool_)
    annotator_labels, annotator = coded(annotators)
    system_labels, system = coded(systems)
    document_labels, document = coded(segments if documents is None else documents)
    domain_labels, domain = coded([""] * n_rows if domains is None else domains)
    segment = np.full(n_rows, -1, dtype=np.int64)  # a segment's name is its own only within its document
    names = [f"{place}\0{name}" for place, name in zip(document.tolist(), segments, strict=True)]
    segment[~is_document_level] = coded([n for n, whole in zip(names, is_document_level, strict=True) if not whole])[1]
    judgment = np.arange(n_rows) if judgments is None else coded(judgments)[1]
    return ScoreTable(
        measure=measure,
        higher_is_better=higher_is_better,
        low=low,
        high=high,
        values=turned(natural, higher_is_better=higher_is_better),
        annotator=annotator,
        system=system,
        segment=segment,
        document=document,
        domain=domain,
        assignment=np.zeros(n_rows, dtype=np.int64) if assignments is None else coded(assignments)[1],
        judgment=judgment,
        screen=judgment,
        kind=np.array([KINDS.index(kind) for kind in kinds or ["regular"] * n_rows], dtype=np.int64),
        seconds=_floats(seconds, n_rows),
        active_seconds=_floats(active_seconds, n_rows),
        first_seconds=_floats(seconds, n_rows),
        submitted=_floats(submitted, n_rows),
        weight=_floats(weights, n_rows),
        source_words=_floats(source_words, n_rows),
        surplus=_flags(surplus, n_rows),
        is_by_chance=_flags(by_chance, n_rows),
        is_own=_first_of(judgment),
        is_text_known=np.ones(n_rows, dtype=np.bool_),
        is_document_level=is_document_level,
        annotators=annotator_labels,
        systems=system_labels,
        documents=document_labels,
        domains=domain_labels,
        segment_ids=tuple(range(int(segment.max(initial=-1)) + 1)),
    )


def _floats(values: Iterable[float] | None, n_rows: int) -> FloatArray:
    return np.full(n_rows, np.nan) if values is None else np.asarray(list(values), dtype=np.float64)


def _flags(values: Iterable[bool] | None, n_rows: int) -> BoolArray:
    return np.zeros(n_rows, dtype=np.bool_) if values is None else np.asarray(list(values), dtype=np.bool_)


def _first_of(codes: NDArray[Any]) -> BoolArray:
    first = np.zeros(len(codes), dtype=np.bool_)
    first[np.unique(codes, return_index=True)[1]] = True
    return first
